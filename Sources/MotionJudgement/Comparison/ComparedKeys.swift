import MotionMeasures
import TimelineModel

/// The compared keys, each in some hundred bytes: a ``RunComparison/Key`` with its lists takes four times as many.
package struct ComparedKeys: Sendable, RandomAccessCollection {
  private struct Entry {
    var name: String
    var role: KeyRole
    var badness: Double
    var bytes: [UInt8]
  }

  private var entries: [Entry] = []
  private var coder = FieldCoder()

  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }

  /// The key at a place, which is unpacked each time.
  package subscript(place: Int) -> RunComparison.Key {
    get {
      let entry = entries[place]
      var key = RunComparison.Key(name: entry.name, role: entry.role, unit: "", isSame: true)
      var coder = coder
      coder.read(entry.bytes)
      key.code(&coder)
      return key
    }
    set { entries[place] = pack(newValue) }
  }

  private mutating func pack(_ key: RunComparison.Key) -> Entry {
    var key = key
    coder.beginWriting()
    key.code(&coder)
    return Entry(name: key.name, role: key.role, badness: key.badness, bytes: coder.written)
  }

  mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  mutating func append(_ key: RunComparison.Key) { entries.append(pack(key)) }

  /// Puts the worst first. Equal ones by name, so that the order is always the same.
  mutating func sort() {
    entries.sort {
      ($1.badness, $0.name, $0.role.rawValue) < ($0.badness, $1.name, $1.role.rawValue)
    }
  }
}

extension ComparedKeys: Hashable {
  package static func == (one: ComparedKeys, other: ComparedKeys) -> Bool {
    one.elementsEqual(other)
  }

  package func hash(into hasher: inout Hasher) {
    for key in self { hasher.combine(key) }
  }
}

/// Writes fields into bytes or reads them from bytes: a type lists its fields once for both ways.
struct FieldCoder: Sendable {
  private var bytes: [UInt8] = []
  private var position = 0
  private var isReading = false
  private var words = NumberedValues<String>()
  private var sources = NumberedValues<Verdict.Source>()

  mutating func beginWriting() {
    (isReading, position) = (false, 0)
    bytes.removeAll(keepingCapacity: true)
  }

  /// A copy of the bytes that were written. A list made of all of another would keep its room.
  var written: [UInt8] { bytes.withUnsafeBufferPointer { Array($0) } }

  mutating func read(_ bytes: [UInt8]) { (self.bytes, position, isReading) = (bytes, 0, true) }

  /// The highest bytes that are not 0, behind their count.
  private mutating func code(bits: inout UInt64) {
    if isReading {
      let count = Int(bytes[position])
      bits = 0
      for index in 0..<count {
        bits |= UInt64(bytes[position + 1 + index]) << UInt64(56 - 8 * index)
      }
      position += count + 1
    } else {
      let count = 8 - bits.trailingZeroBitCount / 8
      bytes.append(UInt8(count))
      for index in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * index)))
      }
    }
  }

  private static let none: UInt8 = 255

  /// Whether there is a value. Its absence takes a byte.
  private mutating func codePresence(_ isThere: Bool) -> Bool {
    if isReading {
      guard bytes[position] == Self.none else { return true }
      position += 1
      return false
    }
    if !isThere { bytes.append(Self.none) }
    return isThere
  }

  mutating func code(_ number: inout Double) {
    var bits = number.bitPattern
    code(bits: &bits)
    number = Double(bitPattern: bits)
  }

  mutating func code(_ number: inout Double?) {
    guard codePresence(number != nil) else {
      number = nil
      return
    }
    var value = number ?? 0
    code(&value)
    number = value
  }

  mutating func code(_ number: inout Int) {
    // Small numbers, which most are, have few bytes.
    var bits = UInt64(bitPattern: Int64(number)).byteSwapped
    code(bits: &bits)
    number = Int(Int64(bitPattern: bits.byteSwapped))
  }

  mutating func code(_ instant: inout Instant) {
    var nanoseconds = Int(instant.nanoseconds)
    code(&nanoseconds)
    instant = Instant(nanoseconds: Int64(nanoseconds))
  }

  mutating func code(_ flag: inout Bool) {
    var number = flag ? 1 : 0
    code(&number)
    flag = number == 1
  }

  /// A text that many results have.
  mutating func code(_ word: inout String) {
    var number = isReading ? 0 : words.number(of: word)
    code(&number)
    word = words[number]
  }

  mutating func code(_ source: inout Verdict.Source) {
    var number = isReading ? 0 : sources.number(of: source)
    code(&number)
    source = sources[number]
  }

  /// A text that few results have.
  mutating func code(text: inout String?) {
    guard codePresence(text != nil) else {
      text = nil
      return
    }
    var count = text?.utf8.count ?? 0
    code(&count)
    if isReading {
      text = String(decoding: bytes[position..<position + count], as: UTF8.self)
      position += count
    } else if let text {
      bytes.append(contentsOf: text.utf8)
    }
  }

  mutating func code<Value: RawRepresentable<String>>(_ name: inout Value) {
    var word = name.rawValue
    code(&word)
    name = Value(rawValue: word) ?? name
  }

  /// A part that may be missing, whose first field is always there.
  ///
  /// - Parameter empty: A value that is filled in.
  mutating func code<Part>(
    _ part: inout Part?, from empty: @autoclosure () -> Part,
    _ fields: (inout Part, inout FieldCoder) -> Void
  ) {
    guard codePresence(part != nil) else {
      part = nil
      return
    }
    var value = part ?? empty()
    fields(&value, &self)
    part = value
  }

  /// A list.
  mutating func code<Part>(
    _ list: inout [Part], from empty: @autoclosure () -> Part,
    _ fields: (inout Part, inout FieldCoder) -> Void
  ) {
    var count = list.count
    code(&count)
    if isReading { list = (0..<count).map { _ in empty() } }
    for index in 0..<count { fields(&list[index], &self) }
  }
}

/// Values that many results have in common, each once, counted from 0.
private struct NumberedValues<Value: Hashable & Sendable>: Sendable {
  private var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  subscript(number: Int) -> Value { values[number] }

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = values.count
    values.append(value)
    return values.count - 1
  }
}
