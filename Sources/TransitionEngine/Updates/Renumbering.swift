import TimelineModel

/// Where sections and items go: the arithmetic of a batch update that is free of conflicts.
///
/// A section that is neither a source nor a target keeps its order, so its place follows from how many sources
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

  /// From the numbering before the update to the one after it, or back.
  enum Direction: Sendable {
    case forth
    case back
  }

  func newSection(ofOld section: Int) -> Int? { self.section(of: section, .forth) }

  func oldSection(ofNew section: Int) -> Int? { self.section(of: section, .back) }

  /// A section's number in the other numbering. `nil` if it is not there.
  func section(of section: Int, _ direction: Direction) -> Int? {
    let (counts, leaving, joining) =
      direction == .forth
      ? (before, sections.sources, sections.targets) : (after, sections.targets, sections.sources)
    guard counts.indices.contains(section) else { return nil }
    var hint = 0
    if let rank = leaving.rank(ofFree: section, near: &hint) {
      return joining.freeIndex(ofRank: rank, near: &hint)
    }
    return direction == .forth
      ? sections.target(ofMoved: section) : sections.source(ofMoved: section)
  }

  func newPath(ofOld path: ItemIndexPath) -> ItemIndexPath? {
    var walk = RenumberingWalk(self, .forth)
    return walk.place(of: path)?.path
  }

  func oldPath(ofNew path: ItemIndexPath) -> ItemIndexPath? {
    var walk = RenumberingWalk(self, .back)
    return walk.place(of: path)?.path
  }
}

extension Renumbering {
  /// The operations as a layout gets them, in the order of processing.
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
    var walk = RenumberingWalk(self, .forth)
    let positions =
      (sections.inserts + sections.reloads.compactMap(newSection(ofOld:))).map {
        ItemIndexPath(section: $0, item: UpdateItem.noItem)
      }
      + items.inserts.filter { !sections.inserts.containsSorted($0.section) }
      + singleReloads.compactMap { walk.place(of: $0)?.path }
    return positions.sorted(by: Self.standsBefore).map { UpdateItem(.insert, after: $0) }
  }

  /// Moves, ascending by target, a section before its items.
  private func movedEntries() -> [UpdateItem] {
    let whole = sections.movesByTarget.map { move in
      (
        ItemIndexPath(section: move.from, item: UpdateItem.noItem),
        ItemIndexPath(section: move.to, item: UpdateItem.noItem)
      )
    }
    return (whole + items.movesByTarget.map { ($0.from, $0.to) })
      .sorted { Self.standsBefore($0.1, $1.1) }
      .map { UpdateItem(.move, before: $0.0, after: $0.1) }
  }

  /// The reloaded items that no reloaded section holds.
  private var singleReloads: [ItemIndexPath] {
    items.reloads.filter { !sections.reloads.containsSorted($0.section) }
  }

  /// The order after the update, a section before its items.
  private static func standsBefore(_ left: ItemIndexPath, _ right: ItemIndexPath) -> Bool {
    if left.section != right.section { return left.section < right.section }
    if left.item == UpdateItem.noItem { return right.item != UpdateItem.noItem }
    return left.item < right.item && right.item != UpdateItem.noItem
  }
}

/// The item numbers of a sorted list of paths, section by section.
struct ItemsBySection: Sendable {
  /// Those of all sections, one section after the other.
  private let items: [Int]
  /// The sections that have any, ascending.
  private var sections: [Int] = []
  /// Where the items of each of these sections end.
  private var ends: [Int] = []

  init(_ paths: [ItemIndexPath]) {
    items = paths.map(\.item)
    for (number, path) in paths.enumerated() {
      if sections.last == path.section { ends.removeLast() } else { sections.append(path.section) }
      ends.append(number + 1)
    }
  }

  /// The item numbers of one section, ascending.
  ///
  /// - Complexity: O(log sections).
  subscript(section: Int) -> ArraySlice<Int> {
    let number = sections.firstOrdered { $0 >= section }
    guard number < sections.count, sections[number] == section else { return [] }
    return items[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }
}
