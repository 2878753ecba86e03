public import Synchronization
public import TimelineStore

/// The writing thread's knowledge of a lane. It is in memory of its own and is reached by
/// its address, so that no exclusivity check and no reference count delays a value.
@usableFromInline
struct HotLane {
  /// The ring's first word.
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  /// Length of the ring in words less one.
  @usableFromInline let mask: UInt64
  /// The session's number in every check.
  @usableFromInline let salt: UInt64
  /// Where others see the head.
  @usableFromInline let published: UnsafeMutablePointer<Atomic<UInt64>>
  /// Where the reading thread says how far it is.
  let tail: UnsafeMutablePointer<Atomic<UInt64>>
  /// How many words at the end of the free part are kept for the most important records.
  let reserve: UInt64
  /// The position of the next record.
  @usableFromInline var head: UInt64 = 0
  /// The position up to which values may be stored without a second look: the end of the free part, or
  /// where the writer is to be called.
  @usableFromInline var limit: UInt64 = 0
  /// Keys by name, as this lane's thread has asked for them.
  var names: NameCache

  init(_ lane: JournalLane, salt: UInt64, reservedWords: UInt64) {
    words = lane.words
    mask = lane.capacity - 1
    self.salt = salt
    published = lane.head
    tail = lane.tail
    // Half of a small ring at most, so that there is room for values at all.
    reserve = min(reservedWords, lane.capacity / 2)
    names = NameCache()
  }

  /// A lane that stores its one record at another place.
  init(passing destination: UnsafeMutablePointer<UInt64>, like lane: HotLane) {
    words = destination
    // Every position stands at the place's first word.
    mask = 0
    salt = lane.salt
    published = lane.published
    tail = lane.tail
    reserve = 0
    names = NameCache()
  }

  /// Length of the ring in words.
  var capacity: UInt64 { mask + 1 }

  /// Where a record at the head is stored.
  @inlinable @inline(__always)
  var next: UnsafeMutablePointer<UInt64> { words + Int(truncatingIfNeeded: head & mask) }

  /// Shows so many words after the head to the reading thread.
  @inlinable @inline(__always)
  mutating func publish(_ count: UInt64) {
    head &+= count
    published.pointee.store(head, ordering: .releasing)
  }

  /// Whether a value may be stored without a second look.
  @inlinable @inline(__always)
  var hasSpaceForSample: Bool { head &+ JournalCheck.sampleWords <= limit }

  /// Stores a value, for which there must be room.
  @inlinable @inline(__always)
  mutating func storeSample(lead: UInt32, time: UInt64, value: UInt64) {
    let destination = next
    destination[0] = JournalCheck.firstWord(ofSample: lead, time, value, at: head, salt: salt)
    destination[1] = time
    destination[2] = value
    publish(JournalCheck.sampleWords)
  }

  /// How many words are free, by what the reading thread says now.
  func free(reserved: Bool) -> UInt64 {
    let used = head &- tail.pointee.load(ordering: .acquiring)
    let usable = capacity - (reserved ? 0 : reserve)
    return used < usable ? usable - used : 0
  }

  /// Whether the writer should come before its time.
  var isHalfFull: Bool {
    head &- tail.pointee.load(ordering: .acquiring) >= capacity / 2
  }

  /// Sets how far values go without a second look.
  mutating func setLimit() {
    let tail = tail.pointee.load(ordering: .acquiring)
    let half = tail &+ capacity / 2
    limit = head < half ? half : tail &+ capacity &- reserve
  }
}

@available(*, unavailable, message: "it belongs to the thread that writes the lane")
extension HotLane: Sendable {}
