import MotionPhysics
import TimelineModel
import TimelineStore

extension RunComparison {
  /// Reads both runs' releases: as they were stored, and as they are decided when asked again.
  mutating func addOutcomes(
    _ a: SessionCurves, _ readerA: RecordingReader, _ b: SessionCurves, _ readerB: RecordingReader,
    asking question: VelocityQuestion
  ) throws {
    outcomesOfA = try RunComparison.outcomes(of: a, in: readerA, asking: question)
    outcomesOfB = try RunComparison.outcomes(of: b, in: readerB, asking: question)
    decisionsAreEqual = a.releases.map(\.outcome) == b.releases.map(\.outcome)
  }

  /// The releases, each with the time until its last settling sample of the progress.
  private static func outcomes(
    of run: SessionCurves, in reader: RecordingReader, asking question: VelocityQuestion
  ) throws -> [Outcome] {
    guard !run.releases.isEmpty else { return [] }
    var next = 0
    var lastSettling: [Instant?] = Array(repeating: nil, count: run.releases.count)
    if let progress = run.progressKey {
      for (time, phase) in zip(progress.curve.times, progress.phases) {
        // Samples and releases are both in the order of time.
        while next < run.releases.count, run.releases[next].time <= time { next += 1 }
        if phase == .settling, next > 0 { lastSettling[next - 1] = time }
      }
    }
    let releases = try VelocityReport(of: run.session, in: reader, asking: question).releases
    return zip(run.releases, lastSettling).enumerated().map { index, pair in
      Outcome(
        decision: pair.0, settleTimeSeconds: pair.1?.seconds(since: pair.0.time),
        recomputed: releases.indices.contains(index) ? releases[index].verdict : nil)
    }
  }
}

/// How fast the keys of two runs were at their releases, by every estimator there is.
struct ReleaseVelocities {
  private let releasesOfA: [VelocityReport.Release]
  private let releasesOfB: [VelocityReport.Release]
  private let names: [String]

  init(
    _ a: SessionCurves, _ readerA: RecordingReader, _ b: SessionCurves, _ readerB: RecordingReader,
    asking question: VelocityQuestion
  ) throws {
    // The session's own comes first, then all by name.
    let own = SessionParameters(a.session).release.estimator
    let estimators = [own] + Estimator.allCases.filter { $0 != own }
    names = estimators.map(\.rawValue)
    func releases(
      _ run: SessionCurves, _ reader: RecordingReader
    ) throws -> [VelocityReport.Release] {
      guard !run.releases.isEmpty else { return [] }
      var question = question
      question.estimators = estimators
      return try VelocityReport(of: run.session, in: reader, asking: question).releases
    }
    releasesOfA = try releases(a, readerA)
    releasesOfB = try releases(b, readerB)
  }

  /// The velocities of a key at each release, in the order of the estimators.
  func velocities(_ key: KeyRecord, _ other: KeyRecord) -> [RunComparison.ReleaseVelocity] {
    let count = max(releasesOfA.count, releasesOfB.count)
    return (0..<count).flatMap { index in
      let a = releasesOfA.indices.contains(index) ? releasesOfA[index].velocities(of: key) : [:]
      let b = releasesOfB.indices.contains(index) ? releasesOfB[index].velocities(of: other) : [:]
      return names.map { name in
        RunComparison.ReleaseVelocity(
          transition: index, estimator: name, a: a[name] ?? nil, b: b[name] ?? nil)
      }
    }
  }
}

extension VelocityReport.Release {
  /// The velocities of a key by the names of the estimators.
  fileprivate func velocities(of key: KeyRecord) -> [String: Double?] {
    var found: [String: Double?] = [:]
    for motion in motions where motion.subject == .key(key) {
      found[motion.estimate.estimator] = .some(motion.estimate.velocity)
    }
    return found
  }
}

extension SessionCurves {
  /// Reads two sessions side by side, each through a connection of its own. Where a second one cannot be
  /// opened, one after the other.
  static func pair(
    _ a: SessionRecord, _ readerA: RecordingReader, _ b: SessionRecord, _ readerB: RecordingReader,
    derivesReleases: Bool
  ) throws -> (SessionCurves, SessionCurves) {
    func curves(_ session: SessionRecord, _ reader: RecordingReader) throws -> SessionCurves {
      try SessionCurves(session, in: reader, derivesReleases: derivesReleases)
    }
    let other = readerA === readerB ? try? RecordingReader(path: readerB.path) : readerB
    guard let other else {
      return (try curves(a, readerA), try curves(b, readerB))
    }
    var results: [Result<SessionCurves, any Error>?] = [nil, nil]
    results.withUnsafeMutableBufferPointer { results in
      doInParallel(2) { place in
        results[place] = Result {
          place == 0 ? try curves(a, readerA) : try curves(b, other)
        }
      }
    }
    guard let first = results[0], let second = results[1] else {
      return (try curves(a, readerA), try curves(b, readerB))
    }
    return (try first.get(), try second.get())
  }
}
