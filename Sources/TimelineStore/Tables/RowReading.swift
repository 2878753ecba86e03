import SQLiteAccess
import TimelineModel

/// A column of a row holds what it may not hold: the file is damaged, or was edited by hand.
struct BadValue: Error {
  let column: String
  let found: String
}

/// Reads a row, and gives what it may not hold the names of the file and the table.
func reading<Row>(
  _ table: String, _ path: String, _ row: @autoclosure () throws(BadValue) -> Row
) throws(StoreError) -> Row {
  do {
    return try row()
  } catch {
    throw .damaged(path, "a row of \(table) has \(error.found) in the column \(error.column)")
  }
}

extension Statement {
  private func bad(_ column: Int32, _ found: String) -> BadValue {
    BadValue(column: columnName(at: column), found: found)
  }

  /// Whether a column has no value. Cases are matched in this file, since a comparison of two cases is a call for each
  /// column of millions of rows.
  private func isNull(_ column: Int32) -> Bool {
    if case .null = type(at: column) { return true }
    return false
  }

  func optionalInteger(_ column: Int32) throws(BadValue) -> Int64? {
    switch type(at: column) {
    case .null: return nil
    case .integer: return int64(at: column)
    default: throw bad(column, "something else than a whole number")
    }
  }

  func integer(_ column: Int32) throws(BadValue) -> Int64 {
    guard case .integer = type(at: column) else { throw bad(column, "no whole number") }
    return int64(at: column)
  }

  /// A number that counts or numbers something: it fits an Int32 and is not negative.
  func handle(_ column: Int32) throws(BadValue) -> Int32 {
    let value = try integer(column)
    guard let handle = Int32(exactly: value), handle >= 0 else {
      throw bad(column, "the number \(value)")
    }
    return handle
  }

  /// A number of things, not negative.
  func natural(_ column: Int32) throws(BadValue) -> Int64 {
    let value = try integer(column)
    guard value >= 0 else { throw bad(column, "the count \(value)") }
    return value
  }

  /// How many rows there are, or the number of one of them. SQLite's largest file has less than 2^48 bytes, so
  /// it has fewer rows, and no sum of some of these numbers overflows.
  func rowNumber(_ column: Int32) throws(BadValue) -> Int64 {
    let value = try natural(column)
    guard value < 1 << 48 else {
      throw bad(column, "the number \(value), more than a file has rows")
    }
    return value
  }

  func int(_ column: Int32) throws(BadValue) -> Int {
    let value = try integer(column)
    guard let int = Int(exactly: value) else { throw bad(column, "\(value)") }
    return int
  }

  func optionalInt(_ column: Int32) throws(BadValue) -> Int? {
    isNull(column) ? nil : try int(column)
  }

  func instant(_ column: Int32) throws(BadValue) -> Instant {
    Instant(nanoseconds: try integer(column))
  }

  func optionalInstant(_ column: Int32) throws(BadValue) -> Instant? {
    try optionalInteger(column).map { Instant(nanoseconds: $0) }
  }

  func real(_ column: Int32) throws(BadValue) -> Double {
    guard case .real = type(at: column) else { throw bad(column, "no number") }
    let value = double(at: column)
    guard value.isFinite else { throw bad(column, "a number that is not finite") }
    return value
  }

  func optionalReal(_ column: Int32) throws(BadValue) -> Double? {
    isNull(column) ? nil : try real(column)
  }

  /// A number that may be stored as an integer. See ``SQLiteAccess/Statement/bindCompact(_:at:)``.
  func compactReal(_ column: Int32) throws(BadValue) -> Double {
    if case .integer = type(at: column) { return Double(int64(at: column)) }
    return try real(column)
  }

  func optionalCompactReal(_ column: Int32) throws(BadValue) -> Double? {
    isNull(column) ? nil : try compactReal(column)
  }

  func string(_ column: Int32) throws(BadValue) -> String {
    guard case .text = type(at: column), let text = text(at: column) else {
      throw bad(column, "no readable text")
    }
    return text
  }

  func optionalString(_ column: Int32) throws(BadValue) -> String? {
    isNull(column) ? nil : try string(column)
  }

  func flag(_ column: Int32) throws(BadValue) -> Bool {
    switch try integer(column) {
    case 0: return false
    case 1: return true
    case let other: throw bad(column, "\(other), which is neither 0 nor 1")
    }
  }

  /// One of the names that an enumeration knows.
  func name<Name: RawRepresentable<String>>(
    _ column: Int32, as type: Name.Type
  ) throws(BadValue) -> Name {
    let text = try string(column)
    guard let name = Name(rawValue: text) else { throw bad(column, "the unknown name '\(text)'") }
    return name
  }

  func phase(_ column: Int32) throws(BadValue) -> MotionPhase {
    let number = try integer(column)
    guard let phase = MotionPhase(stored: number) else {
      throw bad(column, "the unknown phase \(number)")
    }
    return phase
  }
}

extension MotionPhase {
  /// The number that stands for the phase in tables. The views show its name.
  var stored: Int64 {
    switch self {
    case .idle: 0
    case .driving: 1
    case .settling: 2
    }
  }

  /// The phase that a number in a table stands for. `nil` for any other number.
  init?(stored: Int64) {
    guard let phase = StoredCode.name(UInt64(bitPattern: stored), in: StoredCode.phases) else {
      return nil
    }
    self = phase
  }
}

extension Instant: Bindable {
  func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(nanoseconds, at: parameter)
  }
}

extension KeyHandle: Bindable {
  func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(Int64(rawValue), at: parameter)
  }
}

extension ItemHandle: Bindable {
  func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(Int64(rawValue), at: parameter)
  }
}
