#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of its own for a recording, taken away with everything in it when nobody holds it any more.
final class TemporaryFolder {
  /// Its path.
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(parent)/kymo-bench.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw UsageError("no folder can be made in \(parent); make room there, or set TMPDIR.")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    TemporaryFolder.living.insert(path)
  }

  /// Size of a file in it, in bytes; 0 when there is none.
  func bytes(of name: String) -> Int {
    var facts = stat()
    return stat(path + "/" + name, &facts) == 0 ? Int(facts.st_size) : 0
  }

  deinit { TemporaryFolder.remove(path) }

  /// Takes every folder away, before the program ends without letting go of anything.
  static func removeAll() {
    for path in living { remove(path) }
  }

  // The program has one thread that makes folders.
  private nonisolated(unsafe) static var living: Set<String> = []

  private static func remove(_ path: String) {
    living.remove(path)
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { unlink(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}
