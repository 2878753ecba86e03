import MotionPhysics

/// A push or pop from its beginning to its completion.
final class Navigation {
  let isPush: Bool
  let isAnimated: Bool
  let isInteractive: Bool
  /// The stack without it, and with it.
  let before: [CollectionViewController]
  let after: [CollectionViewController]
  /// Whether the view has taken it on and its call has returned.
  var isStarted = false
  var isEnded = false
  /// The transition that it takes over, until the view has taken it on.
  var superseded: Navigation?

  init(
    isPush: Bool, isAnimated: Bool, isInteractive: Bool, before: [CollectionViewController],
    after: [CollectionViewController]
  ) {
    self.isPush = isPush
    self.isAnimated = isAnimated
    self.isInteractive = isInteractive
    self.before = before
    self.after = after
  }

  var source: CollectionViewController { before[before.count - 1] }

  var destination: CollectionViewController { after[after.count - 1] }

  /// The controller that comes or goes.
  var moved: CollectionViewController { isPush ? destination : source }
}

/// A push or pop that was asked for.
struct NavigationCall {
  /// The pushed controller. `nil` for a pop.
  var pushed: CollectionViewController?
  var seconds: Double
  var easing: Easing

  /// The requested change, as the start of a sentence.
  var words: String {
    pushed.map { "A push of \($0.layout.name) was asked for" } ?? "A pop was asked for"
  }
}
