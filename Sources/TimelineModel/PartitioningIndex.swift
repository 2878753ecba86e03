extension RandomAccessCollection {
  /// The index of the first element that fulfils a condition. The end index if none does.
  ///
  /// All elements after it must fulfil the condition too. The name and the idea are from Swift Algorithms.
  ///
  /// - Complexity: O(log count).
  @inlinable
  package func partitioningIndex(where condition: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if condition(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
