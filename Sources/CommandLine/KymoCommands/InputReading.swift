import KymographCLibrary

/// The most that is read of an input which is read as a whole, in MiB. It keeps a device such as /dev/zero, or a
/// file that is none of ours, from taking all memory.
enum InputLimit: Int {
  /// A query; SQLite takes a million bytes.
  case query = 1
  /// A scenario or a tolerance file: a million items with names of forty letters are 45 MB.
  case description = 64
  /// Touches or samples: nine hours of one finger at 120 Hz as CSV, nearly two as the kernel tells them.
  case touches = 128
}

extension Console {
  /// Reads a whole file, or standard input for "-".
  ///
  /// - Throws: ``Failure``: it cannot be read, or is longer than its limit.
  func readInput(_ path: String, atMost limit: InputLimit) throws -> [UInt8] {
    let descriptor = path == "-" ? input : try openToRead(path)
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.unreadable(
          "\(inputName(path)) cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit.rawValue << 20 else {
        throw Failure.unreadable(
          "\(inputName(path)) is longer than \(limit.rawValue) MiB, the limit of such a file. Cut it into "
            + "shorter ones")
      }
    }
  }
}

/// Why an input cannot be opened, by the system's number of the error, and what to check.
private func cannotOpen(_ path: String, _ error: Int32) -> Failure {
  let remedy =
    switch error {
    case ENOENT, ENOTDIR: ". Check the path"
    case EACCES: ". Check its permissions"
    default: ""
    }
  return .unreadable("\(path) cannot be opened: \(String(cString: strerror(error)))\(remedy)")
}

/// Whether a path names a file rather than a pipe or a device; a folder is left to whoever opens it.
func isRegularFile(_ path: String) throws -> Bool {
  var facts = stat()
  guard stat(path, &facts) == 0 else {
    throw cannotOpen(path, errno)
  }
  return facts.st_mode & S_IFMT == S_IFREG || facts.st_mode & S_IFMT == S_IFDIR
}

/// The first bytes of a file, fewer when it is shorter.
func firstBytes(of path: String, count: Int) throws -> [UInt8] {
  let descriptor = try openToRead(path)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: count)
  let read = read(descriptor, &bytes, count)
  guard read >= 0 else {
    throw Failure.unreadable("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
  return Array(bytes[..<read])
}

/// What an input is called: "-" is standard input.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Opens a file, whose descriptor the caller closes.
func openToRead(_ path: String) throws -> Int32 {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw cannotOpen(path, errno)
  }
  return descriptor
}
