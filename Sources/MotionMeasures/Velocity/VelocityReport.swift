public import MotionPhysics
public import TimelineModel
import TimelineSession
public import TimelineStore

/// How fast everything moved at a release or at any other moment, and how the rest went from there.
public struct VelocityReport: Hashable, Sendable {
  /// What was released, in the order of the recording. One that is no release where nothing was.
  public var releases: [Release]
  /// How many answers of estimators it took: what it cost.
  private(set) var estimateCount = 0

  /// Why a transition that was finished has no release, a sentence each.
  public var warnings: [String] = []

  /// A release, or another moment that was asked about.
  public struct Release: Hashable, Sendable {
    /// Number of the transition in its session. `nil` when the moment belongs to none.
    public var transition: Int?
    /// The moment.
    public var time: Instant
    /// The release as it was recorded or derived. `nil` at a moment that is none.
    package var decision: ReleaseRecord?
    /// How the rest is taken to settle.
    public var settle: SettleParameters
    /// What the release rule says of the progress then, by each estimator that answers. Empty where
    /// no decision was recorded and no rule is asked about, and where no progress is known.
    public var decisions: [ReleaseRule.Decision]
    /// One entry for every key, both axes of every contact that was down, and every attribute that was
    /// asked about, each by every estimator.
    public var motions: [Motion]
    /// The phases of the samples in the window, of a derived release or a moment that is none. Empty at a recorded
    /// release, which is judged by samples that do not settle.
    package var phases: [MotionPhase] = []

    /// What the rule says by the first of the estimators.
    public var ruleDecision: ReleaseRule.Decision? { decisions.first }
  }

  /// One value's motion at the moment.
  public struct Motion: Hashable, Sendable {
    /// What moved.
    package var subject: Subject
    /// The name that `--key` takes: of a key, or `finger.x`, or `item.card.center.y`.
    public var name: String { subject.name }
    /// Whether the mean of a swipe's contacts moved.
    package var isOfSwipe: Bool { if case .swipe = subject { true } else { false } }
    /// The last value before the moment.
    public var value: Double
    /// Velocity, interval and samples.
    public var estimate: VelocityEstimate
    /// Where the settle goes. `nil` for what does not settle.
    public var target: Double?
    /// Target minus value, signed.
    public var remaining: Double?
    /// Velocity divided by the remaining distance, per second. 0 at the target.
    public var relativeVelocity: Double?
    /// Seconds until the settle is over, by its own definition, or as it was seen where no spring was recorded.
    public var settleTimeSeconds: Double?
    /// The window's story, sample by sample. Empty unless asked for.
    package var story: [SampleStory] = []
    /// Whether it has no velocity since the system took the contact away.
    public var isCancelled = false
    /// How `auto` chose. `nil` for the other estimators.
    package var ranking: EstimatorRanking?

    /// Makes a motion that does not settle.
    package init(subject: Subject, value: Double, estimate: VelocityEstimate) {
      self.subject = subject
      self.value = value
      self.estimate = estimate
    }
  }

  /// What moved.
  package enum Subject: Hashable, Sendable {
    /// A key.
    case key(KeyRecord)
    /// One axis ("x" or "y") of a contact, in the units of the touch recording.
    case pointer(contact: Int, axis: String)
    /// One axis ("x" or "y") of the mean of the contacts of a swipe, as for a contact.
    case swipe(fingers: Int, axis: String)
    /// One attribute of an element, told from the frames: "center.x", "center.y", "width", "height"
    /// (points), "alpha" (no unit), and where it is transformed "rotation" (radians), "scale.x" and
    /// "scale.y" (no unit).
    case item(ItemRecord, attribute: String)
  }
}

extension VelocityReport.Subject {
  /// The name that `--key` takes.
  package var name: String {
    switch self {
    case .key(let key): key.name
    case .pointer(let contact, let axis):
      FingerAxis(rawValue: axis).map { MotionSubject.finger($0, contact: contact).text } ?? axis
    case .swipe(_, let axis): "swipe.\(axis)"
    case .item(let item, let attribute):
      "\(MotionSubject.itemPrefix)\(item.identity.id).\(attribute)"
    }
  }
}

extension VelocityReport.Motion {
  /// A motion whose velocity needs no estimate: as the recording has it.
  init(_ subject: VelocityReport.Subject, asReleased released: ReleaseEstimate) {
    self.init(subject: subject, value: released.value, estimate: released.estimate)
    target = released.target
    remaining = released.remaining
    relativeVelocity = released.relativeVelocity
    settleTimeSeconds = released.settleTimeSeconds
  }

