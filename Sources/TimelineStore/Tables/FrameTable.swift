import SQLiteAccess
package import TimelineModel

/// A frame of the display as it stands in the file.
package struct FrameRecord: Hashable, Sendable {
  /// Number in the session, counted from 0 in the order recorded.
  package var number: Int64
  /// Instant, phase, progress, content offset, content size, and how far the program had heard and was read.
  package var state: FrameState
  /// Whether every element that was present has a row in it.
  package var isKeyFrame: Bool

  package init(number: Int64, state: FrameState, isKeyFrame: Bool) {
    self.number = number
    self.state = state
    self.isKeyFrame = isKeyFrame
  }
}

/// The table `frame`.
struct FrameTable: ReadableTable, ~Copyable {
  static let name = "frame"
  static let columns = [
    "session", "frame", "t_ns", "phase", "is_key", "progress", "content_offset_x",
    "content_offset_y", "content_width", "content_height", "began_ns", "unread",
  ]
  /// What later versions added, in the order of the columns.
  static let added = [
    AddedColumn("began_ns", since: 6), AddedColumn("unread", since: 6, absent: "0"),
  ]
  static let inRange =
    selectText + " WHERE session = ?1 AND frame BETWEEN ?2 AND ?3 ORDER BY frame"
  static let backwards =
    selectText + " WHERE session = ?1 AND t_ns <= ?2 ORDER BY t_ns DESC, frame DESC"
  static let shownAt = backwards + " LIMIT 1"
  static let keyFrameBefore =
    selectText + " WHERE session = ?1 AND frame <= ?2 AND is_key = 1 ORDER BY frame DESC LIMIT 1"
  static let keyFrames =
    "SELECT frame FROM frame WHERE session = ?1 AND is_key = 1 ORDER BY frame"
  static let newest = "SELECT frame FROM frame WHERE session = ?1 ORDER BY frame DESC LIMIT 1"
  static var texts: [String] {
    [insertText, inRange, backwards, shownAt, keyFrameBefore, keyFrames, newest]
  }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ frame: FrameRecord, session: Int64) throws(SQLiteError) {
    try row.run(
      session, frame.number, frame.state.time, frame.state.phase.stored, frame.isKeyFrame,
      frame.state.progress, frame.state.contentOffset.x, frame.state.contentOffset.y,
      frame.state.contentSize.width, frame.state.contentSize.height, frame.state.began,
      frame.state.isUnread)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> FrameRecord {
    FrameRecord(
      number: try row.rowNumber(1),
      state: FrameState(
        time: try row.instant(2), phase: try row.phase(3), progress: try row.optionalReal(5),
        contentOffset: Point2D(x: try row.real(6), y: try row.real(7)),
        contentSize: Size2D(width: try row.real(8), height: try row.real(9)),
        began: try row.optionalInstant(10), isUnread: try row.flag(11)),
      isKeyFrame: try row.flag(4))
  }
}
