import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore
import TransitionScenarios

/// Decisions and settles made anew where there is no scenario: what was recorded until each release stays, keys that
/// have a target settle anew at the instants of the recorded frames, and what else was recorded until the next
/// transition goes, as nothing tells how it would look.
struct ReleaseRerun {
  private let source: RerunSource
  private let parameters: MotionParameters
  private let keys: [KeyRecord]
  /// What is decided anew, in the order of time.
  private let stretches: [Stretch]
  private var leftOut: [String] = []

  /// A release and what becomes of the time behind it.
  private struct Stretch {
    var release: Instant
    var end: Instant
    var decision: ReleaseDecision
    /// Whether the rule was asked or a decision was recorded. Else only an event says the outcome, as before.
    var isDecided: Bool
    var estimates: [ReleaseEstimate]
    /// The instants of the frames behind the release, in order, each once.
    var frames: [Instant]
    var motions: [(key: KeyHandle, motion: SettleMotion)]
    var seconds: Double

    /// The instants that settling values get: the frames up to the first at which all is settled.
    var settleTimes: ArraySlice<Instant> {
      let last = frames.firstIndex { $0.seconds(since: release) >= seconds }
      return last.map { frames[...$0] } ?? frames[...]
    }

    /// Whether an instant is behind the release, and before what comes next.
    func replaces(_ time: Instant) -> Bool { release < time && time <= end }
  }

  private var file: FileSource { FileSource(source.session, in: source.reader) }

  /// Events that say how a transition ended. Each release brings its own.
  private static let endings: Set<TimelineEvent.Kind> = [
    .finish, .cancel, .decision, .settle, .completion, .retarget,
  ]

  init(_ source: RerunSource, _ parameters: MotionParameters, changes: [String]) throws {
    (self.source, self.parameters) = (source, parameters)
    let (session, reader) = (source.session, source.reader)
    keys = try reader.keys(in: session.number)
    let data = try SessionData(FileSource(session, in: reader), reading: .allKeys())
    // An app that decides by itself says no rule: it is asked only where one was changed. A decision that the app
    // recorded holds against other numbers, and only a rule that is named decides it again.
    let isChanged = changes.contains { $0.hasPrefix("release.") }
    let isRuled = session.description.release != nil || isChanged
    let namesRule = changes.contains { $0.hasPrefix("release.rule=") }
    let reports = try [
      ReleaseRerun.report(source, parameters, asksRule: true),
      ReleaseRerun.report(source, parameters, asksRule: false),
    ]
    var ofApp = 0
    var unknown = 0
    var stretches: [Stretch] = []
    for (index, release) in data.releases.enumerated() where release.progress != nil {
      let isOfApp = release.derived == nil && release.decidedBy != .rule
      let asksRule = (isOfApp ? namesRule : isRuled) && release.isJudged
      guard
        let velocities = reports[asksRule ? 0 : 1].releases.first(where: {
          $0.time == release.time && $0.transition == release.transition
        }), let stretch = data.stretches.first(where: { $0.release == release.time })
      else { continue }
      stretches.append(
        ReleaseRerun.stretch(
          release, velocities, asksRule: asksRule, parameters, keys,
          end: index == data.releases.count - 1 ? Instant(nanoseconds: .max) : stretch.end,
          clock: data.frames.times))
      if !asksRule, release.isJudged {
        if isOfApp { ofApp += 1 } else { unknown += 1 }
      }
    }
    guard !stretches.isEmpty else {
      throw RerunError(
        description:
          "\(session.label) has no scenario with touches and no release whose progress is known, so "
          + "nothing can be decided again.")
    }
    self.stretches = stretches.sorted { $0.release < $1.release }
    let remedy = "Set release.rule to decide \(ofApp + unknown == 1 ? "it" : "them") again"
    if ofApp > 0, isChanged || !isRuled {
      let those = ofApp == 1 ? "a release was" : "\(ofApp) releases were"
      leftOut.append(
        "\(those) decided by the app, so \(ofApp == 1 ? "this decision stays" : "these decisions stay") as recorded. "
          + remedy)
    } else if unknown > 0 {
      leftOut.append("it names no rule, so its decisions stay as recorded. \(remedy)")
    }
  }

