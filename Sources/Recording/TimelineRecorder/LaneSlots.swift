public import KymographCThread
public import Synchronization

/// Finds a thread's lane by the thread's number without a lock.
///
/// A slot is filled once, by the thread that it is for, and found by that thread alone. A thread that has
/// the number of one that has ended goes on with its lane.
@usableFromInline
struct LaneSlots: @unchecked Sendable {
  // An address that never changes. A slot behind it is written by the thread that it is for.

  /// A thread's number and its lane side by side, so that finding it touches one cache line.
  @usableFromInline
  struct Slot: ~Copyable {
    /// 0 for a slot that nobody has.
    @usableFromInline let thread = Atomic<UInt>(0)
    /// Set before the thread is.
    @usableFromInline var lane: UnsafeMutablePointer<HotLane>

    init(_ lane: UnsafeMutablePointer<HotLane>) { self.lane = lane }
  }

  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let mask: Int

  /// Makes slots for so many lanes: four times as many, so that a thread is found at the first look.
  ///
  /// - Parameters:
  ///   - count: How many lanes there are to be.
  ///   - lane: What stands in a slot that nobody has, so that none is empty.
  init(lanes count: Int, unused lane: UnsafeMutablePointer<HotLane>) {
    var size = 64
    while size < count * 4 { size *= 2 }
    mask = size - 1
    slots = .allocate(capacity: size)
    for slot in 0..<size { (slots + slot).initialize(to: Slot(lane)) }
  }

  /// Gives the memory back.
  func free() { slots.deallocate() }

  /// The slot that is looked at first for a thread. Its lane is the thread's where the thread is.
  @inlinable @inline(__always)
  func likelySlot(of thread: UInt) -> UnsafeMutablePointer<Slot> { slots + first(thread) }

  /// The lane of a thread where it is found at the first look.
  @inline(__always)
  func likelyLane(of thread: UInt) -> UnsafeMutablePointer<HotLane>? {
    let slot = likelySlot(of: thread)
    return slot.pointee.thread.load(ordering: .relaxed) == thread ? slot.pointee.lane : nil
  }

  /// The lane of a thread; nil when it has none.
  func lane(of thread: UInt) -> UnsafeMutablePointer<HotLane>? {
    var slot = first(thread)
    for _ in 0...mask {
      let found = slots[slot].thread.load(ordering: .relaxed)
      if found == thread { return slots[slot].lane }
      if found == 0 { return nil }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Gives the calling thread a lane. One thread at a time may ask.
  func set(_ lane: UnsafeMutablePointer<HotLane>, of thread: UInt) {
    var slot = first(thread)
    while slots[slot].thread.load(ordering: .relaxed) != 0 { slot = (slot + 1) & mask }
    slots[slot].lane = lane
    slots[slot].thread.store(thread, ordering: .releasing)
  }

  /// Forgets every thread, in a child process that has a copy of this memory.
  func forgetAll() {
    for slot in 0...mask { slots[slot].thread.store(0, ordering: .relaxed) }
  }

  @inlinable @inline(__always)
  func first(_ thread: UInt) -> Int {
    // Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio.
    Int(truncatingIfNeeded: (UInt64(thread) &* 0x9e37_79b9_7f4a_7c15) >> 40) & mask
  }
}

@available(*, unavailable, message: "it belongs to the thread that it is for")
extension LaneSlots.Slot: Sendable {}

/// Who is calling.
@usableFromInline
enum CallingThread: Sendable {
  /// A number of the calling thread that no other living thread has; a thread that begins after
  /// another's end may have that one's.
  @inlinable @inline(__always)
  static var number: UInt { UInt(kymograph_thread_number()) }
}
