import TimelineModel

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
