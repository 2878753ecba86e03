import SQLiteAccess
public import TimelineModel

/// An event as it stands in the file.
public struct EventRecord: Hashable, Sendable {
  /// Number in the session, counted from 0 in the order recorded.
  public var sequence: Int64
  /// When it happened.
  public var time: Instant
  /// What happened.
  public var kind: Event.Kind
  /// What belongs to it: the text of a JSON object, its names in the order recorded.
  public var fieldsJSON: String
}

/// The table `event`: what happened, in the order recorded.
struct EventTable: ReadableTable, ~Copyable {
  static let name = "event"
  static let columns = ["session", "sequence", "t_ns", "kind", "fields"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  /// Starts, and what asks for an end, in the order of time.
  static let marks = """
    SELECT t_ns, kind, CASE WHEN json_valid(fields) THEN json_extract(fields, '$.transition') END
    FROM event WHERE session = ?1 AND kind IN ('start', 'finish', 'cancel')
    ORDER BY t_ns, sequence
    """
  static var texts: [String] { [insertText, ofSession, marks] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ event: JournalEvent, sequence: Int64, session: Int64) throws(SQLiteError) {
    try row.run(session, sequence, event.time, event.kind.rawValue, event.fieldsJSON)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> EventRecord {
    EventRecord(
      sequence: try row.integer(1), time: try row.instant(2),
      kind: Event.Kind(rawValue: try row.string(3)), fieldsJSON: try row.string(4))
  }

  /// A row of ``marks``: an event that begins a transition, or asks for its end.
  struct Mark {
    var time: Int64
    /// What was asked for; nil of a start.
    var outcome: ReleaseOutcome?
    /// The transition's number, where the event says one.
    var transition: Int?
  }

  static func readMark(_ row: borrowing Statement) throws(BadValue) -> Mark {
    let number = row.type(at: 2) == .integer ? row.int64(at: 2) : -1
    return Mark(
      time: try row.integer(0), outcome: ReleaseOutcome(rawValue: try row.string(1)),
      transition: Int32(exactly: number).flatMap { $0 < 0 ? nil : Int($0) })
  }
}
