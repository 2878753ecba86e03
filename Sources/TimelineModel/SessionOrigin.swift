/// Which session another one was run again from, and what was changed on the way.
package struct SessionOrigin: Hashable, Sendable {
  package var uuid: String
  /// The file that it was read from, as it was named. `nil`: not known.
  package var file: String?
  /// Version of the engine that had computed it. `nil` where an app had recorded it.
  package var engineVersion: String?
  /// What was changed, each `PATH=VALUE` with the value as JSON. Empty: nothing.
  package var changes: [String]

  package init(uuid: String, file: String?, engineVersion: String?, changes: [String]) {
    (self.uuid, self.file) = (uuid, file)
    (self.engineVersion, self.changes) = (engineVersion, changes)
  }

  /// ``changes`` as a recording keeps them, a JSON array.
  package var changesJSON: String { FieldValue.list(changes.map(FieldValue.text)).json }

  /// The texts of a JSON array. `nil` for what is none.
  package static func changes(json: String) -> [String]? {
    guard case .list(let values)? = FieldValue(json: json.utf8) else { return nil }
    var changes: [String] = []
    for value in values {
      guard case .text(let text) = value else { return nil }
      changes.append(text)
    }
    return changes
  }

  /// Its fields in lines of NDJSON. What is not known is left out.
  package var value: FieldValue {
    .object(
      EventField.known([
        "uuid": uuid, "file": file, "engineVersion": engineVersion, "changes": changes,
      ]))
  }

  /// Its fields in rows.
  package var row: FieldValue {
    .object(
      EventField.known([
        "uuid": uuid, "file": file, "engine_version": engineVersion, "changes": changes,
      ]))
  }

  /// The same in words, for people: where it comes from and what was changed.
  package var words: String {
    (file.map { "\($0) (\(uuid.prefix(8)))" } ?? uuid) + "; "
      + (changes.isEmpty ? "nothing was changed" : "changed: " + changes.joined(separator: ", "))
  }
}
