import TimelineModel

/// Reads the words of one record, which may hold anything, and never beyond its end.
struct JournalWordReader {
  private let words: UnsafeBufferPointer<UInt64>
  private var next = 1

  init(_ words: UnsafeBufferPointer<UInt64>) { self.words = words }

  /// Whether every word was read.
  var isAtEnd: Bool { next == words.count }

  mutating func word() -> UInt64? {
    guard next < words.count else { return nil }
    defer { next += 1 }
    return words[next]
  }

  mutating func integer() -> Int64? { word().map { Int64(bitPattern: $0) } }

  mutating func int() -> Int? { integer().flatMap { Int(exactly: $0) } }

  mutating func instant() -> Instant? { integer().map(Instant.init(nanoseconds:)) }

  /// A finite number; the recorder takes no other.
  mutating func number() -> Double? {
    word().map { Double(bitPattern: $0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// So many texts, as ``JournalWordWriter`` wrote them.
  mutating func texts(_ count: Int) -> [String]? {
    var lengths: [Int] = []
    for pair in stride(from: 0, to: count, by: 2) {
      guard let word = word() else { return nil }
      lengths.append(Int(word & 0xffff_ffff))
      if pair + 1 < count {
        lengths.append(Int(word >> 32))
      } else if word >> 32 != 0 {
        return nil
      }
    }
    let total = lengths.reduce(0, +)
    guard (total + 7) / 8 <= words.count - next else { return nil }
    var place = next * 8
    next += (total + 7) / 8
    var texts: [String] = []
    for length in lengths {
      let bytes = (place..<place + length).lazy.map { [words] place in
        UInt8(truncatingIfNeeded: words[place / 8] >> UInt64(place % 8 * 8))
      }
      guard let text = String(validating: Array(bytes), as: UTF8.self) else { return nil }
      texts.append(text)
      place += length
    }
    return texts
  }

  /// So many optional numbers.
  mutating func optionalNumbers(_ count: Int) -> [Double?]? {
    guard let mask = word(), mask >> UInt64(count) == 0 else { return nil }
    var numbers: [Double?] = []
    for index in 0..<count {
      if mask >> UInt64(index) & 1 == 1 {
        guard let number = number() else { return nil }
        numbers.append(number)
      } else {
        guard word() != nil else { return nil }
        numbers.append(nil)
      }
    }
    return numbers
  }
}
