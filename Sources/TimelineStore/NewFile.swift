#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Puts a file that was written beside its place there, so that the place has the old file or the new one,
/// whole, whenever the power goes.
package enum NewFile {
  /// Gives a file its name, and waits until the disk has its bytes and the name.
  ///
  /// - Parameters:
  ///   - part: The file, in the same folder; nobody writes to it any more.
  ///   - path: Its place.
  ///   - replacing: Whether a file that is there already may be replaced.
  /// - Returns: 0, or the system's error number: `EEXIST` where a file is in the way. The part is left
  ///   where it is then.
  package static func put(_ part: String, at path: String, replacing: Bool) -> Int32 {
    let descriptor = open(part, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    let code = sync(descriptor) ? 0 : errno
    close(descriptor)
    guard code == 0 else { return code }
    // A link does not replace what has come there meanwhile; a rename does.
    if !replacing, link(part, path) == 0 {
      unlink(part)
    } else {
      if !replacing, errno == EEXIST || access(path, F_OK) == 0 { return EEXIST }
      // The rest is a file system without links.
      guard rename(part, path) == 0 else { return errno }
    }
    syncFolder(of: path)
    return 0
  }

  /// Waits until the disk has the names in a file's folder, where its file system can say so.
  package static func syncFolder(of path: String) {
    let descriptor = open(FileFacts.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    _ = sync(descriptor)
    close(descriptor)
  }

  /// Waits until the disk has everything of an opened file.
  static func sync(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // fsync leaves it in the disk's own memory there.
      if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
    #endif
    var code: Int32
    repeat { code = fsync(descriptor) } while code != 0 && errno == EINTR
    return code == 0
  }
}
