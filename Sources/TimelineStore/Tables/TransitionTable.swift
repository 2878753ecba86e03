package import SQLiteAccess
public import TimelineModel
import TimelineSchema

/// A transition: from an event `start` up to the next one, as its events and decisions say.
///
/// What comes before a session's first start is one too, without a start, if its end was asked for. What no
/// event says is nil. A layout that was set at once is none.
public struct TransitionRecord: Hashable, Sendable {
  /// How a transition began.
  public enum Beginning: String, Sendable {
    /// A gesture or a caller sets its progress.
    case interactive
    /// The time does.
    case animated
    /// By a navigation's push, interactive or not.
    case push
    /// By a navigation's pop, interactive or not.
    case pop
  }

  /// The number in its session, by which decisions and estimates name it: the one that its events say, else
  /// counted from 0. An app's events may say one twice.
  public var number: Int
  /// The name of the layout that it leaves.
  public var from: String?
  /// The name of the layout that it goes to.
  public var to: String?
  /// How it began.
  public var began: Beginning?
  /// When it began.
  public var start: Instant?
  /// When it was last released, by a recorded decision. Releases that are derived are not in it.
  public var release: Instant?
  /// When its first settle began.
  public var settle: Instant?
  /// When its completion ran.
  public var completion: Instant?
  /// How it ended, or will as far as was asked. `nil` while it is open, or where that is not known.
  public var outcome: ReleaseOutcome?
  /// Who made the decision of ``release``.
  public var decidedBy: DecisionSource?
  /// The number of the transition that it took over from, which ended there.
  public var retargetedFrom: Int?
  /// The number of the event that it begins with. Without a start that of the first that asked for its end.
  package var sequence: Int64
}

