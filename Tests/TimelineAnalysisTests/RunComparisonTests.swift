import MotionJudgement
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct RunComparisonTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// A run whose start, values and release all come later by some milliseconds.
  private func run(
    _ file: String, late: Int64 = 0, startLate: Int64? = nil, scale: Double = 1,
    outcome: ReleaseOutcome? = .finish
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      recorder.record(TimelineEvent(time: at(startLate ?? late), kind: .start))
      recorder.values(
        of: "progress", role: .progress, unit: "1",
        (0...40).map { step in
          let x = Double(step) / 40
          return (Int64(step) * 10 + late, x * x * (3 - 2 * x) * scale)
        })
      if let outcome { recorder.decision(outcome, at: 400 + late, progress: 1) }
      recorder.values(
        of: "progress", role: .progress, [(410 + late, scale), (450 + late, scale)],
        phase: .settling)
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, _ alignment: RunComparison.Alignment = .start,
    _ tolerance: RunComparison.Tolerance = RunComparison.Tolerance()
  ) throws -> RunComparison {
    try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      alignment: alignment, tolerance: tolerance)
  }

  @Test func `a run is itself under every alignment`() throws {
    let a = try run("a.kymo")
    for alignment in RunComparison.Alignment.allCases {
      let comparison = try compare(a, a, alignment)
      #expect(comparison.isSame)
      #expect(comparison.keys.map(\.comparison?.aligned?.maximum) == [0])
      #expect(comparison.outcomesOfA.map(\.settleTimeSeconds) == [0.05])
    }
  }

  @Test func `the alignment says what a delay means`() throws {
    let a = try run("a.kymo")
    let b = try run("b.kymo", late: 30)
    let none = try compare(a, b, .none)
    #expect(!none.isSame)
    #expect(none.keys[0].comparison.map { abs($0.lagSeconds - 0.03) < 0.0005 } == true)
    #expect(none.anchorOfB == .zero)
    let start = try compare(a, b, .start)
    #expect(start.isSame)
    #expect(start.anchorOfB == at(30))
    #expect(start.keys[0].comparison?.aligned?.maximum == 0)
    // The start came at 0 in both, the rest later in one: only the release lays them on each other.
    let slow = try run("c.kymo", late: 30, startLate: 0)
    #expect(try !compare(a, slow, .start).isSame)
    let release = try compare(a, slow, .release)
    #expect(release.isSame)
    #expect(release.anchorOfA == at(400))
    #expect(release.anchorOfB == at(430))
  }

  @Test func `a lag of one frame is the same, one of more is not, unless it is allowed`() throws {
    let a = try run("a.kymo")
    #expect(try compare(a, run("b.kymo", late: 9), .none).isSame)
    let late = try run("c.kymo", late: 12)
    #expect(try !compare(a, late, .none).isSame)
    var tolerance = RunComparison.Tolerance()
    tolerance.lagSeconds = 0.02
    let allowed = try compare(a, late, .none, tolerance)
    #expect(allowed.isSame)
    #expect(allowed.lagLimitSeconds == 0.02)
  }

  @Test func `another shape is told by its residual`() throws {
    let a = try run("a.kymo")
    let b = try run("b.kymo", scale: 0.9)
    let comparison = try compare(a, b)
    #expect(!comparison.isSame)
    #expect(comparison.decisionsAreEqual)
    #expect((comparison.keys[0].comparison?.residualShareOfRange ?? 0) > 0.005)
    var tolerance = RunComparison.Tolerance()
    tolerance.residualShare = 0.2
    tolerance.lagSeconds = 0.05
    #expect(try compare(a, b, .start, tolerance).isSame)
  }

  @Test func `another decision differs, also where the curves do not`() throws {
    let a = try run("a.kymo")
    for outcome in [ReleaseOutcome.cancel, nil] {
      let comparison = try compare(a, run("\(outcome?.rawValue ?? "none").kymo", outcome: outcome))
      #expect(!comparison.decisionsAreEqual)
      #expect(!comparison.isSame)
      #expect(comparison.keys.allSatisfy { $0.isSame })
    }
  }

  @Test func `keys of one name and two roles are two keys, and the worst comes first`() throws {
    let a = try made.session(into: "a.kymo") { recorder in
      recorder.values(of: "x", role: .animated, [(0, 0), (100, 1)])
      recorder.values(of: "x", role: .custom, [(0, 0), (100, 2)])
      recorder.values(of: "only", [(0, 1)])
    }
    let b = try made.session(into: "b.kymo") { recorder in
      recorder.values(of: "x", role: .animated, [(0, 0), (100, 1)])
      recorder.values(of: "x", role: .custom, [(0, 0), (100, 8)])
      recorder.values(of: "never", [])
    }
    let comparison = try compare(a, b)
    #expect(comparison.keys.map(\.name) == ["never", "only", "x", "x"])
    #expect(comparison.keys.map(\.onlyIn) == ["B", "A", nil, nil])
    #expect(comparison.keys.map(\.isSame) == [false, false, false, true])
  }

  @Test func `empty runs are the same, and one value is compared with itself`() throws {
    let empty = try made.session(into: "a.kymo")
    #expect(try compare(empty, empty).isSame)
    let constant = try made.session(into: "b.kymo") { $0.values(of: "x", [(0, 5), (90, 5)]) }
    #expect(try compare(constant, constant).isSame)
    let single = try made.session(into: "c.kymo") { $0.values(of: "x", [(0, 5)]) }
    #expect(try compare(single, single).isSame)
    let other = try made.session(into: "d.kymo") { $0.values(of: "x", [(0, 5), (90, 6)]) }
    #expect(try !compare(constant, other).isSame)
  }

  @Test func `times at the ends of 64 bits do not trap`() throws {
    let far = try made.session(into: "a.kymo") { recorder in
      let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
      for time in [Int64.min, 0, Int64.max] {
        recorder.record(Double(time), for: key, at: Instant(nanoseconds: time), phase: .idle)
      }
      recorder.record(TimelineEvent(time: Instant(nanoseconds: .min), kind: .start))
    }
    _ = try compare(far, far)
    _ = try compare(far, run("b.kymo"))
  }
}
