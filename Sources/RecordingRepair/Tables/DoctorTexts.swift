import TimelineStore

/// The questions that an examination asks. Each takes the session's number and gives rows of a count
/// and, where it says so, of a text that tells where.
enum DoctorTexts {
  /// A question whose answer should be 0.
  struct Question {
    var severity: FileFinding.Severity
    var what: String
    /// Follows the count in the finding's detail.
    var detail: String
    var advice: Advice
    /// Gives the count, and perhaps where the first of them is.
    var text: String
  }

  /// The remedy for a finding.
  enum Advice {
    case nothing
    case recover
    case checkRecorder
  }

  /// SQLite's own look at every page. The number bounds how much it says.
  static let integrity = "PRAGMA integrity_check(20)"

  /// - Parameter attributes: The words after FROM for the attributes that are plain rows.
  private static func questions(attributes: String) -> [Question] {
    [
      backwards(
        "frames", in: "frame", "frame", severity: .warning,
        detail: "frames are earlier than the one before, the first is frame"),
      backwards(
        "touches", in: "touch", "sequence", each: "PARTITION BY contact ", severity: .warning,
        detail: "touches are earlier than the one before of their contact, the first is touch"),
      backwards(
        "events", in: "event", "sequence", severity: .note,
        detail: "events are earlier than the one before, the first is event"),
      Question(
        severity: .warning, what: "clockStep",
        detail:
          "frames come more than a minute after one in which something moved, the first is frame",
        advice: .checkRecorder,
        // An app that rests shows no frames.
        text: """
          SELECT count(*), min(frame) FROM (SELECT frame,
            t_ns - lag(t_ns) OVER (ORDER BY frame) > 60000000000
              AND lag(phase) OVER (ORDER BY frame) <> 0 AS far
            FROM frame WHERE session = ?1) WHERE far
          """),
      Question(
        severity: .warning, what: "loss",
        detail: "values could not be kept. Rows in the view losses:", advice: .nothing,
        text: "SELECT coalesce(sum(count), 0), count(*) FROM loss WHERE session = ?1"),
      Question(
        severity: .warning, what: "unfinishedContact",
        detail: "contacts landed and never lifted, the first is contact", advice: .nothing,
        text: """
          SELECT count(*), min(contact) FROM (SELECT contact FROM touch WHERE session = ?1
            GROUP BY contact HAVING sum(phase = 'began') > sum(phase IN ('ended', 'cancelled')))
          """),
      Question(
        severity: .damage, what: "noKeyFrame",
        detail: "frames come before the first key frame, from frame", advice: .recover,
        text: """
          SELECT count(*), min(frame) FROM frame WHERE session = ?1 AND frame <
            coalesce((SELECT min(frame) FROM frame WHERE session = ?1 AND is_key = 1), frame + 1)
          """),
      Question(
        severity: .damage, what: "unknownKey",
        detail: "samples are of keys that the session does not have, the first is key",
        advice: .recover,
        text: """
          SELECT coalesce(sum(count), 0), min(key) FROM (
            SELECT slot >> 2 & 1073741823 AS key, count(*) AS count FROM plain_sample
              WHERE session = ?1 GROUP BY 1
            UNION ALL SELECT key, max(0, min(sample_count, 4294967295)) FROM sample_second
              WHERE session = ?1)
          WHERE key NOT IN (SELECT key FROM key WHERE session = ?1)
          """),
      Question(
        severity: .damage, what: "overlappingSamples",
        detail:
          "packed stretches of samples share an instant with the one before, the first is from ns",
        advice: .recover,
        text: """
          SELECT count(*), min(first_ns) FROM (SELECT first_ns,
            first_ns <= lag(last_ns) OVER (ORDER BY first_ns) AS shares
            FROM sample_segment WHERE session = ?1) WHERE shares
          """),
      Question(
        severity: .damage, what: "sampleSeconds",
        detail:
          "packed stretches of samples have other counts than their seconds, the first is from ns",
        advice: .recover,
        text: """
          SELECT count(*), min(first_ns) FROM (
            SELECT first_ns, row_count AS count FROM sample_segment WHERE session = ?1
            EXCEPT SELECT segment_ns, sum(max(0, min(sample_count, 4294967295))) FROM sample_second
              WHERE session = ?1 GROUP BY segment_ns
            UNION ALL SELECT DISTINCT segment_ns, 0 FROM sample_second WHERE session = ?1
              AND segment_ns NOT IN (SELECT first_ns FROM sample_segment WHERE session = ?1))
          """),
      lost(
        "unknownFrame", "frame", in: attributes, from: "frame",
        detail:
          "rows of attributes are of frames that the session does not have, the first is frame"),
      lost(
        "unknownItem", "item", in: attributes, from: "item",
        detail:
          "rows of attributes are of elements that the session does not have, the first is item"),
      lost(
        "segmentWithoutBlocks", "first_frame", in: "segment", from: "block",
        detail: "packed stretches of frames have no block, the first begins at frame"),
      lost(
        "blockWithoutSegment", "first_frame", in: "block", from: "segment",
        detail: "blocks belong to no packed stretch of frames, the first begins at frame"),
      Question(
        severity: .damage, what: "transitions",
        detail: "rows of transitions contradict the events or are missing, the first is of event",
        advice: .recover, text: TransitionTable.contradictions),
    ]
  }

