import SQLiteAccess
import TimelineModel

/// A stretch of time whose samples were packed.
package struct SampleSegmentRecord: Hashable, Sendable {
  /// The earliest instant, in nanoseconds of the session.
  package var first: Int64
  /// The latest instant, in nanoseconds of the session.
  package var last: Int64
  /// How many samples it has.
  package var rowCount: Int64

  /// More samples than this are in no segment. A decoder needs some 40 bytes for each.
  static let mostRows = 1_048_576

  /// Names a segment.
  package init(first: Int64, last: Int64, rowCount: Int64) {
    self.first = first
    self.last = last
    self.rowCount = rowCount
  }

  /// How many samples there are, where no damaged number says more than a segment can have.
  var sampleCount: Int? {
    rowCount <= Int64(Self.mostRows) ? Int(rowCount) : nil
  }
}

/// The table `sample_segment`: samples of a stretch of time, in one block.
struct SampleSegmentTable: RecordingTable, ~Copyable {
  static let name = "sample_segment"
  static let columns = [
    "session", "first_ns", "last_ns", "row_count", "phases", "checksum", "head", "data",
  ]
  /// No two segments of a session share an instant: of those that begin before the range, the last one alone
  /// can reach into it.
  private static let ofRange = """
     WHERE session = ?1 AND first_ns <= ?3 AND last_ns >= ?2 AND first_ns >= coalesce((
      SELECT first_ns FROM sample_segment WHERE session = ?1 AND first_ns <= ?2
      ORDER BY first_ns DESC LIMIT 1), ?2) ORDER BY first_ns
    """
  private static let selection =
    "SELECT session, first_ns, last_ns, row_count, checksum, head, rowid, phases FROM sample_segment"
  /// The columns of the head, of the row's number and of the phases in the texts that select segments.
  static let headColumn: Int32 = 5
  static let rowColumn: Int32 = 6
  static let phasesColumn: Int32 = 7
  static let existence = "SELECT EXISTS (SELECT 1 FROM sample_segment)"
  static let everyRow = selection + " ORDER BY session, first_ns"
  static let one = selection + " WHERE session = ?1 AND first_ns = ?2"
  static let ofSession = selection + " WHERE session = ?1 ORDER BY first_ns"
  static let inRange = selection + ofRange
  static let inRangeBackwards = inRange + " DESC"
  static let inRangeOfAnySession =
    selection + " WHERE first_ns <= ?2 AND last_ns >= ?1 ORDER BY session, first_ns"
  /// How many samples the segments of a session say that they have. Of the largest session where ?1 is NULL.
  static let sealedRows = """
    SELECT CAST(max(rows) AS INTEGER) FROM (SELECT total(max(row_count, 0)) AS rows FROM sample_segment
      WHERE session = coalesce(?1, session) GROUP BY session)
    """
  /// The earliest sealed instant of a session.
  static let first = "SELECT min(first_ns) FROM sample_segment WHERE session = ?1"
  static let removalText =
    "DELETE FROM sample_segment WHERE session = ?1 AND first_ns BETWEEN ?2 AND ?3"
  static var texts: [String] {
    [
      insertText, existence, everyRow, one, ofSession, inRange, inRangeBackwards,
      inRangeOfAnySession, first, sealedRows, removalText,
    ]
  }

  /// A row without its bytes, which may be anything.
  struct Row {
    var session: Int64
    var segment: SampleSegmentRecord
    var checksum: Int64
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> Row {
    let (first, last) = (try row.integer(1), try row.integer(2))
    guard first <= last else {
      throw BadValue(column: "last_ns", found: "\(last), which is before the first, \(first),")
    }
    return Row(
      session: try row.integer(0),
      segment: SampleSegmentRecord(first: first, last: last, rowCount: try row.rowNumber(3)),
      checksum: try row.integer(4))
  }
}

/// The table `sample_second`: what a key did in one second of a sealed segment.
struct SampleSecondTable: ReadableTable, ~Copyable {
  static let name = "sample_second"
  static let columns = [
    "session", "segment_ns", "key", "second", "first_value", "last_value", "min_value", "max_value",
    "sample_count", "first_ns", "last_ns",
  ]
  static let removalText =
    "DELETE FROM sample_second WHERE session = ?1 AND segment_ns BETWEEN ?2 AND ?3"
  static let removeAll = "DELETE FROM sample_second"
  private static let selection = """
    SELECT s.key, s.segment_ns, s.sample_count, s.first_ns, s.last_ns, s.first_value, s.last_value,
      s.min_value, s.max_value, s.second FROM sample_second AS s

    """
  static let ofSegment =
    selection + "WHERE s.session = ?1 AND s.segment_ns = ?2 ORDER BY s.key, s.second"
  static let inRange =
    """
    SELECT s.key, s.segment_ns, s.sample_count, s.first_ns, s.last_ns, s.first_value, s.last_value,
      s.min_value, s.max_value, s.second FROM sample_segment AS g CROSS JOIN sample_second AS s
      WHERE g.session = ?1 AND s.session = ?1 AND s.segment_ns = g.first_ns AND s.last_ns >= ?2 AND s.first_ns <= ?3
      ORDER BY g.first_ns
    """
  static let phases =
    "SELECT phases FROM sample_segment WHERE session = ?1 AND first_ns = ?2"
  /// The most samples that a key of a session has in a second.
  static let largest = "SELECT max(sample_count) FROM sample_second WHERE session = ?1"
  static var texts: [String] {
    [insertText, removalText, removeAll, inRange, ofSegment, phases, largest]
  }

  /// What a key did in a second of a segment.
  struct Row: Equatable {
    var key: KeyHandle { summary.key }
    /// Where the segment begins.
    var segment: Int64
    /// Which second of the session it is.
    var second: Int64
    var summary: KeySummary
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> Row {
    let (first, last) = (try row.integer(3), try row.integer(4))
    // A second is no longer than that.
    guard first <= last, last &- first >= 0, last &- first < 1_000_000_000 else {
      throw BadValue(column: "last_ns", found: "\(last), which is not a second after \(first),")
    }
    var summary = KeySummary(
      key: KeyHandle(rawValue: try row.handle(0)),
      only: Sample(time: Instant(nanoseconds: first), value: try row.compactReal(5)))
    summary.sampleCount = try row.rowNumber(2)
    summary.last = Sample(time: Instant(nanoseconds: last), value: try row.compactReal(6))
    summary.smallest = try row.compactReal(7)
    summary.largest = try row.compactReal(8)
    return Row(segment: try row.integer(1), second: try row.integer(9), summary: summary)
  }
}

/// The instants from which on a segment's samples are of another phase, as its column `phases` has them.
struct SegmentPhases {
  private var runs: [(time: Int64, phase: MotionPhase)] = []

  /// Reads the column. What makes no sense in it is passed over.
  init(_ text: String) {
    let numbers = text.split { !($0.isNumber || $0 == "-") }.compactMap { Int64($0) }
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      runs.append((numbers[index], MotionPhase(stored: numbers[index + 1]) ?? .idle))
    }
  }

  /// The phase at an instant. Idle before the first.
  func phase(at time: Instant) -> MotionPhase {
    runs.last { $0.time <= time.nanoseconds }?.phase ?? .idle
  }
}
