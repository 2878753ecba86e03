import TimelineModel
import TimelineStore

extension LinesExport {
  /// The first line: what is known of the session before its first value.
  func writeHeader() {
    let session = export.session
    let known = session.description
    var fields = [Field("kymograph", .integer(1))]
    func add(_ name: String, _ value: FieldValue) {
      if value != .null { fields.append(Field(name, value)) }
    }
    add("name", FieldValue(known.name))
    add("refreshRate", FieldValue(known.refreshRate))
    if let viewport = known.viewport { add("viewport", FieldValue(viewport)) }
    add("clock", .text(known.clock))
    add("device", FieldValue(known.device))
    add("software", .text(known.software))
    var recorded: [Field] = [
      Field("uuid", .text(session.uuid)), Field("session", .integer(session.number)),
      Field("schemaVersion", .integer(session.schemaVersion)),
      Field("precision", .text(session.precision.rawValue)),
    ]
    func keep(_ name: String, _ value: FieldValue) {
      if value != .null { recorded.append(Field(name, value)) }
    }
    keep("wallClock_ns", known.wallClockStartNanoseconds.map { .integer($0) } ?? .null)
    keep("end_ns", FieldValue(session.end))
    keep("outcome", FieldValue(session.outcome?.rawValue))
    keep("engineVersion", FieldValue(known.engineVersion))
    keep("gestureSource", FieldValue(known.gestureSource))
    keep("scenario", FieldValue(known.scenario))
    keep("transition", FieldValue(known.transition))
    keep("settle", FieldValue(known.settle))
    keep("release", FieldValue(known.release))
    keep("redaction", FieldValue(known.redaction))
    if !known.layouts.isEmpty {
      keep(
        "layouts",
        .list(
          known.layouts.map { layout in
            .object([
              Field("name", .text(layout.name)), Field("type", .text(layout.type)),
              Field("parameters", .text(layout.parameters)),
            ])
          }))
    }
    add("recorded", .object(recorded))
    text.put(FieldValue.object(fields).json)
    text.put("\n")
  }

  /// Keys and items in the order of their numbers, so that whoever reads the lines numbers them alike.
  func declareNames() {
    for key in export.keys where export.takes(key) {
      text.put("{\"declare\":\"key\",\"name\":")
      text.quote(key.name)
      text.name("role")
      text.quote(key.role.rawValue)
      text.name("unit")
      text.quote(key.unit)
      text.put("}\n")
    }
    for item in export.items where export.takes(item) {
      let fields =
        [Field("declare", .text("item"))] + LinesExport.fields(of: item.identity)
      text.put(FieldValue.object(fields).json)
      text.put("\n")
    }
  }

  /// An element's identity; a cell needs no more than its identifier.
  static func fields(of identity: ElementIdentity) -> [Field] {
    var fields = [Field("id", .text(identity.id))]
    if identity.category != .cell {
      fields.append(Field("kind", .text(identity.category.rawValue)))
    }
    if let kind = identity.elementKind { fields.append(Field("elementKind", .text(kind))) }
    return fields
  }

  /// The fields that have a value, optional ones of it left out.
  private static func present(_ fields: [(String, FieldValue)]) -> [Field] {
    fields.compactMap { $0.1 == .null ? nil : Field($0.0, $0.1) }
  }

  /// A decision.
  static func fields(of decision: ReleaseDecision) -> [Field] {
    present([
      ("transition", .integer(Int64(decision.transition))),
      ("outcome", .text(decision.outcome.rawValue)), ("decidedBy", .text(decision.decidedBy)),
      ("rule", .text(decision.rule)), ("ruleParameters", FieldValue(decision.ruleParameters)),
      ("ruleOutcome", .text(decision.ruleOutcome.rawValue)),
      ("threshold", .number(decision.threshold)), ("progress", .number(decision.progress)),
      ("progressVelocity", FieldValue(decision.progressVelocity)),
      ("progressStandardError", FieldValue(decision.progressStandardError)),
      ("marginProgress", FieldValue(decision.marginProgress)),
      ("marginVelocity", FieldValue(decision.marginVelocity)),
      ("marginThreshold", FieldValue(decision.marginThreshold)),
      ("marginSigma", FieldValue(decision.marginSigma)),
      ("flipVelocity", FieldValue(decision.flipVelocity)),
      ("flipProgress", FieldValue(decision.flipProgress)),
      ("projectedProgress", FieldValue(decision.projectedProgress)),
    ])
  }

  /// What was estimated for a key.
  static func fields(of row: ReleaseEstimate, key: KeyRecord) -> [Field] {
    let estimate = row.estimate
    let leftOut = LeftOutSamples.Reason.allCases.filter { estimate.leftOut[$0] > 0 }.map {
      Field($0.rawValue, .integer(Int64(estimate.leftOut[$0])))
    }
    return present([
      ("transition", .integer(Int64(row.transition))), ("key", .text(key.name)),
      ("role", .text(key.role.rawValue)), ("value", .number(row.value)),
      ("target", FieldValue(row.target)), ("remaining", FieldValue(row.remaining)),
      ("relativeVelocity", FieldValue(row.relativeVelocity)),
      ("settleTime_s", FieldValue(row.settleTimeSeconds)),
      ("estimator", .text(estimate.estimator)), ("velocity", FieldValue(estimate.velocity)),
      ("low", FieldValue(estimate.low)), ("high", FieldValue(estimate.high)),
      ("standardError", FieldValue(estimate.standardError)),
      ("leaveOneOutLow", FieldValue(estimate.leaveOneOutLow)),
      ("leaveOneOutHigh", FieldValue(estimate.leaveOneOutHigh)),
      ("confidence", FieldValue(estimate.confidence)),
      ("clampedVelocity", FieldValue(estimate.clampedVelocity)),
      ("chosen", FieldValue(estimate.chosen)), ("samples", .integer(Int64(estimate.sampleCount))),
      ("leftOut", leftOut.isEmpty ? .null : .object(leftOut)),
      ("liftGap_ns", estimate.liftGapNanoseconds.map { .integer($0) } ?? .null),
      ("opposesDisplacement", estimate.opposesDisplacement ? .flag(true) : .null),
      ("liftArtefactSuspected", estimate.liftArtefactSuspected ? .flag(true) : .null),
    ])
  }
}
