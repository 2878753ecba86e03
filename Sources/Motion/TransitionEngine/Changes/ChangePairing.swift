import TimelineModel

/// Finds for every element on the screen before or after a change its one start and its one end.
///
/// The layout has prepared for the state after the change, and has been told of the change.
struct ChangePairing {
  /// The layout after the change.
  let layout: any CollectionViewLayout
  /// What data changed; nil when every element keeps its path.
  let plan: UpdatePlan?
  /// Whether the layout is asked for starts and ends of its own.
  let asksHooks: Bool
  /// The items that were moved, by their paths before.
  let movedItems: Set<ItemIndexPath>

  /// Hears of every question to the layout's hooks, by their common name.
  var log: EventLog?
  /// By which handle the sink knows the old content of a reloaded element while that leaves.
  var leavingHandle: (ItemHandle) -> ItemHandle = { $0 }

  init(layout: any CollectionViewLayout, plan: UpdatePlan?, asksHooks: Bool) {
    self.layout = layout
    self.plan = plan
    self.asksHooks = asksHooks
    movedItems = Set(
      (plan?.items ?? []).filter { $0.action == .move }.compactMap(\.indexPathBeforeUpdate))
  }

  private func newPath(of path: ElementPath) -> ElementPath? {
    plan.map { $0.newPath(of: path) } ?? path
  }

  private func oldPath(of path: ElementPath) -> ElementPath? {
    plan.map { $0.oldPath(of: path) } ?? path
  }

  /// The paths before the change of what is visible after it, was there before, and was not on the
  /// screen.
  func unseenBefore(_ before: [Screen.Element], _ after: [Screen.Element]) -> [ElementPath] {
    let seen = Set(before.lazy.filter(\.isPlaced).map(\.path))
    return after.compactMap { oldPath(of: $0.path) }.filter { !seen.contains($0) }
  }

  /// Pairs what was on the screen with what the layout shows now. Each of `before` is asked for its end
  /// first, then each of `after` for its start.
  func pairs(
    before: [Screen.Element], after: [Screen.Element], leaving: [AnimatedChange.Departure],
    posesBefore: [ElementPath: Pose], item: (ElementPath) -> ItemHandle?
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    var departures: [AnimatedChange.Departure] = []
    var survivors: [(path: ElementPath, element: Screen.Element)] = []
    var survivorNumbers: [ElementPath: Int] = [:]
    var afterPaths: [ItemHandle: ElementPath] = [:]
    for element in after { afterPaths[element.item] = element.path }
    var leavingNumbers: [ItemHandle: Int] = [:]
    for (number, departure) in leaving.enumerated() { leavingNumbers[departure.item] = number }
    for element in before {
      if !element.isPlaced, let path = afterPaths[element.item] {
        // It was leaving, and is back.
        survivorNumbers[path] = survivors.count
        survivors.append((path, element))
        continue
      }
      guard element.isPlaced else {
        var departure =
          leavingNumbers[element.item].map { leaving[$0] }
          ?? AnimatedChange.Departure(
            item: element.item, path: element.path, start: element.pose, end: element.pose.faded)
        departure.start = element.pose
        departures.append(departure)
        continue
      }
      if asksHooks { log?.recordCall("finalLayoutAttributes", of: layout, at: element.path) }
      let end =
        asksHooks ? layout.finalLayoutAttributesForDisappearingElement(at: element.path) : nil
      if let path = newPath(of: element.path), !isForced(.disappearing, element.path),
        !isReloaded(element.path), layout.finitePose(at: path) != nil
      {
        survivorNumbers[path] = survivors.count
        survivors.append((path, element))
      } else {
        departures.append(
          AnimatedChange.Departure(
            item: element.item, path: element.path, start: element.pose,
            end: end?.finitePose ?? element.pose.faded))
      }
    }

    var arrivals: [AnimatedChange.Arrival] = []
    var isVisible = [Bool](repeating: false, count: survivors.count)
    for element in after {
      let path = element.path
      if asksHooks { log?.recordCall("initialLayoutAttributes", of: layout, at: path) }
      let own =
        asksHooks ? layout.initialLayoutAttributesForAppearingElement(at: path)?.finitePose : nil
      // A hook that answers the plain pose says nothing of a start.
      let special = own == element.pose ? nil : own
      let number = survivorNumbers[path]
      if let number { isVisible[number] = true }
      let reloaded = oldPath(of: path).flatMap { isReloaded($0) ? $0 : nil }
      let isNew = reloaded != nil || isForced(.appearing, path)
      if let number, !isNew {
        let survivor = survivors[number].element
        arrivals.append(
          arrival(
            element.item, path, start: special ?? survivor.pose,
            ends: special == nil ? survivor.ends : nil,
            before: survivor.path))
      } else if let old = oldPath(of: path), !isNew,
        let place = posesBefore[old]
      {
        arrivals.append(
          arrival(
            element.item, path, start: special ?? place, before: old))
      } else {
        arrivals.append(
          AnimatedChange.Arrival(
            item: element.item, path: path, start: own ?? element.pose.faded,
            reason: reloaded == nil ? .appearing : .reloaded, pathBefore: reloaded))
      }
    }
    for (survivor, isVisible) in zip(survivors, isVisible) where !isVisible {
      arrivals.append(
        arrival(
          item(survivor.path) ?? survivor.element.item, survivor.path,
          start: survivor.element.pose, ends: survivor.element.ends,
          before: survivor.element.path))
    }
    return joined(arrivals, departures)
  }

