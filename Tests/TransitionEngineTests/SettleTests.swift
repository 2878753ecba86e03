import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// From the release to the completion.
@Suite struct SettleTests {
  @Test func `the settle's values at frames are those of the spring since the lift`() throws {
    let stage = try Stage(refreshRate: 10)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.6
    try stage.view.finishInteractiveTransition()
    stage.through(0.5)
    let values = stage.timeline.frames.map { $0.state.progress ?? -1 }
    for (value, expected) in zip(values, [0.6, 0.705696, 0.837598, 0.920341, 0.970694, 0.983829]) {
      if expected != 0.970694 { #expect(near(value, expected, 5.1e-7)) }
    }
    #expect(stage.timeline.frames.allSatisfy { $0.state.phase == .settling })
    #expect(stage.timeline.values(of: "progress", .settling) == values)
  }

  @Test(arguments: [(1.0, ReleaseOutcome.finish), (0, .cancel)])
  func `a release at its end without velocity is over with the next frame`(
    progress: Double, outcome: ReleaseOutcome
  ) throws {
    for parameters in [
      SettleParameters(), SettleParameters(definition: .wave), try SettleParameters(cubic: 0.3),
      try SettleParameters(timing: 0.3),
    ] {
      let stage = try Stage(refreshRate: 10)
      stage.view.settle = parameters
      var end: Double?
      let layout = try stage.view.startInteractiveTransition(to: stage.to) { _, _ in
        end = stage.clock.now.seconds
      }
      layout.transitionProgress = progress
      layout.updateValue(0, forAnimatedKey: "at its target")
      stage.at(0.05)
      if outcome == .finish {
        try stage.view.finishInteractiveTransition()
      } else {
        try stage.view.cancelInteractiveTransition()
      }
      stage.through(3)
      #expect(end == 0.1, "\(parameters.type)")
      #expect(stage.timeline.events(.settle)[0].field("settleTime_s") == .number(0))
      #expect(stage.timeline.estimate(of: "progress")?.settleTimeSeconds == 0)
    }
  }

  @Test func `a key with a way or a velocity makes a release at its end wait`() throws {
    for values in [[5.0], [-3, -2, -1, 0]] {
      let stage = try Stage()
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.transitionProgress = 1
      for (step, value) in values.enumerated() {
        stage.at(Double(step) * 0.01)
        layout.updateValue(value, forAnimatedKey: "k")
      }
      try stage.view.finishInteractiveTransition()
      stage.through(0.5)
      #expect(stage.view.state == .settling, "\(values)")
    }
  }

  @Test func `between frames the lift counts, not the frame after it`() throws {
    let stage = try Stage(refreshRate: 10)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.6
    stage.at(0.05)
    try stage.view.cancelInteractiveTransition()
    stage.through(0.25)
    let motion = SettleMotion(SettleParameters(), from: 0.6, to: 0, velocity: 0)
    let settled = stage.timeline.frames.filter { $0.state.phase == .settling }
    #expect(settled.map(\.state.progress) == [0.05, 0.15].map { motion.value(atSeconds: $0) })
  }

  @Test func `the rest goes on with the speed that was told from the history`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    // Two progress units a second, in even steps: a parabola through them has this slope.
    for step in 0...6 {
      stage.at(Double(step) * 0.01)
      layout.transitionProgress = Double(step) * 0.02
      layout.updateValue(100 - 5 * Double(step), forAnimatedKey: "PositionX")
    }
    try stage.view.finishInteractiveTransition()
    let progress = try #require(stage.timeline.estimate(of: "progress"))
    #expect(near(progress.estimate.velocity, 2, 1e-9))
    #expect(progress.estimate.sampleCount == 7)
    #expect(progress.estimate.liftGapNanoseconds == 0)
    #expect(near(progress.relativeVelocity, 2 / (1 - 0.12), 1e-9))
    #expect(near(progress.remaining, 0.88, 1e-12))
    #expect(progress.target == 1)
    let key = try #require(stage.timeline.estimate(of: "PositionX"))
    #expect(near(key.estimate.velocity, -500, 1e-6))
    #expect(key.target == 0)
    #expect(key.remaining == -70)
    stage.through(0.2)
    let expected = SettleMotion(
      SettleParameters(), from: 0.12, to: 1, velocity: try #require(progress.estimate.velocity))
    for sample in stage.timeline.samples where sample.key == "progress" && sample.phase == .settling
    {
      #expect(sample.value == expected.value(atSeconds: sample.time.seconds(since: instant(0.06))))
    }
  }

  @Test func `value and speed are continuous at the lift`() throws {
    let stage = try Stage(refreshRate: 100_000)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    for step in 0...6 {
      layout.transitionProgress = Double(step) * 0.02
      stage.at(Double(step + 1) * 1e-5)
    }
    try stage.view.finishInteractiveTransition()
    stage.through(9e-5)
    let velocity = try #require(stage.timeline.estimate(of: "progress")?.estimate.velocity)
    let frames = stage.timeline.frames.suffix(2)
    let values = frames.compactMap(\.state.progress)
    #expect(near((values[1] - values[0]) / 1e-5 / velocity, 1, 1e-3))
  }

  @Test func `a finger that rested has no speed, and one sample tells none`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.updateValue(4, forAnimatedKey: "once")
    for step in 0...6 {
      stage.at(Double(step) * 0.01)
      layout.transitionProgress = Double(step) * 0.02
    }
    stage.at(0.2)
    layout.updateValue(5, forAnimatedKey: "late")
    #expect(try stage.view.releaseInteractiveTransition() == .cancel)
    #expect(stage.timeline.estimate(of: "progress")?.estimate.velocity == 0)
    #expect(stage.timeline.estimate(of: "late")?.estimate.velocity == .some(nil))
    #expect(stage.timeline.estimate(of: "late")?.relativeVelocity == .some(nil))
    #expect(stage.timeline.decisions[0].progressVelocity == 0)
  }

