import TimelineModel

/// How far the values of a source that is not in points go, for estimators that count in points of a finger.
private let pointsOfSource = 300.0

extension MotionSource {
  /// How a subject follows a source while that is down, or goes on when it is let go.
  ///
  /// A number passes or fails if its whole interval is on one side of its limit; otherwise it is undecided.
  func followings(_ rule: MotionExpectation) -> [Finding] {
    let sourceSubject: MotionSubject
    let deadZone: Double
    switch rule.demand {
    case .follows(let source, _, _, let zone, _, _): (sourceSubject, deadZone) = (source, zone)
    case .handsOver(let source, _, _): (sourceSubject, deadZone) = (source, 0)
    default: return []
    }
    guard let source = tracks(of: sourceSubject).first else { return [] }
    var found: [Finding] = []
    for track in rule.subjects.flatMap(tracks) {
      for window in windows(from: rule.from) {
        // A tap moves nothing.
        guard
          let drive = Drive(source, window, isFinger: isFinger(sourceSubject), beyond: deadZone)
        else { continue }
        if case .handsOver(_, let gain, let share) = rule.demand {
          guard let release = window.stretch.release else { continue }
          found.append(handOver(track, drive, release, until: window.end, gain: gain, share))
        } else {
          found += following(rule.demand, track, drive)
        }
      }
    }
    if found.isEmpty, rule.demand.kind == .handsOver, stretches.allSatisfy({ $0.release == nil }) {
      return [
        Finding(rule.subjects[0].text, "velocity", unknown: "there is no release in this session")
      ]
    }
    return found
  }

  private func isFinger(_ subject: MotionSubject) -> Bool {
    if case .finger = subject { return true }
    return false
  }

  private func following(
    _ demand: MotionExpectation.Demand, _ track: MotionTrack, _ drive: Drive
  ) -> [Finding] {
    guard case .follows(_, let gain, let tolerance, _, let limit, let within) = demand else {
      return []
    }
    let lagName = Measure.lag.rawValue
    let most = limit * 1000 + Double(halfFrame) / 1e6
    let fit: TimedFollow
    do throws(TooShortToTell) {
      fit = try drive.follow(by: track)
    } catch {
      // What stays where it is follows by nothing.
      guard error == .noMotion else {
        return [Finding(track.name, lagName, undecided: error.rawValue, limit: most)]
      }
      return [
        Finding(
          track.name, "gain", Estimated(0, low: 0, high: 0),
          within: (gain - tolerance)...(gain + tolerance), at: drive.onset)
      ]
    }
    let rms = named("rms", of: track)
    // What two points of the source come to.
    let left = within == nil ? 2 * abs(gain) : length(within, of: track, points: 2, share: 0)
    let worst = drive.instant(fit.worst)
    return [
      Finding(
        track.name, lagName, fit.lag.scaled(by: 1000), within: -Double.infinity...most,
        at: drive.onset),
      Finding(
        track.name, "gain", fit.gain, within: (gain - tolerance)...(gain + tolerance),
        at: drive.onset),
      left.map { Finding(track.name, rms, fit.rms, within: -Double.infinity...$0, at: worst) }
        ?? Finding(track.name, rms, unknown: otherUnit(track, "within")),
    ]
  }

  private func handOver(
    _ track: MotionTrack, _ drive: Drive, _ release: Instant, until end: Instant, gain: Double?,
    _ share: Double
  ) -> Finding {
    let measure = "kept_percent"
    do throws(TooShortToTell) {
      let gain = gain.map { Estimated($0, low: $0, high: $0) }
      let over = try drive.handOver(to: track, release, until: end, gain: gain)
      return Finding(
        track.name, measure, over.kept.scaled(by: 100),
        within: (100 * (1 - share))...(100 * (1 + share)), at: release,
        note: "it goes on at \(Verdict.short(over.speed.value)) \(track.unit)/s")
    } catch {
      return Finding(
        track.name, measure, undecided: error.rawValue, limit: 100 * (1 - share), at: release)
    }
  }
}

/// What a subject follows, from its landing to its lift.
private struct Drive {
  /// The source's values in points, from its dead zone on, at seconds from ``onset``.
  private let source: (times: [Double], values: [Double])
  private let exactness: TimedFollow.Exactness
  /// Points for a unit of the source.
  private let scale: Double
  /// When the source left its dead zone.
  let onset: Instant
  /// From when on frames are judged.
  private let start: Instant
  private let lift: Instant

