import MotionMeasures
import RecordingRepair
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo file doctor FILE…`: what is wrong with recordings, and what to do.
func fileDoctorCommand() -> Command {
  Command(
    name: "file doctor", summary: "Find damage, gaps and losses, and print how to fix them",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: ["kymo file doctor pinch.kymo", "kymo file doctor *.kymo --deep --json"],
    exits: [
      .yes: "if all files are healthy", .no: "if there is damage or a warning",
      .loss: "if a file cannot be read and the others are healthy",
      .unreadable: "if no file can be read",
    ],
    discussion: """
      FILE is a whole file. kymo examines all its sessions, and writes nothing. Each finding is a
      row, the worst first. damage means that the file contradicts itself, and warning that
      something may be missing. A file with only notes is healthy. kymo names a file that it cannot
      read, and leaves it out.
      """,
    columns: [.file] + FileFinding.fields.described(), flags: [DoctorFlags.deep, Flags.listing],
    run: runDoctor)
}

/// The flags of `kymo file doctor` alone.
enum DoctorFlags {
  static var deep: Flag<Bool> {
    .toggle(
      "deep",
      "also check every page, decode every packed block, and compare summaries with their rows"
    )
  }
}

private func runDoctor(_ invocation: Invocation) throws -> ExitCode {
  let writer = try invocation.rowWriter(
    columns: ["file"] + FileFinding.columns)
  var code = ExitCode.yes
  let files = ManyFiles(invocation.console)
  var examined = 0
  var healthy: [String] = []
  for path in try invocation.wholeFiles() {
    try files.read(path) {
      func write(_ finding: FileFinding) {
        writer.write(EventField.list(["file": path]) + finding.row)
        if finding.severity != .note { code = .no }
      }
      let findings = try RecordingExamination.examine(
        path, isDeep: invocation.has(DoctorFlags.deep))
      findings.forEach(write)
      examined += 1
      for (session, gaps) in gaps(path, findings) {
        write(FileFinding(.note, "gap", session: session, gaps))
      }
      if findings.allSatisfy({ $0.severity == .note }) { healthy.append(path) }
    }
  }
  let isForPeople = writer.format == .table || writer.format == .markdown
  if examined > 0, writer.rowCount > 0 || !isForPeople { writer.finish() }
  if isForPeople {
    if writer.rowCount > 0, !healthy.isEmpty { invocation.output.write("\n") }
    for path in healthy { invocation.output.write("\(path): healthy\n") }
  }
  return files.code(code, hasAnswer: examined > 0)
}

/// The sessions between whose frames some are missing, and where. None of a recording that cannot be read through.
private func gaps(_ path: String, _ findings: [FileFinding]) -> [(session: Int64, gaps: String)] {
  guard !findings.contains(where: { $0.severity == .damage }),
    let reader = try? RecordingReader(path: path), !reader.isRolledBack
  else { return [] }
  try? reader.keepState()
  return ((try? reader.sessionRecords()) ?? []).compactMap { session in
    (try? SessionOverview(session, in: reader))?.gapRemark.map { (session.number, $0) }
  }
}
