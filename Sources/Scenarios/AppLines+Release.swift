import JSONText
import TimelineModel

extension AppLines {
  /// The role of a key that a line names alone.
  func role(of name: String) -> KeyRole {
    roles[name] ?? (name == progressKeyName ? .progress : .custom)
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
      throw line.failure("Found \"\(other)\"; a declaration is of a \"key\" or an \"item\".")
    }
  }

  /// The fields of a decision; the first four are required.
  package static let decisionFields = [
    "outcome", "rule", "threshold", "progress", "transition", "decidedBy", "ruleOutcome",
    "ruleParameters", "progressVelocity", "progressStandardError", "marginProgress",
    "marginVelocity", "marginThreshold", "marginSigma", "flipVelocity", "flipProgress",
    "projectedProgress",
  ]

  /// Takes a release decision.
  func takeDecision(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "decision"])
    let fields = try line.object().required("decision")
      .object(allowing: AppLines.decisionFields)
    let outcome = try fields.required("outcome").choice(ReleaseOutcome.self)
    sink.record(
      ReleaseDecision(
        transition: try fields.count("transition") ?? 0, time: time,
        outcome: outcome,
        decidedBy: try fields["decidedBy"]?.string() ?? "rule",
        rule: try fields.required("rule").string(),
        ruleParameters: try fields["ruleParameters"]?.string(),
        ruleOutcome: try fields["ruleOutcome"]?.choice(ReleaseOutcome.self) ?? outcome,
        threshold: try fields.required("threshold").number(),
        progress: try fields.required("progress").number(),
        progressVelocity: try fields["progressVelocity"]?.number(),
        progressStandardError: try fields["progressStandardError"]?.number(),
        marginProgress: try fields["marginProgress"]?.number(),
        marginVelocity: try fields["marginVelocity"]?.number(),
        marginThreshold: try fields["marginThreshold"]?.number(),
        marginSigma: try fields["marginSigma"]?.number(),
        flipVelocity: try fields["flipVelocity"]?.number(),
        flipProgress: try fields["flipProgress"]?.number(),
        projectedProgress: try fields["projectedProgress"]?.number()))
  }

  /// Takes what was estimated for one key at a release.
  func takeEstimate(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "estimate"])
    let fields = try line.object().required("estimate").object(allowing: [
      "transition", "key", "role", "value", "target", "remaining", "relativeVelocity",
      "settleTime_s", "estimator", "velocity", "low", "high", "standardError", "leaveOneOutLow",
      "leaveOneOutHigh", "confidence", "clampedVelocity", "chosen", "samples", "leftOut",
      "liftGap_ns", "opposesDisplacement", "liftArtefactSuspected",
    ])
    let name = try fields.required("key").string()
    let role = try fields["role"]?.choice(KeyRole.self) ?? role(of: name)
    var leftOut = LeftOutSamples()
    if let counts = try fields["leftOut"]?.object(
      allowing: LeftOutSamples.Reason.allCases.map(\.rawValue))
    {
      for reason in LeftOutSamples.Reason.allCases {
        leftOut[reason] = try counts.count(reason.rawValue) ?? 0
      }
    }
    let estimate = VelocityEstimate(
      estimator: try fields.required("estimator").string(),
      velocity: try fields["velocity"]?.number(), low: try fields["low"]?.number(),
      high: try fields["high"]?.number(), standardError: try fields["standardError"]?.number(),
      leaveOneOutLow: try fields["leaveOneOutLow"]?.number(),
      leaveOneOutHigh: try fields["leaveOneOutHigh"]?.number(),
      confidence: try fields["confidence"]?.number(),
      clampedVelocity: try fields["clampedVelocity"]?.number(),
      chosen: try fields["chosen"]?.string(), sampleCount: try fields.count("samples") ?? 0,
      leftOut: leftOut, liftGapNanoseconds: try fields["liftGap_ns"]?.integer(),
      opposesDisplacement: try fields["opposesDisplacement"]?.bool() ?? false,
      liftArtefactSuspected: try fields["liftArtefactSuspected"]?.bool() ?? false)
    let value = try fields.required("value").number()
    let (target, remaining) = (try fields["target"]?.number(), try fields["remaining"]?.number())
    let relative = try fields["relativeVelocity"]?.number()
    let settleTime = try fields["settleTime_s"]?.number()
    let transition = try fields.count("transition") ?? 0
    sink.record(
      ReleaseEstimate(
        transition: transition, time: time,
        key: sink.keyHandle(for: name, role: role, unit: ""), value: value, estimate: estimate,
        target: target, remaining: remaining, relativeVelocity: relative,
        settleTimeSeconds: settleTime))
  }
}

extension JSONFields {
  /// A count; nil where there is no such field.
  fileprivate func count(_ name: String) throws(JSONError) -> Int? {
    guard let field = self[name] else { return nil }
    return Int(try field.integer(in: 0...Int64.max))
  }
}
