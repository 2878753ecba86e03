import TimelineModel

/// The items of all sections counted through from 0, for layouts that do not care about sections.
struct ItemNumbering {
  /// How many items there are in all. No more than an `Int` can count.
  private(set) var count = 0
  /// The number of each section's first item.
  private var firsts: [Int] = []

  /// Counts the items through. A negative count is 0.
  init(itemCounts: [Int] = []) {
    for items in itemCounts {
      firsts.append(count)
      let (sum, overflows) = count.addingReportingOverflow(max(0, items))
      count = overflows ? .max : sum
    }
  }

  /// The number of an item. `nil` for one that is not there.
  func number(of path: ItemIndexPath) -> Int? {
    guard firsts.indices.contains(path.section), path.item >= 0 else { return nil }
    let first = firsts[path.section]
    let next = path.section + 1 < firsts.count ? firsts[path.section + 1] : count
    return path.item < next - first ? first + path.item : nil
  }

  /// The path of the item with a number that is there.
  ///
  /// - Complexity: O(log of the number of sections).
  func path(of number: Int) -> ItemIndexPath {
    // The last section that begins at or before the number: an empty one ends where it begins.
    let section = firsts.firstOrdered { $0 > number } - 1
    return ItemIndexPath(section: section, item: number - firsts[section])
  }
}
