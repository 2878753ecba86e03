import MotionPhysics
import TimelineModel

/// The mixing of two poses, alone.
let mixingBenchmarks: [Benchmark] = [
  mixing("mix-upright", "two upright poses", to: .identity),
  mixing("mix-components", "flat transforms by components", to: turned, by: .componentwise),
  mixing("mix-scaled", "flat transforms that scale, decomposed", to: scaled),
  mixing("mix-turned", "flat transforms that turn, decomposed", to: turned),
]

/// The cosine and sine of 60 degrees.
private let (cosine, sine) = (0.5, 0.866_025_403_784_438_6)
private let scaled = ElementTransform.flat(Transform2D(a: 2, b: 0, c: 0, d: 0.5, tx: 3, ty: 4))
private let turned = ElementTransform.flat(
  Transform2D(a: cosine, b: sine, c: -sine, d: cosine, tx: 3, ty: 4))

/// As many as a screen full of them.
private let poseCount = 200

private func mixing(
  _ name: String, _ summary: String, to end: ElementTransform,
  by transforms: TransformMixing = .decomposed
) -> Benchmark {
  Benchmark(
    name: name, group: "mix", unit: "pose", bars: [.nanoseconds(25)], summary: summary
  ) {
    let starts = (0..<poseCount).map { number in
      Pose(
        center: Point2D(x: Double(number), y: 9 * Double(number)),
        size: Size2D(width: 50, height: 50))
    }
    let ends = (0..<poseCount).map { number in
      Pose(
        center: Point2D(x: 300 - Double(number), y: 2 * Double(number)),
        size: Size2D(width: 150, height: 100), transform: end, alpha: 0.5, zIndex: number)
    }
    var mixes = PoseMixes()
    for number in 0..<poseCount {
      mixes.append(PoseMix(from: starts[number], to: ends[number], transforms: transforms))
    }
    let ways = mixes
    let tally = Tally()
    return Benchmark.Work { units in
      let rounds = (units + poseCount - 1) / poseCount
      for round in 0..<rounds {
        let progress = Double(round % 1000 + 1) / 1002
        for number in 0..<poseCount { tally.add(ways.pose(of: number, at: progress)) }
      }
      return rounds * poseCount
    }
  }
}

/// Takes poses, so that none is computed for nothing.
private final class Tally {
  private var sum = 0.0

  @inline(never) func add(_ pose: Pose) { sum += pose.center.x + pose.alpha }
}
