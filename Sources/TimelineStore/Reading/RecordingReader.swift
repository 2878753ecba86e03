// More than 400 lines: the connection, its views and its state change together, so that no other file touches them.

package import SQLiteAccess
import TimelineSchema

/// A recording that is open for reading. Nothing of the database or its log is ever changed.
///
/// ```swift
/// let reader = try RecordingReader(path: "run.kymo")
/// for session in try reader.sessionRecords() {
///   print(session.number, session.description.name ?? "", session.isClean)
/// }
/// ```
///
/// A cursor reads one state of the file, from its first row to its last, also while the file is being recorded. It
/// keeps that state until its last row is read or it is released. Until then another program may wait to write, and the
/// recorder's log stays next to the file. So read a cursor to its end before you wait for a person or for new rows, and
/// make a new one for each look. The reader is not Sendable: it owns a connection, which belongs to one thread at a
/// time.
public final class RecordingReader {
  /// The file, as the caller named it.
  public let path: String
  /// Whether the file has a log that is not beside it, and a session may be incomplete. The file may have
  /// been copied alone while it was being recorded, or after its recorder was killed. The program that closes
  /// the file last moves its log into it and removes the log.
  package private(set) var isWithoutLog: Bool
  /// Whether the file was written by a newer program. What that program added is not shown.
  package let isFromNewerProgram: Bool
  /// Whether crash journals of killed recorders are beside the file. Their rows are shown.
  package private(set) var hasDeadJournals = false
  /// Whether a killed program left a change half done. The file is then shown as it was before the change,
  /// from a temporary copy that lives as long as the reader.
  package let isRolledBack: Bool
  package let connection: Connection
  /// The file's full path, links followed, which its log and its crash journals are named by.
  package let filePath: String
  /// How much of SQLite's work one question of ours may take. A caller's own query may take any.
  private let workLimit: WorkLimit
  /// How many queries of the caller's have rows left.
  private var openQueries = 0
  /// What ``MergedSampleRows`` keeps while a query runs.
  var keptKeys: MergedSampleRows.KeptKeys?
  /// The TEMP views that are in place.
  var views: ReadingViews
  /// Unpacks what was sealed.
  package let sealedSegments: SealedSegments
  /// Unpacks sealed samples.
  package let sealedSamples: SealedSamples
  /// Rows that lie in crash journals still.
  private var overlay: JournalOverlay?
  /// Compiles our own questions, each once.
  private let statements: StatementMaker
  /// Keeps one state of the file. `nil`: each question is about the newest.
  var state: KeptStatement?
  /// Whether the views that queries need were made, or compared, in this state.
  var viewsAreOfState = false
  /// How many pieces of work need one state at the moment.
  var stateUses = 0
  /// Whether it is kept beyond these.
  var isStateKept = false
  /// What the file was when it was opened without locks. `nil`: it is read with locks.
  let restingStamp: FileStamp?

  /// Steps that any question of ours may take, whatever the size of the file: some hundredths of a second
  /// of work.
  private static let fewestSteps: Int64 = 1_000_000

  /// Steps that a question may take for each byte of the file. The dearest, an examination's look at the
  /// order of touches, takes five. This is ten times as much.
  private static let stepsForByte: Int64 = 50

  /// So many times the usual steps may be taken to show crash journals: values of one instant are
  /// numbered by looking at all those before them.
  private static let journalFactor: Int64 = 100

