import SQLiteAccess

/// How exactly sealed poses are kept.
package enum SealPrecision: String, Hashable, Sendable, CaseIterable {
  /// Every bit.
  case exact
  /// Every number rounded to 32 bits: 24 bits of mantissa.
  case float32
  /// Lengths rounded to 1/1024 point, numbers without a unit to 32 bits.
  case point1024 = "1/1024"
}

/// A run of frames whose attributes were packed.
package struct SegmentRecord: Hashable, Sendable {
  /// The key frame with which it begins.
  package var firstFrame: Int64
  /// The frame before the next key frame, or the session's last.
  package var lastFrame: Int64
  /// How many rows of attributes it has, the key frame's included.
  package var rowCount: Int64
  /// How exactly it was packed.
  package var precision: SealPrecision
  /// Whether it is what one transaction brought within a second: it does not begin with a key frame, and no row
  /// of it is in the table of plain ones.
  package var isPart = false

  /// The first frame of which it alone has the rows.
  var firstOwnFrame: Int64 { isPart ? firstFrame : firstFrame + 1 }

  package init(
    firstFrame: Int64, lastFrame: Int64, rowCount: Int64, precision: SealPrecision,
    isPart: Bool = false
  ) {
    self.isPart = isPart
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    self.rowCount = rowCount
    self.precision = precision
  }
}

/// The table `segment`.
struct SegmentTable: ReadableTable, ~Copyable {
  static let name = "segment"
  static let columns = [
    "session", "first_frame", "last_frame", "row_count", "precision", "is_part",
  ]
  /// No two segments of a session share a frame: of those that begin before the range, the last one alone can
  /// reach into it.
  static let inRange =
    selectText + """
       WHERE session = ?1 AND first_frame <= ?3 AND last_frame >= ?2 AND first_frame >= coalesce((
        SELECT first_frame FROM segment WHERE session = ?1 AND first_frame <= ?2
        ORDER BY first_frame DESC LIMIT 1), ?2) ORDER BY first_frame
      """
  static let inRangeOfAnySession =
    selectText
    + " WHERE first_frame <= ?2 AND last_frame >= ?1 ORDER BY session, first_frame"
  static let any = "SELECT 1 FROM segment LIMIT 1"
  /// The first frame of a session's first segment.
  static let first = "SELECT min(first_frame) FROM segment WHERE session = ?1"
  static let removalText = "DELETE FROM segment WHERE session = ?1 AND first_frame = ?2"
  /// Takes out the parts that begin from ?2 to ?3.
  static let removeParts =
    "DELETE FROM segment WHERE session = ?1 AND first_frame BETWEEN ?2 AND ?3 AND is_part = 1"
  static var texts: [String] {
    [insertText, inRange, inRangeOfAnySession, any, first, removalText, removeParts]
  }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ segment: SegmentRecord, session: Int64) throws(SQLiteError) {
    try row.run(
      session, segment.firstFrame, segment.lastFrame, segment.rowCount, segment.precision.rawValue,
      segment.isPart ? 1 : 0)
  }

  /// Reads a row of ``inRange``.
  static func read(_ row: borrowing Statement) throws(BadValue) -> SegmentRecord {
    let (first, last) = (try row.rowNumber(1), try row.rowNumber(2))
    guard first <= last else {
      throw BadValue(column: "last_frame", found: "\(last), which is before the first, \(first),")
    }
    return SegmentRecord(
      firstFrame: first, lastFrame: last, rowCount: try row.rowNumber(3),
      precision: try row.name(4, as: SealPrecision.self), isPart: try row.flag(5))
  }

  /// Reads a row of ``inRangeOfAnySession``.
  static func readWithSession(
    _ row: borrowing Statement
  ) throws(BadValue) -> (session: Int64, segment: SegmentRecord) {
    (try row.integer(0), try read(row))
  }
}
