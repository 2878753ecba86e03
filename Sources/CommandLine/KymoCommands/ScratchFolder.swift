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

  deinit {
    // A program that wrote into it and was ended may still be about to end.
    for _ in 0..<Self.mostTries {
      try? FileManager.default.removeItem(atPath: path)
      guard FileManager.default.fileExists(atPath: path) else { return }
      usleep(Self.pause)
    }
  }

  /// How often its removal is tried, and how long after that it is tried again, in µs.
  private static let (mostTries, pause) = (50, UInt32(10_000))
}
