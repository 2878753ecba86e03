import MotionPhysics
import Testing
import TimelineModel
import TransitionEngine

/// objc.io's animated flow layout.
@Suite struct FlyInFlowLayoutTests {
  /// A grid of 50 by 50, five in a row; the viewport shows (0, 400, 320, 480).
  private func flight(items: [Int], tracksUpdates: Bool = true) -> FlyInFlowLayout {
    var parameters = FlowLayoutParameters()
    parameters.itemSizes = [[], [Size2D(width: 90, height: 20)]]
    let layout = FlyInFlowLayout(
      name: "flight", parameters: parameters, tracksUpdates: tracksUpdates)
    layout.prepare(
      in: LayoutContext(
        viewport: Size2D(width: 320, height: 480), contentOffset: Point2D(x: 0, y: 400),
        itemCounts: items))
    return layout
  }

  private func path(_ item: Int, _ section: Int = 0) -> ItemIndexPath {
    ItemIndexPath(section: section, item: item)
  }

  private func start(_ layout: FlyInFlowLayout, _ item: Int, _ section: Int = 0) -> Pose? {
    layout.initialLayoutAttributesForAppearingItem(at: path(item, section))?.pose
  }

  private func end(_ layout: FlyInFlowLayout, _ item: Int, _ section: Int = 0) -> Pose? {
    layout.finalLayoutAttributesForDisappearingItem(at: path(item, section))?.pose
  }

  @Test func `an inserted item starts below the middle, turned by half and a fifth as large`()
    throws
  {
    let layout = flight(items: [3])
    layout.prepare(forCollectionViewUpdates: [UpdateItem(.insert, after: path(0))])
    let pose = try #require(start(layout, 0))
    #expect(pose.center == Point2D(x: 160, y: 880))
    #expect(pose.size == Size2D(width: 50, height: 50))
    #expect(pose.transform.components == [-0.2, 0, 0, -0.2, 0, 0])
    #expect(near(pose.frame, Rect2D(x: 155, y: 875, width: 10, height: 10)))
    #expect(pose.alpha == 1)
    #expect(pose.zIndex == 0)
  }

