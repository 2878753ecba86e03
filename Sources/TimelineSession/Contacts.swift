package import TimelineModel

/// A position that was reported of a contact, in the session's unit (``TouchMap``).
package struct ContactSample: Hashable, Sendable {
  package let time: Instant
  package let position: Point2D
  /// Whether the system computed it.
  package let isResampled: Bool
  /// Whether it is the position of the contact's end.
  package let isEnd: Bool
  /// When the page's handlers of pointers got it. `nil`: not known.
  package let dispatched: Instant?
  /// When its handlers of touches got it. `nil`: not known.
  package let touchDispatched: Instant?

  package func along(_ axis: FingerAxis) -> Double { axis == .x ? position.x : position.y }
}

/// One contact of a session: its positions, and when it lifted.
package struct Contact: Sendable {
  /// Its number in the session. An app may use a number again for a contact that lands later.
  package let number: Int
  /// Its positions in the order recorded. That of its end, if the contact moved on to it.
  package private(set) var samples: [ContactSample] = []
  /// When it lifted or was taken away. `nil` while it is down.
  package private(set) var lift: Instant?
  /// The earliest instant at which it may have lifted. `nil`: it lifted at ``lift``.
  package private(set) var earliestLift: Instant?
  /// Whether it was taken away, which leaves it no velocity.
  package private(set) var isCancelled = false
  /// When the page's handlers of pointers got its end. `nil`: not known.
  package private(set) var liftDispatched: Instant?
  private var isInOrder = true

  package init(number: Int) { self.number = number }

  /// When it landed. `nil` where only its lift is recorded.
  package var landing: Instant? { samples.first?.time }

  /// Takes the next of its reports.
  package mutating func take(_ touch: TouchSample) {
    let isEnd = touch.phase == .ended || touch.phase == .cancelled
    if touch.reportsPosition(after: samples.last?.position) {
      if let last = samples.last, touch.time < last.time { isInOrder = false }
      samples.append(
        ContactSample(
          time: touch.time, position: touch.position, isResampled: touch.isResampled, isEnd: isEnd,
          dispatched: touch.heard, touchDispatched: touch.touchHeard))
    }
    guard isEnd else { return }
    (lift, liftDispatched) = (touch.time, touch.heard)
    isCancelled = touch.phase == .cancelled
  }

  /// Takes the earliest instant of its lift, if the session knows it.
  package mutating func take(_ lifts: LiftIntervals) {
    earliestLift = lift.flatMap { lifts.earliest(of: number, recordedAt: $0) }
  }

  /// When something was reported of it.
  var times: [Instant] { samples.map(\.time) + [lift].compactMap { $0 } }

  /// Its finite positions, whose times rise. Of several at one instant the newest counts.
  package var path: [ContactSample] {
    var found: [ContactSample] = []
    for sample in samples where sample.position.isFinite {
      if let last = found.last, sample.time <= last.time {
        if sample.time == last.time { found[found.count - 1] = sample }
      } else {
        found.append(sample)
      }
    }
    return found
  }

  /// The places up to a moment, axis by axis, with the mark of those that the system computed. `nil` when
  /// the contact was not down then.
  package func track(at moment: Instant) -> (x: [Sample], y: [Sample], resampled: [Bool])? {
    guard let landing, landing <= moment, lift.map({ $0 >= moment }) ?? true else { return nil }
    let isWhole = isInOrder && (samples.last.map { $0.time <= moment } ?? true)
    let past = isWhole ? samples : samples.filter { $0.time <= moment }
    let marks = past.map(\.isResampled)
    return (
      past.map { Sample(time: $0.time, value: $0.position.x) },
      past.map { Sample(time: $0.time, value: $0.position.y) }, marks.contains(true) ? marks : []
    )
  }
}

