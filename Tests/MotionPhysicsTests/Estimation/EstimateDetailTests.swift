import MotionPhysics
import Testing
import TimelineModel

/// What an estimate says besides its number.
@Suite struct EstimateDetailTests {
  private func estimate(
    _ estimator: Estimator, _ way: [Sample], window: EstimationWindow = .android
  ) -> VelocityEstimate {
    estimator.estimate(way, lift: way.last?.time ?? .zero, window: window)
  }

  /// Places every 8 ms from segment velocities in units per second.
  private func way(_ segments: [Double]) -> [Sample] {
    var value = 0.0
    return [Sample(time: .zero, value: 0)]
      + segments.enumerated().map { index, segment in
        value += segment * 0.008
        return Sample(time: instant(milliseconds: Int64(index + 1) * 8), value: value)
      }
  }

  @Test(arguments: Estimator.single.filter { !$0.definition.measure.isByReports })
  func `the interval holds the velocity, and the spread is told from three samples on`(
    estimator: Estimator
  ) {
    var drags = RandomDrags(seed: 3)
    for count in 2...20 {
      let found = estimate(estimator, drags.next(count: count))
      guard let velocity = found.velocity else {
        #expect(estimator == .legacy)
        #expect(count == 2)
        continue
      }
      #expect((found.leaveOneOutLow == nil) == (count < 3))
      if let low = found.low, let high = found.high {
        #expect(low <= velocity)
        #expect(velocity <= high)
        #expect(found.standardError != nil)
      }
      if estimator == .oneEuro {
        #expect(found.standardError == nil)
        #expect(found.low == nil)
        #expect(found.confidence == nil)
      } else if count > 8 {
        #expect(found.low != nil)
        #expect(found.high != nil)
      }
      if let low = found.leaveOneOutLow, let high = found.leaveOneOutHigh { #expect(low <= high) }
      if let confidence = found.confidence {
        #expect(confidence >= 0)
        #expect(confidence <= 1)
      }
    }
  }

  @Test func `a flick of two samples has an answer, and no interval where none can be told`() {
    for estimator in Estimator.ofSamples {
      let found = estimate(estimator, samples([(0, 0), (16, 40)]))
      #expect((found.velocity ?? 0) > 0, "\(estimator)")
      #expect(found.low == nil)
      #expect(found.high == nil)
      #expect(found.leaveOneOutLow == nil)
    }
  }

  @Test func `a lift that jumps is suspected, a fling that speeds up is not`() {
    // The last segments of a swipe whose contact shrank as it left, along both axes.
    #expect(
      estimate(.lsq2, way([-8977, -8799, -7851, -7199, -6158, -11759])).liftArtefactSuspected)
    #expect(estimate(.mean, way([-10132, -10141, -9599, -8027, -15155])).liftArtefactSuspected)
    // The finger rolls back as it leaves.
    #expect(estimate(.lsq2, way([900, 950, 1000, 980, -700])).liftArtefactSuspected)
    let speeding = way([100, 200, 400, 700, 1100, 1600, 2200, 2900])
    #expect(!estimate(.lsq2, speeding).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([100, 160, 256, 410, 656])).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([500, 500, 500, 500, 500])).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([2000, 1500, 1000, 500, 100])).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([0, 0, 0, 0, 3])).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([500, 500, 950])).liftArtefactSuspected)
    #expect(estimate(.lsq2, way([500, 500, 500, 751])).liftArtefactSuspected)
    #expect(!estimate(.lsq2, way([500, 500, 500, 749])).liftArtefactSuspected)
  }

  @Test func `a jump at the lift shows in the spread of one without another`() throws {
    let jump = estimate(.impulse, way([1000, 1000, 1000, 1000, 1900]))
    let velocity = try #require(jump.velocity)
    #expect(velocity > 1400)
    #expect((jump.leaveOneOutLow ?? 0) < 1001)
  }

  @Test func `a sign against the way is told, and restricted to 0 by name`() throws {
    let braking = samples([(0, 98), (8, 247), (16, 310), (24, 324)])
    let plain = estimate(.lsq2, braking)
    #expect((plain.velocity ?? 0) < 0)
    #expect(plain.opposesDisplacement)
    let restricted = estimate(.lsq2Restricted, braking)
    #expect(restricted.velocity == 0)
    #expect(!restricted.opposesDisplacement)
    #expect(restricted.low == plain.low)
    #expect(restricted.standardError == plain.standardError)
    #expect(try #require(restricted.high) >= 0)
    #expect(estimate(.lsq2Restricted, fling).velocity == estimate(.lsq2, fling).velocity)
    let mirrored = fling.map { Sample(time: $0.time, value: -$0.value) }
    #expect(estimate(.lsq2Restricted, mirrored).velocity == estimate(.lsq2, mirrored).velocity)
  }

  @Test func `a clamp bounds its own number and leaves the velocity raw`() {
    var window = EstimationWindow.android
    window.clamp = .flutterFling
    for (speed, clamped) in [(20.0, 50.0), (-20, -50), (900, 900), (-90_000, -8000), (0, 0)] {
      let found = estimate(.mean, way([speed, speed]), window: window)
      #expect(agree(found.velocity, speed) || speed == 0)
      #expect(agree(found.clampedVelocity, clamped) || clamped == 0 && found.clampedVelocity == 0)
    }
    #expect(estimate(.mean, way([20, 20])).clampedVelocity == nil)
    #expect(estimate(.mean, way([]), window: window).clampedVelocity == nil)
    #expect(SpeedLimits(minimum: .nan, maximum: -3) == SpeedLimits(minimum: 0, maximum: 0))
    #expect(SpeedLimits(minimum: .infinity, maximum: 1).clamp(1).isFinite)
  }

  @Test func `equal places are at rest with full confidence`() {
    for estimator in Estimator.ofSamples {
      let found = estimate(estimator, way([0, 0, 0, 0, 0]))
      guard estimator != .oneEuro else {
        #expect(found.velocity == 0)
        #expect(found.low == nil)
        continue
      }
      #expect(found.velocity == 0, "\(estimator)")
      #expect(found.low == 0, "\(estimator)")
      #expect(found.high == 0, "\(estimator)")
      #expect(found.standardError == 0, "\(estimator)")
      #expect(found.confidence == 1, "\(estimator)")
    }
  }

  @Test func `above 1024 samples the spread is not told, the fit's interval still is`() {
    let window = EstimationWindow(
      name: "all", horizonNanoseconds: EstimationWindow.unlimited,
      stopGapNanoseconds: EstimationWindow.unlimited, historyLimit: .max)
    let long = samples((0..<1200 as Range<Int64>).map { ($0, Double($0 % 7)) })
    let fit = estimate(.lsq2, long, window: window)
    #expect(fit.sampleCount == 1200)
    #expect(fit.low != nil)
    #expect(fit.leaveOneOutLow == nil)
    let mean = estimate(.mean, long, window: window)
    #expect(mean.velocity != nil)
    #expect(mean.low == nil)
    #expect(mean.leaveOneOutLow == nil)
  }
}
