public import TimelineModel

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
    if core.set(pose, of: item, at: indexPath) { return }
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
