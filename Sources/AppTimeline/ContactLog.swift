import TimelineModel

/// The contacts that are down, and how those that landed before a release were lifted.
struct ContactLog {
  private struct Down {
    var number: Int
    var landing: Instant
    var last: TouchSample
  }

  /// A contact that is not down any more.
  struct Lifted {
    var landing: Instant
    var lift: Instant
    var isCancelled: Bool
  }

  /// Looked up only.
  private var down: [Int64: Down] = [:]
  private var count = 0
  /// In the order of their lifts.
  private(set) var lifted: [Lifted] = []

  /// Takes one report.
  ///
  /// - Returns: The contacts to record: each contact begins once and ends at most once, and they are numbered in the
  ///   order of landing.
  mutating func take(
    _ id: Int64, _ phase: TouchPhase, _ position: Point2D, _ time: Instant
  ) -> [TouchSample] {
    let isEnd = phase == .ended || phase == .cancelled
    var samples: [TouchSample] = []
    if phase == .began, let old = down[id] {
      // A repeat of the same report.
      if old.last.phase == .began, old.last.time == time, old.last.position == position {
        return []
      }
      // Its end was not reported, and its number stands for another contact now.
      samples += lift(id, .cancelled, old.last.position, max(time, old.last.time))
    }
    guard let contact = down[id] else {
      guard !isEnd, position.isFinite else { return samples }
      let sample = TouchSample(time: time, contact: count, phase: .began, position: position)
      down[id] = Down(number: count, landing: time, last: sample)
      count += 1
      return samples + [sample]
    }
    if isEnd {
      return lift(id, phase, position.isFinite ? position : contact.last.position, time)
    }
    guard position.isFinite else { return [] }
    // The last of the coalesced reports is the main one again.
    let isRepeat = contact.last.time == time && contact.last.position == position
    guard !isRepeat else { return [] }
    let sample = TouchSample(time: time, contact: contact.number, phase: .moved, position: position)
    down[id]?.last = sample
    return [sample]
  }

  private mutating func lift(
    _ id: Int64, _ phase: TouchPhase, _ position: Point2D, _ time: Instant
  ) -> [TouchSample] {
    guard let contact = down.removeValue(forKey: id) else { return [] }
    lifted.append(
      Lifted(landing: contact.landing, lift: time, isCancelled: phase == .cancelled))
    return [TouchSample(time: time, contact: contact.number, phase: phase, position: position)]
  }

  /// Lets go of the contacts that were lifted before a transition began.
  mutating func forget(before start: Instant) { lifted.removeAll { $0.lift < start } }

  /// Whether a contact that had landed by an instant is still down.
  func isAnyDown(landedBy time: Instant) -> Bool {
    down.contains { $0.value.landing <= time }
  }

  /// The last lift of the contacts that had landed by an instant, if it came at `start` or later.
  func lastLift(landedBy time: Instant, since start: Instant) -> Lifted? {
    // Of two that were lifted at once a reader takes the later one.
    lifted.filter { $0.landing <= time && $0.lift >= start }
      .max { ($0.lift, $0.landing) < ($1.lift, $1.landing) }
  }

  /// Whether the system took a contact away at this very instant.
  func isCancellation(_ time: Instant) -> Bool {
    lifted.contains { $0.isCancelled && $0.lift == time }
  }
}
