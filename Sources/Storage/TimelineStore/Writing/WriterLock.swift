import KymographCLibrary

/// Keeps a second recorder out of a file, as long as the value lives.
///
/// SQLite would let two recorders take turns; their sessions would mix. The lock is `flock` on the
/// write-ahead log, on which SQLite itself keeps no lock, so closing our descriptor takes nothing
/// from SQLite. The system drops it when the process dies, however it dies.
package struct WriterLock: ~Copyable {
  let descriptor: Int32

  /// Takes the lock on a log that exists.
  ///
  /// - Throws: ``StoreError`` of the code `busy` when another recorder has it.
  package init(log: String, of path: String) throws(StoreError) {
    let opened = open(log, O_RDWR | O_CLOEXEC)
    guard opened >= 0 else {
      throw StoreError(
        .cannotOpen, path: path, "The log \(log) cannot be opened. Check the permissions.")
    }
    // The log of a recorder that has just finished is deleted, and a lock on it keeps no one out.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, FileFacts.isSameFile(opened, log) else {
      close(opened)
      throw .beingRecorded(path)
    }
    descriptor = opened
  }

  private let owner = getpid()

  deinit { closeLocked(descriptor, of: owner) }
}
