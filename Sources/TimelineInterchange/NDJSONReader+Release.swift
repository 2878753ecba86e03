import JSONText
import TimelineModel

extension NDJSONReader {
  /// The role of a key that a line names alone.
  func role(of name: String) -> KeyRole {
    (roles.isEmpty ? nil : roles[name]) ?? (name == progressKeyName ? .progress : .custom)
  }

  /// Takes a name before it is used: keys and items are numbered in the order of their first naming.
  mutating func takeDeclaration(_ line: JSONReader) throws(JSONError) {
    let fields = try line.object(allowing: [
      "declare", "name", "role", "unit", "id", "kind", "elementKind",
    ])
    switch try fields.required("declare").string() {
    case "key":
      let name = try fields.required("name").string()
      let role = try fields["role"]?.choice(KeyRole.self) ?? role(of: name)
      let unit = try fields["unit"]?.string() ?? ""
      if roles[name] == nil { roles[name] = role }
      _ = sink.keyHandle(for: name, role: role, unit: unit)
    case "item":
      _ = sink.itemHandle(for: try readIdentity(fields))
    case let other:
      throw line.failure("Unknown declaration '\(other)'. Known: key, item.")
    }
  }

  /// The fields of a decision. The first four are required.
  package static let decisionFields =
    [
      "outcome", "rule", "threshold", "progress", "transition", "decidedBy", "ruleOutcome",
      "ruleParameters",
    ] + ReleaseDecision.numbers.map(\.name)

  /// Takes a release decision.
  mutating func takeDecision(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "decision"])
    let fields = try line.object().required("decision")
      .object(allowing: NDJSONReader.decisionFields)
    let outcome = try fields.required("outcome").choice(ReleaseOutcome.self)
    var decision = ReleaseDecision(
      transition: try fields.count("transition") ?? 0, time: time, outcome: outcome,
      decidedBy: DecisionSource(
        recorded: try fields["decidedBy"]?.string() ?? DecisionSource.rule.description),
      rule: RuleName(try fields.required("rule").string()),
      ruleParameters: try fields["ruleParameters"]?.string(),
      ruleOutcome: try fields["ruleOutcome"]?.choice(ReleaseOutcome.self) ?? outcome,
      threshold: try fields.required("threshold").number(),
      progress: try fields.required("progress").number(), progressVelocity: nil,
      marginProgress: nil)
    try fields.read(ReleaseDecision.numbers, into: &decision)
    sink.record(decision)
    warnings.take(progressOfDecision: decision.progress)
  }

  /// What a person said of a transition.
  static func label(_ line: JSONReader) throws(JSONError) -> ReleaseLabel {
    _ = try line.object(allowing: ["t_ns", "label"])
    let fields = try line.object().required("label")
      .object(allowing: ["transition", "label", "note", "at_ns"])
    let note = try fields["note"]?.string()
    if let note, let what = ReleaseLabel.fault(ofNote: note) {
      throw try fields.required("note").failure("The note \(what).")
    }
    return ReleaseLabel(
      transition: try fields.count("transition") ?? 0,
      meaning: try fields.required("label").choice(GestureMeaning.self), note: note,
      wallClockNanoseconds: try fields["at_ns"]?.integer() ?? 0)
  }

  /// Takes what was estimated for one key at a release.
  func takeEstimate(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "estimate"])
    let fields = try line.object().required("estimate").object(
      allowing: [
        "transition", "key", "role", "value", "estimator", "chosen", "samples", "leftOut",
        "liftGap_ns", "opposesDisplacement", "liftArtefactSuspected",
      ] + ReleaseEstimate.numbers.map(\.name))
    let name = try fields.required("key").string()
    let estimator = EstimatorName(try fields.required("estimator").string())
    let role = try fields["role"]?.choice(KeyRole.self) ?? role(of: name)
    var leftOut = LeftOutSamples()
    if let counts = try fields["leftOut"]?.object(
      allowing: LeftOutSamples.Reason.allCases.map(\.rawValue))
    {
      for reason in LeftOutSamples.Reason.allCases {
        leftOut[reason] = try counts.count(reason.rawValue) ?? 0
      }
    }
    var estimate = ReleaseEstimate(
      transition: try fields.count("transition") ?? 0, time: time, key: KeyHandle(rawValue: 0),
      value: try fields.required("value").number(),
      estimate: VelocityEstimate(
        estimator: estimator, velocity: nil,
        chosen: try fields["chosen"]?.string(), sampleCount: try fields.count("samples") ?? 0,
        leftOut: leftOut, liftGapNanoseconds: try fields["liftGap_ns"]?.integer(),
        opposesDisplacement: try fields["opposesDisplacement"]?.bool() ?? false,
        liftArtefactSuspected: try fields["liftArtefactSuspected"]?.bool() ?? false),
      target: nil, remaining: nil, relativeVelocity: nil, settleTimeSeconds: nil)
    try fields.read(ReleaseEstimate.numbers, into: &estimate)
    // Last, since a name is numbered by being asked for.
    estimate.key = sink.keyHandle(for: name, role: role, unit: "")
    sink.record(estimate)
  }
}

extension JSONFields {
  /// Reads the numbers that are there.
  fileprivate func read<Record>(
    _ numbers: [NumberField<Record>], into record: inout Record
  ) throws(JSONError) {
    for number in numbers { record[keyPath: number.path] = try self[number.name]?.number() }
  }

  /// A count. `nil` where there is no such field.
  fileprivate func count(_ name: String) throws(JSONError) -> Int? {
    guard let field = self[name] else { return nil }
    return Int(try field.integer(in: 0...Int64.max))
  }
}
