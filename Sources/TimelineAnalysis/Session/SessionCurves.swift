package import TimelineModel
package import TimelineStore

/// The parts of a session that are compared: its keys as curves, its releases and its frame clock. Each is read in one
/// walk through the rows.
package struct SessionCurves: Sendable {
  /// One key with everything that it did.
  package struct Key: Sendable {
    /// Number, name, role and unit.
    package var record: KeyRecord
    /// The values, on the session's own clock.
    package var curve = Curve([])
    /// What the session was doing at each sample of ``curve``.
    package var phases: [MotionPhase] = []
    /// The instants at which the curve begins again, rising: a finger has no position between two contacts, and an element
    /// has no position while it is not there. A recorded key has none.
    package var breaks: [Instant] = []
    /// Whether the value holds from sample to sample instead of going straight to the next: an app's own key
    /// of unit `1` whose values are whole numbers, and few of them, is a count, a page or a switch. All values that were
    /// read decide it, once.
    package fileprivate(set) var isStep = false
  }

  package var session: SessionRecord
  /// The keys in the order of their numbers, and behind them what the frames say of the viewport
  /// (`viewport.contentOffset.x`, …), where there are frames.
  package var keys: [Key]
  /// The releases: as recorded, and in the order of time where one is derived.
  package var releases: [ReleaseRecord]
  /// When transitions started, in the order recorded.
  package var starts: [Instant]
  /// How often each kind of event occurs, in the order of the kinds' names.
  package var eventCounts: [(kind: String, count: Int)]
  /// When the display was updated.
  package var clock: FrameClock
  /// The transitions by which a motion is described, in the order of time; never empty.
  package var stretches: [MotionStretch]
  /// Whether recorded keys have no values here, since each is read alone (``whole(_:in:keepsPhases:memory:)``).
  package private(set) var readsApart = false

  /// A caller that reads each key alone does so from this number of sealed samples on: all keys together would take 100 MB
  /// and more.
  package static let usualApartCount: Int64 = 1 << 22

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - derivesReleases: Whether releases are derived where no decision was recorded.
  ///   - apartCount: From this number of sealed samples on, recorded keys have no values, which
  ///     ``whole(_:in:keepsPhases:memory:)`` reads.
  /// - Throws: `StoreError` when the file cannot be read, or has more samples than are held.
  /// - Complexity: linear in samples, frames and events.
  package init(
    _ session: SessionRecord, in reader: RecordingReader, derivesReleases: Bool = true,
    apartFrom apartCount: Int64 = .max
  ) throws {
    self.session = session
    releases = try reader.releases(in: session.number, derives: derivesReleases).all
    starts = try reader.transitions(in: session.number).compactMap(\.start)
    var counts: [String: Int] = [:]
    var viewport = ViewportKeys(session)
    let events = try reader.events(in: session.number)
    while let event = try events.next() {
      counts[event.kind.rawValue, default: 0] += 1
      viewport.add(event)
    }
    eventCounts = counts.sorted { $0.key < $1.key }.map { (kind: $0.key, count: $0.value) }
    let records = try reader.keys(in: session.number)
    let decisions = releases.map(\.time)
    let frames = try FrameClock(session, in: reader) { viewport.add($0) }
    clock = frames
    let drives: [Instant?]
    if try reader.sealedSampleCount(in: session.number) >= apartCount,
      try reader.isMostlySealed(session)
    {
      readsApart = true
      var facts = SampleFacts(
        records, decisions: decisions, needsClock: frames.times.isEmpty, needsSteps: true)
      try facts.read(session, in: reader)
      if frames.times.isEmpty { clock = facts.clock(like: frames) }
      drives = facts.drivesAfterDecisions
      keys = records.map { record in
        var key = Key(record: record)
        key.isStep = facts.isStep(record.handle)
        return key
      }
    } else {
      try reader.requireHeld(session.number)
      var reading = KeyReading(
        records, decisions: decisions, expectedSamples: session.counts?.samples)
      try reader.forEachSample(in: session.number) { reading.add($0, at: $1, $2, phase: $3) }
      for index in reading.keys.indices { reading.keys[index].findSteps() }
      if frames.times.isEmpty { clock = reading.clock(like: frames) }
      drives = reading.drivesAfterDecisions
      keys = reading.keys
    }
    keys += viewport.keys(besides: records)
    stretches = MotionStretch.all(decisions: decisions, starts: starts, drives: drives)
  }

  /// A key with its values: read, if the session's keys are read apart.
  ///
  /// - Parameters:
  ///   - keepsPhases: Whether the phases are read, too.
  ///   - memory: A curve that nobody else has, whose memory the key gets; it has no sample afterwards.
  /// - Throws: `StoreError` when the file cannot be read, or the key has more samples than are held.
  /// - Complexity: linear in the key's samples.
  func whole(
    _ key: Key, in reader: RecordingReader, keepsPhases: Bool = false, memory: inout Curve
  ) throws -> Key {
    guard readsApart, !key.record.isComputed else { return key }
    var whole = key
    swap(&whole.curve, &memory)
    whole.curve.removeAll()
    whole.reserveCapacity(
      try reader.keySummaries(in: session.number).first { $0.key == key.record.handle }?
        .sampleCount, keepsPhases: keepsPhases)
    if keepsPhases {
      try reader.forEachSample(of: key.record.handle, in: session.number) {
        whole.add($0, phase: $1)
      }
    } else {
      try reader.forEachSegment(in: session.number, key: key.record.handle) { all in
        for series in all { whole.curve.append(series) }
      }
    }
    return whole
  }

  /// The same curves, the progress with its values.
  func withProgress(in reader: RecordingReader) throws -> SessionCurves {
    guard let index = keys.firstIndex(where: { $0.record.role == .progress }) else { return self }
    var curves = self
    var memory = Curve([])
    curves.keys[index] = try whole(keys[index], in: reader, keepsPhases: true, memory: &memory)
    return curves
  }

  /// Forgets the instants of the clock if each key is read alone, since they take much memory then.
  mutating func forgetClock() {
    guard readsApart else { return }
    (clock.times, clock.isMoving) = ([], [])
  }

  /// The key of the transitions' progress; nil where the session has none.
  package var progressKey: Key? { keys.first { $0.record.role == .progress } }
}

