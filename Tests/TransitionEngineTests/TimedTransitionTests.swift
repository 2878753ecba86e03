import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

@Suite struct TimedTransitionTests {
  @Test func `the progress is the eased share of the time, and the end is exact`() throws {
    let stage = try Stage.resize()
    // 16 frames a second put a frame at 0.1875 s, a quarter of 0.75 s.
    let quick = try Stage(
      viewport: Size2D(width: 768, height: 1024), items: [200], refreshRate: 16,
      from: stage.from, to: stage.to)
    var completed: [[Bool]] = []
    let layout = try quick.view.animateTransition(
      to: quick.to, duration: 0.75, easing: Easing(named: "cubicInOut")!
    ) { completed.append([$0, $1]) }
    quick.through(0.1875)
    #expect(layout.transitionTime == 0.25)
    #expect(layout.transitionProgress == 0.0625)
    #expect(
      near(
        quick.lastFrame.pose("s0/7")?.frame,
        Rect2D(x: 326.375, y: 204.25, width: 141, height: 141)))
    #expect(quick.lastFrame.state.phase == .driving)
    quick.through(0.75)
    #expect(completed == [[true, true]])
    #expect(quick.lastFrame.state.progress == 1)
    #expect(quick.view.collectionViewLayout === quick.to)
    #expect(quick.view.isAtRest)
  }

  @Test func `a duration that is not above 0 is refused, and nothing has changed`() throws {
    for duration in [0, -1, .nan] {
      let stage = try Stage()
      #expect(throws: TransitionError.self) {
        try stage.view.animateTransition(to: stage.to, duration: duration)
      }
      #expect(stage.view.isAtRest)
      #expect(stage.view.collectionViewLayout === stage.from)
    }
  }

  @Test func `callback, completion, frozen layout, its completion, in this order`() throws {
    final class Hearing: TransitionLayout {
      var heard: ((String) -> Void)?
      override func transitionDidEnd(completed: Bool, finished: Bool) {
        heard?("layout \(completed) \(finished)")
      }
    }
    final class Giver: CollectionViewDelegate {
      var heard: [String] = []
      func transitionLayout(
        for current: any CollectionViewLayout, to next: any CollectionViewLayout
      ) -> TransitionLayout? {
        let layout = Hearing(currentLayout: current, nextLayout: next)
        layout.heard = { [weak self] in self?.heard.append($0) }
        return layout
      }
    }
    let giver = Giver()
    let stage = try Stage()
    stage.view.delegate = giver
    try stage.view.animateTransition(to: stage.to, duration: 0.1) {
      giver.heard.append(
        "completion \($0) \($1), data cleared \(stage.view.transitionLayout == nil)")
    }
    stage.through(0.2)
    #expect(
      giver.heard == ["layout true true", "completion true true, data cleared true"])
    giver.heard = []
    try stage.view.animateTransition(to: stage.from, duration: 1) {
      giver.heard.append("completion \($0) \($1), in \(stage.view.collectionViewLayout.name)")
    }
    stage.through(0.5)
    stage.view.cancelInteractiveTransitionInPlace {
      giver.heard.append("in place, in \(stage.view.collectionViewLayout.name)")
    }
    #expect(
      giver.heard == [
        "layout false false", "completion false false, in detail",
        "in place, in detail to grid, frozen",
      ])
  }

  @Test func `the same progress again calls nobody, and the one before is remembered`()
    throws
  {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    var changes: [Double] = []
    layout.progressChanged = { changes.append($0) }
    layout.transitionProgress = 0.5
    layout.transitionProgress = 0.5
    layout.transitionProgress = 0.75
    #expect(changes == [0.5, 0.75])
    #expect(layout.previousProgress == 0.5)
    #expect(layout.transitionTime == 0.75)
    layout.setTransitionProgress(0.25, time: 0.5)
    #expect(layout.transitionProgress == 0.25)
    #expect(layout.transitionTime == 0.5)
    layout.transitionProgress = .nan
    #expect(changes == [0.5, 0.75, 0.25])
  }

  @Test func `attributes that the hook gives are shown, nil keeps the mixed ones`() throws {
    let stage = try Stage(
      from: grid { $0.headerReferenceSize = Size2D(width: 0, height: 10) },
      to: grid("detail") { $0.headerReferenceSize = Size2D(width: 0, height: 20) })
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.5
    layout.updateLayoutAttributes = { mixed, from, to, progress in
      var changed = mixed
      if mixed.path.category == .supplementary {
        changed.pose.alpha = progress / 5
        return changed
      }
      guard mixed.path.indexPath.item == 1 else { return nil }
      changed.pose.center = Point2D(x: from.center.x + to.center.x, y: .nan)
      if mixed.path.indexPath.item == 1 { changed.pose.center.y = 7 }
      return changed
    }
    stage.view.invalidateLayout()
    stage.through(0)
    #expect(stage.lastFrame.pose("s0/header")?.alpha == 0.1)
    #expect(stage.lastFrame.pose("s0/1")?.center.y == 7)
    #expect(stage.lastFrame.pose("s0/0")?.alpha == 1)
    layout.updateLayoutAttributes = { mixed, _, _, _ in
      var changed = mixed
      changed.pose.center.x = .nan
      return changed
    }
    stage.view.invalidateLayout()
    stage.through(0.1)
    #expect(stage.lastFrame.poses.allSatisfy { $0.pose.isFinite })
  }

  @Test func `sixty frames far into a session have sixty times`() throws {
    let stage = try Stage(refreshRate: 60)
    stage.clock.advance(before: instant(1e6))
    let layout = try stage.view.animateTransition(to: stage.to, duration: 1)
    var times: Set<Double> = []
    layout.progressChanged = { times.insert($0) }
    for _ in 0..<60 { stage.clock.advanceToNextFrame() }
    #expect(times.count >= 59)
  }

  @Test func `what ends the transition early stops the driver, without a second finish`()
    throws
  {
    let stage = try Stage()
    var completed: [[Bool]] = []
    try stage.view.animateTransition(to: stage.to, duration: 1) { completed.append([$0, $1]) }
    stage.through(0.5)
    stage.view.interruptTransition()
    stage.through(2)
    #expect(completed == [[false, false]])
    #expect(stage.timeline.events(.finish).isEmpty)
    #expect(stage.timeline.events(.error).isEmpty)
  }

  @Test func `a start that is refused leaves nothing behind`() throws {
    let stage = try Stage()
    try stage.view.startInteractiveTransition(to: stage.to)
    #expect(throws: TransitionError.self) {
      try stage.view.animateTransition(to: stage.to, duration: 1)
    }
    try stage.view.cancelInteractiveTransition()
    stage.through(3)
    #expect(stage.view.isAtRest)
    #expect(stage.view.collectionViewLayout === stage.from)
  }

  @Test func `A caller may finish or cancel a timed transition before its time`() throws {
    let stage = try Stage()
    try stage.view.animateTransition(to: stage.to, duration: 1)
    stage.through(0.25)
    try stage.view.cancelInteractiveTransition()
    stage.through(4)
    #expect(stage.view.collectionViewLayout === stage.from)
    #expect(stage.timeline.decisions.map(\.outcome) == [.cancel])
    let progress = stage.timeline.frames.compactMap(\.state.progress)
    // It runs on from a quarter with its velocity of 1 per second, and takes its time.
    #expect(zip(progress, progress.dropFirst()).allSatisfy { abs($0 - $1) < 0.05 })
    #expect((progress.max() ?? 0) > 0.26)
  }
}

