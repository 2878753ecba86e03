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
