import TimelineModel

/// Where sections and items go: the arithmetic of a batch update that is free of conflicts.
///
/// What is neither a source nor a target keeps its order, so its place follows from how many sources
/// stand before it in the numbering before the update, and how many targets in the one after.
struct Renumbering: Sendable {
  let items: SortedOperations<IndexPath>
  let sections: SortedOperations<Int>
  /// How many items each section has before the update.
  let before: [Int]
  /// How many items each section has after the update.
  let after: [Int]

  func newSection(ofOld section: Int) -> Int? {
    guard before.indices.contains(section) else { return nil }
    if let moved = sections.target(ofMoved: section) { return moved }
    return sections.sources.rank(ofFree: section).map(sections.targets.freePlace(ofRank:))
  }

  func oldSection(ofNew section: Int) -> Int? {
    guard after.indices.contains(section) else { return nil }
    if let moved = sections.source(ofMoved: section) { return moved }
    return sections.targets.rank(ofFree: section).map(sections.sources.freePlace(ofRank:))
  }

  func newPath(ofOld path: IndexPath) -> IndexPath? {
    guard before.indices.contains(path.section), path.item >= 0, path.item < before[path.section]
    else { return nil }
    if let moved = items.target(ofMoved: path) { return moved }
    guard let section = newSection(ofOld: path.section),
      let rank = items.sources.items(inSection: path.section).rank(ofFree: path.item)
    else { return nil }
    let item = items.targets.items(inSection: section).freePlace(ofRank: rank)
    // Only a reloaded section can have fewer items than its old ones need.
    return item < after[section] ? IndexPath(section: section, item: item) : nil
  }

  func oldPath(ofNew path: IndexPath) -> IndexPath? {
    guard after.indices.contains(path.section), path.item >= 0, path.item < after[path.section]
    else { return nil }
    if let moved = items.source(ofMoved: path) { return moved }
    guard let section = oldSection(ofNew: path.section),
      let rank = items.targets.items(inSection: path.section).rank(ofFree: path.item)
    else { return nil }
    let item = items.sources.items(inSection: section).freePlace(ofRank: rank)
    // Only a reloaded section can have more items than its old ones fill.
    return item < before[section] ? IndexPath(section: section, item: item) : nil
  }
}

extension RandomAccessCollection<IndexPath> {
  /// The item numbers of one section in this sorted list.
  ///
  /// - Complexity: O(log count).
  func items(inSection section: Int) -> some RandomAccessCollection<Int> {
    dropFirst(firstOrdered { $0.section >= section })
      .prefix(firstOrdered { $0.section > section } - firstOrdered { $0.section >= section })
      .lazy.map(\.item)
  }
}
