import MotionMeasures
import TimelineModel
import TimelineStore

/// `kymo golden accept`: runs become the golden ones.
func goldenAcceptCommand() -> Command {
  Command(
    name: "golden accept", summary: "Make reviewed sessions the new golden sessions",
    arguments: "LIST --golden FILE", argumentCount: 1...1,
    examples: [
      "kymo golden accept accept.txt --golden golden.kymo --dry-run",
      "kymo golden accept accept.txt --golden golden.kymo",
      "kymo golden accept - --golden golden.kymo < accept.txt",
    ],
    exits: [
      .no: "if a session of the list or of the golden recording is missing, and nothing is changed"
    ],
    discussion: """
      The review of kymo check --review saves LIST. Each line has the uuid of the golden session to
      replace, and FILE#UUID of the new session. A - instead of the first uuid adds the session.
      Empty lines and lines that begin with # are ignored. LIST may be - for standard input.

      The new golden recording is written next to the old one and then replaces it. Its sessions
      keep their order, and labels in FILE.labels.csv are copied into it. Another program that
      records into it waits for at most 5 s.
      """,
    columns: Replacement.fields.described(),
    flags: [
      Flags.golden.described("the golden recording to change"), AcceptFlags.dryRun, Flags.listing,
    ], run: runAccept)
}

/// The flags of `kymo golden accept` alone.
enum AcceptFlags {
  static var dryRun: Flag<Bool> {
    .toggle("dry-run", "print the replacements without making them")
  }
}

private func runAccept(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(Flags.golden)
  let name = invocation.positionals[0]
  let lines = try AcceptedLine.lines(
    of: try invocation.console.readInput(name, atMost: .description), name: inputName(name))
  guard !lines.isEmpty else {
    throw Failure.unreadable("\(inputName(name)) names no session")
  }
  let list = inputName(name)
  guard var plan = try planned(path, lines, of: list, invocation.console) else { return .no }
  if !invocation.has(AcceptFlags.dryRun) {
    let replacement = try RecordingReplacement(path, replacing: true)
    // Another program may have changed it before this one got its lock.
    guard let newest = try planned(path, lines, of: list, invocation.console) else { return .no }
    plan = newest
    try write(plan, to: path, replacement, invocation.console)
  }
  try invocation.print(
    plan.filter { $0.run != nil }.rows, columns: Replacement.columns)
  return .yes
}

/// What becomes of each session. `nil` if the list does not fit, after a note on each error.
private func planned(
  _ path: String, _ lines: [AcceptedLine], of list: String, _ console: Console
) throws -> [Replacement]? {
  var plan = try console.openRecording(path).sessionRecords().map { Replacement(golden: $0) }
  var wrong = 0
  for line in lines {
    do {
      try line.enter(&plan, console)
    } catch {
      wrong += 1
      console.note("\(list):\(line.number): \(explain(error).message)")
    }
  }
  var counts: [String: Int] = [:]
  for entry in plan { counts[entry.run?.session.uuid ?? entry.golden?.uuid ?? "", default: 0] += 1 }
  for (uuid, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
    wrong += 1
    console.note("\(path) would have the session \(uuid) twice")
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
          "\(name):\(index + 1): a line must be a golden session's uuid, or -, and FILE#UUID")
      }
      lines.append(AcceptedLine(number: index + 1, golden: golden, file: file, uuid: uuid))
    }
    return lines
  }

  /// Enters the run in the plan.
  func enter(_ plan: inout [Replacement], _ console: Console) throws {
    let reader = try console.openRecording(file)
    guard let session = try reader.sessionRecords().first(where: { $0.uuid == uuid }) else {
      throw Failure.unreadable("\(file) has no session '\(uuid)'")
    }
    guard try reader.recorderState(of: session) != .recording else {
      throw Failure.unreadable(
        "\(session.label) of \(file) is being recorded. Accept it when it is finished")
    }
    let run = NamedRun(path: file, session: session)
    guard golden != "-" else {
      plan.append(Replacement(golden: nil, run: run))
      return
    }
    guard let index = plan.firstIndex(where: { $0.golden?.uuid == golden }) else {
      throw Failure.unreadable("the golden recording has no session '\(golden)'")
    }
    guard plan[index].run == nil else {
      throw Failure.unreadable("an earlier line replaces the golden session \(golden)")
    }
    plan[index].run = run
  }
}

/// A session of the new golden recording.
private struct Replacement: ResultRow {
  /// The session as it was. `nil`: a new one.
  let golden: SessionRecord?
  /// The session that replaces it. `nil`: it stays.
  var run: NamedRun?

  static var fields: [ResultField<Replacement>] {
    [
      ResultField("session", "The golden session's number.", \.golden?.number),
      ResultField("name", "The new session's name.", \.run?.session.description.name),
      ResultField("golden", "The golden session's uuid.", \.golden?.uuid),
      ResultField("file", "The new session's recording.", \.run?.path),
      ResultField("uuid", "The new session's uuid.", \.run?.session.uuid),
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
