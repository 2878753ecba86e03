import MotionPhysics
import TimelineModel
import TimelineStore

/// How far before a release values are looked for first, in nanoseconds: several windows of every estimator but those
/// that look at all there is.
private let shortLook: Int64 = 1_000_000_000

extension VelocitySource {
  /// The earliest instant at which each key has a value; nil of a session that is not finished, which does not say that.
  static func firstInstants(
    of session: SessionRecord, in reader: RecordingReader
  ) throws -> [KeyHandle: Instant]? {
    guard session.end != nil else { return nil }
    let summaries = try reader.keySummaries(in: session.number)
    return Dictionary(summaries.map { ($0.key, $0.first.time) }) { first, _ in first }
  }

  /// The samples in the second before a release, for a question that is brief; nil where earlier ones may say something
  /// of the velocities or the decision, and where no less would be read.
  func endOfTracks(of release: ReleaseRecord) throws -> Tracks? {
    // What the engine ran is read as the live side had it. A compositor's rule counts all reports.
    guard question.isBrief, starts[release.transition] == nil, !estimators.contains(.auto),
      rule(of: release).map({ question.rule.applied(to: $0).kind.definition.preset == nil }) ?? true
    else { return nil }
    let (start, end) = (afterRelease(before: release.time), release.time)
    let (bound, overflow) = end.nanoseconds.subtractingReportingOverflow(shortLook)
    let first = Instant(nanoseconds: overflow ? .min : bound)
    guard start < first else { return nil }
    let asked = keys.filter {
      question.keyNames?.contains($0.name) ?? true || $0.handle == progressKey?.handle
    }
    let isSettling = release.recorded == nil
    var tracks =
      readsColumns
      ? try self.tracks(of: asked, from: first, to: end, settling: isSettling)
      : try self.tracks(from: first, to: end, settling: isSettling)
    for key in asked {
      let earliest = firstInstants.map { $0[key.handle] ?? Instant(nanoseconds: .max) }
      if let earliest, earliest > end { continue }
      let samples = tracks.samples[key.handle] ?? []
      let isEnough = estimators.allSatisfy {
        window(for: $0, pointsPerUnit: 1).ends(among: samples, lift: end)
      }
      if isEnough || earliest.map({ $0 >= first }) == true { continue }
      guard readsColumns else { return nil }
      tracks.samples[key.handle] = try track(of: key, from: start, to: end, settling: isSettling)
    }
    return tracks
  }

  /// The samples of a key as those of every key are read (``tracks(of:)``).
  private func track(
    of key: KeyRecord, from start: Instant, to end: Instant, settling: Bool
  ) throws -> [Sample]? {
    let first = firstLook(from: start, to: end)
    let samples = try tracks(of: [key], from: first, to: end, settling: settling)
      .samples[key.handle]
    guard samples == nil, first > start else { return samples }
    // Forwards: of sealed samples the segments without the key are passed over.
    let rows = try reader.samples(of: key.handle, in: session.number, from: start...end)
    var newest: SampleRecord?
    while let row = try rows.next() { newest = row }
    return newest.flatMap { $0.phase != .settling || settling ? [$0.sample] : nil }
  }

  /// The samples of some keys in a stretch of time, from columns, without the phases in the window.
  private func tracks(
    of keys: [KeyRecord], from start: Instant, to end: Instant, settling: Bool
  ) throws -> Tracks {
    let settled = lastBegin(upTo: end)
    let asked = Set(keys.map(\.handle))
    var tracks: [KeyHandle: [Sample]] = [:]
    func addAll(_ all: [SampleColumns.Series]) {
      for series in all {
        let key = KeyHandle(rawValue: series.key)
        guard asked.contains(key) else { continue }
        let first = series.times.partitioningIndex { $0 >= start.nanoseconds }
        let past = series.times.partitioningIndex { $0 > end.nanoseconds }
        var samples: [Sample] = []
        for index in first..<max(first, past) {
          let time = Instant(nanoseconds: series.times[index])
          guard series.phase(index) != .settling || settling && time >= settled else { continue }
          samples.append(Sample(time: time, value: series.value(index)))
        }
        if !samples.isEmpty { tracks[key, default: []] += samples }
      }
    }
    // A few keys are unpacked one by one, many of them with their clocks, which they mostly share.
    if keys.count * 2 < self.keys.count {
      for key in keys {
        try reader.forEachSegment(in: session.number, key: key.handle, from: start...end, addAll)
      }
    } else {
      try reader.forEachSegment(in: session.number, from: start...end, addAll)
    }
    return (tracks, [], false)
  }

  /// The releases of a session with many of them: the first ones whole, of the others the progress's velocity and the
  /// decision.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  static func releases(
    of session: SessionRecord, in reader: RecordingReader, asking question: VelocityQuestion,
    wholeUpTo count: Int
  ) throws -> [VelocityReport.Release] {
    var brief = question
    brief.isBrief = true
    let progress = try reader.keys(in: session.number).first { $0.role == .progress }
    brief.keyNames = Set([progress?.name].compactMap { $0 })
    let source = try VelocitySource(session: session, reader: reader, question: brief)
    let whole = source.asking(question)
    return try source.releases.enumerated().map { index, release in
      index < count ? try whole.release(release) : try source.release(release)
    }
  }
}
