import MotionJudgement
import RunStudies
import TimelineInterchange
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func checkWorker(_ invocation: Invocation) throws -> Worker {
  var judge = try RunJudge(invocation)
  let isReview = invocation.has(CheckFlags.review)
  return invocation.fileWorker(besides: judge.golden?.reader.path, isolatesSessions: true) {
    session, reader in
    let progress = { invocation.console.workProgress?($0) ?? () }
    if isReview { return try judge.reviewed(session, in: reader, progress: progress) }
    var run = try judge.judged(session, in: reader, progress: progress)
    run.comparison = nil
    return ReviewedRun(run: run, figures: ReviewedRun.Figures())
  }
}

/// `kymo check FILE…`, with `--golden`, `--tolerances`, `--requirements` or several of them: the gate of a build.
func checkCommand() -> Command {
  Command(
    name: "check", summary: "Check sessions against golden ones, limits or requirements",
    arguments: "FILE…",
    argumentCount: 1...Int.max,
    examples: [
      "kymo check today/*.kymo --golden golden.kymo --tolerances limits.json",
      "kymo check today/*.kymo --requirements motion.json",
      "kymo check today/*.kymo --golden golden.kymo --review review.html -j 4",
      "kymo check run.kymo#2 --golden golden.kymo#1 --requirements motion.json",
    ],
    exits: [
      .yes: "if every session passes, with or without warnings", .no: "if a session fails",
      .loss: "if no session fails, but a file was left out",
      .unreadable:
        "if no file could be read, or a golden recording, limits, requirements or an output cannot be used",
    ],
    discussion: """
      kymo judges every session of every FILE, and FILE#SESSION means one session. You need at least
      one of --golden, --tolerances and --requirements. All verdicts make one table, one JUnit file
      and one exit code. Decisions come first, then structure, requirements, motion, elements, and
      last the missing sessions, keys and elements. The verdict also names the first missing one.

      If no file can be read, or if a folder has none, --junit has an error for each of them.

      With --golden, kymo compares each session with the golden session of the same name, as kymo
      compare does. If there is only one golden session, or if you name one with FILE#SESSION, it
      compares with that. A golden session without a match fails unless you give --subset. A session
      without a golden session is a warning.

      With --tolerances, the limits of that file replace those of kymo compare. Without --golden, only
      those of hitch_ms_per_s, jank_percent and interval_p95_ms are judged.

      With --requirements, each session must meet the requirements of that file: follows,
      hands_over, continuous, monotone, overshoot, settles_by, stays_in, before, stagger, appears_by,
      apart and hitch. The article "Requirement files" explains them. A missing subject fails unless its
      requirement is optional.

      The numbers of follows and hands_over have 90 % intervals. If a limit is inside of its
      interval, the recording is too short to tell. That is a warning, or with --strict a failure.

      --review writes a review: a report of all sessions, the worst first. You can accept sessions and
      label releases there. The review saves accept.txt for kymo golden accept, and labels.csv for
      kymo label --import.
      """,
    columns: GoldenCheck.RunVerdict.fields.described(),
    flags: [
      Flags.golden, Flags.tolerances, Flags.requirements, Flags.subset,
      Flags.keys.described("with --golden: compare only these values, with commas between"),
      Flags.align.standard("from the limits, else start"),
      Flags.all.described("list every verdict, also those that pass"),
      Flags.junit,
      Flags.page.described("also write an HTML report of the session with the most failures"),
      CheckFlags.strict, CheckFlags.review, CheckFlags.pages, CheckFlags.markdown,
      CheckFlags.annotations,
      Flags.force, Flags.manyFiles, Flags.listing,
    ],
    worker: checkWorker, run: runCheck)
}