/// Sorts rows into columns as they come.
private struct KeyReading {
  var keys: [SessionCurves.Key]
  /// The first driving sample after each decision; nil where there is none.
  var drivesAfterDecisions: [Instant?]
  private let decisions: [Instant]
  private var decisionsPassed = 0
  private let positions: IndexByNumber
  private var times: [Instant] = []
  private var isMoving: [Bool] = []

  init(_ records: [KeyRecord], decisions: [Instant], expectedSamples: Int64?) {
    self.decisions = decisions.sorted()
    drivesAfterDecisions = Array(repeating: nil, count: decisions.count)
    keys = records.map { SessionCurves.Key(record: $0) }
    positions = IndexByNumber(records.enumerated().map { ($1.handle.rawValue, $0) })
    let room = min(expectedSamples ?? 0, 1 << 24) / Int64(max(1, keys.count))
    for index in keys.indices { keys[index].reserveCapacity(room) }
  }

  mutating func add(_ key: KeyHandle, at nanoseconds: Int64, _ value: Double, phase: MotionPhase) {
    let index = positions[key.rawValue]
    guard index >= 0 else { return }
    let time = Instant(nanoseconds: nanoseconds)
    keys[index].add(Sample(time: time, value: value), phase: phase)
    if time == times.last {
      if phase != .idle { isMoving[isMoving.count - 1] = true }
    } else {
      times.append(time)
      isMoving.append(phase != .idle)
    }
    while decisionsPassed < decisions.count, decisions[decisionsPassed] < time {
      decisionsPassed += 1
    }
    if phase == .driving, decisionsPassed > 0, drivesAfterDecisions[decisionsPassed - 1] == nil {
      drivesAfterDecisions[decisionsPassed - 1] = time
    }
  }

