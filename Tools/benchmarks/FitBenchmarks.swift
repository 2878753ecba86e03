import MotionPhysics
import TimelineQuery

/// One settle of a second at 60 Hz, a spring rounded to half a point, turned into parameters.
let fitBenchmarks: [Benchmark] = [
  benchmark("fit-settle", nil, "every model, intervals and words"),
  benchmark("fit-spring", .spring, "a spring alone"),
]

private func benchmark(_ name: String, _ model: MotionFit.Model?, _ summary: String) -> Benchmark {
  Benchmark(
    name: name, group: "fit", unit: "fit of 60 samples", summary: summary
  ) {
    let spring = try DampedSpring(dampingRatio: 0.6, stiffness: 225)
    let motion = SettleMotion(
      SettleParameters(spring: spring), from: 20, to: 300, velocity: 900)
    let times = (0..<60).map { Double($0) / 60 }
    let values = times.map { (motion.value(atSeconds: $0) * 2).rounded() / 2 }
    return .each { _ in
      let fit = try MotionFit.fit(seconds: times, values: values, model: model)
      precondition(fit.model == .spring && fit.isAccepted, "The spring was not found.")
    }
  }
}
