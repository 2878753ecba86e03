import Synchronization
public import TimelineModel
public import TimelineStore

/// Records one session into a file: the sink that an engine or an app writes into.
///
/// ```swift
/// let recorder = try Recorder(path: "run.kymo")
/// let speed = recorder.key("speed", unit: "pt/s")
/// speed.record(12.5)
/// try recorder.finish()
/// ```
///
/// You may use it from several threads, but give the frames of a session from one thread at a time. A call
/// stores its record in the ring of its thread. The rings are in a file beside the recording, `NAME-crashN`,
/// which survives a kill of the process. The next program that opens the recording for writing moves their
/// records into it. Under ``RecordingPolicy/live`` a thread of the recorder moves the rings' content into the
/// database, and a value costs no lock and no allocation.
///
/// ``RecorderSettings`` limit its memory. In addition it keeps the name of each key, and the name and one
/// pose of each element, so use the same names again. A recorder that is released without
/// ``finish(at:outcome:)`` leaves a recording with all its records, but without the clean-close mark. In a
/// child process made by `fork` it does nothing. Do not call it from signal handlers.
public final class Recorder: TimelineSink, Sendable {
  /// Position of the session in the file, counted from 1.
  public let session: Int64
  /// The session's identity.
  public let uuid: String
  /// The sizes and times of the recorder.
  package let settings: RecorderSettings

  @usableFromInline let core: RecorderCore
  private let start: Int64

  /// Opens or creates a recording, and begins a session at its end.
  ///
  /// - Parameters:
  ///   - path: The file, whose folder must exist. An existing recording gets one more session.
  ///   - session: The description of the session, by default the program's name. The recorder makes a missing
  ///     uuid at random, and reads a missing wall clock.
  ///   - policy: The policy for a disk that is slower than the caller. By default the caller never waits.
  ///   - settings: The sizes and times of the recorder.
  ///   - onTrouble: Called once when a trouble begins: on the thread that writes, or under
  ///     ``RecordingPolicy/wait`` on the caller's thread.
  /// - Throws: ``TimelineStore/StoreError``: the file cannot be created or written, is not a recording, or
  ///   comes from a newer program. Or another recorder has the file, even if it is suspended.
  public init(
    path: String, session: SessionDescription = SessionDescription(),
    policy: RecordingPolicy = .live,
    settings: RecorderSettings = RecorderSettings(),
    onTrouble: (@Sendable (RecordingTrouble) -> Void)? = nil
  ) throws(StoreError) {
    var description = session
    let uuid = session.uuid ?? SessionIdentity.randomUUID()
    description.uuid = uuid
    description.wallClockStartNanoseconds =
      session.wallClockStartNanoseconds ?? SessionIdentity.wallClockNanoseconds()
    (core, self.session) = try withoutFileSizeSignal { () throws(StoreError) in
      let store = try RecordingStore(
        path: path, description: description, uuid: uuid, precision: settings.precision)
      if policy == .live { store.setBusyTimeout(milliseconds: settings.busyMilliseconds) }
      let number = store.session
      let core = try RecorderCore(
        store: store, uuid: uuid, policy: policy, settings: settings, onTrouble: onTrouble)
      return (core, number)
    }
    self.uuid = uuid
    self.settings = settings
    start = MonotonicClock.nanoseconds
    if policy == .live, !core.startWriting() {
      core.abandon()
      throw .noWriterThread(path)
    }
  }

  deinit { core.abandon() }

  /// Ends the session. It writes the remaining records, the summaries of keys and elements and the
  /// clean-close mark, and makes one file of the recording. Later records are ignored.
  ///
  /// It waits for the disk, also under ``RecordingPolicy/live``. It waits at most 5 seconds for a program that reads an
  /// older state of the file.
  ///
  /// - Parameters:
  ///   - end: The last instant of the session.
  ///   - outcome: The outcome of the session, if neither a decision nor an event of its last transition has
  ///     one.
  /// - Throws: ``TimelineStore/StoreError``: the end cannot be written, for example on a full disk. Nothing
  ///   is lost, and you may call it again when there is room. Until then the recorder keeps the file. It also
  ///   throws if the recorder has finished before, or with the code `suspended` if it is suspended. The code
  ///   `logInUse` means that the recording is complete, but only together with the file `NAME-wal` next to it,
  ///   because a program still reads an older state.
  public func finish(at end: Instant, outcome: SessionOutcome) throws(StoreError) {
    try core.finish(at: end, outcome: outcome)
  }

  /// Ends the session like ``finish(at:outcome:)``. The default end is the time of its latest record. The
  /// outcome is that of its last transition, or ``TimelineModel/SessionOutcome/none`` without a transition.
  public func finish(at end: Instant? = nil) throws(StoreError) {
    try core.finish(at: end, outcome: nil)
  }

  /// Closes the file, which an app must do before the system suspends it. It commits and waits for the disk,
  /// moves the log into the database, closes the file and releases every lock. Records until ``resume()``
  /// stay in the rings.
  ///
  /// As long as the process lives, no other recorder can take the file, because the records in the rings
  /// still belong to it.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the commit failed. The file is closed nevertheless, and the
  ///   records that were not committed stay in the rings.
  public func suspend() throws(StoreError) { try core.suspend() }

  /// Opens the file again after ``suspend()`` and continues the session.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the file or the crash journal was replaced, or cannot be opened.
  ///   You may try it again.
  public func resume() throws(StoreError) { try core.resume() }

  /// The session's time now, in nanoseconds since the recorder was made. A reading costs about 25 ns, so read
  /// it once for a frame and pass it to the calls of the frame.
  public var now: Instant { Instant(nanoseconds: MonotonicClock.nanoseconds - start) }

