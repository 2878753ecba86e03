package import JSONText
package import TimelineModel

extension JSONValue {
  /// The value as JSON on one line with fields in the order of their names, so that equal values
  /// give equal texts.
  var sortedJSON: String { fieldValue.json }

  /// The same value in the form that recordings are written in.
  package var fieldValue: FieldValue {
    switch self {
    case .null: .null
    case .bool(let flag): .flag(flag)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .string(let string): .text(string)
    case .array(let values): .list(values.map(\.fieldValue))
    case .object(let fields):
      .object(
        fields.sorted { $0.key < $1.key }.map { EventField($0.key, $0.value.fieldValue) })
    }
  }
}
