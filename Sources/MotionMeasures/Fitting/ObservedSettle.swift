package import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// What one value did from a release on until it came to rest, as a recording has it.
package struct ObservedSettle: Sendable {
  /// What the value is called: a key's name, or `item.ID.center.y`.
  package var subject: String
  /// The unit of its values. "1" for none.
  package var unit: String
  /// The number of the transition. `nil` where no release was looked for.
  package var transition: Int?
  /// Whether it begins where a finger lifted, without a release.
  package var isFromLift = false
  /// Where the settle begins.
  package var origin: Instant
  /// Seconds since the origin.
  package var seconds: [Double] = []
  /// The values at these times.
  package var values: [Double] = []
  /// Whether it begins with the last value at rest, as nobody knows when the motion began.
  var beginsAtRest = false
  /// The half-widths of the values' 90 % intervals. Empty: the recording has none.
  package var errors: [Double] = []

  /// Fits it.
  ///
  /// - Throws: why that cannot be.
  package func fit(
    model: MotionFit.Model?, curve: Easing?, known: MotionFit.Known
  ) throws(MotionFitError) -> MotionFit {
    try MotionFit.fit(
      seconds: seconds, values: values, origin: 0, model: model, curve: curve, step: nil,
      errors: errors.isEmpty ? nil : errors, beginsAtRest: beginsAtRest, unit: unit, known: known)
  }
}

/// Which values are looked at, and from when on.
package struct SettleQuestion: Sendable {
  /// From where on.
  package enum Origin: Sendable {
    /// From each release. In a session without one from each lift of the fingers, and if nothing moves then from where
    /// motion begins.
    case releases
    case time(Instant)
  }

  /// The values that are asked about. `nil`: all keys that move, but for settings and switches, and if no key moves the
  /// elements that move. Of an element without an attribute all attributes that move are.
  package var subjects: [MotionSubject]?
  /// From where on.
  package var origin = Origin.releases
  /// What is behind this is not looked at.
  package var end = Instant(nanoseconds: .max)

  /// Asks about all keys from each release.
  package init() {}
}

extension ObservedSettle {
  /// Reads the settles of a session.
  ///
  /// Of each release a settle ends before the next one, before the next transition starts, where a value is driven again,
  /// where it has rested for a second and for as long as it moved before, or behind the most samples that a fit takes.
  ///
  /// - Returns: the releases in the order of time, of each the values in the order asked about, or all keys in the order of
  ///   their numbers. Those that are not named only if they move.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in what was recorded from the release to the end of the settle. Where no release is known, to
  ///   the end of the first motion of every key.
  package static func all(
    _ session: SessionRecord, in reader: RecordingReader, asking question: SettleQuestion
  ) throws -> [ObservedSettle] {
    let source = FileSource(session, in: reader)
    let releases = try source.releases(derives: true).all.sorted {
      ($0.time, $0.transition) < ($1.time, $1.transition)
    }
    let starts = try source.transitions().compactMap(\.start).sorted()
    func end(behind time: Instant) -> Instant {
      let next = [
        starts.first { $0 > time }, releases.first { $0.time > time }?.time,
      ].compactMap { $0 }.min()
      return min(question.end, next?.advanced(byNanoseconds: -1) ?? question.end)
    }
    var windows: [Window] = []
    switch question.origin {
    case .time(let time): windows = [(nil, time, end(behind: time))]
    case .releases:
      windows = releases.filter { $0.time <= question.end }.map {
        ($0.transition, $0.time, end(behind: $0.time))
      }
      guard windows.isEmpty else { break }
      if releases.isEmpty {
        let pauses = try Contacts(source, endsAlone: true).pauses.filter {
          !$0.isCancelled && $0.lift <= question.end
        }
        let lifted = try settlesOfMoving(
          in: pauses.map {
            let next = $0.next?.advanced(byNanoseconds: -1)
            return (nil, $0.lift, min(next ?? question.end, question.end))
          }, isFromLift: true, source, question)
        if lifted.contains(where: \.moves) { return lifted }
        windows = [(nil, nil, question.end)]
      }
    }
    return try settlesOfMoving(in: windows, isFromLift: false, source, question)
  }

  /// The most attributes of elements that are looked at if no value is named and no key moves.
  package static let mostOfElements = 256

  /// The settles of the values that are asked about, and if none is and no key moves those of elements.
  private static func settlesOfMoving(
    in windows: [Window], isFromLift: Bool, _ source: FileSource, _ question: SettleQuestion
  ) throws -> [ObservedSettle] {
    let found = try settles(in: windows, isFromLift: isFromLift, source, question)
    guard question.subjects == nil, let window = windows.first,
      found.allSatisfy({ MovingElements.isOfScrolling($0.subject) })
    else { return found }
    let first = window.origin ?? Instant(nanoseconds: .min)
    var elements = question
    elements.subjects = try MovingElements(
      of: source, during: first...max(first, question.end), atMost: mostOfElements
    ).subjects
    return try found
      + settles(in: windows, isFromLift: isFromLift, source, elements).filter(\.moves)
  }

