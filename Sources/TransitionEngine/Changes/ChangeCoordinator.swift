import MotionPhysics
import TimelineModel

extension CollectionView {
  /// What the screen shows at the clock's present, an animated change and the elements that are leaving
  /// included.
  func screen() -> Screen { screen(at: clock.now) }

  /// The same with the animated change as it is at another time.
  func screen(at time: Instant) -> Screen { blended(unblendedScreen(), at: time) }

  /// The screen at the clock's present, with what its elements are mixed from where a transition alone
  /// moves them: then they go on moving under a change that begins now.
  func screenInMotion() -> Screen {
    var screen = screen()
    guard change == nil, let layout = transition?.layout else { return screen }
    for number in screen.elements.indices {
      screen.elements[number].ends = layout.ends(at: screen.elements[number].path)
    }
    return screen
  }

  /// The transition under way as it is before anything of it is prepared anew; nil where an animated
  /// change hides it, or there is none.
  func underlyingTransition() -> Underlying? {
    guard change == nil, let layout = transition?.layout else { return nil }
    return Underlying(layout, offset: offset)
  }

  /// What the screen would show without the animated change.
  func unblendedScreen() -> Screen {
    layoutIfNeeded()
    return Screen(
      elements: identified(collectionViewLayout.layoutAttributesForElements(in: visibleRect)),
      offset: offset, contentSize: collectionViewLayout.contentSize)
  }

  /// What a screen becomes with the animated change that runs: elements blend from their starts into
  /// their places, those that moved out of sight are added, then those that are leaving. At its end
  /// everything stands exactly where the layout says.
  func blended(_ screen: Screen, at time: Instant) -> Screen {
    guard let change else { return screen }
    func shown(_ arrival: AnimatedChange.Arrival, _ now: Pose) -> Pose {
      change.pose(
        from: change.start(of: arrival), to: now, velocity: arrival.velocity, at: time)
    }
    var result = Screen(
      elements: [], offset: change.offset(screen.offset, at: time),
      contentSize: change.contentSize(screen.contentSize, at: time))
    result.elements.reserveCapacity(screen.elements.count + change.departures.count)
    var isSeen = [Bool](repeating: false, count: change.arrivals.count)
    for var element in screen.elements {
      if let number = change.arrivalNumbers[element.item] {
        isSeen[number] = true
        element.pose = shown(change.arrivals[number], element.pose)
      } else if let number = change.departureNumbers[element.item] {
        // It was leaving, and a transition has it back.
        element.pose = change.pose(
          from: change.departures[number].start, to: element.pose, at: time)
      }
      result.elements.append(element)
    }
    for (arrival, isSeen) in zip(change.arrivals, isSeen) where !isSeen {
      guard let place = collectionViewLayout.layoutAttributes(at: arrival.path)?.pose,
        place.isFinite
      else { continue }
      result.elements.append(
        Screen.Element(
          item: arrival.item, path: arrival.path, pose: shown(arrival, place)))
    }
    // At the end of the change what was leaving is gone.
    guard !change.departures.isEmpty, !change.isOver(at: time) else { return result }
    let present = Set(result.elements.map(\.item))
    for departure in change.departures where !present.contains(departure.item) {
      result.elements.append(
        Screen.Element(
          item: departure.item, path: departure.path,
          pose: change.pose(from: departure.start, to: departure.end, at: time), isPlaced: false))
    }
    return result
  }

  /// Begins an animated change in place of the one that runs, which is interrupted: what is on the
  /// screen of it is where the new one starts. Its completion runs last, when all is in place.
  func begin(_ change: AnimatedChange, fields: [Field] = []) {
    let interrupted = self.change
    if let interrupted { recordCompletion(of: interrupted, completed: false) }
    recordEvent(
      .animation,
      [
        Field("animation", .integer(Int64(change.number))),
        Field("cause", .text(change.cause.rawValue)),
        Field("duration_s", .number(change.durationSeconds)),
      ] + fields + [Field("elements", .list(described(change)))])
    animationCount = change.number + 1
    shown = nil
    self.change = change
    interrupted?.completion(false)
    if change.durationSeconds <= 0, self.change?.number == change.number {
      endChange()
    }
  }

  /// Ends the animated change that runs, if any; everything stands where the layout says.
  func endChange() {
    guard let ended = change else { return }
    change = nil
    shown = nil
    recordCompletion(of: ended, completed: true)
    ended.completion(true)
  }

  /// Takes the animated change that runs out of the way of something else.
  ///
  /// - Returns: Its completion, to be run with `false` when that is in place: it may begin anything. nil
  ///   when nothing was animated.
  func takeOutChange() -> ((Bool) -> Void)? {
    guard let interrupted = change else { return nil }
    change = nil
    shown = nil
    recordCompletion(of: interrupted, completed: false)
    return interrupted.completion
  }

  private func recordCompletion(of change: AnimatedChange, completed: Bool) {
    recordEvent(
      .animationCompletion,
      [
        Field("animation", .integer(Int64(change.number))), Field("completed", .flag(completed)),
      ])
  }

  /// Why each element takes part, and from which place to which.
  private func described(_ change: AnimatedChange) -> [FieldValue] {
    func described(
      _ item: ItemHandle, _ path: ElementPath, _ reason: AnimatedChange.Reason,
      before: ElementPath?, after: ElementPath?
    ) -> FieldValue {
      .object([
        Field("item", .integer(Int64(item.rawValue))),
        Field("id", FieldValue(identities[item]?.id)),
        Field("kind", .text(path.category.rawValue)),
        Field("reason", .text(reason.rawValue)),
        Field("before", before.map { FieldValue($0.indexPath) } ?? .null),
        Field("after", after.map { FieldValue($0.indexPath) } ?? .null),
      ])
    }
    return change.arrivals.map {
      described($0.item, $0.path, $0.reason, before: $0.pathBefore, after: $0.path)
    }
      + change.departures.map {
        described($0.item, $0.path, .disappearing, before: $0.path, after: nil)
      }
  }
}
