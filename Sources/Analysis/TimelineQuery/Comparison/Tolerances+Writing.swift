import TimelineModel

extension Tolerances {
  /// The file's text: one rule a line, fields in a fixed order, so that a change to one rule is a change to
  /// one line.
  public var json: String {
    var align: [Field] = []
    if let alignment { align.append(Field("mode", .text(alignment.rawValue))) }
    if let lagLimitSeconds { align.append(Field("limit_ms", .number(lagLimitSeconds * 1000))) }
    var text = "{\"version\": 1,\n"
    if !align.isEmpty { text += " \"align\": \(FieldValue.object(align).json),\n" }
    text += " \"rules\": [\n"
    text += rules.map { "  " + FieldValue.object($0.fields).json }.joined(separator: ",\n")
    return text + "\n]}\n"
  }
}

extension Tolerances.Rule {
  fileprivate var fields: [Field] {
    var fields: [Field] = []
    switch subject {
    case .key(let glob, let ladder): fields = [Field("key", .text(glob))] + ladder.fields
    case .item(let glob, let ladder): fields = [Field("item", .text(glob))] + ladder.fields
    case .metric(let metric, let glob, let bound, let mustMatch):
      fields = [Field("metric", .text(metric.rawValue))]
      if let glob {
        fields.append(Field(metric.scope == .items ? "item" : "key", .text(glob)))
      }
      fields += bound.fields
      if mustMatch { fields.append(Field("must", .text("match"))) }
    }
    if level != .error { fields.append(Field("level", .text(level.rawValue))) }
    if let aggregate { fields.append(Field("aggregate", .text(aggregate.rawValue))) }
    return fields
  }
}

extension Tolerances.Bound {
  fileprivate var fields: [Field] {
    var fields: [Field] = []
    if let warn { fields.append(Field("warn", .number(warn))) }
    if let fail { fields.append(Field("fail", .number(fail))) }
    return fields
  }
}

extension Tolerances.Ladder {
  fileprivate var fields: [Field] {
    var fields: [Field] = []
    for (name, bound) in [("max_abs", maxAbs), ("rms", rms), ("over_percent", overPercent)] {
      if let bound { fields.append(Field(name, .object(bound.fields))) }
    }
    if let hard { fields.append(Field("hard", .number(hard))) }
    if !ignored.isEmpty {
      let windows = ignored.map { window in
        FieldValue.list([.number(window.lowerBound * 1000), .number(window.upperBound * 1000)])
      }
      fields.append(Field("ignore_ms", .list(windows)))
    }
    return fields
  }
}
