/// How a crash journal is laid out: what both the recorder that writes it and the one that reads it
/// after a crash must agree on.
///
/// A journal is a file of 64-bit words, lowest byte first. It begins with a page that holds the
/// ``JournalHeader``. Lanes follow, each a page of its own with two positions and then a ring of
/// ``JournalHeader/laneWords`` words. A position counts words since the session's start and never goes
/// back. The word at position `p` stands at index `p mod laneWords` of the ring. Records lie one after
/// the other, the last word of the ring followed by its first.
///
/// A record begins with the word
///
///     bits 63...32  check   over position, session and every other bit of the record
///     bits 31...28  kind    ``JournalFormat/Kind``, never 0
///     bits 27...0   for a sample: key << 2 | phase. For every other kind: its length in words
///
/// so that what is left in the ring from an earlier lap or another session is never taken for a record.
package enum JournalFormat {
  /// The first eight bytes, "KYMOCRSH", as a word.
  package static let magic: UInt64 = 0x4853_5243_4f4d_594b

  /// The version of this layout. A reader refuses every other one.
  package static let version: UInt64 = 1

  /// The largest page of memory that a system of today has, in bytes. A journal's parts begin on pages.
  package static let mostPageBytes = 65_536

  /// Where a lane's header page holds the position up to which records are whole, in words.
  package static let headWord = 0

  /// Where a lane's header page holds the position up to which they are in the tables, in words. It
  /// stands 128 bytes from the head, so that the two threads that write them share no cache line (two
  /// lines of 64 bytes are fetched together on x86, and a line has 128 bytes on Apple's processors).
  package static let tailWord = 16

  /// Where the file's first page holds the process of the recorder.
  package static let processWord = 16

  /// Where the file's first page says whether the recorder has let go of the file for a while.
  package static let suspendedWord = 17

  // What was lost stands from word 32 of the first page on. See JournalLosses.

  /// How many words a sample takes: its first word, the time, the value's bits.
  package static var sampleWords: Int { Int(JournalCheck.sampleWords) }

  /// The largest number of a key that fits a sample's first word.
  package static let largestKey: UInt32 = 1 << 26 - 1

  /// The largest length of a record, in words.
  package static let longestRecord = 1 << 28 - 1

  /// What a record is. The numbers are stored.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A key's number, name, role and unit.
    case key = 1
    /// An element's number and identity.
    case item = 2
    /// A value of a key.
    case sample = 3
    /// A frame. As many changes as it says follow it at once.
    case frame = 4
    /// What became of an element in the frame before it.
    case change = 5
    /// A report of a contact.
    case touch = 6
    case event = 7
    /// A release decision.
    case decision = 8
    /// What was estimated for a key at a release.
    case estimate = 9
    /// What could not be kept.
    case loss = 10
  }

  /// The lower half of a record's first word.
  package static func lead(_ kind: Kind, _ information: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: kind.rawValue) << 28 | information
  }

  /// The kind in a record's first word. `nil` for none that is known.
  package static func kind(of first: UInt64) -> Kind? {
    Kind(rawValue: UInt8(truncatingIfNeeded: first >> 28 & 0xf))
  }

  /// The key and phase of a sample, or the length of another record.
  package static func information(of first: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: first & 0x0fff_ffff)
  }
}

// MARK: - The check

// The sum itself stands in JournalCheck, which the recorder takes into its own code.

extension JournalFormat {
  /// The first word of a record whose other words are in place.
  ///
  /// - Parameters:
  ///   - lead: Kind and length.
  ///   - record: The record's place, of which only the words after the first are read.
  ///   - count: Its length in words.
  ///   - position: Its position in its lane.
  ///   - salt: The session's number from ``salt(of:)``.
  package static func firstWord(
    _ lead: UInt32, of record: UnsafePointer<UInt64>, count: Int, at position: UInt64, salt: UInt64
  ) -> UInt64 {
    var sum =
      JournalCheck.seed(at: position, salt: salt) &+ UInt64(lead) &* JournalCheck.factor(at: 0)
    var index = 1
    while index < count {
      sum = sum &+ record[index] &* JournalCheck.factor(at: index)
      index += 1
    }
    return sum & 0xffff_ffff_0000_0000 | UInt64(lead)
  }

  /// A number that differs from session to session, so that no record of another one passes the check.
  ///
  /// The bytes of the uuid by FNV-1a (Fowler, Noll, Vo), 64 bits.
  package static func salt(of uuid: String) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in uuid.utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return sum
  }
}
