import TimelineModel

/// Where a viewport may be scrolled to: from the leading insets to the end of the content.
struct OffsetRange {
  var low: Point2D
  var high: Point2D

  init(contentSize: Size2D, inset: ContentInsets, viewport: Size2D) {
    low = Point2D(x: -inset.left, y: -inset.top)
    high = Point2D(
      x: max(low.x, inset.right + contentSize.width - viewport.width),
      y: max(low.y, inset.bottom + contentSize.height - viewport.height))
  }

  func clamped(_ offset: Point2D) -> Point2D {
    Point2D(
      x: min(max(offset.x, low.x), high.x),
      y: min(max(offset.y, low.y), high.y))
  }
}
