import PictureTracking
import TimelineModel
import VideoReading

/// Follows marked elements through the pictures of a clip: on from where each was marked as the clip is decoded, and back
/// from there with pictures that wait on the disk.
final class VideoTracking {
  private let request: VideoRequest
  private let tracks: [VideoTrack]
  private let range: ClosedRange<Int64>
  private let console: Console
  private let bar: ProgressBar

  /// A track that has found its picture.
  private struct Running {
    var number: Int
    var reference: Int
    var tracker: ElementTracker
  }

  private var running: [Running] = []
  private var waiting: [Int]
  private var times: [Int64] = []
  private var changes: [Double] = []
  private var start: Int64 = 0
  private var newest: GreyPicture?
  private var spool: PictureSpool?
  private var scratch: ScratchFolder?
  /// Only pictures whose numbers are multiples of it get poses.
  private var step = 1

  /// More pictures, and a longer stretch, are not followed.
  static let mostPictures = 20_000
  static let mostNanoseconds: Int64 = 600_000_000_000
  /// All parts of pictures around elements, in bytes. Beyond it every second picture is left out.
  private static let mostBytes = 128 << 20
  /// A time that somebody read may be so much off that of its picture, in nanoseconds.
  static let tolerance: Int64 = 1_000_000

  /// The pictures from one time that somebody read to another one, in nanoseconds of the clip.
  static func stretch(_ start: Int64, _ end: Int64) -> ClosedRange<Int64> {
    let first = start.subtractingReportingOverflow(tolerance)
    let last = end.addingReportingOverflow(tolerance)
    return (first.overflow ? .min : first.partialValue)...(last.overflow ? .max : last.partialValue)
  }

  /// - Parameter range: The stretch that is recorded, in nanoseconds of the clip.
  init(
    _ request: VideoRequest, _ tracks: [VideoTrack], in range: ClosedRange<Int64>,
    _ console: Console
  ) {
    (self.request, self.tracks, self.range, self.console) = (request, tracks, range, console)
    waiting = Array(tracks.indices)
    bar = ProgressBar(console, label: "following")
  }

  /// Follows them all.
  ///
  /// - Throws: ``Failure`` or `VideoError`: the clip cannot be read, or a rectangle cannot be followed.
  func run() throws -> TrackedClip {
    defer { bar.finish() }
    let stream = try VideoStream(request, isInterrupted: isInterrupted)
    while let picture = try stream.next() {
      if picture.nanoseconds < range.lowerBound { continue }
      if picture.nanoseconds > range.upperBound { break }
      try take(picture)
      let share = stream.summary.facts.durationSeconds.map {
        Double(picture.nanoseconds) / 1e9 / $0
      }
      bar.update((needsBackwards ? 0.5 : 0.9) * (share ?? 0))
    }
    stream.finish()
    try endForwards(stream.summary)
    try goBackwards()
    return TrackedClip(
      tracks: tracks, times: times, changes: changes, step: step, start: start,
      size: PictureSize(width: newest?.width ?? 0, height: newest?.height ?? 0),
      summary: stream.summary, results: finish())
  }

  private var isInterrupted: () -> Bool {
    let console = console
    return { console.ownsProcess && ReadingInterrupt.hasCome || console.isCancelled() }
  }

  private var needsBackwards: Bool { spool != nil }

  // MARK: Forwards

  private func take(_ picture: VideoPicture) throws {
    try checkLimits(picture)
    let grey = GreyPicture(width: picture.width, height: picture.height, values: picture.bytes)
    let index = times.count
    if index == 0 {
      start = picture.nanoseconds
      for number in waiting {
        if let refusal = tracks[number].refusal(width: grey.width, height: grey.height) {
          throw Failure.usage(refusal)
        }
      }
    }
    // A mark is of the last picture that does not come after its time.
    try startTracks(at: index - 1, newest) { place in
      place.time.map { picture.nanoseconds > $0 + Self.tolerance } ?? false
    }
    times.append(picture.nanoseconds - start)
    let change = newest.map(grey.meanDifference)
    changes.append(change ?? 0)
    newest = grey
    follow(grey, index, running, isSame: change == 0)
    if index == 0 { try startTracks(at: 0, grey) { $0 == .first } }
    if !waiting.isEmpty { try keep(picture.bytes) }
    limitMemory()
  }

