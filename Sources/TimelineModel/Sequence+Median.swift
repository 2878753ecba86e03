extension Sequence where Element: Comparable {
  /// The middle one of the values. Of an even number of values the larger of the two in the middle, so that it is one
  /// that was measured. nil for no value.
  package var upperMedian: Element? { sorted().upperMiddle }
}

extension Array {
  /// The middle one of values in order, the later one of two. `nil` for no value.
  package var upperMiddle: Element? { isEmpty ? nil : self[count / 2] }
}

extension Array where Element == Double {
  /// The middle one of values in order, or the mean of two. `nil` for no value.
  package var middle: Double? {
    guard let upper = upperMiddle else { return nil }
    return count % 2 == 1 ? upper : (self[count / 2 - 1] + upper) / 2
  }
}