  /// Velocities and decisions as the parameters have them, by the functions that answer about any recording.
  private static func report(
    _ source: RerunSource, _ parameters: MotionParameters, asksRule: Bool
  ) throws -> VelocityReport {
    var session = source.session
    session.description.release = FieldValue.object(parameters.release.fields).json
    session.description.settle = FieldValue.object(parameters.settle.fields).json
    var question = VelocityQuestion()
    if asksRule { question.rule = RuleChange(to: parameters.release.rule) }
    return try VelocityReport(of: session, in: source.reader, asking: question)
  }

  private static func stretch(
    _ release: ReleaseRecord, _ velocities: VelocityReport.Release, asksRule: Bool,
    _ parameters: MotionParameters, _ keys: [KeyRecord], end: Instant, clock: [Instant]
  ) -> Stretch {
    let progress = release.progress ?? 0
    var estimates: [ReleaseEstimate] = []
    var ofProgress: VelocityEstimate?
    for motion in velocities.motions {
      guard case .key(let key) = motion.subject else { continue }
      if key.role == .progress, ofProgress == nil { ofProgress = motion.estimate }
      estimates.append(
        ReleaseEstimate(
          transition: release.transition, time: release.time, key: key.handle, value: motion.value,
          estimate: motion.estimate, target: motion.target, remaining: motion.remaining,
          relativeVelocity: motion.relativeVelocity, settleTimeSeconds: motion.settleTimeSeconds))
    }
    let decision =
      (asksRule ? nil : release.recorded)
      ?? ReleaseDecision(
        by: velocities.decisions.first?.rule ?? parameters.release.rule,
        transition: release.transition, time: release.time, progress: progress,
        estimate: ofProgress ?? parameters.release.estimator.ofCancelledContact,
        outcome: asksRule ? nil : release.outcome,
        decidedBy: asksRule ? .rule : release.decidedBy)
    let rest = parameters.settle.forRest(progress: progress, outcome: decision.outcome)
    let motions = estimates.compactMap { estimate in
      estimate.target.map {
        (
          estimate.key,
          SettleMotion(
            rest, from: estimate.remaining == 0 ? $0 : estimate.value, to: $0,
            velocity: estimate.estimate.velocityPerSecond ?? 0)
        )
      }
    }
    var frames = clock.filter { release.time < $0 && $0 <= end }.sorted()
    var seen: Instant?
    frames.removeAll { time in
      defer { seen = time }
      return seen == time
    }
    return Stretch(
      release: release.time, end: end, decision: decision,
      isDecided: asksRule || release.recorded != nil, estimates: estimates, frames: frames,
      motions: motions, seconds: motions.map { $0.1.settlingTimeSeconds() }.max() ?? 0)
  }

  // MARK: Writing

  func run(into sink: any TimelineSink) throws -> Rerun.Result {
    var leftOut = leftOut
    var handles: [KeyHandle: KeyHandle] = [:]
    for key in keys {
      handles[key.handle] = sink.keyHandle(for: key.name, role: key.role, unit: key.unit)
    }
    for touch in source.touches { sink.record(touch) }
    var end = source.touches.map(\.time).max() ?? .zero
    try writeEvents(into: sink)
    for stretch in stretches {
      if stretch.isDecided { sink.record(stretch.decision) }
      for estimate in stretch.estimates {
        var own = estimate
        own.key = handles[estimate.key] ?? estimate.key
        sink.record(own)
      }
    }
    try writeSamples(into: sink, handles, &end)
    let frames = try writeFrames(into: sink, &end)
    if frames > 0 {
      leftOut.append(
        "\(frames) \(frames == 1 ? "frame" : "frames") after a release left out: the poses of elements are unknown"
      )
    }
    let settling = Set(stretches.flatMap { $0.motions.map(\.key) })
    let resting = try keysBehind(settling)
    if !resting.isEmpty {
      leftOut.append(
        "values of \(resting.joined(separator: ", ")) after a release left out: they cannot be computed"
      )
    }
    for stretch in stretches
    where stretch.frames.last.map({ $0.seconds(since: stretch.release) }) ?? 0 < stretch.seconds {
      let shown = stretch.frames.last.map { $0.seconds(since: stretch.release) } ?? 0
      leftOut.append(
        "the settle takes \(FieldValue.jsonNumber((stretch.seconds * 1e4).rounded() / 1e4)) s, but there are frames "
          + "for only \(FieldValue.jsonNumber((shown * 1e4).rounded() / 1e4)) s of it")
    }
    return Rerun.Result(end: end, leftOut: leftOut)
  }