  /// Follows some of the tracks, side by side.
  private func follow(_ picture: GreyPicture, _ index: Int, _ tracks: [Running], isSame: Bool) {
    let time = seconds(index)
    concurrently(tracks.count) {
      tracks[$0].tracker.follow(picture, index: index, time: time, isSame: isSame)
    }
  }

  private func checkLimits(_ picture: VideoPicture) throws {
    let remedy = "Record a stretch of it with --from and --to"
    guard times.count < Self.mostPictures else {
      throw Failure.usage(
        "\(request.name) has more than \(Self.mostPictures) pictures, the limit. \(remedy)")
    }
    guard times.isEmpty || picture.nanoseconds - start <= Self.mostNanoseconds else {
      throw Failure.usage(
        "\(request.name) is longer than \(Self.mostNanoseconds / 60_000_000_000) min, the limit. \(remedy)"
      )
    }
  }

  private func startTracks(
    at index: Int, _ picture: GreyPicture?, where isNow: (VideoTrack.Place) -> Bool
  ) throws {
    for number in waiting where isNow(tracks[number].place) {
      guard let picture, index >= 0 else {
        throw Failure.usage("\(tracks[number].name): @TIME is before --from. Mark it later")
      }
      let track = tracks[number]
      do {
        let tracker = try ElementTracker(
          picture, index: index, time: seconds(index), track.rectangle)
        running.append(Running(number: number, reference: index, tracker: tracker))
      } catch .oneColour {
        throw Failure(
          .no,
          "\(track.name): the rectangle has one colour; nothing can be followed. Include an edge")
      } catch {
        throw Failure.usage(
          "\(track.name): \(track.outline) cannot be followed in \(picture.width)x\(picture.height)"
        )
      }
      waiting.removeAll { $0 == number }
    }
  }

  private func seconds(_ index: Int) -> Double { Double(times[index]) / 1e9 }

  /// Keeps a picture for the way back.
  private func keep(_ bytes: [UInt8]) throws {
    if spool == nil {
      let folder = try ScratchFolder(for: "pictures of a clip")
      scratch = folder
      spool = try PictureSpool(in: folder.path, byteCount: bytes.count)
    }
    try spool?.append(bytes)
  }

  private func limitMemory() {
    while running.reduce(0, { $0 + $1.tracker.byteCount }) > Self.mostBytes, step < 1 << 20 {
      step *= 2
      for track in running { track.tracker.keepEvery(step) }
    }
  }

  private func endForwards(_ summary: VideoSummary) throws {
    guard let last = times.last else {
      throw Failure.usage(
        "\(request.name) has no picture in this stretch: \(summary.pictureCount) pictures come before it"
      )
    }
    let end = start + last
    for number in waiting {
      guard let time = tracks[number].place.time, time > end + Self.mostBehind else { continue }
      throw Failure.usage(
        "\(tracks[number].name): @\(NumberText.decimals(Double(time) / 1e9, most: 3)) is after the last picture, at "
          + "\(NumberText.fixed(Double(end) / 1e9, 3)) s. Mark the last one with @end")
    }
    try startTracks(at: times.count - 1, newest) { _ in true }
    limitMemory()
  }

  /// The last picture is shown at most so long, in nanoseconds.
  private static let mostBehind: Int64 = 1_000_000_000

  // MARK: Backwards

  private func goBackwards() throws {
    guard let spool, let newest else { return }
    let last = running.map(\.reference).max() ?? 0
    for index in stride(from: last - 1, through: 0, by: -1) {
      guard !isInterrupted() else { throw Failure(.interrupted, "interrupted") }
      let picture = GreyPicture(
        width: newest.width, height: newest.height, values: try spool.picture(index))
      follow(
        picture, index, running.filter { $0.reference > index }, isSame: changes[index + 1] == 0)
      limitMemory()
      bar.update(0.5 + 0.4 * Double(last - index) / Double(last))
    }
    self.spool = nil
    scratch = nil
  }

  // MARK: The end

  /// The poses of all tracks, in their order. What each kept goes before the next.
  private func finish() -> [TrackResult] {
    var results = [TrackResult](repeating: TrackResult(), count: tracks.count)
    running.reverse()
    while let track = running.popLast() {
      results[track.number] = track.tracker.finish()
      bar.update(1 - 0.1 * Double(running.count) / Double(tracks.count))
    }
    return results
  }
}
