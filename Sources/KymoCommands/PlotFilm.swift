import TimelineModel
import TimelineRendering
import TimelineStore

/// The form of `kymo plot` that draws the stage at some instants, as SVG.
func plotFilmForm() -> CommandForm {
  CommandForm(
    arguments: "FILE --film --out OUT.svg", argumentCount: 1...1,
    flags: [
      PlotFlags.film, PlotFlags.out, FilmstripFlags.frames, FilmstripFlags.across,
      Flags.at, PlotFlags.from, PlotFlags.to, Flags.force.inSection(.output),
    ], run: runFilmstrip)
}

/// The flags of the filmstrip alone.
enum FilmstripFlags {
  static var frames: Flag<Int> {
    .wholeNumber("frames", "N", in: 1...mostPictures, "how many pictures").standard("6")
  }
  static var across: Flag<Int> {
    .wholeNumber("across", "N", in: 1...mostPictures, "how many pictures in a row").standard("all")
  }
}

private func runFilmstrip(_ invocation: Invocation) throws -> ExitCode {
  let source = try SessionArgument(invocation)
  _ = try invocation.requiredValue(PlotFlags.out)
  let output = try FileOutput(invocation, flag: PlotFlags.out, beside: [source.reader.path])
  let playback = try Playback([source], Playback.Wishes(invocation, runCount: 1))
  let timeline = playback.timeline(isSwapped: false)
  let releases = timeline.markers.filter { $0.kind == .release }
  for flag in invocation.given(FilmstripFlags.frames, PlotFlags.from, PlotFlags.to)
  where invocation.has(Flags.at) {
    throw Failure.usage("--at and --\(flag) exclude each other")
  }
  let instants: [Instant]
  if let named = try invocation.value(Flags.at) {
    instants = named
  } else {
    let count = try invocation.value(FilmstripFlags.frames) ?? 6
    let bar = ProgressBar(invocation.console, label: "looking for motion")
    let pathLength = try StagePathLength(
      source, in: timeline.start...timeline.end, progress: bar.update)
    bar.finish()
    instants = moved(
      pathLength.instants(count) ?? evenInstants(count, timeline), to: releases.map(\.time))
  }
  var pictures: [Filmstrip.Picture] = []
  for instant in instants {
    guard instant <= timeline.end.advanced(byNanoseconds: 1_000_000),
      var picture = try playback.picture(at: instant)
    else { continue }
    picture.release = releases.first { $0.time == instant }?.label
    pictures.append(picture)
  }
  guard !pictures.isEmpty else {
    throw Failure.usage(
      "no frame was on the display then. kymo replay shows when frames begin")
  }
  if pictures.count < instants.count {
    invocation.note(
      "\(instants.count - pictures.count) of the times of --at are before the first frame or after the "
        + "end, and have no picture"
    )
  }
  let run = playback.runs[0]
  let first = min(timeline.start, instants.min() ?? timeline.start)
  let last = max(timeline.end, instants.max() ?? timeline.end)
  let strip = Filmstrip(
    title: run.title + (run.headline.isEmpty ? "" : ": " + run.headline), pictures: pictures,
    releases: releases.map(\.time.seconds), times: first.seconds...last.seconds,
    across: try invocation.value(FilmstripFlags.across))
  try output.finish(with: strip.svg)
  output.announce()
  return pictures.count < instants.count ? .loss : .yes
}

/// The most pictures of a strip: more are no strip, and each takes a look at the recording.
private let mostPictures = 500

/// Instants evenly apart from the first frame to the last.
private func evenInstants(_ count: Int, _ timeline: PlayerTimeline) -> [Instant] {
  let first = timeline.frames.first ?? timeline.start
  let length = (timeline.frames.last ?? timeline.end).nanoseconds(since: first)
  return (0..<count).map { number -> Instant in
    guard count > 1 else { return first }
    let share = Double(number) / Double(count - 1)
    return number == count - 1
      ? first.advanced(byNanoseconds: length)
      : first.advanced(byNanoseconds: Int64((Double(length) * share).rounded(.down)))
  }
}

/// The instants, of which those nearest to a release are moved to it.
private func moved(_ instants: [Instant], to releases: [Instant]) -> [Instant] {
  var instants = instants
  for release in releases where !instants.contains(release) {
    let free = instants.indices.filter { !releases.contains(instants[$0]) }
    let nearest = free.min {
      instants[$0].nanoseconds(since: release).magnitude
        < instants[$1].nanoseconds(since: release).magnitude
    }
    if let nearest { instants[nearest] = release }
  }
  return instants.sorted()
}
