import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// The length of the recording before a moment that is read for its velocity, in nanoseconds: a minute holds the
/// longest gesture many times over, and a transition of hours is not read for one velocity.
private let longestLook: Int64 = 60_000_000_000

/// How far before a release values are looked for before all are, in nanoseconds: several windows of every estimator but
/// those that look at all there is.
private let shortLook: Int64 = 1_000_000_000

extension VelocitySource {
  /// Samples by their keys, and where settling ones are among them the phases that the window has.
  /// `beginsLater` says that only the last minute of the stretch was read.
  package typealias Tracks = (
    samples: [KeyHandle: [Sample]], phases: [MotionPhase], beginsLater: Bool
  )

  /// The samples that a release was judged by. Of one that is derived those of any phase.
  ///
  /// They begin with the transition's start, or, where no engine says when that was, after the release
  /// before. A transition may begin or end at the very instant at which another one ends or begins. So many
  /// samples as the live side counted are taken then.
  ///
  /// - Parameter forEveryRule: Whether rules that keep an account of all reports are asked about the samples, too.
  package func tracks(of release: ReleaseRecord, forEveryRule: Bool = false) throws -> Tracks {
    let settling = release.recorded == nil
    guard let start = starts[release.transition] else {
      return try tracks(
        from: afterRelease(before: release.time), to: release.time, settling: settling)
    }
    let kind = question.rule.kind ?? rule(of: release)?.kind
    var tracks = try tracks(
      from: start, to: release.time, settling: settling,
      isWhole: forEveryRule || kind?.definition.account != nil)
    guard session.schemaVersion >= VelocitySource.firstVersionThatCounts else { return tracks }
    if tracks.beginsLater {
      // Two values of a key at the release: how many of them count is known by the number of all.
      let isTied = tracks.samples.contains {
        $0.value.suffix(2).first?.time == release.time && $0.value.count > 1
      }
      guard isTied else { return tracks }
      tracks = try self.tracks(from: start, to: release.time, settling: settling, isWhole: true)
    }
    let first = releaseTimes.partitioningIndex { $0.time >= start }
    let followsARelease = releaseTimes[first...].prefix { $0.time == start }.contains {
      $0.transition != release.transition
    }
    for (key, estimate) in recorded[release.transition] ?? [:] {
      let count = estimate.estimate.sampleCount + estimate.estimate.leftOut.total
      guard let samples = tracks.samples[key], samples.count > count else { continue }
      tracks.samples[key] = Array(followsARelease ? samples.suffix(count) : samples.prefix(count))
    }
    return tracks
  }

  /// The samples of any phase at a moment that is no release: those since the transition's start, or since the
  /// release before.
  func tracks(at moment: Instant) throws -> Tracks {
    let begun = starts.values.filter { $0 <= moment }.max() ?? Instant(nanoseconds: .min)
    return try tracks(
      from: max(begun, afterRelease(before: moment)), to: moment, settling: true)
  }

  /// The first schema whose estimates count every sample that was left out.
  private static let firstVersionThatCounts: Int64 = 2

  /// Samples up to and at the release before belong to an earlier transition.
  func afterRelease(before moment: Instant) -> Instant {
    let end = releaseTimes.partitioningIndex { $0.time >= moment }
    return end > 0
      ? releaseTimes[end - 1].time.advanced(byNanoseconds: 1) : Instant(nanoseconds: .min)
  }

  /// From when on samples are read: the last minute.
  func firstLook(from start: Instant, to end: Instant) -> Instant {
    let (bound, overflow) = end.nanoseconds.subtractingReportingOverflow(longestLook)
    return max(start, Instant(nanoseconds: overflow ? Int64.min : bound))
  }

  /// When the last transition began up to an instant. The beginning of all time where none did.
  func lastBegin(upTo end: Instant) -> Instant {
    let begun = begins.partitioningIndex { $0 > end }
    return begun > 0 ? begins[begun - 1] : Instant(nanoseconds: .min)
  }

