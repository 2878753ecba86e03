import MotionPhysics
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import MotionJudgement
@testable import MotionMeasures

/// What velocities cost: how often an estimator is asked.
@Suite struct EstimateCountTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// Two keys beside the progress, a contact, and some releases.
  private func run(_ file: String, releases: Int = 2, late: Double = 0) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      for release in 0..<Int64(releases) {
        for step in 0..<20 {
          let time = release * 1000 + Int64(step) * 10
          let value = Double(step) / 20 + late
          recorder.values(of: "progress", role: .progress, unit: "1", [(time, value)])
          recorder.values(of: "x", role: .animated, [(time, value * value)])
          recorder.values(of: "y", role: .animated, [(time, value * 3)])
          recorder.record(
            TouchSample(
              time: at(time), contact: 0, phase: step == 0 ? .began : .moved,
              position: Point2D(x: value, y: value)))
        }
        recorder.decision(
          .finish, at: release * 1000 + 190, progress: 0.9, transition: Int(release))
      }
    }
  }

  private func compare(
    _ velocities: RunComparison.Velocities, rules: String = "", key: String? = nil,
    releases: Int = 2
  ) throws -> RunComparison {
    let (a, b) = (
      try run("a\(releases).kymo", releases: releases),
      try run("b\(releases).kymo", releases: releases)
    )
    var options = RunComparison.Options()
    options.velocities = velocities
    options.keyNames = key.map { [$0] }
    options.tolerances = try Tolerances(json: Array("{\"version\": 1, \"rules\": [\(rules)]}".utf8))
    return try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  @Test func `estimators are asked as often as a rule or an output wants it`() throws {
    let all = Estimator.allCases.count
    #expect(try compare(.judged).estimateCount == 0)
    #expect(
      try compare(.judged, rules: #"{"metric": "decision", "must": "match"}"#).estimateCount == 0)
    #expect(
      try compare(.judged, rules: #"{"metric": "release_velocity_per_s", "level": "off"}"#)
        .estimateCount
        == 0)
    // Of each release of both runs the key that is judged, and the progress, by which the release was ruled.
    let one = try compare(
      .judged, rules: #"{"metric": "release_velocity_per_s", "key": "x", "fail": 1}"#)
    #expect(one.estimateCount == 2 * 2 * 2)
    #expect(one.keys.filter { !$0.velocities.isEmpty }.map(\.name) == ["x"])
    #expect(
      one.keys.flatMap(\.verdicts).filter { $0.measure == "release_velocity_per_s" }.count == 1)
    #expect(try compare(.own).estimateCount == 2 * 2 * 3)
    #expect(try compare(.own, key: "progress").estimateCount == 2 * 2)
    #expect(try compare(.own, releases: 4).estimateCount == 2 * 4 * 3)
    let two = try compare(.also(.twoPoint))
    #expect(two.estimateCount == 2 * 2 * 3 * 2)
    let own = try #require(compare(.own).keys[0].velocities.first).estimator
    #expect(
      two.keys.allSatisfy {
        $0.velocities.map(\.estimator) == [own, "two-point", own, "two-point"]
      })
    let most = try compare(.all)
    #expect(most.estimateCount == 2 * 2 * 3 * all)
    #expect(most.keys.allSatisfy { $0.velocities.count == 2 * all })
  }

  @Test func `a check asks no estimator that no rule asks for, with and without a golden session`()
    throws
  {
    let (a, b) = (try run("a.kymo"), try run("b.kymo"))
    var check = GoldenCheck(
      Tolerances(rules: [.init(.metric(.jank, of: nil, .init(fail: 100), mustMatch: false))]))
    try check.add(
      b.session(selectedBy: "last"), in: b, golden: a.session(selectedBy: "last"), in: a)
    try check.add(b.session(selectedBy: "last"), in: b)
    #expect(check.runs.map(\.comparison?.estimateCount) == [0, 0])
    var judged = GoldenCheck(
      Tolerances(rules: [
        .init(.metric(.jank, of: nil, .init(fail: 100), mustMatch: false)),
        .init(.metric(.releaseVelocity, of: nil, .init(fail: 1), mustMatch: false)),
      ]))
    // One run has no velocity to be held against.
    try judged.add(b.session(selectedBy: "last"), in: b)
    try judged.add(
      b.session(selectedBy: "last"), in: b, golden: a.session(selectedBy: "last"), in: a)
    #expect(judged.runs.map(\.comparison?.estimateCount) == [0, 12])
  }

  @Test func `a check tells nothing of a key that nobody judges, and its warp where a rule does`()
    throws
  {
    let (a, b) = (try run("a.kymo"), try run("b.kymo", late: 0.1))
    func keys(_ rules: [Tolerances.Rule]) throws -> ComparedKeys {
      var check = GoldenCheck(Tolerances(rules: rules))
      try check.add(
        b.session(selectedBy: "last"), in: b, golden: a.session(selectedBy: "last"), in: a)
      return try #require(check.runs[0].comparison).keys
    }
    let plain = try keys([])
    #expect(plain.count == 3)
    #expect(plain.allSatisfy { $0.comparison?.residual != nil })
    #expect(plain.compactMap(\.comparison?.warp).isEmpty)
    #expect(plain.compactMap(\.comparison?.timeScale).isEmpty)
    #expect(plain.compactMap(\.comparison?.fit).isEmpty)
    #expect(plain.compactMap(\.comparison?.frameIncrement).isEmpty)
    let judged = try keys([.init(.metric(.warp, of: "x", .init(fail: 1000), mustMatch: false))])
    #expect(judged.filter { $0.comparison?.warp != nil }.map(\.name) == ["x"])
    let whole = try compare(.own)
    #expect(whole.keys.allSatisfy { $0.comparison?.warp != nil && $0.comparison?.timeScale != nil })
  }

  @Test func `a value is estimated once for its decision, its motion and its ranking`() throws {
    let reader = try run("run.kymo")
    var question = VelocityQuestion()
    question.estimators = [.auto]
    let report = try VelocityReport(
      of: reader.session(selectedBy: "last"), in: reader, asking: question)
    // Three keys and two axes of a contact at each of two releases.
    #expect(report.estimateCount == 2 * 5)
    let motions = report.releases.flatMap(\.motions)
    #expect(motions.count == 10)
    #expect(motions.allSatisfy { $0.ranking != nil })
    #expect(report.releases[0].decisions[0].velocity == motions[0].estimate.velocity)
    for motion in motions { #expect(motion.ranking?.chosen.name == motion.estimate.chosen) }
  }

  @Test func `an estimate and its ranking are those that are told apart`() throws {
    let samples = (0..<30).map { (step: Int) -> Sample in
      let value = Double(step * step) + (step % 3 == 0 ? 0.5 : 0)
      return Sample(time: at(Int64(step * 8)), value: value)
    }
    for estimator in Estimator.allCases {
      let answer = estimator.answer(samples, lift: at(232))
      #expect(answer.estimate == estimator.estimate(samples, lift: at(232)))
      #expect(
        answer.ranking == (estimator == .auto ? EstimatorRanking(samples, lift: at(232)) : nil))
    }
  }
}
