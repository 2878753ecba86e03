import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// A view of one item that goes from the left to the right, 1000 frames a second so that speeds can be
/// read off neighbouring frames.
func slide(_ policy: ReentryPolicy) throws -> Stage {
  let stage = try Stage(
    viewport: Size2D(width: 1000, height: 1000), items: [1], refreshRate: 1000,
    from: fixed("left", [Rect2D(x: 0, y: 0, width: 10, height: 10)]),
    to: fixed("right", [Rect2D(x: 500, y: 0, width: 10, height: 10)]))
  stage.view.reentry = policy
  return stage
}

/// Where the item is in each frame, and how fast between frames, in points and points per second.
private func path(_ stage: Stage, _ key: KeyPath<Pose, Double> = \.center.x) -> [Double] {
  stage.timeline.frames.compactMap { $0.poses.first?.pose[keyPath: key] }
}

private func largestJump(_ values: [Double], from: Int) -> (step: Double, bend: Double) {
  var step = 0.0
  var bend = 0.0
  for index in max(2, from)..<values.count {
    step = max(step, abs(values[index] - values[index - 1]))
    bend = max(bend, abs(values[index] - 2 * values[index - 1] + values[index - 2]))
  }
  return (step, bend)
}

/// Drives a transition evenly for 0.1 s up to the progress 0.5.
private func drive(_ stage: Stage, _ layout: TransitionLayout, from start: Double = 0) {
  for step in 1...10 {
    stage.at(start + Double(step) * 0.01)
    layout.transitionProgress = 0.05 * Double(step)
    stage.view.invalidateLayout()
  }
}

