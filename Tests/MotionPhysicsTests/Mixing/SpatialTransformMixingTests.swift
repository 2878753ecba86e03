import Testing
import TimelineModel

@testable import MotionPhysics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A transform from sixteen numbers, left in space even when it is flat.
func spatial(_ numbers: [Double]) throws -> ElementTransform {
  .spatial(try #require(Transform3D(components: numbers)))
}

@Suite struct SpatialTransformMixingTests {
  private func turnAboutY(_ angle: Double, scale: Double = 1) throws -> ElementTransform {
    try spatial([
      scale * cos(angle), 0, -scale * sin(angle), 0, 0, scale, 0, 0, scale * sin(angle), 0,
      scale * cos(angle), 0, 0, 0, 0, 1,
    ])
  }

  @Test func `a turn in space goes evenly about its axis`() throws {
    let quarter = try ElementTransform.mixed(
      turnAboutY(0.2), turnAboutY(1.0), progress: 0.25, mixing: .decomposed)
    #expect(near(quarter, try turnAboutY(0.4)))
    let beyond = try ElementTransform.mixed(
      turnAboutY(0.2), turnAboutY(1.0), progress: 1.5, mixing: .decomposed)
    #expect(near(beyond, try turnAboutY(1.4)))
  }

  @Test func `the shorter arc is taken`() throws {
    let mixed = try ElementTransform.mixed(
      turnAboutY(3), turnAboutY(-3), progress: 0.5, mixing: .decomposed)
    #expect(near(mixed, try turnAboutY(.pi)))
    let down = try ElementTransform.mixed(
      turnAboutY(1), turnAboutY(-1.8), progress: 0.5, mixing: .decomposed)
    #expect(near(down, try turnAboutY(-0.4)))
  }

  @Test func `scale and shift go straight beside the turn`() throws {
    var end = try turnAboutY(1, scale: 3).components
    end[12] = 10
    end[13] = -4
    end[14] = 6
    let mixed = ElementTransform.mixed(
      .identity, try spatial(end), progress: 0.5, mixing: .decomposed)
    var expected = try turnAboutY(0.5, scale: 2).components
    (expected[12], expected[13], expected[14]) = (5, -2, 3)
    #expect(near(mixed, try spatial(expected)))
  }

  @Test func `perspective goes straight`() throws {
    var near400 = ElementTransform.identity.spatial.components
    near400[11] = -1.0 / 400
    let mixed = ElementTransform.mixed(
      .identity, try spatial(near400), progress: 0.5, mixing: .decomposed)
    var expected = near400
    expected[11] = -1.0 / 800
    #expect(near(mixed, try spatial(expected), 1e-15))
  }

  /// The expectations come from a second implementation, by matrix products and rotation vectors.
  @Test(arguments: [
    (
      0.3,
      [
        -0.115528761708, 0.016510943512, 0.012556597375, -8.4593993e-05, 0.432577690711,
        0.857221474607, -0.146659929675, 0.001198063803, 0.040431070867, -0.022820765884,
        0.163001768772, -0.001145576535, -5.0, 15.5, 21.0, 1.0651,
      ]
    ),
    (
      1.25,
      [
        1.901768412858, 3.513604010333, -0.524216073131, 0.001617463159, -1.473541764294,
        0.669580682423, 0.914677651815, 0.002844678032, -0.159763343288, -0.498291975841,
        -2.851173372329, -0.007543176744, -52.5, 1.25, -7.5, 0.903125,
      ]
    ),
  ])
  func `shear, mirror and perspective together are mixed part by part`(
    progress: Double, numbers: [Double]
  ) throws {
    let from = try spatial([1, 0.5, 0, 0, 0, 2, 0, 0, 0.25, 0, 1, -0.01, 10, 20, 30, 1])
    let to = try spatial([0, 3, 0, 0.002, -1, 0, 0.5, 0, 0, 0, -2, 0, -40, 5, 0, 1])
    let mixed = ElementTransform.mixed(from, to, progress: progress, mixing: .decomposed)
    #expect(near(mixed, try spatial(numbers), 1e-11))
  }

  @Test func `the decomposition puts regular transforms together again`() throws {
    var transforms: [[Double]] = []
    // Numbers of a plain congruence, so that the cases are many, odd and the same every time.
    var state: UInt64 = 1
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 40) / Double(1 << 22)
    }
    for _ in 0..<200 {
      var numbers = (0..<16).map { _ in next() }
      numbers[15] = 1 + abs(numbers[15])
      transforms.append(numbers)
    }
    transforms.append([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    transforms.append([-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0.01, 3, 4, 5, 2])
    var regular = 0
    for numbers in transforms {
      let transform = try #require(Transform3D(components: numbers))
      guard let parts = transform.decomposed else { continue }
      regular += 1
      let again = Transform3D(parts).components
      let expected = numbers.map { $0 / numbers[15] }
      #expect(zip(again, expected).allSatisfy { abs($0 - $1) < 1e-8 }, "\(numbers)")
    }
    #expect(regular > 190)
  }

  @Test func `a flat pair in space takes the flat way and comes out flat`() throws {
    let from = try spatial(turned(.pi, scale: 0.2).spatial.components)
    let mixed = ElementTransform.mixed(from, .identity, progress: 0.5, mixing: .decomposed)
    #expect(near(mixed, flat(0, 0.6, -0.6, 0)))
  }

  @Test func `what loses a dimension switches in the middle`() throws {
    let collapsed = try spatial([1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1])
    let lost = try spatial([1, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    for end in [collapsed, lost] {
      let other = try turnAboutY(1)
      #expect(ElementTransform.mixed(end, other, progress: 0.49, mixing: .decomposed) == end)
      #expect(ElementTransform.mixed(end, other, progress: 0.5, mixing: .decomposed) == other)
    }
  }

  @Test func `the ends are the very transforms and components go straight`() throws {
    let (from, to) = (try turnAboutY(0.3), try turnAboutY(2, scale: 4))
    for mixing in TransformMixing.allCases {
      #expect(ElementTransform.mixed(from, to, progress: 0, mixing: mixing) == from)
      #expect(ElementTransform.mixed(from, to, progress: 1, mixing: mixing) == to)
    }
    let mixed = ElementTransform.mixed(from, to, progress: 0.25, mixing: .componentwise)
    let expected = zip(from.components, to.components).map { 0.75 * $0 + 0.25 * $1 }
    #expect(near(mixed, try spatial(expected), 1e-15))
  }

  @Test func `the mix is finite for any finite ends and progress`() throws {
    let huge = Double.greatestFiniteMagnitude
    var wild = try turnAboutY(1).components
    wild[3] = huge
    wild[12] = huge
    let ends = [
      try turnAboutY(2, scale: 1e300), try turnAboutY(1, scale: 1e-300), try spatial(wild),
      try turnAboutY(0.1), try spatial(Array(repeating: huge, count: 16)), .identity,
    ]
    for from in ends {
      for to in ends {
        for progress in [-huge, -2, 0.5, 3, huge, .infinity, .nan] {
          for mixing in TransformMixing.allCases {
            #expect(ElementTransform.mixed(from, to, progress: progress, mixing: mixing).isFinite)
          }
        }
      }
    }
  }
}
