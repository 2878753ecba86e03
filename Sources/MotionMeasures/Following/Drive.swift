// All that reads the frames and samples of a drive is here, so that they stay private: more than 400 lines.

package import TimelineModel
package import TimelineSession

/// What drives an item, and the frames in which it does: one contact of a finger along an axis, or another value.
///
/// Stories and requirements ask the same drive, so that both have the same lag, gain, hand-over and settle of an item.
package struct Drive: Sendable {
  /// What a page knew of a finger in each frame of a drive.
  ///
  /// An event that is heard as a frame's callbacks begin is known to that frame.
  package struct Knowledge: Sendable {
    /// The position that the page heard first: where the finger landed.
    let landing: ContactSample
    /// For each frame the position that the page heard last. The landing before it had heard of any.
    let samples: [ContactSample]
    /// Whether handlers of touches knew it. Else those of pointers.
    package let isOfTouches: Bool

    /// nil: the page heard of fewer than two positions.
    fileprivate init?(
      _ samples: [ContactSample], ofTouches isOfTouches: Bool, _ began: ArraySlice<Instant>
    ) {
      let instant = isOfTouches ? \ContactSample.touchDispatched : \.dispatched
      let heard = samples.compactMap { sample in
        sample[keyPath: instant].map { (time: $0, sample: sample) }
      }.sorted { ($0.time, $0.sample.time) < ($1.time, $1.sample.time) }
      guard heard.count > (isOfTouches ? 2 : 1) else { return nil }
      landing = heard[0].sample
      self.isOfTouches = isOfTouches
      self.samples = began.map { began in
        heard[max(0, heard.partitioningIndex { $0.time > began } - 1)].sample
      }
    }

    /// How far the finger had come along an axis in each frame, in points.
    package func along(_ axis: FingerAxis) -> [Double] {
      samples.map { $0.along(axis) - landing.along(axis) }
    }
  }

  /// What an item showed: a value for each frame of the session, or for instants of its own.
  package struct Shown: Sendable {
    var times: [Instant]
    var values: [Double]
    /// The frames' numbers, rising. Empty: the instants are the item's own.
    var frames: [Int] = []
    /// Whether the values are lengths, in the finger's unit.
    var isLength = true
    /// How exact the values are, in points.
    var noise = DispatchedFollow.noise

    /// What is shown in each frame.
    package init(
      times: [Instant], values: [Double], noise: Double = DispatchedFollow.noise
    ) {
      (self.times, self.values, self.noise) = (times, values, noise)
      frames = Array(values.indices)
    }

    /// The samples of some frames, or without frames of a stretch of time.
    fileprivate func range(_ numbers: ClosedRange<Int>?, _ start: Instant, _ end: Instant) -> Range<
      Int
    > {
      let (first, past): (Int, Int)
      if let numbers, !frames.isEmpty {
        first = frames.partitioningIndex { $0 >= numbers.lowerBound }
        past = frames.partitioningIndex { $0 > numbers.upperBound }
      } else {
        first = max(0, times.partitioningIndex { $0 > start } - 1)
        past = times.partitioningIndex { $0 > end }
      }
      return first..<max(first, past)
    }
  }

  /// How far the values of a source that is not in points go, for estimators that count in points of a finger.
  private static let pointsOfSource = 300.0
  /// A release this long behind a lift is not the finger's, in nanoseconds: its page forgets the speed by then.
  private static let longestWait: Int64 = 40_000_000
  /// How much of an item's way must be explained for it to follow.
  package static let leastExplained = 0.85

  /// The frames from the last that had not heard of the landing to the last that had not heard of the lift. `nil`: there are
  /// fewer than two.
  package let frames: ClosedRange<Int>?
  /// For each kind of handlers. Empty: the recording does not say what the page heard.
  package let known: [Knowledge]
  /// When the source left its dead zone.
  package let onset: Instant
  /// When it let go.
  package let lift: Instant
  /// When it was last seen to drive: ``lift``, or before it if nobody knows when between the two it let go.
  private let seen: Instant
  private let clock: ReadFrames
  private let axis: FingerAxis?
  private let zone: Double
  /// Where the source was at ``onset``, in its own unit.
  private let home: Double
  /// From when on frames are judged.
  private let start: Instant
  /// The source's samples, in its own unit, and which of them the system computed.
  private let samples: [Sample]
  private let resampled: [Bool]
  /// The source's values in points, from its dead zone on, at seconds from ``onset``.
  private let source: (times: [Double], values: [Double])
  /// How many of them are followed: a finger's lift that comes after a pause is not.
  private let steps: Int
  /// The last position before the lift, in the source's unit. `nil`: there is none beyond the dead zone.
  private let lastMove: Double?
  /// Points for a unit of the source.
  private let scale: Double

  /// The drive of a contact.
  ///
  /// - Parameters:
  ///   - turn: From when on the contact counts. `nil`: from its landing.
  ///   - zone: How far the finger goes before the item does, in points.
  ///   - release: When the session says that it was let go. `nil`: at its lift.
  ///   - start: From when on frames are judged.
  ///   - end: Frames behind it do not count.
  package init?(
    _ contact: Contact, along axis: FingerAxis, turn: Instant? = nil, beyond zone: Double = 0,
    release: Instant? = nil, from start: Instant? = nil, until end: Instant? = nil,
    in clock: ReadFrames
  ) {
    let all = contact.path
    guard let last = all.last else { return nil }
    let own = contact.lift.map { max($0, last.time) }
    let isOwn = release == nil || Drive.isReleased(contact, at: release)
    let lift = isOwn ? own ?? last.time : release ?? last.time
    let path = all.filter { $0.time <= lift && $0.time >= turn ?? $0.time }
    guard let landing = path.first else { return nil }
    let frames = Drive.frames(
      from: landing, to: lift, dispatched: isOwn ? contact.liftDispatched : lift, until: end, clock)
    let moves = path.filter { !$0.isEnd }
    let began = frames.map { clock.began[$0] } ?? []
    let known =
      frames == nil || !clock.saysBegan
      ? []
      : [false, true].filter { !$0 || !contact.isCancelled }.compactMap {
        Knowledge(moves, ofTouches: $0, began)
      }
    self.init(
      path.map { Sample(time: $0.time, value: $0.along(axis)) },
      resampled: path.contains(where: \.isResampled) ? path.map(\.isResampled) : [], axis, zone,
      lift,
      start, scale: 1, frames, known, clock, lastMove: moves.last,
      seen: isOwn ? contact.earliestLift : nil)
  }

  /// The drive of another value, until it is released.
  ///
  /// - Returns: nil if it does not leave its dead zone.
  package init?(
    _ curve: Curve, inPoints: Bool, beyond zone: Double, lift: Instant, from start: Instant,
    in clock: ReadFrames
  ) {
    guard let range = curve.valueRange, range.upperBound > range.lowerBound else { return nil }
    let scale = inPoints ? 1 : Drive.pointsOfSource / (range.upperBound - range.lowerBound)
    self.init(
      zip(curve.times, curve.values).map(Sample.init), resampled: [], nil, zone, lift, start,
      scale: scale, nil, [], clock)
    guard hasLeft else { return nil }
  }

  private init(
    _ samples: [Sample], resampled: [Bool], _ axis: FingerAxis?, _ zone: Double, _ lift: Instant,
    _ start: Instant?, scale: Double, _ frames: ClosedRange<Int>?, _ known: [Knowledge],
    _ clock: ReadFrames, lastMove: ContactSample? = nil, seen: Instant? = nil
  ) {
    self.seen = min(lift, seen ?? lift)
    (self.frames, self.known, self.clock, self.axis, self.zone) = (frames, known, clock, axis, zone)
    (self.samples, self.resampled, self.lift, self.scale) = (samples, resampled, lift, scale)
    let first = samples[0]
    var (onset, home) = (first.time, first.value)
    var before = Sample(time: first.time, value: 0)
    for (index, sample) in samples.enumerated().dropFirst() {
      let distance = Sample(time: sample.time, value: abs(sample.value - first.value))
      if distance.value > zone {
        onset = before.crossing(zone, to: distance)
        let (one, span) = (samples[index - 1], sample.time.seconds(since: samples[index - 1].time))
        home = one.value + (sample.value - one.value) * onset.seconds(since: one.time) / span
        break
      }
      before = distance
    }
    (self.onset, self.home) = (onset, home)
    self.lastMove = lastMove.flatMap { move in
      move.time > onset ? axis.map { move.along($0) } : nil
    }
    self.start = max(onset, start ?? onset)
    var (times, values) = ([0.0], [0.0])
    for sample in samples where sample.time > onset {
      times.append(sample.time.seconds(since: onset))
      values.append((sample.value - home) * scale)
    }
    source = (times, values)
    steps =
      axis == nil ? times.count : FingerSpeed.steps(times, values, lift: lift.seconds(since: onset))
  }

  /// Whether the source goes beyond its dead zone.
  package var hasLeft: Bool { samples.contains { abs($0.value - samples[0].value) > zone } }

  /// The frames in which a contact drives until it lifts. `nil`: there are fewer than two.
  package static func frames(of contact: Contact, in clock: ReadFrames) -> ClosedRange<Int>? {
    guard let landing = contact.path.first, let lift = contact.lift else { return nil }
    return frames(
      from: landing, to: lift, dispatched: contact.liftDispatched, until: nil, clock)
  }

  /// Whether a release is the lift of a contact.
  package static func isReleased(_ contact: Contact, at release: Instant?) -> Bool {
    guard let release, let lift = contact.lift else { return false }
    return lift <= release && release.nanoseconds(since: lift) <= longestWait
  }

  /// The frames in which a contact drives.
  private static func frames(
    from landing: ContactSample, to lift: Instant, dispatched: Instant?, until end: Instant?,
    _ clock: ReadFrames
  ) -> ClosedRange<Int>? {
    let (first, past): (Int, Int)
    if clock.saysBegan, let heard = landing.dispatched {
      first = clock.began.partitioningIndex { $0 >= heard }
      past =
        dispatched.map { heard in clock.began.partitioningIndex { $0 >= heard } }
        ?? clock.began.count
    } else {
      first = clock.times.partitioningIndex { $0 >= landing.time }
      // What was shown at the lift did not know of it.
      past = clock.times.partitioningIndex { $0 > lift }
    }
    let most = end.map { end in clock.times.partitioningIndex { $0 > end } } ?? past
    let (lower, upper) = (max(0, first - 1), min(past, most) - 1)
    return upper > lower ? lower...upper : nil
  }

  /// What a track shows in the frames of the drive's session. Of a drive by times, if it is no place, at its own instants.
  package func shown(_ track: Track) -> Shown {
    Shown(track, in: !track.axes.isEmpty || !known.isEmpty ? clock : ReadFrames())
  }

  /// How an item follows.
  ///
  /// - Parameters:
  ///   - given: Units of the item for one of the source, as far as they are known. Of a length they are found.
  ///   - resisting: Whether it goes with ever less of the source, as something at an edge does.
  /// - Throws: why it cannot be told.
  package func follow(
    _ shown: Shown, gain given: Double? = nil, resisting: Bool = false
  ) throws(TooShortToTell) -> Follow {
    if let found = try followDispatched(shown, gain: given, resisting) { return found }
    guard !resisting else { throw .fewFrames }
    return try followTimed(shown)
  }

  /// How an item follows what the page had heard.
  ///
  /// - Returns: nil if the recording does not say that, or if the item moves before the frames that are judged.
  private func followDispatched(
    _ shown: Shown, gain given: Double?, _ resisting: Bool
  ) throws(TooShortToTell) -> Follow? {
    guard let frames, let axis else { return nil }
    guard !known.isEmpty, !shown.frames.isEmpty else { return nil }
    let range = shown.range(frames, onset, lift)
    guard let rest = shown.values[range].first else { return nil }
    guard
      start == onset || range.allSatisfy({ shown.times[$0] > start || shown.values[$0] == rest })
    else { return nil }
    func place(_ known: Knowledge, _ index: Int) -> ContactSample? {
      let sample = known.samples[shown.frames[index] - frames.lowerBound]
      return sample.time > onset ? sample : nil
    }
    // In the frames before either moves nothing is followed.
    let moved = range.first { index in
      zone == 0 && shown.values[index] != rest || known.contains { place($0, index) != nil }
    }
    let fitted = max(range.lowerBound, (moved ?? range.lowerBound) - 1)..<range.upperBound
    let way = shown.values[fitted].extent
    let gain = shown.isLength ? 1 : given ?? way / source.values.extent
    guard gain != 0, gain.isFinite else { throw .noMotion }
    var best: (fit: DispatchedFollow, known: Knowledge)?
    var reason = TooShortToTell.fewFrames
    let values = shown.values[fitted].map { $0 / gain }
    func heard(_ known: Knowledge) -> [Double] {
      fitted.map { place(known, $0).map { $0.along(axis) - home } ?? 0 }
    }
    func fit(_ heard: [Double]) throws(TooShortToTell) -> DispatchedFollow {
      guard resisting else {
        return try DispatchedFollow(heard: heard, shown: values, noise: shown.noise)
      }
      guard let fit = DispatchedFollow.resisted(heard: heard, shown: values, noise: shown.noise)
      else { throw .fewFrames }
      return fit
    }
    for known in known {
      do throws(TooShortToTell) {
        let fit = try fit(heard(known))
        if let best, best.fit.rms.value <= fit.rms.value { continue }
        best = (fit, known)
      } catch {
        reason = error
      }
    }
    // What kind of handlers waited is not known: the kind that explains all without a wait comes first.
    for known in known {
      guard let found = best, !resisting, !found.fit.isAtFinger(within: shown.noise) else { break }
      if let fit = Drive.waiting(heard(known), values, noise: shown.noise, than: found.fit) {
        best = (fit, known)
      }
    }
    guard let (fit, knowledge) = best else { throw reason }
    let steps = zip(shown.times[fitted].dropFirst(), shown.times[fitted])
    let frame = steps.map { $0.seconds(since: $1) }.upperMedian ?? 0
    // Behind a finger that rests nothing is behind.
    var newest: ContactSample?
    let ages = fitted.compactMap { index -> Double? in
      guard let heard = place(knowledge, index) else { return nil }
      defer { newest = heard }
      let isNew = newest?.time != heard.time
      guard isNew || hasMoved(since: heard, by: shown.times[index], along: axis) else { return nil }
      return shown.times[index].seconds(since: heard.time)
    }
    let first = shown.values[fitted.lowerBound] / gain
    let scaled = fit.scaled(by: gain)
    func place(after value: Double?) -> Estimated {
      fit.place(after: value.map { $0 - home } ?? 0, from: first).scaled(by: gain)
    }
    return .dispatched(
      scaled,
      Follow.Fit(
        lag: (fit.lag(ages: ages, frame: frame) ?? fit.own.scaled(by: frame)).atLeast(0),
        worst: shown.times[fitted.lowerBound + fit.worst],
        end: place(after: samples.last?.value).value,
        lastHeard: fit.own.value < DispatchedFollow.atOnce ? place(after: lastMove) : nil,
        knowledge: knowledge))
  }

  /// How an item follows that waits until the finger has come some way, and is at the finger from then on, as a carousel
  /// does that begins with the second report. `nil`: another fit says as much.
  private static func waiting(
    _ heard: [Double], _ shown: [Double], noise: Double, than other: DispatchedFollow
  ) -> DispatchedFollow? {
    guard let first = shown.firstIndex(where: { abs($0 - shown[0]) > DispatchedFollow.noise }),
      first > 0, abs(heard[first - 1] - heard[0]) >= leastMove
    else { return nil }
    let kept = heard.indices.map { $0 < first ? heard[0] : heard[$0] }
    guard let fit = try? DispatchedFollow(heard: kept, shown: shown, noise: noise),
      fit.isAtFinger(within: noise), fit.rms.value < other.rms.value
    else { return nil }
    return fit
  }

  /// Whether the finger was elsewhere between one of its places and an instant.
  private func hasMoved(
    since heard: ContactSample, by time: Instant, along axis: FingerAxis
  ) -> Bool {
    let place = heard.along(axis)
    let first = samples.partitioningIndex { $0.time > heard.time }
    return samples[first...].prefix { $0.time <= time }.contains {
      abs($0.value - place) > Drive.leastMove
    }
  }

  /// A finger that goes less between two reports rests, in points.
  private static let leastMove = 0.5

  /// How an item follows by the times of both.
  private func followTimed(_ shown: Shown) throws(TooShortToTell) -> Follow {
    // A frame at the lift may show the place of the lift.
    let end = min(seen, steps < source.times.count ? lift.advanced(byNanoseconds: -1) : lift)
    let whole = shown.range(frames, samples[0].time, lift)
    var first = max(whole.lowerBound, shown.times.partitioningIndex { $0 > start } - 1)
    if zone == 0, axis != nil, start == onset,
      let moved = whole.first(where: { shown.values[$0] != shown.values[whole.lowerBound] })
    {
      first = min(first, max(whole.lowerBound, moved - 1))
    }
    let past = min(whole.upperBound, shown.times.partitioningIndex { $0 > end })
    let judged = first..<max(first, past)
    let fit = try TimedFollow(
      finger: (Array(source.times.prefix(steps)), Array(source.values.prefix(steps))),
      shown: (judged.map { seconds(shown.times[$0]) }, Array(shown.values[judged])),
      exactness: axis != nil
        ? .finger : TimedFollow.Exactness(value: TimedFollow.Exactness.finger.value, time: 0))
    let way = (source.values.last ?? 0) * fit.gain.value
    return .timed(
      fit.scaled(by: scale),
      Follow.Fit(
        lag: fit.lag,
        worst: onset.advanced(byNanoseconds: Int64((fit.worst * 1e9).rounded())),
        end: (shown.values[judged].first ?? 0) + fit.jump.value + way))
  }

  /// The speed of the source when it let go, in its unit.
  ///
  /// - Throws: why it cannot be told.
  package func speed() throws(TooShortToTell) -> FingerSpeed {
    try FingerSpeed(samples, resampled: resampled, lift: lift, seen: seen, pointsPerUnit: scale)
  }

  /// With what speed an item goes on, in its own unit.
  ///
  /// - Parameters:
  ///   - follow: How it follows. `nil`: it is not known.
  ///   - given: Units of the item for one of the source. `nil`: as it follows.
  ///   - end: Until when its settle is looked at.
  /// - Throws: why it cannot be told.
  package func handOver(
    _ shown: Shown, _ follow: Follow?, gain given: Estimated? = nil, until end: Instant
  ) throws(TooShortToTell) -> HandOver {
    let speed = try speed()
    guard let gain = given ?? follow?.gain, gain.value != 0, gain.value.isFinite else {
      throw .noMotion
    }
    // What is no length counts in the finger's points, for which the limits of the estimators are meant.
    let isPlaced = shown.isLength && axis != nil
    let points = isPlaced ? 1 : scale / gain.value
    let isHeard = follow?.dispatched != nil
    // What was seen to let go in pictures lets go of the item as late as that follows.
    let lag = seen < lift ? follow?.lag.atLeast(0) : nil
    let (driven, settle) = split(shown, until: end, isHeard: isHeard, lag: lag?.value ?? 0)
    func scaled(_ range: Range<Int>) -> (times: [Double], values: [Double]) {
      (range.map { seconds(shown.times[$0]) }, range.map { shown.values[$0] * points })
    }
    let last = settle.last { index in
      index > driven.lowerBound
        && abs(shown.values[index] - shown.values[index - 1]) * abs(points) > Settle.leastStep
    }
    guard let last, last > settle.lowerBound else { throw .fewFrames }
    let gaps = zip(shown.times[driven].dropFirst(), shown.times[driven])
    guard let frame = gaps.map({ $0.seconds(since: $1) }).upperMedian else { throw .fewFrames }
    let found = try HandOver(
      lift: speed.scaled(by: scale), gain: isPlaced ? gain : gain.scaled(by: 1 / gain.value),
      driven: scaled(driven), settle: scaled(settle.lowerBound..<last + 1),
      heardPlace: follow?.lastHeard?.scaled(by: points),
      liftTimes: isHeard
        ? nil : seconds(seen) + (lag?.low ?? 0)...seconds(lift) + (lag?.high ?? 0), frame: frame)
    return found.scaled(by: 1 / points)
  }

  /// The samples of an item until it is let go, and behind that.
  private func split(
    _ shown: Shown, until end: Instant, isHeard: Bool, lag: Double = 0
  ) -> (driven: Range<Int>, settle: Range<Int>) {
    var driven = shown.range(isHeard || !shown.frames.isEmpty ? frames : nil, start, lift)
    if lag > 0 {
      let late = lift.advanced(byNanoseconds: Int64((lag * 1e9).rounded()))
      driven =
        driven
        .lowerBound..<max(
          driven.upperBound, shown.times.partitioningIndex { $0 > late })
    }
    let past = shown.times.partitioningIndex { $0 > end }
    return (driven, driven.upperBound..<max(driven.upperBound, past))
  }

  /// What explains the steps of an item that follows. `nil`: it does not.
  ///
  /// - Parameter follow: How it follows.
  package func explained(_ shown: Shown, _ follow: Follow) -> Explained? {
    let driven = split(shown, until: lift, isHeard: follow.dispatched != nil).driven
    guard follow.rSquared > Drive.leastExplained, let last = driven.last else { return nil }
    return Explained(
      driven: shown.times[driven.lowerBound]...shown.times[last],
      rest: follow.end - shown.values[last],
      speed: ((try? speed())?.velocity.value ?? 0) * follow.gain.value, share: follow.rSquared)
  }

  /// The steps of an item that a drive explains.
  package struct Explained {
    /// From the first driven sample to the last.
    package var driven: ClosedRange<Instant>
    /// What was left of the drag in the last driven sample, in the item's unit.
    package var rest: Double
    /// With what speed the drag ended, in the item's unit per second.
    package var speed: Double
    /// How much of the item's variance the drive explains.
    package var share: Double
  }

  private func seconds(_ time: Instant) -> Double { time.seconds(since: onset) }
}

