import JSONText
import MotionJudgement
import MotionMeasures
import RunStudies
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// `kymo compare A B`, and `kymo compare BASE… -- NEW…`: whether sessions move alike.
func compareCommand() -> Command {
  Command(
    name: "compare", summary: "Compare two sessions, or two groups of sessions",
    forms: [compareTwoForm(), compareGroupsForm()],
    examples: [
      "kymo compare yesterday.kymo today.kymo", "kymo compare pinch.kymo#1 pinch.kymo#2 --json",
      "kymo compare base.kymo new.kymo --align xcorr --tolerances limits.json",
      "kymo compare base.kymo new.kymo --exact --ignore software,engine_version",
      "kymo compare base.kymo new.kymo --key progress,item.apple.center.y,finger.y",
      "kymo compare yesterday/*.kymo -- today/*.kymo",
      "kymo compare base.kymo -- new.kymo --paired --key progress",
    ],
    exits: [
      .yes: "if the sessions are the same, or nothing shows a change",
      .no: "if they differ, or a metric changed",
      .loss: "if a file of a group was left out, or a part of a text could not be read",
    ],
    discussion: """
      A B compares two sessions, and FILE alone means its last session. Keys of the same name are
      read at the instants of either session and interpolated linearly between samples.

      A and B may also be texts: gesture files in any format, tables of values, or the lines of an app.
      Contacts are then compared by their positions.

      A key of an app with unit 1 and at most 16 whole numbers holds its value instead. The lag is
      the shift of B that fits best, and the residual is the error that it leaves.

      Two sessions are the same under four conditions. Every residual is at most 0.5 % of its key's
      range over at least half of the longer session. The lag is at most one frame. The decisions
      are equal. Every element is within half a point and 0.5 % of its path.

      With --key only those values and the decisions count. Limits of a tolerance file
      replace these for the values that they match.

      The velocities at a release are those of the session's own estimator. With --estimator all,
      each estimator is asked about each key of each release, which takes long.

      \(Flags.keyGrammar) For groups, NAMES are keys.

      --align none keeps the clocks of the sessions, and start and release align them there. xcorr
      shifts B so that all keys fit best, and progress stretches the time of B to equal progress.
      manual=MS shifts B by that time.

      BASE… -- NEW… compares two groups, and FILE alone means all its sessions. A row has the median
      of each group with its 95 % interval, and the change with its p, or ~ without evidence of a
      change.

      The test is Mann and Whitney's U, and Fisher's exact test for decisions. With --paired it is
      Wilcoxon's signed ranks, and McNemar's test for decisions. p is exact up to 60 sessions (100
      pairs), and adjusted for the number of tests with Holm's procedure.

      "+9 sessions" estimates how many more sessions a group needs to show a change of 5 %.
      """,
    columns: RunComparison.columns + GroupComparison.columns + [WorkFailure.errorsColumn]
      + readAsColumns
      + ExactComparison.Table.fields.described(),
    choose: { $0.firstGroupCount == nil ? 0 : 1 })
}

/// The form for two sessions.
private func compareTwoForm() -> CommandForm {
  CommandForm(
    arguments: "A B", argumentCount: 2...2,
    flags: [
      Flags.align.described("start, none, release, xcorr, progress or manual=MS").standard("start"),
      Flags.tolerances, CompareFlags.residual, CompareFlags.maxLag, Flags.lagLimit,
      Flags.keys.described("compare only these values, with commas between"),
      CompareFlags.jank, CompareFlags.estimator, Flags.all, CompareFlags.exact, CompareFlags.ignore,
      Flags.page.described("also write a report that plays both sessions, as kymo report does")
        .inSection(.output),
      Flags.junit.inSection(.output), Flags.force.inSection(.output), Flags.gestureReading,
      Flags.listing,
    ], run: runCompare)
}

