import JSONText
import TimelineModel

/// What in an app's lines is likely meant otherwise, though every line can be recorded as it is.
package struct LineWarnings {
  /// The number of the line that is being taken.
  var line = 0
  private var found: [String] = []
  /// The first key that differs from the progress by the case of letters alone.
  private var likeProgress: (line: Int, name: String)?
  /// The last two values of the progress, the older first. Empty before the first.
  private var progress: [Double] = []
  /// A decision whose progress is compared once the value behind it is known.
  private var waiting: (line: Int, progress: Double)?
  /// Times of a key or of frames: the first, the last, and how many came between and with that.
  private var streams: [String: (first: Instant, last: Instant, steps: Double)] = [:]

  /// What a decision's progress may differ by from the key's. Ours: a twentieth of the transition.
  private static let slack = 0.05
  /// Values of one name nearer to each other, in nanoseconds, have another unit. Ours: no finger, display or app has
  /// 10,000 a second. Nearer still they are milliseconds, of which there are up to 1,000 a second.
  private static let (nearest, nearestMicroseconds) = (100_000.0, 1_000.0)

  /// Takes an event's name. Of each that is doubted the first.
  mutating func take(event name: String) {
    guard let meant = LineWarnings.verb(meantBy: name) else { return }
    let words =
      "the event '\(name)' neither begins nor ends a transition. Did you mean \(meant)?"
    if !found.contains(where: { $0.hasSuffix(words) }) { found.append(":\(line): \(words)") }
  }

  /// Takes a value of a key.
  mutating func take(
    _ value: Double, of name: String, isProgress: Bool, _ phase: MotionPhase, at time: Instant
  ) {
    take(name, at: time)
    if isProgress {
      judge(behind: phase == .driving ? value : nil)
      progress = progress.suffix(1) + [value]
    } else if name.utf8.count == progressKeyName.utf8.count, name.lowercased() == progressKeyName {
      likeProgress = likeProgress ?? (line, name)
    }
  }

  /// Takes the time of a value or a frame.
  mutating func take(_ name: String, at time: Instant) {
    func count(_ stream: inout (first: Instant, last: Instant, steps: Double)) {
      if time > stream.last { stream = (stream.first, time, stream.steps + 1) }
    }
    count(&streams[name, default: (time, time, 0)])
  }

  /// Takes the progress of a decision.
  mutating func take(progressOfDecision value: Double) {
    judge(behind: nil)
    waiting = (line, value)
  }

  /// What follows the input's name in messages, once the last line was taken: the line, where it is about one, and
  /// a sentence without its end.
  package mutating func all() -> [String] {
    judge(behind: nil)
    if progress.isEmpty, let (line, name) = likeProgress {
      found.append(
        ":\(line): the key '\(name)' is not treated as the progress. Name it 'progress'")
    }
    // The slowest counts: a key may have more values than there are frames.
    let steps = streams.values.filter { $0.steps > 2 }
      .map { ($0.last.seconds - $0.first.seconds) / $0.steps * 1e9 }
    if let step = steps.max(), step < LineWarnings.nearest {
      let unit = step < LineWarnings.nearestMicroseconds ? "milliseconds" : "microseconds"
      found.append(
        ": values are \(Int64(step)) ns apart on average, so t_ns seems to be in \(unit). It must be in nanoseconds"
      )
    }
    return found
  }

  /// Compares a decision's progress with the key: its last values, a step like the one before, and the value behind.
  private mutating func judge(behind next: Double?) {
    defer { waiting = nil }
    guard let waiting, let last = progress.last else { return }
    let known = progress + [2 * last - progress[0], next ?? last]
    let off = max(
      (known.min() ?? last) - waiting.progress, waiting.progress - (known.max() ?? last))
    guard off > LineWarnings.slack else { return }
    found.append(
      ":\(waiting.line): the decision has the progress \(waiting.progress), but the key 'progress' is \(last) then"
    )
  }

  /// The event that begins or ends a transition and that a name was likely meant for. `nil`: none, or it is that.
  private static func verb(meantBy name: String) -> String? {
    let verbs = ["start", "finish", "cancel"]
    let word = name.lowercased()
    let endings = ["", "s", "es", "ed", "led", "ing", "ling"]
    let form = verbs.first { word.hasPrefix($0) && endings.contains("\(word.dropFirst($0.count))") }
    // A misspelling has the first letter. "start" is near to other words, such as "state".
    let near = nearestName(to: word, among: ["finish", "cancel"])
    return verbs.contains(name) ? nil : form ?? (near?.first == word.first ? near : nil)
  }
}
