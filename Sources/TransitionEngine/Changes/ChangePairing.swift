import TimelineModel

/// Finds for every element on the screen before or after a change its one start and its one end.
///
/// The layout has prepared for the state after the change, and has been told of the change.
struct ChangePairing {
  let layout: any CollectionViewLayout
  /// The changed data. `nil` when every element keeps its path.
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

  /// The place of an element in the other numbering, and whether it is an item with a move of its own. `nil` if it is not
  /// there.
  typealias Place = (path: ElementPath, isMoved: Bool)

  /// The places before the change of the elements that are visible after it.
  func placesBefore(_ after: [Screen.Element]) -> [Place?] {
    var walk = UpdatePlan.Walk(plan, .back)
    var places: [Place?] = []
    places.reserveCapacity(after.count)
    // By number, here and below, which does not copy the whole element.
    for number in after.indices { places.append(walk.place(of: after[number].path)) }
    return places
  }

  /// The paths before the change of the elements that are visible after it, were there before, and were not on the
  /// screen.
  func unseenBefore(_ before: [Screen.Element], _ placesBefore: [Place?]) -> [ElementPath] {
    var seen = PathTable<Bool>()
    for number in before.indices where before[number].isPlaced {
      seen.set(true, at: before[number].path)
    }
    var unseen: [ElementPath] = []
    for case let place? in placesBefore where seen[place.path] == nil { unseen.append(place.path) }
    return unseen
  }

  /// An element that stays.
  private struct Survivor {
    /// Its number among the elements before.
    var before: Int
    var isMoved: Bool
  }

