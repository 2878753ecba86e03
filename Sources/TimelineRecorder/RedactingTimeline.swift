public import TimelineModel

/// Passes a timeline on without the parts that a redaction leaves out.
///
/// ```swift
/// let redaction = Redaction(leavesOutTouches: true, hashesItems: true, salt: secret)
/// let recorder = try Recorder(path: "run.kymo", session: redaction.redacted(description))
/// let sink = recorder.redacting(redaction)
/// ```
///
/// Names are replaced as they are interned, so poses and values cost nothing more. An event costs a hash, some
/// microseconds, for each text that is not the engine's own. May be used from several threads as far as what it
/// passes on to may.
package final class RedactingTimeline<Target: TimelineSink & Sendable>: TimelineSink, Sendable {
  private let redaction: Redaction
  private let target: Target
  /// Names of keys and elements, which are few and asked for often, and their replacements.
  private let names = Locked<[String: String]>([:])

  /// Makes a sink in front of another.
  package init(_ redaction: Redaction, into target: Target) {
    self.redaction = redaction
    self.target = target
  }

  private func hidden(_ name: String, as kind: Redaction.TextKind) -> String {
    guard redaction.hashesItems else { return name }
    return names.withLock { names in
      // An element may be named as a key is.
      let known = (kind == .key ? "k" : "n") + name
      if let hidden = names[known] { return hidden }
      let hidden = redaction.redacted(name, as: kind)
      names[known] = hidden
      return hidden
    }
  }

  /// The number of a key, whose name is replaced where it is not the engine's own.
  package func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    target.keyHandle(
      for: hidden(name, as: .key), role: role, unit: redaction.redacted(unit, as: .word))
  }

  /// The number of an element, whose name is replaced.
  package func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    var kept = identity
    kept.id = hidden(identity.id, as: .name)
    kept.elementKind = identity.elementKind.map { redaction.redacted($0, as: .word) }
    return target.itemHandle(for: kept)
  }

  /// Keeps one value of a key.
  package func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    target.record(value, for: key, at: time, phase: phase)
  }

  /// Opens a frame.
  package func beginFrame(_ state: FrameState) { target.beginFrame(state) }

  /// Keeps one element's pose.
  package func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    target.record(pose, of: item, at: indexPath)
  }

  package func endFrame() { target.endFrame() }

  /// Keeps a report of a contact, unless touches are left out.
  package func record(_ touch: TouchSample) {
    if !redaction.leavesOutTouches { target.record(touch) }
  }

  /// Keeps an event. Parts that the redaction leaves out are replaced in it.
  package func record(_ event: TimelineEvent) { target.record(redaction.redacted(event)) }

  /// Keeps a release decision. Parts that are not the engine's own are replaced in it.
  package func record(_ decision: ReleaseDecision) {
    var kept = decision
    kept.decidedBy = redaction.redacted(decision.decidedBy)
    kept.rule = redaction.redacted(decision.rule)
    kept.ruleParameters = decision.ruleParameters.map { redaction.redacted($0, as: .fields) }
    target.record(kept)
  }

  /// Keeps the estimates of one key at a release. Parts that are not the engine's own are replaced in it.
  package func record(_ estimate: ReleaseEstimate) {
    var kept = estimate
    kept.estimate.estimator = redaction.redacted(estimate.estimate.estimator)
    kept.estimate.chosen = estimate.estimate.chosen.map { redaction.redacted($0, as: .word) }
    target.record(kept)
  }
}

extension Recorder {
  /// A sink that passes a timeline on to this recorder without the parts that a redaction leaves out.
  ///
  /// Names are replaced as they are interned, so poses and values cost nothing more. An event costs a hash, some
  /// microseconds, for each text that is not the engine's own. The session's description is redacted apart from
  /// it, by ``TimelineModel/Redaction/redacted(_:)``.
  public func redacting(_ redaction: Redaction) -> any TimelineSink & Sendable {
    RedactingTimeline(redaction, into: self)
  }
}
