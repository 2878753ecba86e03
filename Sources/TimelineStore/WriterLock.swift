#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps a second recorder out of a file, as long as the value lives.
///
/// SQLite would let two recorders take turns; their sessions would mix. The lock is `flock` on the
/// write-ahead log, on which SQLite itself keeps no lock, so closing our descriptor takes nothing
/// from SQLite. The system drops it when the process dies, however it dies.
struct WriterLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock on a log that exists; nil when another recorder has it.
  init?(log path: String) {
    let opened = open(path, O_RDWR | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, WriterLock.isSame(opened, as: path) else {
      close(opened)
      return nil
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Whether the path still leads to the opened file: the log of a recorder that has just finished
  /// is deleted, and a lock on a deleted file keeps nobody out.
  private static func isSame(_ descriptor: Int32, as path: String) -> Bool {
    var opened = stat()
    var named = stat()
    guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}
