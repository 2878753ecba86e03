import TimelineQuery
import TimelineReport
import TimelineStore

/// `kymo report FILE -o OUT.html`: one page that plays a session, or two on one clock.
func reportCommand() -> Command {
  Command(
    name: "report", summary: "one HTML page that plays a session, or two on one clock",
    arguments: "A [B] --out OUT.html", argumentCount: 1...2,
    examples: [
      "kymo report pinch.kymo -o pinch.html",
      "kymo report yesterday.kymo today.kymo -o both.html --align release",
      "kymo report pinch.kymo#1 pinch.kymo#2 -o both.html",
    ],
    discussion: """
      The page opens from disk by a double click; it loads nothing. It shows the stage with
      touches, curves, gesture phases, markers, frames and the release with its velocity, and
      plays them; ? lists its keys, D and then F, C, U or N labels the release at the cursor, and OUT.html#t=0.4 opens it at a time. Two runs share one
      clock, with a lag that can be changed; whether they move alike is printed and stands in
      the page, in the words of kymo compare (which also ends with 1 where they differ).
      --align: none takes the sessions' own clocks, start and release align these,
      xcorr shifts B so that all keys fit best, progress judges B with its time stretched to
      equal progress (the page then moves B as a whole, to where that begins), manual=MS moves
      B's clock. Positions are held at 1/1024 point; a session too long for the page is thinned,
      which the page states and which ends with 3, as does a session that was not closed.
      """,
    flags: [
      Flags.out,
      Flags.align.described("start (default), none, release, xcorr, progress or manual=MS"),
      ReportFlags.shift,
      ReportFlags.pageSize,
      Flags.force,
    ], run: runReport)
}

/// The flags of `kymo report` alone.
enum ReportFlags {
  static var shift: Flag<Int64> {
    .time("shift", "TIME", "the initial shift of B; the page can change it", formerName: "lag")
  }
  /// Bytes.
  static var pageSize: Flag<Int64> {
    .measure(
      "page-size", "SIZE", "how large the page may be (2MB, 500kB, bytes); 10MB a run",
      units: [("MB", 1e6), ("kB", 1e3), ("", 1)], such: "2MB or 500kB")
  }
}

private func runReport(_ invocation: Invocation) throws -> ExitCode {
  guard !["-", ""].contains(try invocation.requiredValue(Flags.out)) else {
    throw Failure.usage("a page is a file; --out expects its name")
  }
  let names = invocation.positionals
  let sources = try names.map { try SessionArgument(invocation.console, $0) }
  let alignment = try invocation.value(Flags.align)
  let lag = try invocation.value(ReportFlags.shift)
  guard sources.count == 2 || (alignment == nil && lag == nil) else {
    throw Failure.usage("--align and --shift are for two runs; only one is named")
  }
  let byteLimit = try dataLimit(invocation, runs: sources.count)
  let output = try FileOutput(invocation, flag: Flags.out, beside: sources.map(\.reader.path))
  let bar = ProgressBar(invocation.console, label: "reading")
  defer { bar.finish() }
  var runs: [ReportRun] = []
  for (index, source) in sources.enumerated() {
    runs.append(
      try ReportRun(session: source.session, in: source.reader, byteLimit: byteLimit) { share in
        bar.update((Double(index) + share) / Double(sources.count))
      })
  }
  var page = ReportPage(runs[0])
  var verdict: String?
  if sources.count == 2 {
    let (a, b) = (sources[0], sources[1])
    let comparison = try RunComparison.compare(
      a.session, in: a.reader, with: b.session, in: b.reader, alignment: alignment ?? .start)
    let report = ComparisonReport(comparison: comparison, a: a, b: b, listsAll: false)
    page = report.page(of: runs, lagSeconds: Double(lag ?? 0) / 1e9)
    verdict = report.verdictLine
  }
  try output.finish(with: page.bytes)
  bar.finish()
  if let verdict { invocation.output.write(verdict + "\n") }
  output.announce()
  for run in runs {
    for sentence in run.thinning { invocation.note("\(run.session.label): \(sentence)") }
  }
  return runs.allSatisfy { $0.session.isClean && $0.thinning.isEmpty } ? .yes : .loss
}

/// The smallest room for a run, in bytes: names and a few poses of a short session.
private let smallestRunBytes = 20_000

/// How many bytes each run may take.
private func dataLimit(_ invocation: Invocation, runs: Int) throws -> Int {
  guard let size = try invocation.value(ReportFlags.pageSize) else {
    return ReportRun.defaultByteLimit
  }
  let smallest = ReportPage.bytesWithoutRuns + runs * smallestRunBytes
  guard size >= smallest else {
    throw Failure.usage("--page-size is \(smallest) bytes at least, for the page itself")
  }
  return (Int(clamping: size) - ReportPage.bytesWithoutRuns) / runs
}
