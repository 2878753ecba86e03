package import TimelineModel

/// What a recorder could not keep, counted in the first page of its crash journal, so that a kill does not
/// take the counts with it while they wait for a commit.
///
/// The counts begin with the session and never go down. What is not yet in the table `loss` is a count
/// less the sum of its rows there, so nothing has to be cleared when a commit has returned, and
/// nothing is brought in twice. Each sort of thing has a place of three words, and each of the first keys
/// one for its values. The values of the other keys are counted together.
package enum JournalLosses {
  /// A place: the count with its check, the earliest instant, the latest.
  static let wordsPerEntry = 3

  /// The places begin a quarter of a kilobyte into the page, behind what else the page holds.
  static let firstWord = 32

  /// Every system's page has so many words at least.
  static let endWord = 512

  /// How many sorts of things and keys have a place of their own.
  package static let entryCount = (endWord - firstWord) / wordsPerEntry

  /// How many keys have a place for their values.
  package static var keys: Int { entryCount - StoredCode.losses.count }

  /// The low bits of the first word hold the count: 2^48 is nine years at a value a microsecond.
  private static let countBits: UInt64 = 48
  private static let countMask: UInt64 = 1 << countBits - 1

  /// Where something is counted. Place 0 has the values of all keys without a place.
  static func entry(_ what: LossRecord.What, key: KeyHandle?) -> Int {
    guard what == .sample, let key, (0..<Int32(keys)).contains(key.rawValue) else {
      return Int(StoredCode.code(what, in: StoredCode.losses))
    }
    return StoredCode.losses.count + Int(key.rawValue)
  }

  /// What is counted at a place.
  static func subject(of index: Int) -> (what: LossRecord.What, key: KeyHandle?) {
    guard index >= StoredCode.losses.count else { return (StoredCode.losses[index], nil) }
    return (.sample, KeyHandle(rawValue: Int32(index - StoredCode.losses.count)))
  }

  /// A count with a check over it, so that damage is not taken for a loss.
  static func word(count: UInt64, at index: Int, salt: UInt64) -> UInt64 {
    let count = min(count, countMask)
    let sum = (JournalCheck.seed(at: UInt64(index), salt: salt) ^ count) &* JournalCheck.step
    return (sum ^ sum >> 29) << countBits | count
  }

  /// The count in a word. `nil` for one that is damaged, 0 for none.
  static func count(_ word: UInt64, at index: Int, salt: UInt64) -> UInt64? {
    guard word != 0 else { return 0 }
    let count = word & countMask
    return word == self.word(count: count, at: index, salt: salt) ? count : nil
  }

  /// Reads the places of a page. Places that are damaged are left out.
  ///
  /// - Parameter words: The page's words, of which a part may be missing.
  static func read(_ words: [UInt64], salt: UInt64) -> [LossRecord] {
    var losses: [LossRecord] = []
    for index in 0..<entryCount {
      let start = firstWord + index * wordsPerEntry
      guard start + wordsPerEntry <= words.count,
        let count = count(words[start], at: index, salt: salt), count > 0
      else { continue }
      let subject = subject(of: index)
      let times = [words[start + 1], words[start + 2]].map { Int64(bitPattern: $0) }.sorted()
      losses.append(
        LossRecord(
          what: subject.what, key: subject.key, first: Instant(nanoseconds: times[0]),
          last: Instant(nanoseconds: times[1]), count: Int64(count)))
    }
    return losses
  }
}

/// Where a recorder counts what it loses. See ``JournalLosses``.
///
/// The memory is the journal's, which must outlive the value. Only one thread at a time may count.
package struct JournalLossCounter: @unchecked Sendable {
  // An address that never changes.
  private let page: UnsafeMutablePointer<UInt64>
  private let salt: UInt64

  init(page: UnsafeMutablePointer<UInt64>, salt: UInt64) {
    self.page = page
    self.salt = salt
  }

  /// Counts one more.
  package func count(_ what: LossRecord.What, key: KeyHandle?, at time: Instant) {
    let index = JournalLosses.entry(what, key: key)
    let words = page + JournalLosses.firstWord + index * JournalLosses.wordsPerEntry
    let known = JournalLosses.count(words[0], at: index, salt: salt) ?? 0
    let nanoseconds = time.nanoseconds
    // The count comes last: a kill before it leaves a range that is too long, and no wrong count.
    if known == 0 || nanoseconds < Int64(bitPattern: words[1]) {
      words[1] = UInt64(bitPattern: nanoseconds)
    }
    if known == 0 || nanoseconds > Int64(bitPattern: words[2]) {
      words[2] = UInt64(bitPattern: nanoseconds)
    }
    words[0] = JournalLosses.word(count: known + 1, at: index, salt: salt)
  }
}
