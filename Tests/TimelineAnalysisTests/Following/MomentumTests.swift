import KymographCLibrary
import MotionMeasures
import Testing

/// Which motions run out as what was thrown does.
@Suite struct MomentumTests {
  /// A decay of 400 points with a constant of 0.3 s, of whose frames every third or fourth is missing.
  private static let times = (0..<90).filter { $0 % 4 != 1 && $0 % 7 != 3 }.map { Double($0) / 60 }
  private static let decay = times.map { 400 * (1 - exp(-$0 / 0.3)) }

  @Test func `a decay runs out, though frames of it are missing`() {
    #expect(Momentum.runsOut(Self.times, Self.decay))
  }

  @Test(arguments: [40.0, -40])
  func `a lone step, on or back, is a matter of its own`(step: Double) {
    let stepped = zip(Self.times, Self.decay).map { $0 > 0.2 ? $1 + step : $1 }
    #expect(Momentum.runsOut(Self.times, stepped))
  }

  @Test func `what sets off slowly does not run out`() {
    let values = Self.times.map { time in
      let share = min(1, time / 1.2)
      return 400 * share * share * (3 - 2 * share)
    }
    #expect(!Momentum.runsOut(Self.times, values))
  }
}
