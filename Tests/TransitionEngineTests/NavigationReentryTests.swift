import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

/// Pushes and pops while something is under way, under each policy of the view.
@Suite struct NavigationReentryTests {
  @Test func `by default a push or pop during another one is refused`() throws {
    let trail = try Trail()
    try trail.navigation.pushViewController(trail.controller("a"), animated: true, duration: 0.3)
    trail.stage.through(0.1)
    let late = trail.controller("b")
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.pushViewController(late, animated: true)
    }
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.popViewController(animated: false)
    }
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.startInteractivePop()
    }
    #expect(trail.names == ["grid", "a"])
    #expect(late.collectionView == nil)
    trail.stage.through(1)
    try trail.navigation.pushViewController(late, animated: true)
    #expect(trail.names == ["grid", "a", "b"])
  }

  @Test func `a push that went with deleted sections refuses another one too`() throws {
    let trail = try Trail(items: [3, 3])
    try trail.stage.view.performBatchUpdates {
      try? trail.stage.view.deleteSections([0])
      trail.stage.view.data = CollectionData(sections: [.init(id: "s1", count: 3)])
    }
    try trail.navigation.pushViewController(trail.controller("a"), animated: true)
    #expect(trail.stage.view.state == .idle)
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.popViewController(animated: true)
    }
    trail.stage.through(1)
    try trail.navigation.popViewController(animated: true)
    #expect(trail.names == ["grid"])
  }

  @Test func `a transition of the view's own refuses a push`() throws {
    let trail = try Trail()
    try trail.stage.view.startInteractiveTransition(to: trail.stage.to)
    expect(.alreadyInTransition, trail.stage) { () throws(TransitionError) in
      try trail.navigation.pushViewController(trail.controller("a"), animated: true)
    }
    #expect(trail.shows.isEmpty)
  }

  @Test(arguments: [true, false])
  func `where the view lets wait, pushes and pops run one after the other`(
    withSections: Bool
  ) throws {
    let trail = try Trail(items: [3, 3])
    trail.stage.view.reentry = .queue
    if withSections {
      try trail.stage.view.performBatchUpdates {
        try? trail.stage.view.deleteSections([0])
        trail.stage.view.data = CollectionData(sections: [.init(id: "s1", count: 3)])
      }
    }
    try trail.navigation.pushViewController(trail.controller("a"), animated: true, duration: 0.3)
    try trail.navigation.pushViewController(trail.controller("b"), animated: true, duration: 0.3)
    #expect(try trail.navigation.popViewController(animated: false) == nil)
    try trail.navigation.pushViewController(trail.controller("c"), animated: false)
    #expect(trail.names == ["grid", "a"])
    trail.stage.through(0.4)
    #expect(trail.names == ["grid", "a", "b"])
    trail.stage.through(2)
    #expect(trail.names == ["grid", "a", "c"])
    #expect(
      trail.shows == [
        "will a", "did a", "will b", "did b", "will a", "did a", "will c", "did c",
      ])
    #expect(
      trail.stage.timeline.events(.queued).map { $0.field("waiting") }
        == [.integer(1), .integer(2), .integer(3)])
  }

  @Test func `a waiting call that is refused later is an event, and the next ones run`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .queue
    let twice = trail.controller("a")
    try trail.navigation.pushViewController(twice, animated: true)
    try trail.navigation.pushViewController(twice, animated: true)
    try trail.navigation.popViewController(animated: false)
    try trail.navigation.popViewController(animated: false)
    try trail.navigation.pushViewController(trail.controller("b"), animated: false)
    trail.stage.through(1)
    #expect(trail.names == ["grid", "b"])
    #expect(
      trail.stage.timeline.events(.error).map { $0.field("code") }
        == [.text("alreadyOnStack"), .text("nothingToPop")])
  }

  @Test func `behind a transition of the view's own a push waits in the view`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .queue
    try trail.stage.view.startInteractiveTransition(to: trail.stage.to)
    try trail.navigation.pushViewController(trail.controller("a"), animated: true)
    #expect(trail.shows == ["will a"])
    try trail.stage.view.finishInteractiveTransition()
    trail.stage.through(10)
    #expect(trail.shows == ["will a", "did a"])
    #expect(trail.stage.view.collectionViewLayout.name == "a")
  }

  @Test func `where the view retargets, a push takes over from what is on the screen`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    try trail.navigation.pushViewController(
      trail.controller("a", 300, 200), animated: true, duration: 0.3)
    trail.stage.through(0.15)
    let before = trail.stage.lastFrame
    try trail.navigation.pushViewController(
      trail.controller("b", 60, 60), animated: true, duration: 0.3)
    let screen = trail.stage.view.screen()
    let first = try #require(before.pose("s0/0"))
    #expect(screen.elements.contains { near($0.pose.frame, first.frame) })
    trail.stage.through(5)
    #expect(trail.names == ["grid", "a", "b"])
    #expect(trail.shows == ["will a", "will b", "did b"])
    #expect(trail.stage.view.collectionViewLayout.name == "b")
  }

  @Test func `where the view retargets, a pop turns a push back`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    let pushed = trail.controller("a")
    try trail.navigation.pushViewController(pushed, animated: true, duration: 0.3)
    trail.stage.through(0.15)
    #expect(try trail.navigation.popViewController(animated: true) === pushed)
    trail.stage.through(5)
    #expect(trail.names == ["grid"])
    #expect(pushed.collectionView == nil)
    #expect(trail.stage.view.collectionViewLayout === trail.stage.from)
    #expect(trail.shows == ["will a", "will grid", "did grid"])
  }

  @Test func `a push that the view turns back leaves the stack as it was`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    let pushed = trail.controller("a")
    try trail.navigation.pushViewController(pushed, animated: true, duration: 0.3)
    trail.stage.through(0.15)
    try trail.stage.view.cancelInteractiveTransition()
    trail.stage.through(5)
    #expect(trail.names == ["grid"])
    #expect(pushed.collectionView == nil)
    #expect(trail.shows == ["will a"])
    try trail.navigation.pushViewController(pushed, animated: false)
    #expect(trail.names == ["grid", "a"])
  }

  @Test func `what the delegate pushes in will show is the one that runs`() throws {
    let trail = try Trail()
    trail.stage.view.reentry = .retarget
    let inner = trail.controller("inner")
    trail.onWillShow = { controller in
      if controller !== inner { try? trail.navigation.pushViewController(inner, animated: true) }
    }
    let outer = trail.controller("outer")
    #expect(throws: TransitionError.self) {
      try trail.navigation.pushViewController(outer, animated: true)
    }
    trail.onWillShow = { _ in }
    trail.stage.through(5)
    #expect(trail.names == ["grid", "inner"])
    #expect(outer.collectionView == nil)
    #expect(trail.stage.view.collectionViewLayout === inner.layout)
  }

  @Test func `a push that went with a refused batch update never was`() throws {
    let trail = try Trail()
    let pushed = trail.controller("a")
    #expect(throws: UpdateError.self) {
      try trail.stage.view.performBatchUpdates {
        try? trail.stage.view.deleteItems(at: [ItemIndexPath(section: 5, item: 0)])
        try? trail.navigation.pushViewController(pushed, animated: false)
      }
    }
    expect(.nothingToPop, trail.stage) { () throws(TransitionError) in
      try trail.navigation.popViewController(animated: false)
    }
    #expect(trail.names == ["grid"])
    #expect(pushed.collectionView == nil)
    #expect(trail.shows == ["will a"])
  }

  @Test(arguments: ReentryPolicy.allCases, [UInt64](0..<8))
  func `whatever is pushed and popped, stack and layout agree in the end`(
    policy: ReentryPolicy, seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let trail = try Trail(items: [5])
    let view = trail.stage.view
    view.reentry = policy
    for step in 0..<60 {
      let isAnimated = random.next() % 4 != 0
      switch random.next() % 7 {
      case 0, 1:
        try? trail.navigation.pushViewController(trail.controller("c\(step)"), animated: isAnimated)
      case 2: _ = try? trail.navigation.popViewController(animated: isAnimated)
      case 3: (try? trail.navigation.startInteractivePop())?.transitionProgress = 0.4
      case 4: try? view.cancelInteractiveTransition()
      case 5: try view.performBatchUpdates {}
      default: try? view.finishInteractiveTransition()
      }
      trail.stage.through(Double(step) * 0.1)
    }
    for round in 0..<10 {
      try? view.finishInteractiveTransition()
      trail.stage.through(6 + Double(round) * 4)
    }
    #expect(!trail.navigation.isNavigating)
    #expect(view.isAtRest)
    #expect(view.collectionViewLayout === trail.navigation.topViewController.layout)
    #expect(trail.navigation.viewControllers.allSatisfy { $0.collectionView === view })
    #expect(trail.navigation.rootViewController.layout === trail.stage.from)
    #expect(Set(trail.names).count == trail.names.count)
  }
}
