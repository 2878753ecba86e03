public import TimelineModel

/// One change to ``CollectionData`` in a batch update: an ``UpdateOperation`` with what an insert
/// brings.
public enum DataChange: Hashable, Sendable {
  /// Takes out the item at a place before the update.
  case deleteItem(ItemIndexPath)
  /// Puts a new item with an id at a place after the update.
  case insertItem(ItemIndexPath, id: String)
  /// Takes an item, and its id, from a place before the update to a place after it.
  case moveItem(from: ItemIndexPath, to: ItemIndexPath)
  /// Shows the item at a place before the update again. It keeps its id.
  case reloadItem(ItemIndexPath)
  /// Takes out a section, by its number before the update, with the items that are not moved out.
  case deleteSection(Int)
  /// Puts a new section with its items at a number after the update. Items that are inserted or
  /// moved into it in the same update stand at their places, its own ones fill the rest in order.
  case insertSection(Int, CollectionData.Section)
  /// Takes a section with its items from a number before the update to a number after it.
  case moveSection(from: Int, to: Int)
  /// Shows a section, by its number before the update, again. It keeps its items and ids.
  case reloadSection(Int)

  /// The operation without its items.
  public var operation: UpdateOperation {
    switch self {
    case .deleteItem(let path): .deleteItem(path)
    case .insertItem(let path, _): .insertItem(path)
    case .moveItem(let from, let to): .moveItem(from: from, to: to)
    case .reloadItem(let path): .reloadItem(path)
    case .deleteSection(let section): .deleteSection(section)
    case .insertSection(let section, _): .insertSection(section)
    case .moveSection(let from, let to): .moveSection(from: from, to: to)
    case .reloadSection(let section): .reloadSection(section)
    }
  }
}
