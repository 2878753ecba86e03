import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo doctor FILE…`: what is wrong with recordings, and what to do.
let doctorCommand = Command(
  name: "doctor", summary: "looks for damage, gaps and losses, and says what to do",
  arguments: "FILE…", argumentCount: 1...Int.max,
  examples: ["kymo doctor pinch.kymo", "kymo doctor *.kymo --deep --json"],
  discussion: """
    A row for everything found, the worst first: damage (the file contradicts itself),
    warning (something may be missing) and note. Nothing is written. Ends with 0 when
    there are notes at most, with 1 otherwise. A file that cannot be read or is no recording
    is named: with 3 where the others are healthy, with 4 where there is no other.
    """,
  flags: [
    Flag("deep", nil, "also check every page as SQLite does, and decode every sealed block")
  ] + Flag.listing
) { invocation in
  let writer = try invocation.rowWriter(
    columns: ["file", "severity", "session", "what", "where", "advice"])
  var code = ExitCode.yes
  let files = ManyFiles()
  var examined = 0
  for path in invocation.positionals {
    try files.read(path) {
      for finding in try RecordingExamination.examine(path, isDeep: invocation.has("deep")) {
        writer.write([
          Field("file", .text(path)), Field("severity", .text(finding.severity.rawValue)),
          Field("session", finding.session.map(FieldValue.integer) ?? .null),
          Field("what", .text(finding.what)), Field("where", .text(finding.detail)),
          Field("advice", .text(finding.advice)),
        ])
        if finding.severity != .note { code = .no }
      }
      examined += 1
    }
  }
  writer.finish()
  return files.code(code, hasAnswer: examined > 0)
}
