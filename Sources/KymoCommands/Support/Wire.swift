import TimelineModel

/// A value that goes to another process of this program, every number with all its bits. Nothing is kept in this form.
protocol WireValue: SendableMetatype {
  func put(to bytes: inout [UInt8])
  init(from bytes: inout WireBytes) throws
}

/// A value of fields. One list says what is written, and what is read in its place.
protocol WireRecord: WireValue {
  /// A value whose fields are all replaced.
  static var blank: Self { get }
  static var wire: [WireField<Self>] { get }
}

extension WireRecord {
  func put(to bytes: inout [UInt8]) { for field in Self.wire { field.put(self, &bytes) } }

  init(from bytes: inout WireBytes) throws {
    self = Self.blank
    for field in Self.wire { try field.take(&self, &bytes) }
  }
}

/// A field of a record.
struct WireField<Record>: Sendable {
  let put: @Sendable (Record, inout [UInt8]) -> Void
  let take: @Sendable (inout Record, inout WireBytes) throws -> Void

  init<Value: WireValue>(_ path: any WritableKeyPath<Record, Value> & Sendable) {
    put = { record, bytes in record[keyPath: path].put(to: &bytes) }
    take = { record, bytes in record[keyPath: path] = try Value(from: &bytes) }
  }

  static func list<each Value: WireValue>(
    _ paths: repeat any WritableKeyPath<Record, each Value> & Sendable
  ) -> [WireField] {
    var fields: [WireField] = []
    repeat fields.append(WireField(each paths))
    return fields
  }
}

/// Bytes that are read from their front.
struct WireBytes: WireValue {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

  /// Takes all that is left.
  init(from bytes: inout WireBytes) {
    self = bytes
    bytes.rest = []
  }

  func put(to bytes: inout [UInt8]) { bytes += rest }

  /// The bytes are another program's, or were cut.
  static var isBroken: Failure {
    .unreadable("a child process of kymo sent a message that cannot be read. Run it again")
  }

  mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw Self.isBroken }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The number of values that follow, each of a byte or more.
  mutating func count() throws -> Int {
    let count = try Int(from: &self)
    guard count >= 0, count <= rest.count else { throw Self.isBroken }
    return count
  }
}

extension WireValue {
  /// The value as it came of a worker in this process, or of another one's bytes.
  func decoded<Value: WireValue>(as type: Value.Type = Value.self) throws -> Value {
    if let value = self as? Value { return value }
    guard var bytes = self as? WireBytes else { throw WireBytes.isBroken }
    return try Value(from: &bytes)
  }
}

extension Int64: WireValue {
  func put(to bytes: inout [UInt8]) { withUnsafeBytes(of: littleEndian) { bytes += $0 } }

  init(from bytes: inout WireBytes) throws {
    self = try bytes.take(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension Int: WireValue {
  func put(to bytes: inout [UInt8]) { Int64(self).put(to: &bytes) }
  init(from bytes: inout WireBytes) throws { self = Int(try Int64(from: &bytes)) }
}

extension UInt8: WireValue {
  func put(to bytes: inout [UInt8]) { bytes.append(self) }
  init(from bytes: inout WireBytes) throws { self = try bytes.take(1).first ?? 0 }
}

extension Bool: WireValue {
  func put(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
  init(from bytes: inout WireBytes) throws { self = try bytes.take(1).first == 1 }
}

extension Double: WireValue {
  func put(to bytes: inout [UInt8]) { Int64(bitPattern: bitPattern).put(to: &bytes) }

  init(from bytes: inout WireBytes) throws {
    self.init(bitPattern: UInt64(bitPattern: try Int64(from: &bytes)))
  }
}

extension String: WireValue {
  func put(to bytes: inout [UInt8]) {
    utf8.count.put(to: &bytes)
    bytes += utf8
  }

  init(from bytes: inout WireBytes) throws {
    self.init(decoding: try bytes.take(try bytes.count()), as: UTF8.self)
  }
}

extension Instant: WireValue {
  func put(to bytes: inout [UInt8]) { nanoseconds.put(to: &bytes) }
  init(from bytes: inout WireBytes) throws { self.init(nanoseconds: try Int64(from: &bytes)) }
}

extension ClosedRange<Double>: WireValue {
  func put(to bytes: inout [UInt8]) { [lowerBound, upperBound].put(to: &bytes) }

  init(from bytes: inout WireBytes) throws {
    let ends = try [Double](from: &bytes)
    guard ends.count == 2, ends[0] <= ends[1] else { throw WireBytes.isBroken }
    self = ends[0]...ends[1]
  }
}

extension Optional: WireValue where Wrapped: WireValue {
  func put(to bytes: inout [UInt8]) {
    (self != nil).put(to: &bytes)
    self?.put(to: &bytes)
  }

  init(from bytes: inout WireBytes) throws {
    self = try Bool(from: &bytes) ? try Wrapped(from: &bytes) : nil
  }
}

extension Array: WireValue where Element: WireValue {
  func put(to bytes: inout [UInt8]) {
    count.put(to: &bytes)
    for element in self { element.put(to: &bytes) }
  }

  init(from bytes: inout WireBytes) throws {
    self = try (0..<bytes.count()).map { _ in try Element(from: &bytes) }
  }
}

/// What has a name goes as its name.
extension WireValue where Self: RawRepresentable, RawValue == String {
  func put(to bytes: inout [UInt8]) { rawValue.put(to: &bytes) }

  init(from bytes: inout WireBytes) throws {
    guard let value = Self(rawValue: try String(from: &bytes)) else { throw WireBytes.isBroken }
    self = value
  }
}
