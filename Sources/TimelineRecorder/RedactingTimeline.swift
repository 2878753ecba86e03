import Synchronization
public import TimelineModel

/// Passes a timeline on without what a redaction leaves out.
///
/// ```swift
/// let redaction = Redaction(leavesOutTouches: true, hashesItems: true, salt: secret)
/// let recorder = try Recorder(
///   path: "run.kymo", session: redaction.redacted(description), policy: .live)
/// let sink = RedactingTimeline(redaction, into: recorder)
/// ```
///
/// Names of elements are replaced as they are interned, so poses and values cost nothing more. May be
/// used from several threads as far as what it passes on to may.
public final class RedactingTimeline<Target: TimelineSink & Sendable>: TimelineSink, Sendable {
  private let redaction: Redaction
  private let target: Target
  private let names: Mutex<RedactedNames>

  /// Makes a sink in front of another.
  public init(_ redaction: Redaction, into target: Target) {
    self.redaction = redaction
    self.target = target
    names = Mutex(RedactedNames(redaction))
  }

  /// The number of a key.
  public func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    target.keyHandle(for: name, role: role, unit: unit)
  }

  /// The number of an element, whose name is replaced.
  public func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    guard redaction.hashesItems else { return target.itemHandle(for: identity) }
    var hidden = identity
    hidden.id = names.withLock { $0.replacement(of: identity.id) }
    return target.itemHandle(for: hidden)
  }

  /// Keeps one value of a key.
  public func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: Phase) {
    target.record(value, for: key, at: time, phase: phase)
  }

  /// Opens a frame.
  public func beginFrame(_ state: FrameState) { target.beginFrame(state) }

  /// Keeps one element's pose.
  public func record(_ pose: Pose, of item: ItemHandle, at indexPath: IndexPath) {
    target.record(pose, of: item, at: indexPath)
  }

  /// Closes the frame.
  public func endFrame() { target.endFrame() }

  /// Keeps a report of a contact, unless touches are left out.
  public func record(_ touch: TouchSample) {
    if !redaction.leavesOutTouches { target.record(touch) }
  }

  /// Keeps an event; names of elements in it are replaced.
  public func record(_ event: Event) {
    guard redaction.hashesItems else { return target.record(event) }
    let fields = names.withLock { names in
      event.fields.map { Field($0.name, names.redacted($0.value)) }
    }
    target.record(Event(time: event.time, kind: event.kind, fields: fields))
  }

  /// Keeps a release decision.
  public func record(_ decision: ReleaseDecision) { target.record(decision) }

  /// Keeps what was estimated for one key at a release.
  public func record(_ estimate: ReleaseEstimate) { target.record(estimate) }
}
