import MotionJudgement
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

/// What is said first of two runs that differ: how they moved.
@Suite struct MovementTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// A cancelled swipe: up to 0.5 at 100 ms, where it is let go, then back to 0 through a value that may be below it.
  private func cancel(
    _ file: String, beyond: Double = 0, late: Int64 = 0, outcome: ReleaseOutcome = .cancel,
    other: Double = 1
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      func key(_ name: String, _ role: KeyRole, _ unit: String, _ scale: Double) {
        recorder.values(
          of: name, role: role, unit: unit,
          [(late, 0), (50 + late, 0.25 * scale), (100 + late, 0.5 * scale)])
        recorder.values(
          of: name, role: role, unit: unit,
          [
            (150 + late, 0.2 * scale), (200 + late, -beyond * 0.5 * scale), (300 + late, 0),
            (400 + late, 0),
          ], phase: .settling)
      }
      key("aside", .custom, "pt", 100 * other)
      key("progress", .progress, "1", 1)
      recorder.decision(outcome, at: 100 + late, progress: 0.5)
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, _ rules: String? = nil
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.alignment = .none
    options.tolerances = try rules.map { try Tolerances(json: Array($0.utf8)) }
    return try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  @Test func `the first sentence says how the progress moved, its figures behind it`() throws {
    let found = try compare(cancel("a.kymo"), cancel("b.kymo", beyond: 0.33))
    let first = try #require(found.allVerdicts.first)
    #expect(first.subject == "progress")
    #expect(first.sentence.hasPrefix("progress swings 33 % past 0 and settles in "))
    #expect(first.sentence.contains(": residual_percent "))
    #expect(first.sentence.contains("is above 0.5"))
    #expect(
      found.verdictLines[0].hasPrefix("Different: progress swings 33 % past 0 and settles in "))
    // The other way round nothing swings any longer.
    let back = try compare(cancel("c.kymo", beyond: 0.33), cancel("d.kymo"))
    #expect(back.allVerdicts[0].sentence.hasPrefix("progress swings 0 instead of 33 % past 0"))
  }

  @Test func `what several keys did alike is said once`() throws {
    let found = try compare(cancel("a.kymo"), cancel("b.kymo", late: 30))
    let said = found.allVerdicts.compactMap(\.difference).filter { $0.contains("later") }
    #expect(said == ["progress comes 30 ms later (so does 1 more)"])
    #expect(found.verdictLines[0].contains("progress comes 30 ms later (so does 1 more)"))
  }

  @Test func `a decision that differs comes first, and keys are then no reasons`() throws {
    let found = try compare(
      cancel("a.kymo"), cancel("b.kymo", beyond: 0.33, outcome: .finish))
    #expect(found.allVerdicts[0].measure == "decision")
    #expect(found.allVerdicts.dropFirst().allSatisfy { $0.difference == nil })
  }

  @Test func `a decision that differs is no warning, whatever a rule says`() throws {
    let runs = (try cancel("a.kymo"), try cancel("b.kymo", outcome: .finish))
    for rule in [#""must": "match", "level": "warn""#, #""warn": 0"#] {
      let found = try compare(
        runs.0, runs.1, "{\"version\": 1, \"rules\": [{\"metric\": \"decision\", \(rule)}]}")
      #expect(found.allVerdicts[0].grade == .fail, "\(rule)")
    }
  }

  @Test func `recorded keys come before what the frames say of the viewport`() throws {
    func run(_ file: String, _ far: Double) throws -> RecordingReader {
      try made.session(into: file, viewport: Size2D(width: 100, height: 100)) { recorder in
        recorder.values(of: "x", unit: "pt", [(0, 0), (100, 100 + far / 10)])
        for time in [Int64(0), 50, 100] {
          recorder.beginFrame(
            FrameState(
              time: at(time), phase: .driving, progress: nil,
              contentOffset: Point2D(x: 0, y: Double(time) * far), contentSize: .zero))
          recorder.endFrame()
        }
      }
    }
    let found = try compare(run("a.kymo", 1), run("b.kymo", 90))
    #expect(found.keys[0].isOfViewport)
    #expect(found.allVerdicts[0].subject == "x")
    #expect(found.allVerdicts[0].sentence.hasPrefix("x ends at 109 instead of 100.1 pt"))
    // Without a figure of a step response it is how far the two are apart.
    let bent = try compare(
      made.session(into: "c.kymo") { $0.values(of: "x", [(0, 0), (50, 10), (100, 0), (150, 10)]) },
      made.session(into: "d.kymo") { $0.values(of: "x", [(0, 0), (50, 10), (100, 1), (150, 10)]) })
    #expect(bent.allVerdicts[0].sentence.hasPrefix("x is up to 1 pt off, at 0.1 s: "))
  }

  @Test func `a lag has its sign: above 0 B is later`() throws {
    for (late, lag) in [(Int64(30), 30.0), (-30, -30)] {
      let found = try compare(
        cancel("a\(late).kymo", late: 40), cancel("b\(late).kymo", late: 40 + late))
      let verdict = try #require(found.allVerdicts.first { $0.measure == "lag_ms" })
      let value = try #require(verdict.value)
      #expect(verdict.grade == .fail)
      #expect(abs(value - lag) < 0.1)
      #expect(found.keys.allSatisfy { ($0.comparison?.lagSeconds ?? 0) * lag > 0 })
    }
  }

  @Test func `gain and time scale are both B over A`() throws {
    func run(_ file: String, gain: Double, scale: Int64) throws -> RecordingReader {
      try made.session(into: file) { recorder in
        recorder.values(
          of: "x", track(41, every: 10 * scale) { gain * $0 * $0 / 1600 + 5 })
      }
    }
    let curve = try #require(
      compare(run("a.kymo", gain: 1, scale: 1), run("b.kymo", gain: 0.5, scale: 1)).keys[0]
        .comparison)
    let fit = try #require(curve.fit)
    #expect(abs(fit.gain - 0.5) < 1e-9)
    #expect(abs(fit.offset - 2.5) < 1e-9)
    #expect(fit.residual < 1e-6)
    let slow = try #require(
      compare(run("c.kymo", gain: 1, scale: 1), run("d.kymo", gain: 1, scale: 2)).keys[0]
        .comparison)
    #expect(abs(try #require(slow.timeScale).factor - 2) < 1e-3)
  }

  @Test func `a cancel's overshoot is the same in the metrics and in the comparison`() throws {
    let b = try cancel("b.kymo", beyond: 0.33)
    let metrics = try SessionMetrics(b.session(selectedBy: "last"), in: b)
    let told = try #require(metrics.value(.overshoot, key: "progress"))
    #expect(abs(told - 33) < 1e-9)
    let motion = try compare(cancel("a.kymo"), b).keys.first { $0.name == "progress" }?.motions[0]
    #expect(motion?.b?.overshootPercent == told)
    #expect(motion?.a?.overshootPercent == 0)
    let judged = try ExpectationJudge([.overshoot(.key("progress"), atMost: 8)])
      .verdicts(of: b.session(selectedBy: "last"), in: b)
    #expect(judged.map(\.value) == [told])
    #expect(!judged[0].passes)
  }

  @Test func `a settle takes as long as the recorded spring says, or else as long as it was seen`()
    throws
  {
    func time(_ settle: String?) throws -> Double? {
      let run = try made.session(
        into: settle == nil ? "seen.kymo" : "spring.kymo", settle: settle
      ) { recorder in
        let key = recorder.values(
          of: "progress", role: .progress, unit: "1", [(0, 0), (50, 0.3), (100, 0.6)])
        recorder.decision(.finish, at: 100, progress: 0.6)
        recorder.record(
          ReleaseEstimate(
            transition: 0, time: at(100), key: key, value: 0.6,
            estimate: VelocityEstimate(estimator: "lsq2", velocity: 6, sampleCount: 3),
            target: 1, remaining: 0.4, relativeVelocity: 15, settleTimeSeconds: 0.7))
        recorder.values(
          of: "progress", role: .progress, unit: "1", [(200, 0.9), (350, 1)], phase: .settling)
      }
      return try compare(run, run).outcomesOfA[0].settleTimeSeconds
    }
    #expect(try time(#"{"type": "spring", "mass": 1, "stiffness": 100, "damping": 10}"#) == 0.7)
    #expect(try time(nil) == 0.25)
  }
}
