// More than 400 lines: one drawn page serves them all.
import KymographCLibrary
import TestSupport
import Testing
import TimelineModel

@testable import MotionJudgement

/// What looks like a fault of a well made page, beside pages that have the fault.
@Suite struct StoryMannerTests {
  /// A page of 390 × 844 px whose element shows what a function makes of the finger's way and of the time since the lift.
  private func page(
    rate: Double = 60, seconds: Double = 0.4, by way: Double = 200,
    size: Size2D = Size2D(width: 350, height: 300), top: Double = 100,
    share: @escaping (Double) -> Double = { pow($0, 1.6) },
    shown: @escaping (_ finger: Double, _ sinceLift: Double?) -> Double
  ) -> FilmedPage {
    var page = FilmedPage()
    page.rate = rate
    page.seconds = 3
    page.window(width: 390, height: 844)
    page.swipe(from: 0.2, seconds: seconds, by: way, share: share)
    let lift = 0.2 + seconds + 0.004
    let touches = page.touches
    page.add("card", at: Rect2D(x: 20, y: top, width: size.width, height: size.height)) { time in
      let known = touches.last { ($0.heard?.seconds ?? 0) <= time + 1e-9 }
      let finger = known.map { $0.position.y - 140 } ?? 0
      return shown(finger, time > lift + 0.001 ? time - lift : nil)
    }
    return page
  }

  private func eased(_ time: Double, _ duration: Double) -> Double {
    1 - pow(1 - min(1, time / duration), 3)
  }

  // MARK: Edges

  /// How an edge resists: a share of the finger's way. A logarithm bends as no way that the program knows.
  enum Resistance: CaseIterable {
    case band, linear, root, logarithm

    func callAsFunction(_ way: Double) -> Double {
      switch self {
      case .band: way * 195 / (way + 195)
      case .linear: 0.4 * way
      case .root: 8 * way.squareRoot()
      case .logarithm: 20 * log(1 + way / 5)
      }
    }
  }

  @Test(arguments: Resistance.allCases)
  func `what resists at an edge and goes back is told so, and is no fault`(
    resistance: Resistance
  ) throws {
    let film = page(seconds: 0.12) { finger, lifted in
      let way = resistance(finger)
      return lifted.map { way * (1 - eased($0, 0.3)) } ?? way
    }
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
    let fact = try #require(story.facts.first { $0.kind == .resists }, "\(story.text)")
    let share = resistance(200) / 200
    #expect(try abs(#require(fact.value) - share) < 0.15, "\(share): \(story.text)")
    guard let lag = story.facts.first(where: { $0.kind == .lag }) else {
      #expect(resistance == .logarithm, "\(story.text)")
      return
    }
    #expect(lag.low == 0 && !lag.isFault, "\(lag)")
    #expect(try #require(lag.high) < 0.6, "\(lag)")
  }

  @Test func `what eases towards the finger does not resist`() throws {
    let story = try FilmedPage.sheet(share: 0.3, target: 0, seconds: 0.3).story()
    #expect(!story.facts.contains { $0.kind == .resists }, "\(story.text)")
    #expect(story.faults.contains { $0.kind == .lag }, "\(story.text)")
  }

  // MARK: Flicks that go back

  @Test(arguments: [
    (Size2D(width: 350, height: 300), true), (Size2D(width: 350, height: 900), false),
    (Size2D(width: 80, height: 80), false), (Size2D(width: 350, height: 700), false),
  ])
  func `a flick that goes back is cancelled if nothing explains it`(
    size: Size2D, isFault: Bool
  ) throws {
    // The second one is at its edge, the third one is dragged about, the fourth one is far from half of its way.
    let film = page(seconds: 0.12, size: size, top: 0) { finger, lifted in
      lifted.map { finger * (1 - eased($0, 0.3)) } ?? finger
    }
    let story = try film.story()
    #expect(story.faults.contains { $0.kind == .flickCancelled } == isFault, "\(story.text)")
    #expect(story.facts.contains { $0.kind == .flickCancelled }, "\(story.text)")
  }

