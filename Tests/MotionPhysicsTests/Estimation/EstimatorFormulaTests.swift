import MotionPhysics
import Testing
import TimelineModel

/// Every formula against its plain twin, on random drags that lie in the window whole.
@Suite struct EstimatorFormulaTests {
  private static let wide = EstimationWindow(
    name: "wide", horizonNanoseconds: 1_000_000_000, stopGapNanoseconds: 100_000_000,
    historyLimit: 100)

  private func drags() -> [[Sample]] {
    var drags = RandomDrags(seed: 1)
    return (0..<120).map { drags.next(count: 2 + $0 % 24) }
  }

  private func seconds(_ samples: [Sample]) -> [Double] {
    samples.map { $0.time.seconds(since: samples[samples.count - 1].time) }
  }

  @Test func `each estimator has one definition`() {
    #expect(EstimatorDefinition.all.map(\.estimator) == Estimator.allCases)
  }

  @Test(arguments: Estimator.single)
  func `the answer is what the formula says`(estimator: Estimator) throws {
    for drag in drags() {
      let lift = drag[drag.count - 1].time
      let found = estimator.velocity(drag, lift: lift, window: Self.wide)
      guard let expected = PlainFormulas.velocity(estimator, drag) else {
        #expect(found == nil)
        continue
      }
      let velocity = try #require(found)
      #expect(abs(velocity - expected) <= 1e-8 * max(abs(expected), 1000), "\(drag.count) samples")
      #expect(estimator.estimate(drag, lift: lift, window: Self.wide).velocity == found)
    }
  }

  @Test(arguments: Estimator.single.filter { !$0.definition.measure.isByReports })
  func `the answers without one sample are those of the shorter drag`(estimator: Estimator) throws {
    for drag in drags().prefix(30) where drag.count > 2 {
      let lift = drag[drag.count - 1].time.advanced(byNanoseconds: 1_000_000)
      let rests = drag.indices.map { index in
        estimator.velocity(
          Array(drag[..<index] + drag[(index + 1)...]), lift: lift, window: Self.wide)
      }
      let told = rests.compactMap { $0 }
      let estimate = estimator.estimate(drag, lift: lift, window: Self.wide)
      #expect(estimate.leaveOneOutLow == told.min())
      #expect(estimate.leaveOneOutHigh == told.max())
      let story = estimator.story(of: drag, lift: lift, window: Self.wide)
      #expect(story.map(\.leaveOneOut) == rests)
    }
  }

  @Test func `the weights of the fits are the published ones`() {
    for estimator in [Estimator.wlsq2Delta, .wlsq2Central, .wlsq2Recent, .lsq2, .mean] {
      for drag in drags() {
        let lift = drag[drag.count - 1].time
        let story = estimator.story(of: drag, lift: lift, window: Self.wide)
        let expected = PlainFormulas.weights(estimator, seconds(drag))
        for (told, weight) in zip(story, expected) { #expect(abs(told.weight - weight) < 1e-9) }
      }
    }
  }

  @Test func `the standard error of a fit is that of its covariance, the confidence is R²`() throws
  {
    let fits: [(Estimator, Int)] = [
      (.lsq1, 1), (.lsq2, 2), (.lsq3, 3), (.wlsq2Delta, 2), (.wlsq2Central, 2), (.wlsq2Recent, 2),
    ]
    for (estimator, degree) in fits {
      for drag in drags() {
        let lift = drag[drag.count - 1].time
        let estimate = estimator.estimate(drag, lift: lift, window: Self.wide)
        let plain = PlainFormulas.fit(
          seconds(drag), drag.map(\.value),
          weights: PlainFormulas.weights(estimator, seconds(drag)), degree: degree)
        #expect(abs((estimate.confidence ?? -1) - plain.determination) < 1e-8)
        guard let variance = plain.slopeVariance else {
          #expect(estimate.standardError == nil)
          #expect(estimate.low == nil)
          #expect(estimate.high == nil)
          continue
        }
        #expect(agree(estimate.standardError, variance.squareRoot(), within: 1e-6))
        let low = try #require(estimate.low)
        let high = try #require(estimate.high)
        let velocity = try #require(estimate.velocity)
        #expect(abs((high - velocity) - (velocity - low)) <= 1e-9 * (high - low))
      }
    }
  }

  @Test func `the standard error of a Kalman filter is its covariance at the drag's own noise`() {
    for (estimator, order) in [
      (Estimator.kalmanConstantVelocity, 2), (.kalmanConstantAcceleration, 3),
    ] {
      for drag in drags() {
        let estimate = estimator.estimate(
          drag, lift: drag[drag.count - 1].time, window: Self.wide)
        let plain = PlainFormulas.kalman(seconds(drag), drag.map(\.value), order: order)
        guard drag.count > order else {
          #expect(estimate.standardError == nil)
          #expect(estimate.low == nil)
          continue
        }
        let expected = (plain.variance * plain.normalisedInnovation).squareRoot()
        #expect(agree(estimate.standardError, expected, within: 1e-6))
        // In another unit the same share of the velocity is unsure.
        let scaled = estimator.estimate(
          drag.map { Sample(time: $0.time, value: $0.value * 0x1p-20) },
          lift: drag[drag.count - 1].time, window: Self.wide)
        #expect(agree(scaled.standardError, expected * 0x1p-20, within: 1e-6))
      }
    }
  }

  @Test(arguments: Estimator.ofSamples, [-3.0, 0.01, 1, 250, 4000])
  func `a steady drag is told at its own speed`(estimator: Estimator, speed: Double) {
    let line = (0..<60).map {
      let time = Instant(nanoseconds: Int64($0) * 8_333_333)
      return Sample(time: time, value: 7 + speed * time.seconds)
    }
    let window = EstimationPreset.android.window(for: estimator)
    let velocity = estimator.velocity(line, lift: line[59].time, window: window) ?? .infinity
    // The filters come nearer with every sample and never quite there.
    #expect(abs(velocity - speed) <= 0.02 * abs(speed))
  }

  @Test func `the standard error of the others is the jackknife's`() {
    let others = Estimator.ofSamples.filter {
      !$0.rawValue.contains("lsq") && !$0.rawValue.hasPrefix("kalman") && $0 != .oneEuro
    }
    #expect(others.count == 11)
    for estimator in others {
      for drag in drags() where drag.count > 4 {
        let lift = drag[drag.count - 1].time
        let rests = drag.indices.compactMap { index in
          PlainFormulas.velocity(estimator, Array(drag[..<index] + drag[(index + 1)...]))
        }
        let mean = rests.reduce(0, +) / Double(rests.count)
        let squares = rests.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let count = Double(drag.count)
        let expected = (squares * (count - 1) / count).squareRoot()
        let estimate = estimator.estimate(drag, lift: lift, window: Self.wide)
        #expect(abs((estimate.standardError ?? -1) - expected) <= 1e-6 * max(expected, 1))
        let share =
          1 / (1 + (expected / (estimate.velocity ?? 0)) * (expected / (estimate.velocity ?? 0)))
        #expect(abs((estimate.confidence ?? -1) - share) < 1e-6)
      }
    }
  }
}
