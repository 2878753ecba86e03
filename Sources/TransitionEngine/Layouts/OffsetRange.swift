import TimelineModel

/// Where a viewport may be scrolled to: from the leading insets to the end of the content.
struct OffsetRange {
  var low: Point
  var high: Point

  init(contentSize: Size, inset: EdgeInsets, viewport: Size) {
    low = Point(x: -inset.left, y: -inset.top)
    high = Point(
      x: max(low.x, inset.right + contentSize.width - viewport.width),
      y: max(low.y, inset.bottom + contentSize.height - viewport.height))
  }

  func clamped(_ offset: Point) -> Point {
    Point(
      x: min(max(offset.x, low.x), high.x),
      y: min(max(offset.y, low.y), high.y))
  }
}
