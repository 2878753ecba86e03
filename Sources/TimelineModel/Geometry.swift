/// A place, in points; y points down.
public struct Point2D: Hashable, Sendable {
  /// Horizontal place, in points.
  public var x: Double
  /// Vertical place, in points, downwards.
  public var y: Double

  /// The origin.
  @inlinable
  public static var zero: Point2D { Point2D(x: 0, y: 0) }

  /// Makes a place from its two coordinates, in points.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether both coordinates are finite.
  @inlinable
  package var isFinite: Bool { x.isFinite && y.isFinite }
}

/// An extent, in points.
public struct Size2D: Hashable, Sendable {
  /// Horizontal extent, in points.
  public var width: Double
  /// Vertical extent, in points.
  public var height: Double

  /// No extent.
  @inlinable
  public static var zero: Size2D { Size2D(width: 0, height: 0) }

  /// Makes an extent from width and height, in points.
  @inlinable
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Whether both extents are finite.
  @inlinable
  package var isFinite: Bool { width.isFinite && height.isFinite }
}

/// An upright rectangle, in points.
public struct Rect2D: Hashable, Sendable {
  /// The corner with the smallest coordinates.
  public var origin: Point2D
  /// Width and height.
  public var size: Size2D

  /// The empty rectangle at the origin.
  @inlinable
  public static var zero: Rect2D { Rect2D(x: 0, y: 0, width: 0, height: 0) }

  /// Makes a rectangle from its corner and extent.
  @inlinable
  public init(origin: Point2D, size: Size2D) {
    self.origin = origin
    self.size = size
  }

  /// Makes a rectangle from four numbers, in points.
  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.origin = Point2D(x: x, y: y)
    self.size = Size2D(width: width, height: height)
  }

  /// Smallest horizontal coordinate, for a width that is not negative.
  public var minX: Double { origin.x }
  /// Horizontal middle.
  package var midX: Double { origin.x + size.width / 2 }
  /// Largest horizontal coordinate, for a width that is not negative.
  public var maxX: Double { origin.x + size.width }
  /// Smallest vertical coordinate, for a height that is not negative.
  public var minY: Double { origin.y }
  /// Vertical middle.
  package var midY: Double { origin.y + size.height / 2 }
  /// Largest vertical coordinate, for a height that is not negative.
  public var maxY: Double { origin.y + size.height }
  /// The middle of the rectangle.
  public var center: Point2D { Point2D(x: midX, y: midY) }
  /// Whether all four numbers are finite.
  @inlinable
  package var isFinite: Bool { origin.isFinite && size.isFinite }

  /// Whether the two rectangles share area. Touching edges do not count, and a rectangle without
  /// area meets nothing.
  public func intersects(_ other: Rect2D) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
      && size.width > 0 && size.height > 0 && other.size.width > 0 && other.size.height > 0
  }

  /// The smallest rectangle that holds both.
  public func union(_ other: Rect2D) -> Rect2D {
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    return Rect2D(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
}

/// The number, or the nearest finite one. 0 for what is no number.
@inlinable
package func clampedToFinite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
}
