import TimelineModel

extension Tolerances {
  /// The file's text: one rule a line, fields in a fixed order, so that a change to one rule is a change to
  /// one line.
  public var json: String {
    var align: [EventField] = []
    if let alignment { align.append(EventField("mode", .text(alignment.rawValue))) }
    if let lagLimitSeconds { align.append(EventField("limit_ms", .number(lagLimitSeconds * 1000))) }
    var text = "{\"version\": 1,\n"
    if !align.isEmpty { text += " \"align\": \(FieldValue.object(align).json),\n" }
    text += " \"rules\": [\n"
    text += rules.map { "  " + FieldValue.object($0.fields).json }.joined(separator: ",\n")
    return text + "\n]}\n"
  }
}

extension Tolerances.Rule {
  fileprivate var fields: [EventField] {
    var fields: [EventField] = []
    switch subject {
    case .key(let glob, let ladder): fields = [EventField("key", .text(glob))] + ladder.fields
    case .item(let glob, let ladder): fields = [EventField("item", .text(glob))] + ladder.fields
    case .metric(let metric, let glob, let bound, let mustMatch):
      fields = [EventField("metric", .text(metric.rawValue))]
      if let glob {
        fields.append(EventField(metric.scope == .items ? "item" : "key", .text(glob)))
      }
      fields += bound.fields
      if mustMatch { fields.append(EventField("must", .text("match"))) }
    }
    if let id { fields.insert(EventField("id", .text(id)), at: 0) }
    if level != .error { fields.append(EventField("level", .text(level.rawValue))) }
    if let aggregate { fields.append(EventField("aggregate", .text(aggregate.rawValue))) }
    return fields
  }
}

extension Tolerances.Bound {
  fileprivate var fields: [EventField] {
    var fields: [EventField] = []
    if let warn { fields.append(EventField("warn", .number(warn))) }
    if let fail { fields.append(EventField("fail", .number(fail))) }
    return fields
  }
}

extension Tolerances.Ladder {
  fileprivate var fields: [EventField] {
    var fields: [EventField] = []
    for (name, bound) in [("max_abs", maxAbs), ("rms", rms), ("over_percent", overPercent)] {
      if let bound { fields.append(EventField(name, .object(bound.fields))) }
    }
    if let hard { fields.append(EventField("hard", .number(hard))) }
    if !ignored.isEmpty {
      let windows = ignored.map { window in
        FieldValue.list([.number(window.lowerBound * 1000), .number(window.upperBound * 1000)])
      }
      fields.append(EventField("ignore_ms", .list(windows)))
    }
    return fields
  }
}
