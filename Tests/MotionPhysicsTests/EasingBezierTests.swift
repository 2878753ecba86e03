import MotionPhysics
import TestSupport
import Testing

@Suite struct EasingBezierTests {
  /// Curves at -0.5, 0.1, 0.25, 0.5, 0.75, 0.9 and 1.5, solved in exact fractions by
  /// Tests/Oracles/easing.py; among them curves that stand upright at an end or in the middle.
  static let solved: [(points: [Double], values: [Double])] = [
    (
      [0.25, 0.1, 0.25, 1.0],
      [
        -0.2, 0.09479630571604325, 0.40851059135539586, 0.802403387584857, 0.9604589783489741,
        0.9943164774845564, 1.0,
      ]
    ),
    (
      [0.42, 0.0, 1.0, 1.0],
      [
        0.0, 0.017026609651562944, 0.09346465071882486, 0.31535681257253934, 0.6218618691748902,
        0.8394278457624665, 1.8620689655172413,
      ]
    ),
    (
      [0.0, 0.0, 0.58, 1.0],
      [
        -0.8620689655172414, 0.1605721542375335, 0.37813813082510983, 0.6846431874274607,
        0.9065353492811752, 0.9829733903484371, 1.0,
      ]
    ),
    (
      [0.42, 0.0, 0.58, 1.0],
      [
        0.0, 0.0197224535483112, 0.12916193104731982, 0.5, 0.8708380689526802, 0.9802775464516889,
        1.0,
      ]
    ),
    (
      [0.68, -0.55, 0.265, 1.55],
      [
        0.40441176470588236, -0.06629147733352875, -0.0828071088283226, 0.6066798972237716,
        1.0891657748134211, 1.06237319516637, 0.6258503401360543,
      ]
    ),
    (
      [1.0, 0.0, 0.0, 1.0],
      [
        0.0, 0.0037616749580831666, 0.029724605511925198, 0.5, 0.9702753944880748,
        0.9962383250419168, 1.0,
      ]
    ),
    (
      [0.0, 1.0, 1.0, 0.0],
      [
        0.0, 0.38740031697727517, 0.479055466999209, 0.5, 0.520944533000791, 0.6125996830227248,
        1.0,
      ]
    ),
    (
      [0.0, 0.0, 0.0, 1.0],
      [
        0.0, 0.4463304070095651, 0.6905507889761496, 0.8898815748423098, 0.9764454366709701,
        0.996509255358473, 1.0,
      ]
    ),
    (
      [1.0, 1.0, 1.0, 0.0],
      [
        -0.5, 0.09655035690005669, 0.22720998409373053, 0.3986615717323203, 0.4912200031099895,
        0.5001841639352965, 1.0,
      ]
    ),
    (
      [0.0, -2.0, 0.3, 3.0],
      [
        0.0, -0.20461485499695575, 0.5568877953339053, 1.33424503816442, 1.4537694075561511,
        1.2451637716530943, -0.42857142857142855,
      ]
    ),
  ]

  private func curve(_ points: [Double]) throws -> Easing {
    try Easing(bezier: points[0], points[1], points[2], points[3])
  }

  @Test(arguments: solved)
  func `a curve has the y of its x, and goes on along its ends`(
    points: [Double], values: [Double]
  ) throws {
    let easing = try curve(points)
    for (x, y) in zip([-0.5, 0.1, 0.25, 0.5, 0.75, 0.9, 1.5], values) {
      #expect(abs(easing.value(at: x) - y) < 1e-12, "\(x)")
    }
    #expect(easing.value(at: 0) == 0)
    #expect(easing.value(at: 1) == 1)
  }

  /// Control points, a place outside 0 to 1, and the value there by the line from the end through the
  /// nearest control point that is another point.
  static let beyond: [(points: [Double], x: Double, y: Double)] = [
    ([0.5, 0, 1, 0.5], 2, 1), ([0, 0, 0, 0], -1, -1), ([1, 1, 1, 1], 2, 2), ([0, 0, 0, 0], 2, 2),
    ([1, 1, 1, 1], -1, -1), ([0, 1, 0.5, 1], -1, 0), ([0, 0, 0.5, 1], -1, -2),
    ([0, 0, 0, 2], -3, 0), ([0.5, 0, 1, 1], 2, 3), ([1, -1, 1, 1], 3, 1), ([0, 0, 1, 1], 5, 5),
    ([0, 0, 1, 1], -5, -5), ([0, -0.0, 0, 0], -1, -1),
  ]

