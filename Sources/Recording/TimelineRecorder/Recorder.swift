import Synchronization
public import TimelineModel
public import TimelineStore

/// Records one session into a file: the sink that an engine or an app writes into.
///
/// ```swift
/// let recorder = try Recorder(path: "run.kymo")
/// let speed = recorder.key("speed", unit: "pt/s")
/// recorder.record(12.5, for: speed)
/// try recorder.finish()
/// ```
///
/// It may be used from several threads; the frames of a session belong to one of them at a time. A call
/// stores what it was given into its thread's ring in a file beside the recording, `NAME-crashN`, which
/// outlives the process: what a call has recorded when the process is killed is folded into the
/// recording when it is next opened for writing. Under ``RecordingPolicy/live`` a thread of the
/// recorder's own moves the rings' content into the database; a value costs no lock and no allocation.
///
/// Its memory is bounded: by ``RecorderSettings``, and by the name of each key and the name and one pose
/// of each element, so use the same names again. A recorder that is let go without
/// ``finish(at:outcome:)`` leaves a recording with all that it was given and without the clean-close
/// mark. In a child process made by `fork` it does nothing. Not to be called from signal handlers.
public final class Recorder: TimelineSink, Sendable {
  /// Position of the session in the file, counted from 1.
  public let session: Int64
  /// The session's identity.
  public let uuid: String
  /// The sizes and times that it works by.
  package let settings: RecorderSettings

  @usableFromInline let core: RecorderCore
  private let start: Int64

  /// Opens or makes a recording and begins a session at its end.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. A session is added to a recording that is there.
  ///   - session: What is known of the session; by default the program's name. A missing uuid is made at
  ///     random, a missing wall clock is read.
  ///   - policy: What happens when the disk is slower than the caller; by default the caller never waits.
  ///   - settings: The sizes and times to work by.
  ///   - onTrouble: Called once each time that a trouble begins, on the thread that writes or, under
  ///     ``RecordingPolicy/wait``, on the caller's.
  /// - Throws: ``TimelineStore/StoreError``: the file cannot be made or written, is not a recording,
  ///   comes from a newer program, or is being recorded by another recorder, one that is suspended
  ///   included.
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
    let store = try RecordingStore(
      path: path, description: description, uuid: uuid, precision: settings.precision)
    if policy == .live { store.setBusyTimeout(milliseconds: settings.busyMilliseconds) }
    let number = store.session
    core = try RecorderCore(
      store: store, uuid: uuid, policy: policy, settings: settings, onTrouble: onTrouble)
    self.session = number
    self.uuid = uuid
    self.settings = settings
    start = MonotonicClock.nanoseconds
    if policy == .live, !core.startWriting() {
      core.abandon()
      throw .noWriterThread(path)
    }
  }

  deinit { core.abandon() }

  /// Ends the session: writes what is left, the summaries of keys and elements and the clean-close mark,
  /// and makes one file of the recording. Whatever is recorded afterwards is ignored.
  ///
  /// Waits for the disk, also under ``RecordingPolicy/live``.
  ///
  /// - Parameters:
  ///   - end: The last instant of the session.
  ///   - outcome: How it ended, where neither a decision nor an event of its last transition says it.
  /// - Throws: ``TimelineStore/StoreError``: the end cannot be written, on a full disk for one. Nothing is
  ///   lost, and it may be called again once there is room; until then, or until it is let go, the recorder
  ///   holds the file. Or the recorder has finished before, or is suspended.
  public func finish(at end: Instant, outcome: SessionOutcome) throws(StoreError) {
    try core.finish(at: end, outcome: outcome)
  }

  /// Ends the session with the time of its latest record, unless another one is given, and the outcome of its last
  /// transition, ``TimelineModel/SessionOutcome/none`` without one; see ``finish(at:outcome:)``.
  public func finish(at end: Instant? = nil) throws(StoreError) {
    try core.finish(at: end, outcome: nil)
  }

  /// Lets go of the file, as an app must that the system suspends: commits and waits for the disk, moves
  /// the log into the database, closes the file and gives up every lock. What is recorded until
  /// ``resume()`` stays in the rings.
  ///
  /// As long as the process lives no other recorder may take the file: it is refused, since the rows in
  /// the rings are still to come.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the commit failed. The file is let go all the same, and
  ///   what was not committed stays in the rings.
  public func suspend() throws(StoreError) { try core.suspend() }

  /// Opens the file again after ``suspend()`` and goes on with the session.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the file or the crash journal is no longer the recorder's
  ///   own, or cannot be opened. It may be tried again.
  public func resume() throws(StoreError) { try core.resume() }

  /// The session's time by the clock: nanoseconds since the recorder was made. A reading costs about
  /// 25 ns, so hand the frame's time to the calls of a frame rather than reading it for each.
  public var now: Instant { Instant(nanoseconds: MonotonicClock.nanoseconds - start) }

  /// Writes what has been recorded so far, on the caller's thread, as tests and benchmarks want it.
  package func writeBatch() {
    core.drain()
    core.deliverPendingTroubles()
  }

  /// Writes what has been recorded so far, on the caller's thread, and waits until the disk has it and all that
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