  /// Where a settle begins, if that is known, and where it ends at the latest.
  private typealias Window = (transition: Int?, origin: Instant?, end: Instant)

  /// Whether its values are not all one, or more than their errors allow.
  private var moves: Bool {
    var rest = FitRest()
    return values.indices.contains { rest.moves(values[$0], errors.isEmpty ? 0 : errors[$0]) }
  }

  private static func settles(
    in windows: [Window], isFromLift: Bool, _ source: FileSource, _ question: SettleQuestion
  ) throws -> [ObservedSettle] {
    let named = (question.subjects ?? []).filter { !$0.isItem }.map(\.text)
    let computed = try source.computedTracks(named, besides: source.keys())
    return try windows.flatMap { window in
      let first = window.origin ?? Instant(nanoseconds: .min)
      guard first <= window.end else { return [ObservedSettle]() }
      let (range, isOpen) = (first...window.end, window.origin == nil)
      let ofItems = try itemTracks(source, question, from: range, isOpen: isOpen)
      let tracks =
        try question.subjects?.flatMap { subject -> [SettleTrack] in
          switch subject {
          case .item: ofItems[subject] ?? []
          case .key(let name) where !computed.contains { $0.name == name }:
            try keyTracks(source, named: name, from: range, isOpen: isOpen)
          default: computedTracks(computed, subject, from: range, isOpen: isOpen)
          }
        } ?? keyTracks(source, named: nil, from: range, isOpen: isOpen)
      return tracks.map { track in
        var settle = ObservedSettle(
          subject: track.name, unit: track.unit, transition: window.transition,
          origin: window.origin ?? track.times.first ?? .zero)
        settle.isFromLift = isFromLift
        settle.beginsAtRest = isOpen
        settle.seconds = track.times.map { $0.seconds(since: settle.origin) }
        settle.values = track.values
        settle.errors = track.errors.allSatisfy { $0 > 0 } ? track.errors : []
        return settle
      }
    }
  }

  private static func computedTracks(
    _ keys: [Track], _ subject: MotionSubject, from range: ClosedRange<Instant>,
    isOpen: Bool
  ) -> [SettleTrack] {
    keys.filter { $0.name == subject.text }.map { key in
      var track = SettleTrack(name: key.name, unit: key.unit, isOpen: isOpen)
      for (index, time) in key.curve.times.enumerated() where range.contains(time) {
        track.take(Sample(time: time, value: key.curve.values[index]), key.phases[index])
      }
      return track
    }.filter { !$0.times.isEmpty }
  }

  /// - Parameter name: Only keys of this name. `nil`: all that move.
  private static func keyTracks(
    _ source: FileSource, named name: String?, from range: ClosedRange<Instant>, isOpen: Bool
  ) throws -> [SettleTrack] {
    let keys = try source.keys().filter {
      $0.name == name ?? $0.name
        && (name != nil
          || $0.name != Frames.displayIntervalKey && !ElementErrors.describes($0.name))
    }
    guard !keys.isEmpty else { return [] }
    var tracks = keys.map { SettleTrack(name: $0.name, unit: $0.unit, isOpen: isOpen) }
    let positions = IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) })
    try source.forEachSample(of: keys.count == 1 ? keys[0].handle : nil, in: range) { all in
      for series in all where positions[series.key] >= 0 {
        for index in series.positions(in: range) {
          tracks[positions[series.key]].take(series.sample(index), series.phase(index))
        }
      }
      return tracks.contains { !$0.isOver }
    }
    if name != nil { return tracks }
    return zip(keys, tracks).filter { key, track in
      var levels = StepLevels(of: key)
      for value in track.values { levels.add(value) }
      return track.moves && !levels.isStep
    }.map(\.1)
  }

  /// The tracks of all elements that are asked about, by the subject that asks, from one walk over the frames.
  private static func itemTracks(
    _ source: FileSource, _ question: SettleQuestion, from range: ClosedRange<Instant>, isOpen: Bool
  ) throws -> [MotionSubject: [SettleTrack]] {
    let asked = (question.subjects ?? []).filter(\.isItem)
    guard !asked.isEmpty else { return [:] }
    let items = try source.items()
    let errors = try ElementErrors(source)
    var columns: [(subject: MotionSubject, item: Int, attribute: ItemAttribute)] = []
    let byID = Dictionary(grouping: items.indices) { items[$0].identity.id }
    for subject in asked {
      guard case .item(let id, _) = subject else { continue }
      for item in byID[id] ?? [] {
        for case .item(_, let attribute) in subject.numbers {
          columns.append((subject, item, attribute))
        }
      }
    }
    var tracks = columns.map { column in
      SettleTrack(
        name: MotionSubject.item(items[column.item].identity.id, column.attribute).text,
        unit: column.attribute == .alpha ? "1" : "pt", isOpen: isOpen)
    }
    var (number, repeats) = (0, [Int]())
    try source.forEachPose(of: items, from: range.lowerBound, includesUnread: true) {
      state, poses in
      number += 1
      guard !state.isUnread else {
        repeats.append(number)
        return true
      }
      guard state.time >= range.lowerBound else { return true }
      guard state.time <= range.upperBound else { return false }
      for (index, column) in columns.enumerated() where !tracks[index].isOver {
        if let pose = poses[column.item] {
          let value = column.attribute.values(of: pose)[0]
          let error = errors.halfWidth(
            of: items[column.item].identity.id, column.attribute, pose, at: state.time)
          tracks[index].take(
            Sample(time: state.time, value: value), state.phase, error: error ?? 0)
        } else {
          // What is away has no place.
          tracks[index].leave(state.time)
        }
      }
      return tracks.contains { !$0.isOver }
    }
    if !errors.isEmpty, RepeatRhythm.every(repeats) != nil,
      let frame = Frames(refreshRate: source.session.description.refreshRate).interval
    {
      for index in tracks.indices { tracks[index].showsLate(by: frame) }
    }
    var found: [MotionSubject: [SettleTrack]] = [:]
    for (column, track) in zip(columns, tracks) {
      guard column.subject.isNumber ? !track.times.isEmpty : track.moves else { continue }
      found[column.subject, default: []].append(track)
    }
    return found
  }
}

