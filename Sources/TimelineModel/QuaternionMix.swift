import CLibrary

/// Above this cosine of half the angle between two turns, slerp's sines are too small to divide by, and
/// a straight line serves as well. No unit.
private let nearlyParallel = 1 - 1e-9

/// Below this a cosine counts as 0 and the two ways round as equally long. No unit.
private let rightAngleTolerance = 1e-12

/// The way from one turn to another along the shorter arc, at an even speed (slerp, Shoemake 1985); a
/// straight line where they are nearly the same.
struct QuaternionMix {
  private let from: Quaternion
  private let to: Quaternion
  /// Half the angle between the two, in radians, and its sine; nil on a straight line.
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

  /// The turn at a progress.
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
