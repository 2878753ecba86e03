import TimelineInterchange
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func expectWorker(_ invocation: Invocation) throws -> Worker {
  let judge = ExpectationJudge(try invocation.expectations().rules)
  return invocation.console.fileWorker(isolatesSessions: true) { session, reader, writer in
    writer.put(
      ExpectedRun(
        path: reader.path, session: session,
        verdicts: try judge.verdicts(of: session, in: reader)))
  }
}

/// `kymo expect FILE… --requirements E.json`: recorded runs held against what motion has to be.
func expectCommand() -> Command {
  Command(
    name: "expect", summary: "whether recorded motion is as required, without a golden run",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo expect today/*.kymo --requirements motion.json",
      "kymo expect run.kymo#2 --requirements motion.json --all",
      "kymo expect run.kymo --requirements motion.json --page run.html",
    ],
    discussion: """
      Every session of every file is held against every rule of the file; FILE#SESSION takes
      one session. Of several transitions in a session each is judged, and the worst counts.
      The kinds: follows (a value keeps to the finger), hands_over (it goes on at the finger's
      speed), continuous (nothing jumps), monotone (it does not go back), overshoot, settles_by,
      stays_in (a rectangle), before (events in order), stagger (one after the other), appears_by,
      apart (frames keep a distance), hitch (even frames); the article "Require motion" has
      their numbers. A limit of time bears half a frame. A subject that is not there fails
      unless its rule is "optional". What is within its limits is listed with --all; --page
      writes a page of the run with the most failures, each marked where it is. Ends with 0
      when everything is as required, with 1 when something is not, with 4 for a file of rules
      that cannot be read. A recording that cannot be read is named and left out: with 3 where
      nothing fails, with 4 where there is no other.
      """,
    flags: [
      Flags.requirements,
      Flags.all.described("every number, those within their limits too"),
      Flags.junit,
      Flags.page.described("also write a page of the run with the most failures (HTML)"),
      Flags.force.described("replace files that are there already"),
      Flags.manyFiles, Flags.listing,
    ],
    worker: expectWorker, run: runExpect)
}

private func runExpect(_ invocation: Invocation) throws -> ExitCode {
  let expectations = try invocation.expectations()
  let files = try ManyFiles(invocation, label: "judging", isolatesSessions: true)
  let inputs =
    invocation.positionals.map { SessionArgument.split($0).path }
    + [try invocation.requiredValue(Flags.requirements)]
  let junit = try invocation.fileOutput(Flags.junit, beside: inputs)
  let page = try invocation.fileOutput(Flags.page, beside: inputs)
  defer { files.finishBar() }
  let runs = try files.gather(invocation.positionals) {
    try $0.expectedRun(expectations.rules)
  }.flatMap { $0 }
  files.finishBar()
  let name = fileName(try invocation.requiredValue(Flags.requirements))
  guard !runs.isEmpty else {
    try junit?.finish(with: document(runs, expectations.rules, name, without: files).text)
    return try files.unreadable(invocation, rows: errorFields)
  }
  try junit?.finish(with: document(runs, expectations.rules, name, without: files).text)
  let verdict = verdictLines(runs, expectations.rules)
  if let page { try writePage(runs, verdict, to: page) }
  try printRuns(runs, verdict, files, invocation)
  return files.code(runs.allSatisfy(\.passes) ? .yes : .no, hasAnswer: true)
}

extension Invocation {
  /// The requirements of `--requirements`.
  ///
  /// - Throws: ``Failure`` with 4 for a file that is missing or malformed, with 2 without the flag.
  func expectations() throws -> Expectations {
    let path = try requiredValue(Flags.requirements)
    guard path != "-" else {
      throw Failure.usage("--requirements expects the name of a file; it is read more than once")
    }
    do {
      return try Expectations(json: try console.readInput(path, atMost: .description))
    } catch {
      let why = explain(error).message
      throw Failure.unreadable(why.contains(path) ? why : "\(path): \(why)")
    }
  }
}

// MARK: - Output

/// As many rows as a table has unless all are asked for; as in `kymo check`.
private let mostListed = 20

/// What was left out, as a row among what was judged.
private func errorFields(_ row: [EventField]) -> [EventField] {
  var named = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
  (named["number"], named["says"]) = (named["exit"], named["error"])
  let fixed = ["kind": "error", "subject": "reading", "measure": "exit"].mapValues(FieldValue.text)
  named.merge(fixed) { $1 }
  for name in ["pass", "skipped"] { named[name] = .flag(false) }
  return ExpectedRun.columns.map { EventField($0, named[$0] ?? .null) }
}

/// What it came to, in a line, and what fails worst, in another.
private func verdictLines(_ runs: [ExpectedRun], _ rules: [MotionExpectation]) -> String {
  let failed = runs.filter { !$0.passes }
  let count = "\(counted(runs.count, "run")) against \(counted(rules.count, "rule"))"
  let skipped = runs.flatMap(\.verdicts).count { $0.isSkipped }
  let rest = skipped > 0 ? ", \(skipped) not there and optional" : ""
  guard !failed.isEmpty else { return "Passed: \(count)\(rest)." }
  let broken = Set(failed.flatMap { $0.verdicts.filter { !$0.passes }.map(\.rule) }).count
  let text = "Failed: \(failed.count) of \(count), by \(counted(broken, "rule"))\(rest)."
  let worst = failed.flatMap { run in run.verdicts.map { (run, $0) } }.filter { !$0.1.passes }
  guard let first = failed.flatMap(\.verdicts).byImportance.first,
    let run = worst.first(where: { $0.1 == first })?.0
  else { return text }
  let sentence = runs.count > 1 ? "\(run.session.label): \(first.sentence)" : first.sentence
  let others = worst.count - 1
  return text + "\nWorst: \(DisplayText.harmless(sentence))\(others > 0 ? "; \(others) more" : "")."
}

private func printRuns(
  _ runs: [ExpectedRun], _ verdict: String, _ files: ManyFiles, _ invocation: Invocation
) throws {
  let format = try invocation.outputFormat()
  let isForPeople = format == .table || format == .markdown
  let isWhole = invocation.has(Flags.all) || !isForPeople
  let rows = runs.flatMap { $0.rows(failuresOnly: !isWhole) }
  guard isForPeople else {
    return try invocation.print(
      rows + files.errorRows.map(errorFields),
      columns: format == .csv ? [] : ExpectedRun.tableColumns)
  }
  invocation.output.write(verdict + "\n")
  if rows.isEmpty { return }
  invocation.output.write("\n")
  let shown = invocation.has(Flags.all) ? rows.count : min(rows.count, mostListed)
  try invocation.print(Array(rows.prefix(shown)), columns: ExpectedRun.tableColumns)
  // A table has no room for why there is no number, and what else has to be known.
  let notes = runs.flatMap { $0.verdicts.byImportance.filter { !$0.passes && $0.note != nil } }
  for verdict in notes.prefix(shown) {
    invocation.output.write("\(DisplayText.harmless(verdict.sentence)).\n")
  }
  if shown < rows.count { invocation.output.write("… \(rows.count - shown) more, --all\n") }
}

/// What was judged, for build servers, which know a case by its class and name from one build to the next: a case for
/// each rule of each session, by the names of the file of rules and of the session.
private func document(
  _ runs: [ExpectedRun], _ rules: [MotionExpectation], _ name: String, without files: ManyFiles
) -> JUnitDocument {
  var document = JUnitDocument(name: "kymo expect")
  for run in runs {
    for (index, rule) in rules.enumerated() {
      let verdicts = run.verdicts.filter { $0.rule == index }.byImportance
      let title =
        rule.id
        ?? "\(rule.demand.kind.rawValue) \(rule.subjects.map(\.text).joined(separator: ", "))"
      document.add(
        name, "\(run.session.description.name ?? "without a name"): \(title)",
        failures: verdicts.filter { !$0.passes }.map(\.sentence),
        notes: verdicts.filter { $0.passes && $0.note != nil }.map(\.sentence), file: run.path)
    }
  }
  for file in files.leftOut {
    document.add(name, "reading \(fileName(file.name))", error: file.why)
  }
  return document
}

/// The last part of a path, which stays the same wherever a build is.
func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// The page of the run with the most failures, the first of equals.
private func writePage(_ runs: [ExpectedRun], _ verdict: String, to output: FileOutput) throws {
  let position = runs.indices.max { (runs[$0].failureCount, -$0) < (runs[$1].failureCount, -$1) }
  guard let position else { return }
  let (session, reader) = try OpenRecordings(output.console).session(
    NamedRun(path: runs[position].path, session: runs[position].session))
  let page = ReportPage(
    try ReportRun(session: session, in: reader), verdict: verdict,
    marks: ReportMark.all(runs[position].verdicts))
  try output.finish(with: page.bytes)
}

extension WireWriter {
  /// What was found of a session.
  mutating func put(_ run: ExpectedRun) {
    put(run.path)
    put(run.session)
    put(run.verdicts) { writer, verdict in
      writer.put(verdict.rule)
      writer.put(verdict.subject)
      writer.put(verdict.measure)
      writer.put(verdict.passes)
      writer.put(verdict.isSkipped)
      writer.put(verdict.instant?.nanoseconds)
      writer.put(verdict.number)
      writer.put(verdict.limit)
      writer.put(verdict.margin)
      writer.put(verdict.note)
    }
  }
}

extension WireReader {
  /// What was found of a session by these rules.
  fileprivate mutating func expectedRun(_ rules: [MotionExpectation]) throws -> ExpectedRun {
    ExpectedRun(
      path: try text(), session: try session(),
      verdicts: try list { reader in
        let rule = try reader.count()
        guard rules.indices.contains(rule) else { throw Self.isBroken }
        return ExpectationVerdict(
          rule: rule, kind: rules[rule].demand.kind.rawValue, id: rules[rule].id,
          subject: try reader.text(), measure: try reader.text(), passes: try reader.flag(),
          isSkipped: try reader.flag(),
          instant: try reader.optional { Instant(nanoseconds: try $0.integer()) },
          number: try reader.optional { try $0.number() },
          limit: try reader.optional { try $0.number() },
          margin: try reader.optional { try $0.number() },
          note: try reader.optional { try $0.text() })
      })
  }
}
