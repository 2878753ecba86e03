import MotionPhysics
package import TimelineModel
package import TimelineStore

/// One session in named numbers: what runs are compared by when there are many of each.
///
/// The order is always the same: the session's own figures first, then those of each release, then those
/// of each key in the order of the keys' numbers. A figure that a session cannot tell is there without a
/// value, so that sessions with the same keys have the same list.
package struct SessionMetrics: Sendable, Hashable {
  /// One number.
  package struct Metric: Sendable, Hashable, ResultRow {
    /// Which number it is.
    package var name: Measure
    /// The key that it is told of; nil for the session's own.
    package var key: String?
    /// The role of that key, which tells two keys of one name apart.
    package var role: KeyRole?
    /// The number of the release in its session, counted from 0; 0 where the session has none or only one.
    package var transition: Int
    /// The outcome of the release, where finishes are told apart from cancels; nil: not.
    package var outcome: ReleaseOutcome?
    /// The unit: "ms", "ms/s", "%", "1" for none, or one made of the key's.
    package var unit: String
    /// The number; nil where the session does not tell it.
    package var value: Double?

    package init(
      name: Measure, key: String?, role: KeyRole?, transition: Int, unit: String, value: Double?
    ) {
      (self.name, self.key, self.role) = (name, key, role)
      (self.transition, self.unit, self.value) = (transition, unit, value)
    }

    package static var fields: [ResultField<Self>] {
      [
        ResultField("name", "The number's name.", \.name),
        ResultField("key", "The key that it is of; null for the session's own.", \.key),
        ResultField("role", "The role of that key.", \.role),
        ResultField("transition", "The number of the release, counted from 0.", \.transition),
        ResultField("unit", "The unit of the value.", \.unit),
        ResultField("value", "The number.", \.value),
      ]
    }
  }

  /// The numbers, in order.
  package var metrics: [Metric] = []

  /// Numbers that were read before.
  package init(metrics: [Metric]) { self.metrics = metrics }

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - isNeeded: Whether a number is kept; all are unless told otherwise.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in samples and frames, but for sorting the frames' intervals.
  package init(
    _ session: SessionRecord, in reader: RecordingReader,
    keeping isNeeded: (Metric) -> Bool = { _ in true }
  ) throws {
    let curves = try SessionCurves(session, in: reader)
    add(SessionMetrics.ofSession, of: curves, isNeeded)
    add(JankMetrics.fields, of: JankMetrics(curves.clock), isNeeded)
    let answers = try SessionMetrics.answers(at: curves, in: reader)
    for (index, release) in curves.releases.enumerated() {
      let margin = release.marginProgress(asking: answers[release.time]?.decision)
      add(
        SessionMetrics.ofRelease, of: Decided(outcome: release.outcome, margin: margin),
        transition: index, isNeeded)
    }
    for key in curves.keys {
      for (index, stretch) in curves.stretches.enumerated() {
        let velocity = stretch.release.flatMap { answers[$0]?.velocities[key.record.handle] ?? nil }
        add(
          SessionMetrics.ofKey, of: KeyMotion(key, in: stretch, releaseVelocity: velocity),
          key: key.record, transition: index, isNeeded)
      }
    }
  }

  /// What is kept of the answers about a release.
  private typealias Answer = (velocities: [KeyHandle: Double?], decision: ReleaseRule.Decision?)

  /// How fast each key was at each release, and what the rule says. One release is reported at a time, since a report
  /// holds much more.
  private static func answers(
    at curves: SessionCurves, in reader: RecordingReader
  ) throws -> [Instant: Answer] {
    guard !curves.releases.isEmpty else { return [:] }
    var question = VelocityQuestion()
    question.keyNames = Set(curves.keys.map(\.record.name))
    question.contacts = []
    let source = try VelocitySource(session: curves.session, reader: reader, question: question)
    var found: [Instant: Answer] = [:]
    for record in source.releases where found[record.time] == nil {
      let release = try source.release(record)
      found[record.time] = (release.velocities, release.ownDecision)
    }
    return found
  }

  /// The metric of a name; nil where there is none, or where the session does not tell it.
  package func value(_ name: Measure, key: String? = nil, transition: Int = 0) -> Double? {
    metrics.first { $0.name == name && $0.key == key && $0.transition == transition }?.value
  }
}

