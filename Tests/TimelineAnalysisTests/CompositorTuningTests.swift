import MotionPhysics
import TestSupport
import Testing

@testable import MotionMeasures
@testable import RunStudies

/// The search among the rules of Linux compositors.
@Suite struct CompositorTuningTests {
  @Test(
    "Hyprland's threshold of the speed is off at 0, which is a value of its own in every search")
  func speedOff() throws {
    var release = ReleaseParameters(.hyprland)
    release.rule = ReleaseRule(kind: .hyprland, velocityThreshold: 10)
    // Fast gestures were meant to cancel: no speed is to decide.
    let gestures = (0..<24).map { place -> TuningGesture in
      let isFinish = place % 2 == 0
      let speed = isFinish ? 0.01 : 0.2 + Double(place) / 1000
      return TuningGesture(
        isMeantToFinish: isFinish, progress: isFinish ? 0.7 : 0.3, velocities: [speed],
        own: release, finishesNow: true)
    }
    for values in [
      TuningSpace.Values.range(0...40), .list([0, 10, 30], isRange: false), .range(0...0),
    ] {
      var space = TuningSpace()
      space.numbers = [(.velocityThreshold, values)]
      let tuning = RuleTuning.search(gestures, in: space)
      let best = try #require(tuning.found).best
      #expect(best.setting.change.velocityThreshold == 0, "\(values)")
      #expect(best.errors.cost == 0, "\(values)")
    }
    // With a range above the speeds of all gestures 0 is as good as that, and what is in use stays.
    var space = TuningSpace()
    space.numbers = [(.velocityThreshold, .range(0...90))]
    let tuning = RuleTuning.search(gestures, in: space)
    #expect(tuning.found?.best.errors.cost == 0)
    #expect(tuning.found?.regions.first?.range.upperBound == 90)
  }

  @Test("each compositor's rule is searched with its own measure and its own progress")
  func ownMeasures() {
    var space = TuningSpace()
    space.kinds = [.velocity, .niri, .hyprland, .kwin]
    #expect(space.measures.map(\.preset) == [nil, .niri, .hyprland])
    var points: [TuningPoint] = []
    space.forEachPoint(now: TuningCurrent([])) { points.append($0) }
    #expect(points.map(\.measure) == [0, 1, 2, 0])
    // An estimator that is named goes to the rules that take it.
    space.estimators = [.lsq1, .mean]
    #expect(space.measures.count == 4)
    points = []
    space.forEachPoint(now: TuningCurrent([])) { points.append($0) }
    #expect(points.map(\.measure) == [1, 2, 1, 2, 3, 0])
    var release = ReleaseParameters()
    release.rule = ReleaseRule(kind: .progress)
    let gesture = TuningGesture(
      isMeantToFinish: true, progress: 0.9, progressByRule: [.hyprland: 0.1],
      velocities: [1, 2, 3, 0.2],
      own: release, finishesNow: true)
    var setting = TuningSetting(measure: 3, change: RuleChange())
    setting.change.kind = .hyprland
    #expect(gesture.asked(by: setting).progress == 0.1)
    #expect(gesture.asked(by: setting).velocity == 0.2)
    setting.measure = 0
    #expect(gesture.asked(by: setting).velocity == nil)
    setting.change.kind = .velocity
    #expect(gesture.asked(by: setting).progress == 0.9)
    #expect(gesture.asked(by: setting).velocity == 1)
  }
}
