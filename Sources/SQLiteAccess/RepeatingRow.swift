/// An insert statement that is run for many rows which differ little: what a place holds already is not
/// bound again.
///
/// A statement keeps its values from row to row. Binding costs a call and a few tests, remembering a word
/// and a comparison.
package struct RepeatingRow: ~Copyable {
  private enum Kind {
    static let unknown: UInt8 = 0
    static let integer: UInt8 = 1
    static let number: UInt8 = 2
    static let null: UInt8 = 3
  }

  private let statement: Statement
  private let kinds: UnsafeMutablePointer<UInt8>
  private let words: UnsafeMutablePointer<UInt64>

  /// Takes a statement over.
  ///
  /// - Parameter places: How many values it has.
  package init(_ statement: consuming Statement, parameterCount: Int) {
    self.statement = statement
    kinds = .allocate(capacity: parameterCount + 1)
    kinds.initialize(repeating: Kind.unknown, count: parameterCount + 1)
    words = .allocate(capacity: parameterCount + 1)
    words.initialize(repeating: 0, count: parameterCount + 1)
  }

  deinit {
    kinds.deallocate()
    words.deallocate()
  }

  /// Sets a value to a whole number.
  @inline(__always)
  package func bind(_ value: Int64, at parameter: Int) {
    if isNew(Kind.integer, UInt64(bitPattern: value), at: parameter) {
      statement.bind(value, at: Int32(truncatingIfNeeded: parameter))
    }
  }

  /// Sets a value to a double given by its bits, as an integer where that is the same number.
  @inline(__always)
  package func bindCompact(_ bits: UInt64, at parameter: Int) {
    if isNew(Kind.number, bits, at: parameter) {
      statement.bindCompact(Double(bitPattern: bits), at: Int32(truncatingIfNeeded: parameter))
    }
  }

  @inline(__always)
  package func bindNulls(at parameters: ClosedRange<Int>) {
    for parameter in parameters where isNew(Kind.null, 0, at: parameter) {
      statement.bindNull(at: Int32(truncatingIfNeeded: parameter))
    }
  }

  /// Sets a value to a text.
  package func bind(_ text: String, at parameter: Int) throws(SQLiteError) {
    kinds[parameter] = Kind.unknown
    try statement.bind(text, at: Int32(truncatingIfNeeded: parameter))
  }

  package func run() throws(SQLiteError) { try statement.run() }

  @inline(__always)
  private func isNew(_ kind: UInt8, _ word: UInt64, at parameter: Int) -> Bool {
    if kinds[parameter] == kind, words[parameter] == word { return false }
    kinds[parameter] = kind
    words[parameter] = word
    return true
  }
}
