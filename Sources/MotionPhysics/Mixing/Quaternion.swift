import KymographCLibrary
import TimelineModel

/// A turn in space, as four numbers of length 1.
struct Quaternion {
  /// Axis times sine of half the angle.
  var axis: Vector3
  /// Cosine of half the angle.
  var w: Double

  /// The turn whose matrix (a point is a row vector on the left) has these three rows, each of length
  /// 1 and at right angles to the others. The largest of the four numbers is found first, so that
  /// nothing is divided by a small one (Shepperd 1978).
  init(rows x: Vector3, _ y: Vector3, _ z: Vector3) {
    let trace = x.x + y.y + z.z
    if trace > max(x.x, y.y, z.z) {
      w = 1 + trace
      axis = Vector3(x: y.z - z.y, y: z.x - x.z, z: x.y - y.x)
    } else if x.x >= y.y && x.x >= z.z {
      w = y.z - z.y
      axis = Vector3(x: 1 + x.x - y.y - z.z, y: x.y + y.x, z: x.z + z.x)
    } else if y.y >= z.z {
      w = z.x - x.z
      axis = Vector3(x: x.y + y.x, y: 1 - x.x + y.y - z.z, z: y.z + z.y)
    } else {
      w = x.y - y.x
      axis = Vector3(x: x.z + z.x, y: y.z + z.y, z: 1 - x.x - y.y + z.z)
    }
    normalize()
  }

  /// The three rows of the turn's matrix.
  var rows: (Vector3, Vector3, Vector3) {
    let (x, y, z) = (axis.x, axis.y, axis.z)
    return (
      Vector3(x: 1 - 2 * (y * y + z * z), y: 2 * (x * y + z * w), z: 2 * (x * z - y * w)),
      Vector3(x: 2 * (x * y - z * w), y: 1 - 2 * (x * x + z * z), z: 2 * (y * z + x * w)),
      Vector3(x: 2 * (x * z + y * w), y: 2 * (y * z - x * w), z: 1 - 2 * (x * x + y * y))
    )
  }

  /// Brings the length back to 1. A quaternion without length is the turn that turns nothing.
  mutating func normalize() {
    let length = hypot(axis.length, w)
    guard length > 0, length.isFinite else {
      axis = Vector3(x: 0, y: 0, z: 0)
      w = 1
      return
    }
    axis = axis * (1 / length)
    w /= length
  }
}

/// Above this cosine of half the angle between two turns, slerp's sines are too small to divide by, and
/// a straight line serves as well. No unit.
private let nearlyParallel = 1 - 1e-9

/// Below this a cosine counts as 0 and the two ways round as equally long. No unit.
private let rightAngleTolerance = 1e-12

/// The path from one turn to another along the shorter arc, at an even speed (slerp, Shoemake 1985). A
/// straight line where they are nearly the same.
struct QuaternionMix {
  private let from: Quaternion
  private let to: Quaternion
  /// Half the angle between the two, in radians, and its sine. `nil` on a straight line.
  private let arc: (angle: Double, sine: Double)?

  init(from: Quaternion, to: Quaternion) {
    var end = to
    var cosine = from.axis.dot(to.axis) + from.w * to.w
    if cosine < -rightAngleTolerance {
      cosine.negate()
      end.axis = end.axis * -1
      end.w.negate()
    }
    self.from = from
    self.to = end
    if cosine < nearlyParallel {
      let angle = acos(max(0, cosine))
      arc = (angle, sin(angle))
    } else {
      arc = nil
    }
  }

  func turn(at progress: Double) -> Quaternion {
    var startShare = 1 - progress
    var endShare = progress
    if let arc {
      startShare = sin((1 - progress) * arc.angle) / arc.sine
      endShare = sin(progress * arc.angle) / arc.sine
    }
    var mixed = from
    mixed.axis = from.axis * startShare + to.axis * endShare
    mixed.w = from.w * startShare + to.w * endShare
    mixed.normalize()
    return mixed
  }
}
