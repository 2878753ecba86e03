import TimelineModel

/// The rows of a section whose items all have one size: places are computed, nothing is stored.
struct FlowGrid {
  /// How many items a full row takes.
  private(set) var capacity: Int
  /// The distance between neighbours of a row.
  private(set) var gap: Double
  /// Where a row's first item stands, across the scroll direction.
  private(set) var crossStart: Double
  /// Whether the items are larger than the room for them.
  private(set) var isOversized: Bool
  /// Where the first row stands, along the scroll direction.
  let firstRow: Double
  let lineSpacing: Double
  let mainExtent: Double
  let crossExtent: Double
  let count: Int

  init(bounds: FlowBounds, mainExtent: Double, crossExtent: Double, count: Int) {
    self.mainExtent = mainExtent
    self.crossExtent = crossExtent
    self.count = count
    self.firstRow = bounds.mainStart
    self.lineSpacing = bounds.lineSpacing
    capacity = 1
    gap = 0
    crossStart = bounds.crossStart
    isOversized = count > 0 && !bounds.holds(crossExtent)
    guard !isOversized else { return }
    let step = crossExtent + bounds.spacing
    // Without extent and spacing any number fits. All stand on one place.
    capacity =
      step > 0
      ? Int((bounds.inner + bounds.spacing + bounds.tolerance) / step, in: 1...FlowGrid.widestRow)
      : max(1, count)
    if capacity == 1 {
      crossStart += (bounds.inner - crossExtent) / 2
    } else if step > 0 {
      gap = max(
        bounds.spacing, (bounds.inner - Double(capacity) * crossExtent) / Double(capacity - 1))
    }
  }

  /// More items in a row than any data has. Keeps the count of a row an exact double.
  private static let widestRow = 1 << 50

  var rowCount: Int { count == 0 ? 0 : (count - 1) / capacity + 1 }

  /// Where the last row ends, along the scroll direction. The first row's place without items.
  var end: Double {
    count == 0
      ? firstRow
      : firstRow + Double(rowCount) * mainExtent + Double(rowCount - 1) * lineSpacing
  }

  func mainStart(of item: Int) -> Double {
    firstRow + Double(item / capacity) * (mainExtent + lineSpacing)
  }

  func crossStart(of item: Int) -> Double {
    crossStart + Double(item % capacity) * (crossExtent + gap)
  }

  /// The items that can meet a window. The borders are taken wide, the caller looks closely.
  func items(
    mainSpan: (low: Double, high: Double), crossSpan: (low: Double, high: Double)
  ) -> [Int] {
    // Without extent nothing shares area with anything.
    guard count > 0, mainExtent > 0, crossExtent > 0 else { return [] }
    let rows = FlowGrid.candidates(
      mainSpan, from: firstRow, step: mainExtent + lineSpacing, count: rowCount)
    let columns = FlowGrid.candidates(
      crossSpan, from: crossStart, step: crossExtent + gap, count: min(capacity, count))
    var found: [Int] = []
    for row in rows {
      for column in columns where column < count - row * capacity {
        found.append(row * capacity + column)
      }
    }
    return found
  }

  private static func candidates(
    _ span: (low: Double, high: Double), from start: Double, step: Double, count: Int
  ) -> ClosedRange<Int> {
    guard step > 0 else { return 0...(count - 1) }
    let first = Int((span.low - start) / step - 1, in: 0...(count - 1))
    let last = Int((span.high - start) / step + 1, in: 0...(count - 1))
    return first...max(first, last)
  }
}

/// The room that a section offers its rows.
struct FlowBounds {
  /// Where the rows begin, along the scroll direction.
  var mainStart: Double
  /// Where a row begins, across it.
  var crossStart: Double
  /// The length of a row. The insets may leave none, or less.
  var inner: Double
  /// The least distance between neighbours.
  var spacing: Double
  var lineSpacing: Double

  /// How far a sum may exceed a row's length and still fit, as a share of that length: a sum of
  /// rounded numbers that is meant to fit exactly does. Our own choice. One for the whole flow.
  static let relativeTolerance = 1e-9

  var tolerance: Double { FlowBounds.relativeTolerance * max(1, abs(inner)) }

  func holds(_ extent: Double) -> Bool { extent <= inner + tolerance }
}