/// The flags of `kymo check` alone.
enum CheckFlags {
  static var strict: Flag<Bool> {
    .toggle("strict", "with --requirements: fail if a recording is too short to tell")
  }
  static var review: Flag<String> {
    .text("review", "OUT.html", "also write a review of all sessions").inSection(.output)
  }
  static var pages: Flag<WantedPages> {
    Flag(
      "pages", "N", "with --review: full reports of the worst N sessions, of failed or of all"
    ) { text, name in
      switch text {
      case "all": return .worst(.max)
      case "failed": return .failed
      default:
        guard let count = Int(text), count >= 0 else {
          throw Failure.usage("--\(name) must be a whole number, failed or all (got '\(text)')")
        }
        return .worst(count)
      }
    }.offering(["failed", "all"]).standard("50").inSection(.output)
  }
  static var markdown: Flag<String> {
    .text("markdown", "FILE", "also write a Markdown summary, at most 900 kB").inSection(.output)
  }
  static var annotations: Flag<AnnotationHost> {
    .choice("annotations", "HOST", "also print annotations for the page of a build: github")
      .inSection(.output)
  }
}

/// Whose pages are marked.
enum AnnotationHost: String, CaseIterable {
  case github
}

private func runCheck(_ invocation: Invocation) throws -> ExitCode {
  var judge = try RunJudge(invocation)
  try warnOfUnjudgedRules(judge, invocation)
  guard judge.golden != nil || !invocation.has(Flags.subset) else {
    throw Failure.usage("--subset goes with --golden FILE")
  }
  let wanted = try invocation.value(CheckFlags.pages)
  guard wanted == nil || invocation.has(CheckFlags.review) else {
    throw Failure.usage("--pages goes with --review")
  }
  let files = try ManyFiles(invocation, label: "checking", isolatesSessions: true)
  let inputs =
    invocation.positionals.map { SessionArgument.split($0).path }
    + [judge.golden?.reader.path, judge.requirements?.path].compactMap { $0 }
  let junit = try invocation.fileOutput(Flags.junit, beside: inputs)
  let page = try invocation.fileOutput(Flags.page, beside: inputs)
  let review = try invocation.fileOutput(CheckFlags.review, beside: inputs)
  let summary = try invocation.fileOutput(CheckFlags.markdown, beside: inputs)
  let marksBuild = try invocation.value(CheckFlags.annotations) != nil
  if marksBuild {
    guard try invocation.outputFormat() == .table else {
      throw Failure.usage("--annotations goes with --format table, which the log of a build shows")
    }
    invocation.output.isReadByRunner = true
  }
  defer { files.finishBar() }
  // What a review shows of each run, in the order of the check's runs.
  var figures: [ReviewedRun.Figures] = []
  judge.check.keepsPassing = try listsPassing(invocation)
  // A session that cannot be read takes nothing back of the others (`isolatesSessions`).
  _ = try files.gather(invocation.positionals) { (found: ReviewedRun) in
    judge.check.add(found.run)
    if review != nil { figures.append(found.figures) }
  }
  files.finishBar()
  func finish(_ verdict: String) throws {
    try junit?.finish(with: judge.junit(without: files).text)
    try summary?.finish(with: judge.check.summary(verdict: verdict, without: files))
  }
  guard !judge.check.runs.isEmpty else {
    let verdict = "Failed: no file could be read."
    try finish(verdict)
    switch try invocation.outputFormat() {
    case .table, .markdown: try invocation.writeLines(verdict)
    case .json, .ndjson, .csv: break
    }
    if marksBuild { invocation.output.write(command: judge.check.annotations(without: files)) }
    return try files.unreadable(invocation, rows: errorFields)
  }
  if let golden = judge.golden, !invocation.has(Flags.subset) {
    for session in golden.sessions(without: judge.check.runs.compactMap(\.golden)) {
      judge.check.addUnpaired(session, path: golden.reader.path, isGolden: true)
      if review != nil {
        figures.append(try judge.check.missing(session, in: golden.reader).figures)
      }
    }
  }
  guard judge.check.runs.contains(where: { $0.isJudged || $0.grade == .fail }) else {
    throw Failure.usage(
      "no session has the name of a golden session. Name one with --golden FILE#SESSION")
  }
  if let review {
    let runs = zip(judge.check.runs, figures).map(ReviewedRun.init)
    try writeReview(of: runs, judge, wanted ?? .worst(50), files, inputs, invocation, to: review)
  }
  let verdict = judge.verdict(without: files)
  try finish(verdict)
  if let page, let worst = judge.worst {
    try page.finish(
      with: judge.page(of: worst, verdict: verdict, invocation.console).bytes)
  }
  try printCheck(judge, verdict, files, invocation)
  let idle = judge.check.idleRules.filter {
    judge.golden != nil || !judge.check.rulesOfTwoRuns.contains($0)
  }
  invocation.console.warnOfUnusedRules(idle)
  if marksBuild { invocation.output.write(command: judge.check.annotations(without: files)) }
  return files.code(judge.check.passes ? .yes : .no, hasAnswer: true)
}

