import PictureTracking
import TimelineModel
import VideoReading

/// What is said of a clip that was recorded: a line about the clip, then lines for each track.
struct VideoStory {
  let clip: TrackedClip
  /// The file, as the person named it.
  let name: String

  /// A line, and whether something is missing for the reason that it names.
  struct Line {
    var text: String
    var isLoss = false
  }

  /// A slower clip has a limit worth naming, in pictures a second.
  private static let slow = 40.0
  /// A fit needs so many positions.
  private static let fewestForFit = 8
  /// A rectangle of which less goes with the motion is badly chosen.
  private static let leastWeight = 0.15

  // MARK: The clip

  /// The first line: what the clip is, and what it cannot show.
  var headline: Line {
    let recorded = clip.times.count
    let seconds = Double(clip.times.last ?? 0) / 1e9
    var text =
      "\(name): \(clip.size), \(recorded) \(recorded == 1 ? "picture" : "pictures") in "
      + "\(NumberText.fixed(seconds, 3)) s"
    if let rate = clip.rate {
      let anyMoves = clip.tracks.indices.contains { clip.moves($0) }
      text += ", \(NumberText.short(rate)) a second" + (anyMoves ? " in motion" : "")
    }
    if let base = clip.summary.timeBase { text += " (ticks of \(base) s)" }
    if !clip.repeated.isEmpty { text += ", \(clip.repeated.count) repeated" }
    if let rate = clip.rate, rate < Self.slow, let stiffness = clip.highestStiffness {
      text +=
        ". Springs above a stiffness of \(NumberText.short(stiffness, digits: 2)) cannot be told"
    }
    return Line(text: text)
  }

  /// What else is to know of the clip.
  var notes: [Line] {
    var lines: [Line] = []
    let summary = clip.summary
    if let every = clip.rhythm, let rate = clip.rate {
      let app = rate * Double(every - 1) / Double(every)
      lines.append(
        Line(
          text:
            "every \(Self.ordinal(every)) picture repeats: an app at \(NumberText.whole(app)) Hz recorded at "
            + NumberText.whole(rate)))
    }
    if summary.endsEarly {
      var text = "the file ends early: \(summary.pictureCount) pictures"
      if let expected = summary.facts.expectedPictures, expected > summary.pictureCount {
        text += " of about \(expected)"
      }
      lines.append(Line(text: text, isLoss: true))
    } else if let error = summary.firstError {
      let count = summary.errorCount
      lines.append(
        Line(
          text:
            "ffmpeg reports \(count == 1 ? "an error" : "\(count) errors") in the file: \(error)",
          isLoss: true))
    }
    if let other = summary.otherSize {
      lines.append(
        Line(
          text:
            "the picture becomes \(other) after \(summary.pictureCount) pictures, and the recording ends there",
          isLoss: true))
    }
    if summary.untimedCount > 0 {
      let count = summary.untimedCount
      lines.append(
        Line(
          text: "\(count) \(count == 1 ? "picture has" : "pictures have") no time of their own and "
            + "\(count == 1 ? "is" : "are") left out", isLoss: true))
    }
    if clip.step > 1 {
      let left = "every \(Self.ordinal(clip.step)) picture"
      lines.append(
        Line(
          text:
            "only \(left) is recorded: the rectangles need more than 128 MB. Mark smaller ones, or record a "
            + "stretch with --from and --to", isLoss: true))
    }
    return lines
  }

  /// 2nd, 3rd, 4th, …
  static func ordinal(_ number: Int) -> String {
    let isTeen = (11...13).contains(number % 100)
    let ends = [1: "st", 2: "nd", 3: "rd"]
    return "\(number)" + (isTeen ? "th" : ends[number % 10] ?? "th")
  }

  // MARK: A track

  /// The lines about a track.
  func lines(_ number: Int) -> [Line] {
    let (track, result) = (clip.tracks[number], clip.results[number])
    let (found, all) = (clip.found(number), clip.recorded.underestimatedCount)
    var text =
      "\(track.name): \(found) of \(all) frames, \(freedoms(number).joined(separator: ", "))"
    if let width = clip.halfWidth(number) {
      text += "; 90 % of the positions within \(NumberText.fixed(max(0.01, width), 2)) px"
    }
    var lines = [Line(text: text)]
    if result.lookAlikes > 0 {
      let count = result.lookAlikes
      lines.append(
        Line(
          text:
            "\(track.name): \(count) other \(count == 1 ? "place looks" : "places look") like it at "
            + "\(at(track)) s; leaps are not followed"))
    }
    if found > 1, result.weight < Self.leastWeight {
      lines.append(
        Line(
          text:
            "\(track.name): most of the rectangle does not move with it; choose an edge or a text"))
    }
    for loss in clip.losses(number) {
      let end = loss.next.map { "\(seconds(clip.times[$0])) s" } ?? "the end"
      lines.append(
        Line(
          text:
            "\(track.name): lost from \(seconds(clip.times[loss.first])) s to \(end): \(loss.reason.rawValue)",
          isLoss: true))
    }
    if found < Self.fewestForFit {
      lines.append(
        Line(
          text:
            "\(track.name): \(found) \(found == 1 ? "position is" : "positions are") too few for a fit",
          isLoss: true))
    }
    return lines
  }

