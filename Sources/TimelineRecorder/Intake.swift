import TimelineModel
import TimelineStore

/// What callers give to a recorder until it is written: numbers the keys and elements, folds poses
/// that did not change, and keeps within the limits.
struct Intake {
  private struct KeyName: Hashable {
    var name: String
    var role: KeyRole
  }

  let policy: RecordingPolicy
  let limits: RecordingLimits
  var batch = Batch()
  /// An emptied batch whose memory can be used again.
  var spare = Batch()
  /// false once the recorder has finished; what comes later is ignored.
  private(set) var isOpen = true
  /// Once writing has failed nothing more is taken in, only counted.
  var hasFailed = false
  var losses = LossTally()
  var folding = FrameFolding()
  /// Under ``RecordingPolicy/live``, whether somebody is on the way to write the batch.
  var isTimerSet = false
  var isWriterCalled = false

  private var keys: [KeyName: KeyHandle] = [:]
  private var keyNames: [String] = []
  private var hasWarnedOfKey: [Bool] = []
  private var items: [ElementIdentity: ItemHandle] = [:]
  private var warnings: Set<String> = []
  /// The first instant in the batch.
  private var batchStart: Int64?
  private var isTimeForCut = false

  init(policy: RecordingPolicy, limits: RecordingLimits) {
    self.policy = policy
    self.limits = limits
  }

  // MARK: Names

