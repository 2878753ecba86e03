import TimelineModel

/// Where sections and items go: the arithmetic of a batch update that is free of conflicts.
///
/// What is neither a source nor a target keeps its order, so its place follows from how many sources
/// stand before it in the numbering before the update, and how many targets in the one after.
final class Renumbering: Sendable {
  let items: SortedOperations<ItemIndexPath>
  let sections: SortedOperations<Int>
  /// How many items each section has before the update.
  let before: [Int]
  /// How many items each section has after the update.
  let after: [Int]
  /// The sources of `items` by their sections before the update.
  let sources: ItemsBySection
  /// The targets of `items` by their sections after the update.
  let targets: ItemsBySection

  init(
    items: SortedOperations<ItemIndexPath>, sections: SortedOperations<Int>, before: [Int],
    after: [Int]
  ) {
    self.items = items
    self.sections = sections
    self.before = before
    self.after = after
    sources = ItemsBySection(items.sources)
    targets = ItemsBySection(items.targets)
  }

  func newSection(ofOld section: Int) -> Int? {
    guard before.indices.contains(section) else { return nil }
    guard let rank = sections.sources.rank(ofFree: section) else {
      return sections.target(ofMoved: section)
    }
    return sections.targets.freeIndex(ofRank: rank)
  }

  func oldSection(ofNew section: Int) -> Int? {
    guard after.indices.contains(section) else { return nil }
    guard let rank = sections.targets.rank(ofFree: section) else {
      return sections.source(ofMoved: section)
    }
    return sections.sources.freeIndex(ofRank: rank)
  }

  func newPath(ofOld path: ItemIndexPath) -> ItemIndexPath? {
    guard before.indices.contains(path.section), path.item >= 0, path.item < before[path.section]
    else { return nil }
    guard let rank = sources[path.section].rank(ofFree: path.item) else {
      return items.target(ofMoved: path)
    }
    guard let section = newSection(ofOld: path.section) else { return nil }
    let item = targets[section].freeIndex(ofRank: rank)
    // Only a reloaded section can have fewer items than its old ones need.
    return item < after[section] ? ItemIndexPath(section: section, item: item) : nil
  }

  func oldPath(ofNew path: ItemIndexPath) -> ItemIndexPath? {
    guard after.indices.contains(path.section), path.item >= 0, path.item < after[path.section]
    else { return nil }
    guard let rank = targets[path.section].rank(ofFree: path.item) else {
      return items.source(ofMoved: path)
    }
    guard let section = oldSection(ofNew: path.section) else { return nil }
    let item = sources[section].freeIndex(ofRank: rank)
    // Only a reloaded section can have more items than its old ones fill.
    return item < before[section] ? ItemIndexPath(section: section, item: item) : nil
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
