import SQLiteAccess
public import TimelineModel

/// An event as it stands in the file.
public struct EventRecord: Hashable, Sendable {
  /// Number in the session, counted from 0 in the order recorded.
  package var sequence: Int64
  /// When it happened.
  public var time: Instant
  /// What happened.
  public var kind: TimelineEvent.Kind
  /// What belongs to it: the text of a JSON object, its names in the order recorded.
  public var fieldsJSON: String
}

/// An event as the journal holds it: its fields are the text that the table takes.
package struct JournalEvent: Hashable, Sendable {
  /// When it happened.
  package var time: Instant
  /// What happened.
  package var kind: TimelineEvent.Kind
  /// What belongs to it: the text of a JSON object.
  package var fieldsJSON: String

  package init(time: Instant, kind: TimelineEvent.Kind, fieldsJSON: String) {
    self.time = time
    self.kind = kind
    self.fieldsJSON = fieldsJSON
  }

  /// An event as a caller gave it.
  package init(_ event: TimelineEvent) {
    self.init(
      time: event.time, kind: event.kind, fieldsJSON: FieldValue.object(event.fields).json)
  }
}

/// The table `event`: what happened, in the order recorded.
struct EventTable: ReadableTable, ~Copyable {
  static let name = "event"
  static let columns = ["session", "sequence", "t_ns", "kind", "fields"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  /// What asks for the end of a transition.
  static let ends =
    selectText + " WHERE session = ?1 AND kind IN ('finish', 'cancel') ORDER BY t_ns, sequence"
  static var texts: [String] { [insertText, ofSession, ends] }

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
      kind: TimelineEvent.Kind(rawValue: try row.string(3)), fieldsJSON: try row.string(4))
  }
}
