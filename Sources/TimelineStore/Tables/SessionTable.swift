import SQLiteAccess
public import TimelineModel
import TimelineSchema

/// How many rows a session has, as its clean-close mark says.
public struct RecordCounts: Hashable, Sendable {
  /// Values of keys.
  public var samples: Int64 = 0
  /// Frames of the display.
  public var frames: Int64 = 0
  /// Rows of attributes: changes, and everything present in a key frame.
  public var attributes: Int64 = 0
  /// Reports of contacts.
  public var touches: Int64 = 0
  /// Events.
  public var events: Int64 = 0
  /// What was given and could not be kept, of any sort.
  public var lost: Int64 = 0

  package init() {}
}

/// A session as it stands in the file.
public struct SessionRecord: Hashable, Sendable {
  /// Position in the file, counted from 1. The number that every other query takes.
  public var number: Int64
  /// Identity, 36 characters (RFC 9562).
  public var uuid: String
  /// Everything that was known at the start, uuid and wall clock included.
  public var description: SessionDescription
  /// Schema version of the program that recorded.
  package var schemaVersion: Int64
  /// The last instant. `nil` without a clean close.
  public var end: Instant?
  /// How it ended. `nil` without a clean close.
  public var outcome: SessionOutcome?
  /// How many rows it has. `nil` without a clean close.
  public var counts: RecordCounts?
  /// How exactly sealed poses of the session are kept.
  package var precision = SealPrecision.exact

  /// Whether the recorder finished. false: it is still recording, it was killed, or the file was
  /// copied without the log that lay beside it.
  public var isClean: Bool { end != nil }

  /// What is known of a session where its file is not open: what its rows say is left out.
  package init(
    number: Int64, uuid: String, description: SessionDescription, schemaVersion: Int64,
    end: Instant?
  ) {
    (self.number, self.uuid, self.description) = (number, uuid, description)
    (self.schemaVersion, self.end) = (schemaVersion, end)
  }
}

/// The table `session`.
struct SessionTable: ReadableTable, ~Copyable {
  static let name = "session"
  static let columns = [
    "session", "uuid", "name", "schema_version", "wall_clock_ns", "clock", "refresh_rate",
    "viewport_width", "viewport_height", "scenario", "gesture_source", "device", "software",
    "engine_version", "transition", "settle", "release", "end_ns", "outcome", "sample_count",
    "frame_count", "attribute_count", "touch_count", "event_count", "lost_count",
    "precision", "redaction",
  ]
  static let nextNumber = """
    SELECT max(coalesce((SELECT max(session) FROM session), 0),
      coalesce((SELECT max(session) FROM removal), 0)) + 1
    """
  static let closeText = """
    UPDATE session SET end_ns = ?2, outcome = ?3, sample_count = ?4, frame_count = ?5,
    attribute_count = ?6, touch_count = ?7, event_count = ?8, lost_count = ?9 WHERE session = ?1
    """
  /// The table's rows for queries of the caller's, with the outcome that a reader has. A session that was not
  /// closed has none.
  static func asRead(_ rows: String) -> String {
    let decided = "coalesce(\(Schema.outcome(ofSession: "own.session")), outcome)"
    let outcome = "CASE WHEN outcome IS NOT NULL THEN \(decided) END AS outcome"
    let shown = columns.map { $0 == "outcome" ? outcome : $0 }.joined(separator: ", ")
    return "SELECT \(shown) FROM \(rows) AS own"
  }
  static let all = selectText + " ORDER BY session"
  static let newest = selectText + " ORDER BY session DESC LIMIT 1"
  static let ofNumber = selectText + " WHERE session = ?1"
  static let withUUID = "SELECT session FROM session WHERE uuid = ?1"
  static let finished = "SELECT session, end_ns IS NOT NULL FROM session ORDER BY session"
  static let openWithUUID =
    "SELECT 1 FROM session WHERE session = ?1 AND uuid = ?2 AND end_ns IS NULL"
  static let precisionOf = "SELECT precision FROM session WHERE session = ?1"
  static let setPrecision = "UPDATE session SET precision = ?2 WHERE session = ?1"
  static var texts: [String] {
    [
      insertText, nextNumber, withUUID, closeText, all, newest, ofNumber, finished,
      openWithUUID, precisionOf, setPrecision,
    ]
  }

  /// Whether a session has this uuid already.
  static func has(
    uuid: String, in connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let row = try connection.prepare(withUUID)
    try row.bind(uuid)
    return try row.step()
  }

  /// Whether a session has this number and uuid and is not finished.
  static func isOpen(
    _ number: Int64, uuid: String, in connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let row = try connection.prepare(openWithUUID)
    try row.bind(number, uuid)
    return try row.step()
  }

  static func insert(
    _ description: SessionDescription, uuid: String, number: Int64, schemaVersion: Int64,
    precision: SealPrecision = .exact,
    into connection: borrowing Connection
  ) throws(SQLiteError) {
    let none: Int64? = nil
    try connection.prepare(insertText).run(
      number, uuid, description.name, schemaVersion, description.wallClockStartNanoseconds,
      description.clock, finite(description.refreshRate), finite(description.viewport?.width),
      finite(description.viewport?.height), description.scenario, description.gestureSource,
      description.device, description.software, description.engineVersion, description.transition,
      description.settle, description.release, none, none, none, none, none, none, none, none,
      precision.rawValue, description.redaction)
  }

  /// A number that is not finite is not known.
  private static func finite(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite ? $0 : nil }
  }

  static func close(
    _ number: Int64, at end: Instant, outcome: SessionOutcome, counts: RecordCounts,
    in connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.prepare(closeText).run(
      number, end, outcome.rawValue, counts.samples, counts.frames, counts.attributes,
      counts.touches, counts.events, counts.lost)
  }

  /// Reads a row of ``all``. The layouts are added by the reader.
  static func read(_ row: borrowing Statement) throws(BadValue) -> SessionRecord {
    var description = SessionDescription(
      software: try row.string(12), clock: try row.string(5), name: try row.optionalString(2))
    let uuid = try row.string(1)
    description.uuid = uuid
    description.wallClockStartNanoseconds = try row.optionalInteger(4)
    description.refreshRate = try row.optionalReal(6)
    if let width = try row.optionalReal(7), let height = try row.optionalReal(8) {
      description.viewport = Size2D(width: width, height: height)
    }
    description.scenario = try row.optionalString(9)
    description.gestureSource = try row.optionalString(10)
    description.device = try row.optionalString(11)
    description.engineVersion = try row.optionalString(13)
    description.transition = try row.optionalString(14)
    description.settle = try row.optionalString(15)
    description.release = try row.optionalString(16)
    description.redaction = try row.optionalString(26)
    let end = try row.optionalInteger(17).map(Instant.init(nanoseconds:))
    var record = SessionRecord(
      number: try row.integer(0), uuid: uuid, description: description,
      schemaVersion: try row.integer(3), end: end)
    if end != nil {
      record.outcome = try row.name(18, as: SessionOutcome.self)
      var counts = RecordCounts()
      counts.samples = try row.rowNumber(19)
      counts.frames = try row.rowNumber(20)
      counts.attributes = try row.rowNumber(21)
      counts.touches = try row.rowNumber(22)
      counts.events = try row.rowNumber(23)
      counts.lost = try row.rowNumber(24)
      record.counts = counts
    }
    record.precision = try row.name(25, as: SealPrecision.self)
    return record
  }
}
