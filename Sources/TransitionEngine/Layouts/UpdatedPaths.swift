import TimelineModel

/// The items that a batch update brings, or those that it takes away: what a layout keeps between
/// `prepare(forCollectionViewUpdates:)` and `finalizeCollectionViewUpdates()` to give them a start or an
/// end of their own.
struct UpdatedPaths {
  private let items: Set<ItemIndexPath>
  private let sections: Set<Int>
  private var taken: Set<ItemIndexPath> = []

  /// Keeps items, and whole sections where a path says so.
  init(_ paths: [ItemIndexPath?] = []) {
    let paths = paths.compactMap(\.self)
    items = Set(paths.filter { $0.item != UpdateItem.noItem })
    sections = Set(paths.filter { $0.item == UpdateItem.noItem }.map(\.section))
  }

  /// Whether an item is among them, by itself or with its section, and was not taken.
  func contains(_ path: ItemIndexPath) -> Bool {
    (items.contains(path) || sections.contains(path.section)) && !taken.contains(path)
  }

  /// Takes an item out. False when it was not there, or no longer.
  mutating func take(_ path: ItemIndexPath) -> Bool {
    guard contains(path) else { return false }
    taken.insert(path)
    return true
  }
}
