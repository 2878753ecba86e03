import SQLiteAccess

/// How exactly sealed poses are kept.
public enum SealPrecision: String, Hashable, Sendable, CaseIterable {
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

  package init(firstFrame: Int64, lastFrame: Int64, rowCount: Int64, precision: SealPrecision) {
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    self.rowCount = rowCount
    self.precision = precision
  }
}

/// The table `segment`.
struct SegmentTable: RecordingTable {
  static let name = "segment"
  static let columns = ["session", "first_frame", "last_frame", "row_count", "precision"]
  static let inRange =
    selectText
    + " WHERE session = ?1 AND first_frame <= ?3 AND last_frame >= ?2 ORDER BY first_frame"
  static let any = "SELECT 1 FROM segment LIMIT 1"
  static var texts: [String] { [insertText, inRange, any] }

  /// Reads a row of ``inRange``.
  static func read(_ row: borrowing Statement) throws(BadValue) -> SegmentRecord {
    SegmentRecord(
      firstFrame: try row.natural(1), lastFrame: try row.natural(2),
      rowCount: try row.natural(3), precision: try row.name(4, as: SealPrecision.self))
  }
}
