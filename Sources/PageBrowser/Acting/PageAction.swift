package import TimelineModel

/// Something that is done to a page.
package enum PageAction: Hashable, Sendable {
  /// A press and release of the mouse, and how long it is down, in milliseconds.
  case click(ElementPlace, hold: Double = pressLength)
  /// A finger that lands and lifts, and how long it is down, in milliseconds.
  case tap(ElementPlace, hold: Double = pressLength)
  /// A finger that rests before it lifts, and for how long, in milliseconds.
  case longPress(ElementPlace, hold: Double = longPressLength)
  /// The mouse comes to an element.
  case hover(ElementPlace)
  /// A key is pressed and released.
  case press(PageKey)
  /// Nothing, for so many milliseconds.
  case wait(Double)
  /// One finger, or the mouse with its button down.
  case drag(PageDrag)
  /// Two fingers that open or close.
  case pinch(PagePinch)
  /// The mouse's wheel turns over an element: how far in px. Content below comes into view for a positive y.
  case wheel(ElementPlace, way: Point2D)
  /// Touches as they were recorded.
  case gesture(PageGesture)

  /// How long a person's click or tap is down, in milliseconds.
  package static let pressLength = 80.0
  /// How long a click was down in recordings that do not say it, in milliseconds.
  static let shortPressLength = 16.0
  /// How long a long press is down, in milliseconds: phones know one after 400 to 500.
  package static let longPressLength = 600.0
}

/// An element, and where it is touched.
package struct ElementPlace: Hashable, Sendable {
  /// The selector (CSS) of the element.
  package var selector: String
  /// The place from the element's upper left corner in px. `nil`: the middle of its visible part.
  package var from: Point2D?

  package init(_ selector: String, from: Point2D? = nil) {
    (self.selector, self.from) = (selector, from)
  }
}

package struct PageDrag: Hashable, Sendable {
  package var place: ElementPlace
  /// The distance in px; y points down.
  package var way: Point2D
  package var motion: FingerMotion

  package init(
    _ place: ElementPlace, way: Point2D, duration: Double, hold: Double = 0,
    holdFirst: Double = 0, path: FingerPath
  ) {
    self.init(
      place, way: way,
      motion: FingerMotion(duration: duration, hold: hold, holdFirst: holdFirst, path: path))
  }

  package init(_ place: ElementPlace, way: Point2D, motion: FingerMotion) {
    (self.place, self.way, self.motion) = (place, way, motion)
  }
}

package struct PagePinch: Hashable, Sendable {
  package var place: ElementPlace
  /// The fingers' last distance over their first. Above 1 they open.
  package var scale: Double
  package var motion: FingerMotion

  package init(_ place: ElementPlace, scale: Double, motion: FingerMotion) {
    (self.place, self.scale, self.motion) = (place, scale, motion)
  }

  /// The scales that a hand can make.
  package static let scales = 0.1...10.0
  /// The larger of the two distances: a part of the element's longer visible side, from 80 to 240 px.
  private static let (part, distances) = (0.8, 80.0...240.0)

  /// How far the fingers are from each other at first and at last, in px.
  ///
  /// - Parameter side: The longer side of the element's visible part, in px.
  func distances(along side: Double) -> (first: Double, last: Double) {
    let most = min(max(side * Self.part, Self.distances.lowerBound), Self.distances.upperBound)
    return scale > 1 ? (most / scale, most) : (most, most * scale)
  }
}

package struct PageGesture: Hashable, Sendable {
  /// Its source, for the person.
  package var name: String
  /// The touches. Times count from the first one.
  package var touches: [TouchSample]
  /// Where its first touch lands. `nil`: where it was recorded.
  package var place: ElementPlace?
  /// Whether the touches stand where they land already, so that ``place`` only names the element.
  package var isPlaced = false
  /// How much larger its way is.
  package var scale: Double

  package init(
    name: String, touches: [TouchSample], place: ElementPlace? = nil, scale: Double = 1
  ) {
    (self.name, self.touches, self.place, self.scale) = (name, touches, place, scale)
  }

  /// From the first touch to the last, in milliseconds.
  package var length: Double {
    guard let first = touches.first, let last = touches.last else { return 0 }
    return last.time.seconds(since: first.time) * 1000
  }
}

extension PageAction {
  /// The element that it is about. `nil` if there is none.
  package var place: ElementPlace? {
    switch self {
    case .click(let place, _), .tap(let place, _), .longPress(let place, _): place
    case .hover(let place), .wheel(let place, _): place
    case .drag(let drag): drag.place
    case .pinch(let pinch): pinch.place
    case .gesture(let gesture): gesture.place
    case .press, .wait: nil
    }
  }

  /// Whether fingers do it, which a mouse cannot be.
  package var needsTouch: Bool {
    switch self {
    case .tap, .longPress, .pinch: true
    case .click, .hover, .press, .wait, .drag, .wheel, .gesture: false
    }
  }

  /// How much earlier than an action's time its button goes down, in milliseconds: a click's instant is its lift.
  var lead: Double {
    if case .click(_, let hold) = self { max(0, hold - Self.shortPressLength) } else { 0 }
  }

