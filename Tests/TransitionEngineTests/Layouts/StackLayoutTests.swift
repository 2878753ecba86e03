import Testing
import TimelineModel
import TransitionEngine

@Suite struct StackLayoutTests {
  private func stack(
    items: [Int], viewport: Size2D = Size2D(width: 300, height: 400),
    _ change: (inout StackLayoutParameters) -> Void = { _ in }
  ) -> StackLayout {
    var parameters = StackLayoutParameters()
    change(&parameters)
    let layout = StackLayout(name: "stack", parameters: parameters)
    layout.prepare(in: LayoutContext(viewport: viewport, itemCounts: items))
    return layout
  }

  @Test func `each item lies below, turned and shifted a step further, the rest hidden`() {
    let layout = stack(items: [2, 3]) {
      $0.angleStep = .pi / 2
      $0.itemOffset = Point2D(x: 3, y: -1)
      $0.visibleBelowTop = 2
      $0.itemSize = Size2D(width: 100, height: 40)
    }
    let all = layout.layoutAttributesForAllElements()
    #expect(all.map(\.pose.zIndex) == [4, 3, 2, 1, 0])
    #expect(all.map(\.pose.isHidden) == [false, false, false, true, true])
    #expect(
      all.map(\.pose.center) == [
        Point2D(x: 150, y: 200), Point2D(x: 153, y: 199), Point2D(x: 156, y: 198),
        Point2D(x: 156, y: 198), Point2D(x: 156, y: 198),
      ])
    #expect(near(all[0].frame, Rect2D(x: 100, y: 180, width: 100, height: 40)))
    #expect(near(all[1].frame, Rect2D(x: 133, y: 149, width: 40, height: 100)))
    #expect(near(all[2].frame, Rect2D(x: 106, y: 178, width: 100, height: 40)))
    #expect(all[3].pose.transform == all[2].pose.transform)
    #expect(layout.contentSize == Size2D(width: 300, height: 400))
  }

  @Test func `a turn is clockwise`() throws {
    let layout = stack(items: [2])
    let transform = layout.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 1))?.pose
      .transform
    // y points down: a point on the right moves down.
    #expect(try #require(transform).applied(to: Point2D(x: 1, y: 0)).y > 0)
  }

  @Test func `the backdrop is decoration behind the pile, and only there with items`() {
    let layout = stack(items: [2]) {
      $0.backdropMargin = 10
      $0.center = Point2D(x: 60, y: 70)
    }
    let all = layout.layoutAttributesForAllElements()
    #expect(all.map(\.path.category) == [.cell, .cell, .decoration])
    #expect(all[2].path.elementKind == "backdrop")
    #expect(all[2].frame == Rect2D(x: 0, y: 10, width: 120, height: 120))
    #expect(all[2].pose.zIndex < all[1].pose.zIndex)
    let path = ItemIndexPath(section: 0, item: 0)
    #expect(
      layout.layoutAttributesForDecorationView(ofKind: "backdrop", at: path)?.pose == all[2].pose)
    #expect(layout.layoutAttributesForDecorationView(ofKind: "curtain", at: path) == nil)
    #expect(
      layout.layoutAttributesForDecorationView(
        ofKind: "backdrop", at: ItemIndexPath(section: 0, item: 1)) == nil)
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 10, width: 5, height: 5))
        .map(\.path.category) == [.decoration])
    #expect(stack(items: [0]) { $0.backdropMargin = 10 }.layoutAttributesForAllElements().isEmpty)
    #expect(
      stack(items: [1]).layoutAttributesForDecorationView(ofKind: "backdrop", at: path) == nil)
  }

  @Test func `another extent makes it out of date, scrolling does not`() {
    let layout = stack(items: [1])
    #expect(
      !layout.shouldInvalidateLayout(forBoundsChange: Rect2D(x: 5, y: 6, width: 300, height: 400)))
    #expect(
      layout.shouldInvalidateLayout(forBoundsChange: Rect2D(x: 0, y: 0, width: 400, height: 300)))
  }

  @Test func `a million items are one pile`() {
    let layout = stack(items: [1_000_000])
    let last = layout.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: 999_999))?.pose
    #expect(last?.isHidden == true)
    #expect(last?.zIndex == 0)
    #expect(last?.center == Point2D(x: 156, y: 206))
    #expect(layout.frame(1_000_000) == nil)
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the numbers, every answer is finite`(odd: Double) {
    for visible in [Int.min, -1, 0, 5, .max] {
      for center in [nil, Point2D(x: odd, y: odd)] {
        let layout = stack(items: [3, -1], viewport: Size2D(width: odd, height: odd)) {
          $0.itemSize = Size2D(width: odd, height: odd)
          $0.center = center
          $0.angleStep = odd
          $0.itemOffset = Point2D(x: odd, y: odd)
          $0.visibleBelowTop = visible
          $0.backdropMargin = odd
        }
        #expect(layout.contentSize.isFinite)
        let all = layout.layoutAttributesForAllElements()
        #expect(all.count == 4)
        #expect(all.allSatisfy { $0.pose.isFinite && $0.frame.isFinite })
        #expect(all[0].pose.isHidden == false)
      }
    }
  }
}
