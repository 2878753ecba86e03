import TestSupport
import Testing
import TimelineModel

@testable import MotionPhysics

/// The bits of everything that a pose holds; -0 and 0 differ here.
private func bits(_ pose: Pose) -> [UInt64] {
  [pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha].map(\.bitPattern)
    + [UInt64(bitPattern: Int64(pose.zIndex)), pose.isHidden ? 1 : 0]
    + pose.transform.components.map(\.bitPattern)
}

@Suite struct PoseMixTests {
  private static let progresses: [Double] = [
    0, -0.0, 1, 0.5, 0.25, 1.0 / 3, 0.999_999, 1e-300, 1.004_565_92, 2, -1, -0.3, 1e17, -1e308,
    .greatestFiniteMagnitude, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1 - .ulpOfOne,
  ]

  private func expectSame(
    _ from: Pose, _ to: Pose, at progresses: [Double] = PoseMixTests.progresses,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for mixing in TransformMixing.allCases {
      let mix = PoseMix(from: from, to: to, transforms: mixing)
      var mixes = PoseMixes()
      // Another one before it, so that the places differ from the number.
      mixes.append(PoseMix(from: to, to: from, transforms: mixing))
      mixes.append(mix)
      for progress in progresses {
        let plain = bits(PlainMixing.mixed(from, to, progress, mixing))
        #expect(
          bits(mix.pose(at: progress)) == plain,
          "\(mixing) at \(progress): \(from) to \(to)", sourceLocation: sourceLocation)
        #expect(
          bits(mixes.pose(of: 1, at: progress)) == plain,
          "\(mixing) at \(progress): \(from) to \(to)", sourceLocation: sourceLocation)
        #expect(
          bits(Pose.mixed(from, to, progress: progress, transforms: mixing)) == plain,
          "\(mixing) at \(progress): \(from) to \(to)", sourceLocation: sourceLocation)
      }
    }
  }

  private func pose(_ transform: ElementTransform, _ number: Double = 0) -> Pose {
    Pose(
      center: Point2D(x: 10 + number, y: -20.5 * number),
      size: Size2D(width: 50, height: 30 + number),
      transform: transform, alpha: 1 / (1 + number), zIndex: Int(number))
  }

  @Test func `random pairs go as the plain formula goes, bit for bit`() {
    var random = SplitMix(seed: 33)
    for _ in 0..<600 {
      let (from, to) = (anyPose(&random), anyPose(&random))
      let between = (0..<4).map { _ in Double.random(in: -0.5...1.5, using: &random) }
      expectSame(from, to, at: between + [0, 1, .nan])
    }
  }

  @Test func `every sort of pair goes as the plain formula goes, at every edge`() throws {
    var perspective = ElementTransform.identity.spatial
    perspective.m34 = -1.0 / 400
    perspective.m41 = 12
    let negativeZero = flat(1, -0.0, -0.0, 1, -0.0, -0.0)
    let transforms: [ElementTransform] = [
      .identity, negativeZero, .spatial(ElementTransform.identity.spatial),
      flat(1, 0, 0, 1, 5, -0.0),
      turned(.pi), turned(-3), turned(3, scale: 0.2), turned(0, scale: 3), turned(-0.0),
      turned(0.4), turned(0.4, scale: 2), flat(-1, 0, 0, 1), flat(1, 2, 2, 4), flat(0, 0, 0, 0),
      flat(1, 0.5, 0.25, 2, 1e300, -1e300), flat(1e308, 0, 0, 1e308), flat(.nan, 0, 0, 1),
      .spatial(perspective), .spatial(turned(1).spatial), try turnAboutY(0.3),
      try turnAboutY(-2.9), try turnAboutY(1, scale: 1e300),
      try spatial(Array(repeating: .greatestFiniteMagnitude, count: 16)),
      try spatial([1, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]),
    ]
    for (number, from) in transforms.enumerated() {
      for to in transforms { expectSame(pose(from), pose(to, Double(number % 3))) }
    }
  }

  @Test func `numbers that overflow, or are none, go as the plain formula goes`() {
    let huge = Double.greatestFiniteMagnitude
    let numbers = [0, -0.0, 1, huge, -huge, .infinity, .nan, .leastNonzeroMagnitude]
    for from in numbers {
      for to in numbers {
        expectSame(
          Pose(center: Point2D(x: from, y: to), size: Size2D(width: from, height: 1), alpha: to),
          Pose(center: Point2D(x: to, y: from), size: Size2D(width: 1, height: to), alpha: from))
      }
    }
  }

  @Test func `drawing order and visibility hold at every progress`() {
    var (from, to) = (pose(.identity, 2), pose(turned(1), 1))
    from.isHidden = true
    for progress in PoseMixTests.progresses {
      let shown = PoseMix(from: from, to: to, transforms: .decomposed).pose(at: progress)
      #expect(shown.zIndex == 2)
      #expect(!shown.isHidden)
    }
    to.isHidden = true
    #expect(PoseMix(from: from, to: to, transforms: .decomposed).pose(at: 0.5).isHidden)
  }

  @Test func `a list gives each its own pose, also after it was emptied`() {
    let poses = [
      pose(.identity), pose(turned(1), 1), pose(turned(2, scale: 3), 2), pose(.identity, 3),
    ]
    var mixes = PoseMixes()
    for _ in 0..<2 {
      for pose in poses {
        mixes.append(PoseMix(from: pose, to: poses[2], transforms: .decomposed))
      }
      #expect(mixes.count == poses.count)
      for (number, pose) in poses.enumerated() {
        let plain = PlainMixing.mixed(pose, poses[2], 0.3, .decomposed)
        #expect(bits(mixes.pose(of: number, at: 0.3)) == bits(plain))
      }
      mixes.removeAll()
      #expect(mixes.count == 0)
    }
  }

  @Test func `poses stay small, with a transform in space in a box`() {
    #expect(MemoryLayout<Pose>.stride <= 112)
    #expect(MemoryLayout<UprightMix>.size + MemoryLayout<Int32>.size <= 96)
  }

  private func turnAboutY(_ angle: Double, scale: Double = 1) throws -> ElementTransform {
    let flat = turned(angle, scale: scale).components
    return try spatial([
      flat[0], 0, -flat[1], 0, 0, scale, 0, 0, flat[1], 0, flat[0], 0, 0, 0, 0, 1,
    ])
  }

  private func anyPose(_ random: inout SplitMix) -> Pose {
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let transform: ElementTransform
    switch Int.random(in: 0..<6, using: &random) {
    case 0: transform = .identity
    case 1: transform = turned(number(-7...7), scale: number(-2...2))
    case 2: transform = flat(number(-2...2), 0, 0, number(-2...2), number(-90...90), 0)
    case 3:
      transform = flat(
        number(-2...2), number(-2...2), number(-2...2), number(-2...2), number(-90...90),
        number(-90...90))
    case 4:
      var numbers = (0..<16).map { _ in number(-1...1) }
      numbers[15] = number(0.5...2)
      transform = ElementTransform(components: numbers) ?? .identity
    default:
      var tilted = turned(number(-7...7)).spatial
      (tilted.m34, tilted.m43) = (number(-0.01...0.01), number(-9...9))
      transform = .spatial(tilted)
    }
    return Pose(
      center: Point2D(x: number(-999...999), y: number(-999...999)),
      size: Size2D(width: number(0...500), height: number(0...500)), transform: transform,
      alpha: Bool.random(using: &random) ? 1 : number(0...1),
      zIndex: Int.random(in: -3...3, using: &random), isHidden: Bool.random(using: &random))
  }
}
