package import TimelineModel
public import TimelineStore

extension SessionRecord: ResultRow {
  /// A session as listings have it.
  package static var fields: [ResultField<SessionRecord>] {
    [
      ResultField("session", "The session's number in the file.", \.number),
      ResultField("name", "The session's name.", \.description.name),
      ResultField("uuid", "The session's identity.", \.uuid),
      ResultField("start", "The time in UTC at which the session began.") {
        $0.description.wallClockStartNanoseconds.map(UTCText.exactText)
      },
      ResultField(TimelineEvent.duration, unit: "s", "The session's duration.", \.end?.seconds),
      ResultField("outcome", "The outcome: finished, cancelled, open or none.", \.outcome),
      ResultField("clean", "Whether the recorder closed the session.", \.isClean),
      ResultField("samples", "The number of samples of all keys.", \.counts?.samples),
      ResultField("frames", "The number of display frames.", \.counts?.frames),
      ResultField("touches", "The number of touches.", \.counts?.touches),
      ResultField("events", "The number of events.", \.counts?.events),
      ResultField("lost", "The number of records that could not be kept.", \.counts?.lost),
      ResultField("clock", "The clock of the session's instants.", \.description.clock),
      ResultField("refresh_rate", unit: "Hz", "Refreshes per second.", \.description.refreshRate),
      ResultField("viewport", unit: "pt", "Viewport width and height.", \.description.viewport),
      ResultField("software", "The program that recorded the session.", \.description.software),
      ResultField("engine_version", "The version of the engine.", \.description.engineVersion),
      ResultField("device", "The device of the touches.", \.description.device),
      ResultField("gesture_source", "The source of the touches.", \.description.gestureSource),
      ResultField("origin", "The session that this one runs again.", inTable: false) {
        $0.description.origin?.row
      },
    ]
  }

  /// The fields that identify a session.
  package static var nameFields: [ResultField<SessionRecord>] {
    fields.choosing("session", "name", "uuid")
  }

  /// The fields of a session that was just recorded.
  package static var madeFields: [ResultField<SessionRecord>] {
    fields.choosing(
      "session", "name", "uuid", "outcome", TimelineEvent.duration, "frames", "samples", "touches",
      "events",
      "lost")
  }
}

/// A session with counts that its own row in the file does not have.
package struct SessionListing: ResultRow {
  var session: SessionRecord
  var releases: [ReleaseRecord]
  var labelCount: Int

  /// Reads the counts.
  package init(
    _ session: SessionRecord, in reader: RecordingReader, _ labels: RecordingLabels
  ) throws {
    self.session = session
    releases = try reader.releases(in: session.number).all
    labelCount = labels.labels(in: session.number).count
  }

  package static var fields: [ResultField<SessionListing>] {
    SessionRecord.fields.of(\.session) + counts
  }

  private static var counts: [ResultField<SessionListing>] {
    [
      ResultField("releases", "The number of releases.", \.releases.count),
      ResultField("derived", "The number of releases without a recorded decision.") {
        $0.releases.count { $0.derived != nil }
      },
      ResultField("labels", "The number of transitions with a label.", \.labelCount),
    ]
  }

  /// The columns: the counts follow those of the session's rows.
  ///
  /// - Parameter forPeople: Whether fields are left out that no table has room for.
  package static func columns(forPeople: Bool) -> [String] {
    var names = forPeople ? SessionRecord.fields.tableColumns() : SessionRecord.columns
    names.insert(contentsOf: counts.names(), at: names.firstIndex(of: "lost") ?? names.endIndex)
    return names
  }
}

/// A session with its keys and its file: a row of `kymo show FILE`.
package struct FileOverview: ResultRow {
  let path: String
  let sizes: RecordingReader.FileSizes
  let schema: Int64
  let session: SessionOverview
  let keys: [KeyListing]

  /// The fields that only a recording has.
  package static let fieldsOfRecordings: Set = ["start", "log_bytes", "schema"]

  package static var fields: [ResultField<FileOverview>] {
    [
      ResultField("file", "The path of the recording.", \.path),
      ResultField("bytes", unit: "B", "The size of the file.", \.sizes.databaseBytes),
      ResultField("log_bytes", unit: "B", "The size of the write-ahead log.", \.sizes.logBytes),
      ResultField("schema", "The version of the file's schema.", \.schema),
    ] + SessionOverview.fields.of(\.session) + [
      ResultField(list: "keys", "The keys of the session.", KeyListing.fields, \.keys)
    ]
  }
}

/// What `kymo show`, `kymo list sessions`, `kymo list keys` and `kymo list labels` print.
extension RecordingReader {
  /// The rows that `kymo show FILE --json` prints: one for each session, with its keys inside.
  ///
  /// `bytes` and `log_bytes` are sizes in bytes. If the labels next to the file cannot be read, the rows have those of
  /// the recording alone.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames and events, and in the samples of sessions without summaries.
  package func overviewRows() throws -> [[EventField]] {
    let (sessions, labels) = try inOneState {
      let sessions = try sessionRecords()
      return (sessions, try RecordingLabels.asFarAsReadable(of: self, sessions: sessions).labels)
    }
    return try overviewRows(of: sessions, labels: labels)
  }

  /// The same of these sessions, with these labels.
  package func overviewRows(
    of sessions: [SessionRecord], labels: RecordingLabels
  ) throws -> [[EventField]] {
    let sizes = fileSizes
    return try sessions.map { session in
      try inOneState {
        try FileOverview(
          path: path, sizes: sizes, schema: schemaVersion(),
          session: SessionOverview(session, in: self, labels: labels),
          keys: KeyListing.all(keys(in: session.number), in: session.number, of: self)
        ).row
      }
    }
  }

  /// A row for each key of a session.
  ///
  /// - Parameter session: The session's number.
  /// - Throws: `StoreError` when the file cannot be read.
  package func keyRows(in session: Int64) throws -> [[EventField]] {
    try KeyListing.all(keys(in: session), in: session, of: self).rows
  }

  /// The releases of a session with their labels, then the labels of transitions that were never released.
  ///
  /// - Throws: `StoreError` when the file cannot be read, or what is wrong with the labels beside it.
  public func labelledReleases(in session: SessionRecord) throws -> [LabelledRelease] {
    try LabelledRelease.all(of: session, in: self, RecordingLabels(of: self))
  }
}
