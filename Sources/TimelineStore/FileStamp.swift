import KymographCLibrary

/// By what a file is known again: which it is, how long it is, and when it was changed last.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Its length, in bytes.
  package let bytes: Int64
  /// The instant of its last change, nanoseconds since 1970.
  package let changed: Int64

  /// Asks the file system. `nil` where nothing is.
  ///
  /// - Parameter path: The bytes of a name, which may be any.
  package init?(_ path: some Sequence<UInt8>) {
    var facts = stat()
    let name = path.map { CChar(bitPattern: $0) }
    guard !name.contains(0), stat(name + [0], &facts) == 0 else { return nil }
    #if canImport(Darwin)
      let time = facts.st_mtimespec
    #else
      let time = facts.st_mtim
    #endif
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    inode = UInt64(truncatingIfNeeded: facts.st_ino)
    bytes = Int64(facts.st_size)
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    changed = overflow ? 0 : seconds &+ Int64(time.tv_nsec)
  }

  /// Whether it is of the same file, whatever became of that.
  func isSameFile(as other: FileStamp?) -> Bool {
    device == other?.device && inode == other?.inode
  }
}
