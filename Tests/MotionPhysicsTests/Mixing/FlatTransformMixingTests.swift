import MotionPhysics
import Testing
import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A flat transform from its six numbers.
func flat(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ tx: Double = 0, _ ty: Double = 0)
  -> ElementTransform
{
  .flat(Transform2D(a: a, b: b, c: c, d: d, tx: tx, ty: ty))
}

/// A turn by an angle in radians, after a scale.
func turned(_ angle: Double, scale: Double = 1) -> ElementTransform {
  flat(scale * cos(angle), scale * sin(angle), -scale * sin(angle), scale * cos(angle))
}

/// Whether the numbers of two transforms agree to a distance.
func near(_ left: ElementTransform, _ right: ElementTransform, _ distance: Double = 1e-9) -> Bool {
  left.components.count == right.components.count
    && zip(left.components, right.components).allSatisfy { abs($0 - $1) <= distance }
}

@Suite struct FlatTransformMixingTests {
  private static let seedPose = turned(.pi, scale: 0.2)

  @Test(arguments: [
    (1.0 / 6, [0.0, 0, 0, 0]), (0.25, [0.1, 0, 0, 0.1]), (0.5, [0.4, 0, 0, 0.4]),
    (0.75, [0.7, 0, 0, 0.7]),
  ])
  func `by components half a turn collapses on its way`(progress: Double, numbers: [Double]) {
    let mixed = ElementTransform.mixed(
      FlatTransformMixingTests.seedPose, .identity, progress: progress, mixing: .componentwise)
    #expect(near(mixed, flat(numbers[0], numbers[1], numbers[2], numbers[3]), 1e-15))
  }

  @Test(arguments: [
    (0.25, [-0.282843, 0.282843, -0.282843, -0.282843]), (0.5, [0, 0.6, -0.6, 0]),
    (0.75, [0.565685, 0.565685, -0.565685, 0.565685]),
    (1.0 / 6, [-0.288675, 0.166667, -0.166667, -0.288675]),
  ])
  func `decomposed half a turn goes down through a quarter turn`(
    progress: Double, numbers: [Double]
  ) {
    for residue in [1e-16, -1e-16, 0] {
      let pose = flat(-0.2, residue, -residue, -0.2)
      let mixed = ElementTransform.mixed(pose, .identity, progress: progress, mixing: .decomposed)
      #expect(near(mixed, flat(numbers[0], numbers[1], numbers[2], numbers[3]), 5.1e-7))
    }
  }

  @Test(arguments: TransformMixing.allCases)
  func `the ends are the very transforms`(mixing: TransformMixing) {
    let ends = (turned(0.3, scale: 1.7), flat(1, 2, 3, 4, 5, 6))
    #expect(ElementTransform.mixed(ends.0, ends.1, progress: 0, mixing: mixing) == ends.0)
    #expect(ElementTransform.mixed(ends.0, ends.1, progress: 1, mixing: mixing) == ends.1)
  }

  @Test func `shear goes by the single-shear form`() {
    let mixed = ElementTransform.mixed(
      flat(1, 0, 0, 7), flat(7, 0, 1, 1), progress: 0.5, mixing: .decomposed)
    #expect(near(mixed, flat(4, 0, 2, 4)))
  }

  @Test func `scale, turn and shift each go straight`() {
    let from = flat(2, 0, 0, 4, 10, -20)
    let to = flat(0, 4, -8, 0, 30, 20)
    let mixed = ElementTransform.mixed(from, to, progress: 0.5, mixing: .decomposed)
    let half = Double(0.5).squareRoot()
    #expect(near(mixed, flat(3 * half, 3 * half, -6 * half, 6 * half, 20, 0)))
  }

