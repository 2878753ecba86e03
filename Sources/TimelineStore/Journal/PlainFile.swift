import KymographCLibrary

/// A file that is read with plain reads: no mapping that could fault when somebody cuts the file off,
/// and nothing that could write.
///
/// Never opened on a database that SQLite has open in this process: closing any descriptor would drop
/// the locks that SQLite holds on it.
package struct PlainFile: ~Copyable {
  private let descriptor: Int32
  private let owner = getpid()
  /// The size when it was opened, in bytes.
  package let count: Int

  /// Opens a regular file. `nil` when it cannot be opened or is something else.
  package init?(_ path: String) {
    guard !path.utf8.contains(0) else { return nil }
    // Without O_NONBLOCK a pipe of this name would wait for its writer.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { return nil }
    var facts = stat()
    guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      return nil
    }
    descriptor = opened
    count = Int(facts.st_size)
  }

  deinit { closeLocked(descriptor, of: owner) }

  /// The bytes from a place on, fewer at the end of the file. `nil` when the system cannot read them.
  package func bytes(at offset: Int, count wanted: Int) -> [UInt8]? {
    guard offset >= 0, wanted > 0 else { return [] }
    // A size that the file says of itself may be absurd. The file's end bounds what is asked for.
    let size = min(wanted, max(0, count - offset))
    var isFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let start = buffer.baseAddress.map { UnsafeMutableRawPointer($0 + filled) }
        let got = pread(descriptor, start, size - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { isFailed = true }
        guard got > 0 else { return }
        filled += got
      }
    }
    return isFailed ? nil : bytes
  }

  /// Words of eight bytes, the lowest byte first, fewer at the end of the file. `nil` when the system
  /// cannot read them.
  func words(at offset: Int, count: Int) -> [UInt64]? {
    guard let bytes = bytes(at: offset, count: count * 8) else { return nil }
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map {
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
      }
    }
  }

  /// Takes the system's lock on the file, for as long as the value lives.
  ///
  /// - Returns: false when somebody has a lock that excludes this one.
  func lock(isExclusive: Bool) -> Bool {
    flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0
  }

  /// Whether a path still leads to this file. Whoever was quicker may have removed it.
  func isAt(_ path: String) -> Bool {
    FileFacts.isSameFile(descriptor, path)
  }
}
