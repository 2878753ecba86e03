import KymographCLibrary

/// A file that is made of others' content, or lies beside one. It comes into its place whole, whenever the power
/// goes, and nobody may read it who may not read those.
package enum NewFile {
  /// Gives a file its name, and waits until the disk has its bytes and the name.
  ///
  /// - Parameters:
  ///   - part: The file, in the same folder. Nobody writes to it any more.
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
    // A link does not replace what has come there meanwhile. A rename does.
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

  /// Writes bytes into a file, whole or not at all. A file that is there already is replaced.
  ///
  /// - Parameters:
  ///   - bytes: What it has.
  ///   - path: Its place.
  ///   - inputs: What it is made of: nobody may read it who may not read those.
  /// - Returns: 0, or the system's error number.
  package static func save(_ bytes: [UInt8], at path: String, from inputs: [String]) -> Int32 {
    let part = "\(path).part-\(getpid())"
    let descriptor = open(
      part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions(from: inputs)))
    guard descriptor >= 0 else { return errno }
    var code: Int32 = 0
    var start = 0
    while code == 0, start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { start += count } else if errno != EINTR { code = errno }
    }
    close(descriptor)
    if code == 0 { code = put(part, at: path, replacing: true) }
    if code != 0 { unlink(part) }
    return code
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

  /// The permissions that a file made of others may have at most, the umask aside. Its owner may always
  /// write it. A name that leads to no file allows everything.
  package static func permissions(from inputs: [String]) -> UInt32 {
    inputs.reduce(0o666) { permissions, path in
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return permissions }
      return permissions & (UInt32(facts.st_mode) | 0o200)
    }
  }

  /// Makes an empty file, for SQLite to fill.
  ///
  /// - Returns: false where a file is there already, or none can be made.
  @discardableResult
  package static func make(_ path: String, from inputs: [String]) -> Bool {
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions(from: inputs)))
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Takes permissions away from a file that is there, where it has more than those that it gets content of.
  ///
  /// - Returns: whether it had.
  package static func narrow(_ path: String, to inputs: [String]) -> Bool {
    var facts = stat()
    let allowed = mode_t(permissions(from: inputs))
    guard stat(path, &facts) == 0, facts.st_mode & 0o777 & ~allowed != 0 else { return false }
    return chmod(path, facts.st_mode & allowed) == 0
  }

  /// What is left over beside a recording of new files, of it or of its sheet of labels, whose programs were ended
  /// before these had their names. In the order of the names.
  package static func leftovers(beside recording: String) -> [String] {
    FileFacts.endings(beside: recording.utf8).filter { ending in
      process(ofPart: ending).map { !FileFacts.isLiving($0) } ?? false
    }.map { recording + $0 }
  }

  /// The process that a new file's ending names: ".part-" and its number, behind the sheet's ending or before one of
  /// SQLite's files. Read by hand: an engine for regular expressions is a megabyte in every app that records.
  private static func process(ofPart ending: String) -> UInt64? {
    let part = ".part-"
    var rest = Substring(ending)
    if rest.hasPrefix(sheetEnding) { rest = rest.dropFirst(sheetEnding.count) }
    guard rest.hasPrefix(part) else { return nil }
    rest = rest.dropFirst(part.count)
    if let last = ["-journal", "-wal", "-shm"].first(where: { rest.hasSuffix($0) }) {
      rest = rest.dropLast(last.count)
    }
    return rest.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? UInt64(rest) : nil
  }

  /// Follows a recording's name in that of the labels beside it.
  package static let sheetEnding = ".labels.csv"

  /// Takes those away.
  package static func removeLeftovers(beside recording: String) {
    for path in leftovers(beside: recording) { unlink(path) }
  }

  /// Takes a recording away again with what SQLite left beside it.
  package static func remove(_ path: String) {
    unlink(path)
    removeCompanions(of: path)
  }

  /// Takes away what SQLite left beside a recording.
  static func removeCompanions(of path: String) {
    for ending in ["-journal", "-wal", "-shm"] { unlink(path + ending) }
  }
}
