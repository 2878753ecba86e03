package import JSONText

/// The fields of a JSON object that a recording keeps, read leniently: a field that is missing or of
/// another type is nil.
extension JSONFields {
  /// nil for a text that is no JSON object.
  package init?(recorded text: String?) {
    guard let text, let value = try? parseJSON(Array(text.utf8)),
      let fields = try? JSONReader(value).object()
    else { return nil }
    self = fields
  }

  package func name(_ field: String) -> String? { self[field].flatMap { try? $0.string() } }

  /// A number, bit for bit as it was written.
  package func number(_ field: String) -> Double? { self[field].flatMap { try? $0.number() } }

  /// Yes or no.
  package func flag(_ field: String) -> Bool? { self[field].flatMap { try? $0.bool() } }

  /// A whole number of 0 or more.
  package func integer(_ field: String) -> Int64? {
    self[field].flatMap { try? $0.integer(in: 0...Int64.max) }
  }
}