  @Test func `a deleted item ends in the middle, 40 times as large and nearly clear`() throws {
    let layout = flight(items: [3])
    layout.prepare(forCollectionViewUpdates: [UpdateItem(.delete, before: path(3))])
    let pose = try #require(end(layout, 3))
    #expect(pose.center == Point2D(x: 160, y: 640))
    #expect(pose.size == Size2D(width: 50, height: 50))
    #expect(pose.alpha == 0.2)
    #expect(pose.zIndex == 1)
    #expect(
      pose.transform.components == [
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.00005, 0, 0, 19_500, 0.025,
      ])
    #expect(near(pose.frame.size.width, 2000))
    // Entry by entry the visual scale on the way is 1 / (1 − 0.975 p).
    let plain = Pose(center: pose.center, size: pose.size)
    for (progress, scale) in [(0.25, 1.322314), (0.5, 1.951220), (0.75, 3.720930), (1, 40)] {
      let mixed = Pose.mixed(plain, pose, progress: progress, transforms: .componentwise)
      #expect(near(mixed.frame.size.width / 50, scale))
    }
  }

  @Test func `a deleted item keeps the size that it had`() throws {
    let layout = flight(items: [1, 0])
    layout.prepare(forCollectionViewUpdates: [
      UpdateItem(.delete, before: path(0, 1)), UpdateItem(.delete, before: path(1, 1)),
    ])
    #expect(end(layout, 0, 1)?.size == Size2D(width: 90, height: 20))
    #expect(end(layout, 1, 1)?.size == Size2D(width: 50, height: 50))
  }

  @Test func `of three items only the inserted one starts elsewhere`() {
    let layout = flight(items: [3])
    layout.prepare(forCollectionViewUpdates: [UpdateItem(.insert, after: path(0))])
    #expect(start(layout, 0)?.center == Point2D(x: 160, y: 880))
    for item in [1, 2] { #expect(start(layout, item)?.frame == layout.frame(item)) }
    #expect(start(layout, 3) == nil)
  }

  @Test func `paths before and after are two sets, so a number that both have is no matter`() {
    let layout = flight(items: [4])
    layout.prepare(forCollectionViewUpdates: [
      UpdateItem(.delete, before: path(1)), UpdateItem(.insert, after: path(2)),
    ])
    #expect(end(layout, 2) == nil)
    #expect(end(layout, 1) != nil)
    #expect(start(layout, 1)?.transform == .identity)
    #expect(start(layout, 2)?.transform != .identity)
  }

  @Test func `a path is used up by the first question, and by finalize`() {
    let layout = flight(items: [4])
    let items = [UpdateItem(.delete, before: path(1)), UpdateItem(.insert, after: path(2))]
    layout.prepare(forCollectionViewUpdates: items)
    #expect(end(layout, 1) != nil)
    #expect(end(layout, 1) == nil)
    #expect(start(layout, 2)?.transform != .identity)
    #expect(start(layout, 2)?.transform == .identity)
    layout.prepare(forCollectionViewUpdates: items)
    layout.finalizeCollectionViewUpdates()
    #expect(end(layout, 1) == nil)
    #expect(start(layout, 2)?.transform == .identity)
  }

  @Test func `a move is both, a reload is neither, a section is all its items`() {
    let layout = flight(items: [4, 2])
    layout.prepare(forCollectionViewUpdates: [
      UpdateItem(.move, before: path(0), after: path(3)),
      UpdateItem(.reload, before: path(1), after: path(1)),
      UpdateItem(.delete, sectionBefore: 2), UpdateItem(.insert, sectionAfter: 1),
    ])
    #expect(end(layout, 0) != nil)
    #expect(start(layout, 3)?.transform != .identity)
    #expect(end(layout, 1) == nil)
    #expect(start(layout, 1)?.transform == .identity)
    for item in 0..<2 {
      #expect(end(layout, item, 2) != nil)
      #expect(end(layout, item, 2) == nil)
      #expect(start(layout, item, 1)?.transform != .identity)
      #expect(start(layout, item, 1)?.transform == .identity)
    }
    #expect(end(layout, 1, 1) == nil)
  }

  @Test func `scrolling changes nothing, another extent does`() {
    let layout = flight(items: [4])
    #expect(
      !layout.shouldInvalidateLayout(
        forBoundsChange: Rect2D(x: 0, y: 0, width: 320, height: 480)))
    #expect(
      layout.shouldInvalidateLayout(
        forBoundsChange: Rect2D(x: 0, y: 400, width: 480, height: 320)))
    #expect(
      layout.shouldInvalidateLayout(
        forBoundsChange: Rect2D(x: 0, y: 400, width: 320, height: 481)))
  }

  @Test func `a rotation flies with every item only when updates are not tracked`() {
    for tracksUpdates in [true, false] {
      let layout = flight(items: [2], tracksUpdates: tracksUpdates)
      layout.prepare(forAnimatedBoundsChange: Rect2D(x: 0, y: 0, width: 480, height: 320))
      for item in 0..<2 {
        #expect((start(layout, item)?.transform == .identity) == tracksUpdates)
        #expect((end(layout, item) == nil) == tracksUpdates)
      }
      layout.finalizeAnimatedBoundsChange()
    }
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the numbers, starts and ends are finite`(odd: Double) throws {
    var parameters = FlowLayoutParameters()
    parameters.itemSize = Size2D(width: odd, height: odd)
    let layout = FlyInFlowLayout(parameters: parameters, tracksUpdates: false)
    layout.prepare(
      in: LayoutContext(
        viewport: Size2D(width: odd, height: odd), contentOffset: Point2D(x: odd, y: odd),
        itemCounts: [1]))
    #expect(try #require(start(layout, 0)).isFinite)
    let pose = try #require(end(layout, 0))
    #expect(pose.isFinite)
    #expect(pose.frame.isFinite)
    #expect(end(layout, -1)?.isFinite == true)
    #expect(end(layout, .max, .min)?.isFinite == true)
    #expect(start(layout, 1) == nil)
  }
}
