import MotionPhysics
public import TimelineModel
public import TimelineStore

/// Two recorded runs held against each other: every key's error, delay and shape, and the decisions.
public struct RunComparison: Hashable, Sendable {
  /// How the two clocks were laid on each other.
  public enum Alignment: String, CaseIterable, Sendable {
    /// The sessions' own starts.
    case none
    /// The first transition's start; the session's where there is none.
    case start
    /// The first release; the first transition's start where there is none.
    case release
  }

  /// When two runs count as the same.
  public struct Tolerance: Hashable, Sendable {
    /// The largest residual after the lag, as a share of the key's range in A; 0.005 is half a percent.
    public var residualShare = 0.005
    /// The largest lag, in seconds; nil: one frame of A.
    public var lagSeconds: Double?
    /// The smallest part of the longer curve's time that both must have for a key to be the same; half
    /// of it, ours: a run that was cut off early is not like the whole one.
    public var overlapShare = 0.5

    /// The tolerance that `kymo compare` uses unless told otherwise.
    public init() {}
  }

  /// One key in both runs.
  public struct Key: Hashable, Sendable {
    /// The key's name.
    public var name: String
    /// The key's unit.
    public var unit: String
    /// What was found; nil where only one run has the key.
    public var comparison: CurveComparison?
    /// Whether only A or only B has it; nil where both do.
    public var onlyIn: String?
    /// Whether it is within the tolerance.
    public var isSame: Bool
  }

  /// A run's release, for the comparison of decisions.
  public struct Outcome: Hashable, Sendable {
    /// The decision; nil where nothing was released.
    public var decision: ReleaseDecision?
    /// Seconds from the release to the last settling frame; nil where nothing settled.
    public var settleTimeSeconds: Double?
  }

  /// How the clocks were laid on each other.
  public var alignment: Alignment
  /// The instant of A that is laid on ``anchorOfB``.
  public var anchorOfA: Instant
  /// The instant of B that is laid on ``anchorOfA``.
  public var anchorOfB: Instant
  /// The keys, those that differ most first.
  public var keys: [Key]
  /// The releases of A, in order.
  public var outcomesOfA: [Outcome]
  /// The releases of B, in order.
  public var outcomesOfB: [Outcome]
  /// The largest lag that counts as the same, in seconds.
  public var lagLimitSeconds: Double
  /// What counted as the same.
  public var tolerance: Tolerance
  /// Whether all decisions are equal, one by one.
  public var decisionsAreEqual: Bool

  /// Whether neither run has a key or a decision, so that nothing was compared.
  public var isEmpty: Bool { keys.isEmpty && outcomesOfA.isEmpty && outcomesOfB.isEmpty }

  /// Whether every key is within the tolerance and the decisions are equal.
  public var isSame: Bool { decisionsAreEqual && keys.allSatisfy(\.isSame) }
}

/// A session on one side of a comparison.
private struct Run {
  let session: SessionRecord
  let reader: RecordingReader
  let keys: [KeyRecord]
  let decisions: [ReleaseDecision]
  let firstStart: Instant?

  init(_ session: SessionRecord, _ reader: RecordingReader) throws {
    self.session = session
    self.reader = reader
    keys = try reader.keys(in: session.number)
    decisions = try reader.decisions(in: session.number)
    var firstStart: Instant?
    let events = try reader.events(in: session.number)
    while firstStart == nil, let event = try events.next() {
      if event.kind == .start { firstStart = event.time }
    }
    self.firstStart = firstStart
  }

  func anchor(_ alignment: RunComparison.Alignment) -> Instant {
    switch alignment {
    case .none: .zero
    case .start: firstStart ?? .zero
    case .release: decisions.first?.time ?? firstStart ?? .zero
    }
  }

  /// The curves of all keys with the anchor at 0; one walk through the rows, however many keys there
  /// are.
  func curves(from anchor: Instant) throws -> [KeyHandle: Curve] {
    var curves: [KeyHandle: Curve] = [:]
    let rows = try reader.samples(in: session.number)
    while let row = try rows.next() {
      curves[row.key, default: Curve([])].append(row.sample)
    }
    let distance = Instant.zero.nanoseconds(since: anchor)
    return curves.mapValues { $0.shifted(byNanoseconds: distance) }
  }

