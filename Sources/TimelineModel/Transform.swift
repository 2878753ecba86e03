/// A flat transform, as the six numbers a, b, c, d, tx, ty: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct AffineTransform: Hashable, Sendable {
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
  public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Makes a transform from its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The six numbers in the order a, b, c, d, tx, ty.
  public var components: [Double] { [a, b, c, d, tx, ty] }
}

/// A transform in space, as sixteen numbers column by column (m11, m12, m13, m14, m21, …), the order
/// in which Core Animation names them; a point is a row vector on the left.
public struct Transform3D: Hashable, Sendable {
  /// The sixteen numbers; the shifts are at 12, 13 and 14, the perspective at 3, 7 and 11.
  public let components: [Double]

  /// Makes a transform from sixteen numbers.
  ///
  /// - Returns: nil when there are not exactly sixteen.
  public init?(components: [Double]) {
    guard components.count == 16 else { return nil }
    self.components = components
  }

  /// Makes a transform from numbers that are known to be sixteen.
  init(sixteen components: [Double]) {
    precondition(components.count == 16, "A transform in space has sixteen numbers.")
    self.components = components
  }

  /// The flat transform as one in space.
  public init(_ flat: AffineTransform) {
    components = [
      flat.a, flat.b, 0, 0, flat.c, flat.d, 0, 0, 0, 0, 1, 0, flat.tx, flat.ty, 0, 1,
    ]
  }

  /// The same as a flat transform, when it moves nothing out of the plane and has no perspective.
  public var affine: AffineTransform? {
    let m = components
    guard m[2] == 0, m[3] == 0, m[6] == 0, m[7] == 0, m[8] == 0, m[9] == 0, m[10] == 1,
      m[11] == 0, m[14] == 0, m[15] == 1
    else { return nil }
    return AffineTransform(a: m[0], b: m[1], c: m[4], d: m[5], tx: m[12], ty: m[13])
  }
}

/// How an element is turned, scaled or shifted about its center.
///
/// Flat transforms, nearly all of them, are held in place; one in space is kept in a box.
public enum Transform: Hashable, Sendable {
  /// Six numbers.
  case flat(AffineTransform)
  /// Sixteen numbers.
  case spatial(Transform3D)

  /// The transform that moves nothing.
  public static let identity = Transform.flat(.identity)

  /// Makes a transform from six or sixteen numbers; sixteen that are flat become the six.
  ///
  /// - Returns: nil for any other count.
  public init?(components: [Double]) {
    if components.count == 6 {
      self = .flat(
        AffineTransform(
          a: components[0], b: components[1], c: components[2], d: components[3],
          tx: components[4], ty: components[5]))
    } else if let spatial = Transform3D(components: components) {
      self = spatial.affine.map(Transform.flat) ?? .spatial(spatial)
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
  public var spatial: Transform3D {
    switch self {
    case .flat(let flat): Transform3D(flat)
    case .spatial(let spatial): spatial
    }
  }

  /// Whether every number is finite.
  public var isFinite: Bool { components.allSatisfy(\.isFinite) }

  /// Where a point at (x, y, 0) relative to the center goes, divided by the perspective.
  ///
  /// A point whose perspective divisor is zero has no place; it is left where it is.
  public func applied(to point: Point) -> Point {
    switch self {
    case .flat(let t):
      return Point(x: t.a * point.x + t.c * point.y + t.tx, y: t.b * point.x + t.d * point.y + t.ty)
    case .spatial(let t):
      let m = t.components
      let w = m[3] * point.x + m[7] * point.y + m[15]
      guard w != 0 else { return point }
      return Point(
        x: (m[0] * point.x + m[4] * point.y + m[12]) / w,
        y: (m[1] * point.x + m[5] * point.y + m[13]) / w)
    }
  }
}
