public import MotionPhysics
public import TimelineModel
public import TimelineStore

/// How fast everything moved at a release or at any other moment, and how the rest went from there.
public struct VelocityReport: Hashable, Sendable {
  /// What was released, in the order of the recording; one without a decision where nothing was.
  public var releases: [Release]

  /// A release, or another moment that was asked about.
  public struct Release: Hashable, Sendable {
    /// Number of the transition in its session; nil when the moment belongs to none.
    public var transition: Int?
    /// The moment.
    public var time: Instant
    /// What was decided then; nil at a moment that is no release.
    public var decision: ReleaseDecision?
    /// What the release rule says of the progress then; nil without a progress.
    public var verdict: ReleaseRule.Verdict?
    /// One entry for every key, and for both axes of every contact that was down.
    public var motions: [Motion]
  }

  /// One value's motion at the moment.
  public struct Motion: Hashable, Sendable {
    /// What moved.
    public var subject: Subject
    /// The last value before the moment.
    public var value: Double
    /// Velocity, interval and samples.
    public var estimate: VelocityEstimate
    /// Where the settle goes; nil for what does not settle.
    public var target: Double?
    /// Target minus value, signed.
    public var remaining: Double?
    /// Velocity divided by the remaining distance, per second; 0 at the target.
    public var relativeVelocity: Double?
    /// Seconds until the settle is over, by the `core-animation` definition.
    public var settleTimeSeconds: Double?
  }

  /// What moved.
  public enum Subject: Hashable, Sendable {
    /// A key.
    case key(KeyRecord)
    /// One axis ("x" or "y") of a contact, in the units of the touch recording.
    case pointer(contact: Int, axis: String)
  }
}

extension VelocityReport {
  /// Reads a session's releases and estimates anew from its samples, with the functions that the live
  /// engine uses: the same samples give the same bits.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording.
  ///   - estimators: Which estimators answer; empty: the session's own.
  ///   - moment: Asks about this moment in place of the releases.
  /// - Throws: `StoreError` when the file cannot be read.
  public init(
    of session: SessionRecord, in reader: RecordingReader, estimators: [Estimator] = [],
    at moment: Instant? = nil
  ) throws {
    let source = try Source(session: session, reader: reader, estimators: estimators)
    if let moment {
      releases = [try source.release(at: moment)]
    } else if source.decisions.isEmpty {
      releases = try source.lastMoment().map { [try source.release(at: $0, isWhatIf: false)] } ?? []
    } else {
      releases = try source.decisions.map { try source.release($0) }
    }
  }
}

/// What a report is read from.
private struct Source {
  let session: SessionRecord
  let reader: RecordingReader
  let parameters: SessionParameters
  let estimators: [Estimator]
  let decisions: [ReleaseDecision]
  /// What was estimated live, by transition and key.
  let recorded: [Int: [KeyHandle: ReleaseEstimate]]
  /// What was decided, by transition.
  let outcomes: [Int: ReleaseOutcome]
  let keys: [KeyRecord]
  let contacts: [Contact]

  init(session: SessionRecord, reader: RecordingReader, estimators: [Estimator]) throws {
    self.session = session
    self.reader = reader
    parameters = SessionParameters(session)
    self.estimators = estimators.isEmpty ? [parameters.release.estimator] : estimators
    decisions = try reader.decisions(in: session.number)
    var outcomes: [Int: ReleaseOutcome] = [:]
    for decision in decisions { outcomes[decision.transition] = decision.outcome }
    self.outcomes = outcomes
    var recorded: [Int: [KeyHandle: ReleaseEstimate]] = [:]
    for estimate in try reader.estimates(in: session.number) {
      recorded[estimate.transition, default: [:]][estimate.key] = estimate
    }
    self.recorded = recorded
    keys = try reader.keys(in: session.number)
    contacts = try Contact.all(in: session.number, of: reader)
  }

  /// Where a session without a release is asked about: at the last lift, or else at its last value.
  func lastMoment() throws -> Instant? {
    if let lift = contacts.compactMap(\.lift).max() { return lift }
    return try reader.keySummaries(in: session.number).map(\.last.time).max()
  }

  func release(_ decision: ReleaseDecision) throws -> VelocityReport.Release {
    VelocityReport.Release(
      transition: decision.transition, time: decision.time, decision: decision,
      verdict: ReleaseRule(of: decision, else: parameters.release.rule).verdict(
        progress: decision.progress, velocity: decision.progressVelocity,
        standardError: decision.progressStandardError),
      motions: motions(
        try tracks(from: start(before: decision.time), to: decision.time), at: decision.time,
        outcome: decision.outcome, transition: decision.transition))
  }

