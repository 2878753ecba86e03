/// Binary search in what is sorted, and the questions of renumbering built on it.
extension RandomAccessCollection {
  /// The offset of the first element that fulfils a condition; the count where none does.
  ///
  /// Behind an element that fulfils it all others must fulfil it too.
  ///
  /// - Complexity: O(log count).
  func firstOrdered(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[index(startIndex, offsetBy: middle)]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}

extension RandomAccessCollection<Int> {
  /// How many places that are not in this sorted list stand before a place; nil for a place in it.
  ///
  /// - Complexity: O(log count).
  func rank(ofFree position: Int) -> Int? {
    let before = firstOrdered { $0 >= position }
    if before < count, self[index(startIndex, offsetBy: before)] == position { return nil }
    return position - before
  }

  /// The place that has `rank` places before it that are not in this sorted list; the inverse of
  /// ``rank(ofFree:)``.
  ///
  /// - Complexity: O(log count).
  func freeIndex(ofRank rank: Int) -> Int {
    // The list's n-th place has (place − n) free ones before it, a number that never falls.
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[index(startIndex, offsetBy: middle)] - middle > rank {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return rank + low
  }

  /// What lies between the places of this sorted list, from 0 to a count.
  func gaps(upTo count: Int) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = 0
    for position in self {
      gaps.append(start..<position)
      start = position + 1
    }
    return gaps + [start..<count]
  }
}

extension Array where Element: Comparable {
  /// Whether an element is in this sorted list.
  ///
  /// - Complexity: O(log count).
  func containsSorted(_ element: Element) -> Bool {
    let index = firstOrdered { $0 >= element }
    return index < count && self[index] == element
  }
}
