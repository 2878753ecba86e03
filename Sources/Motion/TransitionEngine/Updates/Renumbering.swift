import TimelineModel

/// Where sections and items go: the arithmetic of a batch update that is free of conflicts.
///
/// What is neither a source nor a target keeps its order, so its place follows from how many sources
/// stand before it in the numbering before the update, and how many targets in the one after.
struct Renumbering: Sendable {
  let items: SortedOperations<ItemIndexPath>
  let sections: SortedOperations<Int>
  /// How many items each section has before the update.
  let before: [Int]
  /// How many items each section has after the update.
  let after: [Int]

  func newSection(ofOld section: Int) -> Int? {
    guard before.indices.contains(section) else { return nil }
    if let moved = sections.target(ofMoved: section) { return moved }
    return sections.sources.rank(ofFree: section).map(sections.targets.freeIndex(ofRank:))
  }

  func oldSection(ofNew section: Int) -> Int? {
    guard after.indices.contains(section) else { return nil }
    if let moved = sections.source(ofMoved: section) { return moved }
    return sections.targets.rank(ofFree: section).map(sections.sources.freeIndex(ofRank:))
  }

  func newPath(ofOld path: ItemIndexPath) -> ItemIndexPath? {
    guard before.indices.contains(path.section), path.item >= 0, path.item < before[path.section]
    else { return nil }
    if let moved = items.target(ofMoved: path) { return moved }
    guard let section = newSection(ofOld: path.section),
      let rank = items.sources.items(inSection: path.section).rank(ofFree: path.item)
    else { return nil }
    let item = items.targets.items(inSection: section).freeIndex(ofRank: rank)
    // Only a reloaded section can have fewer items than its old ones need.
    return item < after[section] ? ItemIndexPath(section: section, item: item) : nil
  }

  func oldPath(ofNew path: ItemIndexPath) -> ItemIndexPath? {
    guard after.indices.contains(path.section), path.item >= 0, path.item < after[path.section]
    else { return nil }
    if let moved = items.source(ofMoved: path) { return moved }
    guard let section = oldSection(ofNew: path.section),
      let rank = items.targets.items(inSection: path.section).rank(ofFree: path.item)
    else { return nil }
    let item = items.sources.items(inSection: section).freeIndex(ofRank: rank)
    // Only a reloaded section can have more items than its old ones fill.
    return item < before[section] ? ItemIndexPath(section: section, item: item) : nil
  }
}

extension RandomAccessCollection<ItemIndexPath> {
  /// The item numbers of one section in this sorted list.
  ///
  /// - Complexity: O(log count).
  func items(inSection section: Int) -> some RandomAccessCollection<Int> {
    dropFirst(firstOrdered { $0.section >= section })
      .prefix(firstOrdered { $0.section > section } - firstOrdered { $0.section >= section })
      .lazy.map(\.item)
  }
}

extension Renumbering {
  /// The operations as a layout is told them, in the order of processing.
  func updateItems() -> [UpdateItem] {
    deletedEntries() + insertedEntries() + movedEntries()
  }

  /// Deletes and the first halves of reloads: descending, a section before its items.
  private func deletedEntries() -> [UpdateItem] {
    let positions =
      (sections.deletes + sections.reloads).map {
        ItemIndexPath(section: $0, item: UpdateItem.noItem)
      }
      + items.deletes.filter { !sections.deletes.containsSorted($0.section) }
      + singleReloads
    return positions.sorted(by: >).map { UpdateItem(.delete, before: $0) }
  }

  /// Inserts and the second halves of reloads: ascending, a section before its items.
  private func insertedEntries() -> [UpdateItem] {
    let whole = (sections.inserts + sections.reloads.compactMap(newSection(ofOld:)))
      .map { UpdateItem(.insert, sectionAfter: $0) }
    let single =
      items.inserts.filter { !sections.inserts.containsSorted($0.section) }
      + singleReloads.compactMap(newPath(ofOld:))
    return (whole + single.map { UpdateItem(.insert, after: $0) }).sorted(by: Self.standsBefore)
  }

  /// Moves, ascending by target, a section before its items.
  private func movedEntries() -> [UpdateItem] {
    let whole = sections.movesByTarget.map {
      UpdateItem(.move, sectionBefore: $0.from, sectionAfter: $0.to)
    }
    let single = items.movesByTarget.map { UpdateItem(.move, before: $0.from, after: $0.to) }
    return (whole + single).sorted(by: Self.standsBefore)
  }

  /// The reloaded items that no reloaded section holds.
  private var singleReloads: [ItemIndexPath] {
    items.reloads.filter { !sections.reloads.containsSorted($0.section) }
  }

  /// The order after the update, a section before its items.
  private static func standsBefore(_ left: UpdateItem, _ right: UpdateItem) -> Bool {
    guard let leftPath = left.indexPathAfterUpdate, let rightPath = right.indexPathAfterUpdate
    else { return false }
    if leftPath.section != rightPath.section || left.isSection == right.isSection {
      return leftPath < rightPath
    }
    return left.isSection
  }
}
