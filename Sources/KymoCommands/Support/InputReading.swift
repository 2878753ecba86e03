import KymographCLibrary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The most that is read of an input which is read as a whole, in MiB. It keeps a device such as /dev/zero, or a
/// file that is none of ours, from taking all memory.
enum InputLimit: Int {
  /// A query. SQLite takes a million bytes.
  case query = 1
  /// A scenario or a tolerance file: a million items with names of forty letters are 45 MB.
  case description = 64
  /// Touches or samples: nine hours of one finger at 120 Hz as CSV, nearly two as the kernel tells them.
  case touches = 128

  /// - Throws: ``Failure``: a file is longer.
  func check(_ byteCount: Int, of path: String) throws {
    guard byteCount > rawValue << 20 else { return }
    throw Failure.unreadable(
      "\(inputName(path)) is longer than \(rawValue) MiB, the limit of such a file. Cut it into shorter ones"
    )
  }
}

extension Console {
  /// Reads a whole file, or standard input for "-". A pipe is read once and kept.
  ///
  /// - Throws: ``Failure``: it cannot be read, or is longer than its limit.
  func readInput(_ path: String, atMost limit: InputLimit) throws -> [UInt8] {
    if let known = pipes[path] { return known }
    let descriptor = path == "-" ? input : try openToRead(path)
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 {
        if try path == "-" || !isRegularFile(path) { pipes[path] = bytes }
        return bytes
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.unreadable(
          "\(inputName(path)) cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes.append(contentsOf: chunk[..<count])
      try limit.check(bytes.count, of: path)
    }
  }
}

/// The words of flags for other processes: a pipe that this one has read is a file there.
final class PipedWords {
  let words: [String]
  /// Has the files, as long as this value is there. `nil`: there was no pipe.
  private let folder: ScratchFolder?

  init(_ words: [String], _ console: Console) throws {
    guard !console.pipes.isEmpty else {
      (self.words, folder) = (words, nil)
      return
    }
    let folder = try ScratchFolder(for: "the text of a pipe")
    var files: [String: String] = [:]
    for (number, pipe) in console.pipes.sorted(by: { $0.key < $1.key }).enumerated() {
      let file = "\(folder.path)/\(number)"
      try Data(pipe.value).write(to: URL(fileURLWithPath: file))
      files[pipe.key] = file
    }
    self.words = words.map { word in
      if let file = files[word] { return file }
      guard let mark = word.firstIndex(of: "="),
        let file = files[String(word[word.index(after: mark)...])]
      else { return word }
      return word[...mark] + file
    }
    self.folder = folder
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

/// Whether a path names a file rather than a pipe or a device. A folder is left to whoever opens it.
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
