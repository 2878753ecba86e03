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
    /// The turn.
    var rotation: Quaternion
    /// The last column that makes the perspective: three numbers per point, and one without unit.
    var perspective: Vector3
    /// The fourth number of the perspective.
    var perspectiveW: Double
  }

  /// The parts; nil for a transform that loses a dimension, whose last number is 0, or that is not
  /// finite.
  var decomposed: Decomposition? {
    let divisor = components[15]
    guard divisor != 0 else { return nil }
    let m = components.map { $0 / divisor }
    guard m.allSatisfy(\.isFinite) else { return nil }
    let rows = [0, 4, 8].map { Vector3(x: m[$0], y: m[$0 + 1], z: m[$0 + 2]) }
    let lengths = rows.map(\.length)
    guard lengths.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let units = zip(rows, lengths).map { $0 * (1 / $1) }
    let volume = units[0].dot(units[1].cross(units[2]))
    guard abs(volume) > smallestVolume else { return nil }

    // Gram-Schmidt: take from each row what lies along those before it.
    var x = units[0]
    var scale = Vector3(x: lengths[0], y: 0, z: 0)
    let shearXY = x.dot(rows[1])
    var y = rows[1] - x * shearXY
    scale.y = y.length
    y = y * (1 / scale.y)
    let shearXZ = x.dot(rows[2])
    var z = rows[2] - x * shearXZ
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
    let translation = Vector3(x: m[12], y: m[13], z: m[14])
    let (perspective, perspectiveW) = solvePerspective(m, rows, lengths, units, volume)
    let parts = Decomposition(
      translation: translation, scale: scale, shear: shear,
      rotation: Quaternion(rows: x, y, z), perspective: perspective, perspectiveW: perspectiveW)
    let numbers = [
      shear.x, shear.y, shear.z, perspective.x, perspective.y, perspective.z, perspectiveW,
    ]
    return numbers.allSatisfy(\.isFinite) ? parts : nil
  }

  /// The column p with A · p = last column of m, where A is m without its last column; solved by
  /// Cramer's rule on the rows brought to length 1.
  private func solvePerspective(
    _ m: [Double], _ rows: [Vector3], _ lengths: [Double], _ units: [Vector3], _ volume: Double
  ) -> (Vector3, Double) {
    guard m[3] != 0 || m[7] != 0 || m[11] != 0 else { return (Vector3(x: 0, y: 0, z: 0), 1) }
    let solution =
      units[1].cross(units[2]) * (m[3] / lengths[0] / volume)
      + units[2].cross(units[0]) * (m[7] / lengths[1] / volume)
      + units[0].cross(units[1]) * (m[11] / lengths[2] / volume)
    let translation = Vector3(x: m[12], y: m[13], z: m[14])
    return (solution, m[15] - translation.dot(solution))
  }

  /// Puts the parts together again.
  init(_ parts: Decomposition) {
    let (x, y, z) = parts.rotation.rows
    let shear = parts.shear
    let rows = [
      x * parts.scale.x,
      (x * shear.x + y) * parts.scale.y,
      (x * shear.y + y * shear.z + z) * parts.scale.z,
    ]
    var numbers: [Double] = []
    for row in rows {
      numbers += [row.x, row.y, row.z, row.dot(parts.perspective)]
    }
    let shift = parts.translation
    numbers += [shift.x, shift.y, shift.z, shift.dot(parts.perspective) + parts.perspectiveW]
    self.init(sixteen: numbers.map(finite))
  }
}

extension Transform3D.Decomposition {
  /// The parts between two others: each linearly, the turn along the shorter arc.
  static func mixed(
    _ from: Transform3D.Decomposition, _ to: Transform3D.Decomposition, progress: Double
  ) -> Transform3D.Decomposition {
    Transform3D.Decomposition(
      translation: .mixed(from.translation, to.translation, progress: progress),
      scale: .mixed(from.scale, to.scale, progress: progress),
      shear: .mixed(from.shear, to.shear, progress: progress),
      rotation: .mixed(from.rotation, to.rotation, progress: progress),
      perspective: .mixed(from.perspective, to.perspective, progress: progress),
      perspectiveW: lerp(from.perspectiveW, to.perspectiveW, progress))
  }
}
