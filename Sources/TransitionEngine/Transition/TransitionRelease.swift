import MotionPhysics
import TimelineModel

/// The release of a transition: estimates every velocity, decides between finish and cancel, and makes the
/// settle of the rest. Records all of it, and changes nothing but the keys that went on by themselves.
struct TransitionRelease {
  let number: Int
  let layout: TransitionLayout
  let settle: SettleParameters
  let release: ReleaseParameters
  /// How many points progress 1 stands for where the rule does not say, the width of the viewport.
  let distance: Double
  /// No settle is shorter.
  let fewestSeconds: Double
  let progressKey: KeyHandle
  let log: EventLog

  /// How the rest runs from the clock's `now` on. Where the system took a contact away nothing has a
  /// velocity, but for keys that went on by themselves.
  ///
  /// - Parameters:
  ///   - outcome: The requested outcome. `nil` asks the rule.
  ///   - decidedBy: Who asked, for the record.
  func settle(as outcome: ReleaseOutcome?, decidedBy: DecisionSource) -> Settle {
    let lift = log.clock.now
    // The motion that goes on from the transition before has moved since the last frame.
    _ = layout.advanceCoasting(at: lift)
    let progress = layout.progress
    let isCancelled = decidedBy == .touch
    func velocity(of history: [Sample], pointsPerUnit: Double?) -> VelocityEstimate {
      isCancelled
        ? release.estimator.ofCancelledContact
        : release.estimator.estimate(
          history, lift: lift, window: release.window.measuring(pointsPerUnit: pointsPerUnit))
    }
    var rule = release.rule
    rule.distance = rule.distance ?? distance
    let estimate = velocity(of: layout.progressHistory, pointsPerUnit: rule.knownPoints)
    let asked = rule.question(
      about: layout.progressHistory, at: lift, progress: progress, estimate: estimate)
    let decision = ReleaseDecision(
      by: rule, transition: number, time: lift, progress: asked.progress,
      estimate: asked.estimate, outcome: outcome, decidedBy: decidedBy)
    let outcome = decision.outcome
    log.record(
      outcome == .finish ? .finish : .cancel, ["transition": number, "progress": progress])
    record(decision, by: rule)

    let rest = settle.forRest(progress: progress, outcome: outcome)
    // A motion that ran to the end of its time comes to rest with it.
    let isTimed = decidedBy == .time
    let progressMotion = motion(
      of: progressKey, layout.progressHistory, value: progress, estimate: estimate,
      target: outcome == .finish ? 1 : 0, velocity: isTimed ? 0 : nil, by: rest)
    var duration = isTimed ? 0 : progressMotion?.settlingTimeSeconds() ?? 0
    var keys: [(number: Int, motion: Settle.Motion)] = []
    var settles = [described(progressKeyName, progressMotion)]
    for (number, key) in layout.keys.enumerated() {
      guard let value = key.value, let handle = key.handle else { continue }
      let estimate =
        key.coast.map {
          VelocityEstimate(
            estimator: .settle, velocity: $0.velocity(at: lift), sampleCount: 0)
        } ?? velocity(of: key.history, pointsPerUnit: EstimationWindow.points(of: key.unit))
      let motion = motion(
        of: handle, key.history, value: value, estimate: estimate, target: key.target(outcome),
        by: rest)
      layout.keys[number].coast = nil
      settles.append(described(key.name, motion))
      guard let motion else { continue }
      keys.append((number, .settle(motion)))
      duration = max(duration, motion.settlingTimeSeconds())
    }
    duration = cutOff(duration)
    record(seconds: duration, keys: settles)
    return Settle(
      start: lift, outcome: outcome,
      progress: progressMotion.map(Settle.Motion.settle)
        ?? .timed(from: progress, to: progress, seconds: 1, easing: .linear),
      keys: keys, durationSeconds: duration)
  }