  /// Opens a recording of this schema version, of an older one or of a newer one. An older recording has no
  /// values for later columns. A newer recording opens if it still has everything that this version knows.
  ///
  /// A finished recording opens in a folder that cannot be written. One that is still being recorded,
  /// or whose recorder was killed, is read together with the log beside it.
  ///
  /// - Throws: ``StoreError``: the file is missing, empty, not a database or not a recording. Or it is too
  ///   new to be read, or its log is in a folder that cannot be written.
  public convenience init(path: String) throws(StoreError) {
    try self.init(path: path, named: nil)
  }
  /// - Parameters:
  ///   - milliseconds: How long a question waits for another program's lock.
  ///   - name: The file that the recording was made of, for ``path``. `nil`: it is itself.
  package init(
    path: String, waiting milliseconds: Int32 = RecordingFormat.busyTimeoutMilliseconds,
    named name: String?
  ) throws(StoreError) {
    self.path = name ?? path
    try FileFacts.requireFile(path)
    let limit = WorkLimit()
    var (isRolledBack, isResting) = (false, false)
    connection = try RecordingReader.open(
      path, limit, waiting: milliseconds, &isRolledBack, &isResting)
    self.isRolledBack = isRolledBack
    filePath = isRolledBack ? FileFacts.resolved(path) : connection.filePath
    workLimit = limit
    isWithoutLog = connection.isInLogMode && FileFacts(of: filePath + "-wal") == .absent
    restingStamp = isResting ? FileStamp(filePath.utf8) : nil
    let look = try naming(path, try connection.prepare(FileHeader.look))
    _ = try naming(path, try look.step())
    let version: Int64
    switch try Migrator.inspect(connection) {
    case .empty: throw isRolledBack ? .unfinishedChange(path) : .notARecording(path)
    case .recording(let found): version = found
    }
    isFromNewerProgram = version > Int64(Schema.version)
    let schema = try FileSchema(connection, version: version)
    views = ReadingViews(version: min(version, Int64(Schema.version)))
    views.standBeforeFile = !schema.hasOurViews
    statements = StatementMaker(connection)
    sealedSegments = SealedSegments(statements)
    sealedSamples = SealedSamples(statements)
    try registerVirtualTables()
    limitWork()
    if version >= JournalOverlay.firstVersion, !isFromNewerProgram {
      let open = try CrashJournalRecovery.openSessions(connection, beside: filePath)
      look.reset()
      if !open.isEmpty { limitWork(factor: Self.journalFactor) }
      let overlay = try JournalOverlay(connection, of: open, beside: filePath, version: version)
      views.overlaidTables = overlay.tables
      hasDeadJournals = !overlay.isEmpty
      self.overlay = consume overlay
    }
    look.reset()
    limitWork()
    try install(views)
    if isFromNewerProgram { try checkNewerSchema(version) }
    try naming(path, try connection.allowReadingOnly())
    if isWithoutLog { isWithoutLog = !isWholeWithoutLog(isTorn: true) }
  }

  /// Steps that the bytes of a recording and of what lies beside it are worth. No limit for a file that
  /// was moved or removed since it was opened, whose size nobody knows any more.
  private static func steps(forBytesOf recording: String) -> Int64 {
    guard FileFacts(of: recording).bytes > 0 else { return .max }
    let journals = CrashJournal.sessions(beside: recording).map {
      CrashJournal.path(of: recording, session: $0)
    }
    return ([recording, recording + "-wal"] + journals).reduce(0) { sum, path in
      let (steps, overflow) = FileFacts(of: path).bytes.multipliedReportingOverflow(
        by: stepsForByte)
      return overflow ? .max : sum.addingReportingOverflow(steps).overflow ? .max : sum + steps
    }
  }

  /// Lets statements take as long as they like until ``endQuery()``.
  func beginQuery() {
    if openQueries == 0 { keptKeys = nil }
    openQueries += 1
    workLimit.allow(nil)
  }

  /// Limits what statements may take again, when no query is left.
  func endQuery() {
    openQueries -= 1
    guard openQueries == 0 else { return }
    limitWork()
  }

  /// Limits what statements may take, by the size of the file.
  private func limitWork(factor: Int64 = 1) {
    let recording = filePath
    workLimit.allow(Self.fewestSteps * factor) {
      let (steps, overflow) = Self.steps(forBytesOf: recording)
        .multipliedReportingOverflow(by: factor)
      return overflow ? .max : steps
    }
  }

  /// Makes sealed rows, whether or not the file has any yet, and derived releases known to SQL.
  private func registerVirtualTables() throws(StoreError) {
    let maker = StatementMaker(ownedBy: connection)
    let (segments, samples) = (SealedSegments(maker), SealedSamples(maker))
    try naming(path) { () throws(SQLiteError) in
      try connection.register(ReadingViews.derivedReleases) {
        [weak self] request throws(VirtualTableError) in
        try DerivedReleaseRows(self, session: request.first)
      }
      try connection.register(SealedAttributeRows.table) { request throws(VirtualTableError) in
        try SealedAttributeRows(segments, request)
      }
      try connection.register(SealedSampleRows.table) { request throws(VirtualTableError) in
        try SealedSampleRows(samples, request)
      }
      try connection.register(ReadingViews.mergedRows) {
        [weak self] request throws(VirtualTableError) in
        try MergedSampleRows(self, request)
      }
    }
  }

