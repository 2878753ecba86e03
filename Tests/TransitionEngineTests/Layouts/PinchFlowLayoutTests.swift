import Testing
import TimelineModel
import TransitionEngine

/// An item that follows a pinch.
@Suite struct PinchFlowLayoutTests {
  private let context = LayoutContext(
    viewport: Size2D(width: 500, height: 800), itemCounts: [2])

  /// Two items of 500 by 600, one under the other with 10 between.
  private func pinch() -> PinchFlowLayout {
    var parameters = FlowLayoutParameters()
    parameters.itemSize = Size2D(width: 500, height: 600)
    let layout = PinchFlowLayout(name: "pinch", parameters: parameters)
    layout.prepare(in: context)
    return layout
  }

  @Test func `the item under the middle of two touches is a square as wide as they are apart`() {
    let layout = pinch()
    let item = layout.resizeItem(
      underTouches: Point2D(x: 100, y: 200), Point2D(x: 400, y: 600))
    #expect(item == ItemIndexPath(section: 0, item: 0))
    #expect(layout.pinchedItem == item)
    #expect(layout.pinchedSize == Size2D(width: 500, height: 500))
    // Nothing shows before the next prepare.
    #expect(layout.frame(0) == Rect2D(x: 0, y: 0, width: 500, height: 600))
    layout.prepare(in: context)
    let all = layout.layoutAttributesForAllElements()
    #expect(all[0].pose.size == Size2D(width: 500, height: 500))
    #expect(all[0].pose.center == Point2D(x: 250, y: 300))
    #expect(all.map(\.pose.zIndex) == [100, 0])
    #expect(all[1].frame == Rect2D(x: 0, y: 610, width: 500, height: 600))
    #expect(all.map(\.frame) == [layout.frame(0), layout.frame(1)])
    #expect(layout.contentSize == Size2D(width: 500, height: 1210))
  }

  @Test func `of two items under the touches the pinched one, which is on top, is found`() {
    let layout = pinch()
    layout.resizeItem(at: ItemIndexPath(section: 0, item: 0), withPinchDistance: 1000)
    layout.prepare(in: context)
    // Item 0 now reaches down to 800, over item 1.
    let below = Point2D(x: 250, y: 700)
    #expect(layout.resizeItem(underTouches: below, below)?.item == 0)
    layout.resetPinchedItem()
    layout.prepare(in: context)
    #expect(layout.resizeItem(underTouches: below, below)?.item == 1)
    #expect(layout.pinchedSize == .zero)
  }

  @Test func `a pinched item is found where its enlarged frame is, and only there`() {
    let layout = pinch()
    let strip = Rect2D(x: 0, y: 605, width: 500, height: 4)
    let corner = Rect2D(x: 0, y: 0, width: 10, height: 10)
    #expect(layout.layoutAttributesForElements(in: strip).isEmpty)
    layout.resizeItem(at: ItemIndexPath(section: 0, item: 0), withPinchDistance: 700)
    layout.prepare(in: context)
    #expect(layout.layoutAttributesForElements(in: strip).map(\.path.indexPath.item) == [0])
    layout.resizeItem(at: ItemIndexPath(section: 0, item: 0), withPinchDistance: 100)
    layout.prepare(in: context)
    #expect(layout.layoutAttributesForElements(in: strip).isEmpty)
    #expect(layout.layoutAttributesForElements(in: corner).isEmpty)
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 500, height: 1210)).map(
        \.frame)
        == layout.layoutAttributesForAllElements().map(\.frame))
  }

  @Test func `where nothing is under the touches, nothing is pinched`() {
    let layout = pinch()
    layout.resizeItem(at: ItemIndexPath(section: 0, item: 0), withPinchDistance: 9)
    #expect(layout.resizeItem(underTouches: Point2D(x: 0, y: 600), Point2D(x: 500, y: 610)) == nil)
    #expect(layout.pinchedItem == nil)
    layout.prepare(in: context)
    #expect(layout.frame(0) == Rect2D(x: 0, y: 0, width: 500, height: 600))
    #expect(
      layout.resizeItem(underTouches: Point2D(x: 499, y: 599), Point2D(x: 501, y: 601)) == nil)
    #expect(layout.resizeItem(underTouches: Point2D(x: 0, y: 0), Point2D(x: 0, y: 0))?.item == 0)
  }

  @Test func `after a reset the item is as before`() {
    let layout = pinch()
    let before = layout.layoutAttributesForAllElements()
    layout.resizeItem(underTouches: Point2D(x: 100, y: 200), Point2D(x: 400, y: 600))
    layout.prepare(in: context)
    #expect(layout.layoutAttributesForAllElements() != before)
    layout.resetPinchedItem()
    layout.prepare(in: context)
    #expect(layout.layoutAttributesForAllElements() == before)
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the touches, every answer is finite`(odd: Double) {
    let layout = pinch()
    for point in [Point2D(x: odd, y: odd), Point2D(x: odd, y: 300), Point2D(x: 250, y: 300)] {
      layout.resizeItem(underTouches: point, Point2D(x: 250, y: odd))
      layout.pinchedItem = layout.pinchedItem ?? ItemIndexPath(section: 0, item: 1)
      layout.prepare(in: context)
      #expect(layout.layoutAttributesForAllElements().allSatisfy { $0.frame.isFinite })
      layout.pinchedSize = Size2D(width: odd, height: odd)
      layout.prepare(in: context)
      #expect(layout.layoutAttributesForAllElements().allSatisfy { $0.frame.isFinite })
    }
    layout.pinchedItem = ItemIndexPath(section: 5, item: -1)
    layout.prepare(in: context)
    #expect(layout.layoutAttributesForAllElements().count == 2)
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 9, height: 9)).count == 1)
  }
}
