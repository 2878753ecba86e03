import MotionPhysics
import TimelineModel

/// How far behind a subject is looked for, in seconds: the longest lag that is still called following.
private let longestLag = 0.12

/// A lag that is known no better than this, in seconds, is not told apart from a dead zone: more than two frames at
/// 60 Hz either way.
private let widestLag = 0.04

/// What places are taken to be rounded to where they fit better than that, in points.
private let finestResolution = 0.5

/// The search goes through no more samples than these, evenly chosen.
private let mostSamples = 4096

/// The stretch before a release by which its source's speed is estimated, in nanoseconds.
private let beforeRelease: Int64 = 60_000_000

/// The stretch behind a release by which the subject's speed is estimated, in nanoseconds: four frames at 60 Hz.
private let afterRelease: Int64 = 67_000_000

extension MotionSource {
  /// How a subject follows a source while that is down, or goes on when it is let go.
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
        guard let drive = Drive(source, window, isFinger: isFinger(sourceSubject)) else { continue }
        let fit = FollowFit(track, drive, deadZone: deadZone)
        // A tap moves nothing.
        if rule.demand.kind == .follows, !FollowFit.passes(deadZone, drive) { continue }
        if case .handsOver(_, let gain, let share) = rule.demand {
          guard window.stretch.release != nil else { continue }
          found.append(
            handOver(track, drive, window, gain: gain ?? fit?.gain ?? 1, share))
        } else {
          found += following(rule.demand, track, source, fit)
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
    _ demand: MotionExpectation.Demand, _ track: MotionTrack, _ source: MotionTrack,
    _ fit: FollowFit?
  ) -> [Finding] {
    guard case .follows(_, let gain, let tolerance, let zone, let limit, let within) = demand else {
      return []
    }
    guard let fit else {
      return [
        Finding(
          track.name, Measure.lag.rawValue,
          unknown: "it has fewer than three values while \(source.name) moves",
          limit: limit * 1000)
      ]
    }
    var note: String?
    if fit.isAmbiguous {
      note =
        "\(source.name) moves at constant speed, where a lag and a dead zone are the same; "
        + "the dead zone is taken as \(Verdict.short(zone)) pt"
    }
    let limitOfGain = fit.gain > gain ? gain + tolerance : gain - tolerance
    var ofGain = Finding(
      track.name, "gain", abs(fit.gain - gain), atMost: tolerance, at: fit.onset)
    (ofGain.number, ofGain.limit) = (fit.gain, limitOfGain)
    let rms = named("rms", of: track)
    // What two points of the source come to.
    let most = within == nil ? 2 * abs(gain) : length(within, of: track, points: 2, share: 0)
    let ofRest =
      most.map { Finding(track.name, rms, fit.rms, atMost: $0, at: fit.worst) }
      ?? Finding(track.name, rms, unknown: otherUnit(track, "within"))
    return [
      Finding(
        track.name, Measure.lag.rawValue, fit.lag * 1000, atMost: limit * 1000,
        tolerance: Double(halfFrame) / 1e6, at: fit.onset, note: note), ofGain, ofRest,
    ]
  }

  private func handOver(
    _ track: MotionTrack, _ drive: Drive, _ window: MotionWindow, gain: Double, _ share: Double
  ) -> Finding {
    let measure = track.unit == "pt" ? "difference_pt_per_s" : "difference_per_s"
    let release = drive.lift
    var look = EstimationWindow(
      name: "handsOver", horizonNanoseconds: beforeRelease,
      stopGapNanoseconds: EstimationWindow.android.stopGapNanoseconds, historyLimit: mostSamples)
    look.minimumSamples = 2
    let before = Estimator.lsq2.estimate(drive.samples, lift: release, window: look)
    guard let finger = before.velocity else {
      return Finding(
        track.name, measure, unknown: "the speed before the release cannot be told of so few values"
      )
    }
    let end = min(window.end, release.advanced(byNanoseconds: afterRelease))
    let curve = track.curve(from: release, to: end)
    let samples = zip(curve.times, curve.values).map { Sample(time: $0, value: $1) }
    // A settle bends too much for a parabola; a fourth power needs values to spare.
    let degree = samples.count > 6 ? 4 : 3
    guard samples.count > 2,
      let after = fittedSlope(of: samples, degree: degree, at: release)
    else {
      return Finding(
        track.name, measure,
        unknown: "it has fewer than three values in the 67 ms behind the release")
    }
    let (own, other) = (after.standardError ?? 0, (before.standardError ?? 0) * gain)
    let error = (own * own + other * other).squareRoot()
    return Finding(
      track.name, measure, abs(after.velocity - gain * finger),
      atMost: 1.645 * error + share * abs(gain * finger), at: release,
      note:
        "it goes on at \(Verdict.short(after.velocity)), let go at \(Verdict.short(gain * finger))")
  }
}

/// What a subject follows, from its landing to its lift.
private struct Drive {
  let curve: Curve
  /// The first instant that is judged.
  let start: Instant
  let lift: Instant
  var samples: [Sample] { zip(curve.times, curve.values).map { Sample(time: $0, value: $1) } }

