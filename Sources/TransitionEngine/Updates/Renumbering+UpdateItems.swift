import TimelineModel

extension Renumbering {
  /// The operations as a layout is told them, in the order of processing.
  func updateItems() -> [UpdateItem] {
    deletedEntries() + insertedEntries() + movedEntries()
  }

  /// Deletes and the first halves of reloads: descending, a section before its items.
  private func deletedEntries() -> [UpdateItem] {
    let places =
      (sections.deletes + sections.reloads).map { IndexPath(section: $0, item: UpdateItem.noItem) }
      + items.deletes.filter { !sections.deletes.containsSorted($0.section) }
      + singleReloads
    return places.sorted(by: >).map { UpdateItem(.delete, before: $0) }
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
  private var singleReloads: [IndexPath] {
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
