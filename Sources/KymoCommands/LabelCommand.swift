import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `kymo label`: what a person says that a gesture meant.
func labelCommand() -> Command {
  Command(
    name: "label", summary: "Label a gesture with the outcome that a person meant",
    forms: [
      CommandForm(
        arguments: "FILE LABEL", argumentCount: 2...2,
        choices: [
          "LABEL": Choices(offered: GestureMeaning.allCases.map(\.rawValue) + [LabelSheet.none])
        ],
        flags: [LabelFlags.transition, LabelFlags.note, LabelFlags.csv, Flags.listing], run: label),
      CommandForm(
        arguments: "FILE… --import CSV", argumentCount: 1...Int.max,
        flags: [LabelFlags.importFile, LabelFlags.csv, Flags.listing], run: takeOver),
    ],
    examples: [
      "kymo label pinch.kymo#2 cancel --note \"a slip of the finger\"",
      "kymo label run.kymo#pinch-open finish --transition 0",
      "kymo label pinch.kymo#2 none",
      "kymo label *.kymo --import labels.csv",
    ],
    exits: [.loss: "if rows of --import fit no recording, or a file was left out"],
    discussion: """
      LABEL is finish, cancel, unsure, or none, which removes the label. It belongs to a transition of a
      session. FILE alone means the last session, and with --import all of them.

      The label is written into the recording. If the recording cannot be written, or if
      FILE.labels.csv exists, it is written into FILE.labels.csv, which overrides the labels of the
      recording. kymo list labels prints every release with its label.

      --import reads a CSV with the columns uuid,transition,label,note,at, as a report or
      a review saves it. Instead of its uuid you can write the name of a session, if no other session
      of the recordings has it. kymo names the rows that fit none, and leaves them out.
      """,
    columns: listedColumns + [
      ResultColumn("labels", .integer, "With --import: the number of labels that were written."),
      ResultColumn("into", .text, "With --import: the file that they were written into."),
    ], choose: { $0.has(LabelFlags.importFile) ? 1 : 0 })
}

/// The flags of `kymo label` alone.
enum LabelFlags {
  static var transition: Flag<Int> {
    Flag(
      "transition", "N", "the number of the transition, if the session has several"
    ) { text, name in
      guard let number = Int(text) else {
        throw Failure.usage("--\(name) must be a whole number (got '\(text)')")
      }
      return number
    }
  }
  static var note: Flag<String> {
    .text("note", "TEXT", "a note, up to 4096 bytes")
  }
  static var csv: Flag<String> {
    .text("csv", "FILE", "add to this file instead of the recording")
  }
  static var importFile: Flag<String> {
    .text("import", "CSV", "read labels from this file, or - for standard input")
  }
}

// MARK: - One label

private func label(_ invocation: Invocation) throws -> ExitCode {
  let word = invocation.positionals[1]
  let meaning = GestureMeaning(rawValue: word)
  guard meaning != nil || word == LabelSheet.none else {
    let names = GestureMeaning.allCases.map(\.rawValue) + [LabelSheet.none]
    throw Failure.usage("unknown label '\(word)'. \(choices(near: word, among: names))")
  }
  let note = invocation.text(LabelFlags.note).flatMap { $0.isEmpty ? nil : $0 }
  if let note, let what = ReleaseLabel.fault(ofNote: note) {
    throw Failure.usage("the note \(what)")
  }
  guard note == nil || meaning != nil else {
    throw Failure.usage("--note cannot be combined with the label none")
  }
  let source = try SessionArgument(invocation)
  let transition = try source.transition(invocation)
  let path = source.reader.path
  let row = LabelSheet.Row(
    uuid: source.session.uuid, transition: transition, meaning: meaning, note: note,
    wallClockNanoseconds: wallClock())
  invocation.console.letGoOfStates()
  let destination = try LabelWriting(path, sheet: invocation.sheet(beside: path)).write([row])
  try destination.note(path, on: invocation.console)
  // Opened again: it was changed.
  let reader = try invocation.console.openRecording(path)
  let labels = try RecordingLabels(of: reader, sheets: try invocation.writtenSheet())
  guard let session = try reader.sessionRecords().first(where: { $0.uuid == row.uuid }) else {
    throw Failure.unreadable("\(path) has no session \(row.uuid) any more")
  }
  let rows = try LabelledRelease.all(of: session, in: reader, labels).filter {
    $0.transition == transition
  }
  try invocation.print(listedRows(rows, session, path), columns: listColumns)
  return .yes
}

extension RecordingReader {
  /// The transitions that can have a label, those that were released first. Some twice.
  fileprivate func transitionNumbers(in session: Int64) throws(StoreError) -> [Int] {
    try releases(in: session).all.map(\.transition) + transitions(in: session).map(\.number)
  }
}

