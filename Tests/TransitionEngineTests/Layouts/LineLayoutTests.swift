import Testing
import TimelineModel
import TransitionEngine

/// The line layout of PSTCollectionView's examples.
@Suite struct LineLayoutTests {
  /// Items of 100 by 60 every 120 points, the first center at 50; the viewport is 320 by 480.
  private func line(
    items: [Int] = [10], offset: Point2D = .zero,
    viewport: Size2D = Size2D(width: 320, height: 480),
    _ change: (inout LineLayoutParameters) -> Void = { _ in }
  ) -> LineLayout {
    var parameters = LineLayoutParameters()
    parameters.itemSize = Size2D(width: 100, height: 60)
    parameters.spacing = 20
    change(&parameters)
    let layout = LineLayout(name: "line", parameters: parameters)
    layout.prepare(
      in: LayoutContext(viewport: viewport, contentOffset: offset, itemCounts: items))
    return layout
  }

  private func pose(_ layout: LineLayout, _ item: Int, _ section: Int = 0) -> Pose? {
    layout.layoutAttributesForItem(at: ItemIndexPath(section: section, item: item))?.pose
  }

  @Test func `the zoom is 1 + 0.3 · (1 − d / 200) within 200 points of the middle`() throws {
    // The viewport's middle stands at 160 + 10 = 170, which is item 1's center.
    let layout = line(offset: Point2D(x: 10, y: 0))
    for (item, distance) in [(0, 120.0), (1, 0), (2, 120)] {
      let pose = try #require(self.pose(layout, item))
      let zoom = 1 + 0.3 * (1 - distance / 200)
      #expect(near(pose.frame.size.width, 100 * zoom))
      #expect(near(pose.frame.size.height, 60 * zoom))
      #expect(pose.center == Point2D(x: 50 + 120 * Double(item), y: 240))
      #expect(pose.size == Size2D(width: 100, height: 60))
      #expect(pose.zIndex == 1)
    }
    let far = try #require(pose(layout, 3))
    #expect(far.transform == .identity)
    #expect(far.zIndex == 0)
    #expect(far.frame == Rect2D(x: 360, y: 210, width: 100, height: 60))
  }

  @Test func `an item at exactly the active distance is not zoomed`() {
    let layout = line(offset: Point2D(x: -110, y: 0)) { $0.activeDistance = 120 }
    #expect(pose(layout, 0)?.zIndex == 1)
    #expect(pose(layout, 1)?.zIndex == 0)
  }

