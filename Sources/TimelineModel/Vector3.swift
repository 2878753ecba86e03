/// Three numbers: a row of a matrix in space.
struct Vector3 {
  /// Along x.
  var x: Double
  /// Along y.
  var y: Double
  /// Along z.
  var z: Double

  /// The square root of the sum of the squares, without overflow on the way.
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
