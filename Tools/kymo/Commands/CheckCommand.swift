import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

/// `kymo check FILE… --tolerances T [--golden G]`: the gate of a build.
let checkCommand = Command(
  name: "check", summary: "whether recorded runs are within their limits: the gate of a build",
  arguments: "FILE…", argumentCount: 1...Int.max,
  examples: [
    "kymo check today/*.kymo --tolerances limits.json --golden golden.kymo",
    "kymo check run.kymo --tolerances limits.json",
    "kymo check run.kymo#2 --tolerances limits.json --golden golden.kymo#1",
  ],
  discussion: """
    Every session of every file is held against the golden recording's session of the same name,
    or its only one, or the one that G#SESSION names, as kymo compare does; FILE#SESSION takes
    one session of a file. Rules with an aggregate judge all runs as one. Without --golden only
    rules about hitch_ms_per_s, jank_percent and interval_p95_ms are judged. What is within its
    limits is listed with --all. --report writes a page of the run that is furthest off.
    Ends with 0 when everything is within its limits, with 1 when something is not. Warnings
    are no failure.
    """,
  flags: [
    Flag("tolerances", "FILE", "rules for what may differ (JSON); see the README"),
    Flag("golden", "FILE", "the recording that the runs should be like"),
    Flag("align", "HOW", "as in kymo compare, where the rules name none"),
    Flag("all", nil, "every judgement, also of what is within its limits"),
    Flag("junit", "FILE", "also write what was judged as JUnit's XML"),
    Flag("report", "FILE", "also write a page of the run that is furthest off (HTML)"),
    Flag("force", nil, "replace files that are there already"),
  ] + Flag.listing
) { invocation in
  let tolerances = try readTolerances(try invocation.requiredText("tolerances"))
  var options = RunComparison.Options()
  options.alignment = try invocation.alignment() ?? options.alignment
  var check = GoldenCheck(tolerances, options: options)
  let golden = try invocation.text("golden").map { try GoldenRecording($0) }
  if golden == nil { try sayWhatNeedsGolden(check) }
  let runs = try invocation.positionals.flatMap(runsToCheck)
  guard !runs.isEmpty else {
    throw Failure.usage("the files hold no session, so there is nothing to check")
  }
  let inputs = runs.map(\.path) + [golden?.reader.path].compactMap { $0 }
  let junit = try invocation.fileOutput("junit", beside: inputs)
  let page = try invocation.fileOutput("report", beside: inputs)
  let recordings = OpenRecordings()
  let bar = ProgressBar(label: "checking")
  defer { bar.finish() }
  for (index, run) in runs.enumerated() {
    let share = 1 / Double(runs.count)
    let (session, reader) = try recordings.session(run)
    if let golden {
      try check.add(
        session, in: reader, golden: try golden.session(for: session), in: golden.reader,
        progress: { bar.update((Double(index) + $0) * share) })
    } else {
      try check.add(session, in: reader)
    }
  }
  bar.finish()
  try junit?.finish(with: check.junit.text)
  if let page { try writePage(check, runs, golden, to: page) }
  try printCheck(check, golden, invocation)
  let idle = check.idleRules.filter { golden != nil || !check.rulesOfTwoRuns.contains($0) }
  sayWhichRulesAreIdle(idle)
  return check.passes ? .yes : .no
}

/// The sessions of `FILE`, or the one of `FILE#SESSION`.
private func runsToCheck(_ name: String) throws -> [NamedRun] {
  if SessionArgument.split(name).selector != nil {
    let argument = try SessionArgument(name)
    return [NamedRun(path: argument.reader.path, session: argument.session)]
  }
  let reader = try openRecording(name)
  let sessions = try reader.sessions()
  if reader.isWithoutLog { warnOfMissingLog(reader, sessions) }
  return sessions.map { NamedRun(path: name, session: $0) }
}

/// The recording that runs should be like.
private struct GoldenRecording {
  let reader: RecordingReader
  private let selected: SessionRecord?
  private let sessions: [SessionRecord]

  init(_ name: String) throws {
    let (path, selector) = SessionArgument.split(name)
    let reader = try openRecording(path)
    let sessions = try reader.sessions()
    self.reader = reader
    self.sessions = sessions
    selected = try selector.map { try reader.session(selectedBy: $0) } ?? sessions.only
    if selected == nil, sessions.isEmpty {
      throw Failure.usage("\(path) holds no session that runs could be like")
    }
  }

  /// The session that a run is to be like.
  func session(for run: SessionRecord) throws -> SessionRecord {
    if let selected { return selected }
    let named = sessions.filter { $0.description.name == run.description.name }
    guard let session = named.only, run.description.name != nil else {
      throw Failure.usage(
        "\(reader.path) has \(sessions.count) sessions and not just one is named as \(run.label); "
          + "name the session: --golden \(reader.path)#1")
    }
    return session
  }
}

