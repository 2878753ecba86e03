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

  /// Hears of every question to the layout's hooks, by their common name.
  var log: EventLog?
  /// By which handle the sink knows the old content of a reloaded element while that leaves.
  var leavingHandle: (ItemHandle) -> ItemHandle = { $0 }

  init(layout: any CollectionViewLayout, plan: UpdatePlan?, asksHooks: Bool) {
    self.layout = layout
    self.plan = plan
    self.asksHooks = asksHooks
  }

  private func newPath(of path: ElementPath) -> ElementPath? {
    guard let plan else { return path }
    return plan.newPath(of: path)
  }

  private func oldPath(of path: ElementPath) -> ElementPath? {
    guard let plan else { return path }
    return plan.oldPath(of: path)
  }

  /// The paths before the change of what is visible after it; nil for what was not there.
  func pathsBefore(_ after: [Screen.Element]) -> [ElementPath?] {
    after.indices.map { oldPath(of: after[$0].path) }
  }

  /// The paths before the change of what is visible after it, was there before, and was not on the
  /// screen.
  ///
  /// - Parameter pathsBefore: Those of what is visible after it.
  func unseenBefore(_ before: [Screen.Element], _ pathsBefore: [ElementPath?]) -> [ElementPath] {
    var seen = PathTable<Bool>()
    for number in before.indices where before[number].isPlaced {
      seen.set(true, at: before[number].path)
    }
    return pathsBefore.compactMap { path in path.flatMap { seen[$0] == nil ? $0 : nil } }
  }

  /// Pairs what was on the screen with what the layout shows now. Each of `before` is asked for its end
  /// first, then each of `after`, whose paths before the change are given too, for its start.
  func pairs(
    before: [Screen.Element], after: [Screen.Element], pathsBefore: [ElementPath?],
    leaving: [AnimatedChange.Departure],
    posesBefore: [ElementPath: Pose], item: (ElementPath) -> ItemHandle?
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    var departures: [AnimatedChange.Departure] = []
    // Those that stay: the path after the change, and the place in `before`.
    var survivors: [(path: ElementPath, before: Int)] = []
    survivors.reserveCapacity(before.count)
    var survivorNumbers = PathTable<Int>()
    func keep(_ number: Int, as path: ElementPath) {
      survivorNumbers.set(survivors.count, at: path)
      survivors.append((path, number))
    }
    var afterPaths: [ItemHandle: ElementPath] = [:]
    if before.contains(where: { !$0.isPlaced }) {
      for element in after { afterPaths[element.item] = element.path }
    }
    var leavingNumbers: [ItemHandle: Int] = [:]
    for (number, departure) in leaving.enumerated() { leavingNumbers[departure.item] = number }
    for number in before.indices {
      let (item, path, start) = (before[number].item, before[number].path, before[number].pose)
      if !before[number].isPlaced, let path = afterPaths[item] {
        // It was leaving, and is back.
        keep(number, as: path)
        continue
      }
      guard before[number].isPlaced else {
        var departure =
          leavingNumbers[item].map { leaving[$0] }
          ?? AnimatedChange.Departure(item: item, path: path, start: start, end: start.faded)
        departure.start = start
        departures.append(departure)
        continue
      }
      if asksHooks { log?.recordCall("finalLayoutAttributes", of: layout, at: path) }
      let end = asksHooks ? layout.finalLayoutAttributesForDisappearingElement(at: path) : nil
      if let newPath = newPath(of: path), !isForced(.disappearing, path), !isReloaded(path),
        layout.finitePose(at: newPath) != nil
      {
        keep(number, as: newPath)
      } else {
        departures.append(
          AnimatedChange.Departure(
            item: item, path: path, start: start, end: end?.finitePose ?? start.faded))
      }
    }

    var arrivals: [AnimatedChange.Arrival] = []
    arrivals.reserveCapacity(max(after.count, survivors.count))
    var isVisible = [Bool](repeating: false, count: survivors.count)
    for (element, old) in zip(after, pathsBefore) {
      let path = element.path
      if asksHooks { log?.recordCall("initialLayoutAttributes", of: layout, at: path) }
      let own =
        asksHooks ? layout.initialLayoutAttributesForAppearingElement(at: path)?.finitePose : nil
      let number = survivorNumbers[path]
      if let number { isVisible[number] = true }
      // What the layout placed before and keeps is not reloaded.
      let isKept = number.map { before[survivors[$0].before].isPlaced } ?? false
      let reloaded = isKept ? nil : old.flatMap { isReloaded($0) ? $0 : nil }
      let isNew = reloaded != nil || isForced(.appearing, path)
      var arriving: AnimatedChange.Arrival
      if let number, !isNew {
        let place = survivors[number].before
        arriving = arrival(
          element.item, path, start: before[place].pose, ends: before[place].ends,
          before: before[place].path)
      } else if let old, !isNew, let place = posesBefore[old] {
        arriving = arrival(element.item, path, start: place, before: old)
      } else {
        arriving = AnimatedChange.Arrival(
          item: element.item, path: path, start: own ?? element.pose.faded,
          reason: reloaded == nil ? .appearing : .reloaded, pathBefore: reloaded)
      }
      // A hook that answers the plain pose says nothing of a start.
      if let own, own != element.pose { (arriving.start, arriving.ends) = (own, nil) }
      arrivals.append(arriving)
    }
    for (survivor, isVisible) in zip(survivors, isVisible) where !isVisible {
      let element = before[survivor.before]
      arrivals.append(
        arrival(
          item(survivor.path) ?? element.item, survivor.path, start: element.pose,
          ends: element.ends, before: element.path))
    }
    join(&arrivals, &departures)
    return (arrivals, departures)
  }

  /// What came and went under one identity is one element: it goes on as another content. Of a reload the old
  /// content leaves under a handle of its own.
  private func join(
    _ arrivals: inout [AnimatedChange.Arrival], _ departures: inout [AnimatedChange.Departure]
  ) {
    guard !departures.isEmpty else { return }
    var numbers: [ItemHandle: Int] = [:]
    for (number, departure) in departures.enumerated() { numbers[departure.item] = number }
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
    guard isBack.contains(true) else { return }
    departures = zip(departures, isBack).filter { !$0.1 }.map(\.0)
  }

  /// Whether an element, by its path before, is shown anew: a cell, or a view of a section that is.
  private func isReloaded(_ old: ElementPath) -> Bool {
    guard let plan, old.category != .decoration else { return false }
    return old.category == .cell
      ? plan.isReloaded(old.indexPath) : plan.isReloaded(section: old.indexPath.section)
  }

  private func arrival(
    _ item: ItemHandle, _ path: ElementPath, start: Pose,
    ends: MixedEnds? = nil, before: ElementPath
  ) -> AnimatedChange.Arrival {
    var reason = AnimatedChange.Reason.surviving
    if path.category == .cell, plan?.isMoved(before.indexPath) == true { reason = .moved }
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
    let pathsBefore = pairing.pathsBefore(after)
    let places = posesBefore(pairing.unseenBefore(before.elements, pathsBefore), old: old)
    announce(layout)
    return pairing.pairs(
      before: before.elements, after: after, pathsBefore: pathsBefore, leaving: leaving,
      posesBefore: places,
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
