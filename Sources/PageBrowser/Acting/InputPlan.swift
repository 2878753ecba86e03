package import TimelineModel

extension PageAction {
  /// Whether a mouse's button goes down in it.
  fileprivate var usesButton: Bool {
    switch self {
    case .click, .drag, .gesture: true
    case .tap, .longPress, .pinch, .hover, .press, .wait, .wheel: false
    }
  }
}

/// The events of one action, all computed before the first of them.
package struct InputPlan: Sendable {
  package private(set) var inputs: [PlannedInput] = []
  /// When the finger lands, or the button or key goes down, in milliseconds from the first event.
  package private(set) var landing = 0.0
  /// From the first event to the last, in milliseconds.
  package var length: Double { inputs.last?.time ?? 0 }
  /// The time that a key is down, in milliseconds.
  static let keyLength = 30.0
  /// How far away the mouse comes from when it comes to an element, in px, and in how many steps.
  static let (hoverWay, hoverSteps) = (40.0, 5)
  /// How far a wheel goes at most in one event, in px, and the time between two, in milliseconds: a notch of a wheel that
  /// somebody turns.
  static let (notch, notchSpacing) = (100.0, 40.0)

  /// The plan of an action.
  ///
  /// - Parameters:
  ///   - place: Where its element is touched. `nil` for an action without an element.
  ///   - size: Width and height of the element's visible part, in px.
  ///   - hasTouch: Whether fingers are on a panel. Else the mouse has its button down.
  package init(
    _ action: PageAction, at place: Point2D?, size: Point2D = .zero, hasTouch: Bool
  ) {
    let place = place ?? .zero
    // A mouse is there before its button goes down.
    if !hasTouch, action.usesButton {
      add(0, .mouse(.moved, place, isDown: false))
      landing = FingerPath.spacing
    }
    switch action {
    case .wait: break
    case .press(let key):
      add(0, .key(key, isDown: true))
      add(Self.keyLength, .key(key, isDown: false))
    case .click(_, let hold):
      add(0, .mouse(.pressed, place, isDown: true))
      add(hold, .mouse(.released, place, isDown: false))
    case .tap(_, let hold), .longPress(_, let hold):
      finger(.began, 0, place, at: 0, true)
      finger(.ended, 0, place, at: hold, true)
    case .hover:
      for step in 0...Self.hoverSteps {
        let left = Self.hoverWay * Double(Self.hoverSteps - step) / Double(Self.hoverSteps)
        add(
          FingerPath.spacing * Double(step),
          .mouse(.moved, Point2D(x: place.x - left, y: place.y), isDown: false))
      }
    case .drag(let drag):
      for (index, point) in drag.motion.places.enumerated() {
        let there = Point2D(
          x: place.x + drag.way.x * point.share, y: place.y + drag.way.y * point.share)
        finger(index == 0 ? .began : .moved, 0, there, at: point.time, hasTouch)
      }
      let end = Point2D(x: place.x + drag.way.x, y: place.y + drag.way.y)
      finger(.ended, 0, end, at: drag.motion.length, hasTouch)
    case .pinch(let pinch): addPinch(pinch, about: place, size)
    case .wheel(_, let way):
      add(0, .mouse(.moved, place, isDown: false))
      landing = FingerPath.spacing
      let count = max(1, (max(abs(way.x), abs(way.y)) / Self.notch).rounded(.up))
      let part = Point2D(x: way.x / count, y: way.y / count)
      for step in 0..<Int(count) { add(Self.notchSpacing * Double(step), .wheel(place, part)) }
    case .gesture(let gesture): addGesture(gesture, at: place, hasTouch)
    }
  }

  /// Whether fingers are in it.
  var hasTouches: Bool {
    inputs.contains { if case .touch = $0.event { true } else { false } }
  }

  private mutating func add(_ time: Double, _ event: PlannedInput.Event) {
    inputs.append(PlannedInput(time: landing + time, event: event))
  }

  private mutating func finger(
    _ phase: TouchPhase, _ number: Int, _ place: Point2D, at time: Double, _ hasTouch: Bool
  ) {
    let isEnd = phase == .ended || phase == .cancelled
    if hasTouch {
      let contact = PlannedInput.Contact(number: number, place: place)
      return add(time, .touch(phase, isEnd ? [] : [contact]))
    }
    let kind: PlannedInput.MouseKind =
      switch phase {
      case .began: .pressed
      case .moved: .moved
      case .ended, .cancelled: .released
      }
    add(time, .mouse(kind, place, isDown: !isEnd))
  }

  /// Two fingers on the longer axis of an element, as far from its middle.
  private mutating func addPinch(_ pinch: PagePinch, about middle: Point2D, _ size: Point2D) {
    let isAcross = size.x >= size.y
    let (first, last) = pinch.distances(along: max(size.x, size.y))
    for (index, point) in pinch.motion.places.enumerated() {
      let half = (first + (last - first) * point.share) / 2
      let contacts = [-half, half].enumerated().map { number, way in
        PlannedInput.Contact(
          number: number,
          place: isAcross
            ? Point2D(x: middle.x + way, y: middle.y) : Point2D(x: middle.x, y: middle.y + way))
      }
      add(point.time, .touch(index == 0 ? .began : .moved, contacts))
    }
    add(pinch.motion.length, .touch(.ended, []))
  }

  private mutating func addGesture(
    _ gesture: PageGesture, at place: Point2D, _ hasTouch: Bool
  ) {
    guard let first = gesture.touches.first else { return }
    let origin = gesture.place == nil || gesture.isPlaced ? first.position : place
    var down: [Int: Point2D] = [:]
    for touch in gesture.touches {
      // A page sees rounded instants, so that its recording can be repeated.
      let time = FingerPath.onStep(touch.time.seconds(since: first.time) * 1000)
      let there = Point2D(
        x: origin.x + (touch.position.x - first.position.x) * gesture.scale,
        y: origin.y + (touch.position.y - first.position.y) * gesture.scale)
      // A mouse is one finger: the first.
      guard hasTouch else {
        if touch.contact == first.contact {
          finger(touch.phase, touch.contact, there, at: time, false)
        }
        continue
      }
      switch touch.phase {
      case .began, .moved:
        let isNew = down.updateValue(there, forKey: touch.contact) == nil
        let contact = PlannedInput.Contact(number: touch.contact, place: there)
        add(time, .touch(isNew ? .began : .moved, [contact]))
      case .ended, .cancelled:
        guard let last = down.removeValue(forKey: touch.contact) else { continue }
        let lifted = PlannedInput.Contact(number: touch.contact, place: last)
        add(time, .touch(.ended, down.isEmpty ? [] : [lifted]))
      }
    }
  }
}

