// Dispatch is a library of its own beside Foundation, on Linux and on Apple systems, and the only one
// of the choices that brings a timer: a serial queue is the writer's thread, and nothing of it is
// there under the policy `wait`. A pthread would need a second clock for its timed wait on each
// system; a Task gives no promise when it runs.
import Dispatch
import Synchronization
public import TimelineModel
public import TimelineStore

/// Records one session into a file: the sink that an engine or an app writes into.
///
/// ```swift
/// let recorder = try Recorder(
///   path: "run.kymo", session: SessionDescription(software: "my app 1.0", clock: "app"),
///   policy: .live)
/// let speed = recorder.keyHandle(for: "speed", role: .custom, unit: "pt/s")
/// recorder.record(12.5, for: speed, at: Instant(nanoseconds: 8_333_333), phase: .driving)
/// try recorder.finish(at: Instant(nanoseconds: 16_666_667), outcome: .none)
/// ```
///
/// It may be used from several threads; the frames of a session belong to one of them at a time. Its
/// memory is bounded: by the limits of ``RecordingPolicy``, and by the name of each key and the name
/// and one pose of each element, so use the same names again. A recorder that is let go without
/// ``finish(at:outcome:)``, or killed, leaves a recording with all that was committed and without
/// the clean-close mark.
public final class Recorder: TimelineSink, Sendable {
  /// What happens when the disk is slower than the caller.
  public let policy: RecordingPolicy
  /// Position of the session in the file, counted from 1.
  public let session: Int64
  /// The session's identity.
  public let uuid: String

  // The writer's lock is always taken before the intake's. Callers take the intake's alone, for as
  // long as it takes to append a row.
  private let writer: Mutex<BatchWriter>
  private let intake: Mutex<Intake>
  private let limits: RecordingLimits
  private let queue: DispatchQueue?
  private let onFailure: (@Sendable (StoreError) -> Void)?

  /// Opens or makes a recording and begins a session at its end.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. A session is added to a recording that is there.
  ///   - session: What is known of the session. A missing uuid is made at random, a missing wall
  ///     clock is read.
  ///   - policy: What happens when the disk is slower than the caller.
  ///   - onFailure: Called once, when writing fails for the first time, on the thread that wrote.
  ///     From then on nothing is kept; ``finish(at:outcome:)`` throws the same error.
  /// - Throws: ``TimelineStore/StoreError``: the file cannot be made or written, is not a
  ///   recording, comes from a newer program, or is being recorded by another recorder.
  public convenience init(
    path: String, session: SessionDescription, policy: RecordingPolicy,
    onFailure: (@Sendable (StoreError) -> Void)? = nil
  ) throws(StoreError) {
    try self.init(
      path: path, session: session, policy: policy, limits: RecordingLimits(),
      onFailure: onFailure)
  }

  /// The same with other limits, as tests want them.
  package init(
    path: String, session: SessionDescription, policy: RecordingPolicy, limits: RecordingLimits,
    onFailure: (@Sendable (StoreError) -> Void)? = nil
  ) throws(StoreError) {
    var description = session
    let uuid = session.uuid ?? SessionIdentity.randomUUID()
    description.uuid = uuid
    description.wallClockStartNanoseconds =
      session.wallClockStartNanoseconds ?? SessionIdentity.wallClockNanoseconds()
    let store = try RecordingStore(path: path, description: description, uuid: uuid)
    self.policy = policy
    self.session = store.session
    self.uuid = uuid
    self.limits = limits
    self.onFailure = onFailure
    queue = policy == .live ? DispatchQueue(label: "Kymograph recorder") : nil
    writer = Mutex(BatchWriter(store, policy: policy, limits: limits))
    intake = Mutex(Intake(policy: policy, limits: limits))
  }

  deinit {
    // Nobody else can hold the recorder now; what it still has is written, unless it has finished.
    writeBatch()
  }

