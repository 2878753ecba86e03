import Synchronization
import TimelineModel
import TimelineStore

/// Writes the records of the lanes into a store, one transaction each time, and keeps count of what a
/// session has.
///
/// A record stays in its lane until the commit that holds its row has returned. Where the transaction
/// fails everything is as before, and the next one tries again.
struct RingWriter {
  /// nil once the recorder has finished, and while it is suspended.
  private(set) var store: RecordingStore?
  /// The counts of the writer. A copy of it takes a failed transaction back.
  var progress = SessionProgress()
  /// Turns seconds of attributes into blocks, once there are many.
  var sealer: SegmentSealer
  /// Turns samples into segments. `nil` where they are plain rows.
  var sampleSealer: SampleSealer?
  /// The troubles that were reported to the app, for the next transaction to write down.
  private var unwrittenTroubles: [RecordingTrouble] = []
  /// Whether the last transaction failed.
  private(set) var hasFailed = false
  /// Whether the session has its clean-close mark.
  var isClosed = false
  private var isDropping = false
  private var cursors: [LaneCursor] = []
  private var commits = 0
  /// Whether something is committed that a power cut may take back.
  private var hasUnsynced = false
  /// Turns in a row in which there was nothing to write.
  var idleTurns = 0
  /// The knowledge of the growing log.
  var log = LogState()
  /// The commit that failed last, when nothing was committed since.
  private var uncertainCommit: UncertainCommit?
  let policy: RecordingPolicy
  let settings: RecorderSettings

  init(_ store: sending RecordingStore, policy: RecordingPolicy, settings: RecorderSettings) {
    self.store = store
    self.policy = policy
    self.settings = settings
    sealer = SegmentSealer(
      precision: settings.precision,
      plainRows: settings.isSealing ? 0 : settings.plainPoseRows)
    sampleSealer =
      settings.isSealing
      ? SampleSealer(stretchNanoseconds: settings.sampleStretchNanoseconds) : nil
  }

  /// The records of a transaction.
  struct Load {
    /// The lanes, by their numbers.
    var lanes: [JournalLane]
    /// The records that were too long for a ring.
    var past: PassingRecord?
    /// Whether a power cut must not take it back, nor what was committed before.
    var isUrgent = false
    /// Whether nothing comes after it, though the session is not closed.
    var isLast = false
  }

  /// A commit that failed. Its pages may be in the log all the same: SQLite passes over them as long as
  /// the file stays open, and finds them when it is opened again.
  private struct UncertainCommit {
    var progress: SessionProgress
    var cursors: [LaneCursor]
    var pending: RecorderRegistry.Pending
  }

  /// The result of a transaction.
  struct Outcome {
    var error: StoreError?
    /// The warnings for the app.
    var pendingTroubles: [RecordingTrouble] = []
    /// Names and losses that were taken and are not in the tables.
    var unwritten = RecorderRegistry.Pending()
  }
}

// MARK: - Transactions

