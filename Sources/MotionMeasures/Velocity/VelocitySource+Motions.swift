import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore

extension VelocitySource {
  /// The motion of every key, contact and attribute that is asked about.
  ///
  /// - Parameter take: Takes each of them. Nothing is returned then.
  func motions(
    _ tracks: [KeyHandle: [Sample]], of release: VelocityReport.Release, _ progress: [Answer],
    givingAway take: Taker?
  ) throws -> [VelocityReport.Motion] {
    var kept: [VelocityReport.Motion] = []
    func add(_ motions: [VelocityReport.Motion]) throws {
      guard let take else {
        kept += motions
        return
      }
      for motion in motions { try take(release, motion) }
    }
    let isCancelled = isCancelled(release.decision, at: release.time)
    // How long the display gives a frame is a setting, which does not move.
    for key in data.keys
    where question.keyNames?.contains(key.name)
      ?? (key.name != Frames.displayIntervalKey && !ElementErrors.describes(key.name))
    {
      let samples = tracks[key.handle] ?? []
      // A key that was released without ever being set stands where the live side found it.
      let live = release.transition.flatMap { recorded[$0]?[key.handle] }
      let released = live?.time == release.time ? live : nil
      if let released, released.estimate.estimator == .settle {
        try add([VelocityReport.Motion(.key(key), asReleased: released)])
        continue
      }
      guard let value = samples.last?.value ?? released?.value else { continue }
      let known = key == progressKey && !progress.isEmpty ? progress : nil
      let pointsPerUnit = pointsPerUnit(of: key, at: release.decision)
      let motions = try estimators.enumerated().map { index, estimator in
        let decision = release.decisions.first {
          $0.estimator == estimator
        }
        let outcome = outcome(of: release, decision: decision)
        var motion = motion(
          .key(key), samples: samples, value: value, by: estimator, at: release.time,
          isCancelled: isCancelled, pointsPerUnit: pointsPerUnit, known?[index])
        if !question.isBrief, let outcome,
          let target = target(of: key, outcome: outcome, release: release)
        {
          motion.settle(
            to: target,
            by: rest(of: release, decision: decision, outcome: outcome),
            samples: samples)
          if question.settle == nil {
            motion.settleTimeSeconds = try source.reader.settleSeconds(
              of: key.handle, after: release.decision, in: session, motion.settleTimeSeconds)
          }
        }
        return motion
      }
      try add(motions)
    }
    try add(contactMotions(at: release.time))
    for subject in question.values {
      try add(computedMotions(of: subject, at: release.time))
    }
    for (item, attribute, samples) in try attributeTracks(upTo: release.time) {
      try add(
        estimators.map { estimator in
          motion(
            .item(item, attribute: attribute), samples: samples,
            value: samples[samples.count - 1].value, by: estimator, at: release.time,
            pointsPerUnit: VelocitySource.lengths.contains(attribute) ? 1 : nil)
        })
    }
    return kept
  }

  /// The motion of every contact that is asked about and was down, axis after axis. Reads no samples of keys.
  func contactMotions(at time: Instant) -> [VelocityReport.Motion] {
    var motions: [VelocityReport.Motion] = []
    let down = question.contacts == [] ? [] : data.contacts.down(at: time)
    for contact in down where question.contacts?.contains(contact.number) ?? true {
      for axis in FingerAxis.allCases { motions += self.motions(of: contact, axis, at: time) }
    }
    return motions
  }

  /// The motion of a contact along an axis. Nothing of one that was not down.
  private func motions(
    of contact: Contact, _ axis: FingerAxis, at time: Instant
  ) -> [VelocityReport.Motion] {
    guard let track = contact.track(at: time) else { return [] }
    let samples = axis == .x ? track.x : track.y
    return estimators.map { estimator in
      motion(
        .pointer(contact: contact.number, axis: axis.rawValue), samples: samples,
        resampled: track.resampled, value: samples[samples.count - 1].value, by: estimator,
        at: time, isCancelled: contact.isCancelled && contact.lift == time,
        isFinger: true, seen: contact.lift == time ? contact.earliestLift : nil,
        pointsPerUnit: EstimationWindow.points(of: touchUnit))
    }
  }

