import KymographCLibrary

/// A folder outside of which no file is opened.
package struct FolderLimit: Hashable, Sendable {
  /// The folder without links, and without a slash at its end.
  package let folder: String

  /// A folder by its path. One that is not there has no file.
  package init(_ folder: String) {
    let path = Self.real(folder) ?? folder
    self.folder = path == "/" ? "" : path
  }

  /// Whether a path is the folder or below it, once links are followed.
  ///
  /// - Parameter path: A path. One that does not begin with a slash begins in the folder.
  package func contains(_ path: String) -> Bool {
    let path = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    guard let real = Self.real(path) ?? Self.realOfNew(path) else { return false }
    return real == folder || real.hasPrefix(folder + "/")
  }

  /// Whether an address is of a file in the folder. An ambiguous one is not.
  package func contains(address: String) -> Bool {
    let scheme = "file://"
    guard address.lowercased().hasPrefix(scheme) else { return false }
    let text = address.dropFirst(scheme.count).prefix { !"?#".contains($0) }
    guard text.hasPrefix("/"), !text.contains("\\") else { return false }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      // A slash that is written so may be one or not.
      guard rest.count > 1, let decoded = UInt8(digits, radix: 16), decoded != 0,
        decoded != UInt8(ascii: "/")
      else { return false }
      bytes.append(decoded)
      rest.removeFirst(2)
    }
    return contains(String(decoding: bytes, as: UTF8.self))
  }

  /// The path of something that is there, without links.
  private static func real(_ path: String) -> String? {
    guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// The path of a file that is not there, in a folder that is. `nil` for a link that leads to nothing.
  private static func realOfNew(_ path: String) -> String? {
    var facts = stat()
    guard !path.utf8.contains(0), lstat(path, &facts) != 0,
      let slash = path.lastIndex(of: "/")
    else { return nil }
    let name = path[path.index(after: slash)...]
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    guard ![".", "..", ""].contains(name) else { return nil }
    guard let folder = real(parent) else {
      // Nothing is in a folder that is not there, and the command says so.
      return path.split(separator: "/").contains("..") ? nil : path
    }
    return (folder == "/" ? "" : folder) + "/" + name
  }
}