/// The contacts of a session, ready to be asked which of them were down at a moment.
package struct Contacts: Sendable {
  /// The contacts in the order of landing as recorded.
  package let all: [Contact]
  private let spans: SpanIndex<Instant>

  /// No contact.
  package init() {
    all = []
    spans = SpanIndex([])
  }

  /// - Parameter endsAlone: Whether only landings and lifts are read.
  package init(_ source: some SessionSource, endsAlone: Bool = false) throws {
    var contacts: [Contact] = []
    var indexes: [Int: Int] = [:]
    try source.forEachTouch(endsAlone: endsAlone) { touch in
      var index = indexes[touch.contact] ?? contacts.count
      if index < contacts.count, touch.phase == .began, contacts[index].lift != nil {
        index = contacts.count
      }
      if index == contacts.count {
        indexes[touch.contact] = index
        contacts.append(Contact(number: touch.contact))
      }
      contacts[index].take(touch)
    }
    if !contacts.isEmpty {
      let lifts = try LiftIntervals(source)
      for index in contacts.indices { contacts[index].take(lifts) }
    }
    all = contacts
    let latest = Instant(nanoseconds: .max)
    // One whose landing is not recorded was nowhere.
    spans = SpanIndex(contacts.map { ($0.landing ?? latest, $0.lift ?? latest) })
  }

  /// The contacts that take turns as the finger, in the order of landing: that which is down longest, and after its lift
  /// the next one.
  ///
  /// - Parameter number: Only contacts of this number. `nil`: any.
  /// - Returns: each contact with the lift of the one before, after which its turn begins.
  package func turns(of number: Int? = nil) -> [(contact: Contact, start: Instant?)] {
    var turns: [(contact: Contact, start: Instant?)] = []
    var until: Instant?
    let ordered = all.filter { $0.landing != nil && $0.number == number ?? $0.number }.sorted {
      ($0.landing ?? .zero) < ($1.landing ?? .zero)
    }
    for contact in ordered {
      let end = contact.lift ?? Instant(nanoseconds: .max)
      guard end > until ?? Instant(nanoseconds: .min) else { continue }
      turns.append((contact, until))
      until = end
    }
    return turns
  }

  /// The contact that is the finger at a moment. `nil` if none is down.
  package func finger(at moment: Instant, number: Int?) -> Contact? {
    let turn = turns(of: number).first {
      $0.contact.lift ?? Instant(nanoseconds: .max) >= moment
    }
    return turn.flatMap { $0.contact.track(at: moment) == nil ? nil : $0.contact }
  }

  /// Where contacts are down at a moment, in the order of landing as recorded. One that lifts then is not down any more.
  package func positions(at moment: Instant) -> [Point2D] {
    down(at: moment).compactMap { contact in
      guard contact.lift != moment, let track = contact.track(at: moment), let x = track.x.last,
        let y = track.y.last
      else { return nil }
      return Point2D(x: x.value, y: y.value)
    }
  }

  /// When something was reported of a contact.
  package var times: [Instant] { all.flatMap(\.times) }

  /// The contacts that may have been down at a moment, in the order of landing as recorded.
  package func down(at moment: Instant) -> [Contact] {
    spans.indices(containing: moment).map { all[$0] }
  }

  /// A stretch of time in which nothing touches.
  package struct Pause {
    package let lift: Instant
    /// Whether the system took the contact away that was down last.
    package let isCancelled: Bool
    /// When the next contact landed.
    package let next: Instant?
  }

  /// From each lift of the last contact on.
  package var pauses: [Pause] {
    let ordered = all.filter { $0.landing != nil }.sorted {
      ($0.landing ?? .zero) < ($1.landing ?? .zero)
    }
    var pauses: [Pause] = []
    var latest: (lift: Instant, isCancelled: Bool)?
    for contact in ordered {
      guard let landing = contact.landing else { continue }
      var lift = contact.lift ?? Instant(nanoseconds: .max)
      if latest == nil { lift = max(landing, lift) }
      if let latest, landing > latest.lift {
        pauses.append(Pause(lift: latest.lift, isCancelled: latest.isCancelled, next: landing))
      }
      if lift >= latest?.lift ?? lift { latest = (lift, contact.isCancelled) }
    }
    if let latest, latest.lift < Instant(nanoseconds: .max) {
      pauses.append(Pause(lift: latest.lift, isCancelled: latest.isCancelled, next: nil))
    }
    return pauses
  }

  /// The positions of a finger. Each contact is a run of its own.
  func track(of axis: FingerAxis, contact: Int?) -> Track {
    var track = Track(name: MotionSubject.finger(axis, contact: contact).text, unit: "pt")
    for turn in turns(of: contact) { track.add(turn.contact, along: axis, after: turn.start) }
    return track
  }
}

/// Spans from a lower to an upper bound, ready to be asked which of them contain a value.
package struct SpanIndex<Bound: Comparable & Sendable>: Sendable {
  private struct Span: Sendable {
    var lower: Bound
    var upper: Bound
    var index: Int
  }

  /// In the order of the lower bounds.
  private let spans: [Span]
  /// At the middle of the spans the highest upper bound of them all, at the middle of each half that of the
  /// half, and so on.
  private var highest: [Bound]

  /// Sorts spans.
  ///
  /// - Complexity: O(n log n).
  package init(_ bounds: [(lower: Bound, upper: Bound)]) {
    spans = bounds.enumerated().map { Span(lower: $1.lower, upper: $1.upper, index: $0) }
      .sorted { $0.lower < $1.lower }
    highest = spans.map(\.upper)
    raise(spans.indices)
  }

  @discardableResult
  private mutating func raise(_ range: Range<Int>) -> Bound? {
    guard !range.isEmpty else { return nil }
    let middle = range.lowerBound + range.count / 2
    for half in [range.lowerBound..<middle, middle + 1..<range.upperBound] {
      if let other = raise(half) { highest[middle] = max(highest[middle], other) }
    }
    return highest[middle]
  }

  /// The places, in the list given, of the spans that contain a value, both bounds included. In order.
  ///
  /// - Complexity: O(log n) for each of them.
  package func indices(containing value: Bound) -> [Int] {
    let end = spans.partitioningIndex { $0.lower > value }
    var found: [Int] = []
    func look(in range: Range<Int>) {
      guard range.lowerBound < min(range.upperBound, end) else { return }
      let middle = range.lowerBound + range.count / 2
      guard highest[middle] >= value else { return }
      look(in: range.lowerBound..<middle)
      if middle < end, spans[middle].upper >= value { found.append(spans[middle].index) }
      look(in: middle + 1..<range.upperBound)
    }
    look(in: spans.indices)
    return found.sorted()
  }
}
