/// What a recorder computes for each value that it stores: the first word of a record, with its check.
///
/// It is public because a compiler takes only public functions into another module's code, here into an
/// app's: a call for each of them would make a value twice as dear. Nothing but a recorder needs it.
///
/// The check is a multilinear hash (Lemire and Kaser, "Strongly universal string hashing is fast", 2013):
/// each word times a fixed odd number, summed. The upper half is kept. One multiplication a word, none of
/// which waits for another. Any single flipped bit changes it. It is no defence against somebody who forges
/// records, and need not be: whoever can write the journal can write the database.
@usableFromInline
package enum JournalCheck: Sendable {
  /// How many words a sample takes: its first word, the time, the value's bits.
  @inlinable
  package static var sampleWords: UInt64 { 3 }

  /// The lower half of a sample's first word.
  ///
  /// - Parameter information: The key's number << 2 | phase.
  @inlinable
  package static func sampleLead(_ information: UInt32) -> UInt32 { 3 << 28 | information }

  /// Whether a record's first word is a sample's.
  @inlinable
  package static func isSample(_ first: UInt64) -> Bool { first >> 28 & 0xf == 3 }

  /// The lower half of the first word of what became of an element.
  ///
  /// - Parameter count: The record's length in words.
  @inlinable
  package static func changeLead(_ count: UInt32) -> UInt32 { 5 << 28 | count }

  /// 2^64 divided by the golden ratio, made odd: its multiples are spread evenly (Knuth, volume 3, 6.4).
  @inlinable
  package static var step: UInt64 { 0x9e37_79b9_7f4a_7c15 }

  /// The factor of a record's first word. A random odd number.
  @inlinable
  package static var firstFactor: UInt64 { 0xd6e8_feb8_6659_fd93 }

  /// The factor of the word at an index of a record, which is odd.
  @inlinable
  package static func factor(at index: Int) -> UInt64 {
    (firstFactor &+ UInt64(truncatingIfNeeded: index) &* (step << 1)) | 1
  }

  /// Where the sum begins for a record at a position.
  @inlinable
  package static func seed(at position: UInt64, salt: UInt64) -> UInt64 {
    (position ^ salt) &* step
  }

  /// A sample's first word.
  ///
  /// - Parameters:
  ///   - lead: ``sampleLead(_:)``.
  ///   - time: The second word.
  ///   - value: The third.
  ///   - position: The record's position in its lane.
  ///   - salt: The session's number.
  @inlinable @inline(__always)
  package static func firstWord(
    ofSample lead: UInt32, _ time: UInt64, _ value: UInt64, at position: UInt64, salt: UInt64
  ) -> UInt64 {
    let sum =
      seed(at: position, salt: salt) &+ UInt64(lead) &* factor(at: 0) &+ time &* factor(at: 1)
      &+ value &* factor(at: 2)
    return sum & 0xffff_ffff_0000_0000 | UInt64(lead)
  }
}