// MARK: - A finger that is made of a mouse

extension InputPlan {
  /// Closer moves of a mouse are dropped where a finger is made of it, in milliseconds: `kMouseMoveDropInterval` of
  /// Chromium's touch_emulator_impl.cc.
  private static let closestMoves = 5.0
  /// A finger that is made of a mouse opens a menu if it rests for longer on the browser's own clock, in milliseconds.
  private static let longestRest = 400.0

  /// A mouse that goes as the plan's one finger does. `nil` if there is not one finger alone that moves, if its
  /// places are too close, or if it rests too long before it moves.
  ///
  /// The browser can make a finger of it (`Emulation.setEmitTouchEventsForMouse`), and hands that on at once. Touches as
  /// such wait for a frame on their way, and race with it.
  var mouseFinger: [PlannedInput]? {
    var mouse: [PlannedInput] = []
    var finger: PlannedInput.Contact?
    for input in inputs {
      guard case .touch(let phase, let contacts) = input.event, contacts.count <= 1,
        phase != .cancelled, let next = contacts.first ?? finger
      else { return nil }
      guard next.number == finger?.number ?? next.number else { return nil }
      finger = next
      if phase == .moved, let last = mouse.last {
        let gap = input.time - last.time
        guard gap > Self.closestMoves, mouse.count > 1 || gap < Self.longestRest else { return nil }
      }
      let there = next.place
      let kind: PlannedInput.MouseKind =
        phase == .began ? .pressed : phase == .moved ? .moved : .released
      mouse.append(
        PlannedInput(time: input.time, event: .mouse(kind, there, isDown: phase != .ended)))
    }
    // A finger that only lands and lifts taps. One that is made of a mouse would wait for a second tap.
    return mouse.contains { $0.isMove } ? mouse : nil
  }
}
