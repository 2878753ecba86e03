import MotionPhysics
import TimelineModel

/// A transition between its start and its completion.
struct ActiveTransition {
  /// Counted from 0 in the session.
  var number: Int
  var layout: TransitionLayout
  var completion: TransitionCompletion
  /// Where the content offset rests if the new layout is installed, unless it is driven.
  var restingOffset: Point
  /// The rest of the way, once it runs.
  var settle: Settle?
}

/// The rest of a transition, from the release on.
struct Settle {
  /// The release.
  var start: Instant
  /// Which layout it leads to.
  var outcome: ReleaseOutcome
  var progress: Motion
  /// The keys that move, by their number in the transition layout.
  var keys: [(number: Int, motion: Motion)]
  /// When the last of them counts as settled.
  var durationSeconds: Double

  /// How one value runs.
  enum Motion {
    case spring(SettleMotion)
    /// Evenly, for a change of layout with a duration.
    case even(from: Double, to: Double, seconds: Double)

    func value(atSeconds time: Double) -> Double {
      switch self {
      case .spring(let motion): motion.value(atSeconds: time)
      case .even(let from, let to, let seconds):
        lerp(from, to, min(max(time / seconds, 0), 1))
      }
    }

    var target: Double {
      switch self {
      case .spring(let motion): motion.to
      case .even(_, let to, _): to
      }
    }
  }
}
