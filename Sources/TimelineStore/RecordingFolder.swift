import KymographCLibrary

/// A folder in the place of the recordings below it.
package enum RecordingFolder {
  /// The recordings below a folder: files whose names end in `.kymo`, sorted by the bytes of their paths.
  ///
  /// Links below the folder are not followed, though the folder itself may be one. Hidden names are passed over.
  ///
  /// - Parameter path: The folder, in whatever bytes.
  /// - Returns: At least one path, each beginning with the folder's. `nil` for what is not a folder.
  /// - Throws: `StoreError`: a folder cannot be listed, or there is no recording.
  package static func recordings(below path: [UInt8]) throws(StoreError) -> [[UInt8]]? {
    guard kind(of: path, stat) == S_IFDIR else { return nil }
    var found: [[UInt8]] = []
    var folders = [path]
    while let folder = folders.popLast() {
      guard let names = readFolder(FileFacts.cString(folder)) else {
        throw refusal(folder, "cannot be listed: \(String(cString: strerror(errno)))")
      }
      for name in names {
        let inner = folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
        switch name.first == UInt8(ascii: ".") ? nil : kind(of: inner, lstat) {
        case S_IFDIR: folders.append(inner)
        case S_IFREG where name.suffix(5).elementsEqual(".kymo".utf8): found.append(inner)
        default: break
        }
      }
    }
    guard !found.isEmpty else { throw refusal(path, "contains no recording (*.kymo)") }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func refusal(_ folder: [UInt8], _ what: String) -> StoreError {
    let name = String(decoding: folder, as: UTF8.self)
    return StoreError(.notAFile, path: name, "The folder \(name) \(what).")
  }

  private static func kind(
    of path: [UInt8], _ ask: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32
  ) -> mode_t? {
    var facts = stat()
    guard !path.contains(0), ask(FileFacts.cString(path), &facts) == 0 else { return nil }
    return facts.st_mode & S_IFMT
  }
}
