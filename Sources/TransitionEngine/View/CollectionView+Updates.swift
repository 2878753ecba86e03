public import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// The default duration of a batch update, in seconds, from PSTCollectionView.
  public static let defaultUpdateDurationSeconds = 0.3

  /// Runs a block of inserts, deletes, moves and reloads, and animates them as one change.
  ///
  /// The block calls ``insertItems(at:)`` and the like in any order, and updates the data. It sets ``data``,
  /// or changes the model of ``dataSource``, which the view asks after the block. Deletes, reloads and the
  /// sources of moves have the numbers before the block. Inserts and the targets of moves have the numbers
  /// after it. A block within a block joins it. A layout that you set in the block, not animated, is replaced
  /// in the same animation. An empty block animates an invalidation.
  ///
  /// If ``reentry`` is `retarget`, a layout that you set in the block takes over from a transition. It keeps
  /// the transition's velocity, with a curve of its own instead of the easing.
  ///
  /// Elements that appear or disappear start and end at the poses of the layout's hooks, or fade. Elements
  /// that stay move from their present poses. During a transition both its layouts prepare again, and its
  /// progress stays.
  ///
  /// - Parameters:
  ///   - duration: The duration, in seconds. At 0 or below the next frame shows the end.
  ///   - easing: The curve that maps elapsed time to progress.
  ///   - updates: The block.
  ///   - completion: Runs exactly once, after the motion. Its argument is false if another change or a reload
  ///     interrupted it.
  /// - Throws: An ``UpdateError`` if operations contradict each other or the counts of the data. Nothing has
  ///   changed then, and no completion runs.
  public func performBatchUpdates(
    duration: Double = CollectionView.defaultUpdateDurationSeconds, easing: Easing = .linear,
    _ updates: () -> Void, completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(UpdateError) {
    guard let batch = changes.collect(updates, completion: completion) else { return }
    try perform(batch, duration: duration, easing: easing)
  }

  /// Inserts items, whose paths have the numbers after the update. Outside of a batch update, it is a batch
  /// with the default animation.
  public func insertItems(at paths: [ItemIndexPath]) throws(UpdateError) {
    try update(paths.map { .insertItem($0) })
  }

  /// Deletes items, whose paths have the numbers before the update.
  public func deleteItems(at paths: [ItemIndexPath]) throws(UpdateError) {
    try update(paths.map { .deleteItem($0) })
  }

  /// Moves an item, which keeps its identity.
  public func moveItem(at path: ItemIndexPath, to newPath: ItemIndexPath) throws(UpdateError) {
    try update([.moveItem(from: path, to: newPath)])
  }

  /// Replaces items: the old content disappears as if deleted, and the new content appears as if inserted.
  /// Paths have the numbers before the update.
  public func reloadItems(at paths: [ItemIndexPath]) throws(UpdateError) {
    try update(paths.map { .reloadItem($0) })
  }

  /// Inserts sections with their items. Numbers are those after the update.
  public func insertSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .insertSection($0) })
  }

  /// Deletes sections with their items. Numbers are those before the update.
  public func deleteSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .deleteSection($0) })
  }

  /// Moves a section with its items.
  public func moveSection(_ section: Int, toSection newSection: Int) throws(UpdateError) {
    try update([.moveSection(from: section, to: newSection)])
  }

  /// Replaces sections, as ``reloadItems(at:)`` replaces items. Numbers are those before the update.
  public func reloadSections(_ sections: [Int]) throws(UpdateError) {
    try update(sections.map { .reloadSection($0) })
  }

  /// Reads the data source now, without any animation, and interrupts a present animation. A transition
  /// continues, and both its layouts prepare again.
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
    // A layout in a batch takes over from a transition. Without the policy it was refused when set. The
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
  /// The view asks the layout whether the change invalidates it. During a transition both its layouts prepare
  /// again, and the progress stays. Animated, every element moves from its present pose to its pose in the
  /// new bounds. The layout gets `prepare(forAnimatedBoundsChange:)`. It returns an end for every element
  /// that was visible before, and a start for every element that is visible after. Then it gets the end call.
  /// The offset stays within the content, and animated it goes to the offset that the layout requests.
  ///
  /// - Parameters:
  ///   - size: The new extent, in points. A length that is not a number counts as 0.
  ///   - duration: The duration, in seconds. At 0 or below the next frame shows the end.
  ///   - easing: The curve that maps elapsed time to progress.
  ///   - completion: Runs exactly once. Its argument is false if another change interrupted it.
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
