/// Which values a field of a result has. Each may be null instead.
package indirect enum FieldType: Hashable, Sendable {
  case text, integer, number, flag
  /// Several values of one type.
  case list(FieldType)
  /// A result of its own.
  case object([ResultColumn])
  /// Values of several types.
  case any
}

/// What is known of a field without a result.
package struct ResultColumn: Hashable, Sendable {
  package let name: String
  package let type: FieldType
  /// The unit of a number: "ms", "%", "1" for none; empty for other values and for a unit that the row names.
  package let unit: String
  /// One line about it.
  package let help: String

  /// A column of a row that has no list of fields.
  package init(_ name: String, _ type: FieldType, unit: String = "", _ help: String) {
    (self.name, self.type, self.unit, self.help) = (name, type, unit, help)
  }

  /// The recording that a row is about, in front of the row.
  package static let file = ResultColumn("file", .text, "The path of the recording.")
}

extension [ResultColumn] {
  /// The first column of each name.
  package var distinct: [ResultColumn] {
    var seen: Set<String> = []
    return filter { seen.insert($0.name).inserted }
  }

  /// The first column of each name, and behind one of objects their fields: `OBJECT.FIELD`, of a list `LIST[].FIELD`.
  package var flattened: [ResultColumn] {
    flatMap { column -> [ResultColumn] in
      let (fields, mark) = column.type.fields
      return [column]
        + fields.flattened.map {
          ResultColumn("\(column.name)\(mark).\($0.name)", $0.type, unit: $0.unit, $0.help)
        }
    }.distinct
  }
}

extension FieldType {
  /// The fields of an object, or of each object in a list, and the mark of a list.
  fileprivate var fields: (columns: [ResultColumn], mark: String) {
    switch self {
    case .object(let columns): (columns, "")
    case .list(let element): (element.fields.columns, "[]")
    default: ([], "")
    }
  }
}

extension FieldType: FieldConvertible {
  package static var fieldType: FieldType { .any }

  /// A name; of a list `{"list": TYPE}`, of a result `{"object": [COLUMN, …]}`.
  package var fieldValue: FieldValue {
    switch self {
    case .text: .text("text")
    case .integer: .text("integer")
    case .number: .text("number")
    case .flag: .text("flag")
    case .any: .text("any")
    case .list(let element): .object(named: ["list": element])
    case .object(let columns): .object(named: ["object": columns.rows.map(FieldValue.object)])
    }
  }
}

extension ResultColumn: ResultRow {
  package static var fields: [ResultField<ResultColumn>] {
    [
      ResultField("name", "The column's name.", \.name),
      ResultField("type", "The type of its values.", \.type),
      ResultField("unit", "The unit of a number.", \.unit),
      ResultField("help", "One line about it.", \.help),
    ]
  }
}
