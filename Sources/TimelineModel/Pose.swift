/// Where and how one element stands: everything of it that a transition moves.
///
/// Setting the frame sets center and size. Setting center or size moves the frame, which is the
/// bounding box after the transform (as in UICollectionViewLayoutAttributes).
public struct Pose: Hashable, Sendable {
  /// The element's center in content coordinates, in points. The transform turns about it.
  public var center: Point2D
  /// Width and height before the transform, in points.
  public var size: Size2D
  /// How the element is turned, scaled or shifted about its center.
  public var transform: ElementTransform
  /// Opacity, 0 to 1 for display. Stored as it was computed, so an overshoot may leave the range.
  public var alpha: Double
  /// Drawing order: larger is nearer to the viewer. No unit.
  public var zIndex: Int
  /// Whether the element gets no view at all.
  public var isHidden: Bool

  /// Makes a pose. All but center and size default to an upright, opaque, visible element.
  @inlinable
  public init(
    center: Point2D, size: Size2D, transform: ElementTransform = .identity, alpha: Double = 1,
    zIndex: Int = 0, isHidden: Bool = false
  ) {
    self.center = center
    self.size = size
    self.transform = transform
    self.alpha = alpha
    self.zIndex = zIndex
    self.isHidden = isHidden
  }

  /// Makes an upright, opaque, visible pose that fills a frame.
  public init(frame: Rect2D) {
    self.init(center: frame.center, size: frame.size)
  }

  /// The element's own rectangle before the transform: origin zero and its size.
  public var bounds: Rect2D {
    get { Rect2D(origin: .zero, size: size) }
    set { size = newValue.size }
  }

  /// The bounding box after the transform, in content coordinates. Finite for a finite pose, also
  /// where its sums overflow.
  ///
  /// Setting it sets center and size. Under a transform other than the identity the frame read back
  /// is then the bounding box of the new size, as with UIKit.
  public var frame: Rect2D {
    get {
      if transform == .identity {
        return Rect2D(
          x: clampedToFinite(center.x - size.width / 2),
          y: clampedToFinite(center.y - size.height / 2),
          width: size.width, height: size.height)
      }
      let halfWidth = size.width / 2
      let halfHeight = size.height / 2
      var left = Double.infinity
      var right = -Double.infinity
      var top = Double.infinity
      var bottom = -Double.infinity
      for (x, y) in [
        (-halfWidth, -halfHeight), (halfWidth, -halfHeight), (-halfWidth, halfHeight),
        (halfWidth, halfHeight),
      ] {
        let corner = transform.applied(to: Point2D(x: x, y: y))
        left = min(left, corner.x)
        right = max(right, corner.x)
        top = min(top, corner.y)
        bottom = max(bottom, corner.y)
      }
      return Rect2D(
        x: clampedToFinite(center.x + left), y: clampedToFinite(center.y + top),
        width: clampedToFinite(right - left),
        height: clampedToFinite(bottom - top))
    }
    set {
      center = newValue.center
      size = newValue.size
    }
  }

  /// Whether every number is finite.
  @inlinable
  package var isFinite: Bool {
    center.isFinite && size.isFinite && alpha.isFinite && transform.isFinite
  }
}

extension Pose {
  /// Whether every number has the same bits. -0.0 and 0.0 are different here.
  package func hasSameBits(as other: Pose) -> Bool {
    center.x.bitPattern == other.center.x.bitPattern
      && center.y.bitPattern == other.center.y.bitPattern
      && size.width.bitPattern == other.size.width.bitPattern
      && size.height.bitPattern == other.size.height.bitPattern
      && alpha.bitPattern == other.alpha.bitPattern && zIndex == other.zIndex
      && isHidden == other.isHidden && transform.hasSameBits(as: other.transform)
  }
}

extension ElementTransform {
  /// Whether both are flat or both in space, with the same bits.
  package func hasSameBits(as other: ElementTransform) -> Bool {
    switch (self, other) {
    case (.flat(let one), .flat(let two)):
      one.a.bitPattern == two.a.bitPattern && one.b.bitPattern == two.b.bitPattern
        && one.c.bitPattern == two.c.bitPattern && one.d.bitPattern == two.d.bitPattern
        && one.tx.bitPattern == two.tx.bitPattern && one.ty.bitPattern == two.ty.bitPattern
    case (.spatial(let one), .spatial(let two)):
      one.components.elementsEqual(two.components) { $0.bitPattern == $1.bitPattern }
    default: false
    }
  }
}