  /// What came and went under one identity is one element: it goes on as another content. Of a reload the old
  /// content leaves under a handle of its own.
  private func joined(
    _ arrivals: [AnimatedChange.Arrival], _ departures: [AnimatedChange.Departure]
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    guard !departures.isEmpty else { return (arrivals, departures) }
    var numbers: [ItemHandle: Int] = [:]
    for (number, departure) in departures.enumerated() { numbers[departure.item] = number }
    var (arrivals, departures) = (arrivals, departures)
    var isBack = [Bool](repeating: false, count: departures.count)
    for place in arrivals.indices {
      guard let number = numbers[arrivals[place].item] else { continue }
      if arrivals[place].reason == .reloaded {
        let leaving = leavingHandle(departures[number].item)
        departures[number].item = leaving
        // What an earlier reload lets leave makes room.
        if let earlier = numbers[leaving] { isBack[earlier] = true }
        continue
      }
      isBack[number] = true
      arrivals[place].start = departures[number].start
      arrivals[place].reason = .reloaded
      arrivals[place].pathBefore = departures[number].path
    }
    return (arrivals, zip(departures, isBack).filter { !$0.1 }.map(\.0))
  }

  /// Whether an element, by its path before, is shown anew: a cell, or a view of a section that is.
  private func isReloaded(_ old: ElementPath) -> Bool {
    guard let plan, old.category != .decoration else { return false }
    return old.category == .cell
      ? plan.isReloaded(old.indexPath) : plan.isReloaded(section: old.indexPath.section)
  }

  private func arrival(
    _ item: ItemHandle, _ path: ElementPath, start: Pose,
    ends: (from: Pose, to: Pose)? = nil, before: ElementPath
  ) -> AnimatedChange.Arrival {
    var reason = AnimatedChange.Reason.surviving
    if path.category == .cell, movedItems.contains(before.indexPath) { reason = .moved }
    return AnimatedChange.Arrival(
      item: item, path: path, start: start, ends: ends, reason: reason, pathBefore: before)
  }

  /// Whether the layout says of one of its own views that it comes or goes though its section stays.
  private func isForced(_ reason: AnimatedChange.Reason, _ path: ElementPath) -> Bool {
    guard asksHooks, plan != nil, let kind = path.elementKind else { return false }
    let paths: [ItemIndexPath]
    switch (path.category, reason) {
    case (.supplementary, .appearing):
      paths = layout.indexPathsToInsertForSupplementaryView(ofKind: kind)
    case (.supplementary, _):
      paths = layout.indexPathsToDeleteForSupplementaryView(ofKind: kind)
    case (.decoration, .appearing):
      paths = layout.indexPathsToInsertForDecorationView(ofKind: kind)
    default:
      paths = layout.indexPathsToDeleteForDecorationView(ofKind: kind)
    }
    return paths.contains(path.indexPath)
  }
}

extension InstalledLayout {
  /// The starts and ends of everything on the screen before a change and visible now.
  ///
  /// - Parameters:
  ///   - before: The screen before.
  ///   - leaving: What was leaving it already.
  ///   - plan: What data changed; nil: none.
  ///   - old: The layout before and what it had prepared for.
  ///   - announce: Tells the layout of the change, when the state before is not needed any more.
  func pairs(
    before: Screen, leaving: [AnimatedChange.Departure], plan: UpdatePlan?,
    old: (layout: any CollectionViewLayout, context: LayoutContext),
    announce: (any CollectionViewLayout) -> Void
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    prepareIfNeeded()
    let layout = layout
    let after = visibleElements()
    var pairing = ChangePairing(layout: layout, plan: plan, asksHooks: true)
    pairing.log = log
    pairing.leavingHandle = elements.leavingHandle
    let places = posesBefore(pairing.unseenBefore(before.elements, after), old: old)
    announce(layout)
    return pairing.pairs(
      before: before.elements, after: after, leaving: leaving, posesBefore: places,
      item: elements.handle(of:))
  }

  /// Where elements stood before a change that were not on the screen then: a layout that stays is
  /// prepared once more as it was, and again as it is.
  private func posesBefore(
    _ paths: [ElementPath], old: (layout: any CollectionViewLayout, context: LayoutContext)
  ) -> [ElementPath: Pose] {
    guard !paths.isEmpty else { return [:] }
    let stays = old.layout === layout
    if stays { old.layout.prepare(in: old.context) }
    var places: [ElementPath: Pose] = [:]
    for path in paths { places[path] = old.layout.finitePose(at: path) }
    if stays { old.layout.prepare(in: context) }
    return places
  }
}