  mutating func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    let full = KeyName(name: name, role: role)
    if let known = keys[full] { return known }
    let handle = KeyHandle(rawValue: Int32(keys.count))
    keys[full] = handle
    keyNames.append(name)
    hasWarnedOfKey.append(false)
    if isOpen {
      batch.keys.append(KeyRecord(handle: handle, name: name, role: role, unit: unit))
    }
    return handle
  }

  mutating func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    if let known = items[identity] { return known }
    let handle = ItemHandle(rawValue: Int32(items.count))
    items[identity] = handle
    folding.addItem()
    if isOpen { batch.items.append(ItemRecord(handle: handle, identity: identity)) }
    return handle
  }

  // MARK: Values

  mutating func take(_ value: Double, for key: KeyHandle, at time: Instant, phase: Phase) {
    precondition(
      keyNames.indices.contains(Int(key.rawValue)),
      "This key's number was not given out by this recorder; ask keyHandle(for:role:unit:) for it.")
    guard isOpen else { return }
    guard value.isFinite else {
      if !hasWarnedOfKey[Int(key.rawValue)] {
        hasWarnedOfKey[Int(key.rawValue)] = true
        let name = keyNames[Int(key.rawValue)]
        warn(
          "nonFinite", "A value of the key '\(name)' is not a finite number and was left out.",
          at: time, Field("key", .text(name)))
      }
      return
    }
    guard hasRoom(for: 1) else { return losses.add(.sample, key: key, at: time) }
    batch.samples.append(
      Batch.Value(time: time.nanoseconds, value: value, key: key.rawValue, phase: phase))
    note(time)
  }

  mutating func take(_ touch: TouchSample) {
    guard isOpen else { return }
    guard touch.position.isFinite else {
      return warnOnce(
        "nonFinite", "A touch's place is not finite and was left out.", of: "touch", at: touch.time)
    }
    guard hasRoom(for: 1) else { return losses.add(.touch, at: touch.time) }
    batch.touches.append(touch)
    note(touch.time)
  }

  mutating func take(_ event: Event) {
    guard isOpen else { return }
    guard hasRoom(for: 1, reserved: true) else { return losses.add(.event, at: event.time) }
    batch.events.append(event)
    if event.kind == .decision { batch.isDurable = true }
    note(event.time)
  }

  mutating func take(_ decision: ReleaseDecision) {
    guard isOpen else { return }
    guard decision.threshold.isFinite, decision.progress.isFinite else {
      return warnOnce(
        "nonFinite", "A decision holds a number that is not finite and was left out.",
        of: "decision", at: decision.time)
    }
    guard hasRoom(for: 1, reserved: true) else { return losses.add(.decision, at: decision.time) }
    var kept = decision
    kept.progressVelocity = finite(decision.progressVelocity)
    kept.progressStandardError = finite(decision.progressStandardError)
    kept.marginProgress = finite(decision.marginProgress)
    kept.marginVelocity = finite(decision.marginVelocity)
    kept.marginThreshold = finite(decision.marginThreshold)
    kept.marginSigma = finite(decision.marginSigma)
    kept.flipVelocity = finite(decision.flipVelocity)
    kept.flipProgress = finite(decision.flipProgress)
    kept.projectedProgress = finite(decision.projectedProgress)
    batch.decisions.append(kept)
    batch.isDurable = true
    note(decision.time)
  }

  mutating func take(_ estimate: ReleaseEstimate) {
    guard isOpen else { return }
    guard estimate.value.isFinite else {
      return warnOnce(
        "nonFinite", "An estimate's value is not finite and was left out.", of: "estimate",
        at: estimate.time)
    }
    guard hasRoom(for: 1, reserved: true) else { return losses.add(.estimate, at: estimate.time) }
    var kept = estimate
    kept.estimate.velocity = finite(estimate.estimate.velocity)
    kept.estimate.low = finite(estimate.estimate.low)
    kept.estimate.high = finite(estimate.estimate.high)
    kept.estimate.standardError = finite(estimate.estimate.standardError)
    kept.estimate.leaveOneOutLow = finite(estimate.estimate.leaveOneOutLow)
    kept.estimate.leaveOneOutHigh = finite(estimate.estimate.leaveOneOutHigh)
    kept.estimate.confidence = finite(estimate.estimate.confidence)
    kept.estimate.clampedVelocity = finite(estimate.estimate.clampedVelocity)
    kept.target = finite(estimate.target)
    kept.remaining = finite(estimate.remaining)
    kept.relativeVelocity = finite(estimate.relativeVelocity)
    kept.settleTimeSeconds = finite(estimate.settleTimeSeconds)
    batch.estimates.append(kept)
    note(estimate.time)
  }

  /// A number that is not finite is as good as none where none is allowed.
  private func finite(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite ? $0 : nil }
  }

  // MARK: Warnings

  mutating func warn(_ code: String, _ message: String, at time: Instant, _ fields: Field...) {
    take(
      Event(
        time: time, kind: .warning,
        fields: [Field("code", .text(code)), Field("message", .text(message))] + fields))
  }

  /// Warns the first time that something is wrong with a sort of thing.
  mutating func warnOnce(_ code: String, _ message: String, of subject: String, at time: Instant) {
    guard warnings.insert(code + " " + subject).inserted else { return }
    warn(code, message, at: time)
  }

  // MARK: Limits

  /// Whether so many rows more may be taken in.
  func hasRoom(for rows: Int, reserved: Bool = false) -> Bool {
    if hasFailed { return false }
    switch policy {
    case .wait: return true
    case .live:
      return batch.rowCount + rows <= limits.liveRows + (reserved ? limits.reservedRows : 0)
    }
  }

  /// Remembers how much of the session's time the batch spans.
  mutating func note(_ time: Instant) {
    guard let start = batchStart else {
      batchStart = time.nanoseconds
      return
    }
    let distance = time.nanoseconds(since: Instant(nanoseconds: start))
    if distance >= limits.commitNanoseconds || distance <= -limits.commitNanoseconds {
      isTimeForCut = true
    }
  }

  /// Under ``RecordingPolicy/wait``, whether the caller has to write the batch now.
  var isCutDue: Bool { isTimeForCut || batch.rowCount >= limits.waitRows }

  /// Hands the rows over, with what was lost since the last time.
  mutating func takeBatch() -> Batch {
    isTimerSet = false
    isWriterCalled = false
    batchStart = nil
    isTimeForCut = false
    var taken = Batch()
    swap(&taken, &spare)
    swap(&taken, &batch)
    taken.losses = losses.take()
    return taken
  }

  /// Takes nothing more in; an open frame is closed first.
  mutating func close() {
    endFrame()
    isOpen = false
  }
}
