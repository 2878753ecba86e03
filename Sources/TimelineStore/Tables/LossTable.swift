package import SQLiteAccess
package import TimelineModel

/// What was given to a recorder and could not be kept.
package struct LossRecord: Hashable, Sendable {
  /// What sort of thing was lost.
  package enum What: String, Hashable, Sendable, CaseIterable {
    /// Values of a key.
    case sample
    /// Whole frames with their poses.
    case frame
    /// Reports of contacts.
    case touch
    case event
    /// Release decisions.
    case decision
    /// Estimates of a release.
    case estimate
  }

  /// What was lost.
  package var what: What
  /// The key of lost samples. `nil` for the rest.
  package var key: KeyHandle?
  /// The earliest instant among them.
  package var first: Instant
  /// The latest instant among them.
  package var last: Instant
  package var count: Int64

  package init(what: What, key: KeyHandle?, first: Instant, last: Instant, count: Int64) {
    self.what = what
    self.key = key
    self.first = first
    self.last = last
    self.count = count
  }
}

/// The table `loss`.
package struct LossTable: ReadableTable, ~Copyable {
  static let name = "loss"
  static let columns = ["session", "sequence", "what", "key", "first_ns", "last_ns", "count"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  package init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  package func insert(_ loss: LossRecord, sequence: Int64, session: Int64) throws(SQLiteError) {
    try row.run(session, sequence, loss.what.rawValue, loss.key, loss.first, loss.last, loss.count)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> LossRecord {
    let hasKey = try row.optionalInteger(3) != nil
    return LossRecord(
      what: try row.name(2, as: LossRecord.What.self),
      key: hasKey ? KeyHandle(rawValue: try row.handle(3)) : nil, first: try row.instant(4),
      last: try row.instant(5), count: try row.rowNumber(6))
  }
}
