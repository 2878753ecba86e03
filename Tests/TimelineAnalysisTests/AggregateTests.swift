import MotionMeasures
import Testing

@testable import MotionJudgement

@Suite struct AggregateTests {
  @Test func `of many runs the best, the middle or the worst counts`() {
    let values: [Double?] = [3, 1, 2, 10]
    #expect(Tolerances.Aggregate.optimistic.value(of: values) == 1)
    #expect(Tolerances.Aggregate.median.value(of: values) == 2.5)
    #expect(Tolerances.Aggregate.pessimistic.value(of: values) == 10)
    #expect(Tolerances.Aggregate.median.value(of: [7]) == 7)
  }

  @Test func `a number that cannot be told is the worst there is`() {
    #expect(Tolerances.Aggregate.optimistic.value(of: [nil, 1]) == 1)
    #expect(Tolerances.Aggregate.pessimistic.value(of: [nil, 1]) == nil)
    #expect(Tolerances.Aggregate.median.value(of: [nil, 1, 2]) == 2)
    #expect(Tolerances.Aggregate.median.value(of: [nil, 1]) == nil)
    #expect(Tolerances.Aggregate.median.value(of: []) == nil)
  }

  @Test func `limits are found by the name of what was measured`() {
    var ladder = Tolerances.Ladder()
    ladder.maxAbs = Tolerances.Bound(warn: 1, fail: 2)
    ladder.rms = Tolerances.Bound(fail: 3)
    ladder.hard = 4
    ladder.overPercent = Tolerances.Bound(warn: 5, fail: 6)
    let rule = Tolerances.Rule(.key("*", ladder), aggregate: .median)
    #expect(rule.bound(of: "max_abs") == Tolerances.Bound(warn: 1, fail: 2))
    #expect(rule.bound(of: "rms") == Tolerances.Bound(fail: 3))
    #expect(rule.bound(of: "hard") == Tolerances.Bound(fail: 4))
    #expect(rule.bound(of: "over_percent") == Tolerances.Bound(fail: 6))
    #expect(rule.bound(of: "over_percent.warn") == Tolerances.Bound(warn: 5))
    #expect(!rule.isOfOneRun)
    let match = Tolerances.Rule(.metric(.decision, of: nil, Tolerances.Bound(), mustMatch: true))
    #expect(match.bound(of: "decision") == Tolerances.Bound(fail: 0))
    #expect(
      Tolerances.Rule(.metric(.jank, of: nil, Tolerances.Bound(fail: 1), mustMatch: false))
        .isOfOneRun)
  }
}
