import MotionMeasures
import TimelineModel
import TimelineSession

/// How far the values of a source that is not in points go, for estimators that count in points of a finger.
private let pointsOfSource = 300.0

/// What a subject follows, from its landing to its lift.
struct MotionDrive {
  /// How a track follows, in its own unit.
  struct Following {
    /// How far it is behind, in seconds.
    var lag: Estimated
    /// Units of the track for one of the source.
    var gain: Estimated
    /// What is left, as the root of the mean square.
    var rms: Estimated
    /// When most is left.
    var worst: Instant
    /// Where it would be for the finger's last place, if the page shows what it heard at once; nil: it is late, or it is not
    /// known what the page had heard.
    var heardPlace: Estimated?
    /// Whether it is known what the page had heard.
    var isHeard = false
    /// The share of the track's variance that the model explains.
    var explained: Double
    /// Where the track would be for the source's last value, as far as the model goes.
    var end: Double
  }

  /// How much of a track's way must be explained for it to follow.
  private static let leastExplained = 0.85

  /// The source's values in points, from its dead zone on, at seconds from ``onset``.
  private let source: (times: [Double], values: [Double])
  /// All of the source's samples until the lift, in its own unit.
  private let samples: [Sample]
  /// Which of them the system computed.
  private let resampled: [Bool]
  /// How many of them are followed: a finger's lift that comes after a pause is not.
  private let steps: Int
  private let exactness: TimedFollow.Exactness
  /// Points for a unit of the source.
  private let scale: Double
  /// When the source left its dead zone.
  let onset: Instant
  /// From when on frames are judged.
  private let start: Instant
  private let lift: Instant
  /// What the page had heard of a finger; nil: the recording does not say it.
  private let heard: HeardDrive?

