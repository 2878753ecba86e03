import TimelineStore

extension FuzzTarget {
  /// One record of a crash journal: eight bytes a word, the lowest first. What is read is written to
  /// the same words again.
  func takeRecord(_ bytes: [UInt8]) {
    var input = FuzzBytes(bytes)
    let words = (0..<bytes.count / 8).map { _ in input.word() }
    guard let first = words.first, let length = JournalRecord.length(first), length <= words.count
    else { return }
    let record = words.withUnsafeBufferPointer {
      JournalRecord(UnsafeBufferPointer(rebasing: $0[..<length]))
    }
    guard let record, let encoded = record.encoded(at: 7, salt: 5) else { return }
    let again = encoded.withUnsafeBufferPointer { words in
      precondition(JournalRecord.isIntact(words, at: 7, salt: 5), "A record's check fails.")
      return JournalRecord(words)
    }
    // Numbers that are not finite are not equal to themselves; their words are.
    precondition(
      again?.encoded(at: 7, salt: 5) == encoded, "A record is not read as it was written.")
  }
}