extension SessionMetrics {
  /// How a release was decided.
  private struct Decided {
    let outcome: ReleaseOutcome
    let margin: Double?
  }

  /// How a key moved after a release, and how fast it was then.
  private struct KeyMotion {
    let motion: MotionMetrics?
    let releaseVelocity: Double?
    private let start: Instant?

    init(_ key: SessionCurves.Key, in stretch: MotionStretch, releaseVelocity: Double?) {
      motion = MotionMetrics(key.curve, in: stretch, isStep: key.isStep)
      start = key.curve.times[key.curve.times.partitioningIndex { $0 >= stretch.start }...].first
      self.releaseVelocity = releaseVelocity
    }

    var peakSeconds: Double? {
      motion?.peakTime.flatMap { time in start.map { time.seconds(since: $0) } }
    }
  }

  /// The numbers of the session as a whole, beside those of its updates.
  private static let ofSession: [ResultField<SessionCurves>] = [
    ResultField(.duration, "ms", "From first to last.", \.durationSeconds.milliseconds)
  ]

  /// The numbers of a release.
  private static let ofRelease: [ResultField<Decided>] = [
    ResultField(.decision, "1", "1 if it finished.") { $0.outcome == .finish ? 1.0 : 0 },
    ResultField(.margin, "1", "How far from flipping.", \.margin),
  ]

  /// The numbers of a key at a release: first how fast it was, then the other figures of its motion.
  private static let ofKey: [ResultField<KeyMotion>] =
    (MotionMetrics.fields.of(\.motion) + [
      ResultField(.peakTime, "ms", "From the start to the peak.", \.peakSeconds.milliseconds),
      ResultField(.releaseVelocity, "/s", "The velocity at the release.", \.releaseVelocity),
    ]).leading(with: [.peakVelocity, .peakTime, .releaseVelocity])

  /// All numbers, in the order in which sessions have them.
  package static let measures: [Measure] =
    (ofSession.measures() + JankMetrics.fields.measures() + ofRelease.measures()
    + ofKey.measures()).map(\.measure)

  /// Adds the measures of a list. A unit that depends on the key's is made of it.
  private mutating func add<Record>(
    _ fields: [ResultField<Record>], of record: Record, key: KeyRecord? = nil, transition: Int = 0,
    _ isNeeded: (Metric) -> Bool
  ) {
    for field in fields {
      guard let measure = field.measure.flatMap(Measure.init(rawValue:)) else { continue }
      let keyUnit = key?.unit ?? ""
      let unit =
        switch field.unit {
        case "": keyUnit
        case "/s": keyUnit.isEmpty ? "1/s" : keyUnit + "/s"
        default: field.unit
        }
      let value = field.number(of: record).flatMap { $0.isFinite ? $0 : nil }
      let metric = Metric(
        name: measure, key: key?.name, role: key?.role, transition: transition, unit: unit,
        value: value)
      if isNeeded(metric) { metrics.append(metric) }
    }
  }
}

extension SessionCurves {
  /// Seconds from the first sample or frame to the last; nil where there is neither.
  package var durationSeconds: Double? {
    var times = keys.flatMap { [$0.curve.times.first, $0.curve.times.last].compactMap { $0 } }
    times += [clock.times.min(), clock.times.max()].compactMap { $0 }
    guard let first = times.min(), let last = times.max() else { return nil }
    return last.seconds(since: first)
  }
}

extension VelocityReport.Release {
  /// The velocity of each key by the first estimator that answers; nil where none can be told.
  fileprivate var velocities: [KeyHandle: Double?] {
    var found: [KeyHandle: Double?] = [:]
    for motion in motions {
      guard case .key(let key) = motion.subject, found[key.handle] == nil else { continue }
      found[key.handle] = .some(motion.estimate.velocityPerSecond)
    }
    return found
  }
}
