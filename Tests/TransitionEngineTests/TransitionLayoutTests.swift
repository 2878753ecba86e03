import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// The layout between two layouts, without a view.
@Suite struct TransitionLayoutTests {
  let context = LayoutContext(viewport: Size2D(width: 768, height: 1024), itemCounts: [200])

  func resize() -> TransitionLayout {
    let layout = TransitionLayout(
      currentLayout: resizeLayout("small", 128), nextLayout: resizeLayout("large", 336))
    layout.prepare(in: context)
    return layout
  }

  func set(_ layout: TransitionLayout, _ progress: Double) {
    layout.transitionProgress = progress
    layout.prepare(in: context)
  }

  @Test func `both layouts stay readable`() {
    let (from, to) = (grid("a"), grid("b"))
    let layout = TransitionLayout(currentLayout: from, nextLayout: to)
    #expect(layout.currentLayout === from)
    #expect(layout.nextLayout === to)
    #expect(layout.transitionProgress == 0)
  }

  @Test func `progress is kept as given and moves nothing until the layout prepares`() {
    let layout = resize()
    layout.transitionProgress = 0.25
    #expect(layout.frame(7) == Rect2D(x: 320, y: 148, width: 128, height: 128))
    layout.prepare(in: context)
    #expect(layout.frame(7) == Rect2D(x: 345.5, y: 373, width: 180, height: 180))
    for progress in [2.0, -1, 0.25] {
      set(layout, progress)
      #expect(layout.transitionProgress == progress)
    }
  }

  @Test func `beyond both ends the poses go on along the line`() {
    let layout = resize()
    set(layout, 2)
    #expect(near(layout.frame(7), Rect2D(x: 524, y: 1948, width: 544, height: 544), 1e-9))
    set(layout, -1)
    #expect(near(layout.frame(7), Rect2D(x: 218, y: -752, width: -80, height: -80), 1e-9))
  }

  @Test func `a progress that is not finite is refused`() {
    let layout = resize()
    layout.transitionProgress = 0.5
    for progress in [Double.nan, .infinity, -.infinity] { layout.transitionProgress = progress }
    #expect(layout.transitionProgress == 0.5)
  }

  @Test func `a sixteenth of the way`() {
    let layout = resize()
    set(layout, 0.0625)
    #expect(near(layout.frame(7), Rect2D(x: 326.375, y: 204.25, width: 141, height: 141), 1e-9))
  }

