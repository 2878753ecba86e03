public import Synchronization
public import TimelineModel
public import TimelineStore

extension RecorderCore {
  @inline(__always)
  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    if !store(value, for: key, at: time, phase: phase) {
      recordSlowly(value, for: key, at: time, phase: phase)
    }
  }

  /// Without a call: stores a finite value of a known key into the calling thread's lane.
  ///
  /// - Returns: false where something of this is not given, or there is no room. Then nothing is stored,
  ///   and ``recordSlowly(_:for:at:phase:)`` knows more.
  @inlinable @inline(__always)
  func store(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) -> Bool {
    let thread = CallingThread.number
    let entry = threadLanes.likelyEntry(of: thread)
    guard entry.pointee.thread.load(ordering: .relaxed) == thread, RecorderCore.isFinite(value),
      UInt32(bitPattern: key.rawValue) < keyCount.load(ordering: .relaxed),
      entry.pointee.lane.pointee.hasSpaceForSample
    else { return false }
    entry.pointee.lane.pointee.storeSample(
      lead: RecorderCore.lead(key, phase), time: UInt64(bitPattern: time.nanoseconds),
      value: value.bitPattern)
    return true
  }

  @inlinable @inline(__always)
  static func isFinite(_ value: Double) -> Bool {
    // An exponent of all ones belongs to infinities and NaNs.
    value.bitPattern & 0x7ff0_0000_0000_0000 != 0x7ff0_0000_0000_0000
  }

  @inlinable @inline(__always)
  static func lead(_ key: KeyHandle, _ phase: MotionPhase) -> UInt32 {
    JournalCheck.sampleLead(UInt32(bitPattern: key.rawValue) << 2 | phase.code)
  }

  /// Takes a value in, whatever stands in its way.
  @inline(never)
  func recordSlowly(
    _ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase
  ) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard key != LeftOutName.key else { return loseNameless(at: time) }
    requireIssued(key)
    precondition(
      UInt32(bitPattern: key.rawValue) <= JournalFormat.largestKey,
      "A session has at most \(JournalFormat.largestKey) keys. Use the same names again.")
    guard RecorderCore.isFinite(value) else { return warnOfKey(key, at: time) }
    let claim = Claim(
      words: JournalFormat.sampleWords, what: .sample, key: key, time: time)
    append(claim) { lane in
      let destination = lane.pointee.next
      destination[0] = JournalCheck.firstWord(
        ofSample: RecorderCore.lead(key, phase), UInt64(bitPattern: time.nanoseconds),
        value.bitPattern, at: lane.pointee.head, salt: lane.pointee.salt)
      destination[1] = UInt64(bitPattern: time.nanoseconds)
      destination[2] = value.bitPattern
      return JournalFormat.sampleWords
    }
    deliverPendingTroubles()
  }

  /// Traps for a number that no key of this recorder has.
  func requireIssued(_ key: KeyHandle) {
    precondition(
      UInt32(bitPattern: key.rawValue) < keyCount.load(ordering: .acquiring),
      "This key's number does not come from this recorder. Get it from keyHandle(for:role:unit:).")
  }

  private func warnOfKey(_ key: KeyHandle, at time: Instant) {
    let name = registry.withLock { registry in
      registry.isFirst("nonFinite", of: "key \(key.rawValue)") ? registry.name(of: key) : nil
    }
    guard let name else { return }
    warn(
      "nonFinite", "A value of the key '\(name)' is not a finite number and was left out.",
      at: time, key: name)
  }
}

// MARK: - Warnings

extension RecorderCore {
  /// Keeps a warning event.
  func warn(_ code: String, _ message: String, at time: Instant, key: String? = nil) {
    record(
      TimelineEvent(
        time: time, kind: .warning,
        fields: EventField.known(["code": code, "message": message, "key": key])),
      isImportant: false)
  }

  /// Warns the first time that something is wrong with a sort of thing.
  func warnOnce(_ code: String, _ message: String, of subject: String, at time: Instant) {
    if registry.withLock({ $0.isFirst(code, of: subject) }) { warn(code, message, at: time) }
  }
}
