import MotionPhysics
import TimelineModel
import TimelineStore

/// How far before a moment values are looked for where no engine ran, in nanoseconds: a minute holds the
/// longest gesture many times over, and a recording of hours is not read for one velocity.
private let longestLook: Int64 = 60_000_000_000

extension VelocitySource {
  /// Samples by their keys, and where settling ones are among them the phases that the window has.
  typealias Tracks = (samples: [KeyHandle: [Sample]], phases: [MotionPhase])

  /// The samples that a release was judged by; of one that is derived those of any phase.
  ///
  /// They begin with the transition's start, or, where no engine says when that was, after the release
  /// before. A transition may begin or end at the very instant at which another one ends or begins; so many
  /// samples as the live side counted are taken then.
  func tracks(of release: ReleaseRecord) throws -> Tracks {
    guard let start = starts[release.transition] else {
      return try tracks(
        from: afterRelease(before: release.time), to: release.time,
        settling: release.recorded == nil)
    }
    var tracks = try tracks(from: start, to: release.time, settling: release.recorded == nil)
    guard session.schemaVersion >= VelocitySource.firstVersionThatCounts else { return tracks }
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
  private func afterRelease(before moment: Instant) -> Instant {
    let end = releaseTimes.partitioningIndex { $0.time >= moment }
    return end > 0
      ? releaseTimes[end - 1].time.advanced(byNanoseconds: 1) : Instant(nanoseconds: .min)
  }

  /// The samples of every key in a stretch of time in recording order; one walk through the rows, however many keys
  /// there are. Settling ones are left out, or where they count those before the last start of a transition.
  ///
  /// What the engine ran is read whole, as the live side had it. Elsewhere the last minute is read, and
  /// the last value of a key that was silent for so long.
  private func tracks(from start: Instant, to end: Instant, settling: Bool) throws -> Tracks {
    guard start <= end else { return ([:], []) }
    let begun = begins.partitioningIndex { $0 > end }
    let settled = begun > 0 ? begins[begun - 1] : Instant(nanoseconds: .min)
    let isWhole = session.description.engineVersion != nil
    let (bound, overflow) = end.nanoseconds.subtractingReportingOverflow(longestLook)
    let first =
      isWhole ? start : max(start, Instant(nanoseconds: overflow ? Int64.min : bound))
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
      }
    )
  }
}