/// The flags of `kymo compare` alone.
enum CompareFlags {
  static var maxLag: Flag<Int64> {
    Flag<Int64>.time("max-lag", "TIME", "largest lag that is the same")
      .standard("one frame")
  }
  static var residual: Flag<Double> {
    Flag<Double>.number("residual", "PERCENT", "largest residual that is the same, of the range")
      .standard("0.5")
  }
  static var jank: Flag<Double> {
    Flag<Double>.number(
      "jank", "MULTIPLE", "an interval longer than this many expected ones is jank"
    ).standard("2")
  }
  static var estimator: Flag<EstimatorChoice> {
    Flags.estimator.described(
      "also the velocities at the releases by this estimator of kymo velocity, or by all of them")
  }
  static var exact: Flag<Bool> {
    .toggle("exact", "compare everything recorded bit for bit")
  }
  static var ignore: Flag<[String]> {
    Flag("ignore", "COLUMNS", "with --exact: ignore these columns (t_ns,samples.value,…)") {
      text, _ in
      text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
  }
}

/// How the two texts were read, in the row of the verdict.
private let readAsColumns = ["A", "B"].map {
  ResultColumn(
    "read_as_\($0.lowercased())", .text,
    "How \($0) was read if it is a text, not a recording, in the row of the verdict.")
}

private func runCompare(_ invocation: Invocation) throws -> ExitCode {
  let a = try SessionArgument(invocation, invocation.positionals[0])
  let b = try SessionArgument(invocation, invocation.positionals[1])
  if invocation.has(CompareFlags.exact) { return try compareExactly(a, b, invocation) }
  guard !invocation.has(CompareFlags.ignore) else {
    throw Failure.usage("--ignore needs --exact. Ignore keys with limits of --tolerances")
  }
  var options = try comparisonOptions(invocation)
  options.keyNames = try invocation.namedValues(in: a, b).map { Set($0.names) }
  let fingers = try a.fingersOfText() + b.fingersOfText()
  if options.keyNames == nil, !fingers.isEmpty { options.keyNames = Set(fingers) }
  let format = try invocation.outputFormat()
  let isForPeople = format == .table || format == .markdown
  switch try invocation.value(Flags.estimator) {
  case nil: options.velocities = .own
  case .one(let estimator): options.velocities = .also(estimator)
  case .all: options.velocities = .all
  }
  // The others are columns of JSON, NDJSON and CSV alone.
  options.keyFigures = isForPeople ? .hints : .all
  let junit = try invocation.fileOutput(Flags.junit, beside: [a.reader.path, b.reader.path])
  let page = try invocation.fileOutput(Flags.page, beside: [a.reader.path, b.reader.path])
  let bar = ProgressBar(invocation.console, label: "comparing")
  defer { bar.finish() }
  let comparison = try RunComparison.compare(
    a.session, in: a.reader, with: b.session, in: b.reader, options: options,
    progress: { bar.update($0) })
  bar.finish()
  guard !comparison.isEmpty else {
    throw Failure.usage("nothing to compare: neither session has a key, a decision or an element")
  }
  try junit?.finish(
    with: comparison.junit(name: invocation.positionals.joined(separator: " and ")).text)
  let report = ComparisonReport(
    comparison: comparison, a: a, b: b, listsAll: invocation.has(Flags.all))
  if let page { try writePage(of: report, to: page) }
  if isForPeople {
    try report.printSections(invocation)
  } else {
    let readAs = zip(readAsColumns, [a, b]).compactMap { column, run in
      run.text?.text.readAs.map { EventField(column.name, .text($0)) }
    }
    let writer = try invocation.rowWriter(
      columns: RunComparison.columns.map(\.name) + readAs.map(\.name))
    comparison.forEachRow(
      listsAll: report.listsAll, hints: report.hints, endingWith: readAs, writer.write)
    writer.finish()
  }
  if options.keyNames == nil {
    invocation.console.warnOfUnusedRules(
      options.tolerances?.idleRules(comparison.allVerdicts) ?? [])
  }
  return comparison.isSame ? .yes : .no
}

extension Console {
  /// Says which limits of a tolerance file judged nothing: a name in them may be misspelt.
  func warnOfUnusedRules(_ rules: [Tolerances.RuleReference]) {
    guard !rules.isEmpty else { return }
    let names = rules.prefix(5).map(\.description).joined(separator: ", ")
    let more = rules.count > 5 ? " and \(rules.count - 5) more" : ""
    note(
      "unused limits: \(names)\(more). Nothing has their names, or an earlier limit matches first"
    )
  }
}

/// What was asked for, with a tolerance file's alignment where no other was named.
func comparisonOptions(_ invocation: Invocation) throws -> RunComparison.Options {
  var options = RunComparison.Options()
  if let path = invocation.text(Flags.tolerances) {
    let tolerances = try invocation.console.readTolerances(path)
    options.alignment = tolerances.alignment ?? options.alignment
    options.lagLimitSeconds = tolerances.lagLimitSeconds ?? options.lagLimitSeconds
    options.tolerances = tolerances
  }
  func refuse(_ flag: String, _ kind: String) -> Failure {
    .usage("--\(flag) must be \(kind) (got '\(invocation.text(of: flag) ?? "")')")
  }
  if let percent = try invocation.value(CompareFlags.residual) {
    guard percent >= 0 else { throw refuse("residual", "a percentage of 0 or more") }
    options.tolerance.residualShare = percent / 100
  }
  if let lag = try invocation.value(CompareFlags.maxLag) {
    guard lag >= 0 else { throw refuse("max-lag", "a time of 0 or more") }
    options.tolerance.lagSeconds = Double(lag) / 1e9
  }
  options.lagLimitSeconds = try invocation.lagLimitSeconds() ?? options.lagLimitSeconds
  if let multiple = try invocation.value(CompareFlags.jank) {
    guard multiple >= 1 else { throw refuse("jank", "a number of 1 or more") }
    options.jankMultiple = multiple
  }
  options.alignment = try invocation.value(Flags.align) ?? options.alignment
  return options
}

extension Invocation {
  /// How far a lag is searched for each way.
  func lagLimitSeconds() throws -> Double? {
    guard let limit = try value(Flags.lagLimit) else { return nil }
    guard limit >= 0, limit <= 60_000_000_000 else {
      throw Failure.usage(
        "--lag-limit must be a time from 0 to 60 s (got '\(text(of: Flags.lagLimit.name) ?? "")')")
    }
    return Double(limit) / 1e9
  }
}

/// Writes the report of both sessions, with the verdict in its head.
private func writePage(of report: ComparisonReport, to output: FileOutput) throws {
  let runs = try [report.a, report.b].map { run in
    try ReportRun(session: run.session, in: run.reader)
  }
  try output.finish(with: report.page(of: runs).bytes)
  for run in runs {
    for sentence in run.thinning { output.console.note("\(run.session.label): \(sentence)") }
  }
}

extension Console {
  /// Reads a tolerance file.
  ///
  /// - Throws: ``Failure`` with 4 for a file that is missing or malformed, with its name and the place in it.
  func readTolerances(_ path: String) throws -> Tolerances {
    let bytes = try readInput(path, atMost: .description)
    do {
      let tolerances = try Tolerances(json: bytes)
      let outdated = tolerances.outdatedMeasures.map(\.rawValue)
      if !outdated.isEmpty {
        note(
          "\(path) limits \(outdated.joined(separator: " and ")) as an older kymo measured "
            + "\(outdated.count > 1 ? "them" : "it"). Learn the file again with kymo golden learn")
      }
      return tolerances
    } catch {
      throw Failure.unreadable(error.description(in: path))
    }
  }
}

/// `--exact`: whether everything is equal, bit for bit.
private func compareExactly(
  _ a: SessionArgument, _ b: SessionArgument, _ invocation: Invocation
) throws -> ExitCode {
  let inapplicable = invocation.given(
    Flags.align, Flags.tolerances, CompareFlags.residual, CompareFlags.maxLag, Flags.lagLimit,
    Flags.keys, CompareFlags.jank, CompareFlags.estimator, Flags.junit)
  if let flag = inapplicable.first {
    throw Failure.usage("--exact and --\(flag) exclude each other")
  }
  let ignored = try invocation.value(CompareFlags.ignore)
  let bar = ProgressBar(invocation.console, label: "comparing")
  defer { bar.finish() }
  let comparison = try ExactComparison(
    a.session.number, in: a.reader, with: b.session.number, in: b.reader,
    ignoring: ignored ?? [], progress: { bar.update($0) })
  bar.finish()
  let format = try invocation.outputFormat()
  if format == .table || format == .markdown {
    let count = comparison.tables.filter { !$0.isSame }.count
    let left = ignored.map { ", without \($0.joined(separator: ", "))" } ?? ""
    invocation.output.write(
      comparison.isSame
        ? "The same, bit for bit\(left).\n\n"
        : "Different: \(count) of \(comparison.tables.count) tables differ\(left).\n\n")
  }
  try invocation.print(comparison.tables.rows, columns: ExactComparison.Table.columns)
  return comparison.isSame ? .yes : .no
}