  private func stretch(behind time: Instant) -> Stretch? {
    stretches.first { $0.replaces(time) }
  }

  /// The events up to each release, and how each transition ends now.
  private func writeEvents(into sink: any TimelineSink) throws {
    var events: [TimelineEvent] = []
    try file.forEachEvent { row in
      let isEnding = ReleaseRerun.endings.contains(row.kind)
      // Finish may be asked for a little before the lift that it belongs to.
      let isReplaced =
        stretch(behind: row.time) != nil
        || isEnding && stretches.contains { row.time <= $0.release && near(row.time, $0.release) }
      if !isReplaced { events.append(row.event) }
    }
    for stretch in stretches {
      let transition = stretch.decision.transition
      let isFinish = stretch.decision.outcome == .finish
      events.append(
        TimelineEvent(
          time: stretch.release, kind: isFinish ? .finish : .cancel,
          fields: EventField.list([
            "transition": transition, "progress": stretch.decision.progress,
          ])))
      let settled = stretch.settleTimes.last ?? stretch.release
      events.append(
        TimelineEvent(
          time: settled, kind: .completion,
          fields: EventField.list([
            "transition": transition, "completed": true, "finished": isFinish,
          ])))
    }
    for event in events.enumerated().sorted(by: {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }) {
      sink.record(event.element)
    }
  }

  /// Whether an instant is within the millisecond before a lift, by which finish may be early.
  private func near(_ time: Instant, _ release: Instant) -> Bool {
    release.nanoseconds(since: time) <= 1_000_000
  }

  private func writeSamples(
    into sink: any TimelineSink, _ handles: [KeyHandle: KeyHandle], _ end: inout Instant
  ) throws {
    let settings = Set(
      keys.filter { $0.name == Frames.displayIntervalKey }.map(\.handle))
    var next = 0
    func settle(before time: Instant?) {
      while next < stretches.count, time.map({ $0 > stretches[next].end }) ?? true {
        let stretch = stretches[next]
        for time in stretch.settleTimes {
          let seconds = time.seconds(since: stretch.release)
          for (key, motion) in stretch.motions {
            let value = seconds >= stretch.seconds ? motion.to : motion.value(atSeconds: seconds)
            sink.record(value, for: handles[key] ?? key, at: time, phase: .settling)
          }
          end = max(end, time)
        }
        next += 1
      }
    }
    try file.forEachSample { key, nanoseconds, value, phase in
      let time = Instant(nanoseconds: nanoseconds)
      settle(before: time)
      guard settings.contains(key) || stretch(behind: time) == nil else { return }
      sink.record(value, for: handles[key] ?? key, at: time, phase: phase)
      if !settings.contains(key) { end = max(end, time) }
    }
    settle(before: nil)
  }

  /// Writes the frames up to each release. How many are left out.
  private func writeFrames(into sink: any TimelineSink, _ end: inout Instant) throws -> Int {
    var items: [ItemHandle: ItemHandle] = [:]
    for item in try file.items() {
      items[item.handle] = sink.itemHandle(for: item.identity)
    }
    var leftOut = 0
    try file.forEachFrame(from: Instant(nanoseconds: .min)) { folded in
      let state = folded.frame.state
      guard stretch(behind: state.time) == nil else {
        leftOut += 1
        return true
      }
      sink.beginFrame(state)
      for element in folded.elements {
        guard let item = items[element.item] else { continue }
        sink.record(element.pose, of: item, at: element.indexPath)
      }
      sink.endFrame()
      end = max(end, state.time)
      return true
    }
    return leftOut
  }

  /// The names of the keys that have values behind a release and do not settle anew.
  private func keysBehind(_ settling: Set<KeyHandle>) throws -> [String] {
    var behind: Set<KeyHandle> = []
    try file.forEachSample { key, nanoseconds, _, _ in
      guard !settling.contains(key), !behind.contains(key) else { return }
      if stretch(behind: Instant(nanoseconds: nanoseconds)) != nil { behind.insert(key) }
    }
    return keys.filter { behind.contains($0.handle) && $0.name != Frames.displayIntervalKey }
      .map(\.name)
  }
}
