import Testing
import TimelineModel
import TransitionEngine

@Suite struct FixedLayoutTests {
  let header = FixedLayout.Element(
    kind: "header", indexPath: ItemIndexPath(section: 0, item: 0),
    pose: Pose(frame: Rect2D(x: 0, y: 0, width: 400, height: 20)))
  let footer = FixedLayout.Element(
    kind: "footer", indexPath: ItemIndexPath(section: 0, item: 0),
    pose: Pose(frame: Rect2D(x: 0, y: 380, width: 400, height: 20)))
  let line = FixedLayout.Element(
    kind: "line", indexPath: ItemIndexPath(section: 0, item: 3),
    pose: Pose(frame: Rect2D(x: 0, y: 19, width: 400, height: 2)))

  @Test func `poses come back as they were given, in the order header, cells, footer, decoration`()
  {
    let turned = Pose(
      center: Point2D(x: 50, y: 25), size: Size2D(width: 100, height: 50),
      transform: .flat(Transform2D(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)), alpha: 0.5,
      zIndex: 3, isHidden: true)
    let layout = FixedLayout(
      contentSize: Size2D(width: 400, height: 400), items: [[turned], [turned]],
      supplementary: [footer, header], decoration: [line])
    let all = layout.layoutAttributesForAllElements()
    #expect(
      all.map { $0.path.elementKind ?? "cell" } == ["header", "cell", "footer", "cell", "line"])
    #expect(layout.layoutAttributesForItem(at: ItemIndexPath(section: 1, item: 0))?.pose == turned)
    #expect(layout.frame("footer") == footer.pose.frame)
    #expect(
      layout.layoutAttributesForDecorationView(ofKind: "line", at: line.indexPath)?.pose
        == line.pose)
    // Turned by a quarter its frame is upright: 50 wide, 100 high.
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 26, y: 60, width: 10, height: 10)).count == 2
    )
  }

  @Test func `an item that the data lacks is not placed`() {
    let layout = fixed(
      "f", [Rect2D(x: 0, y: 0, width: 9, height: 9), Rect2D(x: 9, y: 0, width: 9, height: 9)])
    layout.prepare(in: LayoutContext(viewport: Size2D(width: 9, height: 9), itemCounts: [1]))
    #expect(layout.layoutAttributesForAllElements().count == 1)
    #expect(layout.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 1)) == nil)
  }

  @Test func `a pose that is not finite is left out and told`() {
    let layout = fixed(
      "f", [Rect2D(x: .nan, y: 0, width: 9, height: 9), Rect2D(x: 9, y: 0, width: 9, height: 9)])
    #expect(layout.layoutAttributesForAllElements().count == 1)
    #expect(layout.warnings.map(\.code) == ["non-finite"])
  }

  @Test func `of a view that is given twice the later holds`() {
    var moved = header
    moved.pose.center.x += 5
    let layout = FixedLayout(
      contentSize: .zero, items: [], supplementary: [header, moved])
    #expect(layout.layoutAttributesForAllElements().map(\.pose) == [moved.pose])
  }
}
