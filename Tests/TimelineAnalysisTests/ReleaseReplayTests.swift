import MotionMeasures
import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore
import TransitionScenarios

/// What was decided live, decided again from the recording: the same bits.
@Suite struct ReleaseReplayTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A drag over 200 points with a hand's unevenness, over two gestures: one that goes on, and one that
  /// turns back before it lifts.
  private static let touches: [TouchSample] = {
    var generator = SplitMix(seed: 3)
    var touches: [TouchSample] = []
    func add(_ milliseconds: Double, _ contact: Int, _ phase: TouchPhase, _ y: Double) {
      touches.append(
        TouchSample(
          time: Instant(nanoseconds: Int64(milliseconds * 1e6)), contact: contact, phase: phase,
          position: Point2D(x: 10, y: y)))
    }
    for gesture in 0..<2 {
      let start = Double(gesture) * 4000
      add(start, gesture, .began, 300)
      var y = 300.0
      for step in 1...14 {
        let share = Double(generator.next() >> 11) / 0x1p53
        y -= gesture == 1 && step > 9 ? -6 - share : 4 + 5 * share
        add(start + Double(step) * 8.3 + share, gesture, .moved, y)
      }
      add(start + 14 * 8.3 + 9.5, gesture, .ended, y)
    }
    return touches
  }()

  private func scenario(_ release: String) throws -> Scenario {
    let text = """
      { "scenario": 1, "viewport": [390, 844], "sections": [{ "id": "s", "items": 3 }],
        "layouts": { "small": { "type": "flow" }, "large": { "type": "flow", "itemSize": [90, 90] } },
        "initialLayout": "small", "release": \(release),
        "gesture": { "recognizer": "pan",
          "progress": { "of": "translation.y", "from": 0, "to": -210.7 },
          "keys": { "PositionY": { "of": "translation.y" }, "finger": "centroid.y" } } }
      """
    return try Scenario.read(Array(text.utf8), name: "test")
  }

  /// Runs a scenario into a file, and holds every decision and estimate in it against what the file's
  /// own samples and parameters give.
  private func replay(_ release: String, _ name: String) throws {
    let scenario = try scenario(release)
    let path = folder.path("\(name).kymo")
    let recorder = try Recorder(
      path: path, session: scenario.sessionDescription(software: "tests", text: nil), policy: .wait)
    let run = ScenarioRun.perform(scenario, touches: Self.touches, into: recorder)
    try recorder.finish(at: run.end, outcome: run.outcome)

    let reader = try RecordingReader(path: path)
    let parameters = SessionParameters(try reader.sessionRecord(1)).release
    #expect(parameters == scenario.release, "\(release)")
    let keys = try reader.keys(in: 1)
    let estimates = try reader.estimates(in: 1)
    let decisions = try reader.decisions(in: 1)
    #expect(decisions.count == 2, "\(release)")
    #expect(estimates.count == 6, "\(release)")
    var start = Instant(nanoseconds: .min)
    for decision in decisions {
      for recorded in estimates where recorded.transition == decision.transition {
        let samples = try reader.samples(of: recorded.key, in: 1, from: start...decision.time)
          .rest()
          .filter { $0.phase == .driving }.map(\.sample)
        let isProgress = keys[Int(recorded.key.rawValue)].role == .progress
        let again = parameters.estimator.estimate(
          samples, lift: decision.time,
          window: parameters.window.measuring(
            pointsPerUnit: isProgress ? parameters.rule.points : 1))
        #expect(again == recorded.estimate, "\(release)")
        #expect(bits(again) == bits(recorded.estimate), "\(release)")
        guard isProgress else { continue }
        let rule = try #require(ReleaseRule(of: decision))
        #expect(rule == parameters.rule, "\(release)")
        let asked = rule.question(
          about: samples, at: decision.time, progress: samples.last?.value ?? 0, estimate: again)
        let decided = ReleaseDecision(
          by: rule, transition: decision.transition, time: decision.time, progress: asked.progress,
          estimate: asked.estimate, outcome: nil, decidedBy: "rule")
        #expect(decided == decision, "\(release)")
        #expect(bits(decided) == bits(decision), "\(release)")
      }
      start = decision.time.advanced(byNanoseconds: 1)
    }
    for release in try VelocityReport(of: reader.sessionRecord(1), in: reader).releases {
      let decision = decisions[release.transition ?? 0]
      #expect(release.ruleDecision?.outcome == decision.outcome)
      #expect(release.ruleDecision?.marginVelocity == decision.marginVelocity)
      #expect(release.ruleDecision?.marginSigma == decision.marginSigma)
    }
  }

  private func bits(_ estimate: VelocityEstimate) -> [UInt64?] {
    [
      estimate.velocity, estimate.low, estimate.high, estimate.standardError,
      estimate.leaveOneOutLow, estimate.leaveOneOutHigh, estimate.confidence,
      estimate.clampedVelocity,
    ].map { $0?.bitPattern }
  }

  private func bits(_ decision: ReleaseDecision) -> [UInt64?] {
    [
      decision.threshold, decision.progress, decision.progressVelocity,
      decision.progressStandardError, decision.marginProgress, decision.marginVelocity,
      decision.marginThreshold, decision.marginSigma, decision.flipVelocity, decision.flipProgress,
      decision.projectedProgress,
    ].map { $0?.bitPattern }
  }

  @Test func `every rule decides the same again`() throws {
    for kind in ReleaseRule.Kind.allCases {
      try replay("{\"rule\": \"\(kind.rawValue)\"}", "own \(kind.rawValue)")
      try replay(
        """
        {"rule": "\(kind.rawValue)", "threshold": 0.30000000000000004, "distance": 333.3,
         "minimumVelocity": 0.1, "maximumVelocity": 3.1}
        """, "other \(kind.rawValue)")
    }
  }

  @Test func `every estimator estimates the same again, under its preset`() throws {
    for (index, estimator) in Estimator.allCases.enumerated() {
      let preset = EstimationPreset.allCases[index % EstimationPreset.allCases.count]
      try replay(
        """
        {"estimator": "\(estimator.rawValue)", "preset": "\(preset.rawValue)",
         "rule": "\(estimator.definition.measure.isByReports ? "hyprland" : "projection")"}
        """, estimator.rawValue)
    }
  }

  @Test func `every preset's own window comes back, and one with other numbers`() throws {
    for preset in EstimationPreset.allCases {
      let rule = preset.estimator.definition.measure.isByReports ? preset.rawValue : "velocity"
      try replay("{\"preset\": \"\(preset.rawValue)\", \"rule\": \"\(rule)\"}", preset.rawValue)
    }
    try replay(
      "{\"preset\": \"flutter\", \"window\": 5.5, \"stopGap\": 0.0123456789, \"history\": 3}", "own"
    )
  }

  @Test func `a window with any numbers comes back as it was`() throws {
    var generator = SplitMix(seed: 17)
    for _ in 0..<200 {
      func number() -> Int64 { Int64(truncatingIfNeeded: generator.next() >> 1) }
      func flag() -> Bool { generator.next() % 2 == 0 }
      var release = ReleaseParameters()
      release.window.horizonNanoseconds = number()
      release.window.horizonIncludesItsEnd = flag()
      release.window.ageOrigin = flag() ? .lift : .newestSample
      release.window.ageMeasure = flag() ? .sample : .segmentEnd
      release.window.stopGapNanoseconds = flag() ? .max : number()
      release.window.stopGapIncludesItsEnd = flag()
      release.window.liftGapNanoseconds = flag() ? nil : number()
      release.window.idleDecayPerMillisecond = flag() ? 0.998 : 1.0 / 3
      release.window.historyLimit = flag() ? .max : Int(number())
      release.window.minimumSamples = Int(generator.next() % 9)
      release.window.answerForTooFew = flag() ? .none : .zero
      release.window.duplicates =
        [.replace, .keep, .skip, .merge(nanoseconds: number())][
          Int(generator.next() % 4)]
      release.window.backward = flag() ? .keep : flag() ? .leaveOutMovement : .leaveOut
      release.window.filterStepNanoseconds = number()
      release.window.clamp =
        flag() ? nil : SpeedLimits(minimum: 0.1, maximum: flag() ? 3 : .infinity)
      release.window.name = "of \"my\" own"
      var description = SessionDescription(software: "tests", clock: "app", name: nil)
      description.release = FieldValue.object(release.fields).json
      let path = folder.path("window.kymo")
      let recorder = try Recorder(path: path, session: description, policy: .wait)
      try recorder.finish(at: .zero, outcome: .none)
      let session = try #require(try RecordingReader(path: path).sessionRecords().last)
      #expect(SessionParameters(session).release == release)
    }
  }
}
