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
  package struct Metric: Sendable, Hashable {
    /// What is told (`settle_2_ms`); ``SessionMetrics/Name`` has all of them.
    package var name: Name
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
      name: Name, key: String?, role: KeyRole?, transition: Int, unit: String, value: Double?
    ) {
      (self.name, self.key, self.role) = (name, key, role)
      (self.transition, self.unit, self.value) = (transition, unit, value)
    }

    /// What two sessions' metrics are matched by: name, key, role, outcome and transition in one text.
    package var identity: String {
      var text = name.rawValue
      if let key { text += " \(role?.rawValue ?? "")/\(key)" }
      if let outcome { text += " \(outcome.rawValue)" }
      return transition == 0 ? text : text + " #\(transition)"
    }
  }

  /// The names of all metrics, in the order in which they are told of one subject.
  package enum Name: String, Sendable, CaseIterable {
    /// Milliseconds from the session's first sample or frame to its last.
    case duration = "duration_ms"
    /// Frames of the display, or instants at which a key was set where there are none.
    case frames
    /// The longest interval that 50 % of the frames do not exceed, in milliseconds.
    case intervalP50 = "interval_p50_ms"
    /// The same for 95 %.
    case intervalP95 = "interval_p95_ms"
    /// The same for 99 %.
    case intervalP99 = "interval_p99_ms"
    /// Milliseconds of lateness in each second of motion.
    case hitchRatio = "hitch_ms_per_s"
    /// Intervals above twice the expected one, in percent.
    case jank = "jank_percent"
    /// 1 where a release finished, 0 where it was cancelled.
    case decision
    /// How far the progress was from the other outcome; no unit.
    case margin
    /// The steepest slope, units per second, with its sign.
    case peakVelocity = "peak_velocity"
    /// Milliseconds from the stretch's start to the steepest slope.
    case peakTime = "peak_time_ms"
    /// The velocity at the release by the session's own estimator, units per second.
    case releaseVelocity = "release_velocity"
    /// From a tenth to nine tenths of the way, in milliseconds.
    case rise = "rise_ms"
    /// From the release until the value stays within 2 % of its last, in milliseconds.
    case settle2 = "settle_2_ms"
    /// The same for 5 %.
    case settle5 = "settle_5_ms"
    /// How far beyond the last value, in percent of the way.
    case overshoot = "overshoot_percent"
    /// How far behind the first value, in percent of the way.
    case undershoot = "undershoot_percent"
    /// How often the value turned round.
    case turns
    /// The last value, in the key's unit.
    case finalValue = "final_value"
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
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in samples and frames, but for sorting the frames' intervals.
  package init(
    _ session: SessionRecord, in reader: RecordingReader
  ) throws {
    let curves = try SessionCurves(session, in: reader)
    var question = VelocityQuestion()
    question.keyNames = Set(curves.keys.map(\.record.name))
    question.contacts = []
    let releases =
      curves.releases.isEmpty
      ? [] : try VelocityReport(of: session, in: reader, asking: question).releases
    addSession(curves)
    for (index, release) in curves.releases.enumerated() {
      add(.decision, unit: "1", release.outcome == .finish ? 1 : 0, transition: index)
      add(.margin, unit: "1", release.recorded?.marginProgress, transition: index)
    }
    let velocitiesAt = Dictionary(releases.map { ($0.time, $0.velocities) }) { first, _ in first }
    for key in curves.keys {
      for (index, stretch) in curves.stretches.enumerated() {
        add(
          key, in: stretch, transition: index,
          velocity: stretch.release.flatMap { velocitiesAt[$0]?[key.record.handle] ?? nil })
      }
    }
  }

  /// The metric of a name; nil where there is none, or where the session does not tell it.
  package func value(_ name: Name, key: String? = nil, transition: Int = 0) -> Double? {
    metrics.first { $0.name == name && $0.key == key && $0.transition == transition }?.value
  }
}

extension SessionMetrics {
  private mutating func add(
    _ name: Name, of key: KeyRecord? = nil, unit: String, _ value: Double?, transition: Int = 0
  ) {
    metrics.append(
      Metric(
        name: name, key: key?.name, role: key?.role, transition: transition, unit: unit,
        value: value.flatMap { $0.isFinite ? $0 : nil }))
  }

  private mutating func addSession(_ curves: SessionCurves) {
    let smoothness = JankMetrics(curves.clock)
    add(.duration, unit: "ms", curves.durationSeconds.map { $0 * 1000 })
    add(.frames, unit: "1", Double(smoothness.frameCount))
    add(.intervalP50, unit: "ms", smoothness.intervals.map { $0.p50 * 1000 })
    add(.intervalP95, unit: "ms", smoothness.intervals.map { $0.p95 * 1000 })
    add(.intervalP99, unit: "ms", smoothness.intervals.map { $0.p99 * 1000 })
    add(.hitchRatio, unit: "ms/s", smoothness.hitchRatio)
    add(.jank, unit: "%", smoothness.jankPercent)
  }

  private mutating func add(
    _ key: SessionCurves.Key, in stretch: MotionStretch, transition: Int,
    velocity: Double?
  ) {
    let record = key.record
    let motion = MotionMetrics(key.curve, in: stretch, isStep: key.isStep)
    let perSecond = record.unit.isEmpty ? "1/s" : "\(record.unit)/s"
    let begin = key.curve.times[key.curve.times.partitioningIndex { $0 >= stretch.start }...].first
    func addMetric(_ name: Name, _ unit: String, _ value: Double?) {
      add(name, of: record, unit: unit, value, transition: transition)
    }
    addMetric(.peakVelocity, perSecond, motion?.peakVelocity)
    let peak = motion?.peakTime.flatMap { time in begin.map { time.seconds(since: $0) * 1000 } }
    addMetric(.peakTime, "ms", peak)
    addMetric(.releaseVelocity, perSecond, velocity)
    addMetric(.rise, "ms", motion?.riseSeconds.map { $0 * 1000 })
    addMetric(.settle2, "ms", motion?.settle2Seconds.map { $0 * 1000 })
    addMetric(.settle5, "ms", motion?.settle5Seconds.map { $0 * 1000 })
    addMetric(.overshoot, "%", motion?.overshootPercent)
    addMetric(.undershoot, "%", motion?.undershootPercent)
    addMetric(.turns, "1", motion.map { Double($0.turnCount) })
    addMetric(.finalValue, record.unit, motion?.finalValue)
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