extension RingWriter {
  /// Writes everything that is in the lanes now, in one transaction.
  ///
  /// - Parameters:
  ///   - load: Where to look.
  ///   - closing: The session's end, when this is it.
  ///   - takePending: Gives names and losses. Asked once, after the lanes were looked at, so that a name
  ///     is there before its values.
  mutating func write(
    _ load: Load, closing: SessionEnd? = nil, takePending: () -> RecorderRegistry.Pending
  ) -> Outcome {
    var outcome = Outcome()
    guard let store else { return outcome }
    look(at: load.lanes)
    let pending = takePending()
    let hasRows = cursors.contains { $0.position != $0.end } || load.past != nil
    let hasToWait = load.isUrgent && hasUnsynced
    guard hasRows || !pending.isEmpty || closing != nil || load.isLast || hasToWait else {
      return outcome
    }
    noteDrops(pending.losses, &outcome)
    idleTurns = 0
    keepWithinLimit(store, with: load.past)
    let isDurable =
      closing != nil || load.isUrgent || (commits + 1) % settings.durableEvery == 0
    let before = progress
    var isCommitting = false
    do throws(StoreError) {
      try store.begin(isDurable: isDurable)
      try insert(load, pending, into: store)
      if let closing {
        try sealer.finish(after: progress.looseRows, in: store)
        try sampleSealer?.write(isLast: true, in: store)
        try close(closing, in: store)
      } else {
        try sealer.writePending(in: store)
        try sampleSealer?.write(isLast: false, in: store)
        if load.isLast, areLanesWritten { try store.markEnded() }
        if hasToWait { try changeNothing(in: store) }
      }
      isCommitting = true
      try store.commit()
    } catch {
      store.rollBack()
      uncertainCommit =
        isCommitting ? UncertainCommit(progress: progress, cursors: cursors, pending: pending) : nil
      progress = before
      sealer.abandon()
      sampleSealer?.abandon()
      outcome.error = error
      outcome.unwritten = pending
      if !hasFailed { report(.writing(error), &outcome) }
      hasFailed = true
      return outcome
    }
    hasFailed = false
    hasUnsynced = !isDurable
    uncertainCommit = nil
    unwrittenTroubles = []
    for cursor in cursors {
      cursor.lane.tail.pointee.store(cursor.position, ordering: .releasing)
    }
    commits += 1
    return outcome
  }

  /// Waits until the disk has what is committed, after a checkpoint that may not have: it syncs the log only where
  /// it moves something. A reader in the log is met again after the next silence.
  mutating func sync(_ store: RecordingStore) {
    guard hasUnsynced else { return }
    do throws(StoreError) {
      try store.begin(isDurable: true)
      try changeNothing(in: store)
      try store.commit()
      hasUnsynced = false
    } catch {
      store.rollBack()
    }
  }

  /// Lets a commit have something to write: one that has nothing takes nothing before it to the disk.
  private func changeNothing(in store: RecordingStore) throws(StoreError) {
    for step in [1, 0] as [UInt64] {
      try store.setConsumed(cursors[0].position &+ step, lane: 0)
    }
  }

  /// Whether the rows of everything that the lanes hold are in the transaction.
  private var areLanesWritten: Bool {
    cursors.allSatisfy { $0.position == $0.lane.head.pointee.load(ordering: .acquiring) }
  }

  /// Looks how far each lane is written. A record that refers to another one is shown later than that.
  private mutating func look(at lanes: [JournalLane]) {
    cursors.removeAll(keepingCapacity: true)
    for lane in lanes {
      let tail = lane.tail.pointee.load(ordering: .relaxed)
      cursors.append(LaneCursor(lane, from: tail, to: lane.head.pointee.load(ordering: .acquiring)))
    }
  }

  private mutating func noteDrops(_ losses: [LossRecord], _ outcome: inout Outcome) {
    // Samples without a key had a name that was left out, whatever room there was.
    if losses.allSatisfy({ $0.what == .sample && $0.key == nil }) {
      isDropping = false
    } else if !isDropping {
      isDropping = true
      report(.backPressure, &outcome)
    }
  }

  private mutating func report(_ trouble: RecordingTrouble, _ outcome: inout Outcome) {
    outcome.pendingTroubles.append(trouble)
    writeDown(trouble)
  }

  /// Lets the next transaction that succeeds write an event of a trouble.
  mutating func writeDown(_ trouble: RecordingTrouble) { unwrittenTroubles.append(trouble) }

  /// Takes the oldest out of the recording where what is about to be written does not fit its limit.
  private mutating func keepWithinLimit(_ store: RecordingStore, with past: PassingRecord?) {
    guard settings.limit != RecordingLimit() else { return }
    let words = cursors.reduce(UInt64(past?.count ?? 0)) { $0 &+ ($1.end &- $1.position) }
    // Where the disk refuses, the commit meets that too and tells it.
    _ = try? store.enforce(
      settings.limit, latest: progress.latest, reservedBytes: Int64(clamping: words) * 8)
    if let erased = store.samplesErasedThrough { sampleSealer?.noteErasure(through: erased) }
  }

  /// Takes the store away: new records stay in the lanes.
  mutating func letGoOfStore() -> RecordingStore? {
    defer { store = nil }
    return store
  }

