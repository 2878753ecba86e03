import TimelineModel

/// Turns lengths along and across the scroll direction into horizontal and vertical ones and back, so
/// that the rules of the flow are written once.
struct FlowAxes {
  var direction: FlowLayoutParameters.ScrollDirection

  func main(_ size: Size) -> Double { direction == .vertical ? size.height : size.width }

  func cross(_ size: Size) -> Double { direction == .vertical ? size.width : size.height }

  func mainStart(_ insets: EdgeInsets) -> Double {
    direction == .vertical ? insets.top : insets.left
  }

  func mainEnd(_ insets: EdgeInsets) -> Double {
    direction == .vertical ? insets.bottom : insets.right
  }

  func crossStart(_ insets: EdgeInsets) -> Double {
    direction == .vertical ? insets.left : insets.top
  }

  func crossEnd(_ insets: EdgeInsets) -> Double {
    direction == .vertical ? insets.right : insets.bottom
  }

  /// The span of a rectangle along the scroll direction.
  func mainSpan(_ rect: Rect) -> (low: Double, high: Double) {
    direction == .vertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
  }

  /// The span of a rectangle across the scroll direction.
  func crossSpan(_ rect: Rect) -> (low: Double, high: Double) {
    direction == .vertical ? (rect.minX, rect.maxX) : (rect.minY, rect.maxY)
  }

  func size(main: Double, cross: Double) -> Size {
    direction == .vertical
      ? Size(width: cross, height: main) : Size(width: main, height: cross)
  }

  func rect(main: Double, cross: Double, mainExtent: Double, crossExtent: Double) -> Rect {
    direction == .vertical
      ? Rect(x: cross, y: main, width: crossExtent, height: mainExtent)
      : Rect(x: main, y: cross, width: mainExtent, height: crossExtent)
  }
}
