import Testing
import TimelineModel

@testable import TransitionEngine

/// Pops that are driven by hand, the ends of a stack, and small stages.
@Suite struct InteractivePopTests {
  @Test func `a cancelled pop leaves the stack, a finished one takes the controller`() throws {
    let trail = try Trail()
    let pushed = trail.controller("a")
    try trail.navigation.pushViewController(pushed, animated: false)
    let first = try trail.navigation.startInteractivePop()
    #expect(trail.names == ["grid", "a"])
    first.transitionProgress = 0.7
    trail.stage.view.invalidateLayout()
    try trail.stage.view.cancelInteractiveTransition()
    trail.stage.through(10)
    #expect(trail.names == ["grid", "a"])
    #expect(trail.stage.view.collectionViewLayout === pushed.layout)
    #expect(pushed.collectionView === trail.stage.view)
    #expect(trail.shows == ["will a", "did a", "will grid"])

    let second = try trail.navigation.startInteractivePop()
    #expect(second !== first)
    second.transitionProgress = 0.2
    try trail.stage.view.finishInteractiveTransition()
    #expect(trail.navigation.isNavigating)
    trail.stage.through(20)
    #expect(trail.names == ["grid"])
    #expect(pushed.collectionView == nil)
    #expect(trail.stage.view.collectionViewLayout === trail.stage.from)
    #expect(trail.shows == ["will a", "did a", "will grid", "will grid", "did grid"])
    #expect(
      trail.stage.timeline.events(.pop).map { $0.field("interactive") } == [
        .flag(true), .flag(true),
      ])
  }

  @Test(arguments: [0.2, 0.8])
  func `the release rule decides a pop`(progress: Double) throws {
    let trail = try Trail()
    try trail.navigation.pushViewController(trail.controller("a"), animated: false)
    try trail.navigation.startInteractivePop().transitionProgress = progress
    trail.stage.through(1)
    try trail.stage.view.releaseInteractiveTransition()
    trail.stage.through(20)
    #expect(trail.names == (progress > 0.5 ? ["grid"] : ["grid", "a"]))
  }

  @Test func `an interactive pop drives the viewport back to where the push left it`() throws {
    let trail = try Trail(contentOffset: Point2D(x: 0, y: 300))
    try trail.navigation.pushViewController(trail.controller("a", 300, 200), animated: false)
    trail.stage.view.scroll(to: Point2D(x: 0, y: 1300))
    let between = try trail.navigation.startInteractivePop()
    between.transitionProgress = 0.5
    trail.stage.view.invalidateLayout()
    #expect(trail.stage.view.contentOffset == Point2D(x: 0, y: 800))
    try trail.stage.view.finishInteractiveTransition()
    trail.stage.through(20)
    #expect(trail.stage.view.contentOffset == Point2D(x: 0, y: 300))
  }

  @Test func `a pop that is interrupted while it is driven leaves the stack`() throws {
    let trail = try Trail()
    try trail.navigation.pushViewController(trail.controller("a"), animated: false)
    try trail.navigation.startInteractivePop()
    trail.stage.view.interruptTransition()
    #expect(trail.names == ["grid", "a"])
    try trail.navigation.startInteractivePop()
    trail.stage.view.cancelInteractiveTransitionInPlace()
    #expect(trail.names == ["grid", "a"])
    #expect(!trail.navigation.isNavigating)
    try trail.navigation.popViewController(animated: true)
    trail.stage.through(1)
    #expect(trail.stage.view.collectionViewLayout === trail.stage.from)
  }

  @Test func `where the view retargets, a push cancels a pop that is driven`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    try trail.navigation.pushViewController(trail.controller("a"), animated: false)
    try trail.navigation.startInteractivePop().transitionProgress = 0.4
    try trail.navigation.pushViewController(trail.controller("b"), animated: true)
    trail.stage.through(10)
    #expect(trail.names == ["grid", "a", "b"])
    #expect(trail.stage.view.collectionViewLayout.name == "b")
  }

  @Test func `where the view retargets, a push after a finished pop stands on the one below`()
    throws
  {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    try trail.navigation.pushViewController(trail.controller("a"), animated: false)
    try trail.navigation.startInteractivePop().transitionProgress = 0.4
    try trail.stage.view.finishInteractiveTransition()
    try trail.navigation.pushViewController(trail.controller("b"), animated: true)
    trail.stage.through(10)
    #expect(trail.names == ["grid", "b"])
  }

  @Test func `an interactive pop does not wait behind a push`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .queue
    try trail.navigation.pushViewController(trail.controller("a"), animated: true)
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.startInteractivePop()
    }
    trail.stage.through(1)
    try trail.navigation.startInteractivePop()
  }

  @Test func `a transition layout that does not fit leaves the stack as it was`() throws {
    let trail = try Trail()
    try trail.navigation.pushViewController(trail.controller("a"), animated: false)
    let wrong = WrongDelegate()
    trail.stage.view.delegate = wrong
    expect(.wrongTransitionLayout, trail.stage) { () throws(TransitionError) in
      try trail.navigation.startInteractivePop()
    }
    #expect(trail.names == ["grid", "a"])
    #expect(!trail.navigation.isNavigating)
    #expect(trail.navigation.topViewController.collectionView === trail.stage.view)
  }

  // MARK: Ends of the stack

  @Test func `the root cannot be popped`() throws {
    let trail = try Trail()
    expect(.nothingToPop, trail.stage) { () throws(TransitionError) in
      try trail.navigation.popViewController(animated: true)
    }
    expect(.nothingToPop, trail.stage) { () throws(TransitionError) in
      try trail.navigation.startInteractivePop()
    }
    #expect(trail.names == ["grid"])
    #expect(trail.shows.isEmpty)
  }

  @Test func `a controller is pushed once, with its flag set`() throws {
    let trail = try Trail()
    let pushed = trail.controller("a")
    try trail.navigation.pushViewController(pushed, animated: false)
    for controller in [pushed, trail.navigation.rootViewController] {
      expect(.alreadyOnStack, trail.stage) { () throws(TransitionError) in
        try trail.navigation.pushViewController(controller, animated: false)
      }
    }
    let other = try Trail()
    expect(.alreadyOnStack, other.stage) { () throws(TransitionError) in
      try other.navigation.pushViewController(pushed, animated: false)
    }
    let plain = CollectionViewController(layout: grid("plain"))
    expect(.notSharing, trail.stage) { () throws(TransitionError) in
      try trail.navigation.pushViewController(plain, animated: false)
    }
    #expect(trail.names == ["grid", "a"])
  }

  @Test func `a root has a view of its own, and not the flag`() throws {
    let stage = try Stage()
    let flagged = CollectionViewController(collectionView: stage.view)
    flagged.useLayoutToLayoutNavigationTransitions = true
    expect(.wrongRoot, stage) { () throws(TransitionError) in
      try NavigationController(root: flagged)
    }
    do throws(TransitionError) {
      _ = try NavigationController(root: CollectionViewController(layout: grid()))
      Issue.record("A root without a view was taken.")
    } catch {
      #expect(error.code == .wrongRoot)
    }
  }

  // MARK: Small stages

  @Test(arguments: [[], [0], [1]])
  func `no sections, no items and one item go there and back`(items: [Int]) throws {
    let trail = try Trail(items: items)
    for isAnimated in [true, false] {
      try trail.navigation.pushViewController(trail.controller("a"), animated: isAnimated)
      trail.stage.through(trail.stage.clock.now.seconds + 1)
      try trail.navigation.popViewController(animated: isAnimated)
      trail.stage.through(trail.stage.clock.now.seconds + 1)
    }
    #expect(trail.names == ["grid"])
    #expect(trail.stage.lastFrame.poses.count == items.reduce(0, +))
    #expect(trail.stage.lastFrame.poses.allSatisfy { $0.pose.isFinite })
  }

  @Test func `a viewport without extent and odd durations do no harm`() throws {
    let trail = try Trail(viewport: .zero)
    for duration in [0, -1, .nan, .infinity, 1e308, 1e-300] {
      try trail.navigation.pushViewController(
        trail.controller("a"), animated: true, duration: duration)
      trail.stage.through(trail.stage.clock.now.seconds + 200)
      #expect(trail.names == ["grid", "a"])
      try trail.navigation.popViewController(animated: true, duration: duration)
      trail.stage.through(trail.stage.clock.now.seconds + 200)
      #expect(trail.names == ["grid"])
    }
  }
}

/// Hands out transition layouts between two other layouts.
private final class WrongDelegate: CollectionViewDelegate {
  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? {
    TransitionLayout(currentLayout: grid(), nextLayout: grid())
  }
}
