package import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// What velocities are told from: a session's releases, keys, contacts and parameters.
package struct VelocitySource {
  let source: FileSource
  private(set) var question: VelocityQuestion
  package let parameters: SessionParameters
  let settle: SettleParameters
  private(set) var estimators: [Estimator]
  /// The session's releases, keys, contacts and transitions, and the keys of the viewport that are asked about.
  package let data: SessionData
  /// Why a transition that was finished has no release, and what is doubtful about the touches.
  let warnings: [String]
  /// The releases' instants and transitions in the order of time.
  let releaseTimes: [(time: Instant, transition: Int)]
  /// How each transition was released last.
  let decided: [Int: ReleaseOutcome]
  /// When the engine began each transition, by its number.
  let starts: [Int: Instant]
  /// When transitions began, in order.
  let begins: [Instant]
  /// What was estimated live, by transition and key.
  let recorded: [Int: [KeyHandle: ReleaseEstimate]]
  /// The key of the transitions' progress.
  let progressKey: KeyRecord?
  /// The earliest instant at which each key has a value. `nil`: not known, or nobody asks.
  let firstInstants: [KeyHandle: Instant]?
  /// The unit of contacts' positions.
  let touchUnit: String
  /// Whether keys can be read one by one.
  let readsByKey: Bool
  /// When the system took contacts away. Looked up only.
  private let cancellations: Set<Instant>
  /// How often an estimator was asked.
  package let asked = Count()

  /// What an estimator says, and how `auto` chose.
  package typealias Answer = (estimate: VelocityEstimate, ranking: EstimatorRanking?)

  /// Takes a motion as soon as it is estimated, with its release.
  package typealias Taker = (VelocityReport.Release, VelocityReport.Motion) throws -> Void

  /// A number that grows while a source is asked.
  package final class Count { package var value = 0 }

  package init(_ source: FileSource, asking question: VelocityQuestion) throws {
    self.source = source
    self.question = question
    let session = source.session
    parameters = try source.reader.parameters(of: session)
    settle = question.settle ?? parameters.settle
    self.question.rule.isOfTouchpad = session.description.isOfTouchpad
    estimators = question.answering(own: parameters.release.estimator)
    var parts = SessionParts()
    parts.derivesReleases = question.derivesReleases
    for case .key(let name) in question.values where ViewportKeys.names.contains(name) {
      parts.add(.key(name), isDense: true)
    }
    let asksAboutContacts =
      !question.isBrief || question.contacts != [] || !question.values.isEmpty
    parts.contacts = asksAboutContacts ? .all : .ends
    data = try SessionData(source, reading: parts)
    releaseTimes = data.releases.map { ($0.time, $0.transition) }.sorted { $0 < $1 }
    decided = Dictionary(data.releases.map { ($0.transition, $0.outcome) }) { $1 }
    var recorded: [Int: [KeyHandle: ReleaseEstimate]] = [:]
    for estimate in try source.reader.estimates(in: session.number) {
      recorded[estimate.transition, default: [:]][estimate.key] = estimate
    }
    self.recorded = recorded
    begins = data.starts.sorted()
    let begun = data.transitions.compactMap { transition in
      transition.start.map { (transition.number, $0) }
    }
    starts = session.description.engineVersion == nil ? [:] : Dictionary(begun) { $1 }
    progressKey = data.keys.first { $0.role == .progress }
    readsByKey = try question.isBrief && source.canReadByKey(from: 0)
    // A session that is not finished does not say when its keys begin.
    firstInstants =
      question.isBrief && session.end != nil
      ? Dictionary(try source.summaries().map { ($0.key, $0.first.time) }) { first, _ in first }
      : nil
    let (contacts, map) = (data.contacts.all, TouchMap(session.description))
    touchUnit = map.unit
    let warning = map.warning(of: contacts.lazy.flatMap(\.samples).map(\.position))
    warnings = data.releaseWarnings + (warning.map { [$0] } ?? [])
    cancellations = Set(contacts.lazy.filter(\.isCancelled).compactMap(\.lift))
  }

  var session: SessionRecord { source.session }

  /// The same source, asked something else of the same samples. What is read for a question, releases that are
  /// derived among it, stays.
  package func asking(_ question: VelocityQuestion) -> VelocitySource {
    var source = self
    source.question = question
    source.question.rule.isOfTouchpad = session.description.isOfTouchpad
    source.estimators = question.answering(own: parameters.release.estimator)
    return source
  }

  /// Where a session without a release is asked about: at the last lift, or else at its last value.
  func lastMoment() throws -> Instant? {
    if let lift = data.contacts.all.compactMap(\.lift).max() { return lift }
    return try source.summaries().map(\.last.time).max()
  }

  /// The window that an estimator looks through, on values of which a unit is so many points.
  func window(for estimator: Estimator, pointsPerUnit: Double?) -> EstimationWindow {
    question.window(for: estimator, own: parameters.release)
      .measuring(pointsPerUnit: pointsPerUnit)
  }
}

