import MotionPhysics
import TimelineModel
import TimelineStore

/// The length of the recording before a moment that is read for its velocity, in nanoseconds: a minute holds the
/// longest gesture many times over, and a transition of hours is not read for one velocity.
private let longestLook: Int64 = 60_000_000_000

extension VelocitySource {
  /// Samples by their keys, and where settling ones are among them the phases that the window has.
  /// `beginsLater` says that only the last minute of the stretch was read.
  typealias Tracks = (
    samples: [KeyHandle: [Sample]], phases: [MotionPhase], beginsLater: Bool
  )

  /// The samples that a release was judged by; of one that is derived those of any phase.
  ///
  /// They begin with the transition's start, or, where no engine says when that was, after the release
  /// before. A transition may begin or end at the very instant at which another one ends or begins; so many
  /// samples as the live side counted are taken then.
  ///
  /// - Parameter forEveryRule: Whether rules that keep an account of all reports are asked about the samples, too.
  func tracks(of release: ReleaseRecord, forEveryRule: Bool = false) throws -> Tracks {
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

  /// When the last transition began up to an instant; the beginning of all time where none did.
  func lastBegin(upTo end: Instant) -> Instant {
    let begun = begins.partitioningIndex { $0 > end }
    return begun > 0 ? begins[begun - 1] : Instant(nanoseconds: .min)
  }

  /// The samples of every key in a stretch of time in recording order; one walk through the rows, however many keys
  /// there are. Settling ones are left out, or where they count those before the last start of a transition.
  ///
  /// The last minute is read, and the last value of a key that was silent for so long.
  ///
  /// - Parameter isWhole: Whether all of the stretch is read, however long it is.
  func tracks(
    from start: Instant, to end: Instant, settling: Bool, isWhole: Bool = false
  ) throws -> Tracks {
    guard start <= end else { return ([:], [], false) }
    let settled = lastBegin(upTo: end)
    let first = isWhole ? start : firstLook(from: start, to: end)
    var tracks: [KeyHandle: [Sample]] = [:]
    var latest: [MotionPhase: Instant] = [:]
    let rows = try reader.samples(in: session.number, from: first...end)
    while let row = try rows.next() {
      guard row.phase != .settling || settling && row.sample.time >= settled else { continue }
      tracks[row.key, default: []].append(row.sample)
      latest[row.phase] = row.sample.time
    }
    if first > start {
      let silent = keys.map(\.handle).filter { tracks[$0] == nil }
      let last = try reader.newestSamples(of: silent, in: session.number, from: start...end)
      for key in silent {
        if let row = last[key], row.phase != .settling || settling { tracks[key] = [row.sample] }
      }
    }
    let horizon = window(for: estimators[0], pointsPerUnit: 1).horizonNanoseconds
    return (
      tracks,
      MotionPhase.allCases.filter { phase in
        settling && latest[phase].map { end.nanoseconds(since: $0) <= horizon } ?? false
      }, first > start
    )
  }
}
