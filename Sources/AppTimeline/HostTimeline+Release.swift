import MotionPhysics
import TimelineModel

/// A release that was asked for and not yet dated.
struct PendingRelease {
  var transition: Int
  var outcome: ReleaseOutcome
  /// When finish or cancel was asked for.
  var asked: Instant
  /// When the transition began.
  var start: Instant
  /// The progress then.
  var progress: Double?
  /// The rule that the app decided by.
  var rule: ReleaseRule?
}

extension HostTimeline {
  /// A lift belongs to a finish or cancel that was asked for this many nanoseconds after it, or a millisecond before
  /// it: what a reader derives releases by (`RecordingReader.releases(in:)`).
  static let liftSpan: ClosedRange<Int64> = -1_000_000...100_000_000

  /// Dates the release that waits and records its estimates, and its decision where the app has said its rule.
  ///
  /// With a rule that is done when the next frame is shown, since a lift may come after the call. Without one it is
  /// done as soon as it is clear how a reader will date it: by the last lift. Where no contact is recorded, by the
  /// last value before the rest, or the call where nothing rests.
  ///
  /// - Parameter isLast: Whether nothing more comes of this transition.
  func resolve(isLast: Bool) {
    guard let release = pending else { return }
    let landed = release.asked.advanced(byNanoseconds: -HostTimeline.liftSpan.lowerBound)
    let isDown = contacts.isAnyDown(landedBy: landed)
    let lift = isDown ? nil : contacts.lastLift(landedBy: landed, since: release.start)
    var time = release.asked
    if let lift {
      let wait = release.asked.nanoseconds(since: lift.lift)
      if HostTimeline.liftSpan ~= wait { time = lift.lift }
      // A reader does not believe in this release, and warns of it.
      if release.rule == nil, lift.isCancelled, release.outcome == .finish,
        wait >= HostTimeline.liftSpan.lowerBound
      {
        pending = nil
        return
      }
    } else if release.rule == nil {
      if isDown, !isLast { return }
      if !isDown {
        guard keys.settledFrom != nil || isLast else { return }
        time = min(lastDriven(in: release) ?? time, time)
      }
    }
    pending = nil
    record(release, at: time, isTakenAway: lift?.isCancelled ?? false)
    released = max(released, time)
    keys.forget(upTo: released)
  }

  /// The time of the last driven progress before the first settling one. `nil` where nothing settles.
  private func lastDriven(in release: PendingRelease) -> Instant? {
    guard let settled = keys.settledFrom, let index = keys.progressIndex else { return nil }
    return keys.all[index].driven.last { $0.time >= release.start && $0.time <= settled }?.time
  }

  /// Records the estimate of every key, and the decision.
  private func record(_ release: PendingRelease, at time: Instant, isTakenAway: Bool) {
    // If a rule is asked, the app's own decision does not count, unless the system took the contact away.
    let isByTouch = isTakenAway && release.outcome == .cancel
    let isCancelled =
      (release.rule == nil ? isTakenAway : isByTouch) || contacts.isCancellation(time)
    var progressEstimate = parameters.estimator.ofCancelledContact
    var progressSamples: [Sample] = []
    var ofProgress = release.rule ?? ReleaseRule()
    ofProgress.distance = ofProgress.distance ?? distance
    for (index, key) in keys.all.enumerated() {
      let samples = samples(of: key, at: time)
      guard let value = samples.last?.value else { continue }
      let estimate =
        isCancelled
        ? parameters.estimator.ofCancelledContact
        : parameters.estimator.estimate(
          samples, lift: time,
          window: parameters.window.measuring(
            pointsPerUnit: index == keys.progressIndex
              ? ofProgress.knownPoints : EstimationWindow.points(of: key.unit)))
      var record = ReleaseEstimate(
        transition: release.transition, time: time, key: key.handle, value: value,
        estimate: estimate, target: nil, remaining: nil, relativeVelocity: nil,
        settleTimeSeconds: nil)
      if index == keys.progressIndex {
        progressEstimate = estimate
        progressSamples = samples
        settle(&record, release, samples)
      }
      sink.record(record)
    }
    guard release.rule != nil else { return }
    let asked = ofProgress.question(
      about: progressSamples, at: time, progress: release.progress ?? 0,
      estimate: progressEstimate)
    sink.record(
      ReleaseDecision(
        by: ofProgress, transition: release.transition, time: time, progress: asked.progress,
        estimate: asked.estimate, outcome: release.outcome,
        decidedBy: isByTouch ? .touch : .app))
  }

  /// The values that a reader judges a release by: those after the release before, at most a minute old, and of a
  /// key that was silent for so long the last one.
  private func samples(of key: TrackedKey, at time: Instant) -> [Sample] {
    let all = key.driven.filter { $0.time > released && $0.time <= time }
    let oldest = time.advanced(byNanoseconds: -TrackedKeys.longestLook)
    let young = all.filter { $0.time >= oldest }
    guard young.isEmpty, let last = all.last else { return young }
    // Where a settle came after it, that is the last one, and no driver's.
    if let newest = key.newest, newest.isSettling, newest.time <= time { return [] }
    return [last]
  }

  /// Adds the distance to the target. How the value settles is the app's own, and no spring of it is known.
  private func settle(
    _ record: inout ReleaseEstimate, _ release: PendingRelease, _ samples: [Sample]
  ) {
    let target: Double = release.outcome == .finish ? 1 : 0
    let way = RestOfWay(
      SettleParameters(), from: record.value, to: target,
      velocity: record.estimate.velocityPerSecond, samples: samples)
    (record.target, record.remaining) = (target, way.remaining)
    record.relativeVelocity = way.relativeVelocity
  }
}
