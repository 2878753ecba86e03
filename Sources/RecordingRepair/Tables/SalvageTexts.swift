import TimelineStore

/// The texts that salvage runs on the new recording that it fills.
enum SalvageTexts {
  /// A table's columns with their types. See ``TableShape``.
  static func columns(of table: String) -> String { "PRAGMA table_info(\(table))" }

  /// Inserts the first columns of a table. A column of a later step keeps its default.
  static func insert(into table: String, _ columns: ArraySlice<String>) -> String {
    let parameters = (1...max(1, columns.count)).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
  }

  /// Rows of sealed frames whose pages were not free yet: the blocks have them too.
  static let dropSealedRows = """
    DELETE FROM plain_attribute WHERE EXISTS (SELECT 1 FROM segment AS s
      WHERE s.session = plain_attribute.session AND plain_attribute.frame > s.first_frame - s.is_part
        AND plain_attribute.frame <= s.last_frame)
    """

  /// Rows of frames that are lost. Nobody could say when they were shown.
  static let dropFramelessRows = """
    DELETE FROM plain_attribute WHERE NOT EXISTS (SELECT 1 FROM frame AS f
      WHERE f.session = plain_attribute.session AND f.frame = plain_attribute.frame)
    """

  /// Takes out the segment of the session ?1 that begins at the frame ?2.
  static let dropSegment = ["segment", "block"].map {
    "DELETE FROM \($0) WHERE session = ?1 AND first_frame = ?2"
  }

  /// Parts of a segment whose pages were not free yet when it was put together from them.
  static let dropPutTogether = """
    DELETE FROM segment WHERE is_part = 1 AND EXISTS (SELECT 1 FROM segment AS s
      WHERE s.session = segment.session AND s.is_part = 0 AND s.first_frame < segment.first_frame
        AND s.last_frame >= segment.first_frame)
    """

  /// Segments of which a frame or every block is lost.
  static let dropFramelessSegments = """
    DELETE FROM segment WHERE
      NOT EXISTS (SELECT 1 FROM block AS b
        WHERE b.session = segment.session AND b.first_frame = segment.first_frame)
      OR (SELECT count(*) FROM frame AS f WHERE f.session = segment.session
        AND f.frame BETWEEN segment.first_frame AND segment.last_frame)
        <> segment.last_frame - segment.first_frame + 1
    """
  static let dropLooseBlocks = """
    DELETE FROM block WHERE NOT EXISTS (SELECT 1 FROM segment AS s
      WHERE s.session = block.session AND s.first_frame = block.first_frame)
    """

  /// Sessions that have rows and whose own row is lost.
  static let namelessSessions =
    "SELECT session FROM ("
    + [
      "plain_sample", "frame", "plain_attribute", "touch", "event", "decision", "estimate",
      "segment", "sample_segment", "key",
      "item", "layout", "loss",
    ]
    .map { "SELECT session FROM \($0)" }.joined(separator: " UNION ")
    + ") WHERE session > 0 AND session NOT IN (SELECT session FROM session) ORDER BY session"
  static let identities = "SELECT uuid FROM session"
  static let addSession = """
    INSERT INTO session (session, uuid, name, schema_version, clock, software)
    VALUES (?1, ?2, 'recovered', ?3, 'unknown', 'unknown')
    """

  /// Keys and elements that have rows and whose own row is lost. The names say so.
  static let addKeys = """
    INSERT INTO key (session, key, name, role, unit)
    SELECT DISTINCT session, number, 'lost-name-' || number, 'custom', '1' FROM (
      SELECT session, slot >> 2 & 1073741823 AS number FROM plain_sample WHERE session > 0
      UNION SELECT session, key FROM sample_second
      UNION SELECT session, key FROM estimate
      UNION SELECT session, key FROM loss WHERE key IS NOT NULL) AS used
    WHERE NOT EXISTS (SELECT 1 FROM key AS k
      WHERE k.session = used.session AND k.key = used.number)
    """
  static let addItems = """
    INSERT INTO item (session, item, category, id)
    SELECT DISTINCT session, item, 'cell', 'lost-name-' || item FROM plain_attribute
    WHERE NOT EXISTS (SELECT 1 FROM item AS i
      WHERE i.session = plain_attribute.session AND i.item = plain_attribute.item)
    """

  /// 1 for a session whose first frame is not a key frame.
  static let isWithoutKeyFrame = """
    SELECT count(*) FROM frame WHERE session = ?1 AND is_key = 0
      AND frame = (SELECT min(frame) FROM frame WHERE session = ?1)
    """

  /// The clean-close mark of each session. NULL without one.
  static let marks = """
    SELECT session, uuid, name, end_ns, sample_count, frame_count, attribute_count, touch_count,
      event_count FROM session ORDER BY session
    """

  /// How many rows a session has of what its clean-close mark counts, in the order of the mark.
  static var counts: [String] { MaintenanceTexts.counts }

  /// How many numbers are left out of a sequence that counts without gaps, from 0 unless a part was taken
  /// out on purpose.
  static func missingNumbers(in table: String, _ column: String, isCut: Bool) -> String {
    """
    SELECT coalesce(max(\(column)) - \(isCut ? "min(\(column))" : "0") + 1 - count(*), 0)
    FROM \(table) WHERE session = ?1
    """
  }

  /// From when to when a session has rows.
  static let span = """
    SELECT coalesce(min(first), 0), coalesce(max(last), 0) FROM (
      SELECT min(t_ns) AS first, max(t_ns) AS last FROM plain_sample WHERE session = ?1
      UNION ALL SELECT min(first_ns), max(last_ns) FROM sample_segment WHERE session = ?1
      UNION ALL SELECT min(t_ns), max(t_ns) FROM frame WHERE session = ?1
      UNION ALL SELECT min(t_ns), max(t_ns) FROM touch WHERE session = ?1
      UNION ALL SELECT min(t_ns), max(t_ns) FROM event WHERE session = ?1)
    """
  /// Sessions without a clean close that had a journal. The lane is ``JournalTable/recoveredLane``
  /// where it was folded in, and below where it was read in part.
  static let openJournals = """
    SELECT session, max(lane) FROM journal WHERE lane <= \(JournalTable.recoveredLane)
      AND session IN (SELECT session FROM session WHERE end_ns IS NULL)
    GROUP BY session ORDER BY session
    """
  /// Says of a session that a part of it is known to be lost.
  static let markLost = """
    INSERT OR IGNORE INTO journal (session, lane, consumed)
    VALUES (?1, \(JournalTable.lostLane), 0)
    """
  static let nextLoss = "SELECT coalesce(max(sequence), -1) + 1 FROM loss WHERE session = ?1"

  /// Makes a clean-close mark count the rows that are there.
  static let correctCounts = """
    UPDATE session SET sample_count = ?2, frame_count = ?3, attribute_count = ?4, touch_count = ?5,
      event_count = ?6, lost_count = lost_count + ?7 WHERE session = ?1 AND end_ns IS NOT NULL
    """
  static let dropSummaries = ["key_summary", "item_summary"].map {
    "DELETE FROM \($0) WHERE session = ?1"
  }
}
