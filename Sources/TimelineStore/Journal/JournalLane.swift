import KymographCLibrary
package import Synchronization

/// One lane of a crash journal in memory: a ring of words that one thread writes and one reads.
///
/// The ring is mapped twice, one copy behind the other, so that a record which runs over the ring's end
/// is whole in memory: its words are written and read as if the ring went on. Nothing here is checked or
/// locked. Who writes and who reads is its owner's business. The memory stays mapped until
/// ``unmap()``, also after the file's descriptor is closed.
package struct JournalLane: @unchecked Sendable {
  // A value of addresses that never change. What stands there is shared by the rules above.

  /// The lane's number, counted from 0.
  package let number: Int
  /// The position up to which records are whole. The writing thread stores it after the words.
  package let head: UnsafeMutablePointer<Atomic<UInt64>>
  /// The position up to which records are in the tables. The reading thread stores it.
  package let tail: UnsafeMutablePointer<Atomic<UInt64>>
  /// The ring's first word.
  package let words: UnsafeMutablePointer<UInt64>
  /// Length of the ring in words, a power of two.
  package let capacity: UInt64
  /// Where the first lane's head stood when this one was made. The thread that has this lane may have
  /// used the first one until then, so what lies before that position comes before what lies here.
  package let firstLaneHead: UInt64

  private let page: UnsafeMutableRawPointer
  private let pageBytes: Int

  /// Memory that a process may not use yet is asked for at once, so that no page fault falls into a
  /// frame. The number is Linux's MADV_POPULATE_WRITE (5.14 and later). Elsewhere nothing is asked.
  private static let populateForWriting: Int32 = 23

  /// Maps a lane of a file that is long enough.
  ///
  /// - Parameters:
  ///   - header: The file's header.
  ///   - number: The lane's number.
  ///   - descriptor: The file, open for reading and writing.
  ///   - firstLaneHead: Where the first lane's head stands.
  /// - Returns: nil when the system gives no memory.
  init?(
    _ header: JournalHeader, number: Int, descriptor: Int32, firstLaneHead: UInt64
  ) {
    let pageBytes = header.pageBytes
    let ringBytes = header.laneWords * 8
    let offset = header.offset(ofLane: number)
    let access = PROT_READ | PROT_WRITE
    guard
      let page = JournalLane.map(
        nil, bytes: pageBytes, access, MAP_SHARED, descriptor, at: offset)
    else { return nil }
    // The place for both copies is taken first, so that they can stand side by side.
    guard
      let ring = JournalLane.map(
        nil, bytes: 2 * ringBytes, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, at: 0)
    else {
      munmap(page, pageBytes)
      return nil
    }
    for copy in 0..<2 {
      guard
        JournalLane.map(
          ring + copy * ringBytes, bytes: ringBytes, access, MAP_SHARED | MAP_FIXED, descriptor,
          at: offset + pageBytes) != nil
      else {
        munmap(ring, 2 * ringBytes)
        munmap(page, pageBytes)
        return nil
      }
    }
    self.number = number
    self.firstLaneHead = firstLaneHead
    self.page = page
    self.pageBytes = pageBytes
    capacity = UInt64(header.laneWords)
    words = ring.assumingMemoryBound(to: UInt64.self)
    let positions = page.assumingMemoryBound(to: UInt64.self)
    head = UnsafeMutableRawPointer(positions + JournalFormat.headWord)
      .assumingMemoryBound(to: Atomic<UInt64>.self)
    tail = UnsafeMutableRawPointer(positions + JournalFormat.tailWord)
      .assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Makes every page ready for writing, so that no value waits for one. Changes no byte, and any thread may call it.
  ///
  /// - Complexity: a fault for each page of the ring, some milliseconds for 4 MiB.
  package func populate() {
    #if os(Linux)
      madvise(page, pageBytes, JournalLane.populateForWriting)
      madvise(words, Int(capacity) * 16, JournalLane.populateForWriting)
    #endif
  }

  /// Gives the memory back. Nobody may use the lane afterwards.
  package func unmap() {
    munmap(words, Int(capacity) * 16)
    munmap(page, pageBytes)
  }

  /// Maps a part of a file, or takes memory without one.
  ///
  /// A child process does not get it: it must not write into a journal that is its parent's, and its
  /// copy would keep the file's lock when the parent has died.
  static func map(
    _ address: UnsafeMutableRawPointer?, bytes: Int, _ access: Int32, _ flags: Int32,
    _ descriptor: Int32, at offset: Int
  ) -> UnsafeMutableRawPointer? {
    let mapped = mmap(address, bytes, access, flags, descriptor, off_t(offset))
    guard mapped != MAP_FAILED else { return nil }
    #if os(Linux)
      madvise(mapped, bytes, MADV_DONTFORK)
    #elseif canImport(Darwin)
      minherit(mapped, bytes, VM_INHERIT_NONE)
    #endif
    return mapped
  }
}