  /// The releases, each with the time until its last settling sample of the progress.
  func outcomes() throws -> [RunComparison.Outcome] {
    var next = 0
    var lastSettling: [Instant?] = Array(repeating: nil, count: decisions.count)
    if let progress = keys.first(where: { $0.role == .progress }) {
      let rows = try reader.samples(of: progress.handle, in: session.number)
      while let row = try rows.next() {
        // Rows and decisions are both in the order of time.
        while next < decisions.count, decisions[next].time <= row.sample.time { next += 1 }
        if row.phase == .settling, next > 0 { lastSettling[next - 1] = row.sample.time }
      }
    }
    return zip(decisions, lastSettling).map { decision, end in
      RunComparison.Outcome(
        decision: decision, settleTimeSeconds: end?.seconds(since: decision.time))
    }
  }
}

extension RunComparison {
  /// Compares two sessions.
  ///
  /// - Throws: `StoreError` when a file cannot be read.
  /// - Complexity: linear in the samples of both.
  public init(
    _ a: SessionRecord, in readerA: RecordingReader, with b: SessionRecord,
    in readerB: RecordingReader, alignment: Alignment = .start, tolerance: Tolerance = Tolerance()
  ) throws {
    let runA = try Run(a, readerA)
    let runB = try Run(b, readerB)
    self.alignment = alignment
    self.tolerance = tolerance
    anchorOfA = runA.anchor(alignment)
    anchorOfB = runB.anchor(alignment)
    // Without a refresh rate a frame is taken for 1/60 s, the commonest display's.
    lagLimitSeconds = tolerance.lagSeconds ?? 1 / (a.description.refreshRate ?? 60)
    keys = []
    let curvesOfA = try runA.curves(from: anchorOfA)
    let curvesOfB = try runB.curves(from: anchorOfB)
    var keysOfB: [KeyName: KeyRecord] = [:]
    for key in runB.keys { keysOfB[KeyName(key)] = key }
    for key in runA.keys {
      guard let other = keysOfB.removeValue(forKey: KeyName(key)) else {
        keys.append(Key(name: key.name, unit: key.unit, onlyIn: "A", isSame: false))
        continue
      }
      let curveOfA = curvesOfA[key.handle] ?? Curve([])
      let curveOfB = curvesOfB[other.handle] ?? Curve([])
      let comparison = CurveComparison(curveOfA, curveOfB)
      let longer = max(curveOfA.durationSeconds, curveOfB.durationSeconds)
      keys.append(
        Key(
          name: key.name, unit: key.unit, comparison: comparison,
          isSame: comparison.isWithin(tolerance, lagLimitSeconds: lagLimitSeconds)
            && comparison.overlapSeconds >= tolerance.overlapShare * longer))
    }
    for key in runB.keys where keysOfB[KeyName(key)] != nil {
      keys.append(Key(name: key.name, unit: key.unit, onlyIn: "B", isSame: false))
    }
    outcomesOfA = try runA.outcomes()
    outcomesOfB = try runB.outcomes()
    decisionsAreEqual =
      runA.decisions.map(\.outcome) == runB.decisions.map(\.outcome)
    // Worst first; equal ones by name, so that the order is always the same.
    keys.sort { ($1.badness, $0.name) < ($0.badness, $1.name) }
  }
}

/// What makes two keys of two runs the same key.
private struct KeyName: Hashable {
  let name: String
  let role: KeyRole

  init(_ key: KeyRecord) {
    name = key.name
    role = key.role
  }
}

extension CurveComparison {
  /// A key that neither run ever set is the same; one that only one of them set is not.
  fileprivate func isWithin(
    _ tolerance: RunComparison.Tolerance, lagLimitSeconds: Double
  ) -> Bool {
    if matchedSampleCount + onlyInACount + onlyInBCount == 0 { return true }
    guard let share = residualShareOfRange else { return false }
    return share <= tolerance.residualShare && abs(lagSeconds) <= lagLimitSeconds
  }
}

extension RunComparison.Key {
  /// How different the key is, for the order: a missing key is worst.
  fileprivate var badness: Double {
    guard let comparison else { return .infinity }
    return comparison.residualShareOfRange ?? .greatestFiniteMagnitude
  }
}
