public import TimelineModel

extension UpdatePlan {
  /// Where an item stands after the update; nil for one that is deleted or was never there.
  ///
  /// - Complexity: O(log operations).
  public func newPath(ofOld path: IndexPath) -> IndexPath? { renumbering.newPath(ofOld: path) }

  /// Where an item stood before the update; nil for one that is new or not there.
  ///
  /// - Complexity: O(log operations).
  public func oldPath(ofNew path: IndexPath) -> IndexPath? { renumbering.oldPath(ofNew: path) }

  /// A section's number after the update; nil for one that is deleted or was never there.
  ///
  /// - Complexity: O(log operations).
  public func newSection(ofOld section: Int) -> Int? { renumbering.newSection(ofOld: section) }

  /// A section's number before the update; nil for one that is new or not there.
  ///
  /// - Complexity: O(log operations).
  public func oldSection(ofNew section: Int) -> Int? { renumbering.oldSection(ofNew: section) }

  /// Whether an item, by its place before the update, is shown anew, by itself or with its section.
  ///
  /// - Complexity: O(log operations).
  public func isReloaded(_ old: IndexPath) -> Bool {
    guard renumbering.newPath(ofOld: old) != nil else { return false }
    return renumbering.items.reloads.containsSorted(old)
      || renumbering.sections.reloads.containsSorted(old.section)
  }
}
