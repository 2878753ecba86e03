import KymographCLibrary
import TimelineModel
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An app's lines as a recording that lasts as long as the command which asks for them.
final class OpenedLines {
  /// The one session of the recording.
  let source: SessionArgument
  /// Whether lines were left out.
  let hasLosses: Bool
  private let folder: String

  /// Records the lines into a folder of its own among the temporary ones.
  init(_ path: String, _ invocation: Invocation) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var name = Array("\(parent)/kymo-lines-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure.unreadable(
        "\(parent) takes no folder for the recording of \(path): \(String(cString: strerror(errno)))"
      )
    }
    let folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.folder = folder
    do {
      let file = folder + "/" + URL(fileURLWithPath: path).lastPathComponent
      hasLosses = try recordLines(path, into: file, invocation, isReported: false) != .yes
      source = try SessionArgument(file)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Whether a file holds an app's lines: its first line is the header.
  static func areIn(_ path: String) throws -> Bool {
    guard path != "-", try SampleFile.isOne(path) else { return false }
    let start = try firstBytes(of: path, count: 1 << 12)
    let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.contains("\"kymograph\"")
  }
}