extension VelocitySource {
  /// Whether a release came of a contact that the system took away. The engine says so. Of an app the
  /// contacts themselves do.
  func isCancelled(_ release: ReleaseRecord?, at moment: Instant) -> Bool {
    if let release, release.wasTakenAway || session.description.engineVersion != nil {
      return release.wasTakenAway
    }
    return cancellations.contains(moment)
  }

  /// A release as it was decided, or derived.
  ///
  /// - Parameter take: Takes the motions, of which the release keeps none then.
  package func release(
    _ released: ReleaseRecord, givingAway take: Taker? = nil
  ) throws -> VelocityReport.Release {
    let (tracks, phases, _) = try endOfTracks(of: released) ?? tracks(of: released)
    let progress = progressAnswers(tracks, of: released, at: released.time)
    // No rule is known to have decided what is derived. One is asked only where one is named.
    let isRuled = released.recorded != nil || question.asksRule
    var release = VelocityReport.Release(
      transition: released.transition, time: released.time, decision: released, settle: settle,
      decisions: isRuled ? decisions(of: released, tracks, progress) : [],
      motions: [], phases: phases)
    release.motions = try motions(tracks, of: release, progress, givingAway: take)
    return release
  }

  /// A moment that is no release.
  ///
  /// - Parameters:
  ///   - isWhatIf: Whether it is asked how a release then would have gone. Otherwise nothing was decided, and nothing
  ///     settles.
  ///   - take: Takes the motions, of which the release keeps none then.
  func release(
    at moment: Instant, isWhatIf: Bool = true, givingAway take: Taker?
  ) throws -> VelocityReport.Release {
    if let released = data.releases.first(where: { $0.time == moment }) {
      return try release(released, givingAway: take)
    }
    let next = data.releases.first { $0.time > moment }
    let (tracks, phases, _) = try tracks(at: moment)
    var release = VelocityReport.Release(
      transition: next?.transition, time: moment, decision: nil, settle: settle,
      decisions: [],
      motions: [], phases: phases)
    let progress = progressAnswers(tracks, of: nil, at: moment)
    if question.course != .fingers {
      release.decisions = swipeDecisions(of: nil, at: moment)
    } else if isWhatIf || !question.rule.isEmpty, let key = progressKey,
      let value = tracks[key.handle]?.last?.value
    {
      release.decisions = decisions(
        by: question.rule.applied(to: ownRule), progress: value,
        samples: tracks[key.handle] ?? [], at: moment, progress)
    }
    release.motions = try motions(tracks, of: release, progress, givingAway: take)
    return release
  }

  /// The session's rule, for what no recorded decision says it of.
  package var ownRule: ReleaseRule {
    var rule = parameters.release.rule
    rule.distance = rule.distance ?? session.description.viewport?.width
    return rule
  }

  /// What each estimator says of the progress, for its decision and its motion alike. Empty where the progress has
  /// no sample.
  package func progressAnswers(
    _ tracks: [KeyHandle: [Sample]], of release: ReleaseRecord?, at lift: Instant
  ) -> [Answer] {
    if isCancelled(release, at: lift) { return estimators.map { ($0.ofCancelledContact, nil) } }
    guard let key = progressKey, let samples = tracks[key.handle], !samples.isEmpty else {
      return []
    }
    let pointsPerUnit = pointsPerUnit(of: key, at: release)
    return estimators.map { answer(samples, by: $0, at: lift, pointsPerUnit: pointsPerUnit) }
  }

