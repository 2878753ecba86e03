import MotionPhysics
import Testing

@Suite struct TimespaceTests {
  private static let tiny = Double.leastNonzeroMagnitude

  /// Time, start, end, and the time within.
  static let timespaces: [(Double, Double, Double, Double)] = [
    (0.5, 0.25, 0.75, 0.5), (0.1, 0.25, 0.75, 0), (0.9, 0.25, 0.75, 1), (0.5, 0.5, 0.5, 1),
    (0.6, 0.5, 1.5, 0.2), (-1, 0, 1, 0), (0.3, 0.8, 0.2, 1), (0.25, 0.25, 0.75, 0),
    (0.75, 0.25, 0.75, 1), (2, 0.5, 3, 1), (0, 0, 0, 1), (1, 1, 1, 1), (0.5, -1, 1, 0.5),
    (.nan, 0, 1, 0), (0.5, .nan, 1, 0.5), (0.5, 0, .nan, 1), (.infinity, 0, 1, 1),
    (0.5, -.infinity, .infinity, 0.5), (tiny, 0, 2 * tiny, 0.5),
  ]

  @Test(arguments: timespaces)
  func `the time within a part of the time`(
    time: Double, start: Double, end: Double, expected: Double
  ) {
    #expect(agree(convertTimespace(time, start: start, end: end), expected))
  }

  /// Initial, current and final value, and the progress.
  static let ways: [(Double, Double, Double, Double)] = [
    (1.0, 1.75, 2.5, 0.5), (1, 3, 2.5, 1), (1, 0.5, 2.5, 0), (1, 0.7, 0.4, 0.5), (1, 1, 1, 0),
    (1, 2, 1, 1), (1, 0, 1, 0), (0, tiny, 2 * tiny, 0.5), (-1e308, 0, 1e308, 0.5),
    (1e308, -1e308, -1e308, 1), (0, .infinity, 1, 1), (0, .nan, 1, 0), (.nan, 1, 4, 0.25),
    (-.infinity, 0, .infinity, 0.5), (.nan, .nan, .nan, 0),
  ]

  @Test(arguments: ways)
  func `the progress of a transition that follows a value`(
    initial: Double, current: Double, final: Double, expected: Double
  ) {
    #expect(
      agree(transitionProgress(initial: initial, current: current, final: final), expected))
  }

  @Test func `the share is held in 0 to 1 before it is eased`() throws {
    let cubic = Easing(.cubic, .inOut)
    #expect(transitionProgress(initial: 1, current: 1.375, final: 2.5, easing: cubic) == 0.0625)
    #expect(transitionProgress(initial: 1, current: 9, final: 2.5, easing: cubic) == 1)
    // The curve would go on to 1.5.
    let line = try Easing(bezier: 0, 0, 1, 1)
    #expect(transitionProgress(initial: 0, current: 3, final: 2, easing: line) == 1)
    // A curve may leave 0 to 1 by itself.
    let back = Easing(.back, .in)
    #expect(transitionProgress(initial: 0, current: 1, final: 2, easing: back) == -0.375)
  }
}