  // MARK: Rests

  @Test(arguments: [0.3, 0.5, 0.8])
  func `momentum runs out as long as it likes`(constant: Double) throws {
    let film = page(seconds: 0.12) { finger, lifted in
      finger + (lifted.map { 2660 * constant * (1 - exp(-$0 / constant)) } ?? 0)
    }
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
    let settle = try #require(story.facts.first { $0.kind == .settle })
    #expect(try #require(settle.value) > 1000)
  }

  @Test func `a spring that creeps to its target rests late`() throws {
    let story = try FilmedPage.sheet(stiffness: 9, damping: 7).story()
    #expect(story.faults.contains { $0.kind == .settle }, "\(story.text)")
  }

  @Test(arguments: [0.4, 2])
  func `momentum that begins with another speed is no lost speed and no jump`(
    factor: Double
  ) throws {
    let film = page(seconds: 0.12) { finger, lifted in
      finger + (lifted.map { 2660 * factor * 0.2 * (1 - exp(-$0 / 0.2)) } ?? 0)
    }
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
    #expect(story.facts.contains { $0.kind == .handOver }, "\(story.text)")
  }

  // MARK: Rows

  @Test(arguments: [true, false])
  func `rows that step aside do not follow`(isDeclared: Bool) throws {
    var film = page(seconds: 0.7, by: 160, size: Size2D(width: 350, height: 50)) { finger, _ in
      finger
    }
    for (row, start) in [0.42, 0.62, 0.78].enumerated() {
      let name = "row\(row)"
      film.add(name, at: Rect2D(x: 20, y: 152 + 52 * Double(row), width: 350, height: 50)) {
        -52 * eased(max(0, $0 - start), 0.15)
      }
      guard isDeclared else { continue }
      film.declare(name, at: start, seconds: 0.15, easing: "ease-out", properties: ["transform"])
    }
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
    let followers = Set(story.facts.filter { $0.kind == .lag }.map(\.subject))
    #expect(followers == ["card"], "\(story.text)")
    #expect(story.facts.contains { $0.subject == "row0" && $0.kind == .moves }, "\(story.text)")
  }

  // MARK: Endless rows

  private func carousel(period: Int?, wrap: Double, marked: Bool = true) -> FilmedPage {
    var film = page(
      seconds: 0.12, by: 160, size: Size2D(width: 350, height: 3120), top: -390
    ) { finger, lifted in
      guard let lifted else { return finger }
      return finger + (390 - finger) * eased(lifted, 0.4) + (lifted > 0.41 ? wrap : 0)
    }
    if marked {
      film.events.append(
        TimelineEvent(
          time: .zero, kind: .init(rawValue: "row"),
          fields: [
            "of": "card", "axis": "y", "pitch": 390, "count": 7, "edge": -1170, "middle": 0,
            "period": Int64(period ?? 0),
          ]))
    }
    return film
  }

  @Test func `the wrap of an endless row is told, and is no jump`() throws {
    for period in [3, nil] {
      let story = try carousel(period: period, wrap: -1170).story()
      #expect(story.verdict == "no faults", "\(story.text)")
      let wrap = try #require(story.facts.first { $0.kind == .wraps }, "\(story.text)")
      #expect(try #require(wrap.value) == -1170)
      #expect(wrap.text == "wraps by 1170 px (3 items): the picture stays the same")
    }
  }

  @Test func `a jump that is no whole number of items, or shows others, is one`() throws {
    for story in [
      try carousel(period: 3, wrap: -120).story(), try carousel(period: 4, wrap: -390).story(),
    ] {
      #expect(story.faults.contains { $0.kind == .jump }, "\(story.text)")
      #expect(!story.facts.contains { $0.kind == .wraps }, "\(story.text)")
    }
  }

