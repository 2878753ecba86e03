import TimelineModel
import TimelineRendering

/// A playback as an asciicast, version 3 (https://docs.asciinema.org/manual/asciicast/v3): a header, then
/// a line for everything that a terminal would be sent, with the time since the line before.
///
/// No clock and nothing of the machine goes in: the same recording gives the same bytes.
struct CastRecording {
  let playback: Playback
  var state: PlayerState
  let columns: Int
  let rows: Int

  /// Nanoseconds between two pictures: 30 a second, which is enough for a terminal.
  private static let pictureInterval: Int64 = 33_333_333
  /// The most pictures: more than nine hours of them.
  private static let mostPictures = 1_000_000

  /// Plays to the end.
  ///
  /// - Throws: ``Failure`` for a playback of more than a million pictures.
  mutating func text() throws -> String {
    state.isPlaying = true
    state.keyCount = playback.keyCount
    let timeline = playback.timeline(isSwapped: state.isSwapped)
    guard timeline.seconds(from: state.time) / state.speed < CastRecording.longestSeconds else {
      throw CastRecording.tooLong
    }
    let title = playback.runs.map { DisplayText.harmless($0.title) }.joined(separator: ", ")
    var text =
      FieldValue.object(named: [
        "version": 3,
        "term": FieldValue.object(named: ["cols": columns, "rows": rows, "type": "xterm-256color"]),
        "title": title,
      ]).json + "\n"
    var shown: CellGrid?
    var written: Int64 = 0
    var before = state.time.advanced(byNanoseconds: -1)
    for number in 0...CastRecording.mostPictures {
      let elapsed = Int64(number) * CastRecording.pictureInterval
      let grid = PlayerScreen(columns: columns, rows: rows).grid(
        state, timeline, playback.runs, try playback.moments(at: state.time))
      var update = ScreenUpdate.text(from: shown, to: grid, inColor: true)
      if shown == nil { update = "\u{1b}[?25l\u{1b}[?7l" + update }
      shown = grid
      if !update.isEmpty { text += event("o", update, at: elapsed, after: &written) }
      for marker in timeline.markers where marker.time > before && marker.time <= state.time {
        text += event("m", DisplayText.harmless(marker.label), at: elapsed, after: &written)
      }
      before = state.time
      guard state.isPlaying else {
        text += event("o", "\u{1b}[?7h\u{1b}[?25h\r\n", at: elapsed, after: &written)
        return text + event("x", "0", at: elapsed, after: &written)
      }
      state.advance(byNanoseconds: CastRecording.pictureInterval, in: timeline)
    }
    throw CastRecording.tooLong
  }

  private static var longestSeconds: Double {
    Double(mostPictures) * Double(pictureInterval) / 1e9
  }

  private static var tooLong: Failure {
    Failure.usage(
      "this would be more than \(mostPictures) pictures. Use a higher --speed, --idle-limit, or --from and "
        + "--to")
  }

  /// One line: microseconds since the line before, so that rounding does not add up.
  private func event(
    _ code: String, _ data: String, at elapsed: Int64, after written: inout Int64
  ) -> String {
    let now = (elapsed + 500) / 1000
    defer { written = now }
    let fraction = String((now - written) % 1_000_000)
    let seconds =
      "\((now - written) / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count)
      + fraction
    return "[\(seconds), \"\(code)\", \(FieldValue.text(data).json)]\n"
  }
}
