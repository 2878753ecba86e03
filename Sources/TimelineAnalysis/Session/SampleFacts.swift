import TimelineModel
import TimelineStore

/// Facts of a session from the samples of all its keys, without the curves: the instants at which any key was set, the
/// first drives after the decisions, and the keys that hold.
struct SampleFacts {
  /// The first driving sample after each decision; nil without one.
  private(set) var drivesAfterDecisions: [Instant?]
  private let decisions: [Instant]
  private let needsClock: Bool
  private let positions: IndexByNumber
  private var times: [Instant] = []
  private var isMoving: [Bool] = []
  private var levels: [KeyLevels]

  /// The values of a key that may hold. Only the last value of an instant counts.
  private struct KeyLevels {
    var levels: StepLevels
    var latest: Sample?

    mutating func add(_ sample: Sample) {
      guard sample.value.isFinite else { return }
      if let latest, latest.time != sample.time { levels.add(latest.value) }
      latest = sample
    }

    var isStep: Bool {
      var levels = levels
      if let latest { levels.add(latest.value) }
      return levels.isStep
    }
  }

  /// Begins before the first sample of the keys.
  ///
  /// - Parameters:
  ///   - keys: The keys. Samples of other keys do not count.
  ///   - decisions: The instants of the decisions.
  ///   - needsClock: Whether the instants at which keys were set are needed.
  ///   - needsSteps: Whether it is needed which keys hold.
  init(
    _ keys: [KeyRecord], decisions: [Instant] = [], needsClock: Bool, needsSteps: Bool = false
  ) {
    self.decisions = decisions.sorted()
    self.needsClock = needsClock
    drivesAfterDecisions = Array(repeating: nil, count: decisions.count)
    positions = IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) })
    levels = needsSteps ? keys.map { KeyLevels(levels: StepLevels(of: $0)) } : []
  }

  /// Reads all samples.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the samples. Nothing is read if nothing is needed.
  mutating func read(_ session: SessionRecord, in reader: RecordingReader) throws {
    guard needsClock || !decisions.isEmpty || levels.contains(where: \.levels.mayBeStep) else {
      return
    }
    if try reader.isMostlySealed(session) {
      try reader.forEachSegment(in: session.number) { add($0) }
    } else {
      try reader.forEachSample(in: session.number) { key, time, value, phase in
        add(key, Sample(time: Instant(nanoseconds: time), value: value), phase)
      }
    }
  }

  /// Adds a sample that is not earlier than the samples before it.
  private mutating func add(_ key: KeyHandle, _ sample: Sample, _ phase: MotionPhase) {
    let position = positions[key.rawValue]
    guard position >= 0 else { return }
    if needsClock { addInstant(sample.time, moves: phase != .idle) }
    if phase == .driving { addDrive(sample.time) }
    if !levels.isEmpty { levels[position].add(sample) }
  }

  /// Whether the values of a key hold (``StepLevels``).
  func isStep(_ key: KeyHandle) -> Bool {
    let position = positions[key.rawValue]
    return position >= 0 && !levels.isEmpty && levels[position].isStep
  }

  /// The instants at which any key was set, for a session without frames.
  func clock(like frames: FrameClock) -> FrameClock {
    var clock = frames
    (clock.source, clock.times, clock.isMoving) = (.samples, times, isMoving)
    return clock
  }

  // MARK: - Columns

  /// Adds the samples of a segment, which is later than the segments before it.
  private mutating func add(_ all: [SampleColumns.Series]) {
    let known =
      all.allSatisfy { positions[$0.key] >= 0 } ? all : all.filter { positions[$0.key] >= 0 }
    if needsClock { addClock(known) }
    for (index, series) in known.enumerated() {
      // Keys that are sampled together nearly always drive at the same instants. Lists in one memory are equal at once.
      if !decisions.isEmpty,
        index == 0 || series.times != known[index - 1].times
          || series.phases != known[index - 1].phases
      {
        addDrives(series)
      }
      let position = positions[series.key]
      guard !levels.isEmpty, levels[position].levels.mayBeStep else { continue }
      for index in series.times.indices {
        levels[position].add(
          Sample(time: Instant(nanoseconds: series.times[index]), value: series.value(index)))
        guard levels[position].levels.mayBeStep else { break }
      }
    }
  }

  private mutating func addClock(_ all: [SampleColumns.Series]) {
    guard let first = all.first else { return }
    guard all.allSatisfy({ $0.times == first.times }) else {
      var instants = all.flatMap { series in
        series.times.indices.map { (time: series.times[$0], moves: series.phase($0) != .idle) }
      }
      instants.sort { $0.time < $1.time }
      for (time, moves) in instants { addInstant(Instant(nanoseconds: time), moves: moves) }
      return
    }
    // Keys that are sampled together nearly always have the same phases, too.
    let others = all.filter { $0.phases != first.phases }
    if others.isEmpty, first.rises(after: times.last) {
      first.times.withUnsafeBufferPointer {
        $0.withMemoryRebound(to: Instant.self) { times.append(contentsOf: $0) }
      }
      first.addMoving(to: &isMoving)
      return
    }
    for index in first.times.indices {
      let moves = first.phase(index) != .idle || others.contains { $0.phase(index) != .idle }
      addInstant(Instant(nanoseconds: first.times[index]), moves: moves)
    }
  }

  private mutating func addInstant(_ time: Instant, moves: Bool) {
    if time == times.last {
      if moves { isMoving[isMoving.count - 1] = true }
    } else {
      times.append(time)
      isMoving.append(moves)
    }
  }

  /// Adds the first instant of each stretch in which a key drives, and the first instant after each decision in it.
  private mutating func addDrives(_ series: SampleColumns.Series) {
    var index = 0
    while case let start = series.firstIndex(isDriving: true, from: index),
      start < series.times.count
    {
      addDrive(Instant(nanoseconds: series.times[start]))
      let next = decisions.partitioningIndex { $0.nanoseconds >= series.times[start] }
      let border = next < decisions.count ? decisions[next].nanoseconds : Int64.max
      index = min(
        series.firstIndex(isDriving: false, from: start),
        series.times.partitioningIndex { $0 > border })
    }
  }

  /// Adds an instant at which a key drives.
  private mutating func addDrive(_ time: Instant) {
    let passed = decisions.partitioningIndex { $0 >= time }
    guard passed > 0 else { return }
    if drivesAfterDecisions[passed - 1].map({ time < $0 }) ?? true {
      drivesAfterDecisions[passed - 1] = time
    }
  }
}

extension FrameClock {
  /// A session's frames, or the instants at which any key was set if it has no frames.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the frames, or in the samples without frames.
  static func ofFramesOrSamples(
    _ session: SessionRecord, in reader: RecordingReader
  ) throws -> FrameClock {
    let frames = try FrameClock(session, in: reader)
    guard frames.times.isEmpty else { return frames }
    var facts = SampleFacts(try reader.keys(in: session.number), needsClock: true)
    try facts.read(session, in: reader)
    return facts.clock(like: frames)
  }
}

extension RecordingReader {
  /// Gives every sample of a key in the order of time. Sealed samples come from columns.
  ///
  /// - Throws: `StoreError` when the file cannot be read, or the key has more samples than are held.
  func forEachSample(
    of key: KeyHandle, in session: Int64, _ body: (Sample, MotionPhase) -> Void
  ) throws {
    try forEachSegment(in: session, key: key) { all in
      for series in all {
        for index in series.times.indices {
          body(
            Sample(time: Instant(nanoseconds: series.times[index]), value: series.value(index)),
            series.phase(index))
        }
      }
    }
  }
}
