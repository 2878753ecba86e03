/// A transform in space, as sixteen numbers under the names that Core Animation gives them. A point is a
/// row vector on the left: x' = m11·x + m21·y + m31·z + m41, and so on.
public struct Transform3D: Hashable, Sendable {
  /// Part of x' that comes from x. No unit.
  package var m11: Double
  /// Part of y' that comes from x. No unit.
  package var m12: Double
  /// Part of z' that comes from x. No unit.
  package var m13: Double
  /// Part of the perspective divisor that comes from x. Per point.
  package var m14: Double
  /// Part of x' that comes from y. No unit.
  package var m21: Double
  /// Part of y' that comes from y. No unit.
  package var m22: Double
  /// Part of z' that comes from y. No unit.
  package var m23: Double
  /// Part of the perspective divisor that comes from y. Per point.
  package var m24: Double
  /// Part of x' that comes from z. No unit.
  package var m31: Double
  /// Part of y' that comes from z. No unit.
  package var m32: Double
  /// Part of z' that comes from z. No unit.
  package var m33: Double
  /// Part of the perspective divisor that comes from z. Per point.
  package var m34: Double
  /// Shift along x, in points.
  package var m41: Double
  /// Shift along y, in points.
  package var m42: Double
  /// Shift along z, in points.
  package var m43: Double
  /// The perspective divisor's own number. No unit.
  package var m44: Double

  /// Makes a transform from sixteen numbers in the order m11, m12, m13, m14, m21, ….
  ///
  /// - Returns: nil when there are not exactly sixteen.
  public init?(components m: [Double]) {
    guard m.count == 16 else { return nil }
    self.init(
      Row(m[0], m[1], m[2], m[3]), Row(m[4], m[5], m[6], m[7]), Row(m[8], m[9], m[10], m[11]),
      Row(m[12], m[13], m[14], m[15]))
  }

  /// The flat transform as one in space.
  package init(_ flat: Transform2D) {
    self.init(
      Row(flat.a, flat.b, 0, 0), Row(flat.c, flat.d, 0, 0), Row(0, 0, 1, 0),
      Row(flat.tx, flat.ty, 0, 1))
  }

  /// Makes a transform from its four rows.
  package init(_ first: Row, _ second: Row, _ third: Row, _ fourth: Row) {
    (m11, m12, m13, m14) = (first.x, first.y, first.z, first.w)
    (m21, m22, m23, m24) = (second.x, second.y, second.z, second.w)
    (m31, m32, m33, m34) = (third.x, third.y, third.z, third.w)
    (m41, m42, m43, m44) = (fourth.x, fourth.y, fourth.z, fourth.w)
  }

  /// The sixteen numbers in the order m11, m12, m13, m14, m21, …: an array made anew.
  public var components: [Double] {
    [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
  }

  /// The same as a flat transform, when it moves nothing out of the plane and has no perspective.
  package var affine: Transform2D? {
    guard m13 == 0, m14 == 0, m23 == 0, m24 == 0, m31 == 0, m32 == 0, m33 == 1, m34 == 0,
      m43 == 0, m44 == 1
    else { return nil }
    return Transform2D(a: m11, b: m12, c: m21, d: m22, tx: m41, ty: m42)
  }

  /// Whether every number is finite.
  @usableFromInline
  package var isFinite: Bool {
    rows.0.isFinite && rows.1.isFinite && rows.2.isFinite && rows.3.isFinite
  }

  /// The four rows.
  package var rows: (Row, Row, Row, Row) {
    (
      Row(m11, m12, m13, m14), Row(m21, m22, m23, m24), Row(m31, m32, m33, m34),
      Row(m41, m42, m43, m44)
    )
  }

  /// One row of the matrix.
  package struct Row {
    package var x: Double
    package var y: Double
    package var z: Double
    /// The number in the column of the perspective.
    package var w: Double

    package init(_ x: Double, _ y: Double, _ z: Double, _ w: Double) {
      self.x = x
      self.y = y
      self.z = z
      self.w = w
    }

    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }

    /// The row with every number changed in the same way.
    package func map(_ change: (Double) -> Double) -> Row {
      Row(change(x), change(y), change(z), change(w))
    }
  }
}
