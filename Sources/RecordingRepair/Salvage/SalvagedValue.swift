/// A value of a row as it lies in a page.
enum SalvagedValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// The whole number, where it is one.
  var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }

  /// The text, where it is one of valid UTF-8.
  var string: String? {
    if case .text(let bytes) = self { return String(validating: bytes, as: UTF8.self) }
    return nil
  }
}

/// A row as it lies in a page: the values of its record, and its rowid in a table that has one.
struct SalvagedRow {
  var rowid: Int64?
  var values: [SalvagedValue]
}

extension SalvagedRow {
  /// More columns than any table of ours has. A record that says so is none.
  private static let columnLimit = 200

  /// Reads a record (section 2.1, "Record Format"). `nil` when its sizes contradict each other.
  init?(record: [UInt8], rowid: Int64?) {
    let bytes = DatabaseBytes(bytes: record)
    guard let (size, first) = bytes.varint(0), let header = Int(exactly: size),
      header >= first, header <= record.count
    else { return nil }
    var types: [Int64] = []
    var offset = first
    while offset < header {
      guard let (type, end) = bytes.varint(offset), end <= header, type >= 0,
        types.count < Self.columnLimit
      else { return nil }
      types.append(type)
      offset = end
    }
    values = []
    values.reserveCapacity(types.count)
    for type in types {
      guard let width = Self.width(of: type), width <= record.count - offset else { return nil }
      values.append(Self.value(type, Array(record[offset..<offset + width])))
      offset += width
    }
    guard offset == record.count else { return nil }
    self.rowid = rowid
  }

  private static func width(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: return 0
    case 1...4: return Int(type)
    case 5: return 6
    case 6, 7: return 8
    case 12...: return Int(exactly: (type - 12) / 2)
    default: return nil
    }
  }

  private static func value(_ type: Int64, _ bytes: [UInt8]) -> SalvagedValue {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    case 1...6:
      // The sign stands in the first byte.
      let start: Int64 = (bytes.first ?? 0) < 0x80 ? 0 : -1
      return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
    default: return type.isMultiple(of: 2) ? .blob(bytes) : .text(bytes)
    }
  }
}
