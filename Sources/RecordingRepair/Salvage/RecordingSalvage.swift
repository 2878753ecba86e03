import SQLiteAccess
import TimelineSchema
package import TimelineStore

/// Brings the readable part of a damaged recording into a new one.
///
/// The damaged file is read with plain reads, page by page, and never through SQLite, which would give
/// up at the first page that contradicts itself. Rows whose table cannot be found any more are found by
/// their shape. The original stays as it is.
package enum RecordingSalvage: Sendable {
  /// Makes a new recording out of a damaged one, with the log and the crash journals beside it.
  ///
  /// - Parameters:
  ///   - path: The damaged recording.
  ///   - output: The new one. It appears when it is whole.
  ///   - replacing: Whether a file that is there already may be replaced.
  /// - Throws: ``StoreError``: nothing of the file can be read, it is not a recording or of a newer
  ///   program, or the new one cannot be written.
  /// - Complexity: linear in the size of the file. Memory for a page and its rows at a time.
  package static func recover(
    _ path: String, into output: String, replacing: Bool = false
  ) throws(StoreError) -> SalvageReport {
    try checkLocations(path, output, replacing: replacing)
    let replacement = try RecordingReplacement(output, replacing: replacing, takesAnyFile: true)
    guard var store = PageStore(path: path) else {
      throw FileFacts(of: path) == .file(bytes: 0) ? .empty(path) : .cannotRead(path)
    }
    // Crash journals continue what SQLite reads: beside what lies behind damage their rows would come twice.
    if store.log.damagedCount > 0, let reader = try? RecordingReader(path: path),
      reader.isWholeWithoutLog(isTorn: store.log.isTorn)
        || store.log.isTorn && reader.hasDeadJournals,
      let before = PageStore(path: path, stopsAtDamage: true)
    {
      store = before
    }
    let map = DatabaseMap(store)
    let version = try schemaVersion(map, store, path: path)
    NewFile.make(replacement.part, from: [path])
    let report = try salvage(
      map, store, path: path, part: replacement.part, version: version)
    try replacement.finish()
    return report
  }

  /// The work itself. The new recording is closed when it returns.
  private static func salvage(
    _ map: DatabaseMap, _ store: borrowing PageStore, path: String, part: String, version: Int64
  ) throws(StoreError) -> SalvageReport {
    var run = try SalvageRun(path: path, part: part, version: version)
    try run.copyRows(map, store)
    return try run.finish(map, store)
  }

  private static func checkLocations(
    _ path: String, _ output: String, replacing: Bool
  ) throws(StoreError) {
    try FileFacts.requireFile(path, isEmptyAllowed: true)
    switch FileFacts(of: output) {
    case .absent:
      // It may hold rows of a recording that was moved away.
      if !replacing, let session = CrashJournal.sessions(beside: output).first {
        throw .exists(CrashJournal.path(of: output, session: session))
      }
    case .other: throw .notAFile(output)
    case .file:
      if FileFacts.isSameFile(path, output) {
        throw StoreError(
          .exists, path: output,
          "\(output) is the damaged recording itself, which stays as it is. Name another file.")
      }
      guard replacing else { throw .exists(output) }
    }
    let folder = FileFacts.folder(of: output)
    guard FileFacts(of: folder) != .absent else { throw .noFolder(output) }
    guard !output.isEmpty, !output.utf8.contains(0), FileFacts.canWrite(folder: folder) else {
      throw StoreError(
        .readOnly, path: output,
        "The folder \(folder) cannot be written. Choose another folder for \(output).")
    }
  }

  /// The version that the rows are in: what the header says, or what their shapes tell.
  private static func schemaVersion(
    _ map: DatabaseMap, _ store: borrowing PageStore, path: String
  ) throws(StoreError) -> Int64 {
    let known = Int64(Schema.version)
    if map.hasSchema, let version = map.userVersion {
      let samples = AllTables.name("plain_sample", in: Int64(version))
      guard map.trees.contains(where: { $0.name == samples }) else {
        throw .notARecording(path)
      }
      if version > UInt32(known) {
        throw .newerSchema(path, found: Int64(version), known: Schema.version)
      }
      if version >= 1 { return Int64(version) }
    }
    // A sample had six columns before version 3: session, time, key, ordinal, value, phase.
    for page in map.orphans where DatabaseMap.isOfTable(page, store) == false {
      for row in map.rows(of: page, store).rows where row.values.count == 6 {
        if case .real = row.values[4], row.values[0...3].allSatisfy({ $0.integer != nil }),
          let phase = row.values[5].integer, (0...2).contains(phase)
        {
          return 2
        }
      }
    }
    return known
  }
}
