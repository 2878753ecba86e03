import TimelineModel

/// Three rows whose box is smaller than this share of the product of their lengths count as flat:
/// then they cannot be told apart as scales and turns. No unit.
private let smallestVolume = 1e-12

extension Transform3D {
  /// A transform in space in parts: scale, then shear, turn, shift and perspective, a point being a row
  /// vector on the left. The parts and their order are those of CSS Transforms 2, section "Decomposing a
  /// 3D matrix" (after Spencer W. Thomas, Graphics Gems II).
  struct Decomposition {
    /// The shift, in points.
    var translation: Vector3
    /// The scales along the axes. No unit.
    var scale: Vector3
    /// The shears of y into x, z into x, z into y. No unit.
    var shear: Vector3
    var rotation: Quaternion
    /// The last column that makes the perspective: three numbers per point, and one without unit.
    var perspective: Vector3
    /// The fourth number of the perspective.
    var perspectiveW: Double
  }

  /// The parts. `nil` for a transform that loses a dimension, whose last number is 0, or that is not
  /// finite.
  var decomposed: Decomposition? {
    guard m44 != 0 else { return nil }
    let m = map { $0 / m44 }
    guard m.isFinite else { return nil }
    let axes = m.axes
    let lengths = (axes.0.length, axes.1.length, axes.2.length)
    guard Transform3D.isUsable(lengths.0), Transform3D.isUsable(lengths.1),
      Transform3D.isUsable(lengths.2)
    else { return nil }
    let units = (axes.0 * (1 / lengths.0), axes.1 * (1 / lengths.1), axes.2 * (1 / lengths.2))
    let volume = units.0.dot(units.1.cross(units.2))
    guard abs(volume) > smallestVolume else { return nil }

    // Gram-Schmidt: take from each row its part along those before it.
    var x = units.0
    var scale = Vector3(x: lengths.0, y: 0, z: 0)
    let shearXY = x.dot(axes.1)
    var y = axes.1 - x * shearXY
    scale.y = y.length
    y = y * (1 / scale.y)
    let shearXZ = x.dot(axes.2)
    var z = axes.2 - x * shearXZ
    let shearYZ = y.dot(z)
    z = z - y * shearYZ
    scale.z = z.length
    z = z * (1 / scale.z)
    if x.dot(y.cross(z)) < 0 {
      // Mirrored: all three axes are turned round, as CSS does.
      (x, y, z) = (x * -1, y * -1, z * -1)
      scale = scale * -1
    }
    let shear = Vector3(
      x: shearXY / abs(scale.y), y: shearXZ / abs(scale.z), z: shearYZ / abs(scale.z))
    let translation = Vector3(x: m.m41, y: m.m42, z: m.m43)
    let (perspective, perspectiveW) = m.solvePerspective(lengths, units, volume)
    guard shear.isFinite, perspective.isFinite, perspectiveW.isFinite else { return nil }
    return Decomposition(
      translation: translation, scale: scale, shear: shear,
      rotation: Quaternion(rows: x, y, z), perspective: perspective, perspectiveW: perspectiveW)
  }

  /// Puts the parts together again.
  init(_ parts: Decomposition) {
    let (x, y, z) = parts.rotation.rows
    let (scale, shear, shift) = (parts.scale, parts.shear, parts.translation)
    let rows = (
      x * scale.x, (x * shear.x + y) * scale.y, (x * shear.y + y * shear.z + z) * scale.z
    )
    func row(_ axis: Vector3, _ last: Double) -> Row { Row(axis.x, axis.y, axis.z, last) }
    self.init(
      row(rows.0, rows.0.dot(parts.perspective)), row(rows.1, rows.1.dot(parts.perspective)),
      row(rows.2, rows.2.dot(parts.perspective)),
      row(shift, shift.dot(parts.perspective) + parts.perspectiveW))
    self = map(clampedToFinite)
  }

  /// The transform with every number changed in the same way.
  func map(_ change: (Double) -> Double) -> Transform3D {
    let (first, second, third, fourth) = rows
    return Transform3D(
      first.map(change), second.map(change), third.map(change), fourth.map(change))
  }

  /// Where the three axes go, without shift and perspective.
  private var axes: (Vector3, Vector3, Vector3) {
    (
      Vector3(x: m11, y: m12, z: m13), Vector3(x: m21, y: m22, z: m23),
      Vector3(x: m31, y: m32, z: m33)
    )
  }

  private static func isUsable(_ length: Double) -> Bool { length > 0 && length.isFinite }

  /// The column p with A · p = last column, where A is the transform without its last column. Solved by
  /// Cramer's rule on the rows brought to length 1.
  private func solvePerspective(
    _ lengths: (Double, Double, Double), _ units: (Vector3, Vector3, Vector3), _ volume: Double
  ) -> (Vector3, Double) {
    guard m14 != 0 || m24 != 0 || m34 != 0 else { return (Vector3(x: 0, y: 0, z: 0), 1) }
    let solution =
      units.1.cross(units.2) * (m14 / lengths.0 / volume)
      + units.2.cross(units.0) * (m24 / lengths.1 / volume)
      + units.0.cross(units.1) * (m34 / lengths.2 / volume)
    let translation = Vector3(x: m41, y: m42, z: m43)
    return (solution, m44 - translation.dot(solution))
  }
}

/// Three numbers: a row of a matrix in space.
struct Vector3 {
  var x: Double
  var y: Double
  var z: Double

  /// The square root of the sum of the squares, without overflow in between.
  var length: Double {
    let largest = max(abs(x), abs(y), abs(z))
    guard largest > 0, largest.isFinite else { return largest }
    let scaled = self * (1 / largest)
    return scaled.dot(scaled).squareRoot() * largest
  }

  /// Whether every number is finite.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The sum of the products.
  func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  /// The vector at right angles to both.
  func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  static func * (vector: Vector3, factor: Double) -> Vector3 {
    Vector3(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
  }

  static func + (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: Vector3, right: Vector3) -> Vector3 { left + right * -1 }

  /// Linear interpolation, number by number.
  static func mixed(_ from: Vector3, _ to: Vector3, progress: Double) -> Vector3 {
    Vector3(
      x: lerp(from.x, to.x, progress), y: lerp(from.y, to.y, progress),
      z: lerp(from.z, to.z, progress))
  }
}
