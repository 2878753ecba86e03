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
  }

  deinit {
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
