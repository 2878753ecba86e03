import MotionPhysics
import TimelineModel

/// The velocity at a lift from twenty samples: the number alone, and with all words about it.
let velocityBenchmarks: [Benchmark] =
  Estimator.single.map(pointBenchmark) + Estimator.single.map(estimateBenchmark)

/// A fling of 20 places, 8 ms apart on average, that speeds up and shakes a little.
private let fling: [Sample] = (0..<20).map { index in
  let milliseconds = Double(index) * 8 + Double(index * 7 % 5) / 5
  let shake = Double(index * 11 % 7) / 14
  return Sample(
    time: Instant(nanoseconds: Int64(milliseconds * 1e6)),
    value: 100 + 0.4 * milliseconds + 0.01 * milliseconds * milliseconds + shake)
}

/// A window that all of them fit into, so that every estimator sees twenty.
private let window = EstimationWindow(
  name: "twenty", horizonNanoseconds: 200_000_000, stopGapNanoseconds: 40_000_000, historyLimit: 20)

private func pointBenchmark(_ estimator: Estimator) -> Benchmark {
  benchmark(
    "velocity-\(estimator.rawValue)", [.nanoseconds(2_000)],
    "\(estimator.rawValue), the number alone"
  ) { lift in
    estimator.velocity(fling, lift: lift, window: window)
  }
}

private func estimateBenchmark(_ estimator: Estimator) -> Benchmark {
  benchmark(
    "estimate-\(estimator.rawValue)", [.nanoseconds(50_000)],
    "\(estimator.rawValue), with its interval"
  ) { lift in
    estimator.estimate(fling, lift: lift, window: window).low
  }
}

private func benchmark(
  _ name: String, _ bars: [Bar], _ summary: String,
  _ answer: @escaping @Sendable (Instant) -> Double?
) -> Benchmark {
  Benchmark(name: name, group: "velocity", unit: "estimate", bars: bars, summary: summary) {
    let tally = Tally()
    let newest = fling[fling.count - 1].time
    return Benchmark.Work { units in
      // Another lift each time, so that no answer can be kept.
      for unit in 0..<units {
        tally.add(answer(newest.advanced(byNanoseconds: Int64(unit % 1000))) ?? 0)
      }
      return units
    }
  }
}

/// Takes answers, so that none is computed for nothing.
private final class Tally {
  private var sum = 0.0

  @inline(never) func add(_ answer: Double) { sum += answer }
}
