import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineReport
import TimelineStore
import VideoReading

/// `kymo report FILE -o OUT.html`: one report that plays a session, or two on one clock.
func reportCommand() -> Command {
  Command(
    name: "report", summary: "Write an HTML report that plays one session or two",
    arguments: "A [B] --out OUT.html", argumentCount: 1...2,
    examples: [
      "kymo report pinch.kymo -o pinch.html",
      "kymo report yesterday.kymo today.kymo -o both.html --align release",
      "kymo report pinch.kymo#1 pinch.kymo#2 -o both.html",
      "kymo report clip.kymo --video clip.mp4 -o clip.html",
    ],
    exits: [.loss: "if a session was thinned to fit, or was not closed"],
    discussion: """
      \(Flags.texts)

      FILE alone means its last session. The report opens from disk and loads nothing. It has the
      story of the motion, as kymo show does, and each line is a link to its instant. It plays the
      stage with touches, curves, gesture phases, markers, frames, and the release with its
      velocity.

      In the report, ? lists the keys. D and then F, C, U or N labels the release at the cursor.
      OUT.html#t=0.4 opens it at that time.

      Two sessions share one clock. The report and standard output say whether they move alike, as
      kymo compare does. --align none keeps the clocks of the sessions, and start and release align
      them there. xcorr shifts B so that all keys fit best, and progress stretches the time of B to
      equal progress. manual=MS shifts B by that time.

      --video puts the pictures of the clip under the stage, for a session of kymo record --video. The
      elements are outlines then. They are hatched while they are not found. The pictures are in the
      report, and take at most --page-size.

      Positions are rounded to 1/1024 point. A session that is too long for the report is thinned, and
      the report says so.
      """,
    flags: [
      Flags.align.described("of two sessions: start, none, release, xcorr, progress or manual=MS")
        .standard("start"),
      ReportFlags.shift,
      VideoFlags.video.described(
        "the clip that the session is of: its pictures are under the stage"),
      VideoFlags.decoder,
      Flags.out.described("the report", value: "OUT.html").inSection(.output),
      ReportFlags.pageSize.inSection(.output),
      Flags.force.inSection(.output), Flags.gestureReading,
    ], run: runReport)
}

/// The flags of `kymo report` alone.
enum ReportFlags {
  static var shift: Flag<Int64> {
    .time("shift", "TIME", "the initial shift of B, which the report can change")
  }
  /// Bytes.
  static var pageSize: Flag<Int64> {
    .measure(
      "page-size", "SIZE", "the largest size of the report (2MB, 500kB, bytes)",
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
  let clip = invocation.text(VideoFlags.video)
  guard sources.count == 1 || clip == nil else {
    throw Failure.usage("--video can only be used with one session")
  }
  guard clip != nil || !invocation.has(VideoFlags.decoder) else {
    throw Failure.usage("--decoder can only be used with --video")
  }
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
  if let clip { page.film = try film(of: clip, behind: sources[0], page, bar, invocation) }
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
  let stride = page.film?.stride ?? 1
  if stride > 1 {
    invocation.note(
      "the report has one of \(stride) pictures of the clip. Allow more with --page-size")
  }
  return stride == 1 && runs.allSatisfy { $0.session.isClean && $0.thinning.isEmpty }
    ? .yes : .loss
}

/// Reads the pictures of a clip for the report of its session.
private func film(
  of path: String, behind source: SessionArgument, _ page: ReportPage, _ bar: ProgressBar,
  _ invocation: Invocation
) throws -> ReportFilm {
  let console = invocation.console
  let recorded = try EarlierVideo(source, source.reader.path)
  let file = try ClipFile(path)
  if let digest = recorded.digest, try file.digest() != digest {
    throw Failure.usage(
      "\(file.shownName) is not the clip of this recording: its SHA-256 differs. The clip was \(recorded.file ?? "another")"
    )
  }
  if console.ownsProcess { ReadingInterrupt.handle() }
  var request = try invocation.videoRequest(path)
  request.form = .jpeg(width: recorded.shownWidth)
  let limit = try invocation.value(ReportFlags.pageSize).map { Int(clamping: $0) } ?? 10_000_000
  var film = ReportFilm(byteLimit: max(smallestRunBytes, limit - page.bytes.count))
  let stream = try VideoStream(request) {
    console.ownsProcess && ReadingInterrupt.hasCome || console.isCancelled()
  }
  var start: Int64?
  while let picture = try stream.next() {
    if picture.nanoseconds < recorded.stretch.lowerBound { continue }
    if picture.nanoseconds > recorded.stretch.upperBound { break }
    start = start ?? picture.nanoseconds
    let time = picture.nanoseconds - (start ?? 0)
    film.add(picture.bytes, at: Instant(nanoseconds: time))
    bar.update(min(1, Double(time) / Double(max(1, source.session.end?.nanoseconds ?? 1))))
  }
  stream.finish()
  return film
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
      "--page-size must be at least \(smallest) bytes, the size of the report itself")
  }
  return (Int(clamping: size) - ReportPage.bytesWithoutRuns) / runs
}