@Suite struct ReentryTests {
  @Test func `Refuse is the default: a start while one is under way throws, and nothing changes`()
    throws
  {
    let stage = try Stage()
    #expect(stage.view.reentry == .refuse)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    #expect(throws: TransitionError.self) {
      try stage.view.startInteractiveTransition(to: stage.from)
    }
    #expect(stage.view.transitionLayout === layout)
  }

  @Test func `Retarget: a start in a settle goes on from the screen without a jump or a bend`()
    throws
  {
    let stage = try slide(.retarget)
    var completed: [String] = []
    let first = try stage.view.startInteractiveTransition(to: stage.to) {
      completed.append("first \($0) \($1)")
    }
    drive(stage, first)
    try stage.view.finishInteractiveTransition()
    stage.at(0.15)
    let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
    let second = try stage.view.startInteractiveTransition(to: third) {
      completed.append("second \($0) \($1)")
    }
    #expect(completed == ["first false true"])
    #expect(second.currentLayout === stage.to)
    #expect(first.isInTransition == false)
    stage.at(0.3)
    try stage.view.finishInteractiveTransition()
    stage.through(4)
    #expect(completed == ["first false true", "second true true"])
    #expect(stage.lastFrame.poses.first?.pose.frame.origin == Point2D(x: 0, y: 400))
    // From the start of the settle on: at 1000 frames a second a step below 10 points is 10,000 pt/s,
    // and a bend is an acceleration.
    let jump = largestJump(path(stage), from: 102)
    #expect(jump.step < 8)
    #expect(jump.bend < 0.3)
    #expect(stage.timeline.events(.error).isEmpty)
  }

  @Test func `Retarget: a start while another is driven takes over the finger's velocity`() throws {
    let stage = try slide(.retarget)
    let first = try stage.view.startInteractiveTransition(to: stage.to)
    drive(stage, first)
    stage.at(0.1)
    let speed = 0.05 / 0.01 * 500
    let second = try stage.view.startInteractiveTransition(to: stage.to)
    stage.at(0.105)
    let values = path(stage)
    let moved = values[values.count - 1] - values[values.count - 4]
    #expect(near(moved / 0.003, speed, 0.1 * speed), "\(moved / 0.003) pt/s")
    #expect(second.currentLayout === stage.from)
    try stage.view.cancelInteractiveTransition()
    stage.through(4)
    #expect(stage.view.collectionViewLayout === stage.from)
    #expect(stage.lastFrame.poses.first?.pose.frame.minX == 0)
  }

  @Test func `Retarget: a finish that settles turns into a cancel, and back, with its velocity`()
    throws
  {
    let stage = try slide(.retarget)
    var completed: [[Bool]] = []
    let layout = try stage.view.startInteractiveTransition(to: stage.to) {
      completed.append([$0, $1])
    }
    layout.updateValue(40, forAnimatedKey: "k")
    drive(stage, layout)
    try stage.view.finishInteractiveTransition()
    stage.at(0.2)
    try stage.view.cancelInteractiveTransition()
    stage.at(0.3)
    try stage.view.finishInteractiveTransition()
    try stage.view.finishInteractiveTransition()
    stage.at(0.4)
    try stage.view.cancelInteractiveTransition()
    stage.through(4)
    #expect(completed == [[true, false]])
    #expect(stage.timeline.events(.retarget).count == 3)
    #expect(stage.timeline.events(.settle).allSatisfy { $0.field("keys") != .list([]) })
    #expect(stage.view.collectionViewLayout === stage.from)
    let jump = largestJump(path(stage), from: 102)
    #expect(jump.step < 8)
    #expect(jump.bend < 0.3)
    let keys = stage.timeline.values(of: "k", .settling)
    #expect(keys.last == 0)
    #expect(largestJump(keys, from: 2).bend < 0.1)
  }

  @Test
  func `Retarget: what takes a stated time has arrived by then, and begins with the velocity`()
    throws
  {
    for isTimed in [true, false] {
      let stage = try slide(.retarget)
      let first = try stage.view.startInteractiveTransition(to: stage.to)
      drive(stage, first)
      try stage.view.finishInteractiveTransition()
      stage.at(0.15)
      let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
      var end: Double?
      if isTimed {
        try stage.view.animateTransition(to: third, duration: 0.4, easing: Easing(.sine, .inOut)) {
          _, _ in end = stage.clock.now.seconds
        }
      } else {
        try stage.view.setCollectionViewLayout(
          third, animated: true, duration: 0.4, easing: Easing(.sine, .inOut)
        ) { _ in end = stage.clock.now.seconds }
      }
      stage.through(0.55)
      #expect(end == 0.55)
      #expect(stage.view.isAtRest)
      #expect(stage.lastFrame.poses.first?.pose.frame.origin == Point2D(x: 0, y: 400))
      let jump = largestJump(path(stage), from: 102)
      #expect(jump.step < 8)
      #expect(jump.bend < 0.3)
    }
  }

  @Test func `Retarget: on the screen nothing jumps or bends where the offset is driven, too`()
    throws
  {
    let stage = try Stage(
      items: [100], refreshRate: 2000, from: grid("small"),
      to: grid("large", Size2D(width: 300, height: 200)))
    stage.view.reentry = .retarget
    let first = try stage.view.startInteractiveTransition(to: stage.to)
    first.toContentOffset = stage.view.toContentOffset(
      for: first, items: [ItemIndexPath(section: 0, item: 40)], placement: .center)
    for step in 1...6 {
      stage.at(Double(step) * 0.01)
      first.transitionProgress = 0.05 * Double(step)
      stage.view.invalidateLayout()
    }
    try stage.view.finishInteractiveTransition()
    stage.at(0.15)
    try stage.view.startInteractiveTransition(to: grid("third", Size2D(width: 60, height: 60)))
    stage.at(0.4)
    let places = stage.timeline.frames.compactMap { frame in
      frame.pose("s0/40").map { $0.center.y - frame.state.contentOffset.y }
    }
    let near = places[295..<320]
    for number in near.indices.dropFirst(2) {
      let bend = places[number] - 2 * places[number - 1] + places[number - 2]
      #expect(abs(bend) < 0.3, "\(bend) at frame \(number)")
    }
  }

  @Test func `Retarget: no settle ends before what was on the screen is left behind`() throws {
    let stage = try slide(.retarget)
    stage.view.settle = SettleParameters(
      spring: try DampedSpring(mass: 1, stiffness: 20, damping: 4))
    let first = try stage.view.startInteractiveTransition(to: stage.to)
    drive(stage, first)
    try stage.view.finishInteractiveTransition()
    stage.at(0.15)
    let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
    let second = try stage.view.startInteractiveTransition(to: third)
    second.transitionProgress = 1
    stage.view.invalidateLayout()
    try stage.view.finishInteractiveTransition()
    while !stage.view.isAtRest { stage.clock.advanceToNextFrame() }
    let places = stage.timeline.frames.suffix(2).compactMap { $0.poses.first?.pose.center }
    #expect(near(places[0], places[1], 1.5))
  }

  @Test func `A layout in a batch takes over from a transition, or the batch is refused`() throws {
    let stage = try slide(.retarget)
    try stage.view.startInteractiveTransition(to: stage.to)
    try stage.view.performBatchUpdates(duration: 0.1) {
      try? stage.view.setCollectionViewLayout(stage.to, animated: false)
    }
    #expect(stage.view.state == .idle)
    #expect(stage.view.collectionViewLayout === stage.to)
    stage.through(1)
    #expect(stage.lastFrame.poses.first?.pose.frame.minX == 500)
  }

  @Test func `Retarget: keys that nobody sets settle on under the new transition`() throws {
    let stage = try slide(.retarget)
    let first = try stage.view.startInteractiveTransition(to: stage.to)
    first.setTargets(finish: 10, cancel: 0, forAnimatedKey: "k")
    first.updateValue(50, forAnimatedKey: "k")
    first.updateValue(9, forAnimatedKey: "set")
    try stage.view.finishInteractiveTransition()
    stage.at(0.1)
    let second = try stage.view.startInteractiveTransition(to: stage.from)
    second.updateValue(20, forAnimatedKey: "set")
    stage.at(2)
    #expect(second.valueForAnimatedKey("k") == 10)
    #expect(second.valueForAnimatedKey("set") == 20)
    // Driven were what was set, and what the second transition found; the rest nobody drives.
    #expect(stage.timeline.values(of: "k", .driving).count == 2)
    let values = stage.timeline.values(of: "k")
    #expect(zip(values, values.dropFirst()).allSatisfy { abs($0 - $1) < 1 })
  }

  @Test func `Retarget: keys settle on under a layout that is exchanged, too`() throws {
    let stage = try slide(.retarget)
    let first = try stage.view.startInteractiveTransition(to: stage.to)
    first.updateValue(50, forAnimatedKey: "k")
    try stage.view.finishInteractiveTransition()
    stage.at(0.1)
    try stage.view.setCollectionViewLayout(stage.from, animated: true, duration: 2)
    stage.at(2)
    #expect(stage.timeline.values(of: "k").last == 0)
  }

  @Test func `Retarget: finish and cancel without any transition are refused as ever`() throws {
    let stage = try slide(.retarget)
    #expect(throws: TransitionError.self) { try stage.view.finishInteractiveTransition() }
    #expect(throws: TransitionError.self) { try stage.view.cancelInteractiveTransition() }
  }

  @Test func `Retarget: a layout set at once takes over at once, an animated one blends`() throws {
    let stage = try slide(.retarget)
    let easing = Easing(.sine, .inOut)
    try stage.view.setCollectionViewLayout(stage.to, animated: true, duration: 1, easing: easing)
    stage.through(0.5)
    try stage.view.setCollectionViewLayout(stage.from, animated: true, duration: 1, easing: easing)
    stage.through(3)
    let jump = largestJump(path(stage), from: 2)
    // A settle ends when a thousandth of its way is left, which is here 0.25 points.
    #expect(jump.step < 2)
    #expect(jump.bend < 0.25)
    #expect(stage.lastFrame.poses.first?.pose.frame.minX == 0)
    try stage.view.setCollectionViewLayout(stage.to, animated: true, duration: 1)
    stage.through(3.5)
    try stage.view.setCollectionViewLayout(stage.from, animated: false)
    stage.through(3.502)
    #expect(stage.lastFrame.poses.first?.pose.frame.minX == 0)
  }

  @Test func `Queue: a start waits with its progress and its finish until the one before is over`()
    throws
  {
    let stage = try slide(.queue)
    var completed: [String] = []
    try stage.view.startInteractiveTransition(to: stage.to) {
      completed.append("first \($0) \($1)")
    }
    try stage.view.finishInteractiveTransition()
    stage.at(0.1)
    let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
    let second = try stage.view.startInteractiveTransition(to: third) {
      completed.append("second \($0) \($1)")
    }
    second.transitionProgress = 0.25
    #expect(stage.view.waitingTransitionLayout === second)
    try stage.view.finishInteractiveTransition()
    #expect(throws: TransitionError.self) { try stage.view.finishInteractiveTransition() }
    stage.through(6)
    #expect(completed == ["first true true", "second true true"])
    #expect(second.currentLayout === stage.to)
    #expect(
      stage.timeline.events(.queued).map { $0.field("what") } == [.text("start"), .text("finish")])
    #expect(stage.timeline.events(.start).count == 2)
    #expect(stage.timeline.decisions.map(\.progress) == [0, 0.25])
    #expect(stage.lastFrame.poses.first?.pose.frame.origin == Point2D(x: 0, y: 400))
  }

  @Test
  func `Queue: while a transition runs by its time, all that is set is for the one that waits`()
    throws
  {
    let stage = try slide(.queue)
    let timed = try stage.view.animateTransition(to: stage.to, duration: 0.4)
    #expect(stage.view.drivenTransitionLayout == nil)
    stage.at(0.1)
    let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
    let second = try stage.view.startInteractiveTransition(to: third)
    #expect(stage.view.drivenTransitionLayout === second)
    second.transitionProgress = 0.2
    second.transitionProgress = 0.3
    second.updateValue(7, forAnimatedKey: "k")
    stage.at(0.2)
    let before = stage.timeline.samples.count
    timed.transitionProgress = 0.9
    #expect(stage.timeline.samples.count == before)
    #expect(near(timed.transitionProgress, 0.4975))
    #expect(stage.timeline.events(.warning).map { $0.field("code") } == [.text("timed")])
    stage.through(0.4)
    // It begins with what was set, once, and with nothing of the time before.
    #expect(stage.timeline.values(of: "k") == [7])
    #expect(stage.timeline.values(of: "progress", .driving).suffix(2) == [1, 0.3])
    #expect(stage.timeline.samples.suffix(2).allSatisfy { $0.time == instant(0.4) })
    #expect(stage.lastFrame.state.progress == 0.3)
    #expect(stage.view.transitionLayout === second)
    #expect(second.history(forAnimatedKey: "k") == [Sample(time: instant(0.4), value: 7)])
    stage.at(0.45)
    second.transitionProgress = 0.4
    try stage.view.finishInteractiveTransition()
    // After the pause since 0.4 s one sample is left: no speed is made of the time's progress.
    let estimate = try #require(stage.timeline.estimate(of: "progress")?.estimate)
    #expect(estimate.velocity == nil)
    #expect(estimate.sampleCount == 1)
    #expect(estimate.leftOut.total == 1)
    stage.through(4)
    #expect(stage.view.collectionViewLayout === third)
    #expect(stage.view.isAtRest)
  }

  @Test(arguments: [ReleaseOutcome.finish, .cancel])
  func `Queue: a release while a transition runs by its time waits with the one that waits`(
    outcome: ReleaseOutcome
  ) throws {
    let stage = try slide(.queue)
    try stage.view.animateTransition(to: stage.to, duration: 0.4)
    stage.at(0.1)
    try stage.view.startInteractiveTransition(to: stage.from).transitionProgress = 0.3
    if outcome == .finish {
      try stage.view.finishInteractiveTransition()
    } else {
      try stage.view.cancelInteractiveTransition()
    }
    stage.through(4)
    #expect(stage.timeline.events(.queued).map { $0.field("what") }.last == .text(outcome.rawValue))
    #expect(stage.timeline.decisions.map(\.decidedBy) == ["time", "app"])
    #expect(stage.timeline.decisions.map(\.time) == [instant(0.4), instant(0.4)])
    #expect(stage.view.collectionViewLayout === (outcome == .finish ? stage.from : stage.to))
  }

  @Test func `Queue: what is set on a timed transition that waits is the time's to say`() throws {
    let stage = try slide(.queue)
    try stage.view.animateTransition(to: stage.to, duration: 0.1)
    let second = try stage.view.animateTransition(to: stage.from, duration: 0.1)
    second.transitionProgress = 0.7
    stage.through(0.15)
    #expect(stage.timeline.values(of: "progress").contains(0.7) == false)
    #expect(near(stage.lastFrame.state.progress, 0.5))
  }

  @Test func `Queue: what waits when the view goes away is completed with false`() throws {
    var completed: [String] = []
    do {
      let stage = try slide(.queue)
      try stage.view.startInteractiveTransition(to: stage.to) {
        completed.append("first \($0) \($1)")
      }
      try stage.view.animateTransition(to: stage.from, duration: 1) {
        completed.append("second \($0) \($1)")
      }
    }
    #expect(completed == ["first false false", "second false false"])
  }
}
