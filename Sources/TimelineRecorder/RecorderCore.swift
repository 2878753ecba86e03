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
