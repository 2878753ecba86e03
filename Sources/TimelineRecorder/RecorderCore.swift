public import Synchronization
import TimelineModel
import TimelineStore

/// The state that a recorder's callers and its writer share: the lanes, the names, and their file.
///
/// Locks are taken in this order, and none is held while an app is called: `shared`, `writer`, `lanes`,
/// `registry`. Values and poses take none of them while there is room in their thread's lane.
@usableFromInline
final class RecorderCore: Sendable {
  /// Under ``RecordingPolicy/wait``, the knowledge of the next transaction.
  struct Batch {
    /// The session's time of the first row in it.
    var start: Int64?
    /// Whether it spans a commit's age by now.
    var isCutDue = false
    /// Whether the last commit failed. Then nobody waits for the disk before the next cut is due.
    var hasFailed = false
  }

  /// The lanes so far, and the file that they lie in.
  struct LaneSet {
    let journal: CrashJournal
    var hot: [UnsafeMutablePointer<HotLane>]
  }

  let policy: RecordingPolicy
  let settings: RecorderSettings
  let salt: UInt64
  let path: String
  let session: Int64
  let uuid: String
  let onTrouble: (@Sendable (RecordingTrouble) -> Void)?

  @usableFromInline let threadLanes: ThreadLanes
  /// Counts losses where a kill leaves them. Used under the lock `registry`.
  let lossCounter: JournalLossCounter
  @usableFromInline let keyCount = Atomic<UInt32>(0)
  let itemCount = Atomic<UInt32>(0)
  /// Whether everything that comes is ignored: the recorder has finished, or this is a forked child.
  let isOff = Atomic(false)
  let isForkedChild = Atomic(false)
  let isSuspended = Atomic(false)
  let areLanesUsedUp = Atomic(false)
  /// Whether something was recorded that a power cut must not take back.
  let isUrgent = Atomic(false)
  /// The thread that opened the newest frame.
  let frameThread = Atomic<UInt>(0)
  let isWriterCalled = Atomic(false)
  let hasPendingTroubles = Atomic(false)
  /// The descriptor that a forked child has to close. -1 for none.
  let journalDescriptor: Atomic<Int32>
  let logDescriptor: Atomic<Int32>

  // Addresses that never change. The shared lane is used under the lock `shared`, the frames by one
  // thread at a time.
  nonisolated(unsafe) let sharedLane: UnsafeMutablePointer<HotLane>
  nonisolated(unsafe) let frames: UnsafeMutablePointer<FrameFolding>

  let shared = Locked(Batch())
  let writer: Locked<RingWriter>
  let lanes: Locked<LaneSet>
  let registry = Locked(RecorderRegistry())
  let pendingTroubles = Locked<[RecordingTrouble]>([])
  let thread = Locked<WriterThread?>(nil)

  /// Makes the shared lane and takes the store over.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the crash journal cannot be made.
  init(
    store: sending RecordingStore, uuid: String, policy: RecordingPolicy,
    settings: RecorderSettings, onTrouble: (@Sendable (RecordingTrouble) -> Void)?
  ) throws(StoreError) {
    let journal = try CrashJournal(
      recording: store.filePath, session: store.session, uuid: uuid,
      laneWords: settings.ringBytes / 8, laneCount: settings.ringCount)
    guard let lane = journal.addLane() else {
      journal.remove()
      throw .noSpaceForJournal(store.path, journal: journal.path)
    }
    self.policy = policy
    self.settings = settings
    self.onTrouble = onTrouble
    path = store.path
    session = store.session
    self.uuid = uuid
    salt = journal.header.salt
    lossCounter = journal.lossCounter
    journalDescriptor = Atomic(journal.lockDescriptor)
    logDescriptor = Atomic(store.lockDescriptor)
    sharedLane = RecorderCore.makeHotLane(lane, salt: journal.header.salt, settings)
    threadLanes = ThreadLanes(lanes: settings.ringCount, unused: sharedLane)
    frames = .allocate(capacity: 1)
    frames.initialize(to: FrameFolding())
    frames.pointee.keyFrameRows = settings.limit.keyFrameRows
    lanes = Locked(LaneSet(journal: journal, hot: [sharedLane]))
    writer = Locked(RingWriter(store, policy: policy, settings: settings))
    ForkedChild.watch(self)
  }