  /// The questions about a session.
  ///
  /// - Parameters:
  ///   - isCut: Whether a part of it was taken out on purpose, so that its rows need not begin with 0.
  ///   - isTrimmed: Whether the part was chosen by time, so that rows whose times run backwards, and the
  ///     end of a contact, may be missing in between.
  ///   - attributes: The words after FROM for the attributes that are plain rows.
  static func questions(isCut: Bool, isTrimmed: Bool, attributes: String) -> [Question] {
    let always = questions(attributes: attributes).filter {
      !isTrimmed || $0.what != "unfinishedContact"
    }
    let numbered = ["touch", "event", "decision", "estimate"]
    return always + [hole(in: "frame", "frame", isCut: isCut)]
      + (isTrimmed ? [] : numbered.map { hole(in: $0, "sequence", isCut: isCut) })
  }

  private static func backwards(
    _ what: String, in table: String, _ column: String, each partition: String = "",
    severity: FileFinding.Severity, detail: String
  ) -> Question {
    Question(
      severity: severity, what: what + "Backwards", detail: detail,
      advice: severity == .note ? .nothing : .checkRecorder,
      text: """
        SELECT count(*), min(\(column)) FROM (SELECT \(column),
          t_ns < lag(t_ns) OVER (\(partition)ORDER BY \(column)) AS back
          FROM \(table) WHERE session = ?1) WHERE back
        """)
  }

  private static func lost(
    _ what: String, _ column: String, in table: String, from other: String, detail: String
  ) -> Question {
    Question(
      severity: .damage, what: what, detail: detail, advice: .recover,
      text: """
        SELECT count(*), min(\(column)) FROM \(table) WHERE session = ?1
          AND \(column) NOT IN (SELECT \(column) FROM \(other) WHERE session = ?1)
        """)
  }

  private static func hole(in table: String, _ column: String, isCut: Bool) -> Question {
    Question(
      severity: .damage, what: "missing\(table.prefix(1).uppercased())\(table.dropFirst())",
      detail: "rows are missing in \(table), which counts without gaps, the last there is",
      advice: .recover,
      text: """
        SELECT coalesce(max(\(column)) - \(isCut ? "min(\(column))" : "0") + 1 - count(*), 0),
          max(\(column)) FROM \(table) WHERE session = ?1
        """)
  }

  /// Rows of sessions that the file has not.
  static let lostSessions = """
    SELECT count(*), min(session) FROM (SELECT DISTINCT session FROM frame
      UNION SELECT DISTINCT session FROM event UNION SELECT DISTINCT session FROM key)
    WHERE session NOT IN (SELECT session FROM session)
    """
}
