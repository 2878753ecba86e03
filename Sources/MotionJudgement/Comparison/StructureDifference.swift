import GestureInput
import JSONText
import TimelineModel
import TimelineSession
import TimelineStore

/// Something that two sessions were set up with, or consist of, and that is not the same.
package struct StructureDifference: Sendable, Hashable {
  /// What sort of thing differs.
  package enum Part: String, CaseIterable, Sendable {
    /// A setting of the session: refresh rate, settle, release rule, …
    case session
    /// A layout or one of its parameters.
    case layout
    /// The unit of a key that both sessions have. One that only one of them has is among the keys.
    case key
    /// How often a kind of event occurs.
    case event
  }

  /// What sort of thing it is.
  package var part: Part
  /// Which one (`settle.stiffness`, `event.start`).
  package var name: String
  /// What A has. `nil`: nothing.
  package var a: String?
  /// What B has. `nil`: nothing.
  package var b: String?

  /// Everything that differs, settings first. Names, ids and the wall clock are those of one session, and no
  /// difference.
  static func all(_ a: SessionData, _ b: SessionData) -> [StructureDifference] {
    var found = settings(a.session, b.session)
    found += layouts(a.session.description.layouts, b.session.description.layouts)
    found += differences(.key, a.tracks.all.map(\.record.facts), b.tracks.all.map(\.record.facts))
      .filter {
        $0.a != nil && $0.b != nil
      }
    found += differences(
      .event, a.eventCounts.map { ($0.kind, "\($0.count)") },
      b.eventCounts.map { ($0.kind, "\($0.count)") })
    return found
  }

  private static func settings(_ a: SessionRecord, _ b: SessionRecord) -> [StructureDifference] {
    var found: [StructureDifference] = []
    func compare(_ name: String, _ value: (SessionRecord) -> String?) {
      let (first, second) = (value(a), value(b))
      if first != second {
        found.append(StructureDifference(part: .session, name: name, a: first, b: second))
      }
    }
    compare("software") { $0.description.software }
    compare("engine") { $0.description.engineVersion }
    compare("schema") { "\($0.schemaVersion)" }
    compare("clock") { $0.description.clock }
    compare("refresh rate") { $0.description.refreshRate.map { "\(FieldValue.jsonNumber($0)) Hz" } }
    compare("viewport") {
      $0.description.viewport.map {
        "\(FieldValue.jsonNumber($0.width)) × \(FieldValue.jsonNumber($0.height))"
      }
    }
    compare("gesture source") { $0.description.gestureSource }
    compare("device") { $0.description.device }
    compare("outcome") { $0.outcome?.rawValue ?? "not closed" }
    compare("precision") { $0.precision.rawValue }
    compare("redaction") { $0.description.redaction }
    // A scenario's text is long. Whether it is the same is what matters.
    if a.description.scenario != b.description.scenario {
      found.append(
        StructureDifference(
          part: .session, name: "scenario", a: a.description.scenario.map(textLength),
          b: b.description.scenario.map(textLength)))
    }
    for (name, value) in [
      ("transition", \SessionDescription.transition), ("settle", \.settle), ("release", \.release),
    ] {
      found += parameters(
        .session, name, a.description[keyPath: value], b.description[keyPath: value])
    }
    return found
  }

  private static func textLength(_ text: String) -> String {
    "another text, \(text.utf8.count) bytes"
  }

  private static func layouts(
    _ a: [LayoutDescription], _ b: [LayoutDescription]
  ) -> [StructureDifference] {
    var found = differences(.layout, a.map { ($0.name, $0.type) }, b.map { ($0.name, $0.type) })
    for layout in a {
      guard let other = b.first(where: { $0.name == layout.name }) else { continue }
      found += parameters(.layout, layout.name, layout.parameters, other.parameters)
    }
    return found
  }

  /// What differs between two JSON objects, field by field. What is no object is compared as a whole.
  private static func parameters(
    _ part: Part, _ name: String, _ a: String?, _ b: String?
  ) -> [StructureDifference] {
    guard a != b else { return [] }
    guard let first = a.flatMap(topFields), let second = b.flatMap(topFields) else {
      return [StructureDifference(part: part, name: name, a: a, b: b)]
    }
    return differences(part, first, second).map { difference in
      var difference = difference
      difference.name = "\(name).\(difference.name)"
      return difference
    }
  }

  private static func topFields(_ text: String) -> [(name: String, text: String)]? {
    guard let fields = JSONFields(recorded: text) else { return nil }
    return fields.names.map { ($0, fields[$0].map { $0.value.shortText } ?? "") }
  }

  /// What only one list has, or has with another text. In the order of the first list, then of the second.
  private static func differences(
    _ part: Part, _ a: [(name: String, text: String)], _ b: [(name: String, text: String)]
  ) -> [StructureDifference] {
    var others: [String: String] = [:]
    for entry in b { others[entry.name] = entry.text }
    var found: [StructureDifference] = []
    var seen: Set<String> = []
    for entry in a where seen.insert(entry.name).inserted && others[entry.name] != entry.text {
      found.append(
        StructureDifference(part: part, name: entry.name, a: entry.text, b: others[entry.name]))
    }
    for entry in b where seen.insert(entry.name).inserted {
      found.append(StructureDifference(part: part, name: entry.name, a: nil, b: entry.text))
    }
    return found
  }
}

extension KeyRecord {
  fileprivate var facts: (name: String, text: String) { ("\(name) (\(role.rawValue))", unit) }
}

extension JSONValue {
  /// A value as a person would say it: numbers and texts as they are, lists and objects as JSON.
  fileprivate var shortText: String {
    if case .string(let text) = self { return text }
    return sortedJSON
  }
}
