import TimelineInterchange
import TimelineModel
import TimelineQuery

extension ComparisonReport {
  /// The figures of one run's updates.
  func smoothnessFields(_ metrics: JankMetrics) -> [EventField] {
    func milliseconds(_ seconds: Double?) -> FieldValue { FieldValue(seconds.map { $0 * 1000 }) }
    let intervals = metrics.intervals
    return [
      EventField("frames", FieldValue(metrics.frameCount)),
      EventField("p50_ms", milliseconds(intervals?.p50)),
      EventField("p90_ms", milliseconds(intervals?.p90)),
      EventField("p95_ms", milliseconds(intervals?.p95)),
      EventField("p99_ms", milliseconds(intervals?.p99)),
      EventField("max_ms", milliseconds(intervals?.longest)),
      EventField("hitch_ms_per_s", FieldValue(metrics.hitchRatio)),
      EventField("band", FieldValue(metrics.band?.rawValue)),
      EventField("jankPercent", FieldValue(metrics.jankPercent)),
      EventField("growths", FieldValue(metrics.growthCount)),
      EventField("doubled", FieldValue(metrics.duplicateCount)),
      EventField("backward", FieldValue(metrics.backwardCount)),
      EventField("jankMultiple", .number(metrics.jankMultiple)),
      EventField("expected_ms", milliseconds(metrics.expectedSeconds)),
      EventField("expectedFrom", FieldValue(metrics.expectedFrom?.rawValue)),
      EventField("from", .text(metrics.source.rawValue)),
    ]
  }

  /// How a key moved, each figure of A and of B.
  func motionObject(_ motion: RunComparison.Motion) -> FieldValue {
    var fields = [EventField("transition", FieldValue(motion.transition))]
    for figure in motionFigures(motion) {
      fields.append(EventField("\(figure.name)A", FieldValue(figure.a)))
      fields.append(EventField("\(figure.name)B", FieldValue(figure.b)))
    }
    return .object(fields)
  }

  /// The figures of a motion by name, with A's and B's.
  func motionFigures(
    _ motion: RunComparison.Motion
  ) -> [(name: String, a: Double?, b: Double?)] {
    func pair(
      _ name: String, _ value: (MotionMetrics) -> Double?
    ) -> (name: String, a: Double?, b: Double?) {
      (name, motion.a.flatMap(value), motion.b.flatMap(value))
    }
    return [
      pair("rise_ms") { $0.riseSeconds.map { $0 * 1000 } },
      pair("settle2_ms") { $0.settle2Seconds.map { $0 * 1000 } },
      pair("settle5_ms") { $0.settle5Seconds.map { $0 * 1000 } },
      pair("overshootPercent", \.overshootPercent), pair("undershootPercent", \.undershootPercent),
      pair("turns") { Double($0.turnCount) }, pair("first") { $0.firstValue },
      pair("final") { $0.finalValue }, pair("peakVelocity", \.peakVelocity),
      pair("peakAt_s") { $0.peakTime?.seconds },
    ]
  }

  /// How fast a key was at a release.
  func velocityObject(_ velocity: RunComparison.ReleaseVelocity) -> FieldValue {
    .object([
      EventField("transition", FieldValue(velocity.transition)),
      EventField("estimator", .text(velocity.estimator)), EventField("a", FieldValue(velocity.a)),
      EventField("b", FieldValue(velocity.b)),
    ])
  }

  /// One number held against its limit.
  func verdictObject(_ verdict: Verdict) -> FieldValue {
    .object([
      EventField("subject", .text(verdict.subject)),
      EventField("measure", .text(verdict.measure)),
      EventField("value", FieldValue(verdict.value)),
      EventField("limit", FieldValue(verdict.limit)),
      EventField("finding", .text(verdict.grade.rawValue)),
      EventField("rule", FieldValue(verdict.rule.map { $0.index + 1 })),
      EventField("ruleName", FieldValue(verdict.rule?.name)),
      EventField("ruleID", FieldValue(verdict.rule?.id)),
      EventField("says", .text(verdict.sentence)),
    ])
  }
}

extension RunComparison {
  /// What was judged, by what matters: decisions, structure, keys, then each element that a rule is about or that
  /// differs.
  func junit(name: String) -> JUnitDocument {
    var document = JUnitDocument(name: "kymo compare \(name)")
    let ofRuns = verdicts.filter(\.subject.isEmpty).sorted { $0.kind < $1.kind }
    for verdict in ofRuns { document.add("runs", verdict.measure, [verdict]) }
    for key in keys { document.add("keys", key.name, key.verdicts) }
    var ofItems = Dictionary(grouping: verdicts.filter { !$0.subject.isEmpty }, by: \.subject)
    for verdict in verdicts {
      guard let found = ofItems.removeValue(forKey: verdict.subject) else { continue }
      document.add("items", verdict.subject, found)
    }
    return document
  }
}
