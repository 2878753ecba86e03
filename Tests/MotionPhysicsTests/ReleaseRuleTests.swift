import MotionPhysics
import Testing
import TimelineModel

@Suite struct ReleaseRuleTests {
  @Test func `more than the threshold finishes, the threshold itself cancels`() {
    let rule = ReleaseRule()
    #expect(rule.verdict(progress: 0.5, velocity: 9) == .init(outcome: .cancel, marginProgress: 0))
    #expect(rule.verdict(progress: Double(0.5).nextUp, velocity: nil).outcome == .finish)
    #expect(
      rule.verdict(progress: 0.75, velocity: -9) == .init(outcome: .finish, marginProgress: 0.25))
    #expect(
      rule.verdict(progress: -1, velocity: nil) == .init(outcome: .cancel, marginProgress: 1.5))
  }

  @Test func `the threshold is the caller's`() {
    let verdict = ReleaseRule(threshold: 0.1).verdict(progress: 0.35, velocity: nil)
    #expect(verdict.outcome == .finish)
    #expect(agree(verdict.marginProgress, 0.25))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a progress that is no finite number has a finite margin`(progress: Double) {
    let verdict = ReleaseRule().verdict(progress: progress, velocity: nil)
    #expect(verdict.marginProgress.isFinite && verdict.marginProgress >= 0)
    #expect(verdict.outcome == (progress == .infinity ? .finish : .cancel))
  }

  @Test func `the defaults are the documented ones`() {
    let parameters = ReleaseParameters()
    #expect(parameters.estimator == .lsq2)
    #expect(parameters.window == .android)
    #expect(parameters.window.name == "android")
    #expect(parameters.rule == ReleaseRule(kind: .progress, threshold: 0.5))
    #expect(
      Estimator.allCases.map(\.rawValue) == [
        "lsq1", "lsq2", "lsq3", "lsq2-restricted", "wlsq2-delta", "wlsq2-central", "wlsq2-recent",
        "int1", "int2", "legacy", "impulse", "impulse-2017", "mean", "mean5", "ios3", "macos3",
        "swiftui", "two-point", "kalman-cv", "kalman-ca", "one-euro", "auto",
      ])
  }
}
