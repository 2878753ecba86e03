import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// Layout-to-layout navigation.
@Suite struct NavigationTests {
  @Test func `a pushed controller shares the root's view, data source and delegate`() throws {
    let trail = try Trail()
    let pushed = trail.controller("detail", 300, 200)
    try trail.navigation.pushViewController(pushed, animated: true, duration: 0.3)
    #expect(trail.navigation.isNavigating)
    trail.stage.through(1)
    #expect(!trail.navigation.isNavigating)
    #expect(pushed.collectionView === trail.stage.view)
    #expect(trail.stage.view.dataSource === trail.rootSource)
    #expect(trail.stage.view.delegate === trail.rootDelegate)
    #expect(trail.stage.view.collectionViewLayout === pushed.layout)
    #expect(trail.navigation.topViewController === pushed)
    #expect(trail.shows == ["will detail", "did detail"])
  }

  @Test func `without a root's data source the view has none`() throws {
    let stage = try Stage()
    let root = CollectionViewController(collectionView: stage.view)
    _ = try NavigationController(root: root)
    #expect(stage.view.dataSource == nil)
    #expect(root.collectionView === stage.view)
  }

  @Test func `a round trip restores every frame and the content offset`() throws {
    let trail = try Trail(contentOffset: Point2D(x: 0, y: 300))
    trail.stage.through(0.05)
    let before = trail.stage.lastFrame
    try trail.navigation.pushViewController(trail.controller("detail", 300, 40), animated: true)
    trail.stage.through(1)
    // 40 rows of 40 and 39 gaps of 10.
    #expect(trail.stage.lastFrame.state.contentSize.height == 1990)
    trail.stage.view.scroll(to: Point2D(x: 0, y: 900))
    let popped = try trail.navigation.popViewController(animated: true)
    #expect(popped?.layout.name == "detail")
    trail.stage.through(1.15)
    #expect(trail.stage.lastFrame.state.contentOffset.y > 300)
    #expect(trail.stage.lastFrame.state.contentOffset.y < 900)
    trail.stage.through(2)
    let after = trail.stage.lastFrame
    #expect(after.state.contentOffset == before.state.contentOffset)
    #expect(after.ids == before.ids)
    #expect(zip(after.poses, before.poses).allSatisfy { $0.pose == $1.pose })
    #expect(popped?.collectionView == nil)
    #expect(trail.navigation.viewControllers.count == 1)
  }

  @Test func `not animated, a round trip shows at once`() throws {
    let trail = try Trail(contentOffset: Point2D(x: 0, y: 300))
    let pushed = trail.controller("detail", 300, 40)
    try trail.navigation.pushViewController(pushed, animated: false)
    #expect(trail.stage.view.collectionViewLayout === pushed.layout)
    #expect(trail.shows == ["will detail", "did detail"])
    trail.stage.view.scroll(to: .zero)
    try trail.navigation.popViewController(animated: false)
    #expect(trail.stage.view.contentOffset == Point2D(x: 0, y: 300))
    #expect(trail.stage.view.collectionViewLayout === trail.stage.from)
    #expect(trail.stage.view.isAtRest)
    #expect(trail.shows == ["will detail", "did detail", "will grid", "did grid"])
  }

  @Test func `what a load hook sets is in vain for a pushed controller, and told`() throws {
    let trail = try Trail()
    let pushed = EagerController(layout: grid("detail"))
    pushed.useLayoutToLayoutNavigationTransitions = true
    try trail.navigation.pushViewController(pushed, animated: false)
    #expect(trail.stage.view.contentInset == .zero)
    #expect(trail.stage.view.dataSource === trail.rootSource)
    #expect(trail.stage.view.reentry == .refuse)
    let warnings = trail.stage.timeline.events(.warning)
    #expect(warnings.map { $0.field("code") } == [.text("load-hook-without-effect")])
    guard case .text(let message) = warnings[0].field("message") else {
      Issue.record("The warning has no message.")
      return
    }
    #expect(message.contains("contentInset, contentOffset, dataSource, reentry."))
    // The hook runs once, whatever happens.
    try trail.navigation.popViewController(animated: false)
    try trail.navigation.pushViewController(pushed, animated: false)
    #expect(pushed.loadCount == 1)
  }

  @Test func `what a load hook sets counts for a root, and one that sets nothing is silent`()
    throws
  {
    let stage = try Stage()
    let root = EagerController(collectionView: stage.view)
    let navigation = try NavigationController(root: root)
    #expect(stage.view.contentInset.top == 20)
    let quiet = CollectionViewController(layout: grid("detail"))
    quiet.useLayoutToLayoutNavigationTransitions = true
    try navigation.pushViewController(quiet, animated: false)
    #expect(stage.timeline.events(.warning).isEmpty)
  }

