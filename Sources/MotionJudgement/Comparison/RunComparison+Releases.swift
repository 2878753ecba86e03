import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore

extension RunComparison {
  /// Takes both sessions' releases: as they were stored, and as they are decided when asked again.
  mutating func addOutcomes(
    _ a: SessionData, _ readerA: RecordingReader, _ b: SessionData,
    _ readerB: RecordingReader, _ releases: ReleaseVelocities
  ) throws {
    let asks = releases.asksAboutMargins
    func outcomes(_ isSecond: Bool, _ reader: RecordingReader) throws -> [Outcome] {
      try RunComparison.outcomes(
        of: isSecond ? b : a, in: reader, isSecond ? releases.releasesOfB : releases.releasesOfA,
        asks)
    }
    // A second connection takes longer than short sessions do.
    (outcomesOfA, outcomesOfB) =
      a.tracks.readsApart
      ? try inPair(readerA, readerB, outcomes)
      : (try outcomes(false, readerA), try outcomes(true, readerB))
    decisionsAreEqual = a.releases.map(\.outcome) == b.releases.map(\.outcome)
  }

  /// The releases, each with the time that the progress takes to settle.
  private static func outcomes(
    of run: SessionData, in reader: RecordingReader, _ releases: [ReleaseVelocities.Release],
    _ asksAboutMargins: Bool
  ) throws -> [Outcome] {
    let margins =
      asksAboutMargins && releases.isEmpty
      ? try run.margins(from: FileSource(run.session, in: reader)) : nil
    let stored = try reader.estimates(in: run.session.number)
    return try run.releases.enumerated().map { index, release in
      let key = run.progressKey?.record.handle
      let estimate = stored.last { $0.key == key && $0.transition == release.transition }
      let recomputed = releases.indices.contains(index) ? releases[index].ruleDecision : nil
      return Outcome(
        decision: release,
        settleTimeSeconds: try reader.settleSeconds(
          of: key, after: release, in: run.session, estimate?.settleTimeSeconds),
        recomputed: recomputed,
        margin: margins?[index] ?? release.marginProgress(asking: recomputed))
    }
  }
}

/// How fast the keys of two sessions were at their releases, by the estimators that are asked for.
struct ReleaseVelocities {
  /// The part of the answers about a release that is kept: all of them would take a hundred times the room.
  struct Release {
    /// What the session's own rule and estimator say. `nil` where no rule is asked.
    var ruleDecision: ReleaseRule.Decision?
    /// Each key's velocities, in units per second, in the order of the estimators. Key after key in the order of the
    /// keys' numbers.
    var velocities: [OptionalNumber] = []
  }

  /// A's releases. Empty where nobody asks.
  private(set) var releasesOfA: [Release] = []
  /// B's.
  private(set) var releasesOfB: [Release] = []
  /// Where the keys of a run are among its velocities.
  private var (placesOfA, placesOfB) = (IndexByNumber([]), IndexByNumber([]))
  /// How many answers of estimators it took.
  private(set) var estimateCount = 0
  /// Whether the margin of a decision is judged that was recorded without one.
  let asksAboutMargins: Bool
  private let estimators: [Estimator]
  private let keyNames: Set<String>

  init(
    _ a: SessionData, _ readerA: RecordingReader, _ b: SessionData, _ readerB: RecordingReader,
    options: RunComparison.Options
  ) throws {
    asksAboutMargins =
      options.tolerances?.bound(for: .margin).map { $0.rule.level != .off } ?? false
    let own = try readerA.parameters(of: a.session).release.estimator
    // The session's own comes first, then all by name.
    let others: [Estimator] =
      switch options.velocities {
      case .judged, .own: []
      case .also(let other): [other]
      case .all: Estimator.allCases
      }
    estimators = [own] + others.filter { $0 != own }
    keyNames = Set(a.tracks.all.map(\.record.name)).intersection(b.tracks.all.map(\.record.name))
      .filter {
        options.keyNames?.contains($0) ?? true
          && (options.velocities != .judged || options.tolerances?.judgesVelocity(of: $0) ?? false)
      }
    guard options.velocities != .judged || !keyNames.isEmpty else { return }
    var question = VelocityQuestion()
    question.derivesReleases = options.derivesReleases
    question.estimators = estimators
    question.keyNames = keyNames
    question.contacts = []
    question.isBrief = true
    (releasesOfA, placesOfA) = try ask(a, readerA, question)
    (releasesOfB, placesOfB) = try ask(b, readerB, question)
  }

