import TimelineInterchange
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func checkWorker(_ invocation: Invocation) throws -> Worker {
  var judge = try GoldenJudge(invocation)
  return invocation.console.fileWorker(besides: judge.golden?.reader.path, isolatesSessions: true) {
    session, reader, writer in
    writer.put(try judge.judged(session, in: reader) { invocation.console.workProgress?($0) })
  }
}

/// `kymo check FILE… [--tolerances T] [--golden G]`: the gate of a build.
func checkCommand() -> Command {
  Command(
    name: "check", summary: "whether recorded runs are within their limits: the gate of a build",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo check today/*.kymo --tolerances limits.json --golden golden.kymo",
      "kymo check run.kymo --tolerances limits.json",
      "kymo check run.kymo#2 --tolerances limits.json --golden golden.kymo#1",
    ],
    discussion: """
      Every session of every file is compared with the golden recording's session of the same name,
      or its only one, or the one that G#SESSION names, as kymo compare does; FILE#SESSION takes
      one session of a file. A golden session without a run is missing, which fails unless
      --subset is given; a run without a golden session is a warning. Rules with an aggregate judge all
      runs as one. Without --golden only rules about hitch_ms_per_s, jank_percent and
      interval_p95_ms are judged; without --tolerances what kymo compare allows, as in kymo
      review. What matters most comes first: decisions, structure, motion,
      elements. What is within its limits is listed with --all. --page writes a page of the
      run that differs most. Ends with 0 when everything is within its limits, with 1 when
      something is not; warnings are no failure. A file that cannot be read is named and left
      out: with 3 where nothing fails, with 4 where there is no other.
      """,
    flags: [
      Flags.tolerances, Flags.golden, Flags.subset, Flags.align,
      Flags.all.described("every verdict, those within their limits too"),
      Flags.junit, Flags.page, CheckFlags.markdown, CheckFlags.annotations,
      Flags.force.described("replace files that are there already"),
      Flags.manyFiles, Flags.listing,
    ],
    worker: checkWorker, run: runCheck)
}

/// The flags of `kymo check` alone.
enum CheckFlags {
  static var markdown: Flag<String> {
    .text("markdown", "FILE", "also write a summary as Markdown, at most 900 kB")
  }
  static var annotations: Flag<AnnotationHost> {
    .choice("annotations", "HOST", "also mark failures on the build's page; github")
  }
}

private func runCheck(_ invocation: Invocation) throws -> ExitCode {
  var (check, golden) = try GoldenJudge(invocation).parts
  if golden == nil { try warnOfUnjudgedRules(check, invocation) }
  guard golden != nil || !invocation.has(Flags.subset) else {
    throw Failure.usage("--subset is about the sessions of a golden recording; give --golden FILE")
  }
  let files = try ManyFiles(invocation, label: "checking", isolatesSessions: true)
  let inputs =
    invocation.positionals.map { SessionArgument.split($0).path }
    + [golden?.reader.path].compactMap { $0 }
  let junit = try invocation.fileOutput(Flags.junit, beside: inputs)
  let page = try invocation.fileOutput(Flags.page, beside: inputs)
  let summary = try invocation.fileOutput(CheckFlags.markdown, beside: inputs)
  let marksBuild = try invocation.value(CheckFlags.annotations) != nil
  if marksBuild {
    guard try invocation.outputFormat() == .table else {
      throw Failure.usage("--annotations goes with a table, which is all that a build's log shows")
    }
    invocation.output.isReadByRunner = true
  }
  defer { files.finishBar() }
  for run in try files.gather(invocation.positionals, { try $0.run(check.tolerances) }) {
    for run in run { check.add(run) }
  }
  files.finishBar()
  let title = golden?.reader.path
  guard !check.runs.isEmpty else {
    try junit?.finish(with: check.junit(against: title, without: files).text)
    let verdict = "Failed: no file could be read."
    try summary?.finish(with: check.summary(verdict: verdict, without: files))
    if marksBuild { invocation.output.write(command: check.annotations(without: files)) }
    return try files.unreadable(invocation, rows: errorFields)
  }
  if let golden, !invocation.has(Flags.subset) {
    for session in golden.sessions(without: check.runs.compactMap(\.golden)) {
      check.addUnpaired(session, path: golden.reader.path, isGolden: true)
    }
  }
  guard check.runs.contains(where: { $0.isCompared || $0.grade == .fail }) else {
    throw Failure.usage("no run has the name of a golden session, so there is nothing to check")
  }
  try junit?.finish(with: check.junit(against: title, without: files).text)
  try summary?.finish(
    with: check.summary(verdict: check.verdict(against: title), without: files))
  if let page { try writePage(check, golden, to: page) }
  try printCheck(check, golden, files, invocation)
  let idle = check.idleRules.filter { golden != nil || !check.rulesOfTwoRuns.contains($0) }
  invocation.console.warnOfUnusedRules(idle)
  if marksBuild { invocation.output.write(command: check.annotations(without: files)) }
  return files.code(check.passes ? .yes : .no, hasAnswer: true)
}

/// Whose pages are marked.
enum AnnotationHost: String, CaseIterable {
  case github
}

/// Judges run by run, as a worker does; the same in every process.
struct GoldenJudge {
  /// The runs' check, without a run.
  private var check: GoldenCheck
  /// The recording that runs should be like.
  let golden: GoldenRecording?

  /// Reads tolerances and golden recording.
  ///
  /// - Parameters:
  ///   - flag: The flag that names the golden recording.
  init(_ invocation: Invocation, golden flag: Flag<String> = Flags.golden) throws {
    let path = invocation.text(Flags.tolerances)
    guard path != nil || invocation.has(flag) else {
      throw Failure.usage(
        "kymo \(invocation.command.name) needs --\(flag.name) FILE, --tolerances FILE, or both")
    }
    let tolerances = try path.map(invocation.console.readTolerances) ?? Tolerances()
    var options = RunComparison.Options()
    options.alignment = try invocation.value(Flags.align) ?? options.alignment
    check = GoldenCheck(tolerances, options: options)
    golden = try invocation.text(flag).map { try GoldenRecording(invocation.console, $0) }
  }

  /// Whether a rule judges all runs as one.
  var hasAggregates: Bool { check.tolerances.rules.contains { $0.aggregate != nil } }

  /// Whether a verdict waits for those of other runs.
  func isAggregated(_ verdict: Verdict) -> Bool {
    verdict.rule.map { check.tolerances.rules[$0.index].aggregate != nil } ?? false
  }

  /// What its answers depend on beside the run.
  var identity: [String] {
    [check.tolerances.json] + (golden?.identity ?? [])
  }

  /// The check and the golden recording.
  var parts: (GoldenCheck, GoldenRecording?) { (check, golden) }

  /// What a review shows of a run.
  mutating func reviewed(
    _ session: SessionRecord, in reader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws -> ReviewedRun {
    let counterpart = try golden.flatMap { golden in
      try golden.session(for: session).map { ($0, golden.reader) }
    }
    return try check.reviewed(session, in: reader, golden: counterpart, progress: progress)
  }

  /// What is found of a run.
  mutating func judged(
    _ session: SessionRecord, in reader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws -> GoldenCheck.Run {
    guard let golden else { return try check.judged(session, in: reader) }
    guard let counterpart = try golden.session(for: session) else {
      return check.unpaired(session, path: reader.path, isGolden: false)
    }
    return try check.judged(
      session, in: reader, golden: counterpart, in: golden.reader, progress: progress)
  }
}

/// The recording that runs should be like.
struct GoldenRecording {
  let reader: RecordingReader
  private let selected: SessionRecord?
  let sessions: [SessionRecord]

  init(_ console: Console, _ name: String) throws {
    let (path, selector) = SessionArgument.split(name)
    let reader = try console.openRecording(path)
    let sessions = try reader.sessions()
    self.reader = reader
    self.sessions = sessions
    selected = try selector.map { try reader.session(selectedBy: $0) } ?? sessions.only
    if selected == nil, sessions.isEmpty {
      throw Failure.unreadable("\(path) contains no session that runs could be like")
    }
  }

  /// Its sessions, wherever the file is.
  var identity: [String] { (selected.map { [$0] } ?? sessions).map(\.uuid) }

  /// The session that a run is to be like; nil where none has its name.
  func session(for run: SessionRecord) throws -> SessionRecord? {
    if let selected { return selected }
    let named = sessions.filter { $0.description.name == run.description.name }
    guard named.count <= 1, run.description.name != nil else {
      throw Failure.usage(
        "\(reader.path) has \(sessions.count) sessions and not just one is named as \(run.label); "
          + "name the session: --golden \(reader.path)#1")
    }
    return named.first
  }

  /// The sessions that have to be there and are not among these.
  func sessions(without found: [SessionRecord]) -> [SessionRecord] {
    let found = Set(found.map(\.number))
    return (selected.map { [$0] } ?? sessions).filter { !found.contains($0.number) }
  }
}

extension Array {
  /// The element of an array of one; nil for any other.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

private func warnOfUnjudgedRules(_ check: GoldenCheck, _ invocation: Invocation) throws {
  let idle = check.rulesOfTwoRuns
  let active = check.tolerances.rules.filter { $0.level != .off }.count
  guard idle.count < active else {
    throw Failure.usage("no rule can be judged without a golden run; give --golden FILE")
  }
  guard !idle.isEmpty else { return }
  let names = idle.map(\.description).joined(separator: ", ")
  invocation.note("without --golden these are not judged: \(names)")
}

// MARK: - Output

/// As many rows as a table has unless all are asked for; as in `kymo compare`.
private let mostListed = 20

/// What was left out, as a row among what was judged.
private func errorFields(_ row: [EventField]) -> [EventField] {
  var given = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
  given["finding"] = .text("error")
  given["subject"] = .text("reading")
  given["measure"] = .text("exit")
  given["value"] = given["exit"]
  given["says"] = given["error"]
  return GoldenCheck.RunVerdict.columns.map { EventField($0, given[$0] ?? .null) }
}

private func printCheck(
  _ check: GoldenCheck, _ golden: GoldenRecording?, _ files: ManyFiles, _ invocation: Invocation
) throws {
  let format = try invocation.outputFormat()
  let columns = GoldenCheck.RunVerdict.fields.tableColumns()
  let rows = check.rows(
    listsAll: invocation.has(Flags.all) || !(format == .table || format == .markdown))
  if format == .table || format == .markdown {
    invocation.output.write(check.verdict(against: golden?.reader.path) + "\n")
    if rows.isEmpty { return }
    invocation.output.write("\n")
    let shown = invocation.has(Flags.all) ? rows.count : min(rows.count, mostListed)
    try invocation.print(Array(rows.prefix(shown)), columns: columns)
    if shown < rows.count {
      invocation.output.write("… \(rows.count - shown) more, --all\n")
    }
    return
  }
  try invocation.print(rows + files.errorRows.map(errorFields), columns: columns)
}

private func writePage(
  _ check: GoldenCheck, _ golden: GoldenRecording?, to output: FileOutput
) throws {
  guard let worst = check.worst else { return }
  let verdict = check.verdict(against: golden?.reader.path)
  try output.finish(
    with: try check.page(of: worst, besides: golden, verdict: verdict, output.console).bytes)
}

extension GoldenCheck {
  /// The full page of a run, beside its golden session where it has one.
  func page(
    of run: Run, besides golden: GoldenRecording?, verdict: String, _ console: Console
  ) throws -> ReportPage {
    let (session, reader) = try OpenRecordings(console).session(
      NamedRun(path: run.path, session: run.session))
    let shown = try ReportRun(session: session, in: reader)
    guard let golden, let number = run.golden?.number else {
      return ReportPage(shown, verdict: verdict)
    }
    // Compared once more: comparisons are not kept for a thousand runs, of which a few get a page.
    var judge = self
    let counterpart = try golden.reader.session(number)
    let found = try judge.judged(session, in: reader, golden: counterpart, in: golden.reader)
    return ReportPage(
      try ReportRun(session: counterpart, in: golden.reader), shown, comparison: found.comparison,
      verdict: verdict)
  }
}

extension GoldenCheck {
  /// The run that is furthest off: with the most failures, the first of equals.
  fileprivate var worst: Run? {
    let compared = runs.filter(\.isCompared)
    let counts = compared.map { run in run.verdicts.count { $0.grade == .fail } }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }.map { compared[$0] }
  }

  /// What it came to, in a line, and what fails worst, in another: of a run, or else of all.
  func verdict(against golden: String?, worst run: Run? = nil) -> String {
    let verdicts = runs.flatMap(\.verdicts) + aggregated
    let warnings = verdicts.count { $0.grade == .warn }
    let compared = runs.filter(\.isCompared)
    let failed = compared.count { $0.grade == .fail }
    let missing = runs.count { !$0.isCompared && $0.grade == .fail }
    let together = aggregated.count { $0.grade == .fail }
    let count = compared.count == 1 ? "1 run" : "\(compared.count) runs"
    var parts: [String] = []
    if failed > 0 { parts.append("\(failed) of \(count)") }
    if missing > 0 {
      parts.append("\(missing) missing \(missing == 1 ? "session" : "sessions")")
    }
    if together > 0 { parts.append("\(together) of what the runs were made one for") }
    var text = passes ? "Passed: \(count)" : "Failed: \(parts.joined(separator: " and "))"
    if let golden { text += " against \(DisplayText.harmless(golden))" }
    if warnings > 0 { text += ", \(warnings) \(warnings == 1 ? "warning" : "warnings")" }
    text += "."
    let named = run.flatMap { run in run.verdicts.worst.map { RunVerdict(run: run, verdict: $0) } }
    guard let worst = named ?? findings.first, worst.verdict.grade == .fail else { return text }
    var sentence = worst.verdict.sentence
    if runs.count > 1, let run = worst.run, run.isCompared {
      sentence = "\(run.session.label): \(sentence)"
    }
    let others = failures.count - 1
    return text
      + "\nWorst: \(DisplayText.harmless(sentence))\(others > 0 ? "; \(others) more" : "")."
  }

  /// What was judged, for build servers, which know a case by its class and name from one build to the next: a case
  /// for each run, by the golden recording's name and the session's, one for all together, and one for each file that
  /// could not be read.
  fileprivate func junit(against golden: String?, without files: ManyFiles) -> JUnitDocument {
    var document = JUnitDocument(name: "kymo check")
    for run in runs {
      document.add(
        fileName(golden ?? run.path), run.session.description.name ?? "without a name",
        run.verdicts, file: run.path)
    }
    let together = aggregated
    if !together.isEmpty { document.add("all runs", "together", together) }
    for file in files.leftOut {
      document.add(
        fileName(golden ?? file.name), "reading \(fileName(file.name))", error: file.why)
    }
    return document
  }
}
