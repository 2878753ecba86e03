import MotionJudgement
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineStore

/// What happened in a session, as markers and words, on the session's own clock.
struct RunEvents {
  /// Starts, releases, settles and notes.
  private(set) var markers: [PlayerMarker] = []
  /// The releases with their velocities.
  private(set) var releases: [PlayerRun.Release] = []
  /// The releases in a few words. Empty where there is none.
  private(set) var headline = ""
  /// The first transition's start.
  private(set) var firstStart: Instant?

  /// The most keys whose velocity is told at a release: more do not fit a line.
  private static let mostKeysAtRelease = 3
  /// The most releases in the header.
  private static let mostReleasesInHeadline = 3

  /// Events that a person does not look for, one for nearly every frame or call.
  private static let passedOver: Set<TimelineEvent.Kind> = [
    .invalidate, .finish, .cancel, .decision, .install, .scroll, .layoutCall, .update, .inset,
    .animation, .animationCompletion, .queued, .willShow, .didShow, .gestureEnded,
    .gestureCancelled,
  ]

  /// Reads a session's events, releases and estimates.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - span: What is shown of it: of other releases no velocity is told. nil: all of it.
  init(_ source: SessionArgument, in span: PlayedSpan?) throws {
    let (reader, number) = (source.reader, source.session.number)
    let named = try reader.keys(in: number)
    let keys = Dictionary(named.map { ($0.handle, $0) }) { $1 }
    let released = try reader.releases(in: number)
    let labels = try RecordingLabels.asFarAsReadable(of: reader, sessions: [source.session]).labels
    func meant(_ release: ReleaseRecord) -> String {
      labels[number, release.transition].map { " (meant: \($0.meaning.rawValue))" } ?? ""
    }
    let estimates = Dictionary(
      grouping: try released.briefEstimates(of: source.session, in: reader) {
        span?.tellsVelocities(at: $0.time) ?? true
      }, by: \.transition)
    for release in released.all {
      let words = release.outcome.rawValue + ", " + release.origin
      markers.append(
        PlayerMarker(
          time: release.time, kind: .release, outcome: release.outcome,
          label: DisplayText.shown(words)))
      let known = estimates[release.transition] ?? []
      let own = known.filter { $0.time == release.time }
      let told = (own.isEmpty ? known : own).prefix(RunEvents.mostKeysAtRelease).compactMap {
        estimate in
        keys[estimate.key].map { velocity(of: $0, estimate.estimate) }
      }
      var parts = [release.outcome.rawValue + meant(release)]
      parts += release.recorded.flatMap { margin($0, from: "the threshold") }.map { [$0] } ?? []
      parts += told
      releases.append(
        PlayerRun.Release(
          time: release.time, outcome: release.outcome,
          words: DisplayText.shown(parts.joined(separator: ", ")),
          border: release.recorded.flatMap { ReleaseBorder($0, among: named) }))
    }
    headline = DisplayText.shown(
      released.all.prefix(RunEvents.mostReleasesInHeadline).map { release in
        var words = "\(release.outcome.rawValue) at \(rounded(release.time.seconds)) s "
        words += release.derived == nil ? "by \(release.decidedBy.words)" : release.origin
        return words
          + (release.recorded.flatMap { margin($0, from: rounded($0.threshold)) }.map { ", " + $0 }
            ?? "") + meant(release)
      }.joined(separator: "; "))
    if released.all.count > RunEvents.mostReleasesInHeadline {
      headline += "; \(released.all.count - RunEvents.mostReleasesInHeadline) more"
    }
    firstStart = try reader.transitions(in: number).lazy.compactMap(\.start).first
    let events = try reader.events(in: number)
    var isOfPage = false
    while let event = try events.next() {
      isOfPage = isOfPage || event.kind.rawValue == "action"
      if let marker = marker(of: event) { markers.append(marker) }
    }
    // A watched page has no decision: the player shows the first fault instead.
    if headline.isEmpty, isOfPage, span?.isStill != true, source.session.isClean {
      let story = try MotionStory(source.session, in: reader)
      let fault = story.lines.first(where: \.fact.isFault).map { ": " + $0.text.dropFirst(2) }
      headline = DisplayText.shown(story.verdict + (fault ?? ""))
    }
  }

  private func velocity(of key: KeyRecord, _ estimate: VelocityEstimate) -> String {
    guard let velocity = estimate.velocity else { return "\(key.name) without a velocity" }
    let estimator = estimate.estimator.estimator ?? .lsq2
    let unit = estimator.definition.measure.unit(
      of: key.unit.isEmpty || key.unit == "1" ? "" : " \(key.unit)")
    var words = "\(key.name) \(NumberText.short(velocity, digits: 3))\(unit)"
    if let low = estimate.low, let high = estimate.high {
      words += " (\(NumberText.short(low, digits: 3)) to \(NumberText.short(high, digits: 3)))"
    }
    return words
  }

  private func marker(of event: EventRecord) -> PlayerMarker? {
    guard !RunEvents.passedOver.contains(event.kind) else { return nil }
    let fields = event.fields
    func text(_ name: String) -> String? {
      guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
      if case .text(let text) = value { return text }
      return value == .null ? nil : value.json
    }
    func marker(_ kind: PlayerMarker.Kind, _ label: String) -> PlayerMarker {
      PlayerMarker(time: event.time, kind: kind, label: DisplayText.shown(label))
    }
    switch event.kind {
    case .start:
      return marker(.start, "start " + (text("from") ?? "?") + " → " + (text("to") ?? "?"))
    case .gestureBegan: return marker(.start, (text("recognizer") ?? "gesture") + " began")
    case .settle: return marker(.settle, "settle")
    case .completion: return marker(.completion, "completion")
    case .mark: return marker(.note, text("text") ?? "mark")
    case .error, .warning:
      return marker(.trouble, event.kind.rawValue + (text("message").map { ": " + $0 } ?? ""))
    default: return marker(.note, event.kind.rawValue)
    }
  }

  /// How far a decision was from the other outcome: past its threshold, or short of it. `nil` where no progress decided.
  private func margin(_ decision: ReleaseDecision, from threshold: String) -> String? {
    guard decision.isOfRule, let margin = decision.marginProgress else { return nil }
    guard decision.rule.kind == .progress else {
      return "margin \(rounded(margin))"
    }
    let side = decision.progress < decision.threshold ? "short of" : "past"
    return margin == 0 ? "at \(threshold)" : "\(rounded(abs(margin))) \(side) \(threshold)"
  }

  private func rounded(_ number: Double) -> String {
    FieldValue.jsonNumber((number * 1000).rounded() / 1000)
  }
}

extension ReleaseDecision {
  /// Whether its rule's threshold says anything of it: not where time or the app went the rule's way by itself.
  fileprivate var isOfRule: Bool { decidedBy == .rule || outcome != ruleOutcome }
}

extension ReleaseBorder {
  /// The progress that a decision was made by, or at which its rule would have said the other. `nil` for none.
  init?(_ decision: ReleaseDecision, among keys: [KeyRecord]) {
    guard decision.isOfRule, let key = decision.thresholdKey(among: keys) else { return nil }
    if [nil, .progress].contains(ReleaseRule(of: decision)?.kind) {
      self.init(key: key, value: decision.threshold, name: "threshold")
    } else if let flip = decision.flipProgress {
      self.init(key: key, value: flip, name: "flips at")
    } else {
      return nil
    }
  }
}