  /// What a track does.
  func freedoms(_ number: Int) -> [String] {
    let result = clip.results[number]
    let words = [
      clip.moves(number) ? "moves" : nil, result.scales ? "scales" : nil,
      result.turns ? "turns" : nil, clip.fades(number) ? "fades" : nil,
    ].compactMap(\.self)
    return words.isEmpty ? ["stands"] : words
  }

  /// When a track was marked, in the clip.
  private func at(_ track: VideoTrack) -> String {
    switch track.place {
    case .first: seconds(clip.start)
    case .time(let time): seconds(time)
    case .last: seconds(clip.start + (clip.times.last ?? 0))
    }
  }

  private func seconds(_ nanoseconds: Int64) -> String {
    NumberText.fixed(Double(nanoseconds) / 1e9, 3)
  }
}

// MARK: - As rows

/// A track as JSON has it.
struct VideoTrackRow: ResultRow {
  var story: VideoStory
  var number: Int

  private var clip: TrackedClip { story.clip }

  static let fields = makeFields()

  private static func makeFields() -> [ResultField<VideoTrackRow>] {
    [
      ResultField("name", "The name of the track.") { $0.clip.tracks[$0.number].name },
      ResultField("found", "The frames in which it was found.") { $0.clip.found($0.number) },
      ResultField("frames", "All frames.") { $0.clip.recorded.underestimatedCount },
      ResultField("moves", "Whether it goes to another place.") { $0.clip.moves($0.number) },
      ResultField("scales", "Whether its size changes.") { $0.clip.results[$0.number].scales },
      ResultField("turns", "Whether it turns.") { $0.clip.results[$0.number].turns },
      ResultField("fades", "Whether its opacity changes.") { $0.clip.fades($0.number) },
      ResultField("half_width", unit: "px", "The median half of a position's 90 % interval.") {
        $0.clip.halfWidth($0.number)
      },
      ResultField("weight", unit: "1", "The share of the rectangle that goes with the motion.") {
        $0.clip.results[$0.number].weight
      },
      ResultField("look_alikes", "The other places that look like it where it was marked.") {
        $0.clip.results[$0.number].lookAlikes
      },
      ResultField(list: "lost", "The stretches without a position.", VideoLossRow.fields) { row in
        row.clip.losses(row.number).map { VideoLossRow(clip: row.clip, loss: $0) }
      },
    ]
  }
}

/// A stretch without a position.
struct VideoLossRow: ResultRow {
  var clip: TrackedClip
  var loss: TrackedClip.Loss

  static let fields = makeFields()

  private static func makeFields() -> [ResultField<VideoLossRow>] {
    [
      ResultField("lost_ns", "The first frame without a position.") {
        $0.clip.times[$0.loss.first]
      },
      ResultField("found_ns", "The next frame with one; missing if there is none.") { row in
        row.loss.next.map { row.clip.times[$0] }
      },
      ResultField("reason", "Why there is none.") { $0.loss.reason.rawValue },
    ]
  }
}

/// A clip as JSON has it.
struct VideoRow: ResultRow {
  var story: VideoStory

  private var clip: TrackedClip { story.clip }

  static let fields = makeFields()

  private static func makeFields() -> [ResultField<VideoRow>] {
    [
      ResultField("width", unit: "px", "The width of the picture.") { $0.clip.size.width },
      ResultField("height", unit: "px", "The height of the picture.") { $0.clip.size.height },
      ResultField("pictures", "The pictures that were read.") { $0.clip.times.count },
      ResultField("pictures_hz", "The pictures a second while something moves.") { $0.clip.rate },
      ResultField("time_base", "The unit of the clip's times, a fraction of a second.") {
        $0.clip.summary.timeBase?.description
      },
      ResultField("repeated", "The pictures that repeat one in a motion.") {
        $0.clip.repeated.count
      },
      ResultField(
        "highest_stiffness", unit: "1/s²",
        "The stiffness of a spring, of a mass of 1, above which the clip shows too few pictures."
      ) { $0.clip.highestStiffness },
      ResultField("ends_early", "Whether the file ends in the middle.") {
        $0.clip.summary.endsEarly
      },
    ]
  }
}
