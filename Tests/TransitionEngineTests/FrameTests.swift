import Testing
import TimelineModel

@testable import TransitionEngine

/// What the frames of the display hold, with the pitfalls that reports name.
@Suite struct FrameTests {
  @Test func `an idle frame holds what meets the viewport, at the offset`() throws {
    let stage = try Stage(items: [100])
    stage.through(0)
    #expect(stage.lastFrame.ids.count == 40)
    #expect(stage.lastFrame.state.phase == .idle)
    #expect(stage.lastFrame.state.progress == nil)
    #expect(stage.lastFrame.state.contentSize == Size2D(width: 320, height: 1190))
    stage.view.scroll(to: Point2D(x: 0, y: 60))
    stage.through(0.02)
    #expect(stage.lastFrame.ids.first == "s0/5")
    #expect(stage.lastFrame.ids.count == 40)
    #expect(
      stage.timeline.events(.scroll)[0].field("contentOffset") == FieldValue(Point2D(x: 0, y: 60)))
  }

  @Test func `whatever is visible at either end is in every frame of the transition`() throws {
    let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 1000))
    let start = Set(stage.view.visibleAttributes().map(\.path.indexPath.item))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.toContentOffset = Point2D(x: 0, y: 20_000)
    let end = Set(
      stage.to.layoutAttributesForElements(in: Rect2D(x: 0, y: 20_000, width: 768, height: 1024))
        .map(\.path.indexPath.item))
    #expect(!start.isSubset(of: end))
    #expect(!end.isSubset(of: start))
    for step in 0...10 {
      stage.at(Double(step) / 100)
      layout.transitionProgress = Double(step) / 10
      stage.view.invalidateLayout()
    }
    try stage.view.finishInteractiveTransition()
    while stage.view.state != .idle { stage.clock.advanceToNextFrame() }
    for frame in stage.timeline.frames {
      #expect(Set(frame.poses.map(\.indexPath.item)) == start.union(end))
      #expect(Set(frame.ids).count == frame.ids.count)
    }
  }

  @Test func `headers do not vanish in a transition`() throws {
    let headers: (inout FlowLayoutParameters) -> Void = {
      $0.headerReferenceSize = Size2D(width: 0, height: 20)
    }
    let stage = try Stage(
      items: [3, 3], from: grid("a", Size2D(width: 50, height: 50), headers),
      to: grid("b", Size2D(width: 90, height: 90), headers))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.5
    stage.view.invalidateLayout()
    stage.through(0.05)
    for frame in stage.timeline.frames {
      #expect(frame.ids.contains("s0/header"))
      #expect(frame.ids.contains("s1/header"))
    }
  }

  @Test func `hidden elements are recorded too`() throws {
    var pose = Pose(frame: Rect2D(x: 0, y: 0, width: 10, height: 10))
    pose.isHidden = true
    let layout = FixedLayout(contentSize: .zero, items: [[pose]])
    let stage = try Stage(items: [1], from: layout)
    stage.through(0)
    #expect(stage.lastFrame.pose("s0/0")?.isHidden == true)
  }

  @Test func `an item larger than its row is told once`() throws {
    let stage = try Stage(from: grid("wide", Size2D(width: 500, height: 50)))
    stage.through(0.1)
    stage.view.invalidateLayout()
    stage.through(0.2)
    try stage.view.startInteractiveTransition(to: stage.to)
    #expect(stage.timeline.events(.warning).map { $0.field("code") } == [.text("undefined-layout")])
  }

  /// Places an item that is not finite and one that the data does not have.
  final class Wild: CollectionViewLayout {
    var contentSize: Size2D { Size2D(width: .nan, height: .infinity) }
    func prepare(in context: LayoutContext) {}
    func layoutAttributesForAllElements() -> [LayoutAttributes] {
      (0..<3).compactMap { layoutAttributesForItem(at: ItemIndexPath(section: 0, item: $0)) }
    }
    func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
      layoutAttributesForAllElements()
    }
    func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
      let x = indexPath.item == 1 ? Double.nan : 0
      return LayoutAttributes(
        path: .cell(indexPath), pose: Pose(frame: Rect2D(x: x, y: 0, width: 5, height: 5)))
    }
    func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D {
      Point2D(x: .nan, y: .infinity)
    }
  }

  @Test func `what a layout gets wrong is left out and told, never recorded`() throws {
    let stage = try Stage(items: [2], from: Wild(), to: Wild())
    stage.through(0.05)
    #expect(stage.lastFrame.ids == ["s0/0"])
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.5
    stage.view.invalidateLayout()
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.view.state == .idle)
    for frame in stage.timeline.frames {
      #expect(frame.ids == ["s0/0"])
      #expect(frame.state.contentSize.isFinite)
      #expect(frame.state.contentOffset.isFinite)
    }
    let codes = Set(stage.timeline.events(.warning).compactMap { $0.field("code") })
    #expect(codes == [.text("non-finite"), .text("unknown-element")])
  }

  @Test func `two runs of the same calls leave the same timeline`() throws {
    func run() throws -> [String] {
      let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 500))
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      for step in 0...9 {
        stage.at(Double(step) * 0.013)
        layout.updateValue(Double(step * step), forAnimatedKey: "PositionX")
        layout.transitionProgress = Double(step) / 9
        stage.view.invalidateLayout()
      }
      try stage.view.releaseInteractiveTransition()
      stage.through(2)
      return stage.timeline.frames.map { "\($0.state) \($0.poses)" }
        + stage.timeline.samples.map { "\($0)" } + stage.timeline.events.map { "\($0)" }
    }
    let (first, second) = (try run(), try run())
    #expect(first == second)
  }

  @Test func `scrolling during a transition moves where it started from`() throws {
    let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 1000))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    stage.view.scroll(to: Point2D(x: 0, y: 2000))
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 2000))
    layout.toContentOffset = Point2D(x: 0, y: 4000)
    layout.transitionProgress = 0.5
    stage.view.invalidateLayout()
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 3000))
    stage.view.scroll(to: Point2D(x: 0, y: 0))
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 2000))
    stage.view.scroll(to: Point2D(x: 0, y: Double.nan))
    #expect(stage.timeline.events(.warning).count == 1)
    try stage.view.cancelInteractiveTransition()
    stage.through(3)
    #expect(stage.view.contentOffset == .zero)
  }

  @Test(arguments: [
    (ItemScrollPosition.none, 100.0), (.minimal, 100), (.visible, 100), (.top, 120), (.left, 100),
    (.centeredVertically, 45), (.center, 45), (.bottom, 0),
  ])
  func `scrolling to item 12, whose row begins at 120`(position: ItemScrollPosition, y: Double)
    throws
  {
    let stage = try Stage(
      viewport: Size2D(width: 320, height: 200), contentOffset: Point2D(x: 0, y: 100), items: [100])
    try stage.view.scrollToItem(at: ItemIndexPath(section: 0, item: 12), position: position)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: y))
  }

  @Test func `scrolling to an item goes no further than the content, and only to known items`()
    throws
  {
    let stage = try Stage(viewport: Size2D(width: 320, height: 200), items: [100])
    try stage.view.scrollToItem(at: ItemIndexPath(section: 0, item: 99), position: .top)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 990))
    try stage.view.scrollToItem(at: ItemIndexPath(section: 0, item: 80), position: .visible)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 960))
    #expect(throws: TransitionError.self) {
      try stage.view.scrollToItem(at: ItemIndexPath(section: 0, item: 100), position: .top)
    }
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 960))
    #expect(stage.timeline.events(.error)[0].field("code") == .text("unknownItem"))
  }

  @Test func `a view without extent and without data shows empty frames`() throws {
    let stage = try Stage(viewport: Size2D(width: .nan, height: -5), items: [])
    try stage.view.startInteractiveTransition(to: stage.to)
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.timeline.frames.allSatisfy { $0.poses.isEmpty && $0.state.contentSize.isFinite })
  }
}
