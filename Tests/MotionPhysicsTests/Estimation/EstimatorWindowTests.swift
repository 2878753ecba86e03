import MotionPhysics
import Testing
import TimelineModel

/// Samples of a key at whole milliseconds.
func samples(_ pairs: [(milliseconds: Int64, value: Double)]) -> [Sample] {
  pairs.map { Sample(time: Instant(nanoseconds: $0.milliseconds * 1_000_000), value: $0.value) }
}

/// The instant at a whole millisecond.
func instant(milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

/// The estimators that tell a constant speed exactly from four samples: all but the filters that begin
/// at rest.
let exactOnLines = Estimator.ofSamples.filter {
  $0 != .kalmanConstantVelocity && $0 != .kalmanConstantAcceleration && $0 != .oneEuro
}

extension Estimator {
  /// The estimators that look at samples as places; the compositors' measures look at the steps between them.
  static let ofSamples = single.filter { $0 != .meanSteps && !$0.definition.measure.isByReports }
}

@Suite struct EstimatorWindowTests {
  @Test(arguments: Estimator.single)
  func `no sample gives no velocity and no gap`(estimator: Estimator) {
    let estimate = estimator.estimate([], lift: instant(milliseconds: 5))
    #expect(estimate.velocity == nil)
    #expect(estimate.sampleCount == 0)
    #expect(estimate.liftGapNanoseconds == nil)
    #expect(estimate.estimator == EstimatorName(estimator))
  }

  @Test(arguments: Estimator.single)
  func `one sample gives no velocity, however long it rested`(estimator: Estimator) {
    for lift in [10, 10_000] as [Int64] {
      let estimate = estimator.estimate(samples([(0, 5)]), lift: instant(milliseconds: lift))
      #expect(estimate.velocity == nil)
      #expect(estimate.sampleCount == 1)
      #expect(estimate.liftGapNanoseconds == lift * 1_000_000)
    }
  }

  @Test(arguments: exactOnLines)
  func `a finger that rests for more than 40 ms has stopped`(estimator: Estimator) {
    let way = samples([(-10, -5), (0, 0), (10, 5), (20, 10)])
    let moving = estimator.estimate(way, lift: instant(milliseconds: 60))
    #expect(abs((moving.velocity ?? 0) - 500) < 1e-9)
    let stopped = estimator.estimate(way, lift: Instant(nanoseconds: 60_000_001))
    #expect(stopped.leftOut[.gap] == 4)
    #expect(stopped.velocity == 0)
    #expect(stopped.sampleCount == 0)
    #expect(stopped.low == nil)
    #expect(stopped.high == nil)
    #expect(stopped.liftGapNanoseconds == 40_000_001)
  }

  @Test(arguments: exactOnLines)
  func `a pause of more than 40 ms forgets what was before it`(estimator: Estimator) {
    let way = samples([(0, 1000), (10, 0), (50, 0), (60, 1), (70, 2)])
    let kept = estimator.estimate(way, lift: instant(milliseconds: 70))
    #expect(kept.sampleCount == 5)
    let later = [
      Sample(time: .zero, value: 1000), Sample(time: instant(milliseconds: 9), value: 0),
    ]
    let forgotten = estimator.estimate(
      later + samples([(50, 0), (60, 1), (70, 2), (80, 3)]), lift: instant(milliseconds: 80))
    #expect(forgotten.sampleCount == 4)
    #expect(forgotten.leftOut[.gap] == 2)
    #expect(abs((forgotten.velocity ?? 0) - 100) < 1e-9)
  }

  @Test(arguments: Estimator.single)
  func `one sample after a pause gives no velocity`(estimator: Estimator) {
    let way = samples([(0, 0), (10, 5), (60, 9)])
    let estimate = estimator.estimate(way, lift: instant(milliseconds: 61))
    #expect(estimate.velocity == nil)
    #expect(estimate.sampleCount == 1)
  }

  @Test(arguments: exactOnLines)
  func `the horizon of 100 ms includes its end`(estimator: Estimator) {
    let way = samples([(0, 7), (1, 0), (26, 25), (51, 50), (76, 75), (101, 100)])
    let estimate = estimator.estimate(way, lift: instant(milliseconds: 101))
    #expect(estimate.sampleCount == 5)
    #expect(estimate.leftOut[.age] == 1)
    #expect(abs((estimate.velocity ?? 0) - 1000) < 1e-9)
  }

  @Test(arguments: Estimator.single)
  func `only the newest 20 samples count`(estimator: Estimator) {
    let way = samples((0..<50).map { ($0, Double($0)) })
    let estimate = estimator.estimate(way, lift: instant(milliseconds: 49))
    #expect(estimate.sampleCount == 20)
    #expect(estimate.leftOut[.history] == 30)
    #expect(estimate.leftOut.total == 30)
  }

  @Test(arguments: Estimator.single)
  func `an equal time replaces and an earlier time is left out`(estimator: Estimator) {
    let plain = samples([(0, 0), (10, 5), (20, 12), (30, 21)])
    var messy = samples([(0, 99), (0, 0), (10, 5), (20, -4), (20, 12), (15, 1e9), (30, 21)])
    messy.append(Sample(time: instant(milliseconds: 31), value: .nan))
    let lift = instant(milliseconds: 32)
    var estimate = estimator.estimate(messy, lift: lift)
    #expect(estimate.leftOut[.duplicate] == 2)
    #expect(estimate.leftOut[.backward] == 1)
    #expect(estimate.leftOut[.notFinite] == 1)
    estimate.leftOut = LeftOutSamples()
    #expect(estimator.estimate(plain, lift: lift) == estimate)
  }

  @Test(arguments: Estimator.single)
  func `samples after the lift are ignored, one at the lift is not`(estimator: Estimator) {
    let way = samples([(0, 0), (10, 5), (20, 10), (30, 100)])
    let before = estimator.estimate(way, lift: Instant(nanoseconds: 29_999_999))
    #expect(before.sampleCount == 3)
    #expect(estimator.estimate(way, lift: instant(milliseconds: 30)).sampleCount == 4)
  }

  @Test(arguments: Estimator.single)
  func `a window of one's own is obeyed`(estimator: Estimator) {
    let window = EstimationWindow(
      name: "short", horizonNanoseconds: 20_000_000, stopGapNanoseconds: 5_000_000, historyLimit: 3)
    let way = samples([(0, 9), (4, 4), (8, 8), (12, 12)])
    let estimate = estimator.estimate(way, lift: instant(milliseconds: 16), window: window)
    #expect(estimate.sampleCount == 3)
    #expect(
      estimator.estimate(way, lift: instant(milliseconds: 18), window: window).velocity == 0)
    let nothing = EstimationWindow(
      name: "none", horizonNanoseconds: -1, stopGapNanoseconds: 5_000_000, historyLimit: -3)
    #expect(
      estimator.estimate(way, lift: instant(milliseconds: 12), window: nothing).velocity == nil)
  }

  @Test(arguments: Estimator.ofSamples)
  func `times at the ends of 64 bits do not trap`(estimator: Estimator) {
    let way = [
      Sample(time: Instant(nanoseconds: .min), value: 0),
      Sample(time: Instant(nanoseconds: .max), value: 1),
    ]
    let estimate = estimator.estimate(way, lift: Instant(nanoseconds: .max))
    #expect(estimate.velocity == nil)
    #expect(estimator.estimate([way[0]], lift: Instant(nanoseconds: .max)).velocity == nil)
  }
}
