public import TimelineModel

/// One call inside a batch update, with UIKit's numbering.
///
/// Deletes, reloads and the sources of moves name places before the update. Inserts and the targets
/// of moves name places after it. The order of the operations therefore does not matter.
public enum UpdateOperation: Hashable, Sendable {
  /// Takes out the item at a place before the update.
  case deleteItem(ItemIndexPath)
  /// Puts a new item at a place after the update.
  case insertItem(ItemIndexPath)
  /// Takes an item from a place before the update to a place after it.
  case moveItem(from: ItemIndexPath, to: ItemIndexPath)
  /// Shows the item at a place before the update again, animated as a delete and an insert. It keeps its place
  /// among its neighbours.
  case reloadItem(ItemIndexPath)
  /// Takes out a section, by its number before the update, with the items that are not moved out.
  case deleteSection(Int)
  /// Puts a new section at a number after the update. It brings its items.
  case insertSection(Int)
  /// Takes a section with its items from a number before the update to a number after it.
  case moveSection(from: Int, to: Int)
  /// Shows a section, by its number before the update, and all its items again.
  case reloadSection(Int)
}

extension UpdateOperation {
  /// The operation as an event tells it, in the words of a scenario's step.
  var field: FieldValue {
    switch self {
    case .deleteItem(let path): Self.field("delete", FieldValue(path))
    case .insertItem(let path): Self.field("insert", FieldValue(path))
    case .moveItem(let path, let target):
      Self.field("move", FieldValue(path), to: FieldValue(target))
    case .reloadItem(let path): Self.field("reload", FieldValue(path))
    case .deleteSection(let number): Self.field("deleteSection", FieldValue(number))
    case .insertSection(let number): Self.field("insertSection", FieldValue(number))
    case .moveSection(let number, let target):
      Self.field("moveSection", FieldValue(number), to: FieldValue(target))
    case .reloadSection(let number): Self.field("reloadSection", FieldValue(number))
    }
  }

  private static func field(
    _ name: String, _ place: FieldValue, to target: FieldValue? = nil
  ) -> FieldValue {
    guard let target else { return .object([EventField(name, place)]) }
    return .object([EventField(name, place), EventField("to", target)])
  }
}
