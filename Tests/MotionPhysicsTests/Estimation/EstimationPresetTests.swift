import MotionPhysics
import Testing
import TimelineModel

/// What each peer says at the edges of its rules, by its own estimator where nothing else is said.
@Suite struct EstimationPresetTests {
  /// 1000 units per second, every so many milliseconds.
  private func steady(_ count: Int, every step: Int64) -> [Sample] {
    samples((0..<Int64(count)).map { ($0 * step, Double($0 * step)) })
  }

  private func answer(
    _ preset: EstimationPreset, _ way: [Sample], by estimator: Estimator? = nil,
    afterNanoseconds rest: Int64 = 0
  ) -> VelocityEstimate {
    let estimator = estimator ?? preset.estimator
    let newest = way.last?.time ?? .zero
    return estimator.estimate(
      way, lift: newest.advanced(byNanoseconds: rest), window: preset.window(for: estimator))
  }

  @Test func `the names and the peers' own estimators are the documented ones`() {
    #expect(
      EstimationPreset.allCases.map(\.rawValue) == [
        "android", "flutter", "compose", "chromium", "firefox", "gnome", "swiftui", "rngh", "niri",
        "cosmic", "hyprland", "wayfire",
      ])
    #expect(
      EstimationPreset.allCases.map(\.estimator.rawValue) == [
        "lsq2", "lsq2", "lsq2", "lsq2", "mean5", "mean", "swiftui", "lsq2", "mean-steps",
        "mean-steps", "step-mean", "last-two",
      ])
    for preset in EstimationPreset.allCases {
      for estimator in Estimator.allCases {
        #expect(preset.window(for: estimator).name == preset.rawValue)
        #expect(
          preset.window(for: estimator).clamp == (preset == .flutter ? .flutterFling : nil))
      }
    }
    #expect(EstimationPreset.android.window(for: .lsq2) == .android)
  }

  /// The presets that look at samples as places.
  private static let ofSamples = EstimationPreset.allCases.filter {
    Estimator.ofSamples.contains($0.estimator)
  }

  @Test(arguments: ofSamples)
  func `a steady drag has its speed, under every preset`(preset: EstimationPreset) {
    #expect(agree(answer(preset, steady(12, every: 8)).velocity, 1000))
    #expect(answer(preset, steady(12, every: 8)).opposesDisplacement == false)
  }

  @Test(arguments: ofSamples)
  func `too few samples give none under android and 0 under the others`(preset: EstimationPreset) {
    for count in 0...1 {
      let estimate = answer(preset, steady(count, every: 8))
      #expect(estimate.velocity == (preset == .android ? nil : 0))
      #expect(estimate.sampleCount == count)
      #expect(estimate.low == nil)
      #expect(estimate.standardError == nil)
    }
    let two = answer(preset, steady(2, every: 8))
    let wantsThree = preset == .flutter || preset == .compose || preset == .rngh
    #expect(two.velocity == (wantsThree ? 0 : 1000))
    #expect(two.sampleCount == 2)
    #expect(two.low == nil)
  }

  @Test func `the stop before the lift is each peer's own`() {
    let way = steady(6, every: 8)
    for preset in [EstimationPreset.android, .flutter, .compose, .rngh] {
      #expect(answer(preset, way, afterNanoseconds: 40_000_000).sampleCount == 6)
      let stopped = answer(preset, way, afterNanoseconds: 40_000_001)
      #expect(stopped.velocity == 0)
      #expect(stopped.sampleCount == 0)
      #expect(stopped.leftOut[.gap] == 6)
    }
    #expect(answer(.chromium, way, afterNanoseconds: 79_999_999).sampleCount == 6)
    #expect(answer(.chromium, way, afterNanoseconds: 80_000_000).velocity == 0)
    #expect(answer(.swiftui, way, afterNanoseconds: 1_999_999_999).sampleCount == 3)
    #expect(answer(.swiftui, way, afterNanoseconds: 2_000_000_000).velocity == 0)
  }

  @Test func `the stop between samples is each peer's own`() {
    for (nanoseconds, presets) in [
      (40_000_000 as Int64, [EstimationPreset.android, .flutter, .compose, .rngh]),
      (39_999_999, [.chromium]),
    ] {
      for preset in presets {
        for (more, count) in [(0 as Int64, 4), (1, 3)] {
          let start = Instant(nanoseconds: -nanoseconds - more)
          let way = [Sample(time: start, value: -40)] + steady(3, every: 8)
          #expect(answer(preset, way).sampleCount == count, "\(preset) \(more)")
        }
      }
    }
    let paused = [Sample(time: instant(milliseconds: -60), value: -60)] + steady(3, every: 8)
    #expect(answer(.firefox, paused).sampleCount == 4)
    #expect(answer(.gnome, paused).sampleCount == 4)
  }

  @Test func `android's legacy looks 200 ms back, its end included`() {
    let way = steady(20, every: 20)
    #expect(answer(.android, way, by: .legacy).sampleCount == 11)
    #expect(answer(.android, way, by: .lsq2).sampleCount == 6)
    #expect(answer(.android, way, by: .int1).sampleCount == 20)
  }

  @Test func `compose's impulse looks 40 ms back from the newest sample`() {
    let way = steady(12, every: 10)
    #expect(answer(.compose, way, by: .impulse).sampleCount == 5)
    #expect(answer(.compose, way, by: .lsq2).sampleCount == 11)
  }

  @Test func `compose's impulse skips a segment that takes no time`() {
    var way = steady(4, every: 8)
    way.insert(Sample(time: way[2].time, value: way[2].value), at: 3)
    let estimate = answer(.compose, way, by: .impulse)
    #expect(agree(estimate.velocity, 1000))
    #expect(estimate.sampleCount == 5)
    #expect(estimate.leftOut.total == 0)
  }

  @Test func `flutter's blends look at the newest four places, however far apart`() {
    let far = steady(4, every: 300)
    for estimator in [Estimator.ios3, .macos3] {
      #expect(agree(answer(.flutter, far, by: estimator).velocity, 1000))
      #expect(
        answer(.flutter, far, by: estimator, afterNanoseconds: 40_000_001).velocity == 0)
    }
    #expect(agree(answer(.flutter, steady(2, every: 8), by: .ios3).velocity, 50))
    #expect(agree(answer(.flutter, steady(3, every: 8), by: .macos3).velocity, 850))
    // The doubled place is a segment of no velocity.
    let doubled = steady(3, every: 8) + [Sample(time: instant(milliseconds: 16), value: 16)]
    #expect(agree(answer(.flutter, doubled, by: .ios3).velocity, 950))
  }

  @Test func `a doubled time costs flutter's fit nothing but the degree`() {
    let way = samples([(0, 0), (8, 8), (8, 8), (16, 16)])
    #expect(agree(answer(.flutter, way).velocity, 1000))
    #expect(answer(.flutter, way).sampleCount == 4)
    let twoTimes = samples([(0, 0), (0, 0), (8, 8), (8, 8)])
    #expect(agree(answer(.flutter, twoTimes).velocity, 1000))
    let oneTime = samples([(8, 1), (8, 2), (8, 3)])
    #expect(answer(.flutter, oneTime).velocity == 0)
    #expect(answer(.flutter, oneTime).sampleCount == 3)
  }

  @Test func `firefox merges places up to 5 ms apart into the next`() {
    let way = [0, 5_000_000, 10_000_000, 15_000_001, 15_000_002, 21_000_000].map {
      Sample(time: Instant(nanoseconds: $0), value: Double($0) / 1e6)
    }
    let estimate = answer(.firefox, way)
    // 0, 10 ms, 15.000001 ms and 21 ms count.
    #expect(estimate.sampleCount == 4)
    #expect(estimate.leftOut[.duplicate] == 2)
    #expect(agree(estimate.velocity, 1000))
  }

  @Test func `firefox averages five segments that end less than 100 ms before the lift`() {
    let way = samples([(0, 0), (20, 60), (40, 80), (60, 90), (80, 100), (100, 110), (120, 120)])
    // Five segments: 1000, 500, 500, 500, 500.
    #expect(agree(answer(.firefox, way).velocity, 600))
    #expect(answer(.firefox, way).leftOut[.history] == 1)
    // 60 ms later the segment that ends at 80 ms is exactly 100 ms old.
    let later = answer(.firefox, way, afterNanoseconds: 60_000_000)
    #expect(later.sampleCount == 3)
    #expect(later.leftOut[.age] == 4)
    #expect(agree(later.velocity, 500))
    let justBefore = answer(.firefox, way, afterNanoseconds: 59_999_999)
    #expect(justBefore.sampleCount == 4)
    let gone = answer(.firefox, way, afterNanoseconds: 100_000_000)
    #expect(gone.velocity == 0)
    #expect(gone.sampleCount == 0)
    #expect(gone.leftOut[.age] == 7)
  }

  @Test func `gnome's mean looks 150 ms back from the lift, at all places there`() {
    let way = steady(300, every: 1)
    #expect(answer(.gnome, way).sampleCount == 151)
    #expect(answer(.gnome, way, afterNanoseconds: 100_000_000).sampleCount == 51)
    let gone = answer(.gnome, way, afterNanoseconds: 150_000_001)
    #expect(gone.velocity == 0)
    #expect(gone.sampleCount == 0)
    #expect(answer(.gnome, samples([(8, 1), (8, 2)])).velocity == 0)
  }

  @Test func `swiftui mixes two segments, and a rest lets the velocity decay`() throws {
    let way = samples([(0, 0), (10, 0), (20, 10), (30, 30)])
    #expect(agree(answer(.swiftui, way).velocity, 0.75 * 1000 + 0.25 * 2000))
    #expect(answer(.swiftui, way).sampleCount == 3)
    let rested = answer(.swiftui, way, afterNanoseconds: 2_000_000)
    #expect(agree(rested.velocity, 1250 * 0.998 * 0.998))
    #expect(agree(rested.leaveOneOutHigh, 2000 * 0.998 * 0.998))
    let story = Estimator.swiftui.story(
      of: way, lift: instant(milliseconds: 32),
      window: EstimationPreset.swiftui.window(for: .swiftui))
    #expect(story.compactMap(\.leaveOneOut).max() == rested.leaveOneOutHigh)
    #expect(agree(answer(.swiftui, samples([(0, 0), (10, 10)])).velocity, 1000))
    let replaced = samples([(0, 0), (10, 0), (20, 5), (20, 10), (12, 99), (30, 30)])
    #expect(answer(.swiftui, replaced).velocity == answer(.swiftui, way).velocity)
  }

  @Test func `the hand on the web looks 300 ms back`() {
    #expect(answer(.rngh, steady(12, every: 30)).sampleCount == 11)
    #expect(answer(.rngh, steady(30, every: 8)).sampleCount == 20)
  }

  @Test func `chromium's integrating filters do not wait for 2 ms`() {
    let way = samples([(0, 0), (1, 1), (2, 2), (3, 5)])
    #expect(answer(.android, way, by: .int1).velocity == 5000.0 / 3)
    #expect((answer(.chromium, way, by: .int1).velocity ?? 0) > 1000)
    #expect(answer(.android, Array(way.prefix(3)), by: .int1).velocity == nil)
    #expect(agree(answer(.chromium, Array(way.prefix(3)), by: .int1).velocity, 1000))
  }
}