extension Settle {
  /// How an item comes to rest that a contact lets go: behind the last frame that had not heard of the lift.
  ///
  /// - Parameters:
  ///   - frames: Those in which the contact drives.
  ///   - end: Until when its values count.
  /// - Returns: nil if it is not shown in these frames, or not behind them.
  package init?(
    _ shown: Drive.Shown, behind frames: ClosedRange<Int>, until end: Instant,
    target: Double? = nil, unit: String, isStep: Bool = false
  ) {
    let driven = shown.range(frames, .zero, .zero)
    let past = shown.times.partitioningIndex { $0 > end }
    guard !driven.isEmpty, driven.upperBound < past else { return nil }
    let whole = driven.lowerBound..<past
    self.init(
      times: shown.times[whole], values: shown.values[whole], held: driven.upperBound - 1,
      first: driven.upperBound, target: target, unit: unit, isStep: isStep)
  }
}

extension Drive.Shown {
  /// What a track shows: its newest value at each frame of a clock, before its first one that, or without frames its own
  /// samples.
  package init(_ track: Track, in clock: ReadFrames) {
    let (times, values) = (track.curve.times, track.curve.values)
    if clock.times.isEmpty || values.isEmpty {
      self.init(times: times, values: values)
      frames = []
    } else {
      var next = 0
      let shown = clock.times.map { time in
        while next < times.count, times[next] <= time { next += 1 }
        return values[max(0, next - 1)]
      }
      self.init(times: clock.times, values: shown)
    }
    isLength = track.unit.isLength
  }
}