private func warnOfUnjudgedRules(_ judge: RunJudge, _ invocation: Invocation) throws {
  guard judge.golden == nil, judge.hasTolerances else { return }
  let idle = judge.check.rulesOfTwoRuns
  let active = judge.check.tolerances.rules.filter { $0.level != .off }.count
  guard idle.count < active || judge.requirements != nil else {
    throw Failure.usage("no limit of the tolerance file can be judged without --golden FILE")
  }
  guard !idle.isEmpty else { return }
  let names = idle.map(\.description).joined(separator: ", ")
  invocation.note("without --golden these limits are not judged: \(names)")
}

// MARK: - Output

/// As many rows as a table has unless all are asked for. As in `kymo compare`.
private let mostListed = 20

/// What was left out, as a row among what was judged.
private func errorFields(_ row: [EventField]) -> [EventField] {
  var given = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
  given["finding"] = .text("error")
  given["subject"] = .text("reading")
  given["measure"] = .text("exit")
  given["value"] = given["exit"]
  given["skipped"] = .flag(false)
  given["says"] = given["error"]
  return GoldenCheck.RunVerdict.columns.map { EventField($0, given[$0] ?? .null) }
}

/// Whether what passes is printed, too.
private func listsPassing(_ invocation: Invocation) throws -> Bool {
  guard !invocation.has(Flags.all) else { return true }
  return switch try invocation.outputFormat() {
  case .table, .markdown: false
  case .json, .ndjson, .csv: true
  }
}

private func printCheck(
  _ judge: RunJudge, _ verdict: String, _ files: ManyFiles, _ invocation: Invocation
) throws {
  let format = try invocation.outputFormat()
  let isForPeople = format == .table || format == .markdown
  let all = judge.check.findings(includesPassing: try listsPassing(invocation))
  guard isForPeople else {
    return try invocation.print(
      all.rows + files.errorRows.map(errorFields), columns: GoldenCheck.RunVerdict.columns)
  }
  try invocation.writeLines(verdict)
  if all.isEmpty { return }
  let usual = invocation.has(Flags.all) ? [] : judge.check.usualWarnings
  let findings = all.filter { !usual.contains(GoldenCheck.name(of: $0.verdict)) }
  invocation.output.write("\n")
  let shown = findings.prefix(invocation.has(Flags.all) ? findings.count : mostListed)
  try invocation.print(
    Array(shown),
    columns: GoldenCheck.RunVerdict.tableColumns(withRequirements: judge.requirements != nil))
  // A table has no room for why there is no number, and what else has to be known.
  for found in shown {
    let verdict = found.verdict
    guard verdict.requirement != nil,
      verdict.isUndecided || verdict.finding.note != nil && (!verdict.passes || verdict.isSkipped)
    else { continue }
    try invocation.writeLines("\(judge.sentence(of: found)).")
  }
  if shown.count < findings.count {
    invocation.output.write("… \(findings.count - shown.count) more (--all)\n")
  }
  if let words = GoldenCheck.usualInWords(all.count - findings.count) {
    invocation.output.write("… \(words) (--all)\n")
  }
}
