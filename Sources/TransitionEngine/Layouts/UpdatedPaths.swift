import TimelineModel

/// The items that a batch update brings, or those that it takes away: what a layout keeps between
/// `prepare(forCollectionViewUpdates:)` and `finalizeCollectionViewUpdates()` to give them a start or an
/// end of their own.
struct UpdatedPaths {
  private var items: Set<IndexPath> = []
  private var sections: Set<Int> = []
  private var taken: Set<IndexPath> = []

  /// Adds an item, or a whole section where the path says so.
  mutating func insert(_ path: IndexPath?) {
    guard let path else { return }
    if path.item == UpdateItem.noItem {
      sections.insert(path.section)
    } else {
      items.insert(path)
    }
  }

  /// Whether an item is among them, by itself or with its section, and was not taken.
  func contains(_ path: IndexPath) -> Bool {
    (items.contains(path) || sections.contains(path.section)) && !taken.contains(path)
  }

  /// Takes an item out; false when it was not there, or no longer.
  mutating func take(_ path: IndexPath) -> Bool {
    guard contains(path) else { return false }
    taken.insert(path)
    return true
  }
}
