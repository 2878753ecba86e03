import Testing
import TimelineModel

@testable import TransitionEngine

/// Touches in any order, with lost lifts, doubled landings and times that run backwards.
@Suite struct TouchOrderTests {
  @Test(arguments: GestureMapping.Recognizer.allCases)
  func `no order of touches breaks the rules`(recognizer: GestureMapping.Recognizer) throws {
    // A small generator of whole numbers (Numerical Recipes' constants).
    var state: UInt32 = 11
    func random(_ count: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % count
    }
    for session in 0..<150 {
      let stage = try Stage(refreshRate: 10)
      let driver = try GestureDriver(
        view: stage.view,
        mapping: GestureMapping(
          recognizer: recognizer,
          progress: try GestureMapping.Progress(of: .scale, from: 1, to: 2.5),
          keys: GestureMapping.Source.allCases.map {
            .init(name: $0.rawValue, source: $0, ending: .freezes)
          }),
        layouts: [stage.from, stage.to])
      var time: Int64 = 0
      for _ in 0..<60 {
        time += Int64(random(12) - 2) * 20_000_000
        driver.handle(
          (0...random(3)).map { _ in
            let phase = TouchPhase.allCases[min(random(8), 3) % 4]
            let isMove = random(3) > 0
            return TouchSample(
              time: Instant(nanoseconds: time), contact: random(4),
              phase: isMove && phase != .began ? .moved : phase,
              position: Point2D(x: Double(random(5)) * 10, y: Double(random(5)) * 10))
          })
        #expect(!driver.isActive || stage.view.state == .driving, "session \(session)")
      }
      let timeline = stage.timeline
      let closed =
        timeline.events(.gestureEnded).count + timeline.events(.gestureCancelled).count
      let began = timeline.events(.gestureBegan).count
      #expect(began == closed + (driver.isActive ? 1 : 0), "session \(session)")
      #expect(began == timeline.events(.start).count)
      #expect(closed == timeline.decisions.count)
      #expect(began > 0)
      #expect(timeline.samples.allSatisfy { $0.value.isFinite })
      let times = timeline.samples.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(
        timeline.events(.error).allSatisfy { $0.field("code") == .text("alreadyInTransition") })
    }
  }
}
