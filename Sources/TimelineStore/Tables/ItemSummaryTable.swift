import SQLiteAccess
package import TimelineModel

/// What an element did in a session, in a few numbers.
package struct ItemSummary: Hashable, Sendable {
  package var item: ItemHandle
  /// How many frames it was in.
  package var frameCount: Int64
  /// In how many of them something of it changed.
  package var changeCount: Int64
  /// The earliest frame that it was in.
  package var first: Instant
  /// The latest frame that it was in.
  package var last: Instant
  /// Smallest and largest center, in points.
  package var centerX: ClosedRange<Double>
  /// Smallest and largest center, in points.
  package var centerY: ClosedRange<Double>
  /// Smallest and largest width, in points.
  package var width: ClosedRange<Double>
  /// Smallest and largest height, in points.
  package var height: ClosedRange<Double>
  /// Smallest and largest opacity.
  package var alpha: ClosedRange<Double>
  /// How far its center moved from frame to frame, in points.
  package var travelled: Double
}

extension ItemSummary {
  /// Makes the summary of an element that was in a single frame, where it appeared.
  package init(_ element: ElementRecord, at time: Instant) {
    let pose = element.pose
    item = element.item
    frameCount = 1
    changeCount = 1
    first = time
    last = time
    centerX = pose.center.x...pose.center.x
    centerY = pose.center.y...pose.center.y
    width = pose.size.width...pose.size.width
    height = pose.size.height...pose.size.height
    alpha = pose.alpha...pose.alpha
    travelled = 0
  }
}

/// The table `item_summary`, written when a session is closed.
struct ItemSummaryTable: ReadableTable {
  static let name = "item_summary"
  static let columns = [
    "session", "item", "frame_count", "change_count", "first_ns", "last_ns", "min_center_x",
    "max_center_x", "min_center_y", "max_center_y", "min_width", "max_width", "min_height",
    "max_height", "min_alpha", "max_alpha", "travelled",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY item"
  static var texts: [String] { [insertText, ofSession] }

  static func insert(
    _ summaries: [ItemSummary], session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try connection.prepare(insertText)
    for summary in summaries {
      try row.run(
        session, summary.item, summary.frameCount, summary.changeCount, summary.first, summary.last,
        summary.centerX.lowerBound, summary.centerX.upperBound, summary.centerY.lowerBound,
        summary.centerY.upperBound, summary.width.lowerBound, summary.width.upperBound,
        summary.height.lowerBound, summary.height.upperBound, summary.alpha.lowerBound,
        summary.alpha.upperBound, summary.travelled)
    }
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ItemSummary {
    func range(_ column: Int32) throws(BadValue) -> ClosedRange<Double> {
      let (low, high) = (try row.real(column), try row.real(column + 1))
      guard low <= high else {
        throw BadValue(column: columns[Int(column)], found: "\(low), more than the largest,")
      }
      return low...high
    }
    return ItemSummary(
      item: ItemHandle(rawValue: try row.handle(1)), frameCount: try row.rowNumber(2),
      changeCount: try row.rowNumber(3), first: try row.instant(4), last: try row.instant(5),
      centerX: try range(6), centerY: try range(8), width: try range(10), height: try range(12),
      alpha: try range(14), travelled: try row.real(16))
  }
}
