import PageBrowser
import Testing
import TimelineModel

/// What is sent for an action, which is computed before the first of it.
@Suite struct InputPlanTests {
  private let way = Point2D(x: 0, y: -240)

  private func drag(_ duration: Double, hold: Double = 0, path: FingerPath = .throw) -> PageAction {
    .drag(PageDrag(ElementPlace("#a"), way: way, duration: duration, hold: hold, path: path))
  }

  @Test(arguments: FingerPath.allCases)
  func `a finger goes the whole way forwards, with a place every 8 ms`(path: FingerPath) {
    let places = path.places(duration: 304)
    #expect(places.map(\.time) == (0...38).map { Double($0) * 8 })
    #expect(places.first?.share == 0)
    #expect(places.last?.share == 1)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.share < $1.share })
    #expect(path.places(duration: 16).count == 7, "a short flick has a speed, too")
  }

  @Test func `a throw is fastest at the lift, and a drag slower there than before`() {
    func lastSteps(_ path: FingerPath) -> [Double] {
      let shares = path.places(duration: 400).map(\.share)
      return zip(shares, shares.dropFirst()).map { $1 - $0 }
    }
    #expect(lastSteps(.throw).max() == lastSteps(.throw).last)
    let drag = lastSteps(.drag)
    #expect(drag[drag.count - 1] < drag.max() ?? 0)
    #expect(drag[drag.count - 1] > drag[0])
  }

  @Test func `the lift comes 4 ms behind the last place, or behind the rest`() {
    let start = Point2D(x: 10, y: 500)
    for (hold, lift) in [(0.0, 124.0), (50, 174)] {
      let inputs = InputPlan(drag(120, hold: hold), at: start, hasTouch: true).inputs
      #expect(inputs.last?.time == lift)
      #expect(inputs.last?.event == .touch(.ended, []))
      guard case .touch(.moved, let contacts)? = inputs.dropLast().last?.event else {
        Issue.record("no place stands before the lift")
        return
      }
      #expect(contacts.map(\.place) == [Point2D(x: 10, y: 260)])
    }
  }

  @Test func `a mouse is moved to its place 8 ms before its button goes down`() {
    let plan = InputPlan(.click(ElementPlace("#a")), at: Point2D(x: 3, y: 4), hasTouch: false)
    #expect(plan.landing == 8)
    #expect(plan.inputs.map(\.time) == [0, 8, 88])
    #expect(plan.inputs.first?.event == .mouse(.moved, Point2D(x: 3, y: 4), isDown: false))
  }

  @Test func `a finger may rest before it moves`() {
    let drag = PageDrag(
      ElementPlace("#a"), way: way, duration: 120, holdFirst: 300, path: .throw)
    let inputs = InputPlan(.drag(drag), at: Point2D(x: 10, y: 500), hasTouch: true).inputs
    #expect(inputs.prefix(3).map(\.time) == [0, 308, 316])
    #expect(inputs.last?.time == 424)
  }

