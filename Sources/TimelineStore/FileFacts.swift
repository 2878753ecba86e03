import KymographCLibrary

/// What the file system says of a path, without opening it.
package enum FileFacts: Equatable {
  case absent
  /// A file of so many bytes.
  case file(bytes: Int64)
  /// A folder, a device, a pipe.
  case other

  /// Asks the file system. A path that cannot be asked about counts as absent.
  package init(of path: String) {
    var facts = stat()
    guard !path.utf8.contains(0), stat(path, &facts) == 0 else {
      self = .absent
      return
    }
    if facts.st_mode & S_IFMT == S_IFREG {
      self = .file(bytes: Int64(facts.st_size))
    } else {
      self = .other
    }
  }

  /// Throws if a path is not that of a file, or of an empty file unless that is allowed.
  package static func requireFile(_ path: String, isEmptyAllowed: Bool = false) throws(StoreError) {
    switch FileFacts(of: path) {
    case .absent: throw .notFound(path)
    case .other: throw .notAFile(path)
    case .file(0) where !isEmptyAllowed: throw .empty(path)
    case .file: break
    }
  }

  /// Size in bytes, 0 for what is no file.
  var bytes: Int64 {
    if case .file(let bytes) = self { bytes } else { 0 }
  }

  /// A path in whatever bytes, as the system takes it.
  package static func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }

  /// The folder that a path lies in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// How the names go on that begin with a file's name, in the file's folder.
  ///
  /// - Parameter path: The file, in whatever bytes.
  /// - Complexity: linear in the files of the folder, or less if it did not change since the last call (``FolderListing``).
  package static func endings(beside path: some Collection<UInt8>) -> [String] {
    let path = Array(path)
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let name = path[start...]
    let folder = start == 0 ? [UInt8(ascii: ".")] : Array(path[..<start])
    return FolderListing.shared.names(in: folder, beginningWith: name).compactMap { found in
      guard found.count > name.count else { return nil }
      return String(validating: found.dropFirst(name.count), as: UTF8.self)
    }.sorted()
  }

  /// A path with every link followed, as SQLite names a database's companions by. The path itself where
  /// it leads nowhere.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether two paths lead to the same file.
  package static func isSameFile(_ one: String, _ other: String) -> Bool {
    FileStamp(one.utf8)?.isSameFile(as: FileStamp(other.utf8)) == true
  }

  /// Whether a path still leads to an opened file. Whoever was quicker may have removed or replaced it.
  static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Whether this user may make files in a folder.
  package static func canWrite(folder: String) -> Bool { access(folder, W_OK) == 0 }

  /// Whether a process of this number lives.
  static func isLiving(_ process: UInt64) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return false }
    // Signal 0 only asks. A process of somebody else may not be asked, and is there all the same.
    return kill(process, 0) == 0 || errno == EPERM
  }
}

/// Whether somebody has the system's lock on a file for himself.
package func isLocked(_ path: String) -> Bool {
  let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard opened >= 0 else { return false }
  let owner = getpid()
  defer { closeLocked(opened, of: owner) }
  return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
}

/// Unlocks a file and closes it. Closing alone would leave the lock to a child process that copied the descriptor and
/// has not come to its exec yet. In a child that goes on by itself the lock stays its parent's, who closed the copy.
///
/// - Parameter owner: The process that took the lock.
func closeLocked(_ descriptor: Int32, of owner: pid_t) {
  guard getpid() == owner else { return }
  flock(descriptor, LOCK_UN)
  close(descriptor)
}
