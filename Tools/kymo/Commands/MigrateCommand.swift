import TimelineModel
import TimelineStore

/// `kymo migrate`: brings recordings to the newest schema.
let migrateCommand = Command(
  name: "migrate", summary: "bring recordings to the newest schema", arguments: "FILE…",
  argumentCount: 1...10_000,
  examples: ["kymo migrate old.kymo", "kymo migrate *.kymo --json"],
  discussion: """
    Reading never needs it: older recordings are read as they are, and recording into one
    migrates it. All steps happen together or not at all; a recording of the newest schema
    is left alone, and one of a newer program is refused.
    """,
  flags: Flag.listing
) { invocation in
  var rows: [[Field]] = []
  for path in invocation.positionals {
    let reader = try RecordingReader(path: path)
    let version = try reader.schemaVersion()
    if version != Int64(RecordingFormat.schemaVersion) {
      let editor = try RecordingEditor(path: path)
      try editor.settleIntoOneFile()
    }
    rows.append([
      Field("file", .text(path)), Field("from", .integer(version)),
      Field("to", .integer(try RecordingReader(path: path).schemaVersion())),
    ])
  }
  try invocation.print(rows)
  return .yes
}