  /// How a settle goes on that turns to the other end, with the velocities of the moment.
  func turned(_ settle: Settle, to outcome: ReleaseOutcome) -> Settle {
    let now = log.clock.now
    let elapsed = now.seconds(since: settle.start)
    let progress = settle.progress.value(atSeconds: elapsed)
    let velocity = settle.progress.velocity(atSeconds: elapsed)
    log.record(
      .retarget,
      [
        "transition": number, "outcome": outcome.rawValue, "progress": progress,
        "progressVelocity": velocity,
      ])
    let rest = self.settle.forRest(progress: progress, outcome: outcome)
    let motion = RestOfWay(
      rest, from: progress, to: outcome == .finish ? 1 : 0, velocity: velocity,
      samples: layout.progressHistory
    ).motion
    var turned = Settle(
      start: now, outcome: outcome, progress: .settle(motion), keys: [],
      durationSeconds: motion.settlingTimeSeconds())
    var fields = [described(progressKeyName, motion)]
    for (number, old) in settle.keys {
      guard let target = layout.keys[number].target(outcome) else { continue }
      let motion = RestOfWay(
        rest, from: old.value(atSeconds: elapsed), to: target,
        velocity: old.velocity(atSeconds: elapsed), samples: layout.keys[number].history
      ).motion
      turned.keys.append((number, .settle(motion)))
      fields.append(described(layout.keys[number].name, motion))
      turned.durationSeconds = max(turned.durationSeconds, motion.settlingTimeSeconds())
    }
    turned.durationSeconds = cutOff(turned.durationSeconds)
    record(seconds: turned.durationSeconds, keys: fields)
    return turned
  }

  /// A settle's duration in seconds, cut off with a warning where it would hardly end.
  private func cutOff(_ duration: Double) -> Double {
    let duration = max(duration, fewestSeconds)
    if duration <= longestSettleSeconds { return duration }
    log.warn(
      "settle-cut",
      "The settle would take \(duration) s. It is cut off after \(longestSettleSeconds) s.")
    return longestSettleSeconds
  }

  /// Records the estimate of one key. Returns how it settles, nil for a key that stays.
  ///
  /// - Parameter velocity: The velocity that it settles with in place of the estimate's velocity.
  private func motion(
    of key: KeyHandle, _ samples: [Sample], value: Double, estimate: VelocityEstimate,
    target: Double?, velocity: Double? = nil, by rest: SettleParameters
  ) -> SettleMotion? {
    func way(to target: Double, _ velocity: Double?) -> RestOfWay {
      RestOfWay(rest, from: value, to: target, velocity: velocity, samples: samples)
    }
    let known = target.map { way(to: $0, estimate.velocityPerSecond) }
    let motion = velocity == nil ? known?.motion : target.map { way(to: $0, velocity).motion }
    log.sink.record(
      ReleaseEstimate(
        transition: number, time: log.clock.now, key: key, value: value,
        estimate: estimate, target: target, remaining: known?.remaining,
        relativeVelocity: known?.relativeVelocity,
        settleTimeSeconds: motion?.settlingTimeSeconds()))
    return motion
  }

  private func record(_ decision: ReleaseDecision, by rule: ReleaseRule) {
    log.record(
      .decision,
      decision.row.filter { $0.name != "ruleParameters" }
        + EventField.list(["ruleParameters": FieldValue.object(rule.fields)]))
    log.sink.record(decision)
  }

  private func record(seconds: Double, keys: [FieldValue]) {
    log.record(
      .settle,
      EventField.list(["transition": number]) + settle.fields
        + EventField.list([TimelineEvent.settleTime: seconds, "keys": FieldValue.list(keys)]))
  }

  private func described(_ name: String, _ motion: SettleMotion?) -> FieldValue {
    .object(named: [
      "key": name, "target": motion?.to, TimelineEvent.settleTime: motion?.settlingTimeSeconds(),
    ])
  }
}
