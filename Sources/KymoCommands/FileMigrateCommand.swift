import TimelineModel
import TimelineStore

/// `kymo file migrate`: brings recordings to the newest schema.
func fileMigrateCommand() -> Command {
  Command(
    name: "file migrate", summary: "Convert recordings to the newest schema", arguments: "FILE…",
    argumentCount: 1...10_000,
    examples: ["kymo file migrate old.kymo", "kymo file migrate *.kymo --json"],
    exits: [
      .loss: "if a file was left out", .unreadable: "if no file can be converted",
    ],
    discussion: """
      FILE is a whole file. You never need this to read: kymo reads older recordings as they are,
      and converts one if it records into it. All steps happen together or not at all.

      A recording of the newest schema stays as it is, and one of a newer program is refused. kymo
      names a file that it cannot read, and leaves it out.
      """,
    columns: [
      .file, ResultColumn("from", .integer, "The schema version before."),
      ResultColumn("to", .integer, "The schema version now."),
    ], flags: [Flags.listing], run: runMigrate)
}

private func runMigrate(_ invocation: Invocation) throws -> ExitCode {
  var rows: [[EventField]] = []
  let files = ManyFiles(invocation.console)
  var code = ExitCode.yes
  for path in try invocation.wholeFiles() {
    try files.read(path) {
      let before = try versionToMigrate(path)
      if before.isWritten {
        let editor = try RecordingEditor(path: path)
        if editor.wasEmpty { invocation.console.warnOfEmptyRecording(path) }
        if try invocation.console.settle(editor) != .yes { code = .loss }
      }
      let after = try RecordingReader(path: path).schemaVersion()
      rows.append(EventField.list(["file": path, "from": before.version ?? after, "to": after]))
    }
  }
  if !rows.isEmpty { try invocation.print(rows) }
  return files.code(code, hasAnswer: !rows.isEmpty)
}

/// The schema version that a recording is in, if it can be read as it is, and whether it is to be
/// written: to migrate it, or since a recorder or a change that ended too early left something beside it.
private func versionToMigrate(_ path: String) throws -> (version: Int64?, isWritten: Bool) {
  do {
    let reader = try RecordingReader(path: path)
    let version = try reader.schemaVersion()
    let isOld = version != Int64(RecordingFormat.schemaVersion)
    let hasLog = reader.hasLogOfNobody
    return (version, isOld || hasLog || reader.hasDeadJournals || reader.isRolledBack)
  } catch {
    if error.code == .unfinishedChange { return (nil, true) }
    guard error.code == .notADatabase, try firstBytes(of: path, count: 1).isEmpty else {
      throw error
    }
    return (0, true)
  }
}