  /// The motion of a finger, or of a key of the viewport, that is asked about by its name.
  private func computedMotions(
    of subject: MotionSubject, at time: Instant
  ) throws -> [VelocityReport.Motion] {
    switch subject {
    case .finger(let axis, let number):
      return data.contacts.finger(at: time, number: number).map {
        motions(of: $0, axis, at: time)
      } ?? []
    case .key:
      var motions: [VelocityReport.Motion] = []
      try data.tracks.forEach(of: [subject], from: source) { key in
        let samples = zip(key.curve.times, key.curve.values).prefix { $0.0 <= time }
          .map(Sample.init)
        guard key.record.isOfViewport, let value = samples.last?.value else { return }
        motions += estimators.map {
          motion(
            .key(key.record), samples: samples, value: value, by: $0, at: time, pointsPerUnit: 1)
        }
      }
      return motions
    default: return []
    }
  }

  /// Which end the settle goes to: the one decided for, or the one that a rule is asked about.
  private func outcome(
    of release: VelocityReport.Release, decision: ReleaseRule.Decision?
  ) -> ReleaseOutcome? {
    !question.asksRule
      ? release.decision?.outcome ?? decision?.outcome
      : decision?.outcome
  }

  /// How the rest settles: a timing curve takes the time that the progress has left, for every key.
  private func rest(
    of release: VelocityReport.Release, decision: ReleaseRule.Decision?,
    outcome: ReleaseOutcome
  ) -> SettleParameters {
    guard let progress = release.decision?.progress ?? decision?.progress else {
      return settle
    }
    return settle.forRest(progress: progress, outcome: outcome)
  }

  /// Where the key's settle goes. What was not released that way has no recorded target, but for the
  /// progress.
  private func target(
    of key: KeyRecord, outcome: ReleaseOutcome, release: VelocityReport.Release
  ) -> Double? {
    guard let transition = release.transition else { return nil }
    if key.role == .progress { return outcome == .finish ? 1 : 0 }
    guard decided[transition] == outcome else { return nil }
    return recorded[transition]?[key.handle]?.target
  }

  private func motion(
    _ subject: VelocityReport.Subject, samples: [Sample], resampled: [Bool] = [], value: Double,
    by estimator: Estimator, at lift: Instant, isCancelled: Bool = false,
    isFinger: Bool = false, seen: Instant? = nil, pointsPerUnit: Double?, _ known: Answer? = nil
  ) -> VelocityReport.Motion {
    // What is not estimated is not counted.
    let answer =
      isCancelled
      ? nil
      : known
        ?? answer(
          samples, resampled: resampled, by: estimator, at: lift, pointsPerUnit: pointsPerUnit)
    return VelocityReport.Motion(
      subject, samples: samples, resampled: resampled, value: value, by: estimator, at: lift,
      window: window(for: estimator, pointsPerUnit: pointsPerUnit), explains: question.explains,
      isCancelled: isCancelled, isFinger: isFinger, seen: seen, known: answer)
  }

  /// Asks an estimator about samples: the one place where it is done.
  func answer(
    _ samples: [Sample], resampled: [Bool] = [], by estimator: Estimator, at lift: Instant,
    pointsPerUnit: Double?
  ) -> Answer {
    asked.value += 1
    return estimator.answer(
      samples, resampled: resampled, lift: lift,
      window: window(for: estimator, pointsPerUnit: pointsPerUnit))
  }
}

extension RecordingReader {
  /// Seconds until the settle of a key is over: by the spring that the session was recorded with, or else until the
  /// last settling sample before anything drives it again. `nil` where neither is known.
  ///
  /// - Parameter computed: What the session's settle comes to, which counts only where one was recorded.
  package func settleSeconds(
    of key: KeyHandle?, after release: ReleaseRecord?, in session: SessionRecord,
    _ computed: Double?
  ) throws -> Double? {
    guard let key, let release else { return nil }
    if session.description.settle != nil, let computed { return computed }
    var last: Instant?
    let rows = try samples(
      of: key, in: session.number, from: release.time...Instant(nanoseconds: .max))
    while let row = try rows.next(), row.sample.time == release.time || row.phase != .driving {
      if row.phase == .settling { last = row.sample.time }
    }
    return last?.seconds(since: release.time)
  }
}
