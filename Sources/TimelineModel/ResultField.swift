/// One field of a result. A line of a type's list adds it to all tables, JSON, CSV and lists of columns.
package struct ResultField<Record>: Sendable {
  /// The name in rows: snake_case, a number's unit last unless the row names it. From 0.2.0 on it stays.
  package private(set) var name: String
  /// The unit of a number: "ms", "%", "1" for none. Empty for other values, and if the name or another field has it.
  package let unit: String
  /// Which values it has.
  package private(set) var type: FieldType
  /// One line about it.
  package let help: String
  /// Whether a table for people shows it, which has fewer columns than the other formats.
  package let isInTable: Bool
  /// The name of the number that sessions are compared by and rules are about. `nil`: none.
  package var measure: String?
  /// Whether a rule may judge that number.
  package var isJudged = false
  /// Whether the row of a result has the field. `nil`: each has it.
  private var condition: (@Sendable (Record) -> Bool)?
  private let read: @Sendable (Record) -> FieldValue

  /// A field of a value that a row can have.
  package init<Value: FieldConvertible>(
    _ name: String, unit: String = "", _ help: String, inTable: Bool = true,
    _ read: @escaping @Sendable (Record) -> Value
  ) {
    (self.name, self.unit, self.help, isInTable) = (name, unit, help, inTable)
    type = Value.fieldType
    self.read = { read($0).fieldValue }
  }

  /// A field of a name, such as a case of an enumeration.
  package init<Value: RawRepresentable<String> & Sendable>(
    _ name: String, _ help: String, inTable: Bool = true,
    _ read: @escaping @Sendable (Record) -> Value?
  ) {
    self.init(name, help, inTable: inTable) { read($0)?.rawValue }
  }

  /// A field of a result of its own, as an object of that result's fields. Null without one.
  package init<Part>(
    _ name: String, _ help: String, _ fields: [ResultField<Part>], inTable: Bool = true,
    _ read: @escaping @Sendable (Record) -> Part?
  ) {
    self.init(name, help, inTable: inTable) {
      read($0).map { FieldValue.object(fields.row(of: $0)) }
    }
    type = .object(fields.described())
  }

  /// A field of several results, as a list of objects of their fields.
  package init<Part>(
    list name: String, _ help: String, _ fields: [ResultField<Part>], inTable: Bool = true,
    _ read: @escaping @Sendable (Record) -> [Part]
  ) {
    self.init(name, help, inTable: inTable) {
      read($0).map { FieldValue.object(fields.row(of: $0)) }
    }
    type = .list(.object(fields.described()))
  }

  /// The value that a result has.
  package func value(of record: Record) -> FieldValue { read(record) }

  /// The value as a number. `nil` if it is none.
  package func number(of record: Record) -> Double? {
    switch read(record) {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// The field under another name.
  package func named(_ name: String) -> ResultField {
    var field = self
    field.name = name
    return field
  }

  /// The same figure of another result.
  package func reading<Other, Value: FieldConvertible>(
    _ read: @escaping @Sendable (Other) -> Value
  ) -> ResultField<Other> {
    ResultField<Other>(name, unit: unit, help, inTable: isInTable, read)
  }

  /// The field, which is missing in rows of results of which the condition does not hold.
  package func when(_ condition: @escaping @Sendable (Record) -> Bool) -> ResultField {
    var field = self
    field.condition = condition
    return field
  }

  /// The field of a row. `nil` for a result that has none.
  fileprivate func field(of record: Record) -> EventField? {
    condition?(record) == false ? nil : EventField(name, read(record))
  }

  /// The same field of a larger result. Null if that has no such part.
  package func of<Whole>(
    _ part: @escaping @Sendable (Whole) -> Record?
  ) -> ResultField<Whole> {
    let (read, condition) = (read, condition)
    var field = ResultField<Whole>(name, unit: unit, help, inTable: isInTable) {
      part($0).map(read) ?? .null
    }
    (field.type, field.measure, field.isJudged) = (type, measure, isJudged)
    if let condition { field.condition = { part($0).map(condition) ?? true } }
    return field
  }
}

/// A result that has a list of its fields.
package protocol ResultRow {
  /// The fields in the order in which rows have them.
  static var fields: [ResultField<Self>] { get }
}

extension ResultRow {
  /// The row that the program prints of it.
  package var row: [EventField] { Self.fields.row(of: self) }
  /// The names of all fields, as formats with one header have them.
  package static var columns: [String] { fields.map(\.name) }
}

// Both count: in code that is not specialised the type of each iterator is looked up by its name, which takes
// longer than a small file's rows.

extension Array where Element: ResultRow {
  /// The rows of results. Their list of fields is made once.
  package var rows: [[EventField]] {
    let fields = Element.fields
    var rows: [[EventField]] = []
    rows.reserveCapacity(count)
    for index in 0..<count { rows.append(fields.row(of: self[index])) }
    return rows
  }
}

extension Array {
  /// A result's row by this list.
  package func row<Record>(of record: Record) -> [EventField]
  where Element == ResultField<Record> {
    var row: [EventField] = []
    for index in 0..<count {
      if let field = self[index].field(of: record) { row.append(field) }
    }
    return row
  }

  /// The fields, which are missing in rows of results of which the condition does not hold.
  package func when<Record>(_ condition: @escaping @Sendable (Record) -> Bool) -> Self
  where Element == ResultField<Record> {
    map { $0.when(condition) }
  }

  /// What is known of the fields without a result.
  package func described<Record>() -> [ResultColumn] where Element == ResultField<Record> {
    map { ResultColumn($0.name, $0.type, unit: $0.unit, $0.help) }
  }

  /// The names in order.
  package func names<Record>() -> [String] where Element == ResultField<Record> { map(\.name) }

  /// The fields of these names, in this order.
  package func choosing<Record>(_ names: String...) -> [ResultField<Record>]
  where Element == ResultField<Record> {
    names.compactMap { name in first { $0.name == name } }
  }

  /// The columns of a table for people.
  package func tableColumns<Record>() -> [String] where Element == ResultField<Record> {
    filter(\.isInTable).map(\.name)
  }

  /// The same fields of a larger result. Null if that has no such part.
  package func of<Record, Whole>(
    _ part: @escaping @Sendable (Whole) -> Record?
  ) -> [ResultField<Whole>] where Element == ResultField<Record> {
    map { $0.of(part) }
  }

  /// Each field of two results side by side: `rise_ms` as `rise_ms_a` and `rise_ms_b`.
  package func sideBySide<Record, Whole>(
    _ a: @escaping @Sendable (Whole) -> Record?, _ b: @escaping @Sendable (Whole) -> Record?
  ) -> [ResultField<Whole>] where Element == ResultField<Record> {
    flatMap { [$0.of(a).named($0.name + "_a"), $0.of(b).named($0.name + "_b")] }
  }
}

/// A value that a row can have.
package protocol FieldConvertible: Sendable {
  /// The value as a row has it.
  var fieldValue: FieldValue { get }
  /// Which values these are.
  static var fieldType: FieldType { get }
}

extension FieldValue: FieldConvertible {
  package var fieldValue: FieldValue { self }
  package static var fieldType: FieldType { .any }

  /// An object of named values, in order.
  package static func object(named fields: KeyValuePairs<String, any FieldConvertible>)
    -> FieldValue
  {
    .object(EventField.list(fields))
  }
}

extension EventField {
  /// Named values in order, for rows and events that have no type of their own.
  package static func list(_ fields: KeyValuePairs<String, any FieldConvertible>) -> [EventField] {
    fields.map { EventField($0, $1.fieldValue) }
  }

  /// Named values in order, without those that are not known.
  package static func known(_ fields: KeyValuePairs<String, any FieldConvertible>) -> [EventField] {
    list(fields).filter { $0.value != .null }
  }
}

extension Double: FieldConvertible {
  package static var fieldType: FieldType { .number }
  package var fieldValue: FieldValue { .number(self) }
}

extension Int: FieldConvertible {
  package static var fieldType: FieldType { .integer }
  package var fieldValue: FieldValue { .integer(Int64(self)) }
}

extension Int64: FieldConvertible {
  package static var fieldType: FieldType { .integer }
  package var fieldValue: FieldValue { .integer(self) }
}

/// A number beyond `Int64` is text, so that no reader rounds it.
extension UInt64: FieldConvertible {
  package static var fieldType: FieldType { .any }
  package var fieldValue: FieldValue {
    Int64(exactly: self).map(FieldValue.integer) ?? .text("\(self)")
  }
}

extension Bool: FieldConvertible {
  package static var fieldType: FieldType { .flag }
  package var fieldValue: FieldValue { .flag(self) }
}

extension String: FieldConvertible {
  package static var fieldType: FieldType { .text }
  package var fieldValue: FieldValue { .text(self) }
}

extension Instant: FieldConvertible {
  package static var fieldType: FieldType { .integer }
  package var fieldValue: FieldValue { .integer(nanoseconds) }
}

extension Point2D: FieldConvertible {
  package static var fieldType: FieldType { .list(.number) }
  package var fieldValue: FieldValue { FieldValue(self) }
}

extension Size2D: FieldConvertible {
  package static var fieldType: FieldType { .list(.number) }
  package var fieldValue: FieldValue { FieldValue(self) }
}

extension Rect2D: FieldConvertible {
  package static var fieldType: FieldType { .list(.number) }
  package var fieldValue: FieldValue { FieldValue(self) }
}

extension ItemIndexPath: FieldConvertible {
  package static var fieldType: FieldType { .list(.integer) }
  package var fieldValue: FieldValue { FieldValue(self) }
}

extension Optional: FieldConvertible where Wrapped: FieldConvertible {
  package static var fieldType: FieldType { Wrapped.fieldType }
  package var fieldValue: FieldValue { self?.fieldValue ?? .null }
}

extension Array: FieldConvertible where Element: FieldConvertible {
  package static var fieldType: FieldType { .list(Element.fieldType) }
  package var fieldValue: FieldValue { .list(map(\.fieldValue)) }
}

extension Double {
  /// Seconds in milliseconds.
  package var milliseconds: Double { self * 1000 }
  /// A share in percent.
  package var percent: Double { self * 100 }
}

extension Double? {
  /// Seconds in milliseconds.
  package var milliseconds: Double? { map { $0 * 1000 } }
  /// A share in percent.
  package var percent: Double? { map { $0 * 100 } }
}

extension ResultRow {
  /// Encodes the row as an object with its columns, as commands print it.
  package func encodeRow(to encoder: any Encoder) throws {
    try EncodedValue(value: .object(row)).encode(to: encoder)
  }
}

private struct EncodedValue: Encodable, CodingKey {
  var value = FieldValue.null
  var stringValue = ""
  var intValue: Int? { nil }

  init(value: FieldValue) { self.value = value }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .null: try one { try $0.encodeNil() }
    case .flag(let flag): try one { try $0.encode(flag) }
    case .integer(let integer): try one { try $0.encode(integer) }
    case .number(let number): try one { try $0.encode(number) }
    case .text(let text): try one { try $0.encode(text) }
    case .list(let values):
      var list = encoder.unkeyedContainer()
      for value in values { try list.encode(EncodedValue(value: value)) }
    case .object(let fields):
      var object = encoder.container(keyedBy: EncodedValue.self)
      for field in fields {
        try object.encode(
          EncodedValue(value: field.value), forKey: EncodedValue(stringValue: field.name))
      }
    }
    func one(_ body: (inout any SingleValueEncodingContainer) throws -> Void) rethrows {
      var container = encoder.singleValueContainer()
      try body(&container)
    }
  }
}