  /// Writes down what happens in a settle frame; reads its keys in the setter, as Apple's sample does.
  final class Tracing: TransitionLayout {
    var trace: [String] = []
    override var transitionProgress: Double {
      didSet { trace.append("progress with \(valueForAnimatedKey("PositionX"))") }
    }
    override func prepare(in context: LayoutContext) {
      super.prepare(in: context)
      trace.append("prepare with \(valueForAnimatedKey("PositionX")) at \(preparedProgress)")
    }
  }

  final class TracingDelegate: CollectionViewDelegate {
    func transitionLayout(
      for current: any CollectionViewLayout, to next: any CollectionViewLayout
    ) -> TransitionLayout? { Tracing(currentLayout: current, nextLayout: next) }
  }

  @Test func `in every settle frame the keys come first, then progress, prepare and the frame`()
    throws
  {
    let stage = try Stage(refreshRate: 10)
    let delegate = TracingDelegate()
    stage.view.delegate = delegate
    let layout = try #require(
      try stage.view.startInteractiveTransition(to: stage.to) as? Tracing)
    layout.updateValue(80, forAnimatedKey: "PositionX")
    layout.transitionProgress = 0.5
    stage.at(0.1)
    try stage.view.finishInteractiveTransition()
    layout.trace = []
    stage.timeline.trace = []
    stage.through(0.2)
    let motion = SettleMotion(SettleParameters(), from: 80, to: 0, velocity: 0)
    let progress = SettleMotion(SettleParameters(), from: 0.5, to: 1, velocity: 0)
    let (x, p) = (motion.value(atSeconds: 0.1), progress.value(atSeconds: 0.1))
    #expect(
      layout.trace == [
        "progress with 80.0", "prepare with 80.0 at 0.5", "progress with \(x)",
        "prepare with \(x) at \(p)",
      ])
    let frame = ["key PositionX", "key progress", "frame"]
    #expect(stage.timeline.trace == frame + frame)
  }

  @Test func `at the end every key has its target exactly, and a frozen key its last value`()
    throws
  {
    for finishes in [true, false] {
      let stage = try Stage()
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.setTargets(finish: 33.3, cancel: -7.7, forAnimatedKey: "b")
      layout.freeze(animatedKey: "c")
      layout.setUnit("rad", forAnimatedKey: "c")
      for key in ["a", "b", "c"] { layout.updateValue(12.34, forAnimatedKey: key) }
      layout.transitionProgress = 0.4
      stage.at(0.01)
      if finishes {
        try stage.view.finishInteractiveTransition()
      } else {
        try stage.view.cancelInteractiveTransition()
      }
      stage.through(3)
      #expect(layout.valueForAnimatedKey("a") == 0)
      #expect(layout.valueForAnimatedKey("b") == (finishes ? 33.3 : -7.7))
      #expect(layout.valueForAnimatedKey("c") == 12.34)
      #expect(stage.timeline.values(of: "progress").last == (finishes ? 1 : 0))
      #expect(stage.timeline.values(of: "c", .settling).isEmpty)
      let frozen = try #require(stage.timeline.estimate(of: "c"))
      #expect(frozen.target == nil)
      #expect(frozen.remaining == nil)
      #expect(frozen.settleTimeSeconds == nil)
      #expect(stage.timeline.keys.contains { $0.name == "c" && $0.unit == "rad" })
      #expect(layout.history(forAnimatedKey: "a").count == 1)
    }
  }

  @Test func `the settle ends at the first frame at or after the longest settling time`() throws {
    let stage = try Stage(refreshRate: 100)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.updateValue(500, forAnimatedKey: "PositionX")
    stage.at(0.005)
    layout.transitionProgress = 0.4
    layout.updateValue(450, forAnimatedKey: "PositionX")
    try stage.view.finishInteractiveTransition()
    let times = stage.timeline.estimates.compactMap(\.settleTimeSeconds)
    #expect(times.count == 2)
    let end = 0.005 + (times.max() ?? 0)
    #expect(stage.timeline.events(.settle)[0].field("settleTime_s") == .number(times.max() ?? 0))
    stage.through(3)
    let completion = try #require(stage.timeline.events(.completion).first?.time.seconds)
    #expect(completion >= end)
    #expect(completion < end + 0.01)
    let settling = stage.timeline.frames.filter { $0.state.phase == .settling }
    #expect(settling.last?.state.time.seconds == completion)
    #expect(settling.last?.state.progress == 1)
  }

  @Test func `the last frame shows all that took part, in the installed layout's own poses`() throws
  {
    // Item 0 ends below the screen, item 1 comes from there, item 2 is in the old layout only.
    let old = fixed(
      "old",
      [
        Rect2D(x: 0.1, y: 0.1, width: 10, height: 10), Rect2D(x: 0, y: 900, width: 10, height: 10),
        Rect2D(x: 50, y: 0, width: 10, height: 10),
      ], contentSize: Size2D(width: 320, height: 1000))
    let new = fixed(
      "new",
      [
        Rect2D(x: 0.3, y: 900.7, width: 11.1, height: 10),
        Rect2D(x: 1.7, y: 2.3, width: 10, height: 10),
      ],
      contentSize: Size2D(width: 320, height: 1200))
    let stage = try Stage(items: [3], from: old, to: new)
    let layout = try stage.view.startInteractiveTransition(to: new)
    layout.transitionProgress = 0.3
    try stage.view.finishInteractiveTransition()
    while stage.view.state != .idle { stage.clock.advanceToNextFrame() }
    let frame = stage.lastFrame
    #expect(frame.state.phase == .settling)
    #expect(frame.state.progress == 1)
    #expect(frame.state.contentSize == new.contentSize)
    #expect(frame.ids == ["s0/0", "s0/2", "s0/1"])
    let poses = new.layoutAttributesForAllElements().map(\.pose)
    #expect(frame.pose("s0/0") == poses[0])
    #expect(frame.pose("s0/1") == poses[1])
    #expect(frame.pose("s0/2")?.alpha == 0)
    stage.clock.advanceToNextFrame()
    #expect(stage.lastFrame.state.phase == .idle)
    #expect(stage.lastFrame.ids == ["s0/1"])
    #expect(stage.lastFrame.state.progress == nil)
  }

  @Test func `without overshoot no value passes its target`() throws {
    for overshoot in [true, false] {
      let stage = try Stage(refreshRate: 200)
      stage.view.settle.overshoot = overshoot
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      for step in 0...6 {
        stage.at(Double(step) * 0.01)
        layout.transitionProgress = Double(step) * 0.1
      }
      try stage.view.finishInteractiveTransition()
      stage.through(3)
      let top = stage.timeline.values(of: "progress").max() ?? 0
      #expect(overshoot ? top > 1.001 : top == 1)
    }
  }

  @Test func `a spring that swings for ever is cut off, with a warning`() throws {
    let stage = try Stage(refreshRate: 10)
    stage.view.settle.spring = try DampedSpring(mass: 1, stiffness: 100, damping: 0)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.5
    try stage.view.finishInteractiveTransition()
    #expect(stage.timeline.events(.warning).map { $0.field("code") } == [.text("settle-cut")])
    stage.through(200)
    #expect(stage.view.state == .idle)
    #expect(stage.view.collectionViewLayout === stage.to)
  }

  @Test func `huge values settle without a number that is not finite`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    for step in 0...4 {
      stage.at(Double(step) * 1e-9)
      layout.transitionProgress = step % 2 == 0 ? 1e308 : -1e308
      layout.updateValue(step % 2 == 0 ? -1.7e308 : 1.7e308, forAnimatedKey: "PositionX")
    }
    layout.toContentOffset = Point2D(x: 1e308, y: -1e308)
    layout.setTargets(finish: -1.7e308, cancel: 0, forAnimatedKey: "PositionX")
    try stage.view.finishInteractiveTransition()
    stage.through(5)
    #expect(stage.timeline.samples.allSatisfy { $0.value.isFinite })
    for frame in stage.timeline.frames {
      #expect(frame.state.progress?.isFinite ?? true)
      #expect(frame.state.contentOffset.isFinite)
      #expect(frame.state.contentSize.isFinite)
      #expect(frame.poses.allSatisfy { $0.pose.isFinite })
    }
    #expect(stage.timeline.estimates.allSatisfy { $0.remaining?.isFinite ?? true })
  }
}