  /// Pairs the picture on the screen with the layout's present elements. Each of `before` is asked for its end
  /// first, then each of `after`, whose places before the change are given too, for its start.
  func pairs(
    before: [Screen.Element], after: [Screen.Element], placesBefore: [Place?],
    leaving: [AnimatedChange.Departure],
    posesBefore: [ElementPath: Pose], item: (ElementPath) -> ItemHandle?
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    var walk = UpdatePlan.Walk(plan, .forth)
    var afterNumbers = PathTable<Int>()
    for number in after.indices { afterNumbers.set(number, at: after[number].path) }
    var departures: [AnimatedChange.Departure] = []
    // Those that stay: the visible ones by their numbers in `after`, and the others.
    var survivors = [Survivor?](repeating: nil, count: after.count)
    var hidden: [(path: ElementPath, survivor: Survivor)] = []
    func keep(_ survivor: Survivor, as path: ElementPath, visible number: Int?) {
      guard let number else { return hidden.append((path, survivor)) }
      // Two ornaments may come to one place.
      if let other = survivors[number] { hidden.append((path, other)) }
      survivors[number] = survivor
    }
    var backPaths: [ItemHandle: ElementPath] = [:]
    if before.contains(where: { !$0.isPlaced }) {
      for element in after { backPaths[element.item] = element.path }
    }
    var leavingNumbers: [ItemHandle: Int] = [:]
    for (number, departure) in leaving.enumerated() { leavingNumbers[departure.item] = number }
    // It asks its two layouts for ends that are missing, while they know of the update.
    let isTransition = layout is TransitionLayout
    for number in before.indices {
      let path = before[number].path
      guard before[number].isPlaced else {
        let (item, start) = (before[number].item, before[number].pose)
        if let back = backPaths[item] {
          // It was leaving, and is back.
          let isMoved = path.category == .cell && plan?.isMoved(path.indexPath) == true
          keep(
            Survivor(before: number, isMoved: isMoved), as: back, visible: afterNumbers[back])
          continue
        }
        var departure =
          leavingNumbers[item].map { leaving[$0] }
          ?? AnimatedChange.Departure(item: item, path: path, start: start, end: start.faded)
        departure.start = start
        departures.append(departure)
        continue
      }
      if asksHooks { log?.recordCall("finalLayoutAttributes", of: layout, at: path) }
      let end = asksHooks ? layout.finalLayoutAttributesForDisappearingElement(at: path) : nil
      if let place = walk.place(of: path), !isForced(.disappearing, path), !walk.isReloaded(path) {
        let visible = afterNumbers[place.path]
        if visible != nil && !isTransition || layout.finitePose(at: place.path) != nil {
          keep(
            Survivor(before: number, isMoved: place.isMoved), as: place.path, visible: visible)
          continue
        }
      }
      let start = before[number].pose
      departures.append(
        AnimatedChange.Departure(
          item: before[number].item, path: path, start: start,
          end: end?.finitePose ?? start.faded))
    }

    var arrivals: [AnimatedChange.Arrival] = []
    arrivals.reserveCapacity(after.count + hidden.count)
    for number in after.indices {
      let path = after[number].path
      if asksHooks { log?.recordCall("initialLayoutAttributes", of: layout, at: path) }
      let own =
        asksHooks ? layout.initialLayoutAttributesForAppearingElement(at: path)?.finitePose : nil
      let survivor = survivors[afterNumbers[path] ?? number]
      let old = placesBefore[number]
      // An element that the layout placed before and keeps is not reloaded.
      var reloaded: ElementPath?
      if survivor.map({ before[$0.before].isPlaced }) != true, let old, walk.isReloaded(old.path) {
        reloaded = old.path
      }
      let isNew = reloaded != nil || isForced(.appearing, path)
      if let survivor, !isNew {
        arrivals.append(
          AnimatedChange.Arrival(
            item: after[number].item, path: path, start: before[survivor.before].pose,
            ends: before[survivor.before].ends,
            reason: survivor.isMoved ? .moved : .surviving,
            pathBefore: before[survivor.before].path))
      } else if let old, !isNew, let place = posesBefore[old.path] {
        arrivals.append(
          AnimatedChange.Arrival(
            item: after[number].item, path: path, start: place,
            reason: old.isMoved ? .moved : .surviving, pathBefore: old.path))
      } else {
        arrivals.append(
          AnimatedChange.Arrival(
            item: after[number].item, path: path, start: own ?? after[number].pose.faded,
            reason: reloaded == nil ? .appearing : .reloaded, pathBefore: reloaded))
      }
      // A hook that answers the plain pose says nothing of a start.
      if let own, own != after[number].pose {
        arrivals[arrivals.count - 1].start = own
        arrivals[arrivals.count - 1].ends = nil
      }
    }
    for (path, survivor) in hidden.sorted(by: { $0.survivor.before < $1.survivor.before }) {
      let element = before[survivor.before]
      arrivals.append(
        AnimatedChange.Arrival(
          item: item(path) ?? element.item, path: path, start: element.pose, ends: element.ends,
          reason: survivor.isMoved ? .moved : .surviving, pathBefore: element.path))
    }
    join(&arrivals, &departures)
    return (arrivals, departures)
  }

  /// An element that came and went under one identity is one element: it goes on as another content. Of a reload the old
  /// content leaves under a handle of its own.
  private func join(
    _ arrivals: inout [AnimatedChange.Arrival], _ departures: inout [AnimatedChange.Departure]
  ) {
    guard !departures.isEmpty else { return }
    var numbers = NumberTable<Int>()
    for number in departures.indices { numbers.set(number, of: departures[number].item) }
    var isBack = [Bool](repeating: false, count: departures.count)
    for place in arrivals.indices {
      guard let number = numbers[arrivals[place].item] else { continue }
      if arrivals[place].reason == .reloaded {
        let leaving = leavingHandle(departures[number].item)
        departures[number].item = leaving
        // An element that leaves by an earlier reload makes room.
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
  ///   - leaving: The elements that were leaving already.
  ///   - plan: The changed data. `nil`: none.
  ///   - old: The layout before and its context.
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
    let placesBefore = pairing.placesBefore(after)
    let poses = posesBefore(pairing.unseenBefore(before.elements, placesBefore), old: old)
    announce(layout)
    return pairing.pairs(
      before: before.elements, after: after, placesBefore: placesBefore, leaving: leaving,
      posesBefore: poses, item: elements.handle(of:))
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
