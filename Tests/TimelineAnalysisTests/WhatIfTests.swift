import MotionPhysics
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionMeasures

@Suite struct WhatIfTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// A recording of drags that each end at a progress, with the progress moving at 2 per second.
  private func drags(
    to ends: [Double], outcomes: [ReleaseOutcome], by decidedBy: DecisionSource = "rule"
  ) throws -> RecordingReader {
    try made.session(release: "{\"estimator\":\"lsq2\",\"rule\":\"progress\",\"threshold\":0.5}") {
      recorder in
      for (number, (end, outcome)) in zip(ends, outcomes).enumerated() {
        let start = Int64(number) * 1000
        let values: Track = (0...10).map { (step: Int) -> (Int64, Double) in
          (start + Int64(step) * 10, end - 0.2 + Double(step) * 0.02)
        }
        recorder.values(of: "progress", role: .progress, values)
        recorder.decision(
          outcome, at: start + 100, progress: end, transition: number, by: decidedBy)
      }
    }
  }

  private func whatIf(
    _ reader: RecordingReader, _ change: (inout VelocityQuestion) -> Void = { _ in }
  ) throws -> WhatIf {
    var question = VelocityQuestion()
    change(&question)
    var whatIf = WhatIf()
    for session in try reader.sessionRecords() {
      try whatIf.add(session, in: reader, file: "run.kymo", asking: question)
    }
    return whatIf
  }

  @Test func `nothing recorded is nothing decided`() throws {
    let answer = try whatIf(made.session())
    #expect(answer.gestures.isEmpty)
    #expect(answer.flips.isEmpty)
    #expect(answer.nearest(5).isEmpty)
    #expect(
      answer.sweep(\.threshold, through: [0.5])
        == [WhatIf.Step(value: 0.5, finishes: 0, cancels: 0, flips: 0)])
  }

  @Test func `the session's own rule decides as it did`() throws {
    let answer = try whatIf(drags(to: [0.3, 0.7], outcomes: [.cancel, .finish]))
    #expect(answer.gestures.count == 2)
    #expect(answer.flips.isEmpty)
    #expect(answer.gestures.map(\.again.outcome) == [.cancel, .finish])
  }

  @Test func `another threshold flips what lies between, and says by how much`() throws {
    let reader = try drags(to: [0.3, 0.45, 0.7], outcomes: [.cancel, .cancel, .finish])
    let answer = try whatIf(reader) { $0.rule.threshold = 0.4 }
    #expect(answer.flips.map(\.decision.transition) == [1])
    #expect(
      answer.flips[0].again.marginProgress.map { abs($0 - 0.05) < 1e-12 }
        == true)
  }

  @Test func `a rule that looks at the velocity first flips what moved forward`() throws {
    let reader = try drags(to: [0.3, 0.7], outcomes: [.cancel, .finish])
    let answer = try whatIf(reader) {
      $0.rule.kind = .velocity
      $0.rule.velocityThreshold = 1
    }
    #expect(answer.flips.map(\.decision.transition) == [0])
    let slow = try whatIf(reader) {
      $0.rule.kind = .velocity
      $0.rule.velocityThreshold = 3
    }
    #expect(slow.flips.isEmpty)
  }

  @Test func `several estimators each decide every gesture`() throws {
    let reader = try drags(to: [0.3, 0.7], outcomes: [.cancel, .finish])
    let answer = try whatIf(reader) { $0.estimators = [.lsq2, .impulse] }
    #expect(
      answer.gestures.map(\.again.estimator) == [.lsq2, .impulse, .lsq2, .impulse])
    #expect(answer.gestures.allSatisfy { abs(($0.again.velocity ?? 0) - 2) < 1e-6 })
  }

  @Test func `a sweep counts for each value who finishes, and ties cancel`() throws {
    let reader = try drags(to: [0.25, 0.5, 0.75], outcomes: [.cancel, .cancel, .finish])
    let steps = try whatIf(reader).sweep(\.threshold, through: [0.2, 0.5, 0.8])
    #expect(
      steps == [
        WhatIf.Step(value: 0.2, finishes: 3, cancels: 0, flips: 2),
        WhatIf.Step(value: 0.5, finishes: 1, cancels: 2, flips: 0),
        WhatIf.Step(value: 0.8, finishes: 0, cancels: 3, flips: 1),
      ])
  }

  @Test func `the nearest to flipping come first`() throws {
    let reader = try drags(
      to: [0.1, 0.45, 0.9, 0.52], outcomes: [.cancel, .cancel, .finish, .finish])
    let answer = try whatIf(reader)
    #expect(answer.nearest(3).map(\.decision.transition) == [3, 1, 0])
    #expect(answer.nearest(0).isEmpty)
    #expect(answer.nearest(-1).isEmpty)
    #expect(answer.nearest(100).count == 4)
  }

  @Test(arguments: ["time", "touch"])
  func `what nobody decided is left out`(decidedBy: DecisionSource) throws {
    let reader = try drags(to: [0.3], outcomes: [.cancel], by: decidedBy)
    #expect(try whatIf(reader).gestures.isEmpty)
  }

  @Test func `an app's own decision without a recorded progress is decided again all the same`()
    throws
  {
    let reader = try made.session { recorder in
      recorder.decision(.cancel, at: 100, progress: 0.3)
    }
    let answer = try whatIf(reader) { $0.rule.threshold = 0.2 }
    #expect(answer.flips.count == 1)
    #expect(answer.flips[0].again.velocity == nil)
  }
}
