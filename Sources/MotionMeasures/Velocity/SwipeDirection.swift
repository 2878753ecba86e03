public import MotionPhysics
package import TimelineSession

/// A direction of a swipe on a screen or a touchpad, whose y grows downwards.
public enum SwipeDirection: String, CaseIterable, Sendable {
  /// Towards smaller x.
  case left
  /// Towards larger x.
  case right
  /// Towards smaller y.
  case up
  /// Towards larger y.
  case down

  init(along axis: FingerAxis, isBackwards: Bool) {
    switch axis {
    case .x: self = isBackwards ? .left : .right
    case .y: self = isBackwards ? .up : .down
    }
  }

  /// The axis of the direction.
  package var axis: FingerAxis { self == .left || self == .right ? .x : .y }

  /// Whether coordinates fall in the direction.
  var isBackwards: Bool { self == .left || self == .up }
}

/// The direction in which the progress of a swipe counts.
public enum SwipeCourse: Hashable, Sendable {
  /// The direction in which the fingers went, as on a desktop with a neighbour on each side.
  case fingers
  /// One direction, as in an app that accepts no other.
  case towards(SwipeDirection)
  /// Towards smaller coordinates of the axis, as a negative distance says.
  case backwards

  /// The axis that the course names. `nil` if it names none.
  package var axis: FingerAxis? {
    if case .towards(let direction) = self { direction.axis } else { nil }
  }
}

extension ReleaseRule.Decision {
  /// The direction in which a swipe's progress counts. Nil for a recorded progress, and for a swipe that does not move.
  public package(set) var direction: SwipeDirection? {
    get { directionName.flatMap(SwipeDirection.init(rawValue:)) }
    set { directionName = newValue?.rawValue }
  }
}
