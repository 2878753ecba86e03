import TimelineModel

/// Turns lengths along and across the scroll direction into horizontal and vertical ones and back, so
/// that the rules of the flow are written once.
struct FlowAxes {
  var direction: FlowLayoutParameters.ScrollDirection

  private var isVertical: Bool { direction == .vertical }

  func main(_ size: Size2D) -> Double { isVertical ? size.height : size.width }

  func cross(_ size: Size2D) -> Double { isVertical ? size.width : size.height }

  func mainStart(_ insets: ContentInsets) -> Double { isVertical ? insets.top : insets.left }

  func mainEnd(_ insets: ContentInsets) -> Double { isVertical ? insets.bottom : insets.right }

  func crossStart(_ insets: ContentInsets) -> Double { isVertical ? insets.left : insets.top }

  func crossEnd(_ insets: ContentInsets) -> Double { isVertical ? insets.right : insets.bottom }

  /// The span of a rectangle along the scroll direction.
  func mainSpan(_ rect: Rect2D) -> (low: Double, high: Double) {
    isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
  }

  /// The span of a rectangle across the scroll direction.
  func crossSpan(_ rect: Rect2D) -> (low: Double, high: Double) {
    isVertical ? (rect.minX, rect.maxX) : (rect.minY, rect.maxY)
  }

  func size(main: Double, cross: Double) -> Size2D {
    isVertical
      ? Size2D(width: cross, height: main) : Size2D(width: main, height: cross)
  }

  func rect(main: Double, cross: Double, mainExtent: Double, crossExtent: Double) -> Rect2D {
    isVertical
      ? Rect2D(x: cross, y: main, width: crossExtent, height: mainExtent)
      : Rect2D(x: main, y: cross, width: mainExtent, height: crossExtent)
  }
}