extension SessionArgument {
  /// The transition that is to have a label.
  fileprivate func transition(_ invocation: Invocation) throws -> Int {
    let releases = try reader.releases(in: session.number).all
    var numbers: [Int] = []
    for number in try reader.transitionNumbers(in: session.number) where !numbers.contains(number) {
      numbers.append(number)
    }
    func listed() -> String {
      let words = numbers.prefix(8).map { number in
        "\(number)"
          + (releases.first { $0.transition == number }.map {
            " (\($0.outcome.rawValue) at \(FieldValue.jsonNumber(($0.time.seconds * 1000).rounded() / 1000)) s)"
          } ?? " (never released)")
      }
      return words.joined(separator: ", ")
        + (numbers.count > 8 ? ", and \(numbers.count - 8) more" : "")
    }
    let name = "\(session.label) of \(reader.path)"
    guard !numbers.isEmpty else {
      throw Failure.usage("\(name) has no transition, so it cannot be labelled")
    }
    guard let number = try invocation.value(LabelFlags.transition) else {
      let released = Set(releases.map(\.transition))
      if released.count == 1, let only = released.first { return only }
      if numbers.count == 1 { return numbers[0] }
      throw Failure.usage(
        "\(name) has \(numbers.count) transitions: \(listed()). Choose one with --transition")
    }
    guard numbers.contains(number) else {
      throw Failure.usage("unknown transition \(number) of \(name). Known: \(listed())")
    }
    return number
  }
}

extension Invocation {
  /// The sheet that labels are asked to go into. `nil`: the recording, if it can be written.
  fileprivate func sheet(beside path: String) throws -> String? {
    guard let named = text(LabelFlags.csv) else { return nil }
    guard named != "", named != "-" else {
      throw Failure.usage("--csv must be the name of a file (got '\(named)')")
    }
    guard !FileFacts.isSameFile(named, path) else {
      throw Failure.usage("--csv must be another file than the recording (got '\(named)')")
    }
    return named
  }

  /// The content of the sheet that was written to by name.
  fileprivate func writtenSheet() throws -> [LabelSheet] {
    try text(LabelFlags.csv).map { [try LabelSheet(path: $0)] } ?? []
  }
}

// MARK: - Many

private func takeOver(_ invocation: Invocation) throws -> ExitCode {
  let name = try invocation.requiredValue(LabelFlags.importFile)
  let sheet = try LabelSheet(
    try invocation.console.readInput(name, atMost: .description), name: inputName(name))
  var isTaken: Set<Int> = []
  var work: [(path: String, rows: [LabelSheet.Row])] = []
  let files = ManyFiles(invocation.console)
  let names = try SessionNames(sheet, invocation)
  // All of it is looked at before anything is written.
  for word in invocation.positionals {
    let (path, selector) = SessionArgument.split(word)
    var opened: RecordingReader?
    try files.read(word) { opened = try invocation.console.openRecording(path) }
    guard let reader = opened else { continue }
    var rows: [LabelSheet.Row] = []
    for session in try reader.sessions(selectedBy: selector) {
      let said = names.rows(of: session, in: sheet)
      if said.isEmpty { continue }
      let numbers = Set(try reader.transitionNumbers(in: session.number))
      for var row in said where numbers.contains(row.transition) {
        isTaken.insert(row.line)
        row.wallClockNanoseconds = row.wallClockNanoseconds ?? wallClock()
        rows.append(row)
      }
    }
    work.append((path, rows))
  }
  guard !work.isEmpty else { return .unreadable }
  invocation.console.letGoOfStates()
  var printed: [[EventField]] = []
  for (path, rows) in work {
    let beside = LabelSheet.path(beside: path)
    let isOwn = name != "-" && FileFacts.isSameFile(name, beside)
    var destination: LabelWriting.Destination?
    if !rows.isEmpty {
      destination = try LabelWriting(
        path, sheet: invocation.sheet(beside: path), passesSheet: isOwn
      )
      .write(rows)
      try destination?.note(path, on: invocation.console)
    }
    printed.append(
      EventField.list(["file": path, "labels": rows.count, "into": destination?.name(path)]))
  }
  let left = sheet.rows.filter { !isTaken.contains($0.line) }
  for row in left.prefix(reportedRowLimit) {
    invocation.note(
      "\(inputName(name)):\(row.line): left out: \(names.whyLeftOut(row))")
  }
  if left.count > reportedRowLimit {
    invocation.note("\(inputName(name)): \(left.count - reportedRowLimit) more lines are left out")
  }
  try invocation.print(printed, columns: ["file", "labels", "into"])
  return files.code(left.isEmpty ? .yes : .loss, hasAnswer: true)
}

