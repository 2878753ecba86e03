import MotionPhysics
import Testing

@Suite struct EasingStepsTests {
  /// Four steps at -0.25, 0, 0.2, 0.25, 0.5, 0.75, 0.99, 1 and 1.25: worked by hand by the algorithm
  /// of CSS Easing Functions 2, and again by Tests/Oracles/easing.py.
  static let worked: [(EasingStepPosition, values: [Double])] = [
    (.jumpEnd, [-0.25, 0, 0, 0.25, 0.5, 0.75, 0.75, 1, 1.25]),
    (.jumpStart, [0, 0.25, 0.25, 0.5, 0.75, 1, 1, 1, 1.5]),
    (.jumpBoth, [0, 0.2, 0.2, 0.4, 0.6, 0.8, 0.8, 1, 1.2]),
    (.jumpNone, [-third, 0, 0, third, 2 * third, 1, 1, 1, 5 / 3]),
  ]
  private static let third = 1.0 / 3

  @Test(arguments: worked)
  func `four steps stand on the upper tread at a rise, and go on outside`(
    position: EasingStepPosition, values: [Double]
  ) throws {
    let easing = try Easing(steps: 4, position)
    let places = [-0.25, 0, 0.2, 0.25, 0.5, 0.75, 0.99, 1, 1.25]
    #expect(places.map(easing.value(at:)) == values)
  }

  @Test func `one step is CSS's step-start and step-end`() throws {
    let start = try #require(Easing(named: "step-start"))
    let end = try #require(Easing(named: "step-end"))
    #expect([-0.5, 0, 0.5, 1].map(start.value(at:)) == [0, 1, 1, 1])
    #expect([-0.5, 0, 0.5, 1].map(end.value(at:)) == [-1, 0, 0, 1])
    #expect(start.functionText == "steps(1,jump-start)")
    #expect(end.functionText == "steps(1,jump-end)")
    #expect(try Easing(steps: 1, .jumpBoth).value(at: 0.9) == 0.5)
  }

  @Test(arguments: [
    (0, EasingStepPosition.jumpEnd), (-1, .jumpStart), (.min, .jumpBoth), (1, .jumpNone),
  ])
  func `too few steps are refused`(count: Int, position: EasingStepPosition) {
    let error = #expect(throws: EasingError.self) { try Easing(steps: count, position) }
    #expect(error?.code == .badStepCount)
    #expect(error?.message.contains("\(count)") == true)
  }

  @Test(arguments: EasingStepPosition.allCases)
  func `as many steps as can be are a ramp, and finite`(position: EasingStepPosition) throws {
    let easing = try Easing(steps: .max, position)
    for x in [0, 0.25, 0.3, 1] { #expect(abs(easing.value(at: x) - x) < 1e-12) }
    for x in [-.infinity, -1e308, .nan, .leastNonzeroMagnitude, 1e308, .infinity] as [Double] {
      #expect(easing.value(at: x).isFinite, "\(x)")
    }
  }
}
