import TimelineModel
import TimelineStore

extension StageMotion {
  /// A moment with a name, in nanoseconds since the first frame.
  typealias Marker = (time: Int64, name: String)

  /// Events that people look for.
  private static let markedKinds: Set<String> = [
    "gestureBegan", "gestureEnded", "gestureCancelled", "start", "finish", "cancel", "settle",
    "completion", "mark", "push", "pop",
  ]

  /// Reads decisions and the events that people look for; those before the first frame or behind the end have no
  /// place in an animation.
  mutating func readMarkers(of export: SessionExport) throws(StoreError) {
    guard let origin else { return }
    var found: [Marker] = []
    for decision in try export.reader.decisions(in: export.session.number) {
      found.append(
        (decision.time.nanoseconds(since: origin), "decision: \(decision.outcome.rawValue)"))
    }
    let events = try export.reader.events(in: export.session.number)
    while let event = try events.next() {
      guard StageMotion.markedKinds.contains(event.kind.rawValue) else { continue }
      found.append((event.time.nanoseconds(since: origin), event.kind.rawValue))
    }
    // Of equal times the one that came first.
    markers = found.enumerated().filter { (0...duration).contains($0.element.time) }
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}
