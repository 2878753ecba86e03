/// The first page of a crash journal: whose it is and how large its lanes are.
package struct JournalHeader: Hashable, Sendable {
  /// Size of a page in bytes, a power of two. Each part of the file begins on one.
  package var pageBytes: Int
  /// Length of a lane's ring in words, a power of two.
  package var laneWords: Int
  /// How many lanes the file may have. It has as many as its length says.
  package var laneCount: Int
  /// The session's position in the recording.
  package var session: Int64
  /// The session's identity, 36 bytes.
  package var uuid: String

  /// How many words the header takes: magic, version, four sizes, five of the uuid, the check.
  package static let words = 12

  /// How many bytes a uuid has in its text form (RFC 9562).
  package static let uuidBytes = 36

  /// The number that the check of this session's records starts from.
  package var salt: UInt64 { JournalFormat.salt(of: uuid) }

  /// Length of a lane in bytes, its own header page included.
  package var laneBytes: Int { pageBytes + laneWords * 8 }

  /// Where a lane begins in the file, in bytes.
  package func offset(ofLane lane: Int) -> Int { pageBytes + lane * laneBytes }

  /// How many whole lanes a file of so many bytes holds.
  package func lanes(inBytes bytes: Int) -> Int {
    bytes < pageBytes ? 0 : min(laneCount, (bytes - pageBytes) / laneBytes)
  }
}

// MARK: - As words

extension JournalHeader {
  /// The header as it stands in the file.
  package var encoded: [UInt64] {
    var words = [
      JournalFormat.magic, JournalFormat.version, UInt64(pageBytes), UInt64(laneWords),
      UInt64(laneCount), UInt64(bitPattern: session),
    ]
    var text = Array(uuid.utf8.prefix(JournalHeader.uuidBytes))
    text += [UInt8](repeating: 0, count: 40 - text.count)
    for word in 0..<5 {
      words.append((0..<8).reduce(0) { $0 | UInt64(text[word * 8 + $1]) << UInt64($1 * 8) })
    }
    words.append(JournalHeader.check(words))
    return words
  }

  /// Reads a header that may hold anything.
  ///
  /// - Parameter words: The file's first words. ``words`` of them at least.
  /// - Returns: nil for what is no header of this version, or a damaged one.
  package init?(_ words: some RandomAccessCollection<UInt64>) {
    let found = Array(words.prefix(JournalHeader.words))
    guard found.count == JournalHeader.words, found[0] == JournalFormat.magic,
      found[1] == JournalFormat.version, found[11] == JournalHeader.check(found[..<11])
    else { return nil }
    // The sizes of pages that systems have, rings from one page to a gigabyte, and no more lanes
    // than bits of a length can address.
    guard found[2].nonzeroBitCount == 1,
      (4_096...UInt64(JournalFormat.mostPageBytes)).contains(found[2]),
      found[3].nonzeroBitCount == 1, found[3] * 8 >= found[2], found[3] <= 1 << 27,
      (1...1_024).contains(found[4]), let session = Int64(exactly: found[5])
    else { return nil }
    var text: [UInt8] = []
    for word in found[6..<11] {
      for byte in 0..<8 { text.append(UInt8(truncatingIfNeeded: word >> UInt64(byte * 8))) }
    }
    guard let uuid = String(validating: text.prefix(JournalHeader.uuidBytes), as: UTF8.self)
    else { return nil }
    self.init(
      pageBytes: Int(found[2]), laneWords: Int(found[3]), laneCount: Int(found[4]),
      session: session, uuid: uuid)
  }

  /// A sum over the words before the last, in the manner of a record's check.
  private static func check(_ words: some Collection<UInt64>) -> UInt64 {
    var sum = JournalCheck.step
    for (index, word) in words.enumerated() {
      sum = (sum ^ word &* JournalCheck.factor(at: index)) &* JournalCheck.step
      sum ^= sum >> 29
    }
    return sum
  }
}
