import Testing
import TimelineModel
import TransitionEngine

/// The resize example: 768 by 1024, items of 128 and of 336 points.
@Suite struct PlacementTests {
  let small = prepared(resizeLayout("small", 128), width: 768, height: 1024, items: [200])
  let large = prepared(resizeLayout("large", 336), width: 768, height: 1024, items: [200])

  func offset(
    _ items: [Int], _ placement: Placement, from offset: Point2D = Point2D(x: 0, y: 1000),
    inset: ContentInsets = .zero, _ change: (inout PlacementOptions) -> Void = { _ in }
  ) -> Point2D? {
    var options = PlacementOptions()
    change(&options)
    return toContentOffset(
      from: small, to: large, items: items.map { ItemIndexPath(section: 0, item: $0) },
      placement: placement, options: options, contentOffset: offset,
      viewport: Size2D(width: 768, height: 1024), contentInset: inset)
  }

  @Test func `center puts item 50 into the middle`() {
    // Row 25 begins at 8660 and its middle is at 8828.
    #expect(offset([50], .center) == Point2D(x: 0, y: 8316))
  }

  @Test(arguments: [
    (Placement.none, 8828.0), (.top, 8660), (.bottom, 7972), (.left, 8316), (.right, 8316),
    // Row 10 of the small ones begins at 1390: the middle, 1454, is at 454 of the screen.
    (.minimal, 8374), (.visible, 8374),
  ])
  func `each placement of item 50`(placement: Placement, y: Double) {
    #expect(offset([50], placement) == Point2D(x: 0, y: y))
  }

  @Test func `several items are placed by the rectangle that holds them`() {
    // Items 50 and 53 of the large ones span rows 25 and 26: 8660 to 9342.
    #expect(offset([50, 53], .center) == Point2D(x: 0, y: 8489))
    #expect(offset([53, 50], .top) == Point2D(x: 0, y: 8660))
  }

  @Test func `results are clamped to the content and its insets`() {
    #expect(offset([0], .center) == .zero)
    #expect(offset([199], .center) == Point2D(x: 0, y: 33586))
    let inset = ContentInsets(top: 20, left: 3, bottom: 40, right: 5)
    #expect(offset([0], .bottom, inset: inset) == Point2D(x: -3, y: -20))
    #expect(offset([199], .top, inset: inset) == Point2D(x: 5, y: 33626))
  }

  @Test func `an anchor replaces the point of the items, in unit coordinates`() {
    #expect(offset([50], .center) { $0.anchor = Point2D(x: 0.5, y: 0.5) } == Point2D(x: 0, y: 8316))
    #expect(offset([50], .center) { $0.anchor = Point2D(x: 0.5, y: 0) } == Point2D(x: 0, y: 8148))
    // For top the viewport's point stays the upper edge.
    #expect(offset([50], .top) { $0.anchor = Point2D(x: 0.5, y: 1) } == Point2D(x: 0, y: 8996))
    // Minimal keeps the same anchor of both frames on its place: 8660 − (1390 − 1000).
    #expect(offset([50], .minimal) { $0.anchor = .zero } == Point2D(x: 0, y: 8270))
  }

  @Test func `visible shifts the place of minimal no further than needed`() {
    // From 0, item 50 is at 1390 of the screen's 1024, and so is it at the end: shifted to the edge.
    #expect(offset([50], .visible, from: .zero) == Point2D(x: 0, y: 7972))
    #expect(offset([50], .minimal, from: .zero) == Point2D(x: 0, y: 7374))
    // From 1500 its middle is at -46 of the screen.
    #expect(offset([50], .visible, from: Point2D(x: 0, y: 1500)) == Point2D(x: 0, y: 8660))
  }

  @Test func `the library's quirks are the default, and legal takes them out`() {
    let top = ContentInsets(top: 100, left: 0, bottom: 0, right: 0)
    // The placement's inset raises the largest offset past the end of the content.
    #expect(offset([199], .center) { $0.placementInset = top } == Point2D(x: 0, y: 33686))
    #expect(
      offset([199], .center) {
        $0.placementInset = top
        $0.legal = true
      } == Point2D(x: 0, y: 33586))
    // The least offset does not know it.
    #expect(offset([0], .top) { $0.placementInset = top } == .zero)
    // Visible may leave the range: item 0 is pushed below the inset.
    #expect(offset([0], .visible, from: .zero) { $0.placementInset = top } == Point2D(x: 0, y: -90))
    #expect(
      offset([0], .visible, from: .zero) {
        $0.placementInset = top
        $0.legal = true
      } == .zero)
  }

  @Test func `the viewport and insets of the end replace those of now`() {
    #expect(
      offset([50], .center) { $0.toSize = Size2D(width: 768, height: 500) }
        == Point2D(x: 0, y: 8578))
    #expect(
      offset([0], .center) {
        $0.toContentInset = ContentInsets(top: 33, left: 0, bottom: 0, right: 0)
      } == Point2D(x: 0, y: -33))
  }

  @Test func `no items, or an unknown one, give no offset`() {
    for placement in Placement.allCases {
      #expect(offset([], placement) == nil)
      #expect(offset([200], placement) == nil)
      #expect(offset([0, -1], placement) == nil)
    }
  }

  @Test func `no numbers make an offset that is not finite`() {
    for placement in Placement.allCases {
      for odd in [1e308, -1e308, .infinity, .nan] {
        let result = offset([3], placement, from: Point2D(x: odd, y: odd)) {
          $0.anchor = Point2D(x: odd, y: odd)
          $0.placementInset = ContentInsets(top: odd, left: odd, bottom: odd, right: odd)
          $0.toSize = Size2D(width: odd, height: odd)
        }
        #expect(result?.isFinite ?? true)
      }
    }
  }

  @Test func `a point in unit coordinates; a side without extent gives 0`() {
    let point = Point2D(x: 1, y: 2)
    #expect(
      relativePoint(point, in: Rect2D(x: 0, y: 0, width: 2, height: 2)) == Point2D(x: 0.5, y: 1))
    #expect(
      relativePoint(point, in: Rect2D(x: 0, y: 0, width: 0, height: 2)) == Point2D(x: 0, y: 1))
  }
}