  /// The source's part of a window; nil where it has no value in it, or does not leave its dead zone.
  init?(_ source: MotionTrack, _ window: MotionWindow, isFinger: Bool, beyond zone: Double) {
    lift = window.stretch.release ?? window.end
    let curve: Curve
    if isFinger {
      // A finger may land before the transition starts.
      let lift = lift
      let behind = source.runs.partitioningIndex { $0.times[0] > lift }
      guard behind > 0, let last = source.runs[behind - 1].times.last,
        last >= window.stretch.start
      else { return nil }
      curve = MotionTrack(
        name: source.name, unit: source.unit, runs: [source.runs[behind - 1]]
      ).curve(to: lift)
    } else {
      curve = source.curve(from: window.stretch.start, to: lift)
    }
    guard window.anchor <= lift, let onset = Drive.passing(zone, of: curve),
      let place = curve.value(at: onset) ?? curve.heldValue(at: onset),
      let lowest = curve.values.min(), let highest = curve.values.max(), highest > lowest
    else { return nil }
    scale = source.unit == "pt" ? 1 : pointsOfSource / (highest - lowest)
    self.onset = onset
    start = max(onset, window.anchor)
    exactness =
      isFinger ? .finger : TimedFollow.Exactness(value: TimedFollow.Exactness.finger.value, time: 0)
    var (times, values) = ([0.0], [0.0])
    for (time, value) in zip(curve.times, curve.values) where time > onset {
      times.append(time.seconds(since: onset))
      values.append((value - place) * scale)
    }
    self.source = (times, values)
  }

  /// When a source is further from where it was than its dead zone: the last instant at which it is not.
  private static func passing(_ zone: Double, of curve: Curve) -> Instant? {
    guard let first = curve.values.first else { return nil }
    var before = Sample(time: curve.times[0], value: 0)
    for (time, value) in zip(curve.times, curve.values).dropFirst() {
      let distance = Sample(time: time, value: abs(value - first))
      if distance.value > zone { return before.crossing(zone, to: distance) }
      before = distance
    }
    return nil
  }

  /// An instant of the estimators' time.
  func instant(_ seconds: Double) -> Instant {
    onset.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// A track's values between two instants, and the last one before them.
  private func shown(
    _ track: MotionTrack, from start: Instant, to end: Instant
  ) -> (times: [Double], values: [Double]) {
    let curve = track.curve(to: end)
    let first = max(0, curve.times.partitioningIndex { $0 > start } - 1)
    return (
      curve.times[first...].map { $0.seconds(since: onset) }, Array(curve.values[first...])
    )
  }

  /// How a track follows, its gain for the source's own unit.
  func follow(by track: MotionTrack) throws(TooShortToTell) -> TimedFollow {
    var fit = try TimedFollow(
      finger: source, shown: shown(track, from: start, to: lift), exactness: exactness)
    fit.gain = fit.gain.scaled(by: scale)
    return fit
  }

  /// With what speed a track goes on, in its own unit.
  ///
  /// - Parameter gain: Units of the track for one of the source; nil: as it follows.
  func handOver(
    to track: MotionTrack, _ release: Instant, until end: Instant, gain known: Estimated?
  ) throws(TooShortToTell) -> (kept: Estimated, speed: Estimated) {
    let lifted = release.seconds(since: onset)
    let lift = try LiftSpeed(times: source.times, values: source.values, lift: lifted)
    let gain: Estimated
    if let known { gain = known } else { gain = try follow(by: track).gain }
    guard gain.value != 0, gain.value.isFinite else { throw .noMotion }
    // In the finger's points, for which the limits of the estimators are meant.
    let points = scale / gain.value
    let before = shown(track, from: start, to: release)
    let behind = shown(track, from: release, to: end)
    var driven = (times: before.times, values: before.values.map { $0 * points })
    var settle = (
      times: Array(behind.times.dropFirst()), values: behind.values.dropFirst().map { $0 * points }
    )
    guard settle.times.count > 1 else { throw .fewFrames }
    let gaps = zip(driven.times.dropFirst(), driven.times).map { $0 - $1 }.sorted()
    guard let frame = gaps.isEmpty ? nil : gaps[gaps.count / 2] else { throw .fewFrames }
    func over() throws(TooShortToTell) -> HandOver {
      try HandOver(
        lift: lift, gain: gain.scaled(by: 1 / gain.value), driven: driven, settle: settle,
        heardPlace: nil, liftTime: lifted, frame: frame)
    }
    var found = try over()
    if found.spring == nil {
      // A page may hear of the lift a frame later, and show a place of the drag until then.
      driven.times.append(settle.times.removeFirst())
      driven.values.append(settle.values.removeFirst())
      if let later = try? over(), later.spring != nil { found = later }
    }
    return (found.kept, found.speed.scaled(by: 1 / points))
  }
}
