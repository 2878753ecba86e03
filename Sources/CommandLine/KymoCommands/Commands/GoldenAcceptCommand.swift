import TimelineModel
import TimelineQuery
import TimelineStore

/// `kymo golden accept`: runs become the golden ones.
func goldenAcceptCommand() -> Command {
  Command(
    name: "golden accept", summary: "make runs that were looked at the golden ones",
    arguments: "LIST", argumentCount: 1...1,
    examples: [
      "kymo golden accept accept.txt --golden golden.kymo --dry-run",
      "kymo golden accept accept.txt --golden golden.kymo",
    ],
    discussion: """
      LIST, or standard input as -, has a line for each run: the uuid of the golden session that
      it takes the place of, and FILE#UUID of the run; - in place of the first adds the run. Empty
      lines, and lines that begin with a #, are passed over. When anything in the list is not
      as it says, nothing is changed, and the code is 1. Otherwise the golden recording is made
      anew beside the old one, its sessions in their order, and then takes its name. Labels in
      FILE.labels.csv come along. Who wants to record into it meanwhile waits, for 5 s at most.
      """,
    flags: [
      Flags.golden.described("the recording of what runs should be like"),
      AcceptFlags.dryRun, Flags.listing,
    ], run: runAccept)
}

/// The flags of `kymo golden accept` alone.
enum AcceptFlags {
  static var dryRun: Flag<Bool> {
    .toggle("dry-run", "say what would be done, and do nothing")
  }
}

private func runAccept(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(Flags.golden)
  let name = invocation.positionals[0]
  let lines = try AcceptedLine.lines(
    of: try invocation.console.readInput(name, atMost: .description), name: inputName(name))
  guard !lines.isEmpty else {
    throw Failure.unreadable("\(invocation.positionals[0]) accepts no run")
  }
  guard var plan = try planned(path, lines, invocation.console) else { return .no }
  if !invocation.has(AcceptFlags.dryRun) {
    let replacement = try RecordingReplacement(path, replacing: true)
    // Others may have changed it while they were waited for.
    guard let newest = try planned(path, lines, invocation.console) else { return .no }
    plan = newest
    try write(plan, to: path, replacement, invocation.console)
  }
  try invocation.print(
    plan.filter { $0.run != nil }.rows, columns: Replacement.columns)
  return .yes
}

/// What becomes of each session, if everything is as the list says; nil, after what is not was said.
private func planned(
  _ path: String, _ lines: [AcceptedLine], _ console: Console
) throws -> [Replacement]? {
  var plan = try console.openRecording(path).sessions().map { Replacement(golden: $0) }
  var wrong = 0
  for line in lines {
    do {
      try line.enter(&plan, console)
    } catch {
      wrong += 1
      console.note("line \(line.number): \(explain(error).message)")
    }
  }
  var counts: [String: Int] = [:]
  for entry in plan { counts[entry.run?.session.uuid ?? entry.golden?.uuid ?? "", default: 0] += 1 }
  for (uuid, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
    wrong += 1
    console.note("the session \(uuid) would be in \(path) twice")
  }
  if wrong > 0 { console.note("\(path) was not changed") }
  return wrong > 0 ? nil : plan
}

/// A line of the list.
private struct AcceptedLine {
  let number: Int
  let golden: String
  let file: String
  let uuid: String

  static func lines(of bytes: [UInt8], name: String) throws -> [AcceptedLine] {
    var lines: [AcceptedLine] = []
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = bytes[mark...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in text.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, let hash = parts[1].lastIndex(of: UInt8(ascii: "#")),
        let golden = String(validating: parts[0], as: UTF8.self),
        let file = String(validating: parts[1][..<hash], as: UTF8.self), !file.isEmpty,
        let uuid = String(validating: parts[1][(hash + 1)...], as: UTF8.self), !uuid.isEmpty
      else {
        throw Failure.unreadable(
          "\(name), line \(index + 1) is not a golden session's uuid, or -, and FILE#UUID of a run")
      }
      lines.append(AcceptedLine(number: index + 1, golden: golden, file: file, uuid: uuid))
    }
    return lines
  }

  /// Enters the run in the plan.
  func enter(_ plan: inout [Replacement], _ console: Console) throws {
    let reader = try console.openRecording(file)
    guard let session = try reader.sessions().first(where: { $0.uuid == uuid }) else {
      throw Failure.unreadable("\(file) has no session \(uuid) any more")
    }
    guard try reader.recorderState(of: session) != .recording else {
      throw Failure.unreadable("\(session.label) of \(file) is still being recorded")
    }
    let run = NamedRun(path: file, session: session)
    guard golden != "-" else {
      plan.append(Replacement(golden: nil, run: run))
      return
    }
    guard let index = plan.firstIndex(where: { $0.golden?.uuid == golden }) else {
      throw Failure.unreadable("there is no golden session \(golden) any more")
    }
    guard plan[index].run == nil else {
      throw Failure.unreadable("the golden session \(golden) has its run by a line before")
    }
    plan[index].run = run
  }
}

/// A session of the recording that is made anew.
private struct Replacement: ResultRow {
  /// The session as it was; nil: a new one.
  let golden: SessionRecord?
  /// What takes its place; nil: it stays.
  var run: NamedRun?

  static var fields: [ResultField<Replacement>] {
    [
      ResultField("session", "The golden session's number.", \.golden?.number),
      ResultField("name", "The run's name.", \.run?.session.description.name),
      ResultField("golden", "The golden session's uuid.", \.golden?.uuid),
      ResultField("file", "The run's recording.", \.run?.path),
      ResultField("uuid", "The run's uuid.", \.run?.session.uuid),
    ]
  }
}

private func write(
  _ plan: [Replacement], to path: String, _ replacement: RecordingReplacement, _ console: Console
) throws {
  NewFile.make(replacement.part, from: [path] + plan.compactMap(\.run?.path))
  do {
    let editor = try RecordingEditor(path: replacement.part, isMade: true)
    let recordings = OpenRecordings(console)
    for entry in plan {
      if let run = entry.run {
        let found = try recordings.session(run)
        _ = try editor.copyLabelledSession(
          found.session.number, from: found.reader, try RecordingLabels.beside(found.reader))
      } else if let golden = entry.golden {
        let found = try recordings.session(NamedRun(path: path, session: golden))
        _ = try editor.copySession(found.session.number, from: found.reader)
      }
    }
    try editor.settleIntoOneFile()
  }
  try replacement.finish()
}
