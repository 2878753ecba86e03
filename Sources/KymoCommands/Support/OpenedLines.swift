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
  private let folder: ScratchFolder

  /// Records the lines into a folder of its own among the temporary ones.
  init(_ path: String, _ invocation: Invocation) throws {
    folder = try ScratchFolder(for: "the recording of \(path)")
    let file = folder.path + "/" + URL(fileURLWithPath: path).lastPathComponent
    hasLosses =
      try recordLines(path, into: file, invocation, isReported: false, hasIdentity: false) != .yes
    source = try SessionArgument(invocation.console, file)
  }

  /// Whether a file holds an app's lines: its first line is the header.
  static func areIn(_ path: String) throws -> Bool {
    guard path != "-", try SampleFile.isOne(path) else { return false }
    let start = try firstBytes(of: path, count: 1 << 12)
    let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.contains("\"kymograph\"")
  }
}
