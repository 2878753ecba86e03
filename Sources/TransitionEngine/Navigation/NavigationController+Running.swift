import TimelineModel

extension NavigationController {
  /// Runs a push or pop, lets it wait, or refuses it, as the view's policy says.
  ///
  /// - Returns: The controller that comes or goes. `nil` when the call waits.
  @discardableResult
  func begin(_ call: NavigationCall) throws(TransitionError) -> CollectionViewController? {
    catchUp()
    if current != nil, collectionView.reentry == .queue {
      waiting.append(call)
      collectionView.log.record(
        .queued, ["to": call.pushed?.layout.name, "waiting": waiting.count])
      return nil
    }
    return try run(call)
  }

  /// Ends a push or pop whose layout went with a batch update that was refused, and begins what still
  /// waits.
  func catchUp() {
    if let abandoned = current, abandoned.isStarted, collectionView.isAtRest,
      !collectionView.changes.isCollecting
    {
      end(abandoned)
    }
    startWaiting()
  }

  /// The stack as it is when the running transition goes on as it does now.
  var restingStack: [CollectionViewController] {
    guard let current else { return viewControllers }
    return collectionView.restingLayout === current.destination.layout
      ? current.after : current.before
  }

  private func run(_ call: NavigationCall) throws(TransitionError) -> CollectionViewController {
    try check(call)
    if let controller = call.pushed, !controller.isLoaded {
      controller.load(beforeSharing: collectionView)
      // The hook may have pushed something itself.
      try check(call)
    }
    let before = restingStack
    let after = call.pushed.map { before + [$0] } ?? before.dropLast()
    let navigation = Navigation(
      isPush: call.pushed != nil, isAnimated: call.seconds > 0, isInteractive: false,
      before: before,
      after: after)
    try announce(navigation)
    do {
      try collectionView.setCollectionViewLayout(
        navigation.destination.layout, animated: navigation.isAnimated, duration: call.seconds,
        easing: call.easing
      ) { [weak self, weak navigation] _ in
        // Held weakly: the controllers of the stack lead back to the view, which holds this.
        if let navigation { self?.end(navigation) }
      }
    } catch {
      withdraw(navigation)
      throw error
    }
    taken(navigation)
    return navigation.moved
  }

  private func check(_ call: NavigationCall) throws(TransitionError) {
    try checkPolicy(call.words)
    if let controller = call.pushed { try check(controller) } else { try checkPop() }
  }

  func checkPolicy(_ what: String) throws(TransitionError) {
    guard collectionView.reentry == .refuse else { return }
    if current != nil {
      throw collectionView.log.refused(
        .alreadyInTransition,
        "\(what) while another push or pop is under way. Wait until that was shown.")
    }
    if collectionView.state != .idle { throw collectionView.transitions.alreadyInTransition(what) }
  }

  private func check(_ controller: CollectionViewController) throws(TransitionError) {
    let isForeign = controller.sharedView.map { $0 !== collectionView } ?? false
    guard !isForeign, !restingStack.contains(where: { $0 === controller }) else {
      throw collectionView.log.refused(
        .alreadyOnStack,
        "The controller with layout \(controller.layout.name) is on a stack already. Push another one, "
          + "or pop it first.")
    }
    guard controller.useLayoutToLayoutNavigationTransitions else {
      throw collectionView.log.refused(
        .notSharing,
        "The controller with layout \(controller.layout.name) was pushed without "
          + "useLayoutToLayoutNavigationTransitions. Set it, so that it shares the root's view.")
    }
  }

  func checkPop() throws(TransitionError) {
    guard restingStack.count > 1 else {
      throw collectionView.log.refused(
        .nothingToPop, "A pop was asked for, but only the root is left. Push a controller first.")
    }
  }

