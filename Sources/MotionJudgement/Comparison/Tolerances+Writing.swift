import MotionMeasures
package import TimelineModel

extension Tolerances {
  /// The file's text: one rule a line, fields in a fixed order, so that a change to one rule is a change to
  /// one line.
  public var json: String {
    let align = EventField.list([
      "mode": alignment?.rawValue, "limit_ms": lagLimitSeconds.milliseconds,
    ]).filled
    var text = "{\"version\": 1, \"measures\": \(measures),\n"
    if !align.isEmpty { text += " \"align\": \(FieldValue.object(align).json),\n" }
    text += " \"rules\": [\n"
    text += rules.map { "  " + FieldValue.object($0.row.filled).json }.joined(separator: ",\n")
    return text + "\n]}\n"
  }
}

extension Tolerances.Rule: ResultRow {
  /// What a rule of a file can have, in the order in which it is written.
  package static var fields: [ResultField<Self>] {
    [
      ResultField("id", "What people call it.", \.id),
      ResultField("metric", "The number that it is about.") { $0.metric?.measure },
      ResultField("key", "The keys that it is about.") { $0.name(as: "key") },
      ResultField("item", "The elements that it is about.") { $0.name(as: "item") },
    ] + Tolerances.Ladder.fields.of(\.ladder) + Tolerances.Bound.fields.of(\.metric?.bound) + [
      ResultField("must", "\"match\": nothing may differ.") {
        $0.metric?.mustMatch == true ? "match" : nil
      },
      ResultField("level", "What its finding means.") { $0.level == .error ? nil : $0.level },
      ResultField("aggregate", "How many runs are made one.", \.aggregate),
    ]
  }

  fileprivate var metric: (measure: Measure, bound: Tolerances.Bound, mustMatch: Bool)? {
    guard case .metric(let measure, _, let bound, let mustMatch) = subject else { return nil }
    return (measure, bound, mustMatch)
  }

  fileprivate var ladder: Tolerances.Ladder? {
    switch subject {
    case .key(_, let ladder), .item(_, let ladder): ladder
    case .metric: nil
    }
  }

  private func name(as kind: String) -> String? {
    switch subject {
    case .key(let glob, _): kind == "key" ? glob : nil
    case .item(let glob, _): kind == "item" ? glob : nil
    case .metric(let measure, let glob, _, _): kind == measure.subjectName ? glob : nil
    }
  }
}

extension Tolerances.Bound: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("warn", "Above it is a warning.", \.warn),
      ResultField("fail", "Above it is a failure.", \.fail),
    ]
  }

  fileprivate var object: FieldValue { .object(row.filled) }
}

extension Tolerances.Ladder: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("max_abs", "The largest distance.") { $0.maxAbs?.object },
      ResultField("rms", "Its root mean square over time.") { $0.rms?.object },
      ResultField("over_percent", "How long max_abs may be passed.") { $0.overPercent?.object },
      ResultField("hard", "What no distance may be above.", \.hard),
      ResultField("ignore_ms", "Stretches that are left out.") {
        $0.ignored.isEmpty ? nil : $0.ignored.map { [$0.lowerBound * 1000, $0.upperBound * 1000] }
      },
    ]
  }
}

extension [EventField] {
  /// Those that have a value.
  fileprivate var filled: [EventField] { filter { $0.value != .null } }
}
