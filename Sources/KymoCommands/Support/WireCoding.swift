/// Values as bytes, for another process of this program: every number with all its bits. Nothing is kept in this form.
struct WireWriter {
  /// What was written.
  private(set) var bytes: [UInt8] = []

  /// Values, one after the other.
  mutating func put<each Value: WireValue>(_ values: repeat each Value) {
    for value in repeat each values { value.put(to: &self) }
  }

  mutating func put(_ value: [UInt8]) {
    put(value.count)
    append(value)
  }

  fileprivate mutating func append(_ value: some Sequence<UInt8>) {
    bytes.append(contentsOf: value)
  }

  /// A value that may be missing.
  mutating func put<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { body(&self, value) }
  }

  /// Values in order.
  mutating func put<Values: Collection>(
    _ values: Values, _ body: (inout WireWriter, Values.Element) -> Void
  ) {
    put(values.count)
    for value in values { body(&self, value) }
  }
}

/// What a ``WireWriter`` writes as it is.
protocol WireValue {
  func put(to writer: inout WireWriter)
}

extension Int64: WireValue {
  func put(to writer: inout WireWriter) { withUnsafeBytes(of: littleEndian) { writer.append($0) } }
}

extension Int: WireValue {
  func put(to writer: inout WireWriter) { writer.put(Int64(self)) }
}

extension Bool: WireValue {
  func put(to writer: inout WireWriter) { writer.append(CollectionOfOne(self ? 1 : 0)) }
}

extension Double: WireValue {
  func put(to writer: inout WireWriter) { writer.put(Int64(bitPattern: bitPattern)) }
}

extension String: WireValue {
  func put(to writer: inout WireWriter) { writer.put(Array(utf8)) }
}

extension Optional: WireValue where Wrapped: WireValue {
  func put(to writer: inout WireWriter) { writer.put(self) { $0.put($1) } }
}

/// Reads what a ``WireWriter`` wrote, in the same order.
struct WireReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes are another program's, or were cut.
  static var isBroken: Failure {
    .unreadable("a child process of kymo sent a message that cannot be read. Run it again")
  }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw Self.isBroken }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func integer() throws -> Int64 {
    try take(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  mutating func count() throws -> Int { Int(try integer()) }
  mutating func flag() throws -> Bool { try take(1).first == 1 }
  mutating func number() throws -> Double { Double(bitPattern: UInt64(bitPattern: try integer())) }
  mutating func data() throws -> [UInt8] { Array(try take(try count())) }
  mutating func text() throws -> String { String(decoding: try take(try count()), as: UTF8.self) }

  /// A value that may be missing.
  mutating func optional<Value>(_ body: (inout WireReader) throws -> Value) throws -> Value? {
    try flag() ? try body(&self) : nil
  }

  /// Values in order.
  mutating func list<Value>(_ body: (inout WireReader) throws -> Value) throws -> [Value] {
    let count = try count()
    guard count >= 0, count <= bytes.count else { throw Self.isBroken }
    return try (0..<count).map { _ in try body(&self) }
  }

  /// A case by its name.
  mutating func name<Name: RawRepresentable>(_ type: Name.Type) throws -> Name
  where Name.RawValue == String {
    guard let name = Name(rawValue: try text()) else { throw Self.isBroken }
    return name
  }
}
