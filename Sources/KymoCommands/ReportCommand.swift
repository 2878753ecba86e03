import MotionJudgement
import MotionMeasures
import TimelineReport
import TimelineStore

/// `kymo report FILE -o OUT.html`: one page that plays a session, or two on one clock.
func reportCommand() -> Command {
  Command(
    name: "report", summary: "Write an HTML page that plays one session or two",
    arguments: "A [B] --out OUT.html", argumentCount: 1...2,
    examples: [
      "kymo report pinch.kymo -o pinch.html",
      "kymo report yesterday.kymo today.kymo -o both.html --align release",
      "kymo report pinch.kymo#1 pinch.kymo#2 -o both.html",
    ],
    exits: [.loss: "if a session was thinned to fit, or was not closed"],
    discussion: """
      \(Flags.texts)

      FILE alone means its last session. The page opens from disk and loads nothing. It has the
      story of the motion, as kymo show does, and each line is a link to its instant. It plays the
      stage with touches, curves, gesture phases, markers, frames, and the release with its
      velocity.

      In the page, ? lists the keys. D and then F, C, U or N labels the release at the cursor.
      OUT.html#t=0.4 opens it at that time.

      Two sessions share one clock. The page and standard output say whether they move alike, as
      kymo compare does. --align none keeps the clocks of the sessions, and start and release align
      them there. xcorr shifts B so that all keys fit best, and progress stretches the time of B to
      equal progress. manual=MS shifts B by that time.

      Positions are rounded to 1/1024 point. A session that is too long for the page is thinned, and
      the page says so.
      """,
    flags: [
      Flags.align.described("of two sessions: start, none, release, xcorr, progress or manual=MS")
        .standard("start"),
      ReportFlags.shift,
      Flags.out.described("the page", value: "OUT.html").inSection(.output),
      ReportFlags.pageSize.inSection(.output),
      Flags.force.inSection(.output), Flags.gestureReading,
    ], run: runReport)
}

/// The flags of `kymo report` alone.
enum ReportFlags {
  static var shift: Flag<Int64> {
    .time("shift", "TIME", "the initial shift of B, which the page can change")
  }
  /// Bytes.
  static var pageSize: Flag<Int64> {
    .measure(
      "page-size", "SIZE", "the largest size of the page (2MB, 500kB, bytes)",
      units: [("MB", 1e6), ("kB", 1e3), ("", 1)], such: "2MB or 500kB"
    ).standard("10MB a session")
  }
}

private func runReport(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(Flags.out)
  guard !["-", ""].contains(path) else {
    throw Failure.usage("--out must be the name of a file (got '\(path)')")
  }
  let names = invocation.positionals
  let sources = try names.map { try SessionArgument(invocation, $0) }
  let alignment = try invocation.value(Flags.align)
  let lag = try invocation.value(ReportFlags.shift)
  guard sources.count == 2 || (alignment == nil && lag == nil) else {
    throw Failure.usage("--align and --shift can only be used with two sessions")
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
    for sentence in run.thinning { invocation.note("\(run.session.label): \(sentence.asClause)") }
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
    throw Failure.usage(
      "--page-size must be at least \(smallest) bytes, the size of the page itself")
  }
  return (Int(clamping: size) - ReportPage.bytesWithoutRuns) / runs
}
