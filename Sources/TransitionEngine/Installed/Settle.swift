import MotionPhysics
import TimelineModel

/// The rest of a transition, from the release on.
struct Settle {
  /// The release.
  var start: Instant
  /// Which layout it leads to.
  var outcome: ReleaseOutcome
  var progress: Motion
  /// The keys that move, by their number in the transition layout.
  var keys: [(number: Int, motion: Motion)]
  /// When the last of them counts as at rest.
  var durationSeconds: Double

  /// Half the time over which a velocity without a closed form, and those of poses, are measured, in seconds:
  /// far below a frame, far above the rounding of a value of 1. Our own choice.
  static let velocityStepSeconds = 1e-4

  /// How one value runs.
  enum Motion {
    /// By the settle of the view: a spring, a timing curve or a cubic.
    case settle(SettleMotion)
    /// By an easing, for a change of layout with a duration.
    case timed(from: Double, to: Double, seconds: Double, easing: Easing)

    func value(atSeconds time: Double) -> Double {
      switch self {
      case .settle(let motion): motion.value(atSeconds: time)
      case .timed(let from, let to, let seconds, let easing):
        lerp(from, to, easing.value(at: min(max(time / seconds, 0), 1)))
      }
    }

    /// Units per second.
    func velocity(atSeconds time: Double) -> Double {
      switch self {
      case .settle(let motion): return motion.velocity(atSeconds: time)
      case .timed:
        let step = Settle.velocityStepSeconds
        return (value(atSeconds: time + step) - value(atSeconds: time - step)) / (2 * step)
      }
    }

    var target: Double {
      switch self {
      case .settle(let motion): motion.to
      case .timed(_, let to, _, _): to
      }
    }
  }
}
