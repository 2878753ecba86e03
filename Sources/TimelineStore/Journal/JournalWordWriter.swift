/// Gathers the words of one record, its first word left open for the check.
struct JournalWordWriter {
  private(set) var words: [UInt64] = [0]

  mutating func write(_ word: UInt64) { words.append(word) }

  mutating func write(_ number: Int64) { words.append(UInt64(bitPattern: number)) }

  mutating func write(_ number: Int) { write(Int64(number)) }

  mutating func write(_ number: Double) { words.append(number.bitPattern) }

  /// Texts, packed byte after byte; their lengths come before them, two in a word.
  mutating func write(_ texts: [String]) {
    for pair in stride(from: 0, to: texts.count, by: 2) {
      let second = pair + 1 < texts.count ? UInt64(UInt32(clamping: texts[pair + 1].utf8.count)) : 0
      words.append(UInt64(UInt32(clamping: texts[pair].utf8.count)) | second << 32)
    }
    var word: UInt64 = 0
    var filled: UInt64 = 0
    for text in texts {
      for byte in text.utf8 {
        word |= UInt64(byte) << filled
        filled += 8
        if filled == 64 {
          words.append(word)
          word = 0
          filled = 0
        }
      }
    }
    if filled > 0 { words.append(word) }
  }

  /// Optional numbers: a word that says which are there, then each one's word, 0 for none.
  mutating func write(_ numbers: [Double?]) {
    var mask: UInt64 = 0
    for (index, number) in numbers.enumerated() where number != nil { mask |= 1 << UInt64(index) }
    words.append(mask)
    for number in numbers { words.append(number?.bitPattern ?? 0) }
  }
}
