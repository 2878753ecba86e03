import TimelineModel
import TimelineStore

extension NDJSONExport {
  /// The first line: what is known of the session before its first value.
  func writeHeader() {
    let session = export.session
    let known = session.description
    let layouts = known.layouts.map { layout in
      FieldValue.object([
        EventField("name", .text(layout.name)), EventField("type", .text(layout.type)),
        EventField("parameters", .text(layout.parameters)),
      ])
    }
    let recorded = NDJSONExport.present([
      ("uuid", .text(session.uuid)), ("session", .integer(session.number)),
      ("schemaVersion", .integer(session.schemaVersion)),
      ("precision", .text(session.precision.rawValue)),
      ("wallClock_ns", known.wallClockStartNanoseconds.map { .integer($0) } ?? .null),
      ("end_ns", FieldValue(session.end)), ("outcome", FieldValue(session.outcome?.rawValue)),
      ("engineVersion", FieldValue(known.engineVersion)),
      ("gestureSource", FieldValue(known.gestureSource)),
      ("scenario", FieldValue(known.scenario)), ("transition", FieldValue(known.transition)),
      ("settle", FieldValue(known.settle)), ("release", FieldValue(known.release)),
      ("redaction", FieldValue(known.redaction)),
      ("layouts", layouts.isEmpty ? .null : .list(layouts)),
    ])
    let fields = NDJSONExport.present([
      ("kymograph", .integer(1)), ("name", FieldValue(known.name)),
      ("refreshRate", FieldValue(known.refreshRate)),
      ("viewport", known.viewport.map { FieldValue($0) } ?? .null), ("clock", .text(known.clock)),
      ("device", FieldValue(known.device)), ("software", .text(known.software)),
      ("origin", known.origin?.value ?? .null),
      ("recorded", .object(recorded)),
    ])
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
        [EventField("declare", .text("item"))] + NDJSONExport.fields(of: item.identity)
      text.put(FieldValue.object(fields).json)
      text.put("\n")
    }
  }

  /// An element's identity; a cell needs no more than its identifier.
  static func fields(of identity: ElementIdentity) -> [EventField] {
    var fields = [EventField("id", .text(identity.id))]
    if identity.category != .cell {
      fields.append(EventField("kind", .text(identity.category.rawValue)))
    }
    if let kind = identity.elementKind { fields.append(EventField("elementKind", .text(kind))) }
    return fields
  }

  /// The fields that have a value, optional ones of it left out.
  private static func present(_ fields: [(String, FieldValue)]) -> [EventField] {
    fields.compactMap { $0.1 == .null ? nil : EventField($0.0, $0.1) }
  }

  /// A decision; what it has no value of is left out.
  static func fields(of decision: ReleaseDecision) -> [EventField] {
    decision.row.filter { $0.value != .null }
  }

  /// What was estimated for a key; what it has no value of is left out.
  static func fields(of row: ReleaseEstimate, key: KeyRecord) -> [EventField] {
    let estimate = row.estimate
    let leftOut = LeftOutSamples.Reason.allCases.filter { estimate.leftOut[$0] > 0 }.map {
      EventField($0.rawValue, .integer(Int64(estimate.leftOut[$0])))
    }
    let numbers = ReleaseEstimate.numbers.map { ($0.name, FieldValue(row[keyPath: $0.path])) }
    return present(
      [
        ("transition", .integer(Int64(row.transition))), ("key", .text(key.name)),
        ("role", .text(key.role.rawValue)), ("value", .number(row.value)),
        ("estimator", .text(estimate.estimator)),
      ] + numbers + [
        ("chosen", FieldValue(estimate.chosen)), ("samples", .integer(Int64(estimate.sampleCount))),
        ("leftOut", leftOut.isEmpty ? .null : .object(leftOut)),
        ("liftGap_ns", estimate.liftGapNanoseconds.map { .integer($0) } ?? .null),
        ("opposesDisplacement", estimate.opposesDisplacement ? .flag(true) : .null),
        ("liftArtefactSuspected", estimate.liftArtefactSuspected ? .flag(true) : .null),
      ])
  }
}
