public import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// How long a batch update is animated unless stated, in seconds (PSTCollectionView's).
  public static let defaultUpdateDurationSeconds = 0.3

  /// Runs a block of inserts, deletes, moves and reloads, and animates them as one change.
  ///
  /// The block calls ``insertItems(at:)`` and its kin in any order, and brings the data up to date: by
  /// setting ``data``, or in the model behind ``dataSource``, which is asked when the block has run.
  /// Deletes, reloads and the sources of moves are in the numbering before the block, inserts and the
  /// targets of moves in the one after. A block within a block joins it. A layout that is set in the
  /// block, not animated, is exchanged in the same animation. An empty block animates an invalidation.
  ///
  /// A layout that is set in the block while a transition is under way takes over from it, where
  /// ``reentry`` is `retarget`: with its velocity, and by a curve of its own in place of the easing.
  ///
  /// Elements that appear or disappear start and end where the layout's hooks say, or fade; those that
  /// stay travel from what is on the screen. Works during a transition too: both its layouts prepare
  /// anew, its progress stays.
  ///
  /// - Parameters:
  ///   - duration: How long it is animated, in seconds; at 0 or below the next frame shows the end.
  ///   - easing: How the time becomes the way.
  ///   - updates: The block.
  ///   - completion: Runs exactly once, when nothing moves any more; false when another change or a
  ///     reload interrupted this one.
  /// - Throws: An ``UpdateError`` when operations contradict each other or the counts of the data; then
  ///   nothing has changed, and no completion runs.
  public func performBatchUpdates(
    duration: Double = CollectionView.defaultUpdateDurationSeconds, easing: Easing = .linear,
    _ updates: () -> Void, completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(UpdateError) {
    guard batch == nil else {
      batch?.completions.append(completion)
      updates()
      return
    }
    batch = Batch(completions: [completion])
    updates()
    guard let collected = batch else { return }
    batch = nil
    try perform(
      collected, cause: .update, duration: duration, easing: easing)
  }

  /// Inserts items; paths are in the numbering after the update. Outside of a batch update a batch of
  /// its own, with the default animation.
  public func insertItems(at paths: [IndexPath]) throws(UpdateError) {
    try update(paths.map { .insertItem($0) })
  }

  /// Deletes items; paths are in the numbering before the update.
  public func deleteItems(at paths: [IndexPath]) throws(UpdateError) {
    try update(paths.map { .deleteItem($0) })
  }

  /// Moves an item, which keeps its identity.
  public func moveItem(at path: IndexPath, to newPath: IndexPath) throws(UpdateError) {
    try update([.moveItem(from: path, to: newPath)])
  }

  /// Shows items anew; paths are in the numbering before the update.
  public func reloadItems(at paths: [IndexPath]) throws(UpdateError) {
    try update(paths.map { .reloadItem($0) })
  }

  /// Inserts sections with their items; numbers are those after the update.
  public func insertSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .insertSection($0) })
  }

  /// Deletes sections with their items; numbers are those before the update.
  public func deleteSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .deleteSection($0) })
  }

  /// Moves a section with its items.
  public func moveSection(_ section: Int, toSection newSection: Int) throws(UpdateError) {
    try update([.moveSection(from: section, to: newSection)])
  }

  /// Shows sections anew; numbers are those before the update.
  public func reloadSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .reloadSection($0) })
  }

  /// Takes over what the data source says now, without any animation. What was animated is interrupted;
  /// a transition goes on with both layouts prepared anew.
  public func reloadData() {
    replaceData(with: dataSource?.data ?? storedData)
  }

  /// Takes in operations of any kind, as the calls for single kinds do.
  public func update(_ operations: [UpdateOperation]) throws(UpdateError) {
    guard batch == nil else {
      batch?.operations += operations
      return
    }
    try perform(
      Batch(operations: operations), cause: .update,
      duration: CollectionView.defaultUpdateDurationSeconds, easing: .linear)
  }

  /// Checks a batch, changes data and layout, and begins to animate.
  func perform(
    _ batch: Batch, cause: AnimatedChange.Cause, duration: Double, easing: Easing
  ) throws(UpdateError) {
    // A layout in a batch takes over from a transition; without the policy it was refused when set. The
    // completion of what it interrupts may have begun another one.
    var taken: CarriedMotion?
    var layout = batch.layout
    if layout != nil, state != .idle, reentry == .retarget { taken = interruptForRetarget() }
    if layout != nil, state != .idle {
      _ = alreadyInTransition("A layout was set in a batch update")
      (layout, taken) = (nil, nil)
    }
    let newData = batch.data ?? dataSource?.data ?? storedData
    let plan: UpdatePlan
    do {
      plan = try UpdatePlan(
        batch.operations, before: storedData.itemCounts, after: newData.itemCounts)
    } catch {
      recordRefusal(error)
      throw error
    }
    let counts = storedData.itemCounts
    if cause == .update {
      recordEvent(
        .update,
        [
          Field("operations", .list(batch.operations.map(\.field))),
          Field("before", .list(counts.map { .integer(Int64($0)) })),
          Field("after", .list(newData.itemCounts.map { .integer(Int64($0)) })),
        ])
    }
    let change = atPresent {
      let before = taken?.screen ?? screenInMotion()
      let underlying = underlyingTransition()
      let leaving = taken?.leaving ?? self.change?.departures ?? []
      var elements = take(newData, plan: plan, layout: layout, before, leaving)
      for number in elements.arrivals.indices {
        elements.arrivals[number].velocity = taken?.velocities[elements.arrivals[number].item]
      }
      let seconds = CollectionView.usable(duration)
      var change = AnimatedChange(
        number: animationCount, cause: cause, start: clock.now, durationSeconds: seconds,
        course: taken == nil ? .eased(easing) : .cubic(seconds: seconds), elements: elements,
        from: before, underlying: underlying, transforms: transforms
      ) { completed in
        for completion in batch.completions { completion(completed) }
      }
      change.velocity = taken?.velocity ?? change.velocity
      return change
    }
    begin(change, fields: [Field("easing", .text(easing.name))])
  }

  /// Exchanges data and layout, and finds the starts and ends of what is animated.
  private func take(
    _ newData: CollectionData, plan: UpdatePlan, layout: (any CollectionViewLayout)?,
    _ before: Screen, _ leaving: [AnimatedChange.Departure]
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    let oldContext = context
    let oldLayout = collectionViewLayout
    let newLayout = layout.flatMap { $0 === oldLayout ? nil : $0 }
    storedData = newData
    handles = [:]
    if let newLayout {
      tellPrepareForTransition(oldLayout, newLayout)
      collectionViewLayout = newLayout
    }
    (collectionViewLayout as? any ItemFollowing)?.follow(plan)
    transition?.layout.follow(plan)
    let invalidation = LayoutInvalidationContext()
    invalidation.invalidateDataSourceCounts = !plan.isEmpty
    invalidateLayout(with: invalidation)
    settleOffset(asksLayout: true)
    let elements = pairs(
      before: before, leaving: leaving, plan: plan, old: (oldLayout, oldContext)
    ) { layout in
      tellPrepare(for: plan.items, layout)
    }
    tellFinalizeUpdates(collectionViewLayout)
    if let newLayout {
      tellFinalizeTransition(oldLayout, newLayout)
      recordEvent(.install, [Field("layout", .text(newLayout.name))])
    }
    return elements
  }

  /// Records that an update was refused, also one that never came so far as to be asked for.
  package func recordRefusal(_ error: UpdateError) {
    recordEvent(
      .error,
      [
        Field("code", .text(error.code.rawValue)), Field("message", .text(error.message)),
        Field("indexPaths", .list(error.indexPaths.map { FieldValue($0) })),
        Field("sections", .list(error.sections.map { .integer(Int64($0)) })),
      ])
  }

  /// Exchanges the data at once.
  func replaceData(with newData: CollectionData) {
    let interrupted = takeOutChange()
    storedData = newData
    handles = [:]
    let invalidation = LayoutInvalidationContext()
    invalidation.invalidateEverything = true
    invalidation.invalidateDataSourceCounts = true
    recordEvent(
      .reload, [Field("counts", .list(newData.itemCounts.map { .integer(Int64($0)) }))])
    invalidateLayout(with: invalidation)
    settleOffset(asksLayout: false)
    interrupted?(false)
  }
}

/// The operations of a batch update while its block runs.
struct Batch {
  var operations: [UpdateOperation] = []
  var data: CollectionData?
  var layout: (any CollectionViewLayout)?
  var completions: [(Bool) -> Void] = []
}

extension UpdateOperation {
  /// The operation as an event tells it, in the words of a scenario's step.
  fileprivate var field: FieldValue {
    switch self {
    case .deleteItem(let path): .object([Field("delete", FieldValue(path))])
    case .insertItem(let path): .object([Field("insert", FieldValue(path))])
    case .moveItem(let path, let target):
      .object([Field("move", FieldValue(path)), Field("to", FieldValue(target))])
    case .reloadItem(let path): .object([Field("reload", FieldValue(path))])
    case .deleteSection(let number): .object([Field("deleteSection", FieldValue(number))])
    case .insertSection(let number): .object([Field("insertSection", FieldValue(number))])
    case .moveSection(let number, let target):
      .object([Field("moveSection", FieldValue(number)), Field("to", FieldValue(target))])
    case .reloadSection(let number): .object([Field("reloadSection", FieldValue(number))])
    }
  }
}
