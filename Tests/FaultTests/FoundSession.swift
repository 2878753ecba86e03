import TimelineModel
import TimelineStore

/// What a file holds of a ``KnownSession``.
struct FoundSession {
  /// How many rows of the session's order are there, counted from its beginning.
  var rows = 0
  /// How many rows the file says were lost.
  var lost = 0
  /// Whether the recorder's clean-close mark is there.
  var isClean = false
  /// The latest instant among the rows; nil when there is none.
  var latest: Int64?
  /// What contradicts the known session; empty when nothing does.
  var problems: [String] = []

  /// Reads everything of one session that a recording has; nil when the session is not in the file.
  init?(_ known: KnownSession, in reader: RecordingReader) throws {
    guard let session = try reader.sessionRecords().first(where: { $0.uuid == known.uuid }) else {
      return nil
    }
    isClean = session.isClean
    var places: [Int] = []
    func step(_ time: Int64) -> Int {
      if time > latest ?? .min { latest = time }
      if time % known.intervalNanoseconds != 0 { problems.append("an instant \(time)") }
      return Int(time / known.intervalNanoseconds)
    }
    let keys = try reader.keys(in: session.number)
    for (index, key) in keys.enumerated() where key.name != "key \(index)" {
      problems.append("a key \(key.name)")
    }
    for row in try reader.samples(in: session.number).rest() {
      let key = Int(row.key.rawValue)
      let step = step(row.sample.time.nanoseconds)
      places.append(known.rowIndex(ofKey: key, at: step))
      if row.sample.value.bitPattern != known.value(key, at: step).bitPattern {
        problems.append("key \(key) is \(row.sample.value) in step \(step)")
      }
    }
    for touch in try reader.touches(in: session.number).rest() {
      let step = step(touch.time.nanoseconds)
      places.append(known.rowOfTouch(at: step))
      if touch != known.touch(step) { problems.append("a touch in step \(step)") }
    }
    for folded in try reader.foldedFrames(in: session.number).rest() {
      let step = step(folded.frame.state.time.nanoseconds)
      places.append(known.rowOfFrame(at: step))
      let poses = (0..<known.itemCount).map { known.pose($0, at: step) }
      if folded.frame.state != known.frame(step) || folded.elements.map(\.pose) != poses {
        problems.append("the frame of step \(step)")
      }
    }
    var transitions: [String] = []
    for event in try reader.events(in: session.number).rest()
    where [.start, .finish].contains(event.kind) {
      places.append(known.rowOfEvent(at: step(event.time.nanoseconds)))
      if event.kind == .start {
        transitions.append("\(event.time.nanoseconds)")
      } else if !transitions.isEmpty {
        transitions[transitions.count - 1] += " finish"
      }
    }
    let told = try reader.transitions(in: session.number).map { transition in
      (["\(transition.start?.nanoseconds ?? -1)"] + (transition.outcome.map { [$0.rawValue] } ?? []))
        .joined(separator: " ")
    }
    if told != transitions {
      problems.append("the transitions \(told) of events that say \(transitions)")
    }
    rows = places.count
    if places.sorted() != Array(0..<places.count) {
      problems.append("\(places.count) rows that are no beginning of the session")
    }
    lost = try reader.losses(in: session.number).reduce(0) { $0 + Int($1.count) }
    if isClean, rows + lost != known.rowCount {
      problems.append(
        "a clean-close mark over \(rows) rows and \(lost) losses of \(known.rowCount)")
    }
  }
}
