import TimelineModel

/// Binary search in what is sorted, and the questions of renumbering built on it.
extension RandomAccessCollection {
  /// The offset of the first element that fulfils a condition. The count where none does.
  ///
  /// Behind an element that fulfils it all others must fulfil it too.
  ///
  /// - Complexity: O(log count).
  func firstOrdered(where isBehind: (Element) -> Bool) -> Int {
    var hint = 0
    return firstOrdered(near: &hint, where: isBehind)
  }

  /// The same, looked for at a hint first, which becomes the answer.
  ///
  /// - Complexity: O(1) if the answer is a few places after the hint, otherwise O(log count).
  func firstOrdered(near hint: inout Int, where isBehind: (Element) -> Bool) -> Int {
    firstNumber(below: count, near: &hint) { isBehind(self[index(startIndex, offsetBy: $0)]) }
  }
}

/// The first number from 0 on that fulfils a condition, as all numbers after it do. The count if none does. It is
/// looked for at a hint first, which becomes the answer.
func firstNumber(below count: Int, near hint: inout Int, where isBehind: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  if hint > 0, hint <= count, isBehind(hint - 1) {
    high = hint - 1
  } else if hint <= count {
    low = hint
    while low < Swift.min(hint + 4, count) {
      if isBehind(low) {
        hint = low
        return low
      }
      low += 1
    }
  }
  hint = (low..<high).partitioningIndex(where: isBehind)
  return hint
}

extension RandomAccessCollection<Int> {
  /// How many places that are not in this sorted list stand before a place. `nil` for a place in it.
  ///
  /// - Complexity: That of ``firstOrdered(near:where:)``.
  func rank(ofFree position: Int, near hint: inout Int) -> Int? {
    let before = firstOrdered(near: &hint) { $0 >= position }
    if before < count, self[index(startIndex, offsetBy: before)] == position { return nil }
    return position - before
  }

  /// The place that has `rank` places before it that are not in this sorted list. The inverse of
  /// ``rank(ofFree:near:)``.
  ///
  /// - Complexity: That of ``firstOrdered(near:where:)``.
  func freeIndex(ofRank rank: Int, near hint: inout Int) -> Int {
    // The list's n-th place has (place − n) free ones before it, a number that never falls.
    rank
      + firstNumber(below: count, near: &hint) {
        self[index(startIndex, offsetBy: $0)] - $0 > rank
      }
  }

  /// The gaps between the numbers of this sorted list, from 0 to a count.
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
    var hint = 0
    return containsSorted(element, near: &hint)
  }

  /// The same, looked for at a hint first.
  func containsSorted(_ element: Element, near hint: inout Int) -> Bool {
    let index = firstOrdered(near: &hint) { $0 >= element }
    return index < count && self[index] == element
  }
}
