import TimelineModel

/// Spans from a lower to an upper bound, ready to be asked which of them contain a value.
package struct SpanIndex<Bound: Comparable & Sendable>: Sendable {
  private struct Span: Sendable {
    var lower: Bound
    var upper: Bound
    var index: Int
  }

  /// In the order of the lower bounds.
  private let spans: [Span]
  /// At the middle of the spans the highest upper bound of them all, at the middle of each half that of the
  /// half, and so on.
  private var highest: [Bound]

  /// Sorts spans.
  ///
  /// - Complexity: O(n log n).
  package init(_ bounds: [(lower: Bound, upper: Bound)]) {
    spans = bounds.enumerated().map { Span(lower: $1.lower, upper: $1.upper, index: $0) }
      .sorted { $0.lower < $1.lower }
    highest = spans.map(\.upper)
    raise(spans.indices)
  }

  @discardableResult
  private mutating func raise(_ range: Range<Int>) -> Bound? {
    guard !range.isEmpty else { return nil }
    let middle = range.lowerBound + range.count / 2
    for half in [range.lowerBound..<middle, middle + 1..<range.upperBound] {
      if let other = raise(half) { highest[middle] = max(highest[middle], other) }
    }
    return highest[middle]
  }

  /// The places, in the list given, of the spans that contain a value, both bounds included; in order.
  ///
  /// - Complexity: O(log n) for each of them.
  package func indices(containing value: Bound) -> [Int] {
    let end = spans.partitioningIndex { $0.lower > value }
    var found: [Int] = []
    func look(in range: Range<Int>) {
      guard range.lowerBound < min(range.upperBound, end) else { return }
      let middle = range.lowerBound + range.count / 2
      guard highest[middle] >= value else { return }
      look(in: range.lowerBound..<middle)
      if middle < end, spans[middle].upper >= value { found.append(spans[middle].index) }
      look(in: middle + 1..<range.upperBound)
    }
    look(in: spans.indices)
    return found.sorted()
  }
}