  @Test func `data source and delegate are exchanged by hand in did show`() throws {
    let trail = try Trail()
    let pushed = trail.controller("detail", 300, 200)
    let source = FixedSource(CollectionData(sections: [.init(id: "one", count: 1)]))
    pushed.dataSource = source
    trail.onDidShow = { $0.takeOverCollectionView() }
    try trail.navigation.pushViewController(pushed, animated: true)
    trail.stage.through(0.2)
    #expect(trail.stage.view.data.itemCounts == [40])
    trail.stage.through(1)
    #expect(trail.stage.view.dataSource === source)
    #expect(trail.stage.view.data.itemCounts == [1])
    try trail.navigation.popViewController(animated: true)
    #expect(trail.stage.view.dataSource === source)
    trail.stage.through(2)
    #expect(trail.stage.view.dataSource === trail.rootSource)
    #expect(trail.stage.view.data.itemCounts == [40])
  }

  @Test func `events come in order, with layout names`() throws {
    let trail = try Trail()
    try trail.navigation.pushViewController(trail.controller("detail", 300, 200), animated: true)
    trail.stage.through(1)
    try trail.navigation.popViewController(animated: false)
    let told = trail.stage.timeline.events.filter { $0.kind != .settle }.map(\.kind)
    #expect(
      told == [
        .push, .willShow, .start, .install, .completion, .didShow, .pop, .willShow, .install,
        .completion, .didShow, .reload,
      ])
    let push = trail.stage.timeline.events(.push)[0]
    #expect(
      push.fields
        == EventField.list(["from": "grid", "to": "detail", "animated": true, "interactive": false])
    )
    #expect(
      trail.stage.timeline.events(.didShow).map { $0.field("layout") }
        == [.text("detail"), .text("grid")])
  }

  @Test func `a pop leads to the layout that the root had when it was left`() throws {
    let trail = try Trail()
    let other = grid("other", Size2D(width: 60, height: 60))
    try trail.stage.view.setCollectionViewLayout(other, animated: false)
    try trail.navigation.pushViewController(trail.controller("detail", 300, 200), animated: false)
    try trail.navigation.popViewController(animated: false)
    #expect(trail.stage.view.collectionViewLayout === other)
  }

  @Test func `in did show an item is scrolled to the middle, as far as the content goes`()
    throws
  {
    let trail = try Trail()
    trail.onDidShow = { controller in
      guard controller.layout.name == "detail" else { return }
      try? controller.collectionView?.scrollToItem(
        at: ItemIndexPath(section: 0, item: 20), position: .centeredVertically)
    }
    try trail.navigation.pushViewController(trail.controller("detail", 300, 200), animated: true)
    trail.stage.through(1)
    // Rows of 210: item 20 from 4200 to 4400; 4300 - 480/2.
    #expect(trail.stage.view.contentOffset == Point2D(x: 0, y: 4060))
    trail.stage.view.scroll(to: .zero)
    try trail.stage.view.scrollToItem(
      at: ItemIndexPath(section: 0, item: 0), position: .centeredVertically)
    #expect(trail.stage.view.contentOffset == .zero)
  }

  @Test func `sections deleted just before a push go in one animation with it`()
    throws
  {
    let trail = try Trail(items: [3, 4, 5])
    try trail.stage.view.performBatchUpdates {
      try? trail.stage.view.deleteSections([0, 2])
      trail.stage.view.data = CollectionData(sections: [.init(id: "s1", count: 4)])
    }
    try trail.navigation.pushViewController(
      trail.controller("detail", 300, 200), animated: true, duration: 0.4)
    trail.stage.through(0.2)
    #expect(trail.stage.lastFrame.ids.contains { $0.hasPrefix("s0") })
    #expect(trail.stage.view.data.itemCounts == [4])
    #expect(trail.navigation.isNavigating)
    trail.stage.through(1)
    #expect(trail.stage.lastFrame.ids.allSatisfy { $0.hasPrefix("s1") })
    #expect(trail.shows == ["will detail", "did detail"])
    #expect(!trail.navigation.isNavigating)
  }
}

/// Sets properties of its view when it loads.
private final class EagerController: CollectionViewController {
  var loadCount = 0
  let source = FixedSource(CollectionData())

  override func viewDidLoad() {
    loadCount += 1
    collectionView?.contentInset.top = 20
    collectionView?.scroll(to: Point2D(x: 0, y: 5))
    collectionView?.dataSource = source
    collectionView?.reentry = .retarget
  }
}
