import KymographCLibrary

/// Keeps a second recorder out of a file, as long as the value lives.
///
/// SQLite would let two recorders take turns. Their sessions would mix. The lock is `flock` on the
/// write-ahead log, on which SQLite itself keeps no lock, so closing our descriptor takes nothing
/// from SQLite. The system drops it when the process dies, however it dies.
package struct WriterLock: ~Copyable {
  let descriptor: Int32

  /// Takes the lock on a log that exists.
  ///
  /// - Throws: ``StoreError`` of the code `busy` when another writer has it.
  package init(log: String, of path: String) throws(StoreError) {
    let opened = open(log, O_RDWR | O_CLOEXEC)
    guard opened >= 0 else {
      throw StoreError(
        .cannotOpen, path: path, "The log \(log) cannot be opened. Check the permissions.")
    }
    // The log of a recorder that has just finished is deleted, and a lock on it keeps no one out.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, FileFacts.isSameFile(opened, log) else {
      close(opened)
      throw Self.refusal(String(log.dropLast(4)), path)
    }
    descriptor = opened
  }

  /// Why a file that somebody writes cannot be had: a recorder keeps it, anybody else soon lets it go.
  static func refusal(_ file: String, _ path: String) -> StoreError {
    CrashJournal.isHeld(beside: file) ? .beingRecorded(path) : .inUse(path)
  }

  private let owner = getpid()

  deinit { closeLocked(descriptor, of: owner) }
}