/// The table `transition`: what events and decisions say, transition by transition.
package struct TransitionTable: RecordingTable, ~Copyable {
  static let name = "transition"
  static let columns = [
    "session", "sequence", "number", "from_layout", "to_layout", "began", "start_ns", "release_ns",
    "settle_ns", "completion_ns", "outcome", "decided_by", "retargeted_from",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  /// The rows that a session's events and decisions make. ?1: the session.
  static let derived = Schema.transitions(
    events: "SELECT * FROM event WHERE session = ?1",
    decisions: "SELECT * FROM decision WHERE session = ?1")
  static let derivedOfSession = derived + " ORDER BY sequence"
  static let removalText = "DELETE FROM transition WHERE session = ?1 AND sequence >= ?2"
  private static let addAll = "INSERT INTO transition " + derived
  /// Rows that contradict events and decisions, or are missing, and the first of them. ?1: the session. The
  /// outcome of a decided one is not compared: older programs asked the events for it.
  package static let contradictions = """
    SELECT count(DISTINCT sequence), min(sequence) FROM (SELECT sequence FROM (
        SELECT * FROM transition WHERE session = ?1 UNION ALL SELECT * FROM (\(derived)))
      GROUP BY \(columns.joined(separator: ", ").substituting("outcome", with: undecided)) HAVING count(*) <> 2)
    """
  private static let undecided = "CASE WHEN release_ns IS NULL THEN outcome END"
  /// A row whose outcome is not that of its decision: older programs asked the events, and a settle may turn round.
  static let anyOverruled = overruled(where: "1")
  /// The same of a session. ?1: its number.
  static let overruled = overruled(where: "session = ?1")

  /// Sets of instants with the other outcome: no index is needed, which older recordings lack.
  private static func overruled(where condition: String) -> String {
    """
    SELECT session, release_ns, 'finish' FROM transition WHERE \(condition) AND outcome IS NOT 'finish'
    INTERSECT SELECT session, t_ns, outcome FROM decision WHERE \(condition) AND outcome = 'finish'
    UNION ALL
    SELECT * FROM (
      SELECT session, release_ns, 'cancel' FROM transition WHERE \(condition) AND outcome IS NOT 'cancel'
      INTERSECT SELECT session, t_ns, outcome FROM decision WHERE \(condition) AND outcome = 'cancel')
    LIMIT 1
    """
  }

  /// The events that transitions are made of.
  private static let kinds: Set<TimelineEvent.Kind> = [
    .start, .finish, .cancel, .settle, .completion, .retarget, .push, .pop, .animation,
  ]
  /// Those without which there is none.
  private static let marks: Set<TimelineEvent.Kind> = [.start, .finish, .cancel]

  /// What there is to know of a session before its rows can be kept in step: whether it may have rows, whether
  /// its events came in the order of time, and the latest of them.
  private static let order = """
    SELECT coalesce(max(kind IN ('start', 'finish', 'cancel')), 0), coalesce(max(t_ns < newest), 0), max(t_ns)
    FROM (SELECT kind, t_ns, max(t_ns) OVER (ORDER BY sequence) AS newest FROM event WHERE session = ?1
      AND kind IN (\(kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", "))))
    """
  /// The first row that new events and decisions may change: the last one begun before ?3, the earliest of
  /// them, or an earlier one whose number an event from ?2 on says.
  static let firstChanged = """
    SELECT min(row) FROM (
      SELECT coalesce(max(sequence), -1) AS row FROM transition WHERE session = ?1 AND start_ns < ?3
      UNION ALL
      SELECT (SELECT t.sequence FROM transition AS t WHERE t.session = ?1
        AND t.number = json_extract(e.fields, '$.transition') ORDER BY t.sequence DESC LIMIT 1)
      FROM event AS e WHERE e.session = ?1 AND e.sequence >= ?2
        AND e.kind IN ('settle', 'completion', 'retarget') AND json_valid(e.fields))
    """
  /// The row before that, which shows what came before, and how many rows there are between it and the row ?3: negative
  /// if it is the earlier one.
  private static let rowBefore = """
    SELECT sequence, start_ns,
      (SELECT count(*) FROM transition AS b
        WHERE b.session = ?1 AND b.sequence >= ?3 AND b.sequence < t.sequence)
      - (SELECT count(*) FROM transition AS b
        WHERE b.session = ?1 AND b.sequence >= t.sequence AND b.sequence < ?3)
    FROM transition AS t WHERE session = ?1 AND sequence < ?2 AND start_ns IS NOT NULL
    ORDER BY sequence DESC LIMIT 1
    """
  /// Makes the rows from ?5 on anew, out of events from ?2 and decisions from ?3 on, with ?4 rows before.
  static let addNewest =
    "INSERT INTO transition SELECT * FROM ("
    + Schema.transitions(
      events: "SELECT * FROM event WHERE session = ?1 AND sequence >= ?2",
      decisions: "SELECT * FROM decision WHERE session = ?1 AND t_ns >= ?3", earlier: "?4")
    + ") WHERE sequence >= ?5"
  /// How a session ended, in the words of a session. ?1: its number. NULL where neither its last transition nor, without
  /// any, its last decision says it.
  static let outcomeOfSession = "SELECT " + Schema.outcome(ofSession: "?1")
  static let derivedOutcomeOfSession =
    "SELECT " + Schema.outcome(ofSession: "?1", in: "(\(derived))")
  /// The same, else as is stated, ?2, else whether there is a transition.
  private static let lastOutcome = """
    SELECT coalesce(\(Schema.outcome(ofSession: "?1")), nullif(?2, 'none'),
      (SELECT 'open' FROM transition WHERE session = ?1 LIMIT 1), 'none')
    """
  static var texts: [String] {
    [
      lastOutcome, outcomeOfSession, derivedOutcomeOfSession, anyOverruled, overruled,
      ofSession, derivedOfSession, removalText, addAll, contradictions, order, firstChanged,
      rowBefore,
      addNewest,
    ]
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> TransitionRecord {
    TransitionRecord(
      number: try row.int(2), from: try row.optionalString(3), to: try row.optionalString(4),
      began: try row.optionalName(5), start: try row.optionalInstant(6),
      release: try row.optionalInstant(7), settle: try row.optionalInstant(8),
      completion: try row.optionalInstant(9), outcome: try row.optionalName(10),
      decidedBy: try row.optionalString(11).map { DecisionSource(recorded: $0) },
      retargetedFrom: try row.optionalInt(12),
      sequence: try row.integer(1))
  }

  /// Makes a session's rows anew, after its events or decisions were changed by others than a recorder.
  package static func derive(
    session: Int64, in connection: borrowing Connection
  ) throws(SQLiteError) {
    for text in [MaintenanceTexts.removal(from: name), addAll] {
      let row = try connection.prepare(text)
      row.bind(session, at: 1)
      try row.run()
    }
  }

  // MARK: While it is recorded

  private let order: Statement
  private let firstChanged: Statement
  private let rowBefore: Statement
  private let removal: Statement
  private let addition: Statement
  private let session: Int64

  /// The earliest instant among new events and decisions. `nil`: there are none.
  private var earliest: Int64?
  private var firstEvent = Int64.max
  /// What ``order`` says. `nil` until it was asked.
  private var known: (hasRows: Bool, isOrdered: Bool, newest: Int64)?
  /// A row, and how many there are before it, so that they are not counted again for each commit.
  private var counted = (row: Int64.min, before: Int64(0))
}

extension TransitionTable {
  // Here, so that it can use the memberwise one: an init that throws half-way cannot take back a part.
  init(_ connection: borrowing Connection, session: Int64) throws(SQLiteError) {
    self.init(
      order: try connection.prepare(Self.order),
      firstChanged: try connection.prepare(Self.firstChanged),
      rowBefore: try connection.prepare(Self.rowBefore),
      removal: try connection.prepare(Self.removalText),
      addition: try connection.prepare(Self.addNewest), session: session)
  }

  /// Notes an event that was written.
  mutating func note(_ kind: TimelineEvent.Kind, at time: Int64, sequence: Int64) {
    guard Self.kinds.contains(kind) else { return }
    earliest = min(earliest ?? time, time)
    firstEvent = min(firstEvent, sequence)
    guard var known else { return }
    known.hasRows = known.hasRows || Self.marks.contains(kind)
    known.isOrdered = known.isOrdered && time >= known.newest
    known.newest = max(known.newest, time)
    self.known = known
  }

  /// Notes a decision that was written.
  mutating func noteDecision(at time: Int64) { earliest = min(earliest ?? time, time) }

  /// Forgets what was noted, since its transaction was taken back.
  mutating func forget() {
    (earliest, firstEvent, known) = (nil, .max, nil)
    forgetCount()
  }

  /// Has the rows counted again, since others changed them.
  mutating func forgetCount() { counted = (.min, 0) }

  /// Brings the rows in step with what was noted, in the same transaction.
  ///
  /// - Complexity: linear in what was recorded since the start before the one that it belongs to. In all of the
  ///   session's events where they came out of the order of time, and where there is no start.
  mutating func write() throws(SQLiteError) {
    guard let earliest else { return }
    if known == nil { known = try askOrder() }
    if let known, known.hasRows {
      var (first, source, since, count) = (Int64.min, Int64.min, Int64.min, Int64(0))
      if known.isOrdered {
        first = try number(firstChanged, [session, firstEvent, earliest])
        rowBefore.bind(session, at: 1)
        rowBefore.bind(first, at: 2)
        rowBefore.bind(counted.row, at: 3)
        if try rowBefore.step() {
          (source, since) = (rowBefore.int64(at: 0), rowBefore.int64(at: 1))
          count = counted.before + rowBefore.int64(at: 2)
          counted = (source, count)
        } else {
          first = .min
        }
        rowBefore.reset()
      }
      if first == .min { forgetCount() }
      removal.bind(session, at: 1)
      removal.bind(first, at: 2)
      try removal.run()
      for (index, value) in [session, source, since, count, first].enumerated() {
        addition.bind(value, at: Int32(index + 1))
      }
      try addition.run()
    }
    (self.earliest, firstEvent) = (nil, .max)
  }

  /// How the session ended, by what was written and noted so far.
  ///
  /// - Parameter stated: What holds where neither decisions nor events say it.
  mutating func lastOutcome(
    _ stated: SessionOutcome?, in connection: borrowing Connection
  ) throws(SQLiteError) -> SessionOutcome {
    try write()
    let row = try connection.prepare(Self.lastOutcome)
    try row.bind(session, stated?.rawValue)
    guard try row.step() else { return .none }
    return SessionOutcome(rawValue: row.text(at: 0) ?? "") ?? .none
  }

  private func askOrder() throws(SQLiteError) -> (hasRows: Bool, isOrdered: Bool, newest: Int64) {
    order.bind(session, at: 1)
    defer { order.reset() }
    guard try order.step() else { return (false, true, .min) }
    return (
      order.int64(at: 0) != 0, order.int64(at: 1) == 0,
      order.type(at: 2) == .null ? .min : order.int64(at: 2)
    )
  }

  private func number(
    _ row: borrowing Statement, _ values: [Int64]
  ) throws(SQLiteError) -> Int64 {
    for (index, value) in values.enumerated() { row.bind(value, at: Int32(index + 1)) }
    defer { row.reset() }
    return try row.step() ? row.int64(at: 0) : .min
  }
}

extension Statement {
  fileprivate func optionalName<Name: RawRepresentable<String>>(
    _ column: Int32
  ) throws(BadValue) -> Name? {
    type(at: column) == .null ? nil : try name(column, as: Name.self)
  }
}
