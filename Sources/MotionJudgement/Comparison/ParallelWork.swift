import KymographCLibrary
import Synchronization

/// Work that several threads take piece by piece.
///
/// The pieces must not touch each other's data: nothing here keeps them from it.
private final class ParallelWork {
  private let count: Int
  private let body: (Int) -> Void
  private let next = Atomic<Int>(0)

  init(count: Int, body: @escaping (Int) -> Void) {
    self.count = count
    self.body = body
  }

  func takePieces() {
    while true {
      let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard piece < count else { return }
      body(piece)
    }
  }
}

/// The threads of one piece of work.
package enum ParallelThreads {
  private static let most = Atomic<Int>(max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

  /// How many there are at most: as many as the machine has cores unless it is set.
  package static var limit: Int {
    get { most.load(ordering: .relaxed) }
    set { most.store(max(1, newValue), ordering: .relaxed) }
  }
}

/// Does pieces of work that are independent of each other on this and other threads, and returns when all
/// are done. The result of a piece must not depend on which thread did it. Where the system gives no more
/// threads, this one does everything.
///
/// - Parameters:
///   - count: How many pieces.
///   - body: Does the piece of a number.
func doInParallel(_ count: Int, _ body: (Int) -> Void) {
  let others = min(count, ParallelThreads.limit) - 1
  guard others > 0 else {
    for piece in 0..<max(0, count) { body(piece) }
    return
  }
  withoutActuallyEscaping(body) { body in
    let work = ParallelWork(count: count, body: body)
    var threads: [pthread_t] = []
    for _ in 0..<others {
      guard let thread = startThread(work.takePieces) else { break }
      threads.append(thread)
    }
    work.takePieces()
    for thread in threads { pthread_join(thread, nil) }
  }
}
