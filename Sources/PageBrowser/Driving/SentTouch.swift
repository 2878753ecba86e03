import TimelineModel

/// A place that a finger was sent to. It is exact. A position that a page reads back is rounded.
struct SentTouch: Hashable, Sendable {
  /// Milliseconds since the session's start.
  var time: Double
  var phase: TouchPhase
  var place: Point2D

  /// How far a place that was read back may be from the sent one, in px: the browser keeps 32 bits.
  private static let nearPlace = 0.02
  /// How far the clocks of browser and program may differ unnoticed, in milliseconds: the page's rounding.
  private static let nearTime = 0.3
  /// How many places further a match is looked for: those that the browser put together.
  private static let lookahead = 64

  /// Gives the touches of a recording the time and place with which they were sent.
  ///
  /// A touch that was not sent stays as it is. Where the browser's clock differs from ours, the times of all are moved
  /// by the same length, so that they stay beside the frames.
  static func correct(_ lines: inout [PageLine], by sent: [SentTouch]) {
    let touches = lines.indices.filter { lines[$0]["touch"] != nil }
      .sorted { lines[$0].time < lines[$1].time }
    var matches: [(line: Int, sent: SentTouch)] = []
    var next = 0
    for index in touches {
      guard let touch = lines[index]["touch"], let x = touch["x"]?.asNumber,
        let y = touch["y"]?.asNumber, case .text(let word)? = touch["phase"],
        let phase = TouchPhase(rawValue: word)
      else { continue }
      let rest = sent.indices.dropFirst(next).prefix(lookahead)
      let match = rest.first { index in
        sent[index].phase == phase && abs(sent[index].place.x - x) < nearPlace
          && abs(sent[index].place.y - y) < nearPlace
      }
      guard let match else { continue }
      matches.append((index, sent[match]))
      next = match + 1
    }
    let shifts = matches.map { Double(lines[$0.line].time) / 1e6 - $0.sent.time }.sorted()
    guard !shifts.isEmpty else { return }
    let median = shifts[shifts.count / 2]
    let shift = abs(median) < nearTime ? 0 : median
    for (index, sent) in matches {
      lines[index].time = Int64(((sent.time + shift) * 1e6).rounded())
      guard case .object(let fields)? = lines[index]["touch"] else { continue }
      lines[index]["touch"] = .object(
        fields.map { field in
          switch field.name {
          case "x": EventField("x", .number(sent.place.x))
          case "y": EventField("y", .number(sent.place.y))
          default: field
          }
        })
    }
  }
}
