import MotionJudgement
import MotionMeasures
import RunStudies
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct CalibrationTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// A spring of a frequency that overshoots once, with some noise.
  private func spring(
    _ number: Int, frequency: Double = 6, noise: Double = 0.002, extra: String? = nil,
    missing: Int64? = nil,
    _ dice: inout SplitMix
  ) throws -> (session: SessionRecord, reader: RecordingReader) {
    var values: [(Int64, Double)] = []
    // Cosine and exponential by the spring's own equation, in small steps.
    var (place, velocity) = (0.0, 0.0)
    let damping = 10.0
    let stiffness = frequency * frequency + 25
    for step in 0..<1000 {
      if step.isMultiple(of: 10) {
        let chance = Double(dice.next() >> 11) * 0x1p-53 - 0.5
        values.append((Int64(step), place + 2 * noise * chance))
      }
      velocity += (stiffness * (1 - place) - damping * velocity) * 0.001
      place += velocity * 0.001
    }
    let reader = try made.session(into: "run\(number).kymo") { recorder in
      recorder.record(TimelineEvent(time: at(0), kind: .start))
      recorder.values(of: "x", unit: "pt", values)
      if let extra { recorder.values(of: extra, [(0, 1), (10, 2)]) }
      guard let missing else { return }
      for step in Int64(0)..<100 where !(50..<50 + missing).contains(step) {
        recorder.beginFrame(
          FrameState(
            time: at(step * 10), phase: .idle, progress: nil, contentOffset: .zero,
            contentSize: .zero))
        recorder.endFrame()
      }
    }
    return (try reader.session(selectedBy: "last"), reader)
  }

  private func springs(
    _ count: Int, noise: Double = 0.002
  ) throws -> [(session: SessionRecord, reader: RecordingReader)] {
    var dice = SplitMix(seed: 66)
    return try (0..<count).map { try spring($0, noise: noise, &dice) }
  }

  private func compare(
    _ a: (session: SessionRecord, reader: RecordingReader),
    _ b: (session: SessionRecord, reader: RecordingReader), _ tolerances: Tolerances
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.tolerances = tolerances
    options.alignment = try #require(tolerances.alignment)
    options.lagLimitSeconds = try #require(tolerances.lagLimitSeconds)
    return try RunComparison.compare(
      a.session, in: a.reader, with: b.session, in: b.reader, options: options)
  }

  @Test func `repeated runs pass what they taught, and another spring fails it`() throws {
    let runs = try springs(6)
    let calibration = try Calibration.learn(runs)
    #expect(calibration.comparisonCount == 30)
    #expect(calibration.outliers.isEmpty)
    for a in runs {
      for b in runs {
        let found = try compare(a, b, calibration.tolerances)
        #expect(
          found.isSame, "\(found.allVerdicts.filter { $0.grade == .fail }.map(\.sentence))")
      }
    }
    var dice = SplitMix(seed: 67)
    let like = try spring(20, &dice)
    #expect(try compare(runs[0], like, calibration.tolerances).isSame)
    let other = try spring(21, frequency: 7, &dice)
    let found = try compare(runs[0], other, calibration.tolerances)
    #expect(!found.isSame)
    #expect(found.allVerdicts.contains { $0.measure == "max_abs" && $0.grade == .fail })
  }

  @Test func `what is written is read back`() throws {
    let calibration = try Calibration.learn(springs(4))
    let read = try Tolerances(json: Array(calibration.tolerances.json.utf8))
    #expect(read == calibration.tolerances)
    #expect(read.rules.count > 4)
  }

  @Test func `a limit is the quantile times the safety factor`() throws {
    var options = Calibration.Options()
    options.quantile = 1
    options.safety = 3
    let calibration = try Calibration.learn(springs(4), options: options)
    let measurement = try #require(calibration.measurements.first { $0.measure == "max_abs" })
    let largest = try #require(measurement.values.max())
    #expect(measurement.subject == "x")
    #expect(measurement.values.count == 12)
    #expect(measurement.quantile == largest)
    // Rounded up in the third digit.
    let fail = try #require(measurement.bound.fail)
    #expect(fail >= 3 * largest)
    #expect(fail < 3 * largest * 1.011)
    #expect(measurement.outlierCount == 0)
  }

  @Test func `a run that is far from the others passes what it taught, and is named`() throws {
    var dice = SplitMix(seed: 69)
    // A hitch that only the last run has: five frames that did not come.
    let runs = try (0..<24).map { number in
      try spring(number, missing: number == 23 ? 5 : 0, &dice)
    }
    let calibration = try Calibration.learn(runs)
    let hitch = try #require(
      calibration.measurements.first { $0.measure == Measure.hitchRatio.rawValue })
    #expect(hitch.outlierCount == 23)
    #expect(hitch.bound.fail ?? 0 >= hitch.values.max() ?? .infinity)
    #expect(hitch.bound.warn ?? .infinity < hitch.values.max() ?? 0)
    #expect(calibration.outliers.map(\.run) == [23])
    #expect(calibration.outliers.first?.measures.contains("hitch_ms_per_s") == true)
    for run in runs {
      let found = try compare(runs[0], run, calibration.tolerances)
      #expect(
        found.isSame, "\(found.allVerdicts.filter { $0.grade == .fail }.map(\.sentence))")
    }
  }

  @Test func `runs that are alike to the bit leave room for what nobody sees`() throws {
    let runs = try springs(3, noise: 0)
    let calibration = try Calibration.learn(runs)
    #expect(calibration.isAlike)
    #expect(try !Calibration.learn(springs(3)).isAlike)
    let measurement = try #require(calibration.measurements.first { $0.measure == "max_abs" })
    #expect(
      try #require(measurement.bound.warn) > 0.001 && (try #require(measurement.bound.fail)) < 0.003
    )
    #expect(try compare(runs[0], runs[1], calibration.tolerances).isSame)
  }

  @Test func `a key that not every run has is left alone`() throws {
    var dice = SplitMix(seed: 68)
    let runs = try (0..<3).map { try spring($0, extra: $0 == 1 ? "debug" : nil, &dice) }
    let calibration = try Calibration.learn(runs)
    #expect(calibration.unjudged == ["debug"])
    #expect(try compare(runs[0], runs[1], calibration.tolerances).isSame)
  }

  @Test func `many runs are compared with those that follow`() throws {
    var options = Calibration.Options()
    options.mostComparisons = 17
    let calibration = try Calibration.learn(springs(8), options: options)
    #expect(calibration.comparisonCount == 16)
    #expect(calibration.runCount == 8)
  }

  /// A run of a name that ends with a decision.
  private func decided(
    _ file: String, name: String, _ outcome: ReleaseOutcome, to value: Double = 1
  ) throws -> (session: SessionRecord, reader: RecordingReader) {
    let reader = try made.session(name, into: file) { recorder in
      recorder.values(of: "x", unit: "pt", [(0, 0), (50, value / 2), (100, value)])
      recorder.decision(outcome, at: 50, progress: outcome == .finish ? 0.7 : 0.3)
    }
    return (try reader.session(selectedBy: "last"), reader)
  }

  @Test func `only runs of one name are compared`() throws {
    let runs = try ["open", "close", "open", "close"].enumerated().map { place, name in
      try decided(
        "\(place).kymo", name: name, name == "open" ? .finish : .cancel,
        to: name == "open" ? 1 : 0.1)
    }
    let calibration = try Calibration.learn(runs)
    #expect(calibration.comparisonCount == 4)
    #expect(calibration.isAlike)
    #expect(calibration.refusal(names: ["a", "b", "c", "d"], allowsWide: false) == nil)
    #expect(throws: QueryError.self) { try Calibration.learn([runs[0], runs[1]]) }
    guard
      case .metric(_, _, _, true)? = calibration.tolerances.rules.first(where: {
        if case .metric(.decision, _, _, _) = $0.subject { true } else { false }
      })?.subject
    else {
      Issue.record("Decisions must match.")
      return
    }
  }

  @Test func `runs that differ in a decision teach nothing`() throws {
    let runs = [
      try decided("a.kymo", name: "open", .finish), try decided("b.kymo", name: "open", .cancel),
    ]
    #expect(throws: QueryError.self) { try Calibration.learn(runs) }
  }

  @Test func `a limit above a tenth of a key's range is refused unless it is allowed`() throws {
    let runs = [
      try decided("a.kymo", name: "open", .finish),
      try decided("b.kymo", name: "open", .finish, to: 0.9),
    ]
    let calibration = try Calibration.learn(runs)
    let refusal = try #require(calibration.refusal(names: ["a", "b"], allowsWide: false))
    #expect(refusal.hasPrefix("the limit of x max_abs is above a tenth of the key's range"))
    #expect(calibration.refusal(names: ["a", "b"], allowsWide: true) == nil)
    #expect(try Calibration.learn(springs(3)).refusal(names: [], allowsWide: false) == nil)
  }

  @Test func `one run teaches nothing`() throws {
    let runs = try springs(1)
    #expect(throws: QueryError.self) { try Calibration.learn(runs) }
    #expect(throws: QueryError.self) { try Calibration.learn([]) }
  }
}

extension Calibration {
  /// Learns from runs that are all open.
  static func learn(
    _ runs: [(session: SessionRecord, reader: RecordingReader)], options: Options = Options()
  ) throws -> Calibration {
    try learn(runCount: runs.count, options: options, opening: { runs[$0] })
  }
}
