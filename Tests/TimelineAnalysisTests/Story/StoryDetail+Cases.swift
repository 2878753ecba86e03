import MotionMeasures
import MotionPhysics
import TimelineModel

@testable import MotionJudgement

/// What a fact says, by the case that a test is about; nil: it says something else.
extension StoryFact {
  var following: StoryDetail.Following? {
    if case .follows(let found) = detail { found } else { nil }
  }

  var settling: StoryDetail.Settling? {
    if case .settle(let found) = detail { found } else { nil }
  }

  var moving: StoryDetail.Moving? {
    if case .moves(let found) = detail { found } else { nil }
  }

  /// The finger's speed as it let go.
  var letGo: Estimated? {
    if case .handOver(let speed, _) = detail { speed } else { nil }
  }

  /// The share of the finger's speed that is kept.
  var kept: Estimated? {
    if case .handOver(_, .goesOn(_, let share, _)) = detail { share } else { nil }
  }

  /// The power of a curve that eases out.
  var power: Double? {
    if case .eased(let way) = settling?.curve { way.power } else { nil }
  }

  /// How long it moves at constant speed before it rests.
  var constantSpeed: Double? {
    if case .constant(let duration) = settling?.curve { duration } else { nil }
  }
}

extension StoryFact {
  var look: StoryDetail.LookChange? {
    if case .changes(let found) = detail { found } else { nil }
  }
}
