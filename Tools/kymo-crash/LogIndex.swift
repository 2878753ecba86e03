import KymographCLibrary

/// The index of a recording's log (`-shm`), in which SQLite keeps how far a checkpoint has come.
///
/// Before it moves pages a checkpoint writes down how far it means to go, and afterwards how far it
/// came ("nBackfillAttempted" and "nBackfill" in SQLite's description of the format). The index is memory that the
/// kernel keeps, so that after a kill it says whether a checkpoint was under way.
struct LogIndex {
  /// Where the index says how many pages have been moved, in bytes.
  private static let movedOffset: off_t = 96
  /// Where it says up to which page it was tried.
  private static let triedOffset: off_t = 128

  private let descriptor: Int32

  /// Opens the index. `nil` while there is none.
  init?(of recording: String) {
    descriptor = open(recording + "-shm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  /// Gives the file back.
  func close() { _ = closeFile(descriptor) }

  /// Whether a checkpoint is under way, or was when its process died.
  var isMoving: Bool { word(at: Self.triedOffset) > word(at: Self.movedOffset) }

  private func word(at offset: off_t) -> UInt32 {
    var word: UInt32 = 0
    guard pread(descriptor, &word, 4, offset) == 4 else { return 0 }
    return word
  }
}

/// The system's call under a name that no method of ours has.
private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }
