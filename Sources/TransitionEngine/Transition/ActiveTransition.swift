import MotionPhysics
import TimelineModel

/// A transition between its start and its completion.
struct ActiveTransition {
  /// Counted from 0 in the session.
  let number: Int
  let layout: TransitionLayout
  let completion: TransitionCompletion
  /// The driver, unless a caller drives it.
  var driver: TimedDriver?
  /// The rest of the motion, once it runs.
  var settle: Settle?
  /// The layout in place of the old one, and with which content offset, when it is cancelled in
  /// place.
  var frozen: (layout: FixedLayout, offset: Point2D)?
  /// The work after its completion.
  var afterCompletion: [() -> Void] = []
}

/// Drives a transition by the time alone.
struct TimedDriver {
  var start: Instant
  var durationSeconds: Double
  var easing: Easing

  /// The share of the duration that has passed, 0 to 1.
  func fraction(at time: Instant) -> Double {
    min(max(time.seconds(since: start) / durationSeconds, 0), 1)
  }
}

/// The elements of a transition that has just ended: the last frame still shows all of it.
struct EndedTransition {
  let layout: any CollectionViewLayout
  let progress: Double
  let attributes: [LayoutAttributes]

  /// The poses of the layout that remains, not mixed ones. Where it has none, the mixed one. What is visible
  /// there besides is added.
  func finalAttributes(in installed: InstalledLayout) -> [LayoutAttributes] {
    let final = attributes.map { layout.layoutAttributes(at: $0.path) ?? $0 }
    return final
      + installed.layout.layoutAttributesForElements(in: installed.visibleRect)
      .lacking(in: final)
  }
}