@Suite struct CancelInPlaceTests {
  @Test
  func `every kind of element stays exactly where it is, and another start begins there`()
    throws
  {
    let header = Size2D(width: 0, height: 10)
    let stage = try Stage(
      from: grid { $0.headerReferenceSize = header },
      to: grid("detail", Size2D(width: 300, height: 200)) { $0.headerReferenceSize = header })
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.toContentOffset = Point2D(x: 0, y: 200)
    layout.transitionProgress = 0.4
    stage.view.invalidateLayout()
    stage.through(0)
    let before = stage.lastFrame
    var ended: [String] = []
    stage.view.cancelInteractiveTransitionInPlace { ended.append("in place") }
    stage.through(0.1)
    #expect(stage.lastFrame.poses.map(\.pose) == before.poses.map(\.pose))
    #expect(stage.lastFrame.ids == before.ids)
    #expect(stage.lastFrame.state.contentOffset == before.state.contentOffset)
    #expect(stage.lastFrame.state.contentSize == before.state.contentSize)
    #expect(ended == ["in place"])
    let next = try stage.view.startInteractiveTransition(to: stage.to)
    stage.through(0.2)
    #expect(stage.lastFrame.poses.map(\.pose) == before.poses.map(\.pose))
    #expect(
      next.currentLayout.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 3))?.pose
        == before.pose("s0/3"))
  }

  @Test func `while settling the settle goes on and the completion comes after its own`()
    throws
  {
    let stage = try Stage()
    var ended: [String] = []
    try stage.view.startInteractiveTransition(to: stage.to) { ended.append("settled \($0) \($1)") }
    try stage.view.finishInteractiveTransition()
    stage.through(0.1)
    stage.view.cancelInteractiveTransitionInPlace { ended.append("in place") }
    #expect(ended.isEmpty)
    stage.through(3)
    #expect(ended == ["settled true true", "in place"])
    #expect(stage.timeline.events(.error).map { $0.field("code") } == [.text("notInTransition")])
    #expect(stage.view.collectionViewLayout === stage.to)
  }

  @Test func `without a transition the completion comes at once`() throws {
    let stage = try Stage()
    var ended = 0
    stage.view.cancelInteractiveTransitionInPlace { ended += 1 }
    #expect(ended == 1)
    #expect(stage.timeline.events.map { $0.field("code") } == [.text("notInTransition")])
  }

  @Test func `in progress from start to completion, finalizing while it settles`() throws {
    let stage = try Stage()
    var states: [[Bool]] = []
    func look() {
      states.append([
        stage.view.isInteractiveTransitionInProgress, stage.view.isInteractiveTransitionFinalizing,
      ])
    }
    look()
    try stage.view.startInteractiveTransition(to: stage.to) { _, _ in look() }
    look()
    try stage.view.finishInteractiveTransition()
    look()
    stage.through(3)
    look()
    #expect(
      states == [[false, false], [true, false], [true, true], [false, false], [false, false]])
  }

  @Test func `Frozen poses follow their items through a batch update`() throws {
    let stage = try Stage(items: [3])
    stage.view.data = CollectionData(sections: [.init(id: "s", items: ["a", "b", "c"])])
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.4
    stage.view.invalidateLayout()
    stage.through(0)
    let before = stage.lastFrame.pose("c")
    stage.view.cancelInteractiveTransitionInPlace()
    try stage.view.performBatchUpdates(duration: 0) {
      stage.view.data = CollectionData(sections: [.init(id: "s", items: ["b", "c"])])
      try? stage.view.deleteItems(at: [ItemIndexPath(section: 0, item: 0)])
    }
    stage.through(0.1)
    #expect(stage.lastFrame.pose("c") == before)
    #expect(stage.lastFrame.ids == ["b", "c"])
  }
}
