import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

/// Transitions that meet one another in any order, and by gestures.
@Suite struct ReentryGestureTests {
  @Test(arguments: ReentryPolicy.allCases)
  func `Any order of calls keeps numbers finite and completes each start once`(
    policy: ReentryPolicy
  ) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
      var started = 0
      var completed = 0
      do {
        let stage = try slide(policy)
        stage.view.reentry = policy
        let layouts = [
          stage.from, stage.to, grid("g"), fixed("z", [Rect2D(x: 5, y: 900, width: 0, height: 0)]),
        ]
        for step in 0..<40 {
          stage.at(Double(step) * 0.02)
          let goal = layouts[below(4)]
          let count: TransitionCompletion = { _, _ in completed += 1 }
          func start(_ body: () throws -> Void) {
            started += 1
            do { try body() } catch { started -= 1 }
          }
          switch below(9) {
          case 0: start { try stage.view.startInteractiveTransition(to: goal, completion: count) }
          case 1:
            start { try stage.view.animateTransition(to: goal, duration: 0.1, completion: count) }
          case 2:
            start {
              try stage.view.setCollectionViewLayout(goal, animated: true, duration: 0.05) {
                count($0, true)
              }
            }
          case 3: try? stage.view.finishInteractiveTransition()
          case 4: try? stage.view.cancelInteractiveTransition()
          case 5: stage.view.cancelInteractiveTransitionInPlace()
          case 6:
            stage.view.setViewport(
              Size2D(width: Double(below(1000)), height: 500), duration: 0.05)
          case 7:
            stage.view.data = CollectionData(sections: [.init(id: "s0", count: below(3))])
          default:
            (stage.view.transitionLayout ?? stage.view.waitingTransitionLayout)?
              .transitionProgress = Double(below(200)) / 100
            stage.view.invalidateLayout()
          }
        }
        stage.through(1)
        #expect(stage.timeline.frames.flatMap(\.poses).allSatisfy { $0.pose.isFinite })
        #expect(
          stage.timeline.frames.allSatisfy { Set($0.ids).count == $0.ids.count }, "seed \(seed)")
      }
      #expect(started == completed, "seed \(seed)")
    }
  }

  /// One finger that lands, moves 100 points a tenth of a second, and lifts.
  private func pan(
    _ driver: GestureDriver, at start: Double, contact: Int, by distance: Double
  ) {
    func touch(_ time: Double, _ phase: TouchPhase, _ x: Double) {
      driver.handle([
        TouchSample(
          time: instant(start + time), contact: contact, phase: phase, position: Point2D(x: x, y: 0)
        )
      ])
    }
    touch(0, .began, 0)
    for step in 1...10 { touch(Double(step) / 100, .moved, distance * Double(step) / 10) }
    touch(0.1, .ended, distance)
  }

  @Test func `A gesture in a settle: refused, taken over the other way, or waiting its turn`()
    throws
  {
    for (policy, starts, last) in [
      (ReentryPolicy.refuse, ["right"], 500.0), (.retarget, ["right", "left"], 0),
      (.queue, ["right", "left"], 0),
    ] {
      let stage = try slide(policy)
      let driver = try GestureDriver(
        view: stage.view,
        mapping: GestureMapping(
          recognizer: .pan,
          progress: try .init(of: .translationX, from: 0, to: 100, clamp: false), keys: []),
        layouts: [stage.from, stage.to])
      pan(driver, at: 0, contact: 0, by: 80)
      pan(driver, at: 0.2, contact: 1, by: 90)
      stage.through(6)
      #expect(stage.timeline.events(.start).map { $0.field("to") } == starts.map(FieldValue.text))
      #expect(stage.lastFrame.poses.first?.pose.frame.minX == last, "\(policy)")
      #expect(stage.timeline.events(.error).isEmpty == (policy != .refuse))
    }
  }

  @Test func `the way back may have a measure of its own`() throws {
    let stage = try slide(.refuse)
    let driver = try GestureDriver(
      view: stage.view,
      mapping: GestureMapping(
        recognizer: .pan, progress: try .init(of: .translationX, from: 0, to: 100),
        progressBack: try .init(of: .translationX, from: 0, to: -200)),
      layouts: [stage.from, stage.to], destination: stage.to)
    pan(driver, at: 0, contact: 0, by: 80)
    pan(driver, at: 3, contact: 1, by: -150)
    stage.through(6)
    #expect(stage.timeline.decisions.map(\.progress) == [0.8, 0.75])
    #expect(stage.lastFrame.poses.first?.pose.frame.minX == 0)
  }

  @Test func `What a completion of an interrupted change begins is left to run`() throws {
    let stage = try slide(.refuse)
    var completed: [Bool] = []
    try stage.view.performBatchUpdates(
      duration: 1, {},
      completion: { _ in
        _ = try? stage.view.startInteractiveTransition(to: stage.from) { completed.append($1) }
      })
    stage.at(0.5)
    try stage.view.setCollectionViewLayout(stage.to, animated: false)
    #expect(stage.view.transitionLayout === stage.view.collectionViewLayout)
    #expect(stage.view.transitionLayout?.currentLayout === stage.to)
    try stage.view.finishInteractiveTransition()
    stage.through(4)
    #expect(completed == [true])
    #expect(stage.view.collectionViewLayout === stage.from)
  }

  @Test func `A transition that is begun in the last moment of another one is not ended with it`()
    throws
  {
    for isTimed in [true, false] {
      let stage = try slide(.retarget)
      var ends: [String] = []
      let third = fixed("third", [Rect2D(x: 0, y: 400, width: 10, height: 10)])
      let first =
        isTimed
        ? try stage.view.animateTransition(to: stage.to, duration: 0.1) {
          ends.append("a \($0) \($1)")
        }
        : try stage.view.startInteractiveTransition(to: stage.to) { ends.append("a \($0) \($1)") }
      first.progressChanged = { progress in
        guard progress == 1 else { return }
        _ = try? stage.view.startInteractiveTransition(to: third) { ends.append("b \($0) \($1)") }
      }
      if !isTimed { try stage.view.finishInteractiveTransition() }
      stage.through(3)
      #expect(ends.count == 1)
      #expect(ends[0].hasPrefix("a false"))
      #expect(stage.view.transitionLayout?.nextLayout === third)
      #expect(stage.view.state == .driving)
    }
  }

  @Test func `Retarget over an update: the completion waits for the end of the way`() throws {
    let stage = try slide(.retarget)
    var ends: [String] = []
    try stage.view.performBatchUpdates(duration: 1, {}, completion: { ends.append("update \($0)") })
    stage.at(0.1)
    try stage.view.startInteractiveTransition(to: stage.to) { _, _ in ends.append("start") }
    stage.at(0.3)
    try stage.view.setCollectionViewLayout(stage.from, animated: true, duration: 0.5) {
      ends.append("set \($0) \(stage.clock.now.seconds)")
    }
    stage.through(3)
    #expect(ends == ["start", "update false", "set true 0.8"])
  }

  @Test func `A stack that is dropped in the middle of a push goes, and completes what runs`()
    throws
  {
    weak var dropped: CollectionView?
    var completed: [Bool] = []
    do {
      let stage = try slide(.refuse)
      let stack = try NavigationController(
        root: CollectionViewController(collectionView: stage.view))
      let pushed = CollectionViewController(layout: stage.to)
      pushed.useLayoutToLayoutNavigationTransitions = true
      try stage.view.performBatchUpdates(duration: 1, {}, completion: { completed.append($0) })
      try stack.pushViewController(pushed, animated: true, duration: 1)
      stage.at(0.1)
      dropped = stage.view
    }
    #expect(dropped == nil)
    #expect(completed == [false])
  }

  @Test func `Queue: what waits longer comes first, also before what a completion starts`() throws {
    let stage = try slide(.queue)
    try stage.view.setCollectionViewLayout(stage.to, animated: true, duration: 0.1) { _ in
      try? stage.view.setCollectionViewLayout(grid("last"), animated: true, duration: 0.1)
    }
    try stage.view.setCollectionViewLayout(grid("second"), animated: true, duration: 0.1)
    stage.through(1)
    #expect(
      stage.timeline.events(.start).map { $0.field("to") }
        == [.text("right"), .text("second"), .text("last")])
  }

  @Test func `Queue: progress and release go to the same waiting transition`() throws {
    let stage = try slide(.queue)
    try stage.view.setCollectionViewLayout(stage.to, animated: true, duration: 0.1)
    let waiting = try stage.view.startInteractiveTransition(to: stage.from)
    try stage.view.setCollectionViewLayout(grid("last"), animated: true, duration: 0.1)
    #expect(stage.view.waitingTransitionLayout === waiting)
    waiting.transitionProgress = 0.4
    try stage.view.finishInteractiveTransition()
    #expect(stage.view.waitingTransitionLayout == nil)
    stage.through(3)
    #expect(stage.timeline.decisions.map(\.progress) == [0.4])
  }

  @Test func `Queue: a third gesture goes where the second leads back from`() throws {
    let stage = try slide(.queue)
    let driver = try GestureDriver(
      view: stage.view,
      mapping: GestureMapping(
        recognizer: .pan, progress: try .init(of: .translationX, from: 0, to: 100)),
      layouts: [stage.from, stage.to])
    for (number, start) in [0, 0.15, 0.3].enumerated() {
      pan(driver, at: start, contact: number, by: 90)
    }
    stage.through(9)
    #expect(
      stage.timeline.events(.start).map { $0.field("to") }
        == [.text("right"), .text("left"), .text("right")])
  }
}
