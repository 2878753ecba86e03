import MotionPhysics
import RunStudies
import TimelineModel

/// A rule searched for 1,000 labelled gestures, with the ten folds of the estimate for new ones.
let tuneBenchmarks: [Benchmark] = [
  benchmark(
    "tune-settings-10000", bars: [.nanoseconds(10_000_000_000)],
    "10,000 settings, 100 rates by 100 minimum velocities, each with every threshold"
  ) { space in
    space.kinds = [.projection]
    space.numbers = [
      (.threshold, .range(0.1...0.9)),
      (.decelerationRate, .list((0..<100).map { 0.99 + Double($0) / 10_100 }, isRange: true)),
      (.minimumVelocity, .list((0..<100).map { Double($0) / 100 }, isRange: true)),
    ]
  }
]

private func benchmark(
  _ name: String, bars: [Bar], _ summary: String,
  _ fill: @escaping @Sendable (inout TuningSpace) -> Void
) -> Benchmark {
  Benchmark(
    name: name, group: name, unit: "search of 1,000 gestures", bars: bars, summary: summary
  ) {
    var space = TuningSpace()
    fill(&space)
    let gestures = labelledGestures(1000)
    return .each { number in
      var options = RuleTuning.Options()
      options.seed = UInt64(number)
      let tuning = RuleTuning.search(gestures, in: space, options: options)
      precondition(tuning.found != nil, "Nothing was searched.")
    }
  }
}

/// Gestures whose intent a logistic function of progress and velocity has, seeded.
private func labelledGestures(_ count: Int) -> [TuningGesture] {
  var state: UInt64 = 1
  func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }
  return (0..<count).map { _ in
    let (progress, velocity) = (unit(), unit() * 6 - 3)
    let rest = progress + 0.15 * velocity + (unit() - 0.5) / 5
    return TuningGesture(
      isMeantToFinish: rest > 0.45, progress: progress, velocities: [velocity],
      own: ReleaseParameters(), finishesNow: progress > 0.5)
  }
}