  /// Goes on with a store.
  ///
  /// - Returns: names and losses that are in the tables after all, since the commit that failed last
  ///   is.
  mutating func takeUp(_ store: sending RecordingStore) -> RecorderRegistry.Pending? {
    self.store = store
    defer { self.uncertainCommit = nil }
    guard let uncertainCommit,
      let moved = uncertainCommit.cursors.first(where: { $0.position != $0.start }),
      (try? self.store?.consumed(lane: Int64(moved.lane.number))) == moved.position
    else { return nil }
    progress = uncertainCommit.progress
    hasFailed = false
    unwrittenTroubles = []
    for cursor in uncertainCommit.cursors {
      cursor.lane.tail.pointee.store(cursor.position, ordering: .releasing)
    }
    commits += 1
    return uncertainCommit.pending
  }
}

// MARK: - Rows

extension RingWriter {
  private mutating func insert(
    _ load: Load, _ pending: RecorderRegistry.Pending, into store: RecordingStore
  ) throws(StoreError) {
    for key in pending.keys { try store.insert(key) }
    for item in pending.items { try store.insert(item) }
    try insertLanes(into: store)
    if let past = load.past {
      var cursor = LaneCursor(passing: past.start, count: past.count, like: cursors[0].lane)
      _ = try insert(&cursor, until: .max, into: store)
    }
    for loss in pending.losses {
      try store.insert(loss, sequence: progress.losses)
      progress.losses += 1
      progress.counts.lost += loss.count
    }
    for trouble in unwrittenTroubles { try insert(trouble, into: store) }
    for cursor in cursors where cursor.position != cursor.start {
      try store.setConsumed(cursor.position, lane: Int64(cursor.lane.number))
    }
  }

  private mutating func insert(
    _ trouble: RecordingTrouble, into store: RecordingStore
  ) throws(StoreError) {
    let event = TimelineEvent(
      time: progress.latest, kind: .warning,
      fields: ["code": trouble.code, "message": trouble.message])
    try store.insert(JournalEvent(event), sequence: progress.counts.events)
    progress.counts.events += 1
  }

  /// Goes through the lanes by the time of their records, so that rows come in the order of the session's
  /// time where it is the same thread's or not. A thread that took turns at the first lane before it had its
  /// own has its rows there first.
  private mutating func insertLanes(into store: RecordingStore) throws(StoreError) {
    while true {
      var earliest = -1
      var time = Int64.max
      var next = Int64.max
      var isAnyWaiting = false
      for index in cursors.indices where !cursors[index].isAtEnd {
        if index > 0, cursors[0].position < cursors[index].lane.firstLaneHead {
          isAnyWaiting = true
          continue
        }
        if earliest < 0 || cursors[index].time < time {
          next = time
          time = cursors[index].time
          earliest = index
        } else {
          next = min(next, cursors[index].time)
        }
      }
      guard earliest >= 0 else { return }
      var cursor = cursors[earliest]
      let end = isAnyWaiting ? time : next
      let hasMoved = try insert(&cursor, until: end, into: store)
      cursors[earliest] = cursor
      // A frame whose forerunner is not in yet waits, and its lane with it, for the next transaction.
      if !hasMoved { cursors[earliest].stop() }
    }
  }

  private mutating func close(
    _ end: SessionEnd, in store: RecordingStore
  ) throws(StoreError) {
    var summaries: [KeySummary] = []
    for summary in progress.keySummaries {
      if progress.ranBackwards(summary.key), let read = try store.summary(of: summary.key) {
        summaries.append(read)
      } else {
        summaries.append(summary)
      }
    }
    try store.close(
      at: end.time ?? progress.latest, outcome: store.lastOutcome(end.outcome),
      counts: progress.counts, summaries: summaries, items: progress.itemSummaries)
  }
}

/// How a session ends, as far as its caller says. `nil`: as its records say. A decision, and an event that ended the last
/// transition, are believed before the caller.
struct SessionEnd {
  var time: Instant?
  var outcome: SessionOutcome?
}
