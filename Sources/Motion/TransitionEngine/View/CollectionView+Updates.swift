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
    guard let batch = changes.collect(updates, completion: completion) else { return }
    try perform(batch, duration: duration, easing: easing)
  }

  /// Inserts items; paths are in the numbering after the update. Outside of a batch update a batch of
  /// its own, with the default animation.
  public func insertItems(at paths: [ItemIndexPath]) throws(UpdateError) {
    try update(paths.map { .insertItem($0) })
  }

  /// Deletes items; paths are in the numbering before the update.
  public func deleteItems(at paths: [ItemIndexPath]) throws(UpdateError) {
    try update(paths.map { .deleteItem($0) })
  }

  /// Moves an item, which keeps its identity.
  public func moveItem(at path: ItemIndexPath, to newPath: ItemIndexPath) throws(UpdateError) {
    try update([.moveItem(from: path, to: newPath)])
  }

  /// Shows items anew: the old content disappears as if deleted, the new content appears as if inserted. Paths
  /// are in the numbering before the update.
  public func reloadItems(at paths: [ItemIndexPath]) throws(UpdateError) {
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

  /// Shows sections anew, as ``reloadItems(at:)`` does items; numbers are those before the update.
  public func reloadSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .reloadSection($0) })
  }

  /// Takes over what the data source says now, without any animation. What was animated is interrupted;
  /// a transition goes on with both layouts prepared anew.
  public func reloadData() {
    changes.replaceData(with: dataSource?.data ?? elements.data)
  }

  /// Takes operations of any kind, as the calls for single kinds do.
  public func update(_ operations: [UpdateOperation]) throws(UpdateError) {
    if changes.join(operations) { return }
    try perform(
      .init(operations: operations), duration: CollectionView.defaultUpdateDurationSeconds,
      easing: .linear)
  }

  /// Checks a batch, changes data and layout, and begins to animate.
  private func perform(
    _ batch: ChangeCoordinator.Batch, duration: Double, easing: Easing
  ) throws(UpdateError) {
    var batch = batch
    // A layout in a batch takes over from a transition; without the policy it was refused when set. The
    // completion of what it interrupts may have begun another one.
    var taken: CarriedMotion?
    if batch.layout != nil, state != .idle, reentry == .retarget { taken = transitions.makeWay() }
    if batch.layout != nil, state != .idle {
      _ = transitions.alreadyInTransition("A layout was set in a batch update")
      (batch.layout, taken) = (nil, nil)
    }
    batch.data = batch.data ?? dataSource?.data
    let plan = try changes.plan(batch)
    let change = runner.atPresent {
      changes.change(
        batch, by: plan, seconds: duration.asAnimationSeconds, easing: easing, taking: taken)
    }
    changes.begin(change, easing: easing)
  }

  /// Records that an update was refused, also one that never came so far as to be asked for.
  package func recordRefusal(_ error: UpdateError) { log.recordRefusal(error) }

  /// Changes the extent of the viewport, as a rotation of the device does.
  ///
  /// The layout is asked whether that puts it out of date. During a transition both its layouts prepare
  /// anew and the progress stays. Animated, every element travels from what is on the screen to its
  /// place in the new bounds: the layout hears `prepare(forAnimatedBoundsChange:)`, is asked for an end
  /// of every element visible before and a start of every one visible after, and is told that it is
  /// over with. The offset is kept within the content, and animated goes where the layout wants it.
  ///
  /// - Parameters:
  ///   - size: The new extent, in points; lengths that are not numbers count as 0.
  ///   - duration: How long it is animated, in seconds; at 0 or below the next frame shows the end.
  ///   - easing: How the time becomes the way.
  ///   - completion: Runs exactly once; false when another change interrupted this one.
  public func setViewport(
    _ size: Size2D, duration: Double = 0, easing: Easing = .linear,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) {
    let size = size.asExtents
    let seconds = duration.asAnimationSeconds
    log.record(.bounds, ["from": viewport, "to": size, TimelineEvent.duration: seconds])
    let change = runner.atPresent {
      changes.changeViewport(to: size, seconds: seconds, easing: easing, completion: completion)
    }
    if let change { return changes.begin(change, easing: easing) }
    let interrupted = changes.takeOut()
    completion(true)
    interrupted?(false)
  }
}