  /// The tables of which the file has sealed rows.
  private func sealedTables() throws(StoreError) -> [String] {
    var tables: [String] = []
    if views.version >= 3, try naming(path, try connection.integer(SegmentTable.any) != nil) {
      tables.append(AttributeTable.name)
    }
    if mayHaveSealedSamples,
      try naming(path, try connection.integer(SampleSegmentTable.existence) == 1)
    {
      tables.append(SampleTable.name)
    }
    return tables
  }

  /// Whether the file is of a version that can have sealed samples.
  package var mayHaveSealedSamples: Bool { views.version >= 4 }

  /// From which instant on, in nanoseconds, a session has sealed samples. `nil`: all of its samples are plain rows.
  package func firstSealedSample(in session: Int64) throws(StoreError) -> Int64? {
    guard mayHaveSealedSamples else { return nil }
    let row = try prepare(SampleSegmentTable.first, [session])
    return try naming(path, try row.step() && row.type(at: 0) == .integer ? row.int64(at: 0) : nil)
  }

  /// From which frame on a session has sealed poses, which no SQLite tool but ours reads. `nil`: all of its
  /// poses are plain rows.
  package func firstSealedFrame(in session: Int64) throws(StoreError) -> Int64? {
    guard views.version >= 3 else { return nil }
    let row = try prepare(SegmentTable.first, [session])
    return try naming(path, try row.step() && row.type(at: 0) == .integer ? row.int64(at: 0) : nil)
  }

  /// What SQLite tools other than ours make of a session with packed poses: from version 4 on its views say that
  /// rows are missing.
  package var sightOfSealedPoses: String {
    views.version >= 4
      ? "SQLite tools other than kymo get an error for its attributes, and read key_poses"
      : "SQLite tools other than kymo read only its key frames, without an error, until kymo file migrate"
  }

  /// The same of a session with packed samples.
  package static let sightOfSealedSamples =
    "SQLite tools other than kymo get an error for its samples, and read key_samples"

  /// Whether rows of transitions are made of events and decisions, as the file has not all of them.
  package var derivesTransitions: Bool { views.derivesTransitions }

  /// What stands behind FROM for the attributes that are plain rows.
  package var plainAttributes: String { views.plainRows(of: AttributeTable.self) }

  /// A text that asks for samples, of those that are plain rows: once a query of the caller's was prepared, the
  /// table's name stands for the sealed ones too.
  func onPlainSamples(_ text: String) -> String {
    views.sealedTables.contains(SampleTable.name)
      ? text.substituting(SampleTable.name, with: views.plainRows(of: SampleTable.self)) : text
  }

  /// Whether all plain samples are in the pages of the file itself, and stay there while they are read.
  var hasAllPlainSamplesInPages: Bool {
    views.version == Int64(Schema.version) && !views.overlaidTables.contains(SampleTable.name)
      && (restingStamp != nil || !connection.isInLogMode)
  }

  /// What stands behind FROM for the rows of a table that are carried over as they are.
  func sourceForCopying(_ table: AllTables.Facts) -> String {
    switch table.name {
    case AttributeTable.name: plainAttributes
    case SampleTable.name: views.plainRows(of: SampleTable.self)
    default: table.name
    }
  }

