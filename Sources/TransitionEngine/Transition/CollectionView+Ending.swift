import TimelineModel

extension CollectionView {
  /// Ends a transition where it is, without its rest: installs the layout that it would have led to (the
  /// old one while it is still driven) and completes with `false`. Does nothing when idle.
  public func interruptTransition() {
    guard transition != nil else { return }
    end(transition?.settle?.outcome ?? .cancel, completed: false)
  }

  /// Cancels a transition that is being driven and leaves what is on the screen where it is: poses of
  /// every kind of element, content size and offset are kept by a ``FixedLayout`` that is installed, so
  /// that another transition can start from there (TLLayoutTransitioning's
  /// cancelInteractiveTransitionInPlaceWithCompletion:).
  ///
  /// In order: the transition layout hears that it is over, the transition is taken down, its completion
  /// runs with `false`, the frozen layout is installed, and `completion` runs. Otherwise an error event is
  /// recorded and nothing changes: while a transition settles `completion` runs after its own, and without
  /// one at once.
  public func cancelInteractiveTransitionInPlace(completion: @escaping () -> Void = {}) {
    guard state == .driving else {
      _ = notInTransition("Cancel in place")
      if transition == nil { completion() } else { transition?.afterCompletion.append(completion) }
      return
    }
    let screen = screen()
    let frozen = FixedLayout(
      name: "\(collectionViewLayout.name), frozen", contentSize: screen.contentSize,
      elements: screen.elements.filter(\.isPlaced).map {
        LayoutAttributes(path: $0.path, pose: $0.pose)
      })
    recordEvent(
      .cancel,
      [
        Field("transition", .integer(Int64(transition?.number ?? 0))),
        Field("progress", .number(transition?.layout.progress ?? 0)), Field("inPlace", .flag(true)),
      ])
    frozen.isFrozen = true
    transition?.frozen = (frozen, screen.offset)
    change?.keepOnlyDepartures(offset: screen.offset, contentSize: screen.contentSize)
    transition?.afterCompletion.append(completion)
    end(.cancel, completed: false)
  }

  /// Takes the transition down and installs the layout that remains.
  ///
  /// Both layouts hear `finalizeLayoutTransition` first; the completion runs last, when everything is
  /// in place, so that it may start the next transition.
  func end(_ outcome: ReleaseOutcome, completed: Bool) {
    guard var active = transition, !isEnding else { return }
    isEnding = true
    let layout = active.layout
    tellFinalizeTransition(layout.currentLayout, layout.nextLayout)
    recordCall("transitionDidEnd", of: layout)
    layout.transitionDidEnd(completed: completed, finished: outcome == .finish)
    recordWarnings(layout.keyWarnings)
    layout.link?.isDetached = true
    // A hook may have added to it.
    active.afterCompletion = transition?.afterCompletion ?? []
    transition = nil
    isEnding = false
    lastOutcome = outcome == .finish ? .finished : .cancelled
    state = .idle
    switch outcome {
    case .finish:
      install(layout.nextLayout, offset: layout.toContentOffset ?? active.restingOffset)
    case .cancel:
      install(layout.currentLayout, offset: layout.fromContentOffset)
    }
    releaseFromChange(layout)
    recordEvent(
      .completion,
      [
        Field("transition", .integer(Int64(active.number))), Field("completed", .flag(completed)),
        Field("finished", .flag(outcome == .finish)),
      ])
    active.completion(completed, outcome == .finish)
    if let frozen = active.frozen, state == .idle {
      install(frozen.layout, offset: frozen.offset)
    }
    for action in active.afterCompletion { action() }
    if !isRetargeting { startNext() }
  }

  /// Lets the elements of an animated change leave that only the transition placed.
  private func releaseFromChange(_ transition: TransitionLayout) {
    guard let change else { return }
    var last: [ItemHandle: Pose] = [:]
    for arrival in change.arrivals
    where collectionViewLayout.layoutAttributes(at: arrival.path) == nil {
      if let pose = transition.layoutAttributes(at: arrival.path)?.pose, pose.isFinite {
        last[arrival.item] = pose
      }
    }
    self.change?.release(last)
  }

  func install(_ layout: any CollectionViewLayout, offset resting: Point) {
    collectionViewLayout = layout
    if resting.isFinite { offset = resting }
    needsPrepare = true
    recordEvent(.install, [Field("layout", .text(layout.name))])
  }

  func offsetRange(of layout: any CollectionViewLayout) -> OffsetRange {
    OffsetRange(contentSize: layout.contentSize, inset: contentInset, viewport: viewport)
  }
}