  @Test func `a tap and a long press are a finger, whatever else points`() {
    for (action, hold) in [
      (PageAction.tap(ElementPlace("#a")), 80.0), (.longPress(ElementPlace("#a")), 600),
    ] {
      let plan = InputPlan(action, at: Point2D(x: 3, y: 4), hasTouch: true)
      #expect(plan.inputs.map(\.time) == [0, hold])
      #expect(
        plan.inputs.first?.event
          == .touch(.began, [PlannedInput.Contact(number: 0, place: Point2D(x: 3, y: 4))]))
    }
  }

  @Test(arguments: [(2.0, 80.0, 160.0), (0.25, 160, 40)])
  func `a pinch has two fingers as far from the middle, on the longer side`(
    scale: Double, first: Double, last: Double
  ) {
    let pinch = PagePinch(
      ElementPlace("#a"), scale: scale, motion: FingerMotion(duration: 160, path: .even))
    let middle = Point2D(x: 100, y: 300)
    let inputs = InputPlan(
      .pinch(pinch), at: middle, size: Point2D(x: 50, y: 200), hasTouch: true
    ).inputs
    let spreads = inputs.compactMap { input -> Double? in
      guard case .touch(_, let contacts) = input.event, contacts.count == 2 else { return nil }
      #expect(contacts.map(\.place.x) == [100, 100])
      #expect(abs(contacts[0].place.y + contacts[1].place.y - 600) < 1e-9)
      return contacts[1].place.y - contacts[0].place.y
    }
    #expect(spreads.count == 21)
    #expect(abs((spreads.first ?? 0) - first) < 1e-9)
    #expect(abs((spreads.last ?? 0) - last) < 1e-9)
    #expect(inputs.last?.event == .touch(.ended, []))
    #expect(inputs.last?.time == 164)
  }

  @Test func `a wheel goes by notches of at most 100 px`() {
    let plan = InputPlan(
      .wheel(ElementPlace("#a"), way: Point2D(x: 0, y: 250)), at: Point2D(x: 3, y: 4),
      hasTouch: false)
    #expect(plan.inputs.map(\.time) == [0, 8, 48, 88])
    let ways = plan.inputs.compactMap { input -> Double? in
      guard case .wheel(_, let way) = input.event else { return nil }
      return way.y
    }
    #expect(abs(ways.reduce(0, +) - 250) < 1e-9)
    #expect(ways.allSatisfy { $0 <= 100 })
  }

  @Test func `each action is done again as its recording says`() throws {
    let place = ElementPlace("#a", from: Point2D(x: 1, y: 2))
    let motion = FingerMotion(duration: 304, hold: 20, holdFirst: 250, path: .drag)
    let actions: [PageAction] = [
      .click(place), .click(place, hold: 300), .tap(place), .longPress(place), .hover(place),
      .wait(100), .drag(PageDrag(place, way: way, motion: motion)),
      .drag(PageDrag(place, way: way, duration: 120, path: .throw)),
      .pinch(PagePinch(place, scale: 2, motion: motion)), .wheel(place, way: way),
    ]
    for action in actions {
      #expect(PageAction(recorded: .object(action.fields), touches: { [] }) == action)
    }
  }

  @Test func `a click of a recording that does not say how long it was down is as short as then`() {
    let fields = FieldValue.object(named: ["kind": "click", "target": "#a"])
    let action = PageAction(recorded: fields, touches: { [] })
    #expect(action == .click(ElementPlace("#a"), hold: 16))
  }

  @Test func `a gesture keeps its times, and is enlarged about its first place`() {
    let touches = [(100, TouchPhase.began, 50.0), (107, .moved, 60), (120, .ended, 60)].map {
      TouchSample(
        time: Instant(nanoseconds: $0 * 1_000_000), contact: 3, phase: $1,
        position: Point2D(x: $2, y: 0))
    }
    let plan = InputPlan(
      .gesture(
        PageGesture(name: "g", touches: touches, place: ElementPlace("#a"), scale: 2)),
      at: Point2D(x: 200, y: 300), hasTouch: true)
    #expect(plan.inputs.map(\.time) == [0, 7, 20])
    #expect(
      plan.inputs[1].event
        == .touch(.moved, [PlannedInput.Contact(number: 3, place: Point2D(x: 220, y: 300))]))
  }

  @Test func `a gesture of a recording lands where it landed, and keeps its element`() throws {
    let touches = [(100, TouchPhase.began, 50.0), (107, .moved, 60), (120, .ended, 60)].map {
      TouchSample(
        time: Instant(nanoseconds: $0 * 1_000_000), contact: 0, phase: $1,
        position: Point2D(x: $2, y: 7))
    }
    let fields = FieldValue.object(named: ["kind": "gesture", "target": "#a", "source": "g.csv"])
    let action = try #require(PageAction(recorded: fields, touches: { touches }))
    #expect(action.place == ElementPlace("#a"))
    let inputs = InputPlan(action, at: Point2D(x: 200, y: 300), hasTouch: true).inputs
    #expect(
      inputs.first?.event
        == .touch(.began, [PlannedInput.Contact(number: 0, place: Point2D(x: 50, y: 7))]))
  }

  @Test func `a key is known by its name, whatever its case, or by its letter`() {
    #expect(PageKey("enter")?.name == "Enter")
    #expect(PageKey("a")?.name == "a")
    for name in ["", "é", "Entr", "ab"] { #expect(PageKey(name) == nil) }
  }
}
