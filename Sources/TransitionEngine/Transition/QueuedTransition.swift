import TimelineModel

/// A transition that waits for the one under way.
struct QueuedTransition {
  var style: TransitionStyle
  var layout: TransitionLayout
  var completion: TransitionCompletion
  /// How it was released while it waited: the outcome, nil for the rule's, and who decided.
  var release: (outcome: ReleaseOutcome?, decidedBy: String)?
}