extension Array {
  /// The element of an array of one; nil for any other.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

private func sayWhatNeedsGolden(_ check: GoldenCheck) throws {
  let idle = check.rulesOfTwoRuns
  let active = check.tolerances.rules.filter { $0.level != .off }.count
  guard idle.count < active else {
    throw Failure.usage("no rule can be judged without a golden run; give --golden FILE")
  }
  guard !idle.isEmpty else { return }
  let names = idle.map { "rules[\($0)]" }.joined(separator: ", ")
  say("kymo: without --golden these are not judged: \(names)")
}

// MARK: - Output

/// As many rows as a table has unless all are asked for; as in `kymo compare`.
private let mostListed = 20

private let columns = [
  "file", "session", "name", "finding", "subject", "measure", "value", "limit", "rule",
]

private func rows(_ check: GoldenCheck, all: Bool) -> [[Field]] {
  var rows: [[Field]] = []
  func add(_ judgement: Judgement, _ run: GoldenCheck.Run?) {
    guard all || judgement.finding != .pass else { return }
    rows.append([
      Field("file", FieldValue(run?.path)),
      Field("session", run.map { FieldValue(Int($0.session.number)) } ?? .null),
      Field("name", FieldValue(run?.session.description.name)),
      Field("finding", .text(judgement.finding.rawValue)),
      Field("subject", .text(judgement.subject.isEmpty ? "runs" : judgement.subject)),
      Field("measure", .text(judgement.measure)),
      Field("value", FieldValue(judgement.value)), Field("limit", FieldValue(judgement.limit)),
      Field("rule", FieldValue(judgement.rule)),
    ])
  }
  for run in check.runs { for judgement in run.judgements { add(judgement, run) } }
  for judgement in check.aggregated { add(judgement, nil) }
  return rows
}

private func printCheck(
  _ check: GoldenCheck, _ golden: GoldenRecording?, _ invocation: Invocation
) throws {
  let format = try invocation.outputFormat()
  let rows = rows(check, all: invocation.has("all") || !(format == .table || format == .markdown))
  if format == .table || format == .markdown {
    standardOutput.write(check.verdict(against: golden?.reader.path) + "\n")
    if rows.isEmpty { return }
    standardOutput.write("\n")
    let shown = invocation.has("all") ? rows.count : min(rows.count, mostListed)
    try invocation.print(Array(rows.prefix(shown)), columns: columns)
    if shown < rows.count {
      standardOutput.write("… \(rows.count - shown) more, --all\n")
    }
    return
  }
  try invocation.print(rows, columns: columns)
}

private func writePage(
  _ check: GoldenCheck, _ runs: [NamedRun], _ golden: GoldenRecording?, to output: FileOutput
) throws {
  guard let worst = check.worst else { return }
  let run = try ReportRun(
    session: check.runs[worst].session, in: RecordingReader(path: runs[worst].path))
  let verdict = check.verdict(against: golden?.reader.path)
  guard let golden, let session = check.runs[worst].golden else {
    return try output.finish(with: ReportPage(run, verdict: verdict).bytes)
  }
  let page = ReportPage(
    try ReportRun(session: session, in: golden.reader), run,
    comparison: check.runs[worst].comparison, verdict: verdict)
  try output.finish(with: page.bytes)
}

extension GoldenCheck {
  /// The place of the run that is furthest off: with the most failures, the first of equals.
  fileprivate var worst: Int? {
    let counts = runs.map { run in run.judgements.filter { $0.finding == .fail }.count }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }

  /// What it came to, in a line.
  fileprivate func verdict(against golden: String?) -> String {
    let judgements = runs.flatMap(\.judgements) + aggregated
    let warnings = judgements.filter { $0.finding == .warn }.count
    let failed = runs.filter { $0.finding == .fail }.count
    let together = aggregated.filter { $0.finding == .fail }.count
    var text =
      passes ? "Passed: \(runs.count == 1 ? "1 run" : "\(runs.count) runs")" : "Failed: "
    if !passes {
      var parts: [String] = []
      if failed > 0 { parts.append("\(failed) of \(runs.count) runs") }
      if together > 0 { parts.append("\(together) of what the runs were made one for") }
      text += parts.joined(separator: " and ")
    }
    if let golden { text += " against \(DisplayText.harmless(golden))" }
    if warnings > 0 { text += ", \(warnings) \(warnings == 1 ? "warning" : "warnings")" }
    return text + "."
  }

  /// What was judged, for build servers: a case for each run, and one for all together.
  fileprivate var junit: JUnitDocument {
    var document = JUnitDocument(name: "kymo check")
    func add(_ group: String, _ name: String, _ judgements: [Judgement]) {
      document.cases.append(
        JUnitDocument.Case(
          group: group, name: name,
          failures: judgements.filter { $0.finding == .fail }.map(\.sentence),
          notes: judgements.filter { $0.finding == .warn }.map { "warning: \($0.sentence)" }))
    }
    for run in runs { add(run.path, run.session.label, run.judgements) }
    let together = aggregated
    if !together.isEmpty { add("all runs", "together", together) }
    return document
  }
}