  /// Estimates a motion from its samples. Of a contact that the system took away there is no velocity.
  ///
  /// - Parameters:
  ///   - isFinger: Whether the samples are the reports of a finger, the last of which may be its lift's own.
  ///   - seen: The earliest instant at which that finger may have lifted. `nil`: it lifted at `lift`.
  ///   - known: The answer, where it is at hand.
  package init(
    _ subject: VelocityReport.Subject, samples: [Sample], resampled: [Bool], value: Double,
    by estimator: Estimator, at lift: Instant, window: EstimationWindow, explains: Bool,
    isCancelled: Bool, isFinger: Bool = false, seen: Instant? = nil,
    known: (estimate: VelocityEstimate, ranking: EstimatorRanking?)? = nil
  ) {
    guard !isCancelled else {
      self.init(subject: subject, value: value, estimate: estimator.ofCancelledContact)
      self.isCancelled = true
      return
    }
    var answer =
      known ?? estimator.answer(samples, resampled: resampled, lift: lift, window: window)
    if isFinger, estimator == .lsqSpan {
      do throws(TooShortToTell) {
        answer.estimate = try FingerSpeed.estimate(
          samples, resampled: resampled, lift: lift, seen: seen, window: window)
      } catch {
        answer.estimate = estimator.ofCancelledContact
      }
    } else if isFinger, let seen, seen < lift {
      answer.estimate.holdUnseen(from: seen, to: lift, samples) { moves, end in
        estimator.answer(moves, resampled: [], lift: end, window: window).estimate.velocity
      }
    }
    self.init(subject: subject, value: value, estimate: answer.estimate)
    ranking = answer.ranking
    guard explains else { return }
    let chosen = answer.ranking?.chosen
    story = (chosen?.estimator ?? estimator).story(
      of: samples, resampled: resampled, lift: lift, window: chosen?.window ?? window)
  }

  /// Tells how the rest of the way to a target goes.
  ///
  /// - Parameters:
  ///   - target: Where the value goes, in its unit.
  ///   - settle: How it settles.
  ///   - samples: The values up to the release, whose range says how little counts as no way.
  public mutating func settle(
    to target: Double, by settle: SettleParameters, samples: [Sample] = []
  ) {
    let rest = RestOfWay(
      settle, from: value, to: target, velocity: estimate.velocityPerSecond, samples: samples)
    self.target = target
    remaining = rest.remaining
    relativeVelocity = rest.relativeVelocity
    settleTimeSeconds = rest.motion.settlingTimeSeconds()
  }
}

extension VelocityReport {
  /// Reads a session's releases and estimates anew from its samples, with the functions that the live
  /// engine uses: the same samples give the same bits.
  ///
  /// At a moment of a session that no engine ran, the last minute before it is looked at.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording.
  ///   - question: Who answers about what. The session's own estimator and rule when nothing is said.
  /// - Throws: `StoreError` when the file cannot be read. ``QueryError`` where a rule is asked about and the name of
  ///   the progress differs in capitals.
  /// - Complexity: linear in the samples between two releases.
  public init(
    of session: SessionRecord, in reader: RecordingReader,
    asking question: VelocityQuestion = VelocityQuestion()
  ) throws {
    try self.init(of: session, in: reader, asking: question, givingAway: nil)
  }

  /// The same, of which each motion is given away as it is estimated: those of many keys or releases take much memory.
  ///
  /// - Parameters:
  ///   - take: Gets each motion in order, with its release. The releases of the report have no motions then.
  ///   - end: Gets each release after its motions.
  package init(
    of session: SessionRecord, in reader: RecordingReader, asking question: VelocityQuestion,
    givingAway take: VelocitySource.Taker?, end: (Release) throws -> Void = { _ in }
  ) throws {
    try reader.beginState()
    defer { reader.endState() }
    let source = try VelocitySource(FileSource(session, in: reader), asking: question)
    let isAsked = question.asksRule
    if isAsked, question.course == .fingers { try source.requireProgress() }
    warnings = source.warnings
    if let moment = question.moment {
      releases = [try source.release(at: moment, givingAway: take)]
      try end(releases[0])
    } else if source.data.releases.isEmpty {
      releases =
        try source.lastMoment().map {
          [try source.release(at: $0, isWhatIf: false, givingAway: take)]
        } ?? []
      if let release = releases.first { try end(release) }
    } else {
      releases = try source.data.releases.map {
        let release = try source.release($0, givingAway: take)
        try end(release)
        return release
      }
    }
    let asksTouches = question.course != .fingers
    if isAsked,
      releases.allSatisfy({
        $0.ruleDecision == nil && (asksTouches || $0.decision?.recorded == nil)
      })
    {
      let reason = asksTouches ? VelocitySource.withoutSwipe : "no progress is recorded"
      warnings.append("\(session.label): the rule was not applied, because \(reason)")
    }
    estimateCount = source.asked.value
  }
}