  /// Ends the session: writes what is left, the summary of each key and the clean-close mark, and
  /// makes one file of the recording. Whatever is recorded afterwards is ignored.
  ///
  /// Waits for the disk, also under ``RecordingPolicy/live``.
  ///
  /// - Parameters:
  ///   - end: The last instant of the session.
  ///   - outcome: How it ended.
  /// - Throws: ``TimelineStore/StoreError``: writing failed now or earlier, or the recorder has
  ///   finished before.
  public func finish(at end: Instant, outcome: SessionOutcome) throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in
      let batch = intake.withLock { intake in
        intake.close()
        return intake.takeBatch()
      }
      try writer.finish(batch, at: end, outcome: outcome)
    }
  }
}

// MARK: - Writing

extension Recorder {
  /// What a caller has to do after it has given something.
  private enum Call {
    case nothing
    case write
    case callWriter
    case setTimer
  }

  /// Lets the intake take something in, and sees to it that it is written in time.
  private func give<Result: Sendable>(_ take: (inout Intake) -> Result) -> Result {
    let (result, call) = intake.withLock { intake -> (Result, Call) in
      let result = take(&intake)
      return (result, duty(after: &intake))
    }
    switch call {
    case .nothing: break
    case .write: writeBatch()
    case .callWriter: queue?.async { self.writeBatch() }
    case .setTimer:
      // The queue keeps the recorder alive until the batch is written.
      queue?.asyncAfter(deadline: .now() + .nanoseconds(Int(limits.commitNanoseconds))) {
        self.writeBatch()
      }
    }
    return result
  }

  private func duty(after intake: inout Intake) -> Call {
    guard intake.isOpen else { return .nothing }
    switch policy {
    case .wait: return intake.isCutDue ? .write : .nothing
    case .live:
      let isUrgent = intake.batch.isDurable || intake.batch.rowCount >= limits.liveRows / 2
      if isUrgent, !intake.isWriterCalled {
        intake.isWriterCalled = true
        return .callWriter
      }
      if !intake.isTimerSet, !intake.isWriterCalled {
        intake.isTimerSet = true
        return .setTimer
      }
      return .nothing
    }
  }

  /// Writes what has been taken in so far, on the caller's thread.
  package func writeBatch() {
    let failure = writer.withLock { writer -> StoreError? in
      // After a failure everything stays where it is until the end of the session.
      guard !writer.isClosed, writer.failure == nil else { return nil }
      var batch = intake.withLock { $0.takeBatch() }
      let failure = writer.write(batch)
      batch.removeAll()
      let emptied = batch
      intake.withLock { intake in
        intake.spare = emptied
        if failure != nil { intake.hasFailed = true }
      }
      return failure
    }
    if let failure { onFailure?(failure) }
  }

  /// Runs a piece of work while the writer can write nothing, as tests of a slow disk want it.
  package func withWriterHeld(_ work: () -> Void) {
    writer.withLock { _ in work() }
  }
}

// MARK: - The sink

extension Recorder {
  /// The number of a key; the same name and role give the same number.
  public func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    give { $0.keyHandle(for: name, role: role, unit: unit) }
  }

  /// The number of an element; the same identity gives the same number.
  public func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    give { $0.itemHandle(for: identity) }
  }

  /// Keeps one value of a key.
  public func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: Phase) {
    give { $0.take(value, for: key, at: time, phase: phase) }
  }

  /// Opens a frame of the display; one that is still open is closed first.
  public func beginFrame(_ state: FrameState) {
    give { $0.beginFrame(state) }
  }

  /// Keeps one element's pose in the open frame; a later pose of the same element replaces it.
  public func record(_ pose: Pose, of item: ItemHandle, at indexPath: IndexPath) {
    give { $0.take(pose, of: item, at: indexPath) }
  }

  /// Closes the frame.
  public func endFrame() {
    give { $0.endFrame() }
  }

  /// Keeps one report of a contact.
  public func record(_ touch: TouchSample) {
    give { $0.take(touch) }
  }

  /// Keeps an event.
  public func record(_ event: Event) {
    give { $0.take(event) }
  }

  /// Keeps a release decision.
  public func record(_ decision: ReleaseDecision) {
    give { $0.take(decision) }
  }

  /// Keeps what was estimated for one key at a release.
  public func record(_ estimate: ReleaseEstimate) {
    give { $0.take(estimate) }
  }
}
