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
    #expect(plan.inputs.map(\.time) == [0, 8, 24])
    #expect(plan.inputs.first?.event == .mouse(.moved, Point2D(x: 3, y: 4), isDown: false))
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

  @Test func `a key is known by its name, whatever its case, or by its letter`() {
    #expect(PageKey("enter")?.name == "Enter")
    #expect(PageKey("a")?.name == "a")
    for name in ["", "é", "Entr", "ab"] { #expect(PageKey(name) == nil) }
  }
}
