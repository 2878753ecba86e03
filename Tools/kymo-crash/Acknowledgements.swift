import KymographCLibrary
import Synchronization

/// The promises that a recording child has got: counters in a file that it shares with its parent,
/// each raised after a call has returned. The kernel keeps them when the child is killed.
struct Acknowledgements: @unchecked Sendable {
  // An address that never changes. The words at it are atomic.

  /// At most so many sessions of one child are counted.
  static let sessions = 128
  /// The counters of a session.
  enum Counter: Int {
    /// The session's number in the file, from the moment when the recorder was there.
    case number
    /// 1 once it was finished.
    case finished
    /// Frames of the first thread.
    case frames
    /// Touches of the second thread.
    case touches
    /// Events of the third thread.
    case events
    /// Values of the first thread. Those of the others follow.
    case values
    /// Which call of a suspension it is in, a ``Stage``.
    case stage = 16
  }

  /// Where a recorder stands that is suspended and resumed again and again.
  enum Stage: UInt64 {
    /// It records, and writes.
    case recording
    /// `suspend()` has been called.
    case suspending
    /// `suspend()` has returned.
    case suspended
    /// `resume()` has been called.
    case resuming
  }

  private static let wordsPerSession = 32
  private static var bytes: Int { sessions * wordsPerSession * 8 }

  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  /// Maps the file, which is made where it is missing. `nil` when the system refuses.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(Self.bytes)) == 0 else { return nil }
    let map = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let map, map != MAP_FAILED else { return nil }
    words = map.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Gives the memory back.
  func unmap() { munmap(words, Self.bytes) }

  private func word(_ counter: Counter, _ session: Int, _ thread: Int) -> Int {
    session * Self.wordsPerSession + counter.rawValue + thread
  }

  func store(_ value: UInt64, _ counter: Counter, session: Int, thread: Int = 0) {
    words[word(counter, session, thread)].store(value, ordering: .releasing)
  }

  /// The value of a counter.
  func load(_ counter: Counter, session: Int, thread: Int = 0) -> UInt64 {
    words[word(counter, session, thread)].load(ordering: .acquiring)
  }
}
