import TimelineModel

/// The rows of a section whose items have different sizes.
struct FlowRows {
  /// One row, along the scroll direction.
  struct Row {
    var firstItem: Int
    var count: Int
    var start: Double
    /// The extent of the row's tallest item.
    var extent: Double
  }

  private(set) var rows: [Row] = []
  /// Where each item stands, across the scroll direction.
  private(set) var crossStarts: [Double] = []
  /// The items that are larger than the room for them.
  private(set) var oversized: [Int] = []
  private(set) var end: Double
  /// Whether every row starts at or after the end of the row before.
  let isOrdered: Bool

  /// Breaks items into rows, greedily: an item goes into the row as long as it fits at the minimum
  /// spacing, and the first always does.
  ///
  /// - Complexity: O(number of items).
  init(
    bounds: FlowBounds, sizes: [(main: Double, cross: Double)],
    lastRow: FlowLayoutParameters.LastRow
  ) {
    end = bounds.mainStart
    isOrdered = bounds.lineSpacing >= 0
    crossStarts.reserveCapacity(sizes.count)
    var first = 0
    while first < sizes.count {
      var used = sizes[first].cross
      var total = used
      var extent = sizes[first].main
      var next = first + 1
      while next < sizes.count, bounds.holds(used + bounds.spacing + sizes[next].cross) {
        used += bounds.spacing + sizes[next].cross
        total += sizes[next].cross
        extent = max(extent, sizes[next].main)
        next += 1
      }
      let start = rows.isEmpty ? bounds.mainStart : end + bounds.lineSpacing
      rows.append(Row(firstItem: first, count: next - first, start: start, extent: extent))
      end = start + extent
      let isLast = next == sizes.count
      let spread = FlowRows.spread(
        bounds: bounds, count: next - first, total: total, used: used, last: sizes[next - 1].cross,
        isLast: isLast, rule: lastRow)
      if next == first + 1, !bounds.holds(total) { oversized.append(first) }
      var cross = spread.start
      for item in first..<next {
        crossStarts.append(cross)
        cross += sizes[item].cross + spread.gap
      }
      first = next
    }
  }

  /// Where a row begins and how far its items stand apart.
  private static func spread(
    bounds: FlowBounds, count: Int, total: Double, used: Double, last: Double, isLast: Bool,
    rule: FlowLayoutParameters.LastRow
  ) -> (start: Double, gap: Double) {
    guard bounds.holds(used) else { return (bounds.crossStart, 0) }
    // The last row is thought to be filled up with copies of its last item.
    var copies = 0.0
    if isLast, last + bounds.spacing > 0 {
      copies = max(
        0, ((bounds.inner + bounds.tolerance - used) / (last + bounds.spacing)).rounded(.down))
    }
    let capacity = Double(count) + copies
    if capacity == 1 { return (bounds.crossStart + (bounds.inner - total) / 2, 0) }
    if isLast, rule == .leading { return (bounds.crossStart, bounds.spacing) }
    let gap = (bounds.inner - total - copies * last) / (capacity - 1)
    return (bounds.crossStart, max(bounds.spacing, gap))
  }

  /// The number of the row that holds an item.
  func row(of item: Int) -> Int { rows.firstOrdered { $0.firstItem + $0.count > item } }

  /// The rows that can meet a span along the scroll direction.
  func rows(meeting span: (low: Double, high: Double)) -> ArraySlice<Row> {
    guard isOrdered else { return rows[...] }
    let low = rows.firstOrdered { !($0.start + $0.extent < span.low) }
    var last = low
    while last < rows.count, rows[last].start <= span.high { last += 1 }
    return rows[low..<last]
  }
}
