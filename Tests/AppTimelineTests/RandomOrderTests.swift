import AppTimeline
import MotionMeasures
import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// Calls in any order whatever: nothing ends the program, and what comes out is well formed.
@Suite struct RandomOrderTests {
  @Test func `ten thousand random orders of calls end nothing, and contacts are well formed`() {
    for seed in 0..<UInt64(max(10_000, TestRounds.asked ?? 0)) {
      let sink = CheckedTimeline()
      let timeline = HostTimeline(sink: sink, clock: HostClock(origin: 100))
      var calls = RandomCalls(seed: seed, isTame: false)
      for _ in 0..<60 { calls.next(on: timeline) }
      _ = timeline.close()
      #expect(sink.faults == [], "seed \(seed)")
      guard sink.faults.isEmpty else { return }
    }
  }

  @Test func `recordings of random orders are healthy, and hold what velocity tells`() throws {
    var estimates = 0
    for seed in 0..<UInt64(TestRounds.asked ?? 40) {
      let app = try SimulatedApp()
      var calls = RandomCalls(seed: seed, isTame: true)
      for _ in 0..<150 { calls.next(on: app.timeline) }
      calls.liftAll(on: app.timeline)
      // What a widget decides is recorded at its completion, with the time of the release, behind what came in between.
      let reader = try app.finish(besides: ["eventsBackwards"])
      let events = try reader.events(in: 1).rest()
      for (before, event) in zip(events, events.dropFirst()) where event.time < before.time {
        #expect([.finish, .cancel].contains(event.kind), "seed \(seed)")
      }
      let report = try VelocityReport(of: reader.sessionRecord(1), in: reader)
      let stored = try reader.estimates(in: 1)
      estimates += stored.count
      for release in report.releases {
        guard let transition = release.transition, release.decision != nil else { continue }
        for motion in release.motions {
          guard case .key(let key) = motion.subject else { continue }
          let found = stored.first { $0.transition == transition && $0.key == key.handle }
          #expect(found?.estimate == motion.estimate, "seed \(seed), \(key.name)")
          #expect(found?.time == release.time, "seed \(seed)")
          #expect(found?.value == motion.value, "seed \(seed)")
        }
      }
    }
    #expect(estimates > 80)
  }
}

/// Makes up calls.
private struct RandomCalls {
  private var generator: SplitMix
  private let fingers = (0..<4).map { _ in Finger() }
  private var down: [Bool] = [false, false, false, false]
  /// Whether times go forward, numbers are finite, and no contact is taken away.
  private let isTame: Bool
  private var now: Double

  init(seed: UInt64, isTame: Bool) {
    generator = SplitMix(seed: seed)
    self.isTame = isTame
    now = isTame ? SimulatedApp.origin : 100
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    if !isTame, Int.random(in: 0..<20, using: &generator) == 0 {
      return [.nan, .infinity, -.infinity, 1e300, -0.0].randomElement(using: &generator) ?? 0
    }
    return Double.random(in: range, using: &generator)
  }

  private mutating func time() -> Double {
    if isTame {
      now += Double.random(in: 0...0.03, using: &generator)
      return now
    }
    now += number(-0.01...0.04)
    defer { if !now.isFinite || abs(now) > 1e9 { now = 100 } }
    return now
  }

  private mutating func flag() -> Bool { Bool.random(using: &generator) }

  mutating func next(on timeline: HostTimeline) {
    let time = time()
    switch Int.random(in: 0..<(isTame ? 24 : 26), using: &generator) {
    case 0: timeline.start(from: "a", to: "b", at: time, expectsRelease: flag())
    case 1...5: timeline.setProgress(number(-0.5...1.5), at: time)
    case 6, 7: timeline.setValue(number(0...100), forKey: flag() ? "dim" : "progress", at: time)
    case 8:
      timeline.release(
        finish: [true, false, nil].randomElement(using: &generator) ?? nil, at: time)
    case 9: timeline.complete(completed: flag(), finished: flag(), at: time)
    case 10, 11: timeline.prepared(progress: flag() ? number(0...1) : nil)
    case 12, 13:
      timeline.place(
        ElementIdentity(category: .cell, id: "\(Int.random(in: 0..<5, using: &generator))"),
        at: ItemIndexPath(section: 0, item: 0), pose())
    case 14:
      timeline.see(
        ElementIdentity(category: .supplementary, elementKind: "view", id: "v"),
        flag() ? pose() : nil)
    case 15...18:
      timeline.showFrame(at: time, next: time + (isTame ? 1 / 120 : number(-1...1)))
    case 24: timeline.rule = flag() ? ReleaseRule(kind: .velocity) : nil
    case 25: _ = timeline.close()
    default: touch(on: timeline, time)
    }
  }

  private mutating func pose() -> Pose {
    Pose(center: Point2D(x: number(0...9), y: number(0...9)), size: Size2D(width: 9, height: 9))
  }

  private mutating func touch(on timeline: HostTimeline, _ time: Double) {
    let finger = Int.random(in: 0..<4, using: &generator)
    var phase: TouchPhase
    if isTame {
      phase = down[finger] ? (flag() ? .moved : .ended) : .began
      down[finger] = phase != .ended
    } else {
      phase = TouchPhase.allCases.randomElement(using: &generator) ?? .began
    }
    timeline.touch(
      ObjectIdentifier(fingers[finger]), phase, Point2D(x: number(0...9), y: number(0...9)),
      at: time)
  }

  /// No finger stays on the glass.
  mutating func liftAll(on timeline: HostTimeline) {
    for finger in fingers where down[fingers.firstIndex { $0 === finger } ?? 0] {
      timeline.touch(ObjectIdentifier(finger), .ended, .zero, at: now + 1)
    }
  }
}

/// A sink that looks at what it is given as it comes.
private final class CheckedTimeline: TimelineSink {
  private(set) var faults: [String] = []
  private var contacts: [Int: Bool] = [:]
  private var keys = 0
  private var items = 0
  private var isFrameOpen = false
  private var shown: Set<ItemHandle> = []

  private func expect(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    keys += 1
    return KeyHandle(rawValue: Int32(keys))
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    items += 1
    return ItemHandle(rawValue: Int32(items))
  }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    expect(!isFrameOpen, "a value in a frame")
  }

  func beginFrame(_ state: FrameState) {
    expect(!isFrameOpen, "two frames at once")
    expect(state.phase != .idle || state.progress == nil, "a progress at rest")
    isFrameOpen = true
    shown = []
  }

  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    expect(isFrameOpen, "a pose outside of a frame")
    expect(shown.insert(item).inserted, "an element twice in a frame")
  }

  func endFrame() {
    expect(isFrameOpen, "a frame ends twice")
    isFrameOpen = false
  }

  func record(_ touch: TouchSample) {
    let isDown = contacts[touch.contact]
    if touch.phase == .began {
      expect(isDown == nil && touch.contact == contacts.count, "contact \(touch.contact) begins")
    } else {
      expect(isDown == true, "contact \(touch.contact) \(touch.phase)")
    }
    expect(touch.position.isFinite, "contact \(touch.contact) is nowhere")
    contacts[touch.contact] = touch.phase == .began || touch.phase == .moved
  }

  func record(_ event: TimelineEvent) { expect(!isFrameOpen, "an event in a frame") }

  func record(_ decision: ReleaseDecision) {}

  func record(_ estimate: ReleaseEstimate) {}
}
