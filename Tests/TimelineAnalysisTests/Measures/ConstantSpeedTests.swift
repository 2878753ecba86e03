import Testing

@testable import MotionMeasures

@Suite struct ConstantSpeedTests {
  @Test(arguments: [(0.0, true), (0.5, true), (3, false)])
  func `a bend of less than 1 % of the extent is constant speed`(bend: Double, isConstant: Bool) {
    let times = (0...20).map { 5 + Double($0) * 0.016 }
    // A parabola that is so many points away from the straight line of 100 points in the middle.
    let values = (0...20).map { index in
      let share = Double(index) / 20
      return 100 * share + 4 * bend * share * (1 - share)
    }
    #expect(ConstantSpeed.holds(times[...], values[...]) == isConstant)
  }

  @Test func `what rests, and too few values, have no constant speed`() {
    #expect(!ConstantSpeed.holds([0, 1, 2, 3], [7, 7, 7, 7]))
    #expect(!ConstantSpeed.holds([0, 1], [0, 1]))
  }
}
