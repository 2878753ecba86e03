import MotionPhysics
import TimelineModel
import TimelineStore

extension RunComparison {
  /// Takes both runs' releases: as they were stored, and as they are decided when asked again.
  mutating func addOutcomes(
    _ a: SessionCurves, _ b: SessionCurves, _ releases: ReleaseVelocities
  ) {
    outcomesOfA = RunComparison.outcomes(of: a, releases.releasesOfA)
    outcomesOfB = RunComparison.outcomes(of: b, releases.releasesOfB)
    decisionsAreEqual = a.releases.map(\.outcome) == b.releases.map(\.outcome)
  }

  /// The releases, each with the time until its last settling sample of the progress.
  private static func outcomes(
    of run: SessionCurves, _ releases: [ReleaseVelocities.Release]
  ) -> [Outcome] {
    var next = 0
    var lastSettling: [Instant?] = Array(repeating: nil, count: run.releases.count)
    if let progress = run.progressKey {
      for (time, phase) in zip(progress.curve.times, progress.phases) {
        // Samples and releases are both in the order of time.
        while next < run.releases.count, run.releases[next].time <= time { next += 1 }
        if phase == .settling, next > 0 { lastSettling[next - 1] = time }
      }
    }
    return zip(run.releases, lastSettling).enumerated().map { index, pair in
      Outcome(
        decision: pair.0, settleTimeSeconds: pair.1?.seconds(since: pair.0.time),
        recomputed: releases.indices.contains(index) ? releases[index].ruleDecision : nil)
    }
  }
}

/// How fast the keys of two runs were at their releases, by the estimators that are asked for.
struct ReleaseVelocities {
  /// What is kept of the answers about a release: the rest of them would take a hundred times the room.
  struct Release {
    /// What the session's own rule and estimator say; nil where no rule is asked.
    var ruleDecision: ReleaseRule.Decision?
    /// Each key's velocities, in units per second, in the order of the estimators.
    var velocities: [KeyHandle: [Double?]] = [:]
  }

  /// A's releases; empty where nobody asks.
  private(set) var releasesOfA: [Release] = []
  /// B's.
  private(set) var releasesOfB: [Release] = []
  /// How many answers of estimators it took.
  private(set) var estimateCount = 0
  private let names: [String]
  private let keyNames: Set<String>

  init(
    _ a: SessionCurves, _ readerA: RecordingReader, _ b: SessionCurves, _ readerB: RecordingReader,
    options: RunComparison.Options
  ) throws {
    let own = SessionParameters(a.session).release.estimator
    // The session's own comes first, then all by name.
    let estimators =
      [own] + (options.velocities == .all ? Estimator.allCases.filter { $0 != own } : [])
    names = estimators.map(\.rawValue)
    keyNames = Set(a.keys.map(\.record.name)).intersection(b.keys.map(\.record.name)).filter {
      (options.keyName ?? $0) == $0
        && (options.velocities != .judged || options.tolerances?.judgesVelocity(of: $0) ?? false)
    }
    guard options.velocities != .judged || !keyNames.isEmpty else { return }
    var question = VelocityQuestion()
    question.derivesReleases = options.derivesReleases
    question.estimators = estimators
    question.keyNames = keyNames
    question.contacts = []
    releasesOfA = try ask(a, readerA, question)
    releasesOfB = try ask(b, readerB, question)
  }

  /// Asks about a run's releases, its own estimator besides where that is another one.
  private mutating func ask(
    _ run: SessionCurves, _ reader: RecordingReader, _ question: VelocityQuestion
  ) throws -> [Release] {
    guard !run.releases.isEmpty else { return [] }
    let own = SessionParameters(run.session).release.estimator
    var question = question
    if !question.estimators.contains(own) { question.estimators.append(own) }
    let source = try VelocitySource(session: run.session, reader: reader, question: question)
    defer { estimateCount += source.asked.value }
    let places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    return try source.releases.map { record in
      let release = try source.release(record)
      var kept = Release(
        ruleDecision: release.estimatorDecisions.first { $0.estimator == own.rawValue }?
          .ruleDecision)
      for motion in release.motions {
        guard case .key(let key) = motion.subject, let place = places[motion.estimate.estimator]
        else { continue }
        kept.velocities[key.handle, default: Array(repeating: nil, count: names.count)][place] =
          motion.estimate.velocity
      }
      return kept
    }
  }

  /// The velocities of a key at each release, in the order of the estimators; empty where nobody asks.
  func velocities(_ key: KeyRecord, _ other: KeyRecord) -> [RunComparison.ReleaseVelocity] {
    guard keyNames.contains(key.name) else { return [] }
    let count = max(releasesOfA.count, releasesOfB.count)
    return (0..<count).flatMap { index in
      let a = releasesOfA.indices.contains(index) ? releasesOfA[index].velocities[key.handle] : nil
      let b =
        releasesOfB.indices.contains(index) ? releasesOfB[index].velocities[other.handle] : nil
      return names.enumerated().map { place, name in
        RunComparison.ReleaseVelocity(
          transition: index, estimator: name, a: a?[place], b: b?[place])
      }
    }
  }
}

extension Tolerances {
  /// Whether a rule judges how fast a key was at its releases.
  fileprivate func judgesVelocity(of name: String) -> Bool {
    bound(for: .releaseVelocity, of: name).map { $0.rule.level != .off } ?? false
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
