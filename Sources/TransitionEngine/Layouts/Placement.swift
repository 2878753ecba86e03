public import TimelineModel

/// Where chosen items shall stand in the viewport once the next layout is installed.
public enum Placement: String, CaseIterable, Sendable {
  /// Their middle at the viewport's corner.
  case none
  /// Where they stand on the screen now, as far as the content allows.
  case minimal
  /// Moved as little as makes them visible.
  case visible
  /// In the middle.
  case center
  /// At the upper edge.
  case top
  /// At the lower edge.
  case bottom
  /// At the left edge.
  case left
  /// At the right edge.
  case right
}

/// The input of a placement, besides the layouts and the items. Lengths are in points.
public struct PlacementOptions: Hashable, Sendable {
  /// The point of the items' rectangle that is placed, in unit coordinates of that rectangle ((0, 0)
  /// the corner, (1, 1) the far corner). `nil` takes the point that the placement is named after.
  public var anchor: Point2D?
  /// The insets of the viewport before items are placed in it.
  public var placementInset = ContentInsets.zero
  /// The viewport's extent at the end. `nil`: as it is.
  public var toSize: Size2D?
  /// The view's content insets at the end. `nil`: as they are.
  public var toContentInset: ContentInsets?
  /// Whether the result always stays where the user could scroll to, and both insets count everywhere.
  ///
  /// Off, the rule is TLLayoutTransitioning's to the letter: a placement inset widens the range past the
  /// end of the content, and `visible` may leave it.
  public var legal = false

  /// Makes options that leave everything as it is.
  public init() {}
}

/// The content offset that puts items at a place of the viewport (TLLayoutTransitioning's
/// toContentOffsetForLayout:indexPaths:placement:…).
///
/// - Parameters:
///   - current: The layout now, prepared.
///   - next: The layout at the end, prepared.
///   - items: The items. The rectangle that holds them all is placed.
///   - placement: Where.
///   - options: Other options.
///   - contentOffset: The content offset now, in points.
///   - viewport: The viewport's extent now, in points.
///   - contentInset: The view's content insets now, in points.
/// - Returns: An offset in points, always finite. `nil` without items or for an item that one of the
///   layouts does not place.
package func toContentOffset(
  from current: any CollectionViewLayout, to next: any CollectionViewLayout, items: [ItemIndexPath],
  placement: Placement, options: PlacementOptions = .init(), contentOffset: Point2D,
  viewport: Size2D,
  contentInset: ContentInsets
) -> Point2D? {
  guard let now = union(of: items, in: current), let then = union(of: items, in: next) else {
    return nil
  }
  let inset = options.toContentInset ?? contentInset
  let size = options.toSize ?? viewport
  var bounds = Rect2D(origin: .zero, size: size).inset(by: options.placementInset)
  var rangeSize = bounds.size
  if options.legal {
    bounds = bounds.inset(by: inset)
    rangeSize = size
  }
  let range = OffsetRange(contentSize: next.contentSize, inset: inset, viewport: rangeSize)
  var stays = options.point(of: then, or: then.center)
  let shown = options.point(of: now, or: now.center)
  stays = Point2D(
    x: stays.x - shown.x + contentOffset.x, y: stays.y - shown.y + contentOffset.y)

  let result: Point2D
  switch placement {
  case .minimal:
    result = range.clamped(stays)
  case .visible:
    let start = range.clamped(stays)
    let moved = Point2D(
      x: start.x
        - shift(showing: (then.minX - start.x, then.maxX - start.x), in: (bounds.minX, bounds.maxX)),
      y: start.y
        - shift(showing: (then.minY - start.y, then.maxY - start.y), in: (bounds.minY, bounds.maxY))
    )
    result = options.legal ? range.clamped(moved) : moved
  case .none, .center, .top, .bottom, .left, .right:
    let source = options.point(of: then, or: placement.point(of: then))
    let destination = placement == .none ? Point2D.zero : placement.point(of: bounds)
    result = range.clamped(Point2D(x: source.x - destination.x, y: source.y - destination.y))
  }
  return result.isFinite ? result : range.clamped(contentOffset).asLengths
}

/// How far a span on the screen is shifted so that it lies in a room: not at all if it does, or if it
/// sticks out on both sides. Else until the first edge is reached.
private func shift(
  showing span: (low: Double, high: Double), in bounds: (low: Double, high: Double)
) -> Double {
  let before = span.low - bounds.low
  let after = bounds.high - span.high
  if before * after >= 0 { return 0 }
  return before < 0 ? min(after, -before) : max(after, -before)
}

private func union(of items: [ItemIndexPath], in layout: any CollectionViewLayout) -> Rect2D? {
  var union: Rect2D?
  for item in items {
    guard let frame = layout.layoutAttributesForItem(at: item)?.frame, frame.isFinite else {
      return nil
    }
    union = union.map { $0.union(frame) } ?? frame
  }
  return union
}

extension PlacementOptions {
  fileprivate func point(of rect: Rect2D, or other: Point2D) -> Point2D {
    guard let anchor, anchor.isFinite else { return other }
    return Point2D(
      x: rect.minX + anchor.x * rect.size.width, y: rect.minY + anchor.y * rect.size.height)
  }
}

extension Placement {
  /// The point of a rectangle that the placement is named after.
  fileprivate func point(of rect: Rect2D) -> Point2D {
    switch self {
    case .top: Point2D(x: rect.midX, y: rect.minY)
    case .bottom: Point2D(x: rect.midX, y: rect.maxY)
    case .left: Point2D(x: rect.minX, y: rect.midY)
    case .right: Point2D(x: rect.maxX, y: rect.midY)
    case .none, .minimal, .visible, .center: rect.center
    }
  }
}

/// A point in unit coordinates of a rectangle. A side without extent gives 0 on its axis.
public func relativePoint(_ point: Point2D, in rect: Rect2D) -> Point2D {
  Point2D(
    x: rect.size.width == 0 ? 0 : (point.x - rect.minX) / rect.size.width,
    y: rect.size.height == 0 ? 0 : (point.y - rect.minY) / rect.size.height)
}
