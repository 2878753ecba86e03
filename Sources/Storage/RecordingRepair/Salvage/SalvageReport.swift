/// What a salvage brought back, and what it could not.
public struct SalvageReport: Hashable, Sendable {
  /// What became of one session.
  public struct Session: Hashable, Sendable {
    /// Its number, the same in the new recording.
    public var number: Int64
    /// Its identity; made up where its own row is lost.
    public var uuid: String
    /// Its name.
    public var name: String?
    /// Whether it was closed, so that its losses are known by count.
    public var isClean: Bool
    /// How many rows there are now.
    public var kept = RecordCounts()
    /// What is known to be lost, by count.
    public var losses: [Loss] = []
    /// How many rows came out of its crash journal.
    public var journalRows: Int64 = 0
    /// What else there is to say, a sentence each.
    public var remarks: [String] = []
  }

  /// Rows of one sort that are not there any more.
  public struct Loss: Hashable, Sendable {
    /// What they were: samples, frames, attributes, touches, events, decisions, estimates.
    public var what: String
    /// How many; where the session was not closed, at least so many.
    public var count: Int64
  }

  /// The sessions, in the order of the file.
  public var sessions: [Session] = []
  /// Pages that could not be read as what they should be.
  public var damagedPages = 0
  /// Pages of rows that nothing led to any more, and that were read all the same.
  public var orphanPages = 0
  /// Pages of them that are of no table that is known.
  public var unknownPages = 0
  /// Rows that break a rule of their table.
  public var refusedRows = 0
  /// Frames of the log whose checksum fails.
  public var damagedLogFrames = 0
  /// Valid frames behind one of those, which SQLite does not read.
  public var logFramesBehindDamage = 0
  /// Whether a log belongs to the file and does not lie beside it.
  public var isWithoutLog = false

  /// Whether everything is there.
  public var isWhole: Bool {
    damagedPages == 0 && refusedRows == 0 && damagedLogFrames == 0 && !isWithoutLog
      && unknownPages == 0 && sessions.allSatisfy { $0.losses.isEmpty && $0.remarks.isEmpty }
  }
}
