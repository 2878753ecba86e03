public import TimelineModel

/// One call inside a batch update, with UIKit's numbering.
///
/// Deletes, reloads and the sources of moves name places before the update; inserts and the targets
/// of moves name places after it. The order of the operations therefore does not matter.
public enum UpdateOperation: Hashable, Sendable {
  /// Takes out the item at a place before the update.
  case deleteItem(ItemIndexPath)
  /// Puts a new item at a place after the update.
  case insertItem(ItemIndexPath)
  /// Takes an item from a place before the update to a place after it.
  case moveItem(from: ItemIndexPath, to: ItemIndexPath)
  /// Shows the item at a place before the update anew, animated as a delete and an insert; it keeps its place
  /// among its neighbours.
  case reloadItem(ItemIndexPath)
  /// Takes out a section, by its number before the update, with the items that are not moved out.
  case deleteSection(Int)
  /// Puts a new section at a number after the update; it brings its items.
  case insertSection(Int)
  /// Takes a section with its items from a number before the update to a number after it.
  case moveSection(from: Int, to: Int)
  /// Shows a section, by its number before the update, and all its items anew.
  case reloadSection(Int)
}

extension UpdateOperation {
  /// The operation as an event tells it, in the words of a scenario's step.
  var field: FieldValue {
    switch self {
    case .deleteItem(let path): .object(named: ["delete": path])
    case .insertItem(let path): .object(named: ["insert": path])
    case .moveItem(let path, let target):
      .object(named: ["move": path, "to": target])
    case .reloadItem(let path): .object(named: ["reload": path])
    case .deleteSection(let number): .object(named: ["deleteSection": number])
    case .insertSection(let number): .object(named: ["insertSection": number])
    case .moveSection(let number, let target):
      .object(named: ["moveSection": number, "to": target])
    case .reloadSection(let number): .object(named: ["reloadSection": number])
    }
  }
}