/// The sessions that rows of a sheet name by their names.
private struct SessionNames {
  /// The uuids of the sessions that have a name which rows use.
  private var uuids: [String: Set<String>] = [:]

  /// Looks through the recordings if a row has no uuid.
  init(_ sheet: LabelSheet, _ invocation: Invocation) throws {
    let words = Set(sheet.rows.map(\.uuid).filter { UUID(uuidString: $0) == nil })
    guard !words.isEmpty else { return }
    for word in invocation.positionals {
      let (path, selector) = SessionArgument.split(word)
      // A file that cannot be read is named when its rows are taken.
      guard let reader = try? RecordingReader(path: path),
        let sessions = try? reader.sessions(selectedBy: selector)
      else { continue }
      for session in sessions {
        guard let name = session.description.name, words.contains(name) else { continue }
        uuids[name, default: []].insert(session.uuid)
      }
    }
  }

  /// The rows about a session, by its uuid, and of other transitions by its name if that is its own.
  func rows(of session: SessionRecord, in sheet: LabelSheet) -> [LabelSheet.Row] {
    var rows = sheet.rows(of: session.uuid)
    guard let name = session.description.name, uuids[name]?.count == 1 else { return rows }
    let known = Set(rows.map(\.transition))
    for var row in sheet.rows(of: name) where !known.contains(row.transition) {
      row.uuid = session.uuid
      rows.append(row)
    }
    return rows
  }

  /// Why a row was left out, in words.
  func whyLeftOut(_ row: LabelSheet.Row) -> String {
    let count = uuids[row.uuid]?.count ?? 0
    guard count < 2 else {
      return "\(count) sessions have the name \(row.uuid). Write the uuid of one of them"
    }
    return "no recording has transition \(row.transition) of the session \(row.uuid)"
  }
}

/// How many lines that fit nothing are named. Further ones are counted.
private let reportedRowLimit = 5

/// `kymo list labels`: the releases of recordings with their labels.
func listLabelsCommand() -> Command {
  Command(
    name: "list labels", summary: "Print the releases with their labels",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo list labels *.kymo", "kymo list labels pinch.kymo --labels labels.csv --json",
    ],
    exits: [.loss: "if a file was left out, or a label belongs to no session"],
    discussion: """
      FILE alone means all its sessions. "wrong" is true if the decision differs from the label.
      """,
    columns: listedColumns, flags: [Flags.labels, Flags.listing], run: listLabels)
}

private func listLabels(_ invocation: Invocation) throws -> ExitCode {
  let source = try LabelSource(invocation)
  var rows: [[EventField]] = []
  var listed: [LabelledRelease] = []
  var code = ExitCode.yes
  let files = ManyFiles(invocation.console)
  for word in invocation.positionals {
    let (path, selector) = SessionArgument.split(word)
    var opened: RecordingReader?
    try files.read(word) { opened = try invocation.console.openRecording(path) }
    guard let reader = opened else { continue }
    let sessions = try reader.sessions(selectedBy: selector)
    invocation.console.warnOfMissingLog(reader, sessions)
    let labels = try source.labels(of: reader)
    for session in sessions {
      let releases = try LabelledRelease.all(of: session, in: reader, labels)
      rows += listedRows(releases, session, path)
      listed += releases
    }
    for row in labels.strays.prefix(reportedRowLimit) {
      invocation.note(
        "\(LabelSheet.path(beside: path)):\(row.line): unknown session '\(row.uuid)' of \(path)")
    }
    if !labels.strays.isEmpty { code = .loss }
  }
  try invocation.print(rows, columns: listColumns)
  if try invocation.outputFormat() == .table {
    func count(_ meaning: GestureMeaning?) -> Int { listed.count { $0.label?.meaning == meaning } }
    invocation.output.write(
      "\(counted(rows.count, "release")): \(count(.finish)) meant to finish, "
        + "\(count(.cancel)) to cancel, \(count(.unsure)) unsure, "
        + "\(count(nil)) without a label, \(listed.count { $0.isWrong == true }) decided otherwise than "
        + "meant.\n")
  }
  return files.code(code, hasAnswer: files.leftOut.count < invocation.positionals.count)
}

/// Rows with the file and the session in front.
private func listedRows(
  _ releases: [LabelledRelease], _ session: SessionRecord, _ path: String
) -> [[EventField]] {
  let head = EventField.list(["file": path]) + SessionRecord.nameFields.row(of: session)
  return releases.rows.map { head + $0 }
}

private var listedColumns: [ResultColumn] {
  [.file] + SessionRecord.nameFields.described() + LabelledRelease.fields.described()
}

/// The columns of a table, which has no room for the identity.
private let listColumns =
  ["file"] + SessionRecord.nameFields.names().filter { $0 != "uuid" }
  + LabelledRelease.fields.tableColumns()