  @Test func `the angle takes the shorter way across half a turn`() {
    let mixed = ElementTransform.mixed(turned(3), turned(-3), progress: 0.5, mixing: .decomposed)
    #expect(near(mixed, turned(.pi)))
    let quarter = ElementTransform.mixed(
      turned(-.pi / 2), turned(.pi / 2), progress: 0.5, mixing: .decomposed)
    #expect(near(quarter, .identity))
  }

  @Test func `a mirrored transform flips one axis`() {
    for mirrored in [flat(-1, 0, 0, 1), flat(1, 0, 0, -1), flat(0, 1, 1, 0), flat(2, 1, 1, -3)] {
      let almost = ElementTransform.mixed(
        mirrored, flat(1.5, 0.5, 0, 1), progress: 1e-12, mixing: .decomposed)
      #expect(near(almost, mirrored, 1e-10))
    }
    let flip = ElementTransform.mixed(
      flat(-1, 0, 0, 1), .identity, progress: 0.5, mixing: .decomposed)
    #expect(near(flip, flat(0, 0, 0, 1)))
  }

  @Test(arguments: [
    flat(0, 0, 0, 0, 3, 4), flat(1, 2, 2, 4), flat(1, 0, 0, 0), flat(0, 0, 0, 1),
    flat(.nan, 0, 0, 1),
  ])
  func `a transform onto a line or a point switches in the middle`(degenerate: ElementTransform) {
    let other = turned(1)
    for (progress, isEarly) in [
      (-1.0, true), (0.25, true), (0.5, false), (0.75, false), (2, false),
    ] {
      let there = ElementTransform.mixed(degenerate, other, progress: progress, mixing: .decomposed)
      #expect(there.components.description == (isEarly ? degenerate : other).components.description)
      let back = ElementTransform.mixed(other, degenerate, progress: progress, mixing: .decomposed)
      #expect(back.components.description == (isEarly ? other : degenerate).components.description)
    }
  }

  @Test func `tiny scales are no singularity`() {
    let mixed = ElementTransform.mixed(
      flat(1e-9, 0, 0, 1e-9), .identity, progress: 0.5, mixing: .decomposed)
    #expect(near(mixed, flat(0.5, 0, 0, 0.5), 1e-8))
  }

  @Test func `beyond the ends the mix goes on`() {
    let mixed = ElementTransform.mixed(.identity, turned(0.5), progress: 2, mixing: .decomposed)
    #expect(near(mixed, turned(1)))
    let back = ElementTransform.mixed(
      .identity, flat(3, 0, 0, 3), progress: -1, mixing: .decomposed)
    #expect(near(back, flat(-1, 0, 0, -1)))
  }

  @Test func `the decomposition puts every regular transform together again`() {
    let numbers = [-2, -0.5, 0, 0.3, 1, 4]
    for a in numbers {
      for b in numbers {
        for c in numbers {
          for d in numbers where abs(a * d - b * c) > 1e-6 {
            let transform = flat(a, b, c, d, 7, -8)
            let almost = ElementTransform.mixed(
              transform, .identity, progress: 1e-13, mixing: .decomposed)
            guard near(almost, transform, 1e-9) else {
              Issue.record("\(transform) came back as \(almost)")
              continue
            }
          }
        }
      }
    }
  }

  @Test func `the mix is finite for any finite ends and progress`() {
    let huge = Double.greatestFiniteMagnitude
    let ends = [
      flat(huge, 0, 0, huge, huge, -huge), flat(-huge, huge, 1, 1), flat(1e-300, 0, 0, 1e300),
      .identity, flat(.leastNonzeroMagnitude, 0, 0, .leastNonzeroMagnitude),
    ]
    for from in ends {
      for to in ends {
        for progress in [-huge, -2, 1e-300, 0.5, 3, huge, .infinity, .nan] {
          for mixing in TransformMixing.allCases {
            let mixed = ElementTransform.mixed(from, to, progress: progress, mixing: mixing)
            #expect(mixed.isFinite, "\(from) to \(to) at \(progress)")
          }
        }
      }
    }
  }
}