  /// The source's part of a window; nil where it has no value in it, or does not leave its dead zone.
  init?(
    _ source: Track, _ window: MotionWindow, finger axis: FingerAxis?, _ frames: ReadFrames,
    beyond zone: Double
  ) {
    lift = window.stretch.release ?? window.end
    let curve: Curve
    var told: ToldContact?
    var resampled: Set<Instant> = []
    if axis != nil {
      // A finger may land before the transition starts.
      let lift = lift
      let behind = source.runs.partitioningIndex { $0.times[0] > lift }
      guard behind > 0, let last = source.runs[behind - 1].times.last,
        last >= window.stretch.start
      else { return nil }
      let contact = source.runs[behind - 1].contact
      told = contact.flatMap { ToldContact($0.told) }
      resampled = contact?.resampledTimes ?? []
      curve = source.curve(from: source.runs[behind - 1].times[0], to: min(lift, last))
    } else {
      curve = source.curve(from: window.stretch.start, to: lift)
    }
    guard window.anchor <= lift, let onset = MotionDrive.passing(zone, of: curve),
      let place = curve.value(at: onset) ?? curve.heldValue(at: onset),
      let lowest = curve.values.min(), let highest = curve.values.max(), highest > lowest
    else { return nil }
    scale = source.unit == "pt" ? 1 : pointsOfSource / (highest - lowest)
    self.onset = onset
    start = max(onset, window.anchor)
    exactness =
      axis != nil
      ? .finger : TimedFollow.Exactness(value: TimedFollow.Exactness.finger.value, time: 0)
    var (times, values) = ([0.0], [0.0])
    for (time, value) in zip(curve.times, curve.values) where time > onset {
      times.append(time.seconds(since: onset))
      values.append((value - place) * scale)
    }
    self.source = (times, values)
    samples = zip(curve.times, curve.values).map(Sample.init)
    self.resampled = resampled.isEmpty ? [] : curve.times.map(resampled.contains)
    steps =
      axis == nil ? times.count : FingerSpeed.steps(times, values, lift: lift.seconds(since: onset))
    heard = told.flatMap { told in
      axis.flatMap {
        HeardDrive(
          told, along: $0, beyond: Sample(time: onset, value: place),
          to: window.stretch.release ?? window.end, frames)
      }
    }
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

  /// A track's values between two instants, and the last one before them.
  private func shown(
    _ track: Track, from start: Instant, to end: Instant
  ) -> (times: [Double], values: [Double]) {
    let curve = track.curve(to: end)
    let first = max(0, curve.times.partitioningIndex { $0 > start } - 1)
    return (
      curve.times[first...].map { $0.seconds(since: onset) }, Array(curve.values[first...])
    )
  }

  /// How a track follows.
  ///
  /// - Parameter known: Units of the track for one of the source, as far as they are known.
  func follow(by track: Track, gain known: Double?) throws(TooShortToTell) -> Following {
    if let found = try heardFollow(by: track, gain: known) { return found }
    // A frame at the lift may show the place of the lift.
    let end = steps < source.times.count ? lift.advanced(byNanoseconds: -1) : lift
    let fit = try TimedFollow(
      finger: (Array(source.times.prefix(steps)), Array(source.values.prefix(steps))),
      shown: shown(track, from: start, to: end), exactness: exactness)
    let way = (source.values.last ?? 0) * fit.gain.value
    return Following(
      lag: fit.lag, gain: fit.gain.scaled(by: scale), rms: fit.rms,
      worst: onset.advanced(byNanoseconds: Int64((fit.worst * 1e9).rounded())),
      explained: fit.rSquared,
      end: (shown(track, from: start, to: end).values.first ?? 0) + fit.jump.value + way)
  }

  /// How a track follows what the page had heard.
  ///
  /// - Returns: nil if the recording does not say that, or if the track moves before the frames that are judged.
  private func heardFollow(
    by track: Track, gain known: Double?
  ) throws(TooShortToTell) -> Following? {
    guard let heard else { return nil }
    let shown = heard.shown(track, in: heard.drive)
    guard let rest = shown.values.first else { return nil }
    let judged = shown.frames.partitioningIndex { heard.frames.times[$0] > start }
    guard start == onset || shown.values[..<judged].allSatisfy({ $0 == rest }) else { return nil }
    // The estimator takes points of the finger for its unit, and may take a gain of 1 for given.
    let way = (shown.values.max() ?? rest) - (shown.values.min() ?? rest)
    let gain = known ?? (track.unit == "pt" ? 1 : way / heard.way)
    guard gain != 0, gain.isFinite else { throw .noMotion }
    return try heard.follow(
      shown, gain: gain, noise: HeardFollow.noise / (track.unit == "pt" ? abs(gain) : 1))
  }

  /// With what speed a track goes on, in its own unit.
  ///
  /// - Parameter gain: Units of the track for one of the source; nil: as it follows.
  func handOver(
    to track: Track, _ release: Instant, until end: Instant, gain known: Estimated?
  ) throws(TooShortToTell) -> (kept: Estimated, speed: Estimated) {
    let lifted = release.seconds(since: onset)
    let lift = try FingerSpeed(
      samples, resampled: resampled, lift: release, pointsPerUnit: scale
    ).scaled(by: scale)
    var following: Following?
    if let known {
      following = (try? heardFollow(by: track, gain: known.value)) ?? nil
    } else {
      following = try follow(by: track, gain: nil)
    }
    guard let gain = known ?? following?.gain, gain.value != 0, gain.value.isFinite else {
      throw .noMotion
    }
    // In the finger's points, for which the limits of the estimators are meant.
    let points = scale / gain.value
    let isHeard = following?.isHeard == true
    var (driven, settle) = split(track, at: release, until: end, isHeard: isHeard)
    driven.values = driven.values.map { $0 * points }
    settle.values = settle.values.map { $0 * points }
    guard settle.times.count > 1 else { throw .fewFrames }
    let gaps = zip(driven.times.dropFirst(), driven.times).map { $0 - $1 }.sorted()
    guard let frame = gaps.isEmpty ? nil : gaps[gaps.count / 2] else { throw .fewFrames }
    let found = try HandOver(
      lift: lift, gain: gain.scaled(by: 1 / gain.value), driven: driven, settle: settle,
      heardPlace: following?.heardPlace?.scaled(by: points), liftTime: isHeard ? nil : lifted,
      frame: frame)
    return (found.kept, found.speed.scaled(by: 1 / points))
  }

  /// The steps of a track that a finger's drive explains.
  struct Explained {
    /// From the first driven sample to the last.
    var driven: ClosedRange<Instant>
    /// What was left of the drag in the last driven sample, in the track's unit.
    var rest: Double
    /// With what speed the drag ended, in the track's unit per second.
    var speed: Double
  }

  /// Which steps of a track the drive explains; nil if the track does not follow it.
  func explained(of track: Track) -> Explained? {
    guard let following = try? follow(by: track, gain: nil),
      following.explained > MotionDrive.leastExplained
    else { return nil }
    let speed = try? FingerSpeed(
      samples, resampled: resampled, lift: lift, pointsPerUnit: scale
    ).velocity.value
    let driven = split(track, at: lift, until: lift, isHeard: following.isHeard).driven
    guard let first = driven.times.first, let last = driven.times.last,
      let shown = driven.values.last
    else { return nil }
    func instant(_ seconds: Double) -> Instant {
      onset.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
    }
    return Explained(
      driven: instant(first)...instant(last), rest: following.end - shown,
      speed: (speed ?? 0) * following.gain.value)
  }

  /// A track's values until a release, and behind it; if it is known what the page had heard, until it had heard of the lift.
  private func split(
    _ track: Track, at release: Instant, until end: Instant, isHeard: Bool
  ) -> (driven: (times: [Double], values: [Double]), settle: (times: [Double], values: [Double])) {
    if isHeard, let heard {
      let last = heard.frames.times.partitioningIndex { $0 > end }
      return (
        seconds(heard.shown(track, in: heard.drive)),
        seconds(
          heard.shown(
            track, in: (heard.drive.upperBound + 1)..<max(heard.drive.upperBound + 1, last)))
      )
    }
    let behind = shown(track, from: release, to: end)
    return (
      shown(track, from: start, to: release),
      (Array(behind.times.dropFirst()), Array(behind.values.dropFirst()))
    )
  }

  private func seconds(_ shown: HeardDrive.Shown) -> (times: [Double], values: [Double]) {
    (shown.frames.compactMap { heard?.frames.times[$0].seconds(since: onset) }, shown.values)
  }
}
