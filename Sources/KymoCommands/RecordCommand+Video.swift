import KymographCLibrary
import TimelineModel
import TimelineRecorder
import TimelineRendering
import TimelineStore
import VideoReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `kymo record --video`: the motion of elements in a clip, into a recording.
func recordVideoForm() -> CommandForm {
  CommandForm(
    arguments: "--video FILE --track NAME=X,Y,WxH --into FILE.kymo", argumentCount: 0...0,
    flags: [
      VideoFlags.video, VideoFlags.track, VideoFlags.again, VideoFlags.from, VideoFlags.to,
      VideoFlags.scale, VideoFlags.decoder, Flags.into, Flags.name, Flags.precision,
      Flags.pack.described("pack poses and samples into blocks while recording"), Flags.uuid,
      Flags.wallClock, Flags.redaction, Flags.limits, Flags.listing,
    ], run: runRecordVideo)
}

/// The flags of `kymo record --video` alone.
enum VideoFlags {
  static var video: Flag<String> {
    .text("video", "FILE", "the screen recording, in any format that ffmpeg reads")
  }
  static var track: Flag<VideoTrack> {
    Flag(
      "track", "NAME=X,Y,WxH",
      "an element's outline in pixels in the first picture, at @TIME, or in the last one with @end. #3 is number 3 of the candidates",
      repeats: true
    ) { text, name in try VideoTrack(text, of: name) }
  }
  static var candidates: Flag<String> {
    .text(
      "candidates", "OUT.png",
      "a picture of the clip with a grid of 100 px and numbered boxes around what moves"
    ).checked { path, name in
      guard path == "-" || path.lowercased().hasSuffix(".png") else {
        throw Failure.usage("--\(name) writes a PNG. Name it OUT.png (got '\(path)')")
      }
    }
  }
  static var at: Flag<VideoTrack.Place> {
    Flag("at", "TIME", "the picture that is shown: 0, or end for the last one") { text, name in
      if text == "end" { return .last }
      guard let time = parseTime(text), time >= 0 else {
        throw Failure.usage(
          "--\(name) must be a time such as 0.25 or 250ms, or end (got '\(text)')")
      }
      return time == 0 ? .first : .time(time)
    }
  }
  static var again: Flag<String> {
    .text("again", "FILE[#SESSION]", "the tracks of a recording of another clip")
  }
  static var from: Flag<Int64> {
    Flags.from.described("only from this time of the clip on (0.25, 250ms, …)")
  }
  static var to: Flag<Int64> { Flags.to.described("only up to this time of the clip") }
  static var scale: Flag<Double> {
    .number("scale", "N", "pixels of the picture in a point: lengths are then points")
      .standard("1").checked { scale, name in
        guard (0.1...16).contains(scale) else {
          throw Failure.usage(
            "--\(name) must be from 0.1 to 16 (got '\(FieldValue.jsonNumber(scale))')")
        }
      }
  }
  static var decoder: Flag<String> {
    .text(
      "decoder", "PATH", "ffmpeg, instead of KYMO_FFMPEG or the first in the search path")
  }
}

private func runRecordVideo(_ invocation: Invocation) throws -> ExitCode {
  let console = invocation.console
  let path = try invocation.requiredValue(VideoFlags.video)
  let target = try invocation.requiredValue(Flags.into)
  guard target != "-", !target.isEmpty else {
    throw Failure.usage("--into must be the name of a file (got '\(target)')")
  }
  guard path != target else {
    throw Failure.usage("--into is the clip itself. Name another file")
  }
  let earlier = try invocation.text(VideoFlags.again).map {
    try EarlierVideo(SessionArgument(console, $0), $0)
  }
  let marked = try invocation.tracks(earlier)
  let scale = try invocation.value(VideoFlags.scale) ?? earlier?.scale ?? 1
  let range = try invocation.clipRange()
  let file = try ClipFile(path)
  let request = try invocation.videoRequest(path)
  let tracks = try VideoTrack.resolved(marked, request, in: range, console)
  if console.ownsProcess { ReadingInterrupt.handle() }
  // A clip takes as long as it likes.
  console.letGoOfStates()
  let clip = try VideoTracking(request, tracks, in: range, console).run()
  if let width = earlier?.width, let height = earlier?.height,
    width != clip.size.width || height != clip.size.height
  {
    throw Failure.usage(
      "\(file.shownName) is \(clip.size), and the clip of --again was \(width)x\(height). Mark the elements with --track"
    )
  }
  let session = VideoSession(
    clip: clip, origin: try invocation.origin(of: clip, file, scale), scale: scale)
  let (recorder, sink, troubles) = try invocation.recorder(into: target, session.description())
  session.record(into: sink)
  try troubles.finish {
    try recorder.finish(at: Instant(nanoseconds: clip.times.last ?? 0))
  }
  let story = VideoStory(clip: clip, name: file.shownName)
  let isWhole = try report(story, target, recorder, invocation)
  return isWhole ? troubles.code : .loss
}