  /// The action, for the person.
  package var words: String {
    func milliseconds(_ length: Double) -> String { "\(FieldValue.jsonNumber(length)) ms" }
    func pixels(_ way: Point2D) -> String {
      "(\(FieldValue.jsonNumber(way.x)), \(FieldValue.jsonNumber(way.y))) px"
    }
    func holds(_ motion: FingerMotion) -> String {
      (motion.holdFirst > 0 ? ", held \(milliseconds(motion.holdFirst)) first" : "")
        + (motion.hold > 0 ? ", then held \(milliseconds(motion.hold))" : "")
    }
    func held(_ hold: Double) -> String {
      [Self.pressLength, Self.shortPressLength].contains(hold) ? "" : " for \(milliseconds(hold))"
    }
    switch self {
    case .click(let place, let hold): return "click \(place.selector)\(held(hold))"
    case .tap(let place, let hold): return "tap \(place.selector)\(held(hold))"
    case .longPress(let place, let hold):
      return "long press \(place.selector) for \(milliseconds(hold))"
    case .hover(let place): return "hover \(place.selector)"
    case .press(let key): return "press \(key.name)"
    case .wait(let length): return "wait \(milliseconds(length))"
    case .drag(let drag):
      return "drag on \(drag.place.selector) by \(pixels(drag.way)) in "
        + milliseconds(drag.motion.duration) + holds(drag.motion)
    case .pinch(let pinch):
      return "pinch on \(pinch.place.selector), scale \(FieldValue.jsonNumber(pinch.scale)), in "
        + milliseconds(pinch.motion.duration) + holds(pinch.motion)
    case .wheel(let place, let way): return "wheel on \(place.selector) by \(pixels(way))"
    case .gesture(let gesture):
      let place = gesture.place.map { " on \($0.selector)" } ?? ""
      return "gesture \(gesture.name)\(place) in \(milliseconds(gesture.length.rounded()))"
    }
  }

  /// Its name in a recording.
  package var kind: String {
    switch self {
    case .click: "click"
    case .tap: "tap"
    case .longPress: "long-press"
    case .hover: "hover"
    case .press: "press"
    case .wait: "wait"
    case .drag: "drag"
    case .pinch: "pinch"
    case .wheel: "wheel"
    case .gesture: "gesture"
    }
  }

  /// Its fields in a recording, from which ``init(kind:fields:touches:)`` makes it again.
  package var fields: [EventField] {
    var fields = EventField.known(["kind": kind, "target": place?.selector])
    if let from = place?.from { fields.append(EventField("from", FieldValue(from))) }
    switch self {
    case .hover: break
    case .click(_, let hold), .tap(_, let hold), .longPress(_, let hold):
      fields.append(EventField("hold_ms", .number(hold)))
    case .press(let key): fields.append(EventField("key", .text(key.name)))
    case .wait(let length): fields.append(EventField("duration_ms", .number(length)))
    case .drag(let drag):
      fields.append(EventField("way", FieldValue(drag.way)))
      fields += drag.motion.fields
    case .pinch(let pinch):
      fields.append(EventField("scale", .number(pinch.scale)))
      fields += pinch.motion.fields
    case .wheel(_, let way): fields.append(EventField("way", FieldValue(way)))
    case .gesture(let gesture):
      fields += EventField.list([
        "source": gesture.name, "scale": gesture.scale, "duration_ms": gesture.length,
      ])
    }
    return fields
  }
}

extension PageAction {
  /// An action as a recording says it was done.
  ///
  /// - Parameters:
  ///   - fields: The fields of an event `action`.
  ///   - touches: The touches of the recording from the action's beginning to its end, for a gesture.
  /// - Returns: nil for anything but an action of this program's.
  package init?(recorded fields: FieldValue, touches: () throws -> [TouchSample]) rethrows {
    func place() -> ElementPlace? {
      guard case .text(let selector)? = fields["target"] else { return nil }
      return ElementPlace(selector, from: fields["from"]?.asPoint)
    }
    func hold(unless usual: Double) -> Double? {
      guard let hold = fields["hold_ms"] else { return usual }
      return hold.asNumber.flatMap { Self.lengths.contains($0) ? $0 : nil }
    }
    guard case .text(let kind)? = fields["kind"] else { return nil }
    switch kind {
    case "click":
      guard let place = place(), let hold = hold(unless: Self.shortPressLength) else { return nil }
      self = .click(place, hold: hold)
    case "tap":
      guard let place = place(), let hold = hold(unless: Self.pressLength) else { return nil }
      self = .tap(place, hold: hold)
    case "long-press":
      guard let place = place(), let hold = hold(unless: Self.longPressLength) else { return nil }
      self = .longPress(place, hold: hold)
    case "hover":
      guard let place = place() else { return nil }
      self = .hover(place)
    case "wheel":
      guard let place = place(), let way = fields["way"]?.asPoint else { return nil }
      self = .wheel(place, way: way)
    case "press":
      guard case .text(let name)? = fields["key"], let key = PageKey(name) else { return nil }
      self = .press(key)
    case "wait":
      guard let length = fields["duration_ms"]?.asNumber, Self.lengths.contains(length) else {
        return nil
      }
      self = .wait(length)
    case "drag":
      guard let place = place(), let way = fields["way"]?.asPoint,
        let motion = FingerMotion(recorded: fields)
      else { return nil }
      self = .drag(PageDrag(place, way: way, motion: motion))
    case "pinch":
      guard let place = place(), let motion = FingerMotion(recorded: fields),
        let scale = fields["scale"]?.asNumber, PagePinch.scales.contains(scale)
      else { return nil }
      self = .pinch(PagePinch(place, scale: scale, motion: motion))
    case "gesture":
      guard case .text(let name)? = fields["source"] else { return nil }
      // The touches that were recorded have their scale and place.
      var gesture = PageGesture(name: name, touches: try touches(), place: place())
      gesture.isPlaced = true
      self = .gesture(gesture)
    default: return nil
    }
  }

  /// How long a part of an action may be, in milliseconds.
  package static let lengths = 0.0...60_000
}
