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
  /// The unit of a number: "ms", "%", "1" for none. Empty for other values and for a unit that another column has.
  package let unit: String
  /// One line about it.
  package let help: String

  /// Makes a column.
  ///
  /// - Parameter unit: The unit. Empty: the one that ends the name, if one does.
  package init(_ name: String, _ type: FieldType, unit: String = "", _ help: String) {
    (self.name, self.type, self.help) = (name, type, help)
    self.unit = unit.isEmpty ? Self.unit(ofName: name) : unit
  }

  /// The unit that ends a name, as in `rise_ms` and `rise_ms_a`. Empty if none does.
  package static func unit(ofName name: String) -> String {
    let units: KeyValuePairs = [
      "_ms_per_s": "ms/s", "_per_s": "/s", "_ms": "ms", "_ns": "ns", "_s": "s", "_hz": "Hz",
      "_percent": "%", "_pt": "pt",
    ]
    let isOfOneSide = name.hasSuffix("_a") || name.hasSuffix("_b")
    let name = isOfOneSide ? name.dropLast(2) : name[...]
    return units.first { name.hasSuffix($0.key) }?.value ?? ""
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

  /// A name. Of a list `{"list": TYPE}`, of a result `{"object": [COLUMN, …]}`.
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
