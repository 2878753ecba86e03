package import TimelineModel

/// A batch update, checked and sorted: where each item goes, where each comes from, and the list
/// that a layout gets.
///
/// - Deletes, reloads and sources of moves are in the numbering before the update. Inserts and
///   targets of moves in the numbering after it. The order of the operations is irrelevant.
/// - An item that is neither deleted nor moved keeps its order and fills the places that no insert and no
///   move leads to.
/// - A reload keeps the item, its id and its place among its neighbours. In ``items`` it is a delete
///   at its place before and an insert at its place after the update.
/// - A deleted section takes its items along, but an item may be moved out of it. Deleting an item
///   of it says the same twice and is left out of ``items``. Reloading one is an error.
/// - An inserted section brings its items. An item may be moved into it. An insert into it says
///   where one of the items it brings stands, and is left out of ``items``.
/// - A section that moves takes its items along. Operations on them name the section by its old
///   number in the numbering before the update and by its new one in the numbering after it.
/// - A reloaded section may have any number of items afterwards. They are matched by number. Deleting
///   in it, inserting into it and moving out of it or into it are errors. Reloading one of its items
///   says the same twice and is left out.
///
/// Memory and time grow with the operations and the sections, not with the items: a plan for a
/// section of a million items holds the few operations on it.
package struct UpdatePlan: Sendable {
  /// The operations that a layout gets, in the order of processing: deletes descending in the
  /// numbering before the update, then inserts ascending in the numbering after it, then moves
  /// ascending by their target.
  ///
  /// A reload stands among the deletes and the inserts. ``isReloaded(_:)`` tells it from both. A
  /// section stands in front of its items. Deleted and inserted sections are one entry each.
  package let items: [UpdateItem]

  let renumbering: Renumbering

  /// Checks and sorts the operations of one batch update.
  ///
  /// - Parameters:
  ///   - operations: The operations, in any order. None is fine.
  ///   - before: How many items each section has before the update. A negative count is 0, and one
  ///     above half the largest integer is taken as that.
  ///   - after: How many items each section has after the update, to be compared with what the
  ///     operations lead to. Without it the operations alone decide: an inserted section
  ///     then has the items that are inserted or moved into it, and a reloaded one as many as before.
  /// - Throws: An ``UpdateError`` for a place that is not there, for operations that contradict each
  ///   other, and for counts that do not add up.
  /// - Complexity: O(operations · log operations + sections).
  package init(
    _ operations: [UpdateOperation], before: [Int], after: [Int]? = nil
  ) throws(UpdateError) {
    try self.init(operations, before: before, after: after, brought: [:])
  }

  /// Takes the numbers of items that inserted sections bring, by their numbers after the update, in
  /// place of the counts after the update.
  init(
    _ operations: [UpdateOperation], before: [Int], after: [Int]? = nil, brought: [Int: Int]
  ) throws(UpdateError) {
    renumbering = try UpdateCheck(
      items: SortedOperations(itemsIn: operations),
      sections: SortedOperations(sectionsIn: operations),
      before: before.map { min(max(0, $0), Self.countLimit) },
      after: after?.map { min(max(0, $0), Self.countLimit) }, brought: brought
    ).renumbering()
    items = renumbering.updateItems()
  }

  /// How many items each section has before the update.
  package var countsBefore: [Int] { renumbering.before }

  /// How many items each section has after the update.
  package var counts: [Int] { renumbering.after }

  /// Whether there is no operation at all.
  package var isEmpty: Bool { items.isEmpty }

  /// The largest count that is taken as it is. Half the largest integer, so that no sum of counts
  /// and operations can overflow.
  static let countLimit = Int.max / 2
}

extension UpdatePlan {
  /// Where an item stands after the update. `nil` for one that is deleted or was never there.
  ///
  /// - Complexity: O(log operations).
  package func newPath(ofOld path: ItemIndexPath) -> ItemIndexPath? {
    renumbering.newPath(ofOld: path)
  }

  /// Where an item stood before the update. `nil` for one that is new or not there.
  ///
  /// - Complexity: O(log operations).
  package func oldPath(ofNew path: ItemIndexPath) -> ItemIndexPath? {
    renumbering.oldPath(ofNew: path)
  }

  /// A section's number after the update. `nil` for one that is deleted or was never there.
  ///
  /// - Complexity: O(log operations).
  package func newSection(ofOld section: Int) -> Int? { renumbering.newSection(ofOld: section) }

  /// A section's number before the update. `nil` for one that is new or not there.
  ///
  /// - Complexity: O(log operations).
  package func oldSection(ofNew section: Int) -> Int? { renumbering.oldSection(ofNew: section) }

  /// Whether an item, by its place before the update, is shown again, by itself or with its section.
  ///
  /// - Complexity: O(log operations).
  package func isReloaded(_ old: ItemIndexPath) -> Bool {
    (renumbering.items.reloads.containsSorted(old) || isReloaded(section: old.section))
      && renumbering.newPath(ofOld: old) != nil
  }

  /// Whether an item, by its place before the update, has a move of its own.
  ///
  /// - Complexity: O(log operations).
  func isMoved(_ old: ItemIndexPath) -> Bool {
    renumbering.items.target(ofMoved: old) != nil
  }

  /// Whether a section, by its number before the update, is shown again.
  package func isReloaded(section old: Int) -> Bool {
    renumbering.sections.reloads.containsSorted(old)
  }
}

extension UpdatePlan {
  /// Follows one element after the other, as ``RenumberingWalk`` follows items.
  struct Walk: Sendable {
    private let renumbering: Renumbering?
    private let direction: Renumbering.Direction
    private var items: RenumberingWalk
    private let reloads: [ItemIndexPath]
    private let sectionReloads: [Int]
    private var reloadsHint = 0

    /// Without a plan, every element keeps its path.
    init(_ plan: UpdatePlan?, _ direction: Renumbering.Direction) {
      renumbering = plan?.renumbering
      self.direction = direction
      items = RenumberingWalk(renumbering, direction)
      reloads = renumbering?.items.reloads ?? []
      sectionReloads = renumbering?.sections.reloads ?? []
    }

    /// The path of an element of any category in the other numbering, and whether it is an item with a move of its
    /// own. `nil` if it is not there.
    mutating func place(of path: ElementPath) -> (path: ElementPath, isMoved: Bool)? {
      if path.category == .cell {
        return items.place(of: path.indexPath).map { (.cell($0.path), $0.isMoved) }
      }
      guard let renumbering else { return (path, false) }
      var section = renumbering.section(of: path.indexPath.section, direction)
      // An ornament may stand beyond the sections. Then it stays where it is.
      if path.category == .decoration { section = section ?? path.indexPath.section }
      guard let section else { return nil }
      var moved = path
      moved.indexPath.section = section
      return (moved, false)
    }

    /// Whether an element that stays, by its path before the update, is reloaded: a cell, or a view of a section
    /// that is.
    mutating func isReloaded(_ old: ElementPath) -> Bool {
      if old.category == .cell, reloads.containsSorted(old.indexPath, near: &reloadsHint) {
        return true
      }
      return old.category != .decoration && sectionReloads.containsSorted(old.indexPath.section)
    }
  }
}
