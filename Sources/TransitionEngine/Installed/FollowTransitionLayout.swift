package import TimelineModel

/// A transition layout whose elements follow a finger: the values of some keys are added to every
/// center on top of the mixed pose, as with the "PositionX" and "PositionY" of UIKit's documentation.
///
/// The last letter of a key's name is its axis. Elements land in place when the keys settle at 0.
package class FollowTransitionLayout: TransitionLayout {
  /// A key and the axis that its value, in points, shifts centers along.
  package struct Key: Hashable, Sendable {
    package var name: String
    package var axis: Axis

    /// Makes a key for a stated axis.
    package init(name: String, axis: Axis) {
      self.name = name
      self.axis = axis
    }

    /// Makes a key whose axis is the last letter of its name ("PositionX", "drag.y"), in either case.
    ///
    /// - Returns: nil when the name ends in neither x nor y.
    package init?(name: String) {
      switch name.last {
      case "X", "x": self.init(name: name, axis: .x)
      case "Y", "y": self.init(name: name, axis: .y)
      default: return nil
      }
    }
  }

  /// A direction in which elements are shifted.
  package enum Axis: String, CaseIterable, Sendable {
    case x
    case y
  }

  package final let followedKeys: [Key]
  private var shift = Point2D.zero

  /// Makes a layout that follows some keys.
  package init(
    currentLayout: any CollectionViewLayout, nextLayout: any CollectionViewLayout,
    following keys: [Key]
  ) {
    followedKeys = keys
    super.init(currentLayout: currentLayout, nextLayout: nextLayout)
  }

  /// Takes the progress and the followed values over into the poses.
  package override func prepare(in context: LayoutContext) {
    super.prepare(in: context)
    shift = .zero
    for key in followedKeys {
      switch key.axis {
      case .x: shift.x += valueForAnimatedKey(key.name)
      case .y: shift.y += valueForAnimatedKey(key.name)
      }
    }
  }

  /// The mixed pose, shifted by the followed values.
  package override func pose(
    _ mixed: Pose, of path: ElementPath, from: Pose, to: Pose
  ) -> Pose {
    shifted(mixed)
  }

  /// A pose moved by the followed values. Where that leaves the range of numbers, as it is.
  final func shifted(_ mixed: Pose) -> Pose {
    let center = Point2D(x: mixed.center.x + shift.x, y: mixed.center.y + shift.y)
    guard center.isFinite else { return mixed }
    var pose = mixed
    pose.center = center
    return pose
  }
}
