public import TimelineModel

/// One call inside a batch update, with UIKit's numbering.
///
/// Deletes, reloads and the sources of moves name places before the update; inserts and the targets
/// of moves name places after it. The order of the operations therefore does not matter.
public enum UpdateOperation: Hashable, Sendable {
  /// Takes out the item at a place before the update.
  case deleteItem(IndexPath)
  /// Puts a new item at a place after the update.
  case insertItem(IndexPath)
  /// Takes an item from a place before the update to a place after it.
  case moveItem(from: IndexPath, to: IndexPath)
  /// Shows the item at a place before the update anew; it keeps its place among its neighbours.
  case reloadItem(IndexPath)
  /// Takes out a section, by its number before the update, with the items that are not moved out.
  case deleteSection(Int)
  /// Puts a new section at a number after the update; it brings its items.
  case insertSection(Int)
  /// Takes a section with its items from a number before the update to a number after it.
  case moveSection(from: Int, to: Int)
  /// Shows a section, by its number before the update, and all its items anew.
  case reloadSection(Int)
}
