import MotionMeasures
import Testing
import TimelineModel

@testable import MotionJudgement

/// Keys that are kept in few bytes.
@Suite struct ComparedKeysTests {
  /// A key of which each field differs from every other one, or is missing.
  private func key(_ name: String, isFull: Bool) -> RunComparison.Key {
    var key = RunComparison.Key(name: name, role: .animated, unit: "pt", isSame: false)
    guard isFull else {
      key.onlyIn = "B"
      return key
    }
    var curve = CurveComparison()
    (curve.matchedSampleCount, curve.onlyInACount, curve.onlyInBCount) = (1, 200_000, 3)
    (curve.countOfB, curve.overlapSeconds, curve.isStep) = (4, 5.1, true)
    curve.aligned = CurveDifference(
      maximum: 6.1, timeOfMaximum: Instant(nanoseconds: -7), meanAbsolute: 8, rootMeanSquare: 9,
      bias: -0.0, percentile95: .infinity)
    (curve.lagSeconds, curve.lagIsAtLimit, curve.residual) = (-0.01, true, 1e-300)
    curve.fit = .init(gain: 2, offset: 3, residual: 4, lagSeconds: 5)
    curve.timeScale = .init(factor: 0.5, residual: 0.25)
    (curve.frameIncrement, curve.longIncrement, curve.rangeOfA) = (11, 12, 13)
    curve.warp = CurveWarp(meanCost: 14, largestSeconds: 15, stepSeconds: 16, count: 17)
    key.comparison = curve
    (key.isOfViewport, key.noise, key.rateOfA) = (true, 0.5, 120)
    var metrics = MotionMetrics()
    (metrics.sampleCount, metrics.firstValue, metrics.finalValue) = (18, 19, 20)
    (metrics.extent, metrics.riseSeconds, metrics.settle2Seconds) = (21, 22, 23)
    (metrics.settle5Seconds, metrics.overshootPercent, metrics.undershootPercent) = (24, 25, 26)
    (metrics.overshootTime, metrics.turnCount) = (Instant(nanoseconds: .max), 27)
    (metrics.peakVelocity, metrics.peakTime) = (28, Instant(nanoseconds: .min))
    key.motions = [
      .init(transition: 0, a: metrics), .init(transition: 1, a: MotionMetrics(), b: metrics),
    ]
    key.velocities = [
      .init(transition: 0, estimator: "median", a: 29), .init(transition: 1, estimator: "", b: 30),
    ]
    let rule = Tolerances.RuleReference(index: 2, name: "*", id: "no lag")
    var verdict = Verdict(
      subject: "another", measure: "lag_ms", value: 31, limit: 32, rule: rule, grade: .warn,
      difference: "comes späť")
    (verdict.finding.interval, verdict.finding.isOfPictures) = (-1...1, true)
    (verdict.finding.instant, verdict.finding.step, verdict.finding.note) = (.zero, 33, "")
    (verdict.margin, verdict.isUndecided, verdict.isSkipped) = (34, true, true)
    (verdict.offset, verdict.isOfGolden) = ("settles later than", true)
    key.verdicts = [Verdict(subject: name, measure: "rms", grade: .fail), verdict]
    return key
  }

  @Test func `each field of a key comes back`() {
    let all = [key("full", isFull: true), key("empty", isFull: false), key("again", isFull: true)]
    var keys = ComparedKeys()
    for key in all { keys.append(key) }
    #expect(keys.count == 3)
    #expect(Array(keys) == all)
    keys[1] = all[0]
    #expect(keys.map(\.name) == ["full", "full", "again"])
    #expect(keys[1] == all[0])
  }

  @Test func `the worst come first, and equal ones by name`() {
    var keys = ComparedKeys()
    for name in ["b", "a"] { keys.append(key(name, isFull: true)) }
    keys.append(key("missing", isFull: false))
    keys.sort()
    #expect(keys.map(\.name) == ["missing", "a", "b"])
  }
}
