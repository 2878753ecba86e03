public import MotionPhysics

/// The observer of a navigation controller.
public protocol NavigationControllerDelegate: AnyObject {
  /// Sent when a push or a pop begins, before anything moves. Default: nothing.
  func navigationController(
    _ navigationController: NavigationController, willShow controller: CollectionViewController,
    animated: Bool)

  /// Sent when a push or a pop is over and its layout is installed: the place to exchange the shared
  /// view's data source and delegate, and to scroll. Not sent after a cancelled pop, nor for one that
  /// another push or pop has taken over. Default: nothing.
  func navigationController(
    _ navigationController: NavigationController, didShow controller: CollectionViewController,
    animated: Bool)
}

extension NavigationControllerDelegate {
  /// Does nothing.
  public func navigationController(
    _ navigationController: NavigationController, willShow controller: CollectionViewController,
    animated: Bool
  ) {}

  /// Does nothing.
  public func navigationController(
    _ navigationController: NavigationController, didShow controller: CollectionViewController,
    animated: Bool
  ) {}
}

/// A stack of controllers that show one collection view, each in its own layout: a push or a pop is a
/// transition between the layouts (UIKit's `useLayoutToLayoutNavigationTransitions`).
///
/// The root's view is shared. Its data source and delegate stay the root's until they are changed by hand,
/// which the delegate's `didShow` is the place for. A pop leads back to the layout that the push left,
/// and the viewport to where it stood.
///
/// A push or pop while another one, or any other transition of the view, is under way follows the view's
/// ``CollectionView/reentry``: refused with an error, taken over from the picture on the screen, or waiting.
public final class NavigationController {
  /// The observer. Not kept alive.
  public weak var delegate: (any NavigationControllerDelegate)?
  /// The view that all controllers share: the root's.
  public let collectionView: CollectionView
  /// The controllers, the root first. A push or pop that nobody drives counts from its beginning, an
  /// interactive pop from its end. One that is cancelled or turned back leaves it as it was.
  public internal(set) var viewControllers: [CollectionViewController]

  /// The push or pop that is under way.
  var current: Navigation?
  var waiting: [NavigationCall] = []
  var isStartingWaiting = false

  /// Makes a stack of one controller, gives its view the controller's data source and delegate, and runs
  /// its load hook.
  ///
  /// - Throws: `wrongRoot` for a controller without a view of its own, or one whose
  ///   ``CollectionViewController/useLayoutToLayoutNavigationTransitions`` is set.
  public init(root: CollectionViewController) throws(TransitionError) {
    guard let view = root.ownView else {
      throw TransitionError(
        .wrongRoot,
        "The root controller with layout \(root.layout.name) has no view. Make it from a view.")
    }
    guard !root.useLayoutToLayoutNavigationTransitions else {
      throw view.log.refused(
        .wrongRoot,
        "The root controller with layout \(root.layout.name) has "
          + "useLayoutToLayoutNavigationTransitions set, but there is nothing below to share a view "
          + "with. Set it for the controllers that are pushed.")
    }
    collectionView = view
    viewControllers = [root]
    view.dataSource = root.dataSource
    view.delegate = root.delegate
    if !root.isLoaded {
      root.isLoaded = true
      root.viewDidLoad()
    }
  }

  /// The controller on top.
  public var topViewController: CollectionViewController {
    viewControllers[viewControllers.count - 1]
  }

  /// The controller below the others.
  public var rootViewController: CollectionViewController { viewControllers[0] }

  /// Whether a push or pop is under way, from its beginning to its completion.
  public var isNavigating: Bool { current != nil }

  /// How long an animated push or pop takes unless stated, in seconds: as any other animated change of
  /// layout, since UIKit's own duration is not published.
  public static let defaultDurationSeconds = CollectionView.defaultDurationSeconds

  /// Puts a controller on top: the shared view goes over to its layout.
  ///
  /// While a batch update is being animated, such as the deletion of sections just before, both are one
  /// animation.
  ///
  /// - Parameters:
  ///   - controller: The controller, with
  ///     ``CollectionViewController/useLayoutToLayoutNavigationTransitions`` set.
  ///   - animated: Whether the elements travel. Otherwise the next frame shows the new layout.
  ///   - duration: How long they travel, in seconds. One that is not above 0 is as not animated.
  ///   - easing: The curve that maps elapsed time to progress.
  /// - Throws: `notSharing` without the flag. `alreadyOnStack` for a controller that is on the stack;
  ///   `alreadyInTransition` while something is under way and the view refuses. Nothing has changed
  ///   then. A call that waits finds its errors later. They are recorded as events only.
  public func pushViewController(
    _ controller: CollectionViewController, animated: Bool,
    duration: Double = NavigationController.defaultDurationSeconds, easing: Easing = .linear
  ) throws(TransitionError) {
    try begin(
      NavigationCall(
        pushed: controller, seconds: animated ? duration.asAnimationSeconds : 0, easing: easing))
  }

  /// Takes the top controller away: the shared view goes back to the layout below.
  ///
  /// - Parameters:
  ///   - animated: Whether the elements travel. Otherwise the next frame shows the layout below.
  ///   - duration: How long they travel, in seconds. One that is not above 0 is as not animated.
  ///   - easing: The curve that maps elapsed time to progress.
  /// - Returns: The controller that goes. `nil` when the call waits.
  /// - Throws: `nothingToPop` for the root. `alreadyInTransition` while something is under way and the
  ///   view refuses. Nothing has changed then. A call that waits finds its errors later. They are
  ///   recorded as events only.
  @discardableResult
  public func popViewController(
    animated: Bool, duration: Double = NavigationController.defaultDurationSeconds,
    easing: Easing = .linear
  ) throws(TransitionError) -> CollectionViewController? {
    try begin(
      NavigationCall(seconds: animated ? duration.asAnimationSeconds : 0, easing: easing))
  }
}

/// A stack and its view are changed in place. Use them from one thread at a time.
@available(*, unavailable)
extension NavigationController: Sendable {}

extension NavigationController {
  /// Begins to take the top controller away by hand: an interactive transition of the shared view to the
  /// layout below, at progress 0.
  ///
  /// The rest is the caller's, as with ``CollectionView/startInteractiveTransition(to:completion:)``: set
  /// the progress, and finish, cancel or release the transition of the view. Finished, the controller is
  /// popped. Cancelled, the stack is as it was, and `didShow` is not sent.
  ///
  /// - Throws: `nothingToPop` for the root. `alreadyInTransition` while something is under way and the
  ///   view refuses, and behind another push or pop also where it lets wait;
  ///   `wrongTransitionLayout` when the view's delegate gives one that does not fit. Nothing has changed
  ///   then.
  @discardableResult
  public func startInteractivePop() throws(TransitionError) -> TransitionLayout {
    catchUp()
    try checkPolicy("An interactive pop was asked for")
    if current != nil, collectionView.reentry == .queue {
      throw collectionView.log.refused(
        .alreadyInTransition,
        "An interactive pop cannot wait for another push or pop. Start it when that was shown.")
    }
    try checkPop()
    let before = restingStack
    let navigation = Navigation(
      isPush: false, isAnimated: true, isInteractive: true, before: before,
      after: before.dropLast())
    try announce(navigation)
    do {
      let between = try collectionView.startInteractiveTransition(
        to: navigation.destination.layout
      ) { [weak self, weak navigation] _, finished in
        if let navigation { self?.end(navigation, finished: finished) }
      }
      taken(navigation)
      return between
    } catch {
      withdraw(navigation)
      throw error
    }
  }
}

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