  /// The reading of the monotonic clock at the session's zero, in nanoseconds.
  package var origin: Int64 { start }

  /// Writes the records so far, on the caller's thread, as tests and benchmarks want it.
  package func writeBatch() {
    core.drain()
    core.deliverPendingTroubles()
  }

  /// Writes the records so far, on the caller's thread, and waits until the disk has them and all that
  /// was written before.
  package func sync() {
    core.drain(urgent: true)
    core.deliverPendingTroubles()
  }

  /// Lets the next commit wait for the disk, whatever else is written by it.
  package func makeNextCommitDurable() { core.isUrgent.store(true, ordering: .relaxed) }

  /// Runs a piece of work while the writer can write nothing, as tests of a slow disk want it.
  package func withWriterHeld<Failure: Error>(
    _ work: () throws(Failure) -> Void
  ) throws(Failure) {
    try core.writer.withLock { _ throws(Failure) in try work() }
  }
}

// Values by the name of their key. A name is looked up in the calling thread's own table. Role and unit
// count when the name is given for the first time.

extension Recorder {
  /// A key, which records its values. The same name and role give the same key.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  /// - Complexity: takes a lock, so call it once for each key.
  public func key(_ name: String, role: KeyRole = .custom, unit: String = "1") -> RecorderKey {
    RecorderKey(keyHandle(for: name, role: role, unit: unit), of: self)
  }

  /// Keeps one value of a key with a literal name. The recorder finds the key's number by the address of the
  /// name.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - name: The key's name.
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: The phase of the session.
  public func record(
    _ value: Double, for name: StaticString, role: KeyRole = .custom, unit: StaticString = "1",
    at time: Instant, phase: MotionPhase = .idle
  ) {
    core.record(
      value, for: core.key(literal: name, role: role, unit: unit), at: time, phase: phase)
  }

  /// Keeps one value of a key by its name.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - name: The key's name.
  ///   - role: The sort of the key.
  ///   - unit: The unit of its values ("pt", "1" for none), kept from the first call.
  ///   - time: The instant.
  ///   - phase: The phase of the session.
  /// - Complexity: O(n) in the name's length, without a lock and memory after the thread's first call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    at time: Instant, phase: MotionPhase = .idle
  ) {
    core.record(
      value, for: core.key(named: name, role: role, unit: unit), at: time, phase: phase)
  }

  /// Keeps one value of a key at the time of the call, ``now``.
  public func record(_ value: Double, for key: KeyHandle, phase: MotionPhase = .idle) {
    core.record(value, for: key, at: now, phase: phase)
  }

  /// Keeps one value of a key with a literal name, at the time of the call.
  public func record(
    _ value: Double, for name: StaticString, role: KeyRole = .custom, unit: StaticString = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }

  /// Keeps one value of a key by its name, at the time of the call.
  @_disfavoredOverload
  public func record(
    _ value: Double, for name: String, role: KeyRole = .custom, unit: String = "1",
    phase: MotionPhase = .idle
  ) {
    record(value, for: name, role: role, unit: unit, at: now, phase: phase)
  }
}

extension Recorder {
  /// The number of a key. The same name and role give the same number. The call takes a lock, so make it
  /// once, outside of the frame loop.
  public func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    core.keyHandle(for: name, role: role, unit: unit)
  }

  /// The number of an element. The same identity gives the same number. The call takes a lock, so make it
  /// once.
  public func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    core.itemHandle(for: identity)
  }

  /// Keeps one value of a key.
  ///
  /// - Complexity: O(1). Under ``RecordingPolicy/live`` it takes some nanoseconds, without a lock, memory or
  ///   a call of the system.
  @inlinable
  public func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    if core.store(value, for: key, at: time, phase: phase) { return }
    recordSlowly(value, for: key, at: time, phase: phase)
  }

  // The rare ways are functions of this type too: they are called last and with the arguments as they
  // came, so that the usual ways need not put anything aside.

  @inline(never) @usableFromInline
  func recordSlowly(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    core.recordSlowly(value, for: key, at: time, phase: phase)
  }

  @inline(never)
  private func recordSlowly(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    core.recordSlowly(pose, of: item, at: indexPath)
  }

  /// Opens a frame of the display. A frame that is still open is closed first.
  public func beginFrame(_ state: FrameState) {
    core.beginFrame(state)
  }

  /// Keeps one element's pose in the open frame. A later pose of the same element replaces it.
  ///
  /// - Complexity: O(1), no lock and no memory beyond the element's first pose.
  public func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    if core.frames.pointee.setUpright(pose, indexPath, of: item) { return }
    recordSlowly(pose, of: item, at: indexPath)
  }

  /// Closes the frame. The whole frame is stored when this returns. A frame that does not fit is lost as a
  /// whole.
  public func endFrame() {
    core.endFrame()
  }

  /// Keeps one report of a contact.
  public func record(_ touch: TouchSample) {
    core.record(touch)
  }

  /// Keeps an event. A decision is committed at once, and the commit waits for the disk.
  public func record(_ event: TimelineEvent) {
    core.record(event, isImportant: false)
  }

  /// Keeps an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - isImportant: Whether it must survive a power cut. It is then committed at once, with all earlier
  ///     records, and the commit waits for the disk.
  public func record(_ event: TimelineEvent, isImportant: Bool) {
    core.record(event, isImportant: isImportant)
  }

  /// Keeps a release decision.
  public func record(_ decision: ReleaseDecision) {
    core.record(decision)
  }

  /// Keeps the estimate of one key at a release. A number of samples is limited to 0 to 2^31 - 1. A number
  /// that is not finite is kept as missing.
  public func record(_ estimate: ReleaseEstimate) {
    core.record(estimate)
  }
}
