import TimelineModel

extension UpdatePlan {
  /// The items that go away, in the numbering before the update: exactly those whose
  /// ``newPath(ofOld:)`` is nil. Those of a deleted section are among them, reloaded ones are not.
  ///
  /// - Complexity: O(operations · log operations), however many items a section has.
  public var deletedItems: IndexPathRuns {
    let (items, sections) = (renumbering.items, renumbering.sections)
    var parts: [(section: Int, items: Range<Int>)] = []
    for path in items.deletes where !sections.deletes.containsSorted(path.section) {
      parts.append((path.section, path.item..<path.item + 1))
    }
    for section in sections.deletes {
      let moved = items.movesBySource.lazy.map(\.from).items(inSection: section)
      parts += moved.gaps(upTo: countsBefore[section]).map { (section, $0) }
    }
    for section in sections.reloads {
      guard let new = newSection(ofOld: section) else { continue }
      let (old, kept) = (countsBefore[section], counts[new])
      if kept < old { parts.append((section, kept..<old)) }
    }
    return IndexPathRuns(parts)
  }

  /// The items that are new, in the numbering after the update: exactly those whose
  /// ``oldPath(ofNew:)`` is nil. Those of an inserted section are among them, reloaded ones are not.
  ///
  /// - Complexity: O(operations · log operations), however many items a section has.
  public var insertedItems: IndexPathRuns {
    let (items, sections) = (renumbering.items, renumbering.sections)
    var parts: [(section: Int, items: Range<Int>)] = []
    for path in items.inserts where !sections.inserts.containsSorted(path.section) {
      parts.append((path.section, path.item..<path.item + 1))
    }
    for section in sections.inserts {
      let moved = items.movesByTarget.lazy.map(\.to).items(inSection: section)
      parts += moved.gaps(upTo: counts[section]).map { (section, $0) }
    }
    for section in sections.reloads {
      guard let new = newSection(ofOld: section) else { continue }
      let (old, count) = (countsBefore[section], counts[new])
      if old < count { parts.append((new, old..<count)) }
    }
    return IndexPathRuns(parts)
  }
}
