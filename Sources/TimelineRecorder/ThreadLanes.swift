public import KymographCThread
public import Synchronization

/// Finds a thread's lane by the thread's number without a lock.
///
/// An entry is filled once, by the thread that it is for, and found by that thread alone. A thread that has
/// the number of one that has ended goes on with its lane.
@usableFromInline
struct ThreadLanes: @unchecked Sendable {
  // An address that never changes. An entry at it is written by the thread that it is for.

  /// A thread's number and its lane side by side, so that finding it touches one cache line.
  @usableFromInline
  struct Entry: ~Copyable {
    /// 0 for an unused entry.
    @usableFromInline let thread = Atomic<UInt>(0)
    /// Set before the thread is.
    @usableFromInline var lane: UnsafeMutablePointer<HotLane>

    init(_ lane: UnsafeMutablePointer<HotLane>) { self.lane = lane }
  }

  @usableFromInline let entries: UnsafeMutablePointer<Entry>
  @usableFromInline let mask: Int

  /// Makes four times as many entries as lanes, so that a thread is found at the first look.
  ///
  /// - Parameters:
  ///   - count: How many lanes there are to be.
  ///   - lane: The address in an unused entry, so that none is empty.
  init(lanes count: Int, unused lane: UnsafeMutablePointer<HotLane>) {
    var size = 64
    while size < count * 4 { size *= 2 }
    mask = size - 1
    entries = .allocate(capacity: size)
    for entry in 0..<size { (entries + entry).initialize(to: Entry(lane)) }
  }

  func free() { entries.deallocate() }

  /// The entry that is looked at first for a thread. Its lane is the thread's where the thread is.
  @inlinable @inline(__always)
  func likelyEntry(of thread: UInt) -> UnsafeMutablePointer<Entry> { entries + first(thread) }

  /// The lane of a thread where it is found at the first look.
  @inline(__always)
  func likelyLane(of thread: UInt) -> UnsafeMutablePointer<HotLane>? {
    let entry = likelyEntry(of: thread)
    return entry.pointee.thread.load(ordering: .relaxed) == thread ? entry.pointee.lane : nil
  }

  /// The lane of a thread. `nil` when it has none.
  func lane(of thread: UInt) -> UnsafeMutablePointer<HotLane>? {
    var entry = first(thread)
    for _ in 0...mask {
      let found = entries[entry].thread.load(ordering: .relaxed)
      if found == thread { return entries[entry].lane }
      if found == 0 { return nil }
      entry = (entry + 1) & mask
    }
    return nil
  }

  /// Gives the calling thread a lane. One thread at a time may ask.
  func set(_ lane: UnsafeMutablePointer<HotLane>, of thread: UInt) {
    var entry = first(thread)
    while entries[entry].thread.load(ordering: .relaxed) != 0 { entry = (entry + 1) & mask }
    entries[entry].lane = lane
    entries[entry].thread.store(thread, ordering: .releasing)
  }

  /// Forgets every thread, in a child process that has a copy of this memory.
  func forgetAll() {
    for entry in 0...mask { entries[entry].thread.store(0, ordering: .relaxed) }
  }

  @inlinable @inline(__always)
  func first(_ thread: UInt) -> Int {
    // Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio.
    Int(truncatingIfNeeded: (UInt64(thread) &* 0x9e37_79b9_7f4a_7c15) >> 40) & mask
  }
}

@available(*, unavailable, message: "it belongs to the thread that it is for")
extension ThreadLanes.Entry: Sendable {}

@usableFromInline
enum CallingThread: Sendable {
  /// A number of the calling thread that no other living thread has. A thread that begins after
  /// another's end may have that one's.
  @inlinable @inline(__always)
  static var number: UInt { UInt(kymograph_thread_number()) }
}
