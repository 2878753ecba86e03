import MotionPhysics
import TimelineModel

extension CollectionView {
  /// Shows one frame of the display: moves on what runs by itself, lays out, and records.
  func showFrame(at time: Instant) {
    advanceTimedTransition(at: time)
    let ended = state == .settling ? advanceSettle(at: time) : nil
    layoutIfNeeded()
    var frame = FrameState(
      time: time, phase: state, progress: transition?.layout.preparedProgress,
      contentOffset: offset, contentSize: collectionViewLayout.contentSize)
    if change == nil, ended == nil, showMixes(in: limited(frame)) { return }
    var elements: [Screen.Element]
    // A completion may have started the next transition; then its first frame is shown instead.
    if let ended, state == .idle {
      frame.phase = .settling
      frame.progress = ended.progress
      elements = identified(ended.finalAttributes(in: self))
    } else {
      elements = visibleElements()
    }
    if let change {
      let screen = blended(
        Screen(elements: elements, offset: offset, contentSize: frame.contentSize), at: time)
      elements = screen.elements
      frame.contentOffset = screen.offset
      frame.contentSize = screen.contentSize
      if frame.phase == .idle { frame.phase = .settling }
      if change.isOver(at: time) { endChange() }
    }
    emit(frame, elements)
  }

  /// The elements that take part. While nothing was prepared or scrolled they are those of the frame
  /// before: a layout answers the same until it prepares again.
  private func visibleElements() -> [Screen.Element] {
    if let shown, shown.offset == offset { return shown.elements }
    let elements =
      hookedElements()
      ?? identified(collectionViewLayout.layoutAttributesForElements(in: visibleRect))
    shown = (offset, elements)
    return elements
  }

  /// Moves a transition on that nobody sets: by its own driver, and the keys that it took over. At the end
  /// of its time the transition finishes, at rest.
  private func advanceTimedTransition(at time: Instant) {
    guard let layout = transition?.layout else { return }
    if layout.advanceCoasting(at: time) { invalidateLayout() }
    guard state == .driving, let driver = transition?.driver else { return }
    let fraction = driver.fraction(at: time)
    layout.link?.isAdvancing = true
    layout.setTransitionProgress(driver.easing.value(at: fraction), time: fraction)
    layout.link?.isAdvancing = false
    invalidateLayout()
    // Who hears of the progress may have begun another transition.
    guard fraction >= 1, state == .driving, transition?.layout === layout else { return }
    // Cannot fail: the transition is being driven.
    _ = try? release(as: .finish, decidedBy: CollectionView.decidedByTime)
  }

  /// Sets the settle's values for a frame: keys, then progress, then the layout is invalidated. At or
  /// after its end everything takes its exact end value and the layout that remains is installed.
  ///
  /// - Returns: What took part, when the settle is over.
  private func advanceSettle(at time: Instant) -> EndedTransition? {
    guard let active = transition, let settle = active.settle else { return nil }
    let elapsed = time.seconds(since: settle.start)
    let layout = active.layout
    guard elapsed >= settle.durationSeconds else {
      layout.advance(
        keys: settle.keys.map { key in
          let value = key.motion.value(atSeconds: elapsed)
          return (key.number, value.isFinite ? value : layout.keys[key.number].value ?? 0)
        },
        progress: settle.progress.value(atSeconds: elapsed))
      invalidateLayout()
      return nil
    }
    layout.advance(
      keys: settle.keys.map { ($0.number, $0.motion.target) }, progress: settle.progress.target)
    // Who hears of the progress may have begun another transition.
    guard transition?.layout === layout, state == .settling else { return nil }
    invalidateLayout()
    layoutIfNeeded()
    let ended = EndedTransition(
      layout: layout, outcome: settle.outcome, progress: settle.progress.target,
      attributes: mixedAttributes() ?? layout.layoutAttributesForElements(in: visibleRect))
    end(settle.outcome, completed: true)
    return ended
  }

  private func emit(_ frame: FrameState, _ elements: [Screen.Element]) {
    sink.beginFrame(limited(frame))
    // By number, which does not copy the whole element.
    for number in elements.indices {
      sink.record(
        elements[number].pose, of: elements[number].item, at: elements[number].path.indexPath)
    }
    sink.endFrame()
  }

  private func limited(_ frame: FrameState) -> FrameState {
    var frame = frame
    frame.contentOffset = frame.contentOffset.asLengths
    frame.contentSize = Size(
      width: frame.contentSize.width.asLength, height: frame.contentSize.height.asLength)
    return frame
  }

  /// The elements as the sink knows them. What is not finite, or not in the data, is left out and told.
  func identified(_ elements: [LayoutAttributes]) -> [Screen.Element] {
    elements.compactMap { element in
      guard element.pose.isFinite else {
        warnOnce(
          "non-finite",
          "Layout \(collectionViewLayout.name) gave a \(element.path.category.rawValue) at "
            + "\(place(element.path)) a number that is not finite; it is left out.")
        return nil
      }
      guard let item = item(at: element.path) else { return nil }
      return Screen.Element(item: item, path: element.path, pose: element.pose)
    }
  }

  /// The number of an element; one that is not in the data is told.
  func item(at path: ElementPath) -> ItemHandle? {
    if let item = handle(of: path) { return item }
    warnOnce(
      "unknown-element",
      "Layout \(collectionViewLayout.name) placed a \(path.category.rawValue) at "
        + "\(place(path)), which the data does not have; it is left out.")
    return nil
  }

  private func warnOnce(_ code: String, _ message: String) {
    guard warned.insert(LayoutWarning(code: code, message: message)).inserted else { return }
    warn(code, message)
  }

  private func place(_ path: ElementPath) -> String {
    "[\(path.indexPath.section), \(path.indexPath.item)]"
  }

  func handle(of path: ElementPath) -> ItemHandle? {
    if let known = handles[path] { return known }
    guard let identity = storedData.identity(of: path) else { return nil }
    let handle = sink.itemHandle(for: identity)
    handles[path] = handle
    identities[handle] = identity
    return handle
  }
}

/// What took part in a transition that has just ended: the last frame still shows all of it.
private struct EndedTransition {
  var layout: TransitionLayout
  var outcome: ReleaseOutcome
  var progress: Double
  var attributes: [LayoutAttributes]

  /// The poses of the installed layout itself, not mixed ones; where it has none, the mixed one. What
  /// is visible there besides is added.
  func finalAttributes(in view: CollectionView) -> [LayoutAttributes] {
    let installed = outcome == .finish ? layout.nextLayout : layout.currentLayout
    let final = attributes.map { installed.layoutAttributes(at: $0.path) ?? $0 }
    return final
      + view.collectionViewLayout.layoutAttributesForElements(in: view.visibleRect)
      .lacking(in: final)
  }
}
