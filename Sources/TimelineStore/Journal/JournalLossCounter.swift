package import TimelineModel

/// Where a recorder counts what it loses; see ``JournalLosses``.
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
    let place = JournalLosses.place(what, key: key)
    let words = page + JournalLosses.firstWord + place * JournalLosses.wordsPerPlace
    let known = JournalLosses.count(words[0], at: place, salt: salt) ?? 0
    let nanoseconds = time.nanoseconds
    // The count comes last: a kill before it leaves a range that is too long, and no wrong count.
    if known == 0 || nanoseconds < Int64(bitPattern: words[1]) {
      words[1] = UInt64(bitPattern: nanoseconds)
    }
    if known == 0 || nanoseconds > Int64(bitPattern: words[2]) {
      words[2] = UInt64(bitPattern: nanoseconds)
    }
    words[0] = JournalLosses.word(count: known + 1, at: place, salt: salt)
  }
}