  @Test func `one line holds the items of all sections, and the border is round it`() {
    let layout = line(items: [2, 0, 1]) {
      $0.inset = ContentInsets(top: 100, left: 30, bottom: 20, right: 40)
      $0.zoomFactor = 0
    }
    #expect(layout.contentSize == Size2D(width: 30 + 3 * 100 + 2 * 20 + 40, height: 480))
    // Across, the middle between the insets: 100 + 360 / 2.
    #expect(pose(layout, 0, 2)?.center == Point2D(x: 30 + 2 * 120 + 50, y: 280))
    #expect(
      layout.layoutAttributesForAllElements().map(\.path.indexPath) == [
        ItemIndexPath(section: 0, item: 0), ItemIndexPath(section: 0, item: 1),
        ItemIndexPath(section: 2, item: 0),
      ])
  }

  @Test func `a vertical line runs downwards`() {
    let layout = line(items: [3], offset: Point2D(x: 0, y: 1e6)) { $0.scrollDirection = .vertical }
    #expect(pose(layout, 2)?.frame == Rect2D(x: 110, y: 160, width: 100, height: 60))
    #expect(layout.contentSize == Size2D(width: 320, height: 220))
  }

  @Test func `the target offset brings the nearest item's center into the middle`() {
    let layout = line()
    // Centers at 50 + 120 k; the viewport's middle is 160 further than the offset.
    for (proposal, expected) in [(0.0, 10.0), (69, 10), (71, 130), (-900, -110), (9000, 970)] {
      let target = Point2D(x: expected, y: 7)
      let proposal = Point2D(x: proposal, y: 7)
      #expect(layout.targetContentOffset(forProposedContentOffset: proposal) == target)
      #expect(
        layout.targetContentOffset(
          forProposedContentOffset: proposal, withScrollingVelocity: Point2D(x: 900, y: 0))
          == target)
    }
  }

  @Test func `every change of bounds makes the zoom out of date`() {
    let layout = line(offset: Point2D(x: 10, y: 0))
    func isOutOfDate(_ bounds: Rect2D) -> Bool {
      layout.shouldInvalidateLayout(forBoundsChange: bounds)
    }
    #expect(!isOutOfDate(Rect2D(x: 10, y: 0, width: 320, height: 480)))
    #expect(isOutOfDate(Rect2D(x: 10.5, y: 0, width: 320, height: 480)))
    #expect(isOutOfDate(Rect2D(x: 10, y: 0, width: 320, height: 481)))
  }

  @Test func `the search gives what looking at every element gives`() {
    let shapes: [(inout LineLayoutParameters) -> Void] = [
      { _ in }, { $0.zoomFactor = 4 }, { $0.zoomFactor = -0.9 }, { $0.activeDistance = 1e9 },
      { $0.spacing = -99 }, { $0.spacing = -100 }, { $0.spacing = -1e9 },
      { $0.scrollDirection = .vertical },
      { $0.inset = ContentInsets(top: -5, left: -300, bottom: 9, right: 0) },
    ]
    for (number, shape) in shapes.enumerated() {
      let layout = line(items: [7, 0, 12], offset: Point2D(x: 300, y: 200), shape)
      let all = layout.layoutAttributesForAllElements()
      for place in stride(from: -400.0, through: 2600, by: 37) {
        for rect in [
          Rect2D(x: place, y: 180, width: 61, height: 90),
          Rect2D(x: 130, y: place, width: 61, height: 37),
        ] {
          let found = layout.layoutAttributesForElements(in: rect)
          #expect(found == all.filter { $0.frame.intersects(rect) }, "shape \(number) in \(rect)")
        }
      }
    }
  }

  @Test func `a million items prepare, and a window of them is found`() {
    let layout = line(items: [600_000, 400_000], offset: Point2D(x: 72_000_000, y: 0))
    #expect(layout.contentSize.width == 1_000_000 * 120 - 20)
    let window = Rect2D(x: 72_000_000, y: 0, width: 320, height: 480)
    #expect(
      layout.layoutAttributesForElements(in: window).map(\.path.indexPath) == [
        ItemIndexPath(section: 1, item: 0), ItemIndexPath(section: 1, item: 1),
        ItemIndexPath(section: 1, item: 2),
      ])
    let counted = line(items: [.max, .max])
    #expect(counted.contentSize.isFinite)
    #expect(counted.layoutAttributesForElements(in: window).count == 3)
    #expect(pose(counted, .max - 1)?.isFinite == true)
  }

  @Test func `no items and no viewport leave the border`() {
    let layout = line(items: [], viewport: .zero) {
      $0.inset = ContentInsets(top: 1, left: 2, bottom: 3, right: 4)
    }
    #expect(layout.contentSize == Size2D(width: 6, height: 0))
    #expect(layout.layoutAttributesForAllElements().isEmpty)
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 9, height: 9)).isEmpty)
    #expect(
      layout.targetContentOffset(forProposedContentOffset: Point2D(x: 3, y: 4))
        == Point2D(x: 3, y: 4))
    let one = line(items: [1], viewport: .zero)
    #expect(one.layoutAttributesForAllElements().allSatisfy { $0.pose.isFinite })
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the numbers, every answer is finite`(odd: Double) {
    for direction in FlowLayoutParameters.ScrollDirection.allCases {
      let layout = line(
        items: [2, -1, 1], offset: Point2D(x: odd, y: odd),
        viewport: Size2D(width: odd, height: odd)
      ) {
        $0.scrollDirection = direction
        $0.itemSize = Size2D(width: odd, height: 5)
        $0.spacing = odd
        $0.inset = ContentInsets(top: odd, left: odd, bottom: odd, right: odd)
        $0.zoomFactor = odd
        $0.activeDistance = odd
      }
      #expect(layout.contentSize.isFinite)
      let all = layout.layoutAttributesForAllElements()
      #expect(all.count == 3)
      #expect(all.allSatisfy { $0.pose.isFinite && $0.frame.isFinite })
      _ = layout.layoutAttributesForElements(in: Rect2D(x: odd, y: odd, width: odd, height: odd))
      #expect(
        layout.targetContentOffset(forProposedContentOffset: Point2D(x: odd, y: odd)).isFinite)
    }
  }

  @Test func `paths outside the data have no attributes`() {
    let layout = line(items: [2, 0])
    for path in [(0, 2), (0, -1), (1, 0), (2, 0), (-1, 0), (Int.max, Int.min)] {
      #expect(pose(layout, path.1, path.0) == nil)
    }
  }
}