  @Test func `the overshoot that was once measured`() {
    let layout = resize()
    set(layout, 1.00456592)
    #expect(
      near(
        layout.frame(7), Rect2D(x: 422.4657, y: 1052.1093, width: 336.9497, height: 336.9497), 5e-5)
    )
  }

  @Test func `a key keeps its last value and the whole history`() {
    let layout = resize()
    #expect(layout.valueForAnimatedKey("PositionX") == 0)
    #expect(!layout.hasValue(forAnimatedKey: "PositionX"))
    layout.updateValue(10, forAnimatedKey: "PositionX")
    layout.updateValue(30, forAnimatedKey: "PositionX")
    layout.updateValue(.nan, forAnimatedKey: "PositionX")
    #expect(layout.valueForAnimatedKey("PositionX") == 30)
    #expect(layout.hasValue(forAnimatedKey: "PositionX"))
    #expect(layout.history(forAnimatedKey: "PositionX").map(\.value) == [10, 30])
    #expect(layout.animatedKeys == ["PositionX"])
  }

  @Test func `naming a target does not give a key a value`() {
    let layout = resize()
    layout.setTargets(finish: 3, cancel: 4, forAnimatedKey: "a")
    layout.freeze(animatedKey: "b")
    #expect(!layout.hasValue(forAnimatedKey: "a"))
    #expect(layout.animatedKeys.isEmpty)
    #expect(layout.history(forAnimatedKey: "b").isEmpty)
  }

  @Test func `the content size is mixed`() {
    let layout = resize()
    set(layout, 0.25)
    #expect(layout.contentSize == Size2D(width: 768, height: 12800))
  }

  @Test func `the frame is the box round the turned element, and sets center and size`() {
    var pose = Pose(center: Point2D(x: 200, y: 100), size: Size2D(width: 100, height: 50))
    let (cosine, sine) = (0.75.squareRoot(), 0.5)
    pose.transform = .flat(Transform2D(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0))
    #expect(
      near(pose.frame, Rect2D(x: 144.19873, y: 53.34936, width: 111.60254, height: 93.30127), 1e-5))
    pose.transform = .identity
    pose.frame = Rect2D(x: 1, y: 2, width: 30, height: 40)
    #expect(pose.center == Point2D(x: 16, y: 22))
    #expect(pose.size == Size2D(width: 30, height: 40))
    #expect(pose.alpha == 1)
    #expect(pose.zIndex == 0)
    #expect(!pose.isHidden)
  }

  @Test func `preparing again does not move again, and the way to a progress does not matter`() {
    let layout = resize()
    set(layout, 0.5)
    let half = layout.layoutAttributesForAllElements()
    for _ in 0..<3 { layout.prepare(in: context) }
    #expect(layout.layoutAttributesForAllElements() == half)
    set(layout, 0.6)
    let direct = layout.layoutAttributesForAllElements()
    for progress in [0.3, 1, 1.4, -2, 0, 0.6] { set(layout, progress) }
    #expect(layout.layoutAttributesForAllElements() == direct)
  }

  @Test func `at both ends the poses are the layouts' own`() {
    let layout = resize()
    set(layout, 0)
    #expect(
      layout.layoutAttributesForAllElements()
        == layout.currentLayout.layoutAttributesForAllElements())
    set(layout, 1)
    #expect(
      layout.layoutAttributesForAllElements() == layout.nextLayout.layoutAttributesForAllElements())
  }

  @Test func `an element of one layout only fades where it stands, headers too`() {
    let from = grid("from") { $0.headerReferenceSize = Size2D(width: 0, height: 20) }
    let to = fixed("to", [Rect2D(x: 0, y: 0, width: 10, height: 10)])
    let layout = TransitionLayout(currentLayout: from, nextLayout: to)
    let context = LayoutContext(viewport: Size2D(width: 320, height: 480), itemCounts: [2])
    layout.prepare(in: context)
    layout.transitionProgress = 0.25
    layout.prepare(in: context)
    let all = layout.layoutAttributesForAllElements()
    #expect(all.map(\.path.category) == [.supplementary, .cell, .cell])
    #expect(all[0].frame == Rect2D(x: 0, y: 0, width: 320, height: 20))
    #expect(all[0].pose.alpha == 0.75)
    #expect(all[1].pose.alpha == 1)
    #expect(all[1].frame.size.width == 40)
    #expect(all[2].frame == from.frame(1))
    #expect(all[2].pose.alpha == 0.75)

    let back = TransitionLayout(currentLayout: to, nextLayout: from)
    back.prepare(in: context)
    back.transitionProgress = 1.1
    back.prepare(in: context)
    #expect(back.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 1))?.pose.alpha == 1.1)
    #expect(back.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 9)) == nil)
  }

  @Test func `the layouts' hooks give the end that one of them does not have`() {
    let (from, to) = (HookTrace(name: "from"), HookTrace(name: "to"))
    let (first, second) = (ItemIndexPath(section: 0, item: 0), ItemIndexPath(section: 0, item: 1))
    let flying = Pose(center: Point2D(x: -100, y: 0), size: Size2D(width: 10, height: 10))
    from.ends[first] = LayoutAttributes(path: .cell(first), pose: flying)
    to.starts[second] = LayoutAttributes(path: .cell(second), pose: flying)
    // Each layout places only one of the two items.
    final class Half: TransitionLayout {
      override func prepare(in context: LayoutContext) {
        super.prepare(in: context)
        currentLayout.prepare(in: LayoutContext(viewport: context.viewport, itemCounts: [1]))
        nextLayout.prepare(in: LayoutContext(viewport: context.viewport, itemCounts: [0]))
      }
    }
    let leaving = Half(currentLayout: from, nextLayout: to)
    leaving.transitionProgress = 0.5
    leaving.prepare(in: context)
    #expect(leaving.layoutAttributesForItem(at: first)?.pose.center == Point2D(x: -37.5, y: 12.5))
    #expect(leaving.layoutAttributesForItem(at: first)?.pose.alpha == 1)
    // Asked again for each frame, the hook is asked once for each preparation.
    _ = leaving.layoutAttributesForItem(at: first)
    #expect(from.calls.filter { $0 == "final 0.0" }.count == 1)
    let arriving = TransitionLayout(
      currentLayout: fixed("one", [Rect2D(x: 0, y: 0, width: 1, height: 1)]), nextLayout: to)
    arriving.transitionProgress = 0
    arriving.prepare(in: LayoutContext(viewport: context.viewport, itemCounts: [2]))
    #expect(arriving.layoutAttributesForItem(at: second)?.pose == flying)
  }

  @Test func `every supplementary view of every kind, and decoration, takes part`() {
    func layout(_ y: Double) -> FixedLayout {
      func views(_ kind: String) -> [FixedLayout.Element] {
        (0..<3).map {
          FixedLayout.Element(
            kind: kind, indexPath: ItemIndexPath(section: 0, item: $0),
            pose: Pose(frame: Rect2D(x: Double($0), y: y, width: 1, height: 1)))
        }
      }
      return FixedLayout(
        contentSize: Size2D(width: 9, height: 9), items: [],
        supplementary: views("header") + views("badge"), decoration: views("line"))
    }
    let between = TransitionLayout(currentLayout: layout(0), nextLayout: layout(10))
    between.transitionProgress = 0.25
    between.prepare(in: LayoutContext(viewport: context.viewport, itemCounts: [0]))
    let all = between.layoutAttributesForAllElements()
    #expect(all.count == 9)
    #expect(all.allSatisfy { $0.frame.minY == 2.5 })
  }

  @Test
  func `size, center, alpha and transforms are mixed, order and hiding go by their rules`() {
    let start = Pose(
      center: Point2D(x: 0, y: 0), size: Size2D(width: 2, height: 4), alpha: 0.2, zIndex: 7,
      isHidden: true)
    let end = Pose(
      center: Point2D(x: 10, y: 20), size: Size2D(width: 4, height: 8),
      transform: .flat(Transform2D(a: 3, b: 0, c: 0, d: 3, tx: 4, ty: 0)), alpha: 0.6)
    func layout(_ pose: Pose) -> FixedLayout {
      FixedLayout(contentSize: Size2D(width: 9, height: 9), items: [[pose]])
    }
    let between = TransitionLayout(currentLayout: layout(start), nextLayout: layout(end))
    between.transitionProgress = 0.5
    between.prepare(in: LayoutContext(viewport: context.viewport, itemCounts: [1]))
    #expect(
      between.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 0))?.pose
        == Pose(
          center: Point2D(x: 5, y: 10), size: Size2D(width: 3, height: 6),
          transform: .flat(Transform2D(a: 2, b: 0, c: 0, d: 2, tx: 2, ty: 0)), alpha: 0.4,
          zIndex: 7))
  }

  @Test func `a row of three meets a grid half way, as in a line that becomes a grid`() {
    let layout = TransitionLayout(
      currentLayout: fixed("line", [Rect2D(x: 580, y: 10, width: 180, height: 180)]),
      nextLayout: fixed("grid", [Rect2D(x: 10, y: 200, width: 180, height: 180)]))
    set(layout, 0.5)
    #expect(layout.frame(0) == Rect2D(x: 295, y: 105, width: 180, height: 180))
  }

  @Test func `what a subclass makes of a pose is shown, unless it is not finite`() {
    final class Bending: TransitionLayout {
      override func pose(_ mixed: Pose, of path: ElementPath, from: Pose, to: Pose) -> Pose {
        var pose = mixed
        pose.center.x += path.indexPath.item == 0 ? 100 * preparedProgress : .nan
        return pose
      }
    }
    let frames = [
      Rect2D(x: 0, y: 0, width: 9, height: 9), Rect2D(x: 20, y: 0, width: 9, height: 9),
    ]
    let layout = Bending(currentLayout: fixed("f", frames), nextLayout: fixed("f", frames))
    set(layout, 0.5)
    #expect(layout.frame(0)?.minX == 50)
    #expect(layout.frame(1) == frames[1])
  }

  @Test func `transforms are mixed the way that was chosen`() {
    func pose(_ transform: Transform2D) -> FixedLayout {
      FixedLayout(
        contentSize: .zero,
        items: [[Pose(center: .zero, size: .zero, transform: .flat(transform))]])
    }
    let layout = TransitionLayout(
      currentLayout: pose(Transform2D(a: -0.2, b: 0, c: 0, d: -0.2, tx: 0, ty: 0)),
      nextLayout: pose(.identity))
    set(layout, 0.5)
    func components() -> [Double] {
      layout.layoutAttributesForAllElements()[0].pose.transform.components
    }
    for (value, expected) in zip(components(), [0, 0.6, -0.6, 0]) { #expect(near(value, expected)) }
    layout.transforms = .componentwise
    for (value, expected) in zip(components(), [0.4, 0, 0, 0.4]) { #expect(near(value, expected)) }
  }

  @Test func `following adds the keys' values to every center, each along its axis`() {
    let keys = ["PositionX", "drag.y", "PositionY"].compactMap(
      FollowTransitionLayout.Key.init(name:))
    #expect(FollowTransitionLayout.Key(name: "angle") == nil)
    #expect(FollowTransitionLayout.Key(name: "") == nil)
    #expect(keys.map(\.axis) == [.x, .y, .y])
    let layout = FollowTransitionLayout(
      currentLayout: fixed("f", [Rect2D(x: 0, y: 0, width: 10, height: 10)]),
      nextLayout: fixed("f", [Rect2D(x: 100, y: 0, width: 10, height: 10)]), following: keys)
    layout.updateValue(7, forAnimatedKey: "PositionX")
    layout.updateValue(3, forAnimatedKey: "PositionY")
    layout.updateValue(2, forAnimatedKey: "drag.y")
    layout.updateValue(1000, forAnimatedKey: "other.x")
    set(layout, 0.5)
    #expect(layout.frame(0) == Rect2D(x: 57, y: 5, width: 10, height: 10))
  }
}
