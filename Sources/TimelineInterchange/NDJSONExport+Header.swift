import TimelineModel
import TimelineStore

extension NDJSONExport {
  /// The first line: what is known of the session before its first value.
  func writeHeader() {
    let session = export.session
    let known = session.description
    let layouts = known.layouts.map { layout in
      FieldValue.object(named: [
        "name": layout.name, "type": layout.type, "parameters": layout.parameters,
      ])
    }
    let recorded = EventField.known([
      "uuid": session.uuid, "session": session.number, "schemaVersion": session.schemaVersion,
      "precision": session.precision.rawValue, "wallClock_ns": known.wallClockStartNanoseconds,
      "end_ns": session.end, "outcome": session.outcome?.rawValue,
      "engineVersion": known.engineVersion, "gestureSource": known.gestureSource,
      "scenario": known.scenario, "transition": known.transition, "settle": known.settle,
      "release": known.release, "redaction": known.redaction,
      "layouts": layouts.isEmpty ? FieldValue.null : .list(layouts),
    ])
    let fields = EventField.known([
      "kymograph": 1, "name": known.name, "refreshRate": known.refreshRate,
      "viewport": known.viewport, "clock": known.clock, "device": known.device,
      "software": known.software, "origin": known.origin?.value,
      "recorded": FieldValue.object(recorded),
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
        EventField.list(["declare": "item"]) + NDJSONExport.fields(of: item.identity)
      text.put(FieldValue.object(fields).json)
      text.put("\n")
    }
  }

  /// An element's identity. A cell needs no more than its identifier.
  static func fields(of identity: ElementIdentity) -> [EventField] {
    EventField.known([
      "id": identity.id, "kind": identity.category == .cell ? nil : identity.category.rawValue,
      "elementKind": identity.elementKind,
    ])
  }

  /// A decision. What it has no value of is left out.
  static func fields(of decision: ReleaseDecision) -> [EventField] {
    decision.row.filter { $0.value != .null }
  }

  /// What was estimated for a key. What it has no value of is left out.
  static func fields(of row: ReleaseEstimate, key: KeyRecord) -> [EventField] {
    let estimate = row.estimate
    let leftOut = LeftOutSamples.Reason.allCases.filter { estimate.leftOut[$0] > 0 }.flatMap {
      EventField.list([$0.rawValue: estimate.leftOut[$0]])
    }
    return EventField.known([
      "transition": row.transition, "key": key.name, "role": key.role.rawValue, "value": row.value,
      "estimator": estimate.estimator,
    ])
      + ReleaseEstimate.numbers.flatMap { EventField.known([$0.name: row[keyPath: $0.path]]) }
      + EventField.known([
        "chosen": estimate.chosen, "samples": estimate.sampleCount,
        "leftOut": leftOut.isEmpty ? FieldValue.null : .object(leftOut),
        "liftGap_ns": estimate.liftGapNanoseconds,
        "opposesDisplacement": estimate.opposesDisplacement ? true : nil,
        "liftArtefactSuspected": estimate.liftArtefactSuspected ? true : nil,
      ])
  }
}
