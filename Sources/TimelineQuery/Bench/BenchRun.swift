public import TimelineStore

/// One run of a bench: a session, and what it tells in numbers.
public struct BenchRun: Sendable, Hashable {
  /// Where it was read, for people.
  public var file: String
  /// The session.
  public var session: SessionRecord
  /// Its numbers.
  public var metrics: SessionMetrics

  /// Makes a run of numbers that are at hand.
  public init(file: String, session: SessionRecord, metrics: SessionMetrics) {
    self.file = file
    self.session = session
    self.metrics = metrics
  }

  /// Reads a session's numbers.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in samples and frames.
  public init(_ session: SessionRecord, in reader: RecordingReader) throws {
    self.init(
      file: reader.path, session: session, metrics: try SessionMetrics(session, in: reader))
  }
}
