import PictureTracking
import TimelineModel
import TimelineRendering
import VideoReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `kymo record --video FILE --candidates OUT.png`: what moves in a clip, for somebody who marks an element.
func recordCandidatesForm() -> CommandForm {
  CommandForm(
    arguments: "--video FILE --candidates OUT.png", argumentCount: 0...0,
    flags: [
      VideoFlags.video, VideoFlags.candidates, VideoFlags.at, VideoFlags.from, VideoFlags.to,
      VideoFlags.decoder, Flags.force, Flags.listing,
    ], run: runRecordCandidates)
}

private func runRecordCandidates(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(VideoFlags.video)
  guard let output = try invocation.fileOutput(VideoFlags.candidates, beside: [path]) else {
    return .usage
  }
  let place = try invocation.value(VideoFlags.at) ?? .first
  let request = try invocation.videoRequest(path)
  let range = try invocation.clipRange()
  let search = try CandidateSearch(request, showing: place, in: range, invocation.console)
  guard let still = search.still else { throw search.nothingThere(request.name) }
  try output.finish(
    with: MarkedStill(still, time: search.stillTime, search.candidates).image.png)
  if [.table, .markdown].contains(try invocation.outputFormat()) {
    try invocation.writeLines(
      "\(request.name): \(PictureSize(width: still.width, height: still.height)), "
        + "\(search.pictureCount) pictures in \(NumberText.fixed(search.seconds, 3)) s")
    if search.candidates.isEmpty {
      try invocation.writeLines("Nothing changes. The picture has a grid of 100 px")
    }
  }
  try invocation.print(search.candidates.map { CandidateRow(candidate: $0, search: search) })
  return .yes
}

extension Invocation {
  /// How a clip is read: with which program, and under which name in sentences.
  func videoRequest(_ path: String) throws -> VideoRequest {
    let decoder = try DecoderSearch(variable: console.variable)
      .path(named: text(VideoFlags.decoder))
    return VideoRequest(
      path: path, name: try ClipFile(path).shownName, decoder: decoder,
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
  }
}

/// The candidates of a clip, with the picture in which they are numbered.
struct CandidateSearch {
  private(set) var candidates: [Candidate] = []
  private(set) var still: GreyPicture?
  /// The time of that picture, in seconds.
  private(set) var stillTime = 0.0
  private(set) var pictureCount = 0
  /// How long the pictures last, from the first to the last, in seconds.
  private(set) var seconds = 0.0
  private let place: VideoTrack.Place

  /// Reads a clip.
  ///
  /// - Parameters:
  ///   - place: The picture that is shown.
  ///   - range: The stretch that is read, in nanoseconds of the clip.
  /// - Throws: ``Failure`` or `VideoError`: the clip cannot be read, or is too long.
  init(
    _ request: VideoRequest, showing place: VideoTrack.Place, in range: ClosedRange<Int64>,
    _ console: Console
  ) throws {
    self.place = place
    if console.ownsProcess { ReadingInterrupt.handle() }
    console.letGoOfStates()
    let bar = ProgressBar(console, label: "looking")
    defer { bar.finish() }
    let at =
      switch place {
      case .first: -Double.infinity
      case .time(let time): Double(time + VideoTracking.tolerance) / 1e9
      case .last: Double.infinity
      }
    var found = Candidates(at: at)
    var first: Int64?
    let stream = try VideoStream(request) {
      console.ownsProcess && ReadingInterrupt.hasCome || console.isCancelled()
    }
    while let picture = try stream.next() {
      if picture.nanoseconds < range.lowerBound { continue }
      if picture.nanoseconds > range.upperBound { break }
      let start = first ?? picture.nanoseconds
      first = start
      guard pictureCount < VideoTracking.mostPictures,
        picture.nanoseconds - start <= VideoTracking.mostNanoseconds
      else {
        throw Failure.usage(
          "\(request.name) is too long. Look at a stretch of it with --from and --to")
      }
      pictureCount += 1
      seconds = Double(picture.nanoseconds - start) / 1e9
      found.add(
        GreyPicture(width: picture.width, height: picture.height, values: picture.bytes),
        time: Double(picture.nanoseconds) / 1e9)
      if let whole = stream.summary.facts.durationSeconds {
        bar.update(0.9 * Double(picture.nanoseconds) / 1e9 / whole)
      }
    }
    stream.finish()
    candidates = found.find()
    still = found.still
    stillTime = found.stillTime ?? 0
  }