  /// The source's part of a window; nil where it has no value in it.
  init?(_ source: MotionTrack, _ window: MotionWindow, isFinger: Bool) {
    let lift = window.stretch.release ?? window.end
    if isFinger {
      // A finger may land before the transition starts.
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
    guard curve.count > 0, window.anchor <= lift else { return nil }
    start = window.anchor
    self.lift = lift
  }
}

/// The lag, offset and gain by which one curve is another one's copy.
private struct FollowFit {
  /// How far behind, in seconds.
  var lag = 0.0
  /// Units of the subject for one of the source.
  var gain = 0.0
  /// What is left, as root mean square, in the subject's unit.
  var rms = 0.0
  /// When the source left its dead zone.
  var onset: Instant
  /// Where most is left.
  var worst: Instant
  /// Whether the source's own course does not tell the lag.
  var isAmbiguous = false

  private let times: [Instant]
  private let values: [Double]
  private let source: Curve
  /// The subject's value at ``onset``, and the source's.
  private let ends: (subject: Double, source: Double)

  /// Fits a subject to what drives it; nil where that does not move, or the subject has too few values.
  init?(_ track: MotionTrack, _ drive: Drive, deadZone: Double) {
    source = drive.curve
    guard let onset = FollowFit.passing(deadZone, of: source) else {
      return nil
    }
    self.onset = onset
    worst = onset
    let curve = track.curve(to: drive.lift)
    let first = curve.times.partitioningIndex { $0 >= max(onset, drive.start) }
    let count = curve.count - first
    guard count > 2, let start = curve.value(at: onset) ?? curve.values.first,
      let place = source.value(at: onset) ?? source.heldValue(at: onset)
    else { return nil }
    ends = (start, place)
    let step = (count + mostSamples - 1) / mostSamples
    let chosen = stride(from: first, to: curve.count, by: step)
    times = chosen.map { curve.times[$0] }
    values = chosen.map { curve.values[$0] }
    let search = ShiftSearch(limitSeconds: longestLag)
    func best(isAnchored: Bool) -> (lag: Double, gain: Double, rms: Double)? {
      let found = search.best(gain: smallestLagGain * track.extent) { lag, _ in
        lag >= 0 ? fit(lag, isAnchored: isAnchored)?.rms : nil
      }
      return fit(found.shift, isAnchored: isAnchored).map { (found.shift, $0.gain, $0.rms) }
    }
    guard let free = best(isAnchored: false) else { return nil }
    (lag, gain, rms) = free
    let noise = max(rms, finestResolution * abs(gain))
    let known = (0...60).map { Double($0) * longestLag / 60 }.filter { lag in
      guard let other = fit(lag, isAnchored: false)?.rms else { return false }
      return Double(times.count) * (other * other - rms * rms) <= 4 * noise * noise
    }
    if let low = known.first, let high = known.last, high - low > widestLag,
      let anchored = best(isAnchored: true)
    {
      isAmbiguous = true
      (lag, gain, rms) = anchored
    }
    let offset = fit(lag, isAnchored: isAmbiguous)?.offset ?? 0
    var most = -1.0
    for index in times.indices {
      let rest = abs(values[index] - offset - gain * sourceValue(times[index], lag))
      if rest > most { (most, worst) = (rest, times[index]) }
    }
  }

  /// Whether a source leaves its dead zone at all.
  static func passes(_ zone: Double, _ drive: Drive) -> Bool {
    passing(zone, of: drive.curve) != nil
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

  /// Where the source was a lag ago: before it left its dead zone, and behind its last value, it stood.
  private func sourceValue(_ time: Instant, _ lag: Double) -> Double {
    let before = time.advanced(byNanoseconds: -Int64((lag * 1e9).rounded()))
    let moment = max(before, onset)
    return source.value(at: moment) ?? source.heldValue(at: moment) ?? ends.source
  }

  /// The gain by least squares at a lag, and what it leaves; nil where the numbers overflow.
  ///
  /// - Parameter isAnchored: Whether both set off from where they stood together, or the offset is free.
  private func fit(_ lag: Double, isAnchored: Bool) -> (offset: Double, gain: Double, rms: Double)?
  {
    let places = times.map { sourceValue($0, lag) }
    let count = Double(times.count)
    let middle = isAnchored ? ends.source : places.reduce(0, +) / count
    let mean = isAnchored ? ends.subject : values.reduce(0, +) / count
    var (square, product) = (0.0, 0.0)
    for (place, value) in zip(places, values) {
      square += (place - middle) * (place - middle)
      product += (place - middle) * (value - mean)
    }
    let gain = square > 0 ? product / square : 0
    var rest = 0.0
    for (place, value) in zip(places, values) {
      let distance = value - mean - gain * (place - middle)
      rest += distance * distance
    }
    let rms = (rest / count).squareRoot()
    return rms.isFinite && gain.isFinite ? (mean - gain * middle, gain, rms) : nil
  }
}
