public import TimelineModel

/// What a stack layout is made from. Lengths are in points; all numbers are our own choice.
public struct StackLayoutParameters: Hashable, Sendable {
  /// The size of every item.
  public var itemSize = Size(width: 100, height: 100)
  /// Where the topmost item lies; nil puts it in the middle of the viewport.
  public var center: Point?
  /// By how much each item is turned further than the one above it, in radians, clockwise.
  public var angleStep = 0.1
  /// By how much each item is shifted from the one above it.
  public var itemOffset = Point(x: 2, y: 2)
  /// How many items show under the topmost one; the rest lie hidden under the last of them.
  public var visibleBelowTop = 3
  /// How far the backdrop reaches beyond the topmost item on every side; nil makes no backdrop.
  public var backdropMargin: Double?

  /// The kind of the decoration view behind the stack, at `[0, 0]`.
  public static let backdropKind = "backdrop"

  /// Makes the default parameters.
  public init() {}
}
