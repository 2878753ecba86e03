package import TimelineModel

/// Distances from the four edges, in points, inwards positive.
public struct ContentInsets: Hashable, Sendable {
  /// Distance from the upper edge.
  public var top: Double
  /// Distance from the left edge.
  public var left: Double
  /// Distance from the lower edge.
  public var bottom: Double
  /// Distance from the right edge.
  public var right: Double

  /// No distance anywhere.
  public static let zero = ContentInsets(top: 0, left: 0, bottom: 0, right: 0)

  /// Makes insets in the order that scenario files use: top, left, bottom, right.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Whether all four distances are finite.
  package var isFinite: Bool {
    top.isFinite && left.isFinite && bottom.isFinite && right.isFinite
  }
}

extension Rect2D {
  /// The rectangle shrunk by the insets on each side. An extent never becomes negative.
  package func inset(by insets: ContentInsets) -> Rect2D {
    Rect2D(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, size.width - insets.left - insets.right),
      height: max(0, size.height - insets.top - insets.bottom))
  }
}

extension ContentInsets: FieldConvertible {
  package static var fieldType: FieldType { .list(.number) }
  package var fieldValue: FieldValue { FieldValue(self) }
}

extension FieldValue {
  /// Four distances `[top, left, bottom, right]`.
  package init(_ value: ContentInsets) {
    self = .list([
      .number(value.top), .number(value.left), .number(value.bottom), .number(value.right),
    ])
  }
}
