import TimelineModel

/// A level of a key that parts finish from cancel.
package struct ReleaseBorder: Hashable, Sendable {
  /// The key's name.
  package var key: String
  /// The level, in the key's unit.
  package var value: Double
  /// Its text, in a word or two: "threshold", "flips at".
  package var name: String

  package init(key: String, value: Double, name: String) {
    self.key = key
    self.value = value
    self.name = name
  }

  /// Name and value.
  package var label: String { name + " " + NumberText.cell(value) }
}