  /// The instants at which any key was set, for a session without frames.
  func clock(like frames: FrameClock) -> FrameClock {
    var clock = frames
    (clock.source, clock.times, clock.isMoving) = (.samples, times, isMoving)
    return clock
  }
}

extension SessionCurves.Key {
  /// Gives the curve away.
  mutating func takeCurve() -> Curve {
    var taken = Curve([])
    swap(&taken, &curve)
    phases = []
    return taken
  }

  /// Looks at all values for whether they hold.
  fileprivate mutating func findSteps() {
    var levels = StepLevels(of: record)
    for value in curve.values { levels.add(value) }
    isStep = levels.isStep
  }

  /// Makes room for this number of samples. The number comes from the file and is only a hint: an edited file cannot ask
  /// for all memory.
  fileprivate mutating func reserveCapacity(_ expected: Int64?, keepsPhases: Bool = true) {
    let room = Int(max(0, min(expected ?? 0, 1 << 24)))
    curve.reserveCapacity(room)
    if keepsPhases { phases.reserveCapacity(room) }
  }

  /// Adds the next sample; of several at one instant the newest counts.
  fileprivate mutating func add(_ sample: Sample, phase: MotionPhase) {
    let before = curve.count
    let leftOut = curve.leftOutCount
    curve.append(sample)
    if curve.count > before {
      phases.append(phase)
    } else if curve.leftOutCount == leftOut {
      phases[phases.count - 1] = phase
    }
  }

  /// Adds the next sample; of three in a row that are equal the middle one goes.
  mutating func addHeld(_ sample: Sample, phase: MotionPhase) {
    let index = curve.count - 1
    if curve.holds(sample.value), sample.time > curve.times[index] {
      curve.removeLast()
      phases.removeLast()
    }
    add(sample, phase: phase)
  }
}

/// Tells from a key's values, seen one after the other, whether they hold from sample to sample instead of
/// going straight to the next: an app's own key of unit `1` whose values are whole numbers, and few of
/// them, is a count, a page or a switch.
package struct StepLevels: Sendable {
  /// How many different values a step key takes at most; ours: a value that passes through more of them is
  /// on its way somewhere.
  package static let most = 16

  private var levels: Set<Double> = []
  private var isCandidate: Bool

  /// Begins with a key of which no value has been seen.
  package init(of key: KeyRecord) { isCandidate = key.role == .custom && key.unit == "1" }

  /// Looks at the next value.
  ///
  /// - Complexity: O(1).
  package mutating func add(_ value: Double) {
    guard isCandidate else { return }
    guard value == value.rounded() else {
      isCandidate = false
      return
    }
    levels.insert(value)
    isCandidate = levels.count <= StepLevels.most
  }

  /// Whether no value that was seen says that they do not.
  package var mayBeStep: Bool { isCandidate }

  /// Whether the values hold; false where none was seen.
  package var isStep: Bool { isCandidate && !levels.isEmpty }
}

/// The index of something with a number in a list: found without hashing for the numbers that a recorder gives.
package struct IndexByNumber: Sendable {
  private var dense: [Int]
  private var sparse: [Int32: Int] = [:]
  /// An edited file may have any number; a larger number than this costs a hash instead of memory.
  private static let largestDense: Int32 = 65_535

  package init(_ positions: [(number: Int32, index: Int)]) {
    let largest = positions.map(\.number).filter { $0 <= Self.largestDense }.max() ?? -1
    dense = Array(repeating: -1, count: Int(max(-1, largest)) + 1)
    for (number, index) in positions {
      if number >= 0, number <= Self.largestDense {
        dense[Int(number)] = index
      } else {
        sparse[number] = index
      }
    }
  }

  /// The index of a number; -1 without one.
  package subscript(number: Int32) -> Int {
    if number >= 0, number < dense.count { return dense[Int(number)] }
    return sparse.isEmpty ? -1 : sparse[number] ?? -1
  }
}