extension SessionData {
  /// When a motion behind a release ends: what the next contact does belongs to that.
  ///
  /// - Parameter end: It ends then at the latest.
  package func end(behind release: Instant, by end: Instant) -> Instant {
    let next = contacts.all.compactMap(\.landing).filter { $0 > release }.min()
    return min(end, next?.advanced(byNanoseconds: -1) ?? end)
  }

  /// How a track comes to rest. An element that a finger lets go does so behind the frames in which that drives, if
  /// ``SessionParts/includesReadFrames`` and all contacts are read.
  ///
  /// - Parameters:
  ///   - start: The first instant that counts.
  ///   - release: When it is let go. `nil`: at its first sample.
  ///   - end: The last instant that counts.
  ///   - target: Where it should end. `nil`: its last value.
  /// - Returns: nil without a sample.
  package func settle(
    of track: Track, from start: Instant, release: Instant?, until end: Instant,
    target: Double? = nil
  ) -> Settle? {
    if !track.axes.isEmpty, let release,
      let contact = contacts.all.first(where: { Drive.isReleased($0, at: release) }),
      let frames = Drive.frames(of: contact, in: readFrames)
    {
      return Settle(
        Drive.Shown(track, in: readFrames), behind: frames,
        until: self.end(behind: release, by: end), target: target, unit: track.unit,
        isStep: track.isStep)
    }
    let curve = track.curve(from: start, to: end)
    return Settle(
      times: curve.times[...], values: curve.values[...], release: release, target: target,
      unit: track.unit, isStep: track.isStep)
  }
}
