import TimelineModel

/// The rules of a batch update, tried one after another, so that of several
/// errors the reported one does not depend on the order of the operations.
struct UpdateCheck {
  let items: SortedOperations<ItemIndexPath>
  let sections: SortedOperations<Int>
  let before: [Int]
  let after: [Int]?
  /// How many items an inserted section has of its own, where `after` does not say it.
  let brought: [Int: Int]

  /// The arithmetic of the update, or the first error in it.
  func renumbering() throws(UpdateError) -> Renumbering {
    try checkSectionSources()
    if let (code, section) = sections.firstConflict() {
      throw UpdateError(code, section: section)
    }
    try checkSectionTargets()
    try checkItemSources()
    if let (code, path) = items.firstConflict() { throw UpdateError(code, path: path) }
    try checkWholeSections()
    let counts = try countsAfter()
    return Renumbering(items: items, sections: sections, before: before, after: counts)
  }

  // MARK: - Sections

  /// Numbers before the update.
  private func checkSectionSources() throws(UpdateError) {
    let named = (sections.deletes + sections.reloads + sections.movesBySource.map(\.from)).sorted()
    guard let section = named.first(where: { !before.indices.contains($0) }) else { return }
    throw UpdateError(
      .sectionOutOfRange, sections: [section],
      message: "There is no section \(section) to delete, reload or move: "
        + "there are \(before.count) before the update. Use the numbering before it.")
  }

  /// Numbers after the update, and how many sections there are then.
  private func checkSectionTargets() throws(UpdateError) {
    let led = before.count + sections.targets.count - sections.sources.count
    let count = after?.count ?? led
    if let section = sections.targets.first(where: { $0 < 0 || $0 >= count }) {
      throw UpdateError(
        .sectionOutOfRange, sections: [section],
        message: "No section can be inserted at or moved to \(section): "
          + "there are \(count) after the update. Use the numbering after it.")
    }
    guard count != led else { return }
    throw UpdateError(
      .sectionCountMismatch,
      message: "There are \(count) sections after the update, but \(before.count) before it, "
        + "\(sections.inserts.count) inserted and \(sections.deletes.count) deleted make \(led). "
        + "Name every section that comes or goes.")
  }

  // MARK: - Items

  /// Places before the update.
  private func checkItemSources() throws(UpdateError) {
    let named = (items.sources + items.reloads).sorted()
    guard let path = named.first(where: { !has($0, in: before) }) else { return }
    throw UpdateError(
      .pathOutOfRange, indexPaths: [path],
      message: "There is no item \(path.text) to delete, reload or move: "
        + "\(size(path.section, in: before)) before the update. Use the numbering before it.")
  }

  /// Items whose section is deleted or reloaded as a whole.
  private func checkWholeSections() throws(UpdateError) {
    if let path = items.reloads.first(where: { sections.deletes.containsSorted($0.section) }) {
      throw UpdateError(
        .reloadAndDelete, indexPaths: [path], sections: [path.section],
        message: "The item \(path.text) is reloaded and its section deleted in one update. "
          + "Keep one of the two.")
    }
    if let path = items.sources.first(where: { sections.reloads.containsSorted($0.section) }) {
      throw UpdateError(
        .changeInReloadedSection, indexPaths: [path], sections: [path.section],
        message:
          "The item \(path.text) is deleted or moved and its section reloaded in one update. "
          + "Keep one of the two.")
    }
  }

  /// How many items each section has after the update, once the places in it are checked.
  private func countsAfter() throws(UpdateError) -> [Int] {
    let led = before.count + sections.targets.count - sections.sources.count
    let numbering = Renumbering(
      items: items, sections: sections, before: before,
      after: after ?? Array(repeating: 0, count: led))
    let expected = numbering.after.indices.map { new -> SectionCount in
      guard let old = numbering.oldSection(ofNew: new) else { return .brought }
      if sections.reloads.containsSorted(old) { return .reloaded(before[old]) }
      return .kept(
        before[old] + numbering.targets[new].count - numbering.sources[old].count)
    }
    let counts =
      after
      ?? expected.enumerated().map { new, count in
        switch count {
        case .kept(let count), .reloaded(let count): count
        case .brought: numbering.targets[new].count + (brought[new] ?? 0)
        }
      }
    try checkItemTargets(counts, expected)
    for (new, count) in expected.enumerated() {
      guard case .kept(let led) = count, led != counts[new] else { continue }
      throw UpdateError(
        .itemCountMismatch, sections: [new],
        message: "Section \(new) has \(counts[new]) items after the update, but the operations "
          + "lead from \(before[numbering.oldSection(ofNew: new) ?? new]) to \(led). "
          + "Name every item that comes or goes.")
    }
    return counts
  }

  /// Places after the update.
  private func checkItemTargets(
    _ counts: [Int], _ expected: [SectionCount]
  ) throws(UpdateError) {
    for path in items.targets {
      guard has(path, in: counts) else {
        throw UpdateError(
          .pathOutOfRange, indexPaths: [path],
          message: "No item can be inserted at or moved to \(path.text): "
            + "\(size(path.section, in: counts)) after the update. Use the numbering after it.")
      }
      guard case .reloaded = expected[path.section] else { continue }
      throw UpdateError(
        .changeInReloadedSection, indexPaths: [path], sections: [path.section],
        message: "An item is inserted at or moved to \(path.text) and its section reloaded in one "
          + "update. Keep one of the two.")
    }
  }

  /// The knowledge of the number of items of a section after the update.
  private enum SectionCount {
    /// The result of the operations.
    case kept(Int)
    /// Anything. As many as before by default.
    case reloaded(Int)
    /// Anything that has room for what is inserted into it and moved into it.
    case brought
  }

  private func has(_ path: ItemIndexPath, in counts: [Int]) -> Bool {
    counts.indices.contains(path.section) && path.item >= 0 && path.item < counts[path.section]
  }

  /// How large a section is, or that it is not there, as part of a sentence.
  private func size(_ section: Int, in counts: [Int]) -> String {
    counts.indices.contains(section)
      ? "section \(section) has \(counts[section]) items" : "there are \(counts.count) sections"
  }
}

extension ItemIndexPath {
  /// As scenarios write it: `[0, 2]`.
  var text: String { "[\(section), \(item)]" }
}

extension UpdateError {
  fileprivate init(_ code: Code, path: ItemIndexPath) {
    self.init(
      code, indexPaths: [path], message: Self.sentence(code, about: "The item \(path.text)"))
  }

  fileprivate init(_ code: Code, section: Int) {
    self.init(
      code, sections: [section], message: Self.sentence(code, about: "The section \(section)"))
  }

  /// The effect of two operations on one place.
  private static func sentence(_ code: Code, about what: String) -> String {
    let fault =
      switch code {
      case .deleteTwice: "is deleted twice"
      case .insertTwice: "is the target of two inserts"
      case .moveTwice: "is the source or the target of two moves"
      case .reloadTwice: "is reloaded twice"
      case .deleteAndMove: "is deleted and moved"
      case .insertAndMove: "is the target of an insert and of a move"
      case .reloadAndDelete: "is reloaded and deleted"
      default: "is reloaded and moved"
      }
    return "\(what) \(fault) in one update. Keep one of the two operations."
  }
}