/// Collects a value from a release on until it rests.
private struct SettleTrack {
  let name: String
  let unit: String
  private(set) var times: [Instant] = []
  private(set) var values: [Double] = []
  /// The half-widths of the values' 90 % intervals. 0: they are exact.
  private(set) var errors: [Double] = []
  /// Whether nothing more belongs to the settle.
  private(set) var isOver = false
  /// Whether it begins with the last value at rest instead of the first.
  private let isOpen: Bool
  /// The place of the last change, and where the value rests since then.
  private var change: Int?
  private var home = FitRest()
  /// Whether a value was seen that was not driven.
  private var isReleased = false

  /// How long a value has to rest to be settled, in nanoseconds, ours, and as long as it moved.
  private static let rest: Int64 = 1_000_000_000

  init(name: String, unit: String, isOpen: Bool) {
    (self.name, self.unit, self.isOpen) = (name, unit, isOpen)
  }

  /// Whether the value is ever another one.
  var moves: Bool { change != nil }

  /// Takes the next sample.
  ///
  /// - Parameter error: The half-width of the value's 90 % interval. 0: it is exact.
  mutating func take(_ sample: Sample, _ phase: MotionPhase, error: Double = 0) {
    guard !isOver, sample.value.isFinite, sample.time >= times.last ?? sample.time else { return }
    if phase == .driving, isReleased {
      isOver = true
      return
    }
    if phase != .driving { isReleased = true }
    if sample.time == times.last { removeSample(at: values.count - 1) }
    if home.moves(sample.value, error) {
      change = values.count
    } else if isOpen, change == nil, values.count >= (error > 0 ? FitSamples.mostAtRest : 1) {
      removeSample(at: 0)
    }
    times.append(sample.time)
    values.append(sample.value)
    errors.append(error)
    if let change, values.count - change > FitSamples.mostAtRest {
      let rest = sample.time.nanoseconds(since: times[change])
      if rest > SettleTrack.rest, rest > times[change].nanoseconds(since: times[0]) {
        isOver = true
      }
    }
    if values.count > FitSamples.most + FitSamples.mostAtRest { isOver = true }
  }

  private mutating func removeSample(at index: Int) {
    times.remove(at: index)
    values.remove(at: index)
    errors.remove(at: index)
  }

  /// Adds to the errors that pictures show places of up to a frame before, each one another part of it. A mean delay moves
  /// the start alone.
  ///
  /// - Parameter frame: Seconds.
  mutating func showsLate(by frame: Double) {
    let seconds = FitSamples.standardErrors * frame / (12.0).squareRoot()
    for index in errors.indices where errors[index] > 0 {
      let (before, after) = (max(0, index - 1), min(index + 1, errors.count - 1))
      let time = times[after].seconds(since: times[before])
      let way = time > 0 ? (values[after] - values[before]) / time * seconds : 0
      errors[index] = (errors[index] * errors[index] + way * way).squareRoot()
    }
  }

  /// The element is not in a frame. One that is measured may only be lost for a while.
  mutating func leave(_ time: Instant) {
    guard moves, let last = times.last else { return }
    let isLost = errors.last ?? 0 > 0 && time.nanoseconds(since: last) <= SettleTrack.rest
    if !isLost { isOver = true }
  }
}
