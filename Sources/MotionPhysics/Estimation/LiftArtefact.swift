import TimelineModel

/// From this ratio on, the last segment stands out from the one before: a swipe recorded on a Pixel
/// Tablet, whose last place jumps as the contact shrinks, has 1.9, while a finger that accelerates
/// steadily adds far less per segment.
private let artefactRatio = 1.5

/// From this ratio on, a last segment that goes back stands out: half as fast as the one before.
private let reversalRatio = 0.5

/// The segments before the last agree when they differ by at most this share of the faster one.
private let agreementShare = 0.3

/// Whether the last step before the lift stands out, as a finger that rolls off the glass makes it.
///
/// The named rule: the last segment is over 1.5 times as fast as the one before, or over half as fast
/// the other way, while the three before the last agree to within 30 percent and move. A fling that
/// accelerates all along is not flagged, since its earlier segments differ as well.
func isLiftArtefactSuspected(_ places: Places) -> Bool {
  let newest = places.count - 1
  guard newest > 3, let last = places.segmentVelocity(endingAt: newest),
    let before = places.segmentVelocity(endingAt: newest - 1),
    let second = places.segmentVelocity(endingAt: newest - 2),
    let third = places.segmentVelocity(endingAt: newest - 3)
  else { return false }
  let fastest = max(abs(before), abs(second), abs(third))
  let spread = max(before, second, third) - min(before, second, third)
  guard before != 0, spread <= agreementShare * fastest else { return false }
  let ratio = last / before
  return ratio > artefactRatio || ratio < -reversalRatio
}
