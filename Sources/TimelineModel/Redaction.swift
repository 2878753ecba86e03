/// What a recording leaves out on purpose.
///
/// It is a list of what is let through: numbers, and the words that the engine, the recorder and `kymo` use by
/// themselves. Of a session's description uuid, times, rates, sizes and our engine's version
/// stay. Any other text came from an app or a person and becomes its hash.
public struct Redaction: Hashable, Sendable {
  /// Reports of contacts, and what is said of the device and the file that they came from. An event keeps
  /// the values of fields that the engine's own events have, since a touch may stand in any other.
  public var leavesOutTouches: Bool
  /// Names: of elements and their kinds, layouts, keys, events, fields, the session, and every text in
  /// events. Each is replaced by a hash of it. Scenario and layouts' parameters are left out.
  public var hashesItems: Bool
  /// Mixed into each hash. Without one that is kept secret, whoever guesses a name can check it.
  public var salt: String

  /// Makes a redaction that leaves nothing out but what is asked for.
  public init(leavesOutTouches: Bool = false, hashesItems: Bool = false, salt: String = "") {
    self.leavesOutTouches = leavesOutTouches
    self.hashesItems = hashesItems
    self.salt = salt
  }

  /// Whether everything is kept.
  package var isNone: Bool { !leavesOutTouches && !hashesItems }

  /// What a session keeps of it: a JSON array of what was left out. `nil` when nothing was.
  package var note: String? {
    isNone
      ? nil
      : FieldValue.list(
        (leavesOutTouches ? [.text("touches")] : []) + (hashesItems ? [.text("item ids")] : [])
      ).json
  }

  /// What stands in an element's name's place: the first 64 bits of SHA-256 of salt and name, as 16
  /// hexadecimal digits. The same name gets the same hash in every recording of one salt.
  package func pseudonym(of id: String) -> String {
    let bytes = SHA256.digest(Array(salt.utf8) + [0] + Array(id.utf8)).prefix(8)
    return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// A session's description without what is left out.
  public func redacted(_ description: SessionDescription) -> SessionDescription {
    var kept = description
    kept.gestureSource =
      leavesOutTouches ? nil : description.gestureSource.map { redacted($0, as: .name) }
    kept.device = leavesOutTouches ? nil : description.device.map { redacted($0, as: .name) }
    kept.name = description.name.map { redacted($0, as: .name) }
    kept.software = redacted(description.software, as: .name)
    kept.engineVersion = description.engineVersion.map { redacted($0, as: .version) }
    kept.clock = redacted(description.clock, as: .word)
    kept.transition = description.transition.map { redacted($0, as: .fields) }
    kept.settle = description.settle.map { redacted($0, as: .fields) }
    kept.release = description.release.map { redacted($0, as: .fields) }
    if hashesItems { kept.scenario = nil }
    for index in kept.layouts.indices {
      kept.layouts[index].name = redacted(kept.layouts[index].name, as: .name)
      kept.layouts[index].type = redacted(kept.layouts[index].type, as: .word)
      if hashesItems { kept.layouts[index].parameters = "{}" }
    }
    kept.redaction = note ?? description.redaction
    if let origin = description.origin {
      kept.origin?.file = origin.file.map { redacted($0, as: .name) }
      kept.origin?.engineVersion = origin.engineVersion.map { redacted($0, as: .name) }
      kept.origin?.changes = origin.changes.map { redacted($0, as: .name) }
    }
    return kept
  }

  /// A label without what is left out: a note is somebody's own.
  package func redacted(_ label: ReleaseLabel) -> ReleaseLabel {
    var kept = label
    kept.note = label.note.map { redacted($0, as: .name) }
    return kept
  }

  /// An event without what is left out.
  package func redacted(_ event: TimelineEvent) -> TimelineEvent {
    TimelineEvent(
      time: event.time,
      kind: TimelineEvent.Kind(rawValue: redacted(event.kind.rawValue, as: .event)),
      fields: redacted(event.fields, ofEvent: event.kind.rawValue))
  }
}

// MARK: - Texts by what they are

extension Redaction {
  /// What a text is, as far as the column or field that it is in tells.
  package enum TextKind: Sendable {
    /// Somebody's own.
    case name
    /// One of ``RedactionWords/others``, or somebody's own.
    case word
    /// The name of an event.
    case event
    /// The name of a key.
    case key
    /// The version of an engine: a number is our own's.
    case version
    /// A JSON object of parameters.
    case fields
  }

  /// A name, or what replaces it.
  package func redacted<Subject>(_ name: RecordedName<Subject>) -> RecordedName<Subject> {
    RecordedName(redacted(name.description, as: .word))
  }

  /// A text without what is left out.
  package func redacted(_ text: String, as kind: TextKind) -> String {
    if kind == .fields { return redacted(fieldsJSON: text, ofEvent: nil) }
    guard hashesItems else { return text }
    switch kind {
    case .word where RedactionWords.isWord(text), .version where UInt32(text) != nil,
      .event where RedactionWords.events.contains(text),
      .key where RedactionWords.keys.contains(text):
      return text
    case .key where text.hasPrefix("item."): return redacted(itemKey: text.dropFirst(5))
    default: return pseudonym(of: text)
    }
  }

  /// `item.NAME.alpha`: the name is the element's, which may have points of its own.
  private func redacted(itemKey text: Substring) -> String {
    let ends = RedactionWords.itemKeys.filter { text.hasSuffix("." + $0) }
    let end = ends.max { $0.utf8.count < $1.utf8.count }.map { Substring($0) }
    let last = end ?? text.split(separator: ".").last ?? ""
    let name = text.dropLast(min(text.count, last.count + 1))
    return "item.\(pseudonym(of: String(name)))."
      + (end.map(String.init) ?? pseudonym(of: String(last)))
  }

  /// The JSON text of fields without what is left out. `{}` where it cannot be read.
  ///
  /// - Parameter kind: The name of the event whose they are. `nil`: parameters of the engine's.
  package func redacted(fieldsJSON text: String, ofEvent kind: String?) -> String {
    guard !isNone else { return text }
    guard case .object(let fields)? = FieldValue(json: text.utf8) else { return "{}" }
    return FieldValue.object(redacted(fields, ofEvent: kind)).json
  }

  private func redacted(_ fields: [EventField], ofEvent kind: String?) -> [EventField] {
    if isNone { return fields }
    let isOurs = kind.map(RedactionWords.events.contains) ?? true
    return fields.map { redacted($0, isOurs: isOurs) }
  }

  private func redacted(_ field: EventField, isOurs: Bool) -> EventField {
    let kind: TextKind =
      if RedactionWords.fields.contains(field.name) {
        .word
      } else if RedactionWords.keyFields.contains(field.name) { .key } else { .name }
    let isKnown = kind != .name || RedactionWords.ownFields.contains(field.name)
    return EventField(
      !hashesItems || isKnown ? field.name : pseudonym(of: field.name),
      redacted(field.value, kind, isOurs: isOurs && isKnown))
  }

  private func redacted(_ value: FieldValue, _ kind: TextKind, isOurs: Bool) -> FieldValue {
    switch value {
    case .object(let fields): .object(fields.map { redacted($0, isOurs: isOurs) })
    case .list(let values): .list(values.map { redacted($0, kind, isOurs: isOurs) })
    case _ where leavesOutTouches && !isOurs: .null
    case .text(let text): .text(redacted(text, as: kind))
    default: value
    }
  }
}