  deinit {
    ForkedChild.forget(self)
    lanes.withLock { set in
      for lane in set.hot {
        lane.pointee.names.free()
        UnsafeMutableRawPointer(lane).deallocate()
      }
    }
    frames.pointee.free()
    frames.deallocate()
    threadLanes.free()
  }

  /// Two cache lines of 64 bytes, which are fetched together: no two lanes share one.
  private static let laneAlignment = 128

  static func makeHotLane(
    _ lane: JournalLane, salt: UInt64, _ settings: RecorderSettings
  ) -> UnsafeMutablePointer<HotLane> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(MemoryLayout<HotLane>.size, laneAlignment), alignment: laneAlignment)
    let hot = memory.bindMemory(to: HotLane.self, capacity: 1)
    hot.initialize(
      to: HotLane(lane, salt: salt, reservedWords: UInt64(max(0, settings.reservedBytes) / 8)))
    hot.pointee.setLimit()
    return hot
  }

  /// In a forked child: nothing of this recorder is to be touched again.
  func switchOffInChild() {
    isForkedChild.store(true, ordering: .relaxed)
    isOff.store(true, ordering: .relaxed)
    threadLanes.forgetAll()
    // The locks on these files end when no process has them open any more, the child included.
    FileDescriptor.close(journalDescriptor.load(ordering: .relaxed))
    FileDescriptor.close(logDescriptor.load(ordering: .relaxed))
  }
}

extension RecorderCore {
  /// Takes a report of a contact in.
  func record(_ touch: TouchSample) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard touch.position.isFinite else {
      return warnOnce(
        "nonFinite", "A touch's position is not finite and was left out.", of: "touch",
        at: touch.time)
    }
    store(.touch(touch), .touch, at: touch.time, isReserved: false)
  }

  /// Takes an event in.
  ///
  /// - Parameter isImportant: Whether a power cut must not take it back: it is committed at once, and the
  ///   commit waits for the disk.
  func record(_ event: TimelineEvent, isImportant: Bool) {
    guard !isOff.load(ordering: .relaxed) else { return }
    store(
      .event(JournalEvent(event)), .event, at: event.time, isReserved: true,
      isUrgent: isImportant || event.kind == .decision)
  }

  func record(_ decision: ReleaseDecision) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard decision.threshold.isFinite, decision.progress.isFinite else {
      return warnOnce(
        "nonFinite", "A decision has a number that is not finite and was left out.",
        of: "decision", at: decision.time)
    }
    var kept = decision
    RecorderCore.leaveOutNotFinite(ReleaseDecision.numbers, of: &kept)
    store(.decision(kept), .decision, at: kept.time, isReserved: true, isUrgent: true)
  }

  /// Takes in the estimates of one key at a release.
  func record(_ estimate: ReleaseEstimate) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard estimate.key != LeftOutName.key else {
      return loseNameless(at: estimate.time)
    }
    requireIssued(estimate.key)
    guard estimate.value.isFinite else {
      return warnOnce(
        "nonFinite", "An estimate's value is not finite and was left out.", of: "estimate",
        at: estimate.time)
    }
    var kept = estimate
    kept.estimate.sampleCount = Int(Int32(clamping: max(0, estimate.estimate.sampleCount)))
    RecorderCore.leaveOutNotFinite(ReleaseEstimate.numbers, of: &kept)
    store(.estimate(kept), .estimate, at: kept.time, isReserved: true)
  }

  /// A number that is not finite is as good as none where none is allowed.
  private static func leaveOutNotFinite<Record>(
    _ numbers: [NumberField<Record>], of record: inout Record
  ) {
    for number in numbers where record[keyPath: number.path]?.isFinite == false {
      record[keyPath: number.path] = nil
    }
  }

  private func store(
    _ record: JournalRecord, _ what: LossRecord.What, at time: Instant, isReserved: Bool,
    isUrgent: Bool = false
  ) {
    let words = record.unchecked
    let claim = Claim(words: words.count, what: what, time: time, isReserved: isReserved)
    guard words.count <= JournalFormat.longestRecord else { return lose(claim) }
    let isStored = append(claim) { lane in
      lane.pointee.store(words, record.kind)
      return words.count
    }
    if isUrgent, isStored {
      self.isUrgent.store(true, ordering: .releasing)
      callWriter()
    }
    deliverPendingTroubles()
  }
}