  /// The samples of keys in a stretch of time, of each in recording order. Settling ones are left out, or if they count
  /// those before the last start of a transition.
  ///
  /// The last minute is read, and the last value of a key that was silent for so long.
  ///
  /// - Parameters:
  ///   - asked: The keys. `nil`: all.
  ///   - isWhole: Whether all of the stretch is read, however long it is.
  func tracks(
    of asked: [KeyRecord]? = nil, from start: Instant, to end: Instant, settling: Bool,
    isWhole: Bool = false
  ) throws -> Tracks {
    guard start <= end else { return ([:], [], false) }
    let settled = lastBegin(upTo: end)
    let first = isWhole ? start : firstLook(from: start, to: end)
    var tracks: [KeyHandle: [Sample]] = [:]
    var latest: [MotionPhase: Instant] = [:]
    func add(_ all: [SampleColumns.Series]) -> Bool {
      for series in all {
        var samples: [Sample] = []
        var newest: (phase: MotionPhase, time: Instant)?
        func endRun() {
          guard let newest else { return }
          latest[newest.phase] = max(latest[newest.phase] ?? newest.time, newest.time)
        }
        for index in series.positions(in: first...end) {
          let (sample, phase) = (series.sample(index), series.phase(index))
          guard phase != .settling || settling && sample.time >= settled else { continue }
          samples.append(sample)
          if newest?.phase != phase { endRun() }
          newest = (phase, sample.time)
        }
        endRun()
        if !samples.isEmpty { tracks[KeyHandle(rawValue: series.key), default: []] += samples }
      }
      return true
    }
    // A few keys are read one by one, many of them with their clocks, which they mostly share.
    if let asked, readsByKey, asked.count * 2 < data.keys.count {
      for key in asked { try source.forEachSample(of: key.handle, in: first...end, add) }
    } else {
      try source.forEachSample(of: nil, in: first...end, add)
    }
    if first > start {
      let silent = (asked ?? data.keys).map(\.handle).filter { tracks[$0] == nil }
      for (key, row) in try source.reader.newestSamples(
        of: silent, in: session.number, from: start...end)
      where row.phase != .settling || settling {
        tracks[key] = [row.sample]
      }
    }
    let horizon = window(for: estimators[0], pointsPerUnit: 1).horizonNanoseconds
    let phases = MotionPhase.allCases.filter { phase in
      settling && latest[phase].map { end.nanoseconds(since: $0) <= horizon } ?? false
    }
    return (tracks, phases, first > start)
  }

  // MARK: - Brief questions

  /// The last samples before a release, for a question that is brief: two windows, or a second. `nil` if earlier ones may say
  /// something of the velocities or the decision, and if no less would be read.
  func endOfTracks(of release: ReleaseRecord) throws -> Tracks? {
    // What the engine ran is read as the live side had it. A compositor's rule counts all reports.
    guard question.isBrief, starts[release.transition] == nil else { return nil }
    guard !estimators.contains(.auto),
      rule(of: release).map({ question.rule.applied(to: $0).kind.definition.preset == nil }) ?? true
    else { return nil }
    let (start, end) = (afterRelease(before: release.time), release.time)
    func before(_ nanoseconds: Int64) -> Instant {
      let (bound, overflow) = end.nanoseconds.subtractingReportingOverflow(nanoseconds)
      return Instant(nanoseconds: overflow ? .min : bound)
    }
    var first = before(shortLook)
    guard start < first else { return nil }
    func isAsked(_ key: KeyRecord) -> Bool {
      question.keyNames?.contains(key.name) ?? true || key.handle == progressKey?.handle
    }
    // A copy of all keys would take much memory.
    let asked = data.keys.allSatisfy(isAsked) ? data.keys : data.keys.filter(isAsked)
    let isSettling = release.recorded == nil
    let windows = estimators.map { window(for: $0, pointsPerUnit: 1) }
    func isEnough(_ key: KeyRecord, _ tracks: Tracks) -> Bool {
      let earliest = firstInstants.map { $0[key.handle] ?? Instant(nanoseconds: .max) }
      if let earliest, earliest > end || earliest >= first { return true }
      let samples = tracks.samples[key.handle] ?? []
      return windows.allSatisfy { $0.ends(among: samples, lift: end) }
    }
    let twoWindows = windows.reduce(0) { max($0, 2 * min($1.horizonNanoseconds, shortLook / 2)) }
    first = before(twoWindows)
    var tracks = try tracks(of: asked, from: first, to: end, settling: isSettling)
    if twoWindows < shortLook, !asked.allSatisfy({ isEnough($0, tracks) }) {
      first = before(shortLook)
      tracks = try self.tracks(of: asked, from: first, to: end, settling: isSettling)
    }
    for key in asked where !isEnough(key, tracks) {
      guard readsByKey else { return nil }
      tracks.samples[key.handle] =
        try self.tracks(of: [key], from: start, to: end, settling: isSettling).samples[key.handle]
    }
    return tracks
  }

  /// The releases of a session with many of them: the first ones whole, of the others the progress's velocity and the
  /// decision.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  package static func releases(
    of source: FileSource, asking question: VelocityQuestion, wholeUpTo count: Int
  ) throws -> [VelocityReport.Release] {
    var brief = question
    brief.isBrief = true
    let progress = try source.keys().first { $0.role == .progress }
    brief.keyNames = Set([progress?.name].compactMap { $0 })
    let source = try VelocitySource(source, asking: brief)
    let whole = source.asking(question)
    return try source.data.releases.enumerated().map { index, release in
      index < count ? try whole.release(release) : try source.release(release)
    }
  }
}
