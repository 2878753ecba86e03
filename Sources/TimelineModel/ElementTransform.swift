/// A flat transform, as the six numbers a, b, c, d, tx, ty: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct Transform2D: Hashable, Sendable {
  /// Part of x' that comes from x. No unit.
  public var a: Double
  /// Part of y' that comes from x. No unit.
  public var b: Double
  /// Part of x' that comes from y. No unit.
  public var c: Double
  /// Part of y' that comes from y. No unit.
  public var d: Double
  /// Horizontal shift, in points.
  public var tx: Double
  /// Vertical shift, in points.
  public var ty: Double

  /// The transform that moves nothing.
  @inlinable
  public static var identity: Transform2D { Transform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Makes a transform from its six numbers.
  @inlinable
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The six numbers in the order a, b, c, d, tx, ty.
  package var components: [Double] { [a, b, c, d, tx, ty] }

  /// Whether every number is finite.
  @inlinable
  package var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }
}

/// How an element is turned, scaled or shifted about its center.
///
/// Flat transforms, nearly all of them, are held in place. One in space is kept in a box, so that poses
/// stay small.
public enum ElementTransform: Hashable, Sendable {
  /// Six numbers.
  case flat(Transform2D)
  /// Sixteen numbers.
  indirect case spatial(Transform3D)

  /// The transform that moves nothing.
  @inlinable
  public static var identity: ElementTransform { ElementTransform.flat(.identity) }

  /// Makes a transform from six or sixteen numbers. Sixteen that are flat become the six.
  ///
  /// - Returns: nil for any other count.
  public init?(components: [Double]) {
    if components.count == 6 {
      self = .flat(
        Transform2D(
          a: components[0], b: components[1], c: components[2], d: components[3],
          tx: components[4], ty: components[5]))
    } else if let spatial = Transform3D(components: components) {
      self = spatial.affine.map(ElementTransform.flat) ?? .spatial(spatial)
    } else {
      return nil
    }
  }

  /// Six numbers, or sixteen where six do not suffice.
  public var components: [Double] {
    switch self {
    case .flat(let flat): flat.components
    case .spatial(let spatial): spatial.components
    }
  }

  /// The sixteen numbers, also of a flat transform.
  package var spatial: Transform3D {
    switch self {
    case .flat(let flat): Transform3D(flat)
    case .spatial(let spatial): spatial
    }
  }

  /// Whether every number is finite.
  @inlinable
  package var isFinite: Bool {
    switch self {
    case .flat(let flat): flat.isFinite
    case .spatial(let spatial): spatial.isFinite
    }
  }

  /// Where a point at (x, y, 0) relative to the center goes, divided by the perspective.
  ///
  /// A point whose perspective divisor is zero has no place. It is left where it is.
  package func applied(to point: Point2D) -> Point2D {
    switch self {
    case .flat(let t):
      return Point2D(
        x: t.a * point.x + t.c * point.y + t.tx, y: t.b * point.x + t.d * point.y + t.ty)
    case .spatial(let t):
      let w = t.m14 * point.x + t.m24 * point.y + t.m44
      guard w != 0 else { return point }
      return Point2D(
        x: (t.m11 * point.x + t.m21 * point.y + t.m41) / w,
        y: (t.m12 * point.x + t.m22 * point.y + t.m42) / w)
    }
  }
}
