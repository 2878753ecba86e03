package import TimelineModel

/// How the places of touches become those of another surface: CSS pixels, or the units of a panel.
package struct PositionMap: Hashable, Sendable {
  /// What a place is multiplied by.
  package var scale: Double
  /// What is added then, in units of the other surface.
  package var offset: Point2D

  package init(scale: Double = 1, offset: Point2D = .zero) {
    (self.scale, self.offset) = (scale, offset)
  }

  func callAsFunction(_ position: Point2D) -> Point2D {
    Point2D(x: position.x * scale + offset.x, y: position.y * scale + offset.y)
  }
}