  @Test(arguments: beyond)
  func
    `outside 0 to 1 the nearest other control point tells the slope: upright level, none straight`(
      points: [Double], x: Double, y: Double
    ) throws
  {
    #expect(try curve(points).value(at: x) == y)
  }

  @Test func `with y equal to x at both points the curve is a straight line to the last bit`()
    throws
  {
    for points in [[0, 0, 1, 1], [0.3, 0.3, 0.9, 0.9], [1, 1, 0, 0]] as [[Double]] {
      let easing = try curve(points)
      for x in [0, 0.1, 0.3, 0.7, 1] { #expect(easing.value(at: x) == x) }
    }
    #expect(try curve([0, 0, 1, 1]).value(at: -2.5) == -2.5)
    #expect(try curve([0, 0, 1, 1]).value(at: 2.5) == 2.5)
  }

  @Test func `any curve meets the point that its own parameter leads to`() throws {
    var dice = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let corners = [0, 1, Double.random(in: 0...1, using: &dice)]
      let (x1, x2) = (corners.randomElement(using: &dice)!, corners.randomElement(using: &dice)!)
      let (y1, y2) = (
        Double.random(in: -3...3, using: &dice), Double.random(in: -3...3, using: &dice)
      )
      let easing = try Easing(bezier: x1, y1, x2, y2)
      let t = Double.random(in: 0...1, using: &dice)
      func at(_ a: Double, _ b: Double, _ t: Double) -> Double {
        3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
      }
      // How far a rounding of x moves y grows with the slope there; 1e-5 is where it stands upright.
      let run = abs(at(x1, x2, min(t + 1e-6, 1)) - at(x1, x2, t)) * 1e6
      let allowed = run > 1e-3 ? 1e-11 : 1e-4
      #expect(
        abs(easing.value(at: at(x1, x2, t)) - at(y1, y2, t)) < allowed, "\(easing.name) \(t)")
    }
  }

  @Test func `a curve with rising points rises`() throws {
    for points in [[0, 0, 0, 1], [1, 0, 0, 1], [1, 0, 1, 1], [0.42, 0, 0.58, 1]] as [[Double]] {
      let easing = try curve(points)
      let values = (0...2000).map { easing.value(at: Double($0) / 2000) }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "\(points)")
    }
  }

  static let wrong: [[Double]] = [
    [-0.1, 0, 1, 1], [1.1, 0, 1, 1], [0, 0, -tiny, 1], [0, 0, 1.0.nextUp, 1], [.nan, 0, 1, 1],
    [0, 0, .infinity, 1], [0, .nan, 1, 1], [0, 0, 1, -.infinity],
  ]

  @Test(arguments: wrong)
  func `control points off 0 to 1 or without number are refused`(points: [Double]) {
    let error = #expect(throws: EasingError.self) { try curve(points) }
    #expect(error?.code == .badControlPoint)
    #expect(error?.message.isEmpty == false)
  }

  @Test func `huge and tiny control points give finite values`() throws {
    let (huge, tiny) = (EasingBezierTests.huge, EasingBezierTests.tiny)
    let curves: [[Double]] = [
      [0, huge, 1, -huge], [tiny, huge, 1, huge], [0, -huge, 1.0.nextDown, -huge],
      [tiny, tiny, tiny, tiny], [1, huge, 0, huge],
    ]
    let places: [Double] = [
      -huge, -1, -tiny, tiny, 1e-300, 0.5, 1.0.nextDown, 1.0.nextUp, 2, huge, .infinity,
    ]
    for points in curves {
      let easing = try curve(points)
      for x in places { #expect(easing.value(at: x).isFinite, "\(points) \(x)") }
      #expect(easing.value(at: .nan) == 0)
    }
  }

  private static let huge = Double.greatestFiniteMagnitude
  private static let tiny = Double.leastNonzeroMagnitude
}