extension Invocation {
  /// The stretch of a clip that is asked for. The times were read from somewhere, and rounded.
  func clipRange() throws -> ClosedRange<Int64> {
    let range = try range(VideoFlags.from, VideoFlags.to)
    return VideoTracking.stretch(range.lowerBound.nanoseconds, range.upperBound.nanoseconds)
  }

  /// The elements to follow.
  fileprivate func tracks(_ earlier: EarlierVideo?) throws -> [VideoTrack] {
    let given = try allValues(VideoFlags.track)
    guard given.isEmpty || earlier == nil else {
      throw Failure.usage("--again takes the recorded tracks. Remove --track")
    }
    let tracks = earlier?.tracks ?? given
    guard !tracks.isEmpty else {
      throw Failure.usage("missing --track NAME=X,Y,WxH: the outline of an element, in pixels")
    }
    guard tracks.count <= VideoTrack.most else {
      throw Failure.usage(
        "\(tracks.count) tracks are more than \(VideoTrack.most), the limit. Follow the others in a second session"
      )
    }
    var names = Set<String>()
    for track in tracks where !names.insert(track.name).inserted {
      throw Failure.usage("--track: the name \(track.name) is given twice")
    }
    return tracks
  }

  /// The fields of the event `video`.
  fileprivate func origin(
    of clip: TrackedClip, _ file: ClipFile, _ scale: Double
  ) throws -> [EventField] {
    let (summary, facts) = (clip.summary, clip.summary.facts)
    let fingers = clip.tracks.filter(\.isFinger).map { FieldValue.object($0.fields) }
    return EventField.known([
      "file": file.name, "bytes": file.byteCount, "sha256": try file.digest(),
      "container": facts.container, "codec": facts.codec, "pixel_format": facts.pixelFormat,
      "time_base": summary.timeBase?.description, "start_s": facts.startSeconds,
      "pictures": clip.times.count, "width": clip.size.width, "height": clip.size.height,
      "scale": scale, EarlierVideo.from: try value(VideoFlags.from),
      EarlierVideo.to: try value(VideoFlags.to),
      "tracks": FieldValue.list(clip.tracks.filter { !$0.isFinger }.map { .object($0.fields) }),
      EarlierVideo.fingers: fingers.isEmpty ? nil : FieldValue.list(fingers),
      "tracker": VideoSession.trackerVersion,
      "decoder": facts.decoderVersion.map { "ffmpeg \($0)" },
    ])
  }
}

/// Prints the clip's line, the row of the session, and the lines of each track.
///
/// - Returns: Whether nothing is missing.
private func report(
  _ story: VideoStory, _ path: String, _ recorder: Recorder, _ invocation: Invocation
) throws -> Bool {
  let lines = story.notes + story.clip.tracks.indices.flatMap(story.lines)
  let format = try invocation.outputFormat()
  switch format {
  case .table, .markdown:
    try invocation.writeLines(story.headline.text)
    try reportRecording(path, recorder, invocation)
    for line in lines { try invocation.writeLines(line.text) }
  case .json, .ndjson:
    let tracks = story.clip.tracks.indices.map { VideoTrackRow(story: story, number: $0) }
    try reportRecording(
      path, recorder, invocation,
      more: EventField.list([
        "video": FieldValue.object(VideoRow(story: story).row),
        "tracks": FieldValue.list(tracks.rows.map(FieldValue.object)),
      ]))
  case .csv: try reportRecording(path, recorder, invocation)
  }
  // What is missing is said to people, too, if a program gets the rows.
  if format != .table, format != .markdown {
    for line in lines where line.isLoss { invocation.note(line.text) }
  }
  return !lines.contains(where: \.isLoss)
}

/// A clip as a file.
struct ClipFile {
  private let path: String
  let byteCount: Int

  /// - Throws: ``Failure``: it is not there, or is no file.
  init(_ path: String) throws {
    self.path = path
    guard path != "-", try isRegularFile(path) else {
      throw Failure.usage("--video must be the name of a file (got '\(path)')")
    }
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      throw Failure.unreadable("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    byteCount = Int(facts.st_size)
  }

  /// The name without its folders.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The name in sentences: in quotation marks if something in it is no letter.
  var shownName: String {
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return isPlain ? name : ForeignText.quoted(name)
  }

  /// SHA-256, in hexadecimal digits. It is read piece by piece.
  func digest() throws -> String {
    let descriptor = try openToRead(path)
    defer { close(descriptor) }
    var (sum, piece) = (SHA256(), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      sum.add(piece[..<count])
    }
    return sum.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