  /// A clip without a picture in the stretch.
  func nothingThere(_ name: String) -> Failure {
    .usage("\(name) has no picture between --from and --to")
  }

  /// In which picture the outline of a candidate is.
  func place(of candidate: Candidate) -> VideoTrack.Place {
    candidate.time == stillTime ? place : .last
  }
}

/// A candidate as a row.
struct CandidateRow: ResultRow {
  var candidate: Candidate
  var search: CandidateSearch

  static let fields = makeFields()

  private static func makeFields() -> [ResultField<CandidateRow>] {
    [
      ResultField("number", "The number in the picture, for --track NAME=#NUMBER.") {
        $0.candidate.number
      },
      ResultField("track", "The outline as --track has it.") { $0.track },
      ResultField("does", "The motion.") { $0.does },
      ResultField("begins_s", "When it begins.") { $0.candidate.begins },
      ResultField("x", unit: "px", "The left edge.") { $0.candidate.left },
      ResultField("y", unit: "px", "The upper edge.") { $0.candidate.top },
      ResultField("width", unit: "px", "The width.") { $0.candidate.width },
      ResultField("height", unit: "px", "The height.") { $0.candidate.height },
    ]
  }

  private var track: String {
    let (one, place) = (candidate, search.place(of: candidate))
    let outline = "\(one.left),\(one.top),\(one.width)x\(one.height)"
    return switch place {
    case .first: outline
    case .last: outline + "@end"
    case .time(let time): outline + "@\(NumberText.decimals(Double(time) / 1e9, most: 3))"
    }
  }

  private var does: String {
    func way(_ x: Int, _ y: Int) -> String {
      let across = x == 0 ? nil : "\(abs(x)) px \(x > 0 ? "right" : "left")"
      let down = y == 0 ? nil : "\(abs(y)) px \(y > 0 ? "down" : "up")"
      return [across, down].compactMap(\.self).joined(separator: " and ")
    }
    return switch candidate.change {
    case .moves(let x, let y): "moves \(way(x, y))"
    case .returns(let x, let y): "moves \(way(x, y)) and back"
    case .arrives(let x, let y) where abs(y) >= abs(x): "comes from \(y < 0 ? "below" : "above")"
    case .arrives(let x, _): "comes from the \(x < 0 ? "right" : "left")"
    case .appears: "appears"
    case .changes: "changes"
    }
  }
}

extension VideoTrack {
  /// The tracks with the outlines of the candidates that they name.
  ///
  /// - Throws: ``Failure`` or `VideoError`: a clip cannot be read, or there is no candidate of a number.
  static func resolved(
    _ tracks: [VideoTrack], _ request: VideoRequest, in range: ClosedRange<Int64>,
    _ console: Console
  ) throws -> [VideoTrack] {
    var searches: [CandidateSearch] = []
    var places: [Place] = []
    return try tracks.map { track in
      guard let number = track.candidate else { return track }
      let search: CandidateSearch
      if let known = places.firstIndex(of: track.place) {
        search = searches[known]
      } else {
        search = try CandidateSearch(request, showing: track.place, in: range, console)
        searches.append(search)
        places.append(track.place)
      }
      guard let found = search.candidates.first(where: { $0.number == number }) else {
        let count = search.candidates.count
        throw Failure.usage(
          "\(track.name): there is no candidate #\(number), only \(count). Look at them with "
            + "--candidates OUT.png, or give its outline")
      }
      var track = track
      track.rectangle = found.rectangle
      track.place = search.place(of: found)
      return track
    }
  }
}