  /// Asks about a session's releases, its own estimator besides where that is another one.
  private mutating func ask(
    _ run: SessionData, _ reader: RecordingReader, _ question: VelocityQuestion
  ) throws -> ([Release], places: IndexByNumber) {
    let keys = run.tracks.all.compactMap { [keyNames] in
      keyNames.contains($0.name) ? $0.record.handle.rawValue : nil
    }
    let places = IndexByNumber(keys.enumerated().map { ($1, $0) })
    guard !run.releases.isEmpty else { return ([], places) }
    let own = try reader.parameters(of: run.session).release.estimator
    var question = question
    if !question.estimators.contains(own) { question.estimators.append(own) }
    let source = try VelocitySource(FileSource(run.session, in: reader), asking: question)
    defer { estimateCount += source.asked.value }
    let positions = Dictionary(uniqueKeysWithValues: zip(estimators, estimators.indices))
    let (count, keyCount) = (estimators.count, keys.count)
    let all = try source.data.releases.map { record in
      var kept = Release()
      kept.velocities = Array(repeating: .none, count: keyCount * count)
      let release = try source.release(record) { _, motion in
        guard case .key(let key) = motion.subject,
          let estimator = motion.estimate.estimator.estimator,
          let position = positions[estimator], case let place = places[key.handle.rawValue],
          place >= 0
        else { return }
        kept.velocities[place * count + position] = OptionalNumber(motion.estimate.velocity)
      }
      kept.ruleDecision = release.decisions.first { $0.estimator == own }
      return kept
    }
    return (all, places)
  }

  /// The velocities of a key at each release, in the order of the estimators. Empty where nobody asks.
  func velocities(_ key: KeyRecord, _ other: KeyRecord) -> [RunComparison.ReleaseVelocity] {
    guard keyNames.contains(key.name) else { return [] }
    let count = max(releasesOfA.count, releasesOfB.count)
    return (0..<count).flatMap { index in
      estimators.enumerated().map { position, estimator in
        func velocity(
          _ releases: [Release], _ places: IndexByNumber, _ key: KeyRecord
        ) -> Double? {
          guard releases.indices.contains(index) else { return nil }
          return releases[index].velocities[
            places[key.handle.rawValue] * estimators.count + position
          ].value
        }
        return RunComparison.ReleaseVelocity(
          transition: index, estimator: estimator.rawValue,
          a: velocity(releasesOfA, placesOfA, key), b: velocity(releasesOfB, placesOfB, other))
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

extension SessionData {
  /// Reads two sessions side by side.
  static func pair(
    _ a: SessionRecord, _ readerA: RecordingReader, _ b: SessionRecord, _ readerB: RecordingReader,
    options: RunComparison.Options
  ) throws -> (SessionData, SessionData) {
    try inPair(readerA, readerB) { isSecond, reader in
      try reader.inOneState {
        try SessionData(FileSource(isSecond ? b : a, in: reader), reading: options.parts)
      }
    }
  }
}

/// Reads two recordings side by side, each through a connection of its own. Where a second one cannot be opened, or would
/// see a newer state of the file, one after the other.
private func inPair<Part>(
  _ readerA: RecordingReader, _ readerB: RecordingReader,
  _ read: (_ isSecond: Bool, RecordingReader) throws -> Part
) throws -> (Part, Part) {
  let other = readerA === readerB ? readerA.sameState() : readerB
  guard let other else { return (try read(false, readerA), try read(true, readerB)) }
  var results: [Result<Part, any Error>?] = [nil, nil]
  results.withUnsafeMutableBufferPointer { results in
    doInParallel(2) { position in
      results[position] = Result { try read(position == 1, position == 0 ? readerA : other) }
    }
  }
  guard let first = results[0], let second = results[1] else {
    return (try read(false, readerA), try read(true, readerB))
  }
  return (try first.get(), try second.get())
}
