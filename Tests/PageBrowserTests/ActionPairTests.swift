import JSONText
import PageBrowser
import TestSupport
import Testing
import TimelineModel

/// Each action, followed by each: what one leaves behind must not keep the next from the page.
@Suite struct ActionPairTests {
  /// An action, and how often the page counts what it does, by the name of its counter.
  private struct Act {
    var action: PageAction
    var counter: String
  }

  private static let pad = ElementPlace("#pad")
  private static let motion = FingerMotion(duration: 96, path: .drag)

  private static let key = PageKey("a").map { Act(action: .press($0), counter: "key") }
  private static let withMouse = [
    key, Act(action: .click(ElementPlace("#go")), counter: "click"),
    Act(action: .hover(ElementPlace("#over")), counter: "hover"),
    Act(
      action: .drag(PageDrag(pad, way: Point2D(x: -80, y: 0), motion: motion)), counter: "drag"),
    Act(action: .wheel(pad, way: Point2D(x: 0, y: 60)), counter: "wheel"),
  ].compactMap(\.self)
  private static let withFingers =
    withMouse + [
      Act(action: .tap(ElementPlace("#go")), counter: "tap"),
      Act(action: .longPress(ElementPlace("#go"), hold: 450), counter: "long"),
      Act(action: .pinch(PagePinch(pad, scale: 2, motion: motion)), counter: "pinch"),
      Act(action: .gesture(gesture), counter: "pinch"),
    ]

  /// Two recorded fingers.
  private static let gesture = PageGesture(
    name: "two", touches: (0...30).flatMap { step in [0, 1].map { touch(step, $0) } }, place: pad)

  private static func touch(_ step: Int, _ contact: Int) -> TouchSample {
    let phase: TouchPhase = step == 0 ? .began : step == 30 ? .ended : .moved
    return TouchSample(
      time: Instant(nanoseconds: Int64(step) * 8_000_000), contact: contact, phase: phase,
      position: Point2D(x: Double(contact) * Double(40 + step), y: 0))
  }

  /// The acts in an order in which each follows each, itself too: a closed walk along all edges.
  private static func allPairs<Value>(of values: [Value]) -> [Value] {
    var left = values.map { _ in Array(values.indices) }
    var (stack, walk) = ([0], [Int]())
    while let last = stack.last {
      if let next = left[last].popLast() {
        stack.append(next)
      } else {
        walk.append(stack.removeLast())
      }
    }
    return walk.map { values[$0] }
  }

  @Test func `the order has each pair once`() {
    let walk = Self.allPairs(of: [0, 1, 2, 3])
    let pairs = zip(walk, walk.dropFirst()).map { [$0, $1] }
    #expect(pairs.count == 16)
    #expect(Set(pairs).count == 16)
  }

  private func expectAll(_ acts: [Act], clock: ClockName, hasTouch: Bool) throws {
    let walk = Self.allPairs(of: acts)
    let visit = try WatchedPage.watch(
      "acts.html", walk.map(\.action), clock: clock, hasTouch: hasTouch)
    let lefts = visit.rows(with: "frame").reduce(into: [String: Double]()) { lefts, row in
      let frame = row["frame"]
      guard case .array(let items)? = frame?["items"] ?? frame?["changed"] else { return }
      for item in items {
        guard case .array(let numbers)? = item["frame"], let id = item["id"]?.asText else {
          continue
        }
        lefts[id] = numbers.first?.asNumber
      }
    }
    for (counter, acts) in Dictionary(grouping: walk, by: \.counter) {
      #expect(lefts[counter] == Double(acts.count), "\(counter) in \(walk.map(\.counter))")
    }
    let done = visit.events("action").compactMap { $0["kind"]?.asText }
    #expect(done == ["open"] + walk.map(\.action.kind) + ["end"])
  }

  @Test(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
  func `on the steady clock each action comes to the page after each`() throws {
    try expectAll(Self.withFingers, clock: .steady, hasTouch: true)
    try expectAll(Self.withMouse, clock: .steady, hasTouch: false)
  }

  /// A few on the browser's own clock, which takes as long as the actions do, and all in a long run.
  @Test(.enabled(if: WatchedPage.hasBrowser, "this machine has no browser"))
  func `on the real clock each action comes to the page after each`() throws {
    let isLong = TestRounds.isLong
    let few = ["click", "drag", "tap", "pinch"]
    let acts = Self.withFingers.filter { isLong || few.contains($0.action.kind) }
    try expectAll(acts, clock: .real, hasTouch: true)
    if isLong { try expectAll(Self.withMouse, clock: .real, hasTouch: false) }
  }
}
