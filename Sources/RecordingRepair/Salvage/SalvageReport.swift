package import TimelineModel
package import TimelineStore

/// The rows that a salvage brought back, and the lost ones.
package struct SalvageReport: Hashable, Sendable {
  /// The fate of one session.
  package struct Session: Hashable, Sendable {
    /// Its number, the same in the new recording.
    package var number: Int64
    /// Its identity. Made up where its own row is lost.
    package var uuid: String
    package var name: String?
    /// Whether it was closed, so that its losses are known by count.
    package var isClean: Bool
    /// How many rows there are now.
    package var kept = RecordCounts()
    /// The known losses, by count.
    package var losses: [Loss] = []
    /// How many rows came out of its crash journal.
    package var journalRows: Int64 = 0
    /// Other remarks, a sentence each.
    package var remarks: [String] = []
  }

  /// Rows of one sort that are not there any more.
  package struct Loss: Hashable, Sendable {
    /// Their kinds: samples, frames, attributes, touches, events, decisions, estimates.
    package var what: String
    /// How many. A lower bound where the session was not closed.
    package var count: Int64
  }

  /// The sessions, in the order of the file.
  package var sessions: [Session] = []
  /// Pages that could not be read as what they should be.
  package var damagedPages = 0
  /// Pages of rows that nothing led to any more, and that were read all the same.
  package var orphanPages = 0
  /// Pages of them that are of no table that is known.
  package var unknownPages = 0
  /// Rows that break a rule of their table.
  package var refusedRows = 0
  /// Frames of the log whose checksum fails.
  package var damagedLogFrames = 0
  /// Valid frames behind one of those, which SQLite does not read.
  package var logFramesBehindDamage = 0
  /// Whether a log belongs to the file and does not lie beside it.
  package var isWithoutLog = false

  /// Whether everything is there.
  package var isWhole: Bool {
    damagedPages == 0 && refusedRows == 0 && damagedLogFrames == 0 && !isWithoutLog
      && unknownPages == 0 && sessions.allSatisfy { $0.losses.isEmpty && $0.remarks.isEmpty }
  }
}

extension SalvageReport.Session: ResultRow {
  package static var fields: [ResultField<SalvageReport.Session>] {
    [
      ResultField("session", "The session's number.", \.number),
      ResultField("name", "The session's name.", \.name),
      ResultField("uuid", "The session's identity.", \.uuid),
      ResultField("clean", "Whether its recorder closed it.", \.isClean),
      ResultField("samples", "The number of samples after the recovery.", \.kept.samples),
      ResultField("frames", "The number of frames after the recovery.", \.kept.frames),
      ResultField("attributes", "Number of element rows after the recovery.", \.kept.attributes),
      ResultField("touches", "The number of touches after the recovery.", \.kept.touches),
      ResultField("events", "The number of events after the recovery.", \.kept.events),
      ResultField("from_journal", "The number of rows from the crash journal.", \.journalRows),
      ResultField("lost", "The known losses, counted by kind.") { session in
        FieldValue.object(session.losses.flatMap { EventField.list([$0.what: $0.count]) })
      },
      ResultField("remarks", "Further remarks, a sentence each.", \.remarks),
    ]
  }
}

extension RemovalRecord {
  /// Whether the rows that are there are fewer than a clean-close mark says by just what the recorder's
  /// own limit took out again.
  ///
  /// - Parameters:
  ///   - marked: The mark's counts, in the order of ``SalvageTexts/counts``.
  ///   - there: The rows that are there.
  ///   - cuts: The parts that were taken out of the session.
  static func isCutShort(_ marked: [Int64], _ there: [Int64], by cuts: [RemovalRecord]) -> Bool {
    let taken = cuts.filter { $0.reason == .limit }.reduce(Int64(0)) { $0 &+ $1.rowCount }
    let missing = zip(marked, there).map { $0 &- $1 }
    return taken > 0 && missing.allSatisfy { $0 >= 0 } && missing.reduce(0, &+) == taken
  }
}
