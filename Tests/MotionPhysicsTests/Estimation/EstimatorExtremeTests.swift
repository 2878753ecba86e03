import MotionPhysics
import Testing
import TimelineModel

/// Late hours, absurd numbers, and the complaints that peers have had.
@Suite struct EstimatorExtremeTests {
  private func isFinite(_ estimate: VelocityEstimate) -> Bool {
    let numbers = [
      estimate.velocity, estimate.low, estimate.high, estimate.standardError,
      estimate.leaveOneOutLow, estimate.leaveOneOutHigh, estimate.confidence,
      estimate.clampedVelocity,
    ]
    return numbers.allSatisfy { $0?.isFinite ?? true }
  }

  @Test(arguments: Estimator.single)
  func `a late hour changes no bit`(estimator: Estimator) {
    var drags = RandomDrags(seed: 9)
    for count in [2, 5, 20] {
      let early = drags.next(count: count)
      let late = early.map {
        Sample(time: $0.time.advanced(byNanoseconds: 1_000_000_000_000_000_000), value: $0.value)
      }
      let first = estimator.estimate(early, lift: early[count - 1].time)
      #expect(estimator.estimate(late, lift: late[count - 1].time) == first)
    }
  }

  @Test(arguments: Estimator.single.filter { !$0.definition.measure.isByReports })
  func `values of 1e300 keep their digits`(estimator: Estimator) {
    let factor = 0x1p990
    var drags = RandomDrags(seed: 10)
    for count in [2, 3, 12, 20] {
      let plain = drags.next(count: count)
      let huge = plain.map { Sample(time: $0.time, value: $0.value * factor) }
      let found = estimator.estimate(huge, lift: huge[count - 1].time)
      #expect(isFinite(found))
      // The 1 euro filter's cutoff follows the unit by design.
      guard estimator != .oneEuro else { continue }
      let expected = estimator.estimate(plain, lift: plain[count - 1].time)
      guard let velocity = expected.velocity else {
        #expect(found.velocity == nil)
        #expect(estimator == .legacy)
        continue
      }
      #expect(agree(found.velocity, velocity * factor, within: 1e-12))
      if let error = expected.standardError {
        #expect(agree(found.standardError, error * factor, within: 1e-9))
      }
    }
  }

  @Test func `no input gives a number that is none`() {
    let huge = Double.greatestFiniteMagnitude
    let values: [Double] = [
      0, -0.0, 1, huge, -huge, 1e300, .leastNonzeroMagnitude, .nan, .infinity, -.infinity,
    ]
    let times: [Int64] = [
      0, 1, 8_000_000, 8_000_000, 7_000_000, .max, .min, -1, 1 << 60, 16_000_000,
    ]
    var windows = EstimationPreset.allCases.map { $0.window(for: .lsq2) }
    windows.append(windows[8].measuring(pointsPerUnit: huge))
    var odd = EstimationWindow(
      name: "odd", horizonNanoseconds: .min, stopGapNanoseconds: .min, historyLimit: .min)
    odd.filterStepNanoseconds = .min
    odd.idleDecayPerMillisecond = .nan
    odd.minimumSamples = .min
    odd.duplicates = .merge(nanoseconds: .min)
    var open = EstimationWindow(
      name: "open", horizonNanoseconds: .max, stopGapNanoseconds: .max, historyLimit: .max)
    open.backward = .keep
    open.duplicates = .keep
    open.clamp = SpeedLimits(minimum: 1, maximum: .infinity)
    open.idleDecayPerMillisecond = -2
    open.filterStepNanoseconds = .max
    windows += [odd, open]
    for shift in 0..<values.count {
      for length in [1, 2, 3, 5, 10] {
        let way = (0..<length).map { index in
          Sample(
            time: Instant(nanoseconds: times[(index + shift) % times.count]),
            value: values[(index * 3 + shift) % values.count])
        }
        for lift in [Int64.min, 0, 16_000_000, .max] {
          for window in windows {
            for estimator in Estimator.allCases {
              let found = estimator.estimate(
                way, resampled: [false, true], lift: Instant(nanoseconds: lift), window: window)
              #expect(isFinite(found), "\(estimator) \(window.name) \(way)")
              let story = estimator.story(
                of: way, lift: Instant(nanoseconds: lift), window: window)
              #expect(story.count <= way.count)
            }
          }
        }
      }
    }
  }

  @Test func `a resampled place does not turn a fling round`() {
    // The system's own place runs ahead of the finger; the next measured one lies behind it.
    let measured = samples([(0, 0), (8, 20), (16, 44), (24, 72), (32, 104)])
    var mixed = measured
    mixed.insert(Sample(time: instant(milliseconds: 30), value: 160), at: 4)
    let marks = [false, false, false, false, true, false]
    let lift = instant(milliseconds: 33)
    for estimator in Estimator.single {
      var found = estimator.estimate(mixed, resampled: marks, lift: lift)
      #expect(found.leftOut[.resampled] == 1)
      found.leftOut = LeftOutSamples()
      #expect(found == estimator.estimate(measured, lift: lift))
    }
    #expect((Estimator.twoPoint.velocity(mixed, lift: lift) ?? 0) < 0)
    #expect((Estimator.twoPoint.velocity(mixed, resampled: marks, lift: lift) ?? 0) > 0)
  }

  @Test func `after a pause there is no velocity left over`() {
    let way = samples((0..<12 as Range<Int64>).map { ($0 * 8, Double($0) * 30) })
    // COSMIC, Hyprland and Wayfire look at no time but that between reports.
    let timeless: [EstimationPreset] = [.cosmic, .hyprland, .wayfire]
    for estimator in Estimator.single where !estimator.definition.measure.isByReports {
      for preset in EstimationPreset.allCases where !timeless.contains(preset) {
        let window = preset.window(for: estimator)
        #expect(estimator.velocity(way, lift: instant(milliseconds: 4000), window: window) == 0)
      }
    }
  }
}