  /// A moment that is no release.
  ///
  /// - Parameter isWhatIf: Whether it is asked how a release then would have gone; otherwise nothing
  ///   was decided, and nothing settles.
  func release(at moment: Instant, isWhatIf: Bool = true) throws -> VelocityReport.Release {
    if let decision = decisions.first(where: { $0.time == moment }) {
      return try release(decision)
    }
    let next = decisions.first { $0.time > moment }
    let start = start(before: moment)
    var release = VelocityReport.Release(
      transition: next?.transition, time: moment, decision: nil, verdict: nil, motions: [])
    let tracks = try tracks(from: start, to: moment)
    if isWhatIf, let key = keys.first(where: { $0.role == .progress }),
      let samples = tracks[key.handle], let value = samples.last?.value
    {
      let estimate = parameters.release.estimator.estimate(
        samples, lift: moment, window: parameters.release.window)
      release.verdict = parameters.release.rule.verdict(
        progress: value, velocity: estimate.velocity, standardError: estimate.standardError)
    }
    release.motions = motions(
      tracks, at: moment, outcome: release.verdict?.outcome,
      transition: next?.transition)
    return release
  }

  /// Samples up to and at the release before belong to an earlier transition.
  private func start(before moment: Instant) -> Instant {
    decisions.last { $0.time < moment }?.time.advanced(byNanoseconds: 1)
      ?? Instant(nanoseconds: .min)
  }

  /// How many of a key's newest samples are kept, at the least, while a session is walked through: three
  /// times what the window looks at, so that samples of one instant do not crowd the others out.
  private var keptSamples: Int {
    3 * min(max(parameters.release.window.historyLimit, 2), Self.longestHistory) + 4
  }

  /// The longest history that is kept in memory, in samples: over four minutes at 1000 Hz.
  private static let longestHistory = 250_000

  /// The newest samples of every key in a stretch of time, settling values and all but the last value of
  /// an instant left out; one walk through the rows, however many keys there are.
  private func tracks(from start: Instant, to end: Instant) throws -> [KeyHandle: [Sample]] {
    guard start <= end else { return [:] }
    var tracks: [KeyHandle: [Sample]] = [:]
    let rows = try reader.samples(in: session.number, from: start...end)
    while let row = try rows.next() {
      guard row.phase != .settling else { continue }
      tracks[row.key, default: []].keep(row.sample, newest: keptSamples)
    }
    return tracks
  }

  private func motions(
    _ tracks: [KeyHandle: [Sample]], at lift: Instant, outcome: ReleaseOutcome?, transition: Int?
  ) -> [VelocityReport.Motion] {
    var motions: [VelocityReport.Motion] = []
    for key in keys {
      let samples = tracks[key.handle] ?? []
      // A key that was released without ever being set stands where the live side found it.
      let live = transition.flatMap { recorded[$0]?[key.handle] }
      let released = live?.time == lift ? live : nil
      guard let value = samples.last?.value ?? released?.value else { continue }
      let target = target(of: key, outcome: outcome, transition: transition)
      for estimator in estimators {
        let estimate = estimator.estimate(
          samples, lift: lift, window: parameters.release.window)
        motions.append(
          motion(.key(key), value: value, estimate: estimate, target: target))
      }
    }
    for contact in contacts {
      guard let track = contact.track(at: lift, newest: keptSamples) else { continue }
      for (axis, samples) in [("x", track.x), ("y", track.y)] {
        for estimator in estimators {
          motions.append(
            VelocityReport.Motion(
              subject: .pointer(contact: contact.number, axis: axis),
              value: samples[samples.count - 1].value,
              estimate: estimator.estimate(
                samples, lift: lift, window: parameters.release.window)))
        }
      }
    }
    return motions
  }

  /// Where the key's settle went: recorded for the outcome that was decided.
  private func target(
    of key: KeyRecord, outcome: ReleaseOutcome?, transition: Int?
  ) -> Double? {
    guard let outcome, let transition else { return nil }
    if key.role == .progress { return outcome == .finish ? 1 : 0 }
    guard outcomes[transition] == outcome else { return nil }
    return recorded[transition]?[key.handle]?.target
  }

  private func motion(
    _ subject: VelocityReport.Subject, value: Double, estimate: VelocityEstimate, target: Double?
  ) -> VelocityReport.Motion {
    var motion = VelocityReport.Motion(
      subject: subject, value: value, estimate: estimate, target: target)
    guard let target else { return motion }
    let velocity = estimate.velocity ?? 0
    let remaining = (target - value).isFinite ? target - value : 0
    motion.remaining = remaining
    motion.relativeVelocity = relativeVelocity(
      ofKnown: estimate.velocity, remaining: remaining)
    motion.settleTimeSeconds =
      SettleMotion(parameters.settle, from: value, to: target, velocity: velocity)
      .settlingTimeSeconds()
    return motion
  }
}

extension [Sample] {
  /// Adds a sample; one of the same instant is replaced, as the estimators do, and the oldest go when
  /// twice as many are there as are kept.
  fileprivate mutating func keep(_ sample: Sample, newest: Int) {
    if last?.time == sample.time { removeLast() }
    append(sample)
    if count >= 2 * newest { removeFirst(count - newest) }
  }
}