  /// Makes the TEMP views.
  private func install(_ views: ReadingViews) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      for text in views.texts { try connection.execute(text) }
    }
  }

  /// A newer schema can be read where each of our texts still has its meaning.
  private func checkNewerSchema(_ version: Int64) throws(StoreError) {
    for text in ReadingViews.everythingAsked {
      do {
        _ = try connection.prepare(text)
      } catch {
        throw .newerSchema(path, found: version, known: Schema.version)
      }
    }
  }

  /// Opens the file in the way that its log asks for.
  private static func open(
    _ path: String, _ limit: WorkLimit, waiting milliseconds: Int32, _ isRolledBack: inout Bool,
    _ isResting: inout Bool
  ) throws(StoreError) -> Connection {
    let plain = try naming(path, try Connection(path: path, for: .reading))
    limit.allow(FileSchema.mostSteps)
    plain.obey(limit)
    // From the first look on: a recorder that is just closing holds the file for a moment.
    plain.setBusyTimeout(milliseconds: milliseconds)
    // Before the header is believed: what it says of a log may be a part of the change that is taken back.
    if FileFacts(of: plain.filePath + "-journal").bytes > 0 {
      do {
        _ = try plain.integer(FileHeader.definitionCount)
      } catch {
        if error.kind == .needsRollback {
          isRolledBack = true
          let copy = try RolledBackCopy.connection(to: plain.filePath, path: path, limit)
          copy.obey(limit)
          return copy
        }
        guard plain.isInLogMode else { throw StoreError(error, path: path) }
      }
    }
    guard plain.isInLogMode else { return plain }
    // In log mode a reader needs the log's index, which SQLite makes as a file beside the log. With
    // no log there is no writer either, and the file is whole as it lies: it is read without locks, so
    // that no file appears beside it. Whoever writes it after that is noticed at the next question.
    if isAtRest(plain) {
      isResting = true
      let unchanging = try naming(path, try Connection(path: path, for: .readingUnchanging))
      unchanging.obey(limit)
      return unchanging
    }
    do {
      _ = try plain.integer(FileHeader.definitionCount)
    } catch {
      if error.kind == .cannotOpen || error.kind == .readOnly { throw .logInReadOnlyFolder(path) }
      throw StoreError(error, path: path)
    }
    return plain
  }

  /// Prepares a text.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - values: Its first values.
  ///   - isQuery: Whether it came from the caller rather than from us.
  package func prepare(
    _ sql: String, _ values: [Int64] = [], isQuery: Bool = false
  ) throws(StoreError) -> Statement {
    if state == nil && views.version < Int64(Schema.version) || isQuery && !viewsAreOfState {
      try followChange(forQuery: isQuery)
    }
    workLimit.restart()
    do {
      return isQuery
        ? try connection.prepare(sql, values) : try statements.prepare(sql, values)
    } catch {
      throw StoreError(error, path: path, isQuery: isQuery)
    }
  }

  /// Whether a session has a transition with another outcome than its decision.
  func isOverruled(_ session: Int64) throws(StoreError) -> Bool {
    let question = try prepare(TransitionTable.overruled, [session])
    return try naming(path, try question.step())
  }

  /// Makes the views anew when a recorder has migrated the file since they were made, or when sealed
  /// rows or releases are asked for by SQL of the caller's for the first time. Our own questions unpack
  /// blocks and derive releases themselves, and a dozen views take longer than a small question.
  func followChange(forQuery isQuery: Bool) throws(StoreError) {
    let before = (
      views.version, views.sealedTables, views.hasReleases, views.isOverruled
    )
    if views.version < Int64(Schema.version) {
      let version = try naming(path, try connection.integer(FileHeader.version) ?? 0)
      views.version = min(version, Int64(Schema.version))
    }
    if isQuery {
      (views.sealedTables, views.hasReleases) = (try sealedTables(), true)
      views.isOverruled = try naming(
        path, try connection.integer(TransitionTable.anyOverruled) != nil)
      viewsAreOfState = state != nil
    }
    let now = (views.version, views.sealedTables, views.hasReleases, views.isOverruled)
    guard before != now else { return }
    try naming(path) { () throws(SQLiteError) in
      try connection.allowEverything()
      for text in ReadingViews.removal + views.texts { try connection.execute(text) }
      try connection.allowReadingOnly()
    }
  }
}

@available(*, unavailable, message: "its connection belongs to one thread at a time")
extension RecordingReader: Sendable {}

// MARK: - The file

extension RecordingReader {
  /// Sizes of what belongs to a recording on the disk.
  package struct FileSizes: Hashable, Sendable {
    /// The recording itself, in bytes.
    package var databaseBytes: Int64
    /// The log beside it, in bytes. 0 once the recorder has finished.
    package var logBytes: Int64
  }

  /// What the recording takes on the disk at this moment.
  package var fileSizes: FileSizes {
    FileSizes(
      databaseBytes: FileFacts(of: filePath).bytes,
      logBytes: FileFacts(of: filePath + "-wal").bytes)
  }

  /// Whether changes are in a log that nobody writes, since somebody read the file when its writer ended.
  package var hasLogOfNobody: Bool {
    FileFacts(of: filePath + "-wal").bytes > 0 && !isLocked(filePath + "-wal")
  }

  /// The schema version that the file is in.
  package func schemaVersion() throws(StoreError) -> Int64 {
    try naming(path, try connection.integer(FileHeader.version) ?? 0)
  }
}
