import KymographCLibrary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder of its own among the temporary ones, which goes with everything in it when nothing uses it any more.
final class ScratchFolder {
  /// The folder.
  let path: String

  /// Makes the folder.
  ///
  /// - Parameter what: What it is for, as a message names it.
  init(for what: String) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var name = Array("\(parent)/kymo-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure.unreadable(
        "\(parent) takes no folder for \(what): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