  /// What the rule says of a release's progress, by every estimator that answers. Nothing of one without.
  ///
  /// - Parameter fallback: Stands in for a recorded rule that nobody can decide by again. `nil`: nothing is said, unless
  ///   the question names a rule.
  package func decisions(
    of release: ReleaseRecord, _ tracks: [KeyHandle: [Sample]], _ answers: [Answer],
    else fallback: ReleaseRule? = nil
  ) -> [ReleaseRule.Decision] {
    if question.course != .fingers { return swipeDecisions(of: release, at: release.time) }
    guard let progress = release.progress,
      let own = rule(of: release) ?? (question.rule.kind == nil ? fallback : ownRule)
    else { return [] }
    let rule = question.rule.applied(to: own)
    let samples = progressKey.flatMap { tracks[$0.handle] } ?? []
    var answers = answers
    // What the app measured is what its rule was asked about.
    if let velocity = release.recorded?.progressVelocity, rule.kind.definition.preset == nil,
      release.recorded.flatMap({ $0.rule.kind?.definition.preset }) == nil,
      question.window(for: parameters.release.estimator, own: parameters.release)
        == parameters.release.window,
      let index = estimators.firstIndex(of: parameters.release.estimator), index < answers.count
    {
      answers[index].estimate.velocity = velocity
      answers[index].estimate.standardError = release.recorded?.progressStandardError
    }
    guard answers.isEmpty else {
      return decisions(
        by: rule, progress: plainProgress(of: release, tracks) ?? progress, samples: samples,
        at: release.time, answers)
    }
    // An app that decides by itself need not record its progress as a key.
    return estimators.map {
      rule.decide(
        progress: progress, velocity: release.recorded?.progressVelocity,
        standardError: release.recorded?.progressStandardError, estimator: $0)
    }
  }

  /// The rule of a release, the session's where none was recorded. `nil`: nobody can decide by it again.
  func rule(of release: ReleaseRecord?) -> ReleaseRule? {
    release?.recorded.map(ReleaseRule.init(of:)) ?? ownRule
  }

  /// What a rule says by every estimator whose velocities it takes. By its own measure where it takes none of them.
  private func decisions(
    by rule: ReleaseRule, progress: Double, samples: [Sample], at lift: Instant, _ answers: [Answer]
  ) -> [ReleaseRule.Decision] {
    let taken = zip(estimators, answers).filter { rule.kind.definition.accepts($0.0) }
    return (taken.isEmpty ? Array(zip(estimators, answers).prefix(1)) : taken).map {
      estimator, answer in
      let asked = rule.question(
        about: samples, at: lift, progress: progress, estimate: answer.estimate)
      return rule.decide(
        progress: asked.progress, velocity: asked.estimate.velocity,
        standardError: asked.estimate.standardError,
        estimator: asked.estimate.estimator.estimator ?? estimator)
    }
  }

  /// The progress at a release as the samples have it, where the recorded one is what a compositor made of them. `nil`
  /// where it is not.
  package func plainProgress(of release: ReleaseRecord, _ tracks: [KeyHandle: [Sample]]) -> Double?
  {
    guard let recorded = release.recorded, let key = progressKey,
      recorded.rule.kind?.definition.account != nil
    else { return nil }
    return tracks[key.handle]?.last?.value
  }

  /// The progress at a release as each rule has it that keeps an account of the reports, of the distance of another.
  package func progressByRule(
    of release: ReleaseRecord, _ tracks: [KeyHandle: [Sample]], by rule: ReleaseRule
  ) -> [ReleaseRule.Kind: Double] {
    guard let key = progressKey, let samples = tracks[key.handle] else { return [:] }
    var progressByRule: [ReleaseRule.Kind: Double] = [:]
    for kind in ReleaseRule.Kind.allCases {
      var change = RuleChange()
      change.kind = kind
      progressByRule[kind] = change.applied(to: rule).progress(of: samples, at: release.time)
    }
    return progressByRule
  }

  /// The points of a unit of a key: of a progress its rule's. `nil` of a unit without a length.
  func pointsPerUnit(of key: KeyRecord, at release: ReleaseRecord?) -> Double? {
    key.role == .progress
      ? question.rule.applied(to: rule(of: release) ?? ownRule).knownPoints
      : EstimationWindow.points(of: key.unit)
  }

