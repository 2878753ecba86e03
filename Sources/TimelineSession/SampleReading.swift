import TimelineModel
import TimelineStore

/// Sorts the samples of some keys into tracks, and notes what the keys say together: the instants at which any key was set,
/// and the first drives after the decisions.
struct SampleReading {
  /// What is kept of the samples.
  enum Kept {
    case nothing, values, valuesAndPhases
    /// The values, out of memory (``SpilledValues``).
    case spilled
  }

  private(set) var tracks: [Track]
  /// The first driving sample after each decision. `nil` without one.
  private(set) var drivesAfterDecisions: [Instant?]
  private let kept: Kept
  private let decisions: [Instant]
  private let needsClock: Bool
  private let positions: IndexByNumber
  private var spill: SpillWriter?
  private var times: [Instant] = []
  private var isMoving: [Bool] = []

  /// Begins before the first sample.
  ///
  /// - Parameters:
  ///   - keys: The keys. Samples of other keys do not count.
  ///   - decisions: The instants of the decisions.
  ///   - needsClock: Whether the instants at which keys were set are needed.
  ///   - expectedCount: The number of samples of all keys, if it is known.
  init(
    _ keys: [KeyRecord], keeping kept: Kept, decisions: [Instant] = [], needsClock: Bool,
    expectedCount: Int64? = nil
  ) {
    self.kept = kept
    self.decisions = decisions.sorted()
    self.needsClock = needsClock
    drivesAfterDecisions = Array(repeating: nil, count: decisions.count)
    positions = IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) })
    tracks = keys.map { Track($0) }
    if kept == .spilled { spill = SpillWriter(keys.map(\.handle)) }
    guard kept == .values || kept == .valuesAndPhases else { return }
    let room = min(expectedCount ?? 0, 1 << 24) / Int64(max(1, keys.count))
    for index in tracks.indices {
      tracks[index].reserveCapacity(room, keepsPhases: kept == .valuesAndPhases)
    }
  }

  /// Reads all samples.
  ///
  /// - Throws: `StoreError` when the recording cannot be read, or has more samples than are held.
  /// - Complexity: linear in the samples. Nothing is read if nothing is needed.
  mutating func read(_ source: some SessionSource) throws {
    switch kept {
    case .nothing: guard needsClock || !decisions.isEmpty else { return }
    case .values, .valuesAndPhases: try source.requireHeld()
    case .spilled: break
    }
    let isAlone = kept == .values && tracks.count == 1 && !needsClock && decisions.isEmpty
    if try isAlone || source.canReadByKey(from: 0) {
      let only = isAlone ? tracks[0].record.handle : nil
      try source.forEachSample(of: only, in: RecordingReader.allTime) {
        add($0)
        return true
      }
    } else {
      try source.forEachSample { add($0, at: $1, $2, $3) }
    }
    for index in tracks.indices { tracks[index].findSteps() }
  }

  /// Where the values are if they were spilled.
  ///
  /// - Throws: `StoreError` if there was no room for them.
  mutating func takeSpilled() throws -> SpilledValues? {
    let writer = spill
    spill = nil
    return try writer?.finish()
  }

  private mutating func add(
    _ key: KeyHandle, at nanoseconds: Int64, _ value: Double, _ phase: MotionPhase
  ) {
    let position = positions[key.rawValue]
    guard position >= 0 else { return }
    let time = Instant(nanoseconds: nanoseconds)
    switch kept {
    case .nothing: break
    case .values: tracks[position].curve.append(Sample(time: time, value: value))
    case .valuesAndPhases: tracks[position].add(Sample(time: time, value: value), phase: phase)
    case .spilled: spill?.add(nanoseconds, value, at: position)
    }
    if needsClock { addInstant(time, moves: phase != .idle) }
    if phase == .driving { addDrive(time) }
  }

  /// The instants at which any key was set, for a session without frames.
  func clock(like frames: Frames) -> Frames {
    var clock = frames
    (clock.source, clock.times, clock.isMoving) = (.samples, times, isMoving)
    return clock
  }

  private mutating func addInstant(_ time: Instant, moves: Bool) {
    if time == times.last {
      if moves { isMoving[isMoving.count - 1] = true }
    } else {
      times.append(time)
      isMoving.append(moves)
    }
  }

  /// Adds an instant at which a key drives.
  private mutating func addDrive(_ time: Instant) {
    guard !decisions.isEmpty else { return }
    let passed = decisions.partitioningIndex { $0 >= time }
    guard passed > 0 else { return }
    if drivesAfterDecisions[passed - 1].map({ time < $0 }) ?? true {
      drivesAfterDecisions[passed - 1] = time
    }
  }

  // MARK: - Columns

  /// Adds the samples of a stretch. It is later than the stretches before it.
  private mutating func add(_ all: [SampleColumns.Series]) {
    let known =
      all.allSatisfy { positions[$0.key] >= 0 } ? all : all.filter { positions[$0.key] >= 0 }
    for series in known where kept != .nothing {
      let position = positions[series.key]
      if kept == .spilled {
        for index in series.times.indices {
          spill?.add(series.times[index], series.value(index), at: position)
        }
      } else {
        tracks[position].append(series, keepsPhases: kept == .valuesAndPhases)
      }
    }
    if needsClock { addClock(known) }
    guard !decisions.isEmpty else { return }
    for (index, series) in known.enumerated() {
      // Keys that are sampled together nearly always drive at the same instants. Lists in one memory are equal at once.
      if index == 0 || series.times != known[index - 1].times
        || series.phases != known[index - 1].phases
      {
        addDrives(series)
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
}
