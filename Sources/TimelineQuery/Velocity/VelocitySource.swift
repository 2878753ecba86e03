import JSONText
import MotionPhysics
import TimelineModel
import TimelineStore

/// What velocities are told from: a session's releases, keys, contacts and parameters.
struct VelocitySource {
  let session: SessionRecord
  let reader: RecordingReader
  let question: VelocityQuestion
  let parameters: SessionParameters
  let settle: SettleParameters
  let estimators: [Estimator]
  let releases: [ReleaseRecord]
  /// Why a transition that was finished has no release.
  let warnings: [String]
  /// The releases' instants and transitions in the order of time.
  let releaseTimes: [(time: Instant, transition: Int)]
  /// How each transition was released last.
  let decided: [Int: ReleaseOutcome]
  /// When the engine began each transition, by its number.
  let starts: [Int: Instant]
  /// What was estimated live, by transition and key.
  let recorded: [Int: [KeyHandle: ReleaseEstimate]]
  let keys: [KeyRecord]
  let contacts: Contacts
  /// When the system took contacts away; looked up only.
  private let cancellations: Set<Instant>

  init(
    session: SessionRecord, reader: RecordingReader, question: VelocityQuestion
  ) throws {
    self.session = session
    self.reader = reader
    self.question = question
    parameters = SessionParameters(session)
    settle = question.settle ?? parameters.settle
    estimators = question.answering(own: parameters.release.estimator)
    let released = try reader.releases(in: session.number, derives: question.derivesReleases)
    (releases, warnings) = (released.all, released.warnings)
    releaseTimes = releases.map { ($0.time, $0.transition) }.sorted { $0 < $1 }
    decided = Dictionary(releases.map { ($0.transition, $0.outcome) }) { $1 }
    var recorded: [Int: [KeyHandle: ReleaseEstimate]] = [:]
    for estimate in try reader.estimates(in: session.number) {
      recorded[estimate.transition, default: [:]][estimate.key] = estimate
    }
    self.recorded = recorded
    starts =
      session.description.engineVersion == nil
      ? [:] : try VelocitySource.starts(in: session.number, of: reader)
    keys = try reader.keys(in: session.number)
    contacts = try Contacts(in: session.number, of: reader)
    cancellations = Set(contacts.all.lazy.filter(\.isCancelled).compactMap(\.lift))
  }

  private static func starts(
    in session: Int64, of reader: RecordingReader
  ) throws -> [Int: Instant] {
    var starts: [Int: Instant] = [:]
    let events = try reader.events(in: session)
    while let event = try events.next() {
      guard event.kind == .start,
        let value = try? parseJSON(Array(event.fieldsJSON.utf8)),
        let number = try? JSONReader(value).object()["transition"]?.integer(
          in: 0...Int64(Int32.max))
      else { continue }
      starts[Int(number)] = event.time
    }
    return starts
  }

  /// Where a session without a release is asked about: at the last lift, or else at its last value.
  func lastMoment() throws -> Instant? {
    if let lift = contacts.all.compactMap(\.lift).max() { return lift }
    return try reader.keySummaries(in: session.number).map(\.last.time).max()
  }

  /// The window that an estimator looks through.
  func window(for estimator: Estimator) -> EstimationWindow {
    question.window(for: estimator, own: parameters.release)
  }
}

extension VelocitySource {
  /// Whether a release came of a contact that the system took away. The engine says so; of an app the
  /// contacts themselves do.
  func isCancelled(_ release: ReleaseRecord?, at moment: Instant) -> Bool {
    if let release, release.wasTakenAway || session.description.engineVersion != nil {
      return release.wasTakenAway
    }
    return cancellations.contains(moment)
  }

  /// A release as it was decided, or derived.
  func release(_ released: ReleaseRecord) throws -> VelocityReport.Release {
    let tracks = try tracks(of: released)
    // No rule is known to have decided what is derived; one is asked only where one is named.
    let isRuled = released.recorded != nil || !question.rule.isEmpty
    var release = VelocityReport.Release(
      transition: released.transition, time: released.time, decision: released, settle: settle,
      rulings: isRuled ? rulings(of: released, tracks: tracks) : [], motions: [])
    release.motions = try motions(tracks, of: release)
    return release
  }

  /// A moment that is no release.
  ///
  /// - Parameter isWhatIf: Whether it is asked how a release then would have gone; otherwise nothing
  ///   was decided, and nothing settles.
  func release(at moment: Instant, isWhatIf: Bool = true) throws -> VelocityReport.Release {
    if let released = releases.first(where: { $0.time == moment }) {
      return try release(released)
    }
    let next = releases.first { $0.time > moment }
    var release = VelocityReport.Release(
      transition: next?.transition, time: moment, decision: nil, settle: settle, rulings: [],
      motions: [])
    let tracks = try tracks(at: moment)
    if isWhatIf || !question.rule.isEmpty, let key = progressKey, let samples = tracks[key.handle],
      let value = samples.last?.value
    {
      let rule = question.rule.applied(to: ownRule)
      release.rulings = estimators.map {
        ruling(
          by: $0, of: samples, lift: moment, progress: value, rule: rule,
          isCancelled: isCancelled(nil, at: moment))
      }
    }
    release.motions = try motions(tracks, of: release)
    return release
  }

  /// The session's rule, for what no recorded decision says it of.
  private var ownRule: ReleaseRule {
    var rule = parameters.release.rule
    rule.distance = rule.distance ?? session.description.viewport?.width
    return rule
  }

  /// The key of the transitions' progress.
  var progressKey: KeyRecord? { keys.first { $0.role == .progress } }

  /// What the rule says of a release's progress, by every estimator that answers; nothing of one without.
  func rulings(
    of release: ReleaseRecord, tracks: [KeyHandle: [Sample]]
  ) -> [VelocityReport.Ruling] {
    guard let progress = release.progress else { return [] }
    let rule = question.rule.applied(
      to: release.recorded.map { ReleaseRule(of: $0, else: parameters.release.rule) } ?? ownRule)
    let samples = progressKey.flatMap { tracks[$0.handle] } ?? []
    let isCancelled = isCancelled(release, at: release.time)
    return estimators.map { estimator in
      guard samples.isEmpty, !isCancelled else {
        return ruling(
          by: estimator, of: samples, lift: release.time, progress: progress, rule: rule,
          isCancelled: isCancelled)
      }
      // An app that decides by itself need not record its progress as a key.
      return VelocityReport.Ruling(
        estimator: estimator, rule: rule, progress: progress,
        velocity: release.recorded?.progressVelocity,
        standardError: release.recorded?.progressStandardError)
    }
  }

  private func ruling(
    by estimator: Estimator, of samples: [Sample], lift: Instant, progress: Double,
    rule: ReleaseRule, isCancelled: Bool
  ) -> VelocityReport.Ruling {
    let estimate =
      isCancelled
      ? estimator.ofCancelledContact
      : estimator.estimate(samples, lift: lift, window: window(for: estimator))
    return VelocityReport.Ruling(
      estimator: estimator, rule: rule, progress: progress, velocity: estimate.velocity,
      standardError: estimate.standardError)
  }
}