  /// Refuses a session whose progress has a name that is nearly the right one.
  ///
  /// - Throws: ``QueryError``: it has no progress, and a key that differs in capitals.
  package func requireProgress() throws(QueryError) {
    let near = data.keys.first { $0.name.lowercased() == progressKeyName }
    guard progressKey == nil, let near else { return }
    throw QueryError(
      "\(source.reader.path) \(session.label) has the key '\(near.name)' but no key '\(progressKeyName)', which decides "
        + "gestures. Record it with that name.")
  }
}

extension VelocitySource {
  /// The decisions of a rule about the swipe before a moment, one for each estimator that the rule accepts. Empty if no
  /// contact was down since the release before, or if nobody knows how many points a progress of 1 is.
  ///
  /// The distance of the swipe is in points, and ``ReleaseRule/distance`` of them are a progress of 1.
  ///
  /// - Parameter release: The release, whose recorded rule is asked if the question names none. `nil` at another moment.
  func swipeDecisions(
    of release: ReleaseRecord?, at moment: Instant
  ) -> [ReleaseRule.Decision] {
    let recorded = release?.recorded.flatMap(ReleaseRule.init(of:))
    let rule = question.rule.applied(to: recorded ?? parameters.release.rule)
    guard rule.distance != nil || rule.kind.definition.usual.distance != nil,
      let swipe = swipe(before: moment)
    else { return [] }
    let taken = estimators.filter(rule.kind.definition.accepts)
    let own = rule.kind.definition.preset.map { [$0.estimator] } ?? Array(estimators.prefix(1))
    return (taken.isEmpty ? own : taken).compactMap {
      decision(about: swipe, by: rule, $0, at: moment)
    }
  }

  /// The velocity of the swipe before a moment by the first estimator, whatever the rule accepts.
  package func swipeVelocity(by rule: ReleaseRule, at moment: Instant) -> Double? {
    let plain = RuleChange.toProgress.applied(to: rule)
    return swipe(before: moment).flatMap {
      decision(about: $0, by: plain, estimators[0], at: moment)?.velocity
    }
  }

  /// The progress of the swipe before a moment as each rule has it that keeps an account of the reports.
  package func swipeProgressByRule(
    _ rule: ReleaseRule, at moment: Instant
  ) -> [ReleaseRule.Kind: Double] {
    guard let swipe = swipe(before: moment) else { return [:] }
    var progressByRule: [ReleaseRule.Kind: Double] = [:]
    for kind in ReleaseRule.Kind.allCases where kind.definition.account != nil {
      var change = RuleChange()
      change.kind = kind
      progressByRule[kind] =
        decision(about: swipe, by: change.applied(to: rule), estimators[0], at: moment)?.progress
    }
    return progressByRule
  }

  private func decision(
    about swipe: Swipe, by rule: ReleaseRule, _ estimator: Estimator, at moment: Instant
  ) -> ReleaseRule.Decision? {
    let lift = min(moment, swipe.lift)
    return swipe.decision(
      by: rule, along: question.course.axis ?? swipe.mainAxis(at: lift), question.course,
      estimator: estimator, window: window(for: estimator, pointsPerUnit: 1), at: lift)
  }

  /// The last swipe that began before a moment and did not end before the release before it, in points.
  private func swipe(before moment: Instant) -> Swipe? {
    let start = afterRelease(before: moment)
    let down = data.contacts.all.compactMap { contact -> Swipe.Contact? in
      guard contact.lift.map({ $0 >= start }) ?? true,
        let track = contact.track(at: min(moment, contact.lift ?? moment))
      else { return nil }
      return Swipe.Contact(
        number: contact.number, x: track.x, y: track.y, resampled: track.resampled,
        lift: contact.lift ?? moment, isCancelled: contact.isCancelled)
    }
    return Swipe.all(of: down).last
  }
}

extension VelocitySource {
  /// Why a swipe has no decision, the end of a sentence.
  static let withoutSwipe =
    "no contact was down before the release, or the distance of a progress of 1 is not known. Give it with --set "
    + "release.distance=POINTS"
}

extension RuleChange {
  /// Asks about the progress alone, of the same distance.
  fileprivate static var toProgress: RuleChange {
    var change = RuleChange()
    change.kind = .progress
    return change
  }
}