  /// Takes over the stack, and tells everybody which controller will be shown.
  ///
  /// - Throws: `alreadyInTransition` when the delegate has begun another one meanwhile, which then
  ///   runs.
  func announce(_ navigation: Navigation) throws(TransitionError) {
    let view = collectionView
    if navigation.isPush {
      navigation.source.layout = view.restingLayout
      navigation.source.coveredOffset = view.state == .idle ? view.contentOffset : nil
      navigation.moved.sharedView = view
    }
    navigation.superseded = current
    current = navigation
    viewControllers = navigation.isInteractive ? navigation.before : navigation.after
    view.log.record(
      navigation.isPush ? .push : .pop,
      [
        "from": navigation.source.layout.name, "to": navigation.destination.layout.name,
        "animated": navigation.isAnimated, "interactive": navigation.isInteractive,
      ])
    view.log.record(.willShow, ["layout": navigation.destination.layout.name])
    delegate?.navigationController(
      self, willShow: navigation.destination, animated: navigation.isAnimated)
    guard current !== navigation else { return }
    unshare(navigation.moved)
    throw view.log.refused(
      .alreadyInTransition,
      "The delegate began another push or pop before the one to \(navigation.destination.layout.name),"
        + " and that one runs.")
  }

  /// Puts everything back after the view has refused.
  func withdraw(_ navigation: Navigation) {
    if current === navigation {
      viewControllers = navigation.before
      current = navigation.superseded.flatMap { $0.isEnded ? nil : $0 }
    }
    navigation.superseded = nil
    unshare(navigation.moved)
  }

  /// Notes that the view has begun, and lets the viewport go back to where a push has left it.
  func taken(_ navigation: Navigation) {
    navigation.isStarted = true
    navigation.superseded = nil
    guard current === navigation, let offset = coveredOffset(for: navigation),
      let between = collectionView.transitionLayout,
      between.nextLayout === navigation.destination.layout, offset != between.fromContentOffset
    else { return }
    between.toContentOffset = offset
  }

  /// Where the viewport stood when the controller that a pop leads to was covered, as far as its content
  /// goes now. `nil` for a push.
  private func coveredOffset(for navigation: Navigation) -> Point2D? {
    guard !navigation.isPush, let offset = navigation.destination.coveredOffset else { return nil }
    return collectionView.installed.offsetRange(of: navigation.destination.layout).clamped(offset)
  }

  /// Ends a push or pop whose completion has run. One that another one has taken over leaves the stack to
  /// that.
  ///
  /// - Parameters:
  ///   - finished: Whether its layout is the one installed. `nil` looks.
  func end(_ navigation: Navigation, finished: Bool? = nil) {
    navigation.isEnded = true
    defer { unshare(navigation.moved) }
    guard current === navigation else { return }
    let view = collectionView
    let isShown = finished ?? (view.collectionViewLayout === navigation.destination.layout)
    current = nil
    viewControllers = isShown ? navigation.after : navigation.before
    if isShown {
      // An exchange at once had no time to take the viewport along.
      view.layoutIfNeeded()
      if !navigation.isStarted, view.state == .idle, let offset = coveredOffset(for: navigation) {
        if offset != view.contentOffset { view.scroll(to: offset) }
      }
      view.log.record(.didShow, ["layout": navigation.destination.layout.name])
      delegate?.navigationController(
        self, didShow: navigation.destination, animated: navigation.isAnimated)
    }
    startWaiting()
  }

  /// Takes the shared view from a controller that is not on the stack any more.
  private func unshare(_ controller: CollectionViewController) {
    let isKept =
      viewControllers.contains { $0 === controller } || current?.moved === controller
    if !isKept { controller.sharedView = nil }
  }

  private func startWaiting() {
    guard !isStartingWaiting else { return }
    isStartingWaiting = true
    while current == nil, !waiting.isEmpty {
      // A refusal was recorded. There is nobody to throw to.
      _ = try? run(waiting.removeFirst())
    }
    isStartingWaiting = false
  }
}
