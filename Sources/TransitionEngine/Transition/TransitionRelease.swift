import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// Lets the rest of the transition run to the new layout; its completion then installs it.
  ///
  /// While one settles ``reentry`` decides: `retarget` turns a settle round, and `queue` lets the call wait
  /// with the last transition that was started and not released, also while another one runs by its time.
  ///
  /// - Throws: `notInTransition` when no transition is being driven, also while one settles unless the
  ///   policy says otherwise. Nothing has changed then.
  public func finishInteractiveTransition() throws(TransitionError) {
    try release(as: .finish, decidedBy: "script")
  }

  /// Lets the rest of the transition run back to the old layout; its completion then installs it.
  ///
  /// While one settles ``reentry`` decides: `retarget` turns a settle round, and `queue` lets the call wait
  /// with the last transition that was started and not released, also while another one runs by its time.
  ///
  /// - Throws: `notInTransition` when no transition is being driven, also while one settles unless the
  ///   policy says otherwise. Nothing has changed then.
  public func cancelInteractiveTransition() throws(TransitionError) {
    try release(as: .cancel, decidedBy: "script")
  }

  /// Lets the release rule decide between finish and cancel, at the lift of a finger.
  ///
  /// - Returns: What the rule decided; nil when that waits.
  /// While one settles ``reentry`` decides: `retarget` turns a settle round, and `queue` lets the call wait
  /// with the last transition that was started and not released, also while another one runs by its time.
  ///
  /// - Throws: `notInTransition` when no transition is being driven, also while one settles unless the
  ///   policy says otherwise. Nothing has changed then.
  @discardableResult
  public func releaseInteractiveTransition() throws(TransitionError) -> ReleaseOutcome? {
    try release(as: nil, decidedBy: "rule")
  }

  /// Estimates every velocity, decides, and begins the settle, all at the clock's `now`. Where the system
  /// took a contact away nothing has a velocity, but for keys that went on by themselves.
  ///
  /// - Parameters:
  ///   - outcome: What was asked for; nil asks the rule.
  ///   - decidedBy: Who asked, for the record.
  @discardableResult
  func release(
    as outcome: ReleaseOutcome?, decidedBy: String
  ) throws(TransitionError) -> ReleaseOutcome? {
    if state == .settling || runsByTime && decidedBy != CollectionView.decidedByTime {
      if releaseWaiting(as: outcome, decidedBy: decidedBy) { return outcome }
      if reentry == .retarget, state == .settling, let outcome {
        turn(to: outcome)
        return outcome
      }
    }
    guard let active = transition, state == .driving else {
      let what = outcome?.rawValue ?? "release"
      throw notInTransition(what.prefix(1).uppercased() + what.dropFirst())
    }
    let lift = clock.now
    let layout = active.layout
    // What runs on from the transition before has moved since the last frame.
    _ = layout.advanceCoasting(at: lift)
    let progress = layout.progress
    let isCancelled = decidedBy == ReleaseDecision.decidedByTouch
    func velocity(of history: [Sample]) -> VelocityEstimate {
      isCancelled
        ? release.estimator.ofCancelledContact
        : release.estimator.estimate(history, lift: lift, window: release.window)
    }
    let estimate = velocity(of: layout.progressHistory)
    let rule = ruleInUse
    let decision = ReleaseDecision(
      by: rule, transition: active.number, time: lift, progress: progress, estimate: estimate,
      outcome: outcome, decidedBy: decidedBy)
    let outcome = decision.outcome
    recordEvent(
      outcome == .finish ? .finish : .cancel,
      [
        Field("transition", .integer(Int64(active.number))), Field("progress", .number(progress)),
      ])
    record(decision, by: rule)

    let rest = settle.forRest(progress: progress, outcome: outcome)
    // What ran to the end of its time comes to rest with it.
    let isTimed = decidedBy == CollectionView.decidedByTime
    let progressMotion = motion(
      of: progressKey, value: progress, estimate: estimate, target: outcome == .finish ? 1 : 0,
      velocity: isTimed ? 0 : nil, by: rest)
    var duration = isTimed ? 0 : progressMotion?.settlingTimeSeconds() ?? 0
    var keys: [(number: Int, motion: Settle.Motion)] = []
    var settles = [settleField(progressKeyName, progressMotion)]
    for (number, key) in layout.keys.enumerated() {
      guard let value = key.value, let handle = key.handle else { continue }
      let estimate =
        key.coast.map {
          VelocityEstimate(
            estimator: VelocityEstimate.ofSettle, velocity: $0.velocity(at: lift), sampleCount: 0)
        } ?? velocity(of: key.history)
      let motion = motion(
        of: handle, value: value, estimate: estimate, target: key.target(outcome), by: rest)
      layout.keys[number].coast = nil
      settles.append(settleField(key.name, motion))
      guard let motion else { continue }
      keys.append((number, .settle(motion)))
      duration = max(duration, motion.settlingTimeSeconds())
    }
    duration = cutOff(max(duration, secondsOfTakingOver))
    recordSettle(active.number, seconds: duration, keys: settles)
    beginSettling(
      Settle(
        start: lift, outcome: outcome,
        progress: progressMotion.map(Settle.Motion.settle)
          ?? .timed(from: progress, to: progress, seconds: 1, easing: .linear),
        keys: keys, durationSeconds: duration))
    return outcome
  }

  func notInTransition(_ what: String) -> TransitionError {
    refused(
      .notInTransition,
      "\(what) was asked for, but no transition is being driven (\(state.rawValue)); start one first."
    )
  }

  /// A settle's duration in seconds, cut off with a warning where it would hardly end.
  func cutOff(_ duration: Double) -> Double {
    if duration <= CollectionView.longestSettleSeconds { return duration }
    warn(
      "settle-cut",
      "The settle would take \(duration) s; it is cut off after \(CollectionView.longestSettleSeconds) s."
    )
    return CollectionView.longestSettleSeconds
  }

  /// Who decides at the end of a transition that runs by the time.
  static let decidedByTime = "time"

  func beginSettling(_ settle: Settle) {
    transition?.driver = nil
    transition?.settle = settle
    transition?.layout.link?.phase = .settling
    state = .settling
  }

  /// Records the estimate of one key; returns how it settles, nil for a key that stays.
  ///
  /// - Parameter velocity: What it settles with in place of the estimate's velocity.
  private func motion(
    of key: KeyHandle, value: Double, estimate: VelocityEstimate, target: Double?,
    velocity: Double? = nil, by rest: SettleParameters
  ) -> SettleMotion? {
    let motion = target.map {
      SettleMotion(rest, from: value, to: $0, velocity: velocity ?? estimate.velocity ?? 0)
    }
    let remaining = target.map { ($0 - value).isFinite ? $0 - value : 0 }
    sink.record(
      ReleaseEstimate(
        transition: transition?.number ?? 0, time: clock.now, key: key, value: value,
        estimate: estimate, target: target, remaining: remaining,
        relativeVelocity: remaining.flatMap {
          relativeVelocity(ofKnown: estimate.velocity, remaining: $0)
        },
        settleTimeSeconds: motion?.settlingTimeSeconds()))
    return motion
  }

  /// The release rule; where it does not know how many points progress 1 stands for, that is the width of
  /// the viewport.
  private var ruleInUse: ReleaseRule {
    var rule = release.rule
    rule.distance = rule.distance ?? viewport.width
    return rule
  }

  private func record(_ decision: ReleaseDecision, by rule: ReleaseRule) {
    recordEvent(
      .decision,
      [
        Field("transition", .integer(Int64(decision.transition))),
        Field("outcome", .text(decision.outcome.rawValue)),
        Field("decidedBy", .text(decision.decidedBy)), Field("rule", .text(decision.rule)),
        Field("ruleOutcome", .text(decision.ruleOutcome.rawValue)),
        Field("threshold", .number(decision.threshold)),
        Field("progress", .number(decision.progress)),
        Field("progressVelocity", FieldValue(decision.progressVelocity)),
        Field("marginProgress", FieldValue(decision.marginProgress)),
        Field("progressStandardError", FieldValue(decision.progressStandardError)),
        Field("marginVelocity", FieldValue(decision.marginVelocity)),
        Field("marginThreshold", FieldValue(decision.marginThreshold)),
        Field("marginSigma", FieldValue(decision.marginSigma)),
        Field("flipVelocity", FieldValue(decision.flipVelocity)),
        Field("flipProgress", FieldValue(decision.flipProgress)),
        Field("projectedProgress", FieldValue(decision.projectedProgress)),
        Field("ruleParameters", .object(rule.fields)),
      ])
    sink.record(decision)
  }

  func recordSettle(_ number: Int, seconds: Double, keys: [FieldValue]) {
    recordEvent(
      .settle,
      [Field("transition", .integer(Int64(number)))] + settle.fields
        + [Field("settleTime_s", .number(seconds)), Field("keys", .list(keys))])
  }

  func settleField(_ name: String, _ motion: SettleMotion?) -> FieldValue {
    .object([
      Field("key", .text(name)), Field("target", FieldValue(motion?.to)),
      Field("settleTime_s", FieldValue(motion?.settlingTimeSeconds())),
    ])
  }
}
