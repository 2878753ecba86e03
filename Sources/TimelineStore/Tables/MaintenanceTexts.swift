/// The texts that take rows out of a recording, and that count what is left.
package enum MaintenanceTexts {
  /// Takes a session's rows out of a table. ?1: the session.
  static func removal(from table: String) -> String {
    "DELETE FROM \(table) WHERE session = ?1"
  }

  /// The tables that a session has rows in. Its own row comes last.
  static let sessionTables = [
    SampleTable.name, SampleSegmentTable.name, SampleSecondTable.name, AttributeTable.name,
    BlockTable.name, SegmentTable.name, FrameTable.name,
    TouchTable.name, EventTable.name, DecisionTable.name, EstimateTable.name, LossTable.name,
    TransitionTable.name, LabelTable.name, OriginTable.name, ItemSummaryTable.name,
    KeySummaryTable.name, ItemTable.name,
    KeyTable.name, LayoutTable.name,
    JournalTable.name, SessionTable.name,
  ]

  /// Tables whose rows a person would count.
  static let rowTables = [
    SampleTable.name, AttributeTable.name, FrameTable.name, TouchTable.name, EventTable.name,
  ]

  private static let numbered = [
    TouchTable.name, EventTable.name, DecisionTable.name, EstimateTable.name,
  ]

  /// Takes out what was given before the first row that is later than ?2. Reads no row beyond it.
  static let upTo = numbered.map {
    """
    DELETE FROM \($0) WHERE session = ?1 AND sequence < coalesce((SELECT sequence FROM \($0)
    WHERE session = ?1 AND t_ns > ?2 ORDER BY sequence LIMIT 1), 9223372036854775807)
    """
  }

  /// Takes out what is earlier than ?2 or later than ?3.
  static let after = numbered.map {
    "DELETE FROM \($0) WHERE session = ?1 AND (t_ns < ?2 OR t_ns > ?3)"
  }

  /// Takes out samples from ?2 to ?3.
  static let samplesBetween =
    "DELETE FROM plain_sample WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3"
  /// Takes out samples before ?2 and after ?3.
  static let samplesOutside =
    "DELETE FROM plain_sample WHERE session = ?1 AND (t_ns < ?2 OR t_ns > ?3)"

  /// Takes out frames before the frame ?2, which is a key frame.
  static let beforeFrame = [
    "DELETE FROM plain_attribute WHERE session = ?1 AND frame < ?2",
    """
    DELETE FROM block WHERE session = ?1 AND first_frame IN
    (SELECT first_frame FROM segment WHERE session = ?1 AND last_frame < ?2)
    """,
    "DELETE FROM segment WHERE session = ?1 AND last_frame < ?2",
    "DELETE FROM frame WHERE session = ?1 AND frame < ?2",
  ]

  /// Takes out frames after the frame ?2.
  static let afterFrame = [
    "DELETE FROM plain_attribute WHERE session = ?1 AND frame > ?2",
    "DELETE FROM block WHERE session = ?1 AND first_frame > ?2",
    "DELETE FROM segment WHERE session = ?1 AND first_frame > ?2",
    "DELETE FROM frame WHERE session = ?1 AND frame > ?2",
  ]

  /// The newest key frame shown at or before ?2.
  static let keyFrameUpTo = """
    SELECT max(frame) FROM frame WHERE session = ?1 AND is_key = 1 AND t_ns <= ?2
    """
  /// The first frame at or after ?2, and at or before ?3.
  static let firstFrameFrom = """
    SELECT min(frame) FROM frame WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3
    """
  /// The last frame at or after ?2, and at or before ?3.
  static let lastFrameUpTo = """
    SELECT max(frame) FROM frame WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3
    """
  static let makeKeyFrame = "UPDATE frame SET is_key = 1 WHERE session = ?1 AND frame = ?2"
  /// The oldest session but ?1.
  static let oldestSession = "SELECT min(session) FROM session WHERE session <> ?1"
  static let firstSample = """
    SELECT min(t_ns) FROM (SELECT min(t_ns) AS t_ns FROM plain_sample WHERE session = ?1
      UNION ALL SELECT min(first_ns) FROM sample_segment WHERE session = ?1)
    """
  static let firstFrame = "SELECT t_ns FROM frame WHERE session = ?1 ORDER BY frame LIMIT 1"
  static let firstTouch = "SELECT t_ns FROM touch WHERE session = ?1 ORDER BY sequence LIMIT 1"

  static let firstEvent = "SELECT t_ns FROM event WHERE session = ?1 ORDER BY sequence LIMIT 1"
  /// When the second of a session's key frames was shown.
  static let secondKeyFrame = """
    SELECT t_ns FROM frame WHERE session = ?1 AND is_key = 1 ORDER BY frame LIMIT 1 OFFSET 1
    """

  /// The instant of the last row, as far as it is the latest.
  static let newestInstant = """
    SELECT max(t_ns) FROM (SELECT max(t_ns) AS t_ns FROM plain_sample WHERE session = ?1
      UNION ALL SELECT last_ns FROM (SELECT last_ns FROM sample_segment WHERE session = ?1
        ORDER BY first_ns DESC LIMIT 1)
      UNION ALL SELECT t_ns FROM (SELECT t_ns FROM frame WHERE session = ?1
        ORDER BY frame DESC LIMIT 1)
      UNION ALL SELECT t_ns FROM (SELECT t_ns FROM touch WHERE session = ?1
        ORDER BY sequence DESC LIMIT 1)
      UNION ALL SELECT t_ns FROM (SELECT t_ns FROM event WHERE session = ?1
        ORDER BY sequence DESC LIMIT 1))
    """
  /// When a session began by the wall clock, in nanoseconds.
  static let startOnWallClock = "SELECT wall_clock_ns FROM session WHERE session = ?1"
  /// When a closed session ended by the wall clock, in nanoseconds.
  static let endOnWallClock = """
    SELECT wall_clock_ns + coalesce(end_ns, 0) FROM session WHERE session = ?1
    """

  /// Rows that stand in segments alone, of those that begin after the frame ?2 and end before ?3. No segment has
  /// more than 2^32 rows, whatever a damaged file says of it.
  static let sealedRows = """
    SELECT coalesce(sum(max(0, min(row_count, 4294967295))), 0) - (SELECT count(*) FROM plain_attribute WHERE session = ?1
      AND frame IN (SELECT first_frame FROM segment
        WHERE session = ?1 AND first_frame > ?2 AND last_frame < ?3 AND is_part = 0))
    FROM segment WHERE session = ?1 AND first_frame > ?2 AND last_frame < ?3
    """

  static let frameCount = "SELECT count(*) FROM frame WHERE session = ?1"
  /// Samples, those that are sealed included. No segment has more than 2^32, whatever a damaged file says of it.
  static let sampleCount = """
    SELECT (SELECT count(*) FROM plain_sample WHERE session = ?1) + (
      SELECT coalesce(sum(max(0, min(row_count, 4294967295))), 0) FROM sample_segment
      WHERE session = ?1)
    """
  /// Samples in the segments that begin from ?2 to ?3.
  static let sealedSamples = """
    SELECT coalesce(sum(max(0, min(row_count, 4294967295))), 0) FROM sample_segment
    WHERE session = ?1 AND first_ns BETWEEN ?2 AND ?3
    """
  static let touchCount = "SELECT count(*) FROM touch WHERE session = ?1"
  static let eventCount = "SELECT count(*) FROM event WHERE session = ?1"
  /// Rows of attributes, those that are sealed included: a sealed key frame's rows are in both.
  static let attributeCount = """
    SELECT (SELECT count(*) FROM plain_attribute WHERE session = ?1)
      + coalesce((SELECT sum(row_count) FROM segment WHERE session = ?1), 0)
      - (SELECT count(*) FROM plain_attribute WHERE session = ?1
        AND frame IN (SELECT first_frame FROM segment WHERE session = ?1 AND is_part = 0))
    """
  /// The counts that ``updateCounts`` sets, in its order.
  package static let counts = [sampleCount, frameCount, attributeCount, touchCount, eventCount]
  /// Sets the clean-close mark's counts and its end, where the session has one.
  static let updateCounts = """
    UPDATE session SET sample_count = ?2, frame_count = ?3, attribute_count = ?4, touch_count = ?5,
    event_count = ?6, end_ns = min(end_ns, ?7) WHERE session = ?1 AND end_ns IS NOT NULL
    """
  /// Adds to what was taken out of a session before, for the reason ?6.
  static let addToRemoval = """
    UPDATE removal SET is_whole = max(is_whole, ?2), first_ns = min(first_ns, ?3),
    last_ns = max(last_ns, ?4), row_count = row_count + ?5 WHERE session = ?1 AND reason = ?6
    """

  /// Bytes that hold something, in pages that are not free.
  static let usedPages = """
    SELECT (p.page_count - f.freelist_count) * s.page_size
    FROM pragma_page_count AS p, pragma_freelist_count AS f, pragma_page_size AS s
    """
}