  @Test(arguments: [(3, false), (4, true)])
  func `whole rounds of an endless row are a wrap, however far its course goes in that frame`(
    period: Int, isJump: Bool
  ) throws {
    var film = carousel(period: period, wrap: 0)
    let touches = film.touches
    film.elements = []
    film.add("card", at: Rect2D(x: 20, y: -390, width: 350, height: 3120)) { time in
      let finger = min(
        160, max(0, (touches.last { ($0.heard?.seconds ?? 0) <= time }?.position.y ?? 140) - 140))
      let since = time - 0.42
      return since <= 0 ? finger : finger - 1170 + 6 + 230 * eased(since, 0.4)
    }
    let story = try film.story()
    #expect(story.faults.contains { $0.kind == .jump } == isJump, "\(story.text)")
  }

  // MARK: Steps

  @Test func `two steps that each end at the finger are steps, two that end elsewhere are none`()
    throws
  {
    for off in [0.0, 12] {
      let film = page(seconds: 0.25, by: 180, share: { $0 }, shown: { finger, _ in finger })
      var stepped = film
      stepped.elements = []
      stepped.add("card", at: Rect2D(x: 20, y: 100, width: 350, height: 300)) { time in
        let frame = Int((time * 60).rounded())
        let way = (film.elements[0].pose(Double(frame - frame % 6) / 60)?.frame.minY ?? 100) - 100
        return way > 0 && way < 180 ? way + (frame < 24 ? -off : off) : way
      }
      let story = try stepped.story()
      #expect(
        story.faults.contains { $0.kind == .steps } == (off == 0), "\(off): \(story.text)")
    }
  }

  @Test func `how late a slider of few places is, and where it began, is not judged`() throws {
    // Half of its frames do not come, as on a machine that is busy.
    var film = page(
      seconds: 0.3, by: 110, share: { $0 },
      shown: { finger, _ in (finger / 25).rounded() * 25 })
    film.missing = [15, 16, 18, 21, 22, 25]
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
  }

  private static let slowEnds: @Sendable (Double) -> Double = { 1 - cos(0.8 * .pi * $0) }

  @Test(arguments: [4, 5, 6])
  func `what is updated too rarely moves in steps, and nothing else is judged`(every: Int) throws {
    var latest = (frame: -10, way: 0.0)
    let film = page(
      rate: 120, seconds: 0.42, by: 260, share: Self.slowEnds, shown: { finger, _ in finger })
    var stepped = film
    stepped.elements = []
    stepped.add("card", at: Rect2D(x: 20, y: 100, width: 350, height: 300)) { time in
      let frame = Int((time * 120).rounded())
      let pose = film.elements[0].pose(Double(frame - frame % every) / 120)
      latest = (frame, (pose?.frame.minY ?? 100) - 100)
      return latest.way
    }
    let story = try stepped.story()
    #expect(story.faults.map(\.kind) == [.steps], "\(story.text)")
    let steps = try #require(story.faults.first)
    #expect(try #require(steps.value) == Double(every - 1))
    #expect(!story.facts.contains { $0.kind == .handOver }, "\(story.text)")
    #expect(!story.facts.contains { $0.kind == .lag }, "\(story.text)")
  }

  @Test(arguments: [25.0, 40, 52])
  func `what has few places by design does not move in steps`(grid: Double) throws {
    let film = page(rate: 120, seconds: 0.42, by: 260, share: Self.slowEnds) { finger, _ in
      (finger / grid).rounded() * grid
    }
    let story = try film.story()
    #expect(!story.facts.contains { $0.kind == .steps }, "\(story.text)")
  }

  @Test(arguments: [1, 2, 3])
  func `rounding, a slow finger and every third frame are no steps`(every: Int) throws {
    for way in [12.0, 40, 200] {
      let film = page(rate: 120, seconds: 0.6, by: way) { finger, _ in finger.rounded() }
      var stepped = film
      stepped.elements = []
      stepped.add("card") { time in
        let frame = Int((time * 120).rounded())
        return (film.elements[0].pose(Double(frame - frame % every) / 120)?.frame.minY ?? 100) - 100
      }
      let story = try stepped.story()
      #expect(!story.facts.contains { $0.kind == .steps }, "\(story.text)")
    }
  }

  @Test func `what stands at an end of its way does not move in steps`() throws {
    let film = page(seconds: 0.42, by: 260) { finger, _ in min(120, max(0, finger - 30)) }
    let story = try film.story()
    #expect(!story.facts.contains { $0.kind == .steps }, "\(story.text)")
  }

  // MARK: Jumps

  /// A card that goes 160 px up within 0.35 s of a click, and later by a step or a motion.
  private func collapse(
    wait: Double, step: Double, takes seconds: Double = 0
  ) -> FilmedPage {
    var film = FilmedPage()
    film.seconds = 2
    film.click("go", at: 0.2)
    film.add("card", at: Rect2D(x: 20, y: 300, width: 100, height: 80)) { time in
      let since = time - 0.226
      let later = since - 0.35 - wait
      let more =
        seconds > 0 ? eased(max(0, later), seconds) : later > 0 ? 1 : 0
      return -160 * eased(max(0, since), 0.35) - step * more
    }
    return film
  }

  @Test func `a jump after a standstill is one, and a motion there is none`() throws {
    for wait in [0.08, 0.17, 0.35] {
      let story = try collapse(wait: wait, step: 48).story()
      let jump = try #require(story.faults.first { $0.kind == .jump }, "\(wait): \(story.text)")
      #expect(try abs(#require(jump.value) - 48) < 1)
      #expect(try collapse(wait: wait, step: 48, takes: 0.25).story().faults.isEmpty)
    }
    // Longer behind, it is a motion of its own.
    #expect(try collapse(wait: 1.2, step: 48).story().faults.isEmpty == false)
    #expect(try collapse(wait: 0.2, step: 200).story().faults.isEmpty)
  }

  @Test func `a frame that shows the one before, and the next both steps, is no jump`() throws {
    for isStalled in [true, false] {
      var film = FilmedPage()
      film.click("go", at: 0.2)
      film.add("card") { time in
        let frame = Int((time * 60).rounded())
        let shown = isStalled && frame == 20 ? frame - 1 : frame
        let extra = !isStalled && frame >= 20 ? 24.0 : 0
        return 320 * eased(max(0, Double(shown) / 60 - 0.216), 0.5) + extra
      }
      let story = try film.story()
      #expect(story.faults.contains { $0.kind == .jump } != isStalled, "\(story.text)")
    }
  }

  @Test func `what is dropped into its place at once is told, and is no jump`() throws {
    let film = page(seconds: 0.7, by: 100, size: Size2D(width: 350, height: 50)) {
      finger, lifted in lifted == nil ? finger : 84
    }
    let story = try film.story()
    #expect(story.verdict == "no faults", "\(story.text)")
    let drop = try #require(story.facts.first { $0.kind == .stays }, "\(story.text)")
    #expect(drop.text == "goes 15 px at once after the lift, and rests there", "\(story.text)")
  }

  @Test(arguments: [(0.02, false), (1, true)])
  func `a jump of what nobody sees is none`(alpha: Double, isFault: Bool) throws {
    for isCarried in [false, true] {
      var film = collapse(wait: 0.17, step: 48)
      let shown = film.elements[0].pose
      if isCarried {
        film.elements.append(
          (
            "frame",
            { time in
              (Rect2D(x: 0, y: 0, width: 300, height: 600), time < 0.4 ? 1 : alpha)
            }
          ))
        film.events.append(
          TimelineEvent(
            time: .zero, kind: .init(rawValue: "carried"), fields: ["item": "card", "by": "frame"]))
      } else {
        film.elements = [("card", { time in shown(time).map { ($0.frame, alpha) } })]
      }
      let story = try film.story()
      #expect(story.faults.contains { $0.kind == .jump } == isFault, "\(story.text)")
    }
  }

  @Test func `an uneven frame of a declared animation is no jump`() throws {
    for isDeclared in [true, false] {
      var film = FilmedPage(seconds: 2)
      film.click("go", at: 0.2)
      // From one frame on it shows what it was 10 ms before.
      film.add("card") { time in
        let since = max(0, time - 0.216) - (time > 0.395 ? 0.01 : 0)
        return 900 * min(1, since / 0.4)
      }
      if isDeclared {
        film.declare("card", at: 0.216, seconds: 0.4, easing: "linear", properties: ["transform"])
      }
      let jumps = try film.story().faults.filter { $0.kind == .jump }
      #expect(jumps.isEmpty == isDeclared, "\(jumps.map(\.text))")
    }
  }

  // MARK: Pick-up and hold

  @Test func `a share of the finger's way that bends is no jump at pick-up`() throws {
    let film = page(seconds: 0.2, by: 230) { finger, _ in finger * 110 / (finger + 110) }
    let story = try film.story()
    #expect(!story.faults.contains { $0.kind == .pickupJump }, "\(story.text)")
  }

  @Test func `what goes by a slider's values may begin at the next one`() throws {
    let film = page(seconds: 0.42, by: 160, size: Size2D(width: 350, height: 60)) { finger, _ in
      finger > 0 ? (finger / 3.1).rounded() * 3.1 + 3.1 : 0
    }
    #expect(try !film.story().faults.contains { $0.kind == .pickupJump })
  }

  @Test(arguments: [(100.0, true), (300, false)])
  func `what the finger did not land on may come to it`(top: Double, isFault: Bool) throws {
    let film = page(seconds: 0.42, by: 160, size: Size2D(width: 350, height: 60), top: top) {
      finger, _ in finger > 0 ? finger + 40 : 0
    }
    let story = try film.story()
    #expect(story.faults.contains { $0.kind == .pickupJump } == isFault, "\(story.text)")
    #expect(story.facts.contains { $0.kind == .pickupJump }, "\(story.text)")
  }

  @Test func `a finger that rests leaves nothing behind it`() throws {
    let film = page(
      seconds: 0.8, by: 160, share: { min(1, $0 * 2) }, shown: { finger, _ in finger })
    let story = try film.story()
    let lag = try #require(story.facts.first { $0.kind == .lag }, "\(story.text)")
    #expect(try #require(lag.following).lag.high < 0.02, "\(story.text)")
  }

  // MARK: The page's work

  @Test(arguments: [(30.0, true), (6, false)])
  func `a late frame is the page's if its own work filled it`(used: Double, isFault: Bool) throws {
    var film = FilmedPage()
    film.click("go", at: 0.2)
    film.add("card") { 220 * eased(max(0, $0 - 0.216), 0.5) }
    film.missing = [20, 21]
    film.events.append(
      TimelineEvent(
        time: Instant(seconds: 0.32) ?? .zero, kind: .init(rawValue: "task"),
        fields: [
          "name": "FunctionCall", "function": "work", "duration_ms": 45,
          "cpu_ms": used,
        ]))
    let story = try film.story()
    #expect(story.faults.contains { $0.kind == .lateFrame } == isFault, "\(story.text)")
  }
}

extension FilmedPage {
  /// Says how large the page's window is.
  fileprivate mutating func window(width: Int64, height: Int64) {
    events.append(
      TimelineEvent(
        time: .zero, kind: .init(rawValue: "action"),
        fields: [
          "kind": "open", "viewport": FieldValue.list([.integer(width), .integer(height)]),
        ]))
  }

  /// Says that an animation of an element was declared.
  fileprivate mutating func declare(
    _ name: String, at time: Double, seconds: Double, easing: String, properties: [String]
  ) {
    events.append(
      TimelineEvent(
        time: Instant(seconds: time) ?? .zero, kind: .init(rawValue: "animation"),
        fields: [
          "item": name, "kind": "CSSTransition", "name": "transform",
          "properties": FieldValue.list(properties.map { FieldValue.text($0) }),
          "duration_ms": seconds * 1000, "easing": easing,
          "start_ns": Int64(time * 1e9),
        ]))
  }
}
