import GestureInput
import JSONText
import RecordingRepair
import TimelineStore
import TransitionScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that was given in the place of a recording and is not a database: its kind, and the command that makes a
/// recording of it.
enum StrangerFile {
  /// So many bytes of the file tell its kind.
  private static let mostBytes = 1 << 20

  /// The sentence about a file, without a full stop. `nil` if it is empty, or cannot be read any more.
  static func sentence(about path: String) -> String? {
    guard (try? isRegularFile(path)) == true,
      let bytes = try? firstBytes(of: path, count: mostBytes)
    else { return nil }
    if bytes.isEmpty { return nil }
    // A part of a file ends with a whole line.
    let end = bytes.count < mostBytes ? nil : bytes.lastIndex(of: UInt8(ascii: "\n"))
    let whole = end.map { Array(bytes[...$0]) } ?? bytes
    if let sentence = known(whole, path) { return sentence }
    if bytes.contains(0), RecordingExamination.hasRows(withoutHeader: path) {
      return
        "the first page of \(path) is lost. Save what is left with kymo file recover \(path) -o recovered.kymo"
    }
    if let kind = text(whole, path) {
      let (input, output) = (shellWord(path), shellWord(recording(of: path)))
      return
        "\(path) is \(kind), not a recording. Make a recording with: kymo export ndjson \(input) | "
        + "kymo record --from-ndjson - --into \(output)"
    }
    return unknown(path)
  }

  /// The sentence about a file of a kind that no command reads.
  static func unknown(_ name: String) -> String {
    "\(name) is not a recording, a gesture file, a table of times and numbers or an app's lines. "
      + "kymo help formats lists the formats of gesture files"
  }

  /// Why a text cannot be read: another kind of file, or the trouble that the reader found in it.
  static func failure(of error: GestureError, about path: String, _ bytes: [UInt8]) -> Failure {
    if path != "-", let sentence = known(bytes, path) { return .unreadable(sentence) }
    guard error.code == .unknownFormat else { return explain(error) }
    if let header = header(of: bytes) {
      return .unreadable(
        "\(inputName(path)):1: no row below '\(header)' has a time and a number in each column. A table has a header such "
          + "as t_ms,x,y or t_ms,value")
    }
    return .unreadable((path == "-" ? nil : sentence(about: path)) ?? unknown(inputName(path)))
  }

  /// The first line of a text, if it has names between commas, semicolons or tabs.
  private static func header(of bytes: [UInt8]) -> String? {
    let line = firstLine(of: bytes, atMost: 200)
    let cells = String(decoding: line, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: { ",;\t".contains($0) })
    let areNames = cells.allSatisfy { cell in
      cell.first?.isLetter == true
        && cell.allSatisfy { $0.isLetter || $0.isNumber || "_ .".contains($0) }
    }
    return cells.count > 1 && areNames ? cells.joined(separator: ",") : nil
  }

  private static func firstLine(of bytes: [UInt8], atMost count: Int) -> ArraySlice<UInt8> {
    bytes.prefix(count).prefix { !"\r\n".utf8.contains($0) }
  }

  /// The sentence about a file that another command records. `nil`: it is of no such kind.
  private static func known(_ bytes: [UInt8], _ path: String) -> String? {
    if let sentence = clip(bytes, path) { return sentence }
    let first = String(decoding: firstLine(of: bytes, atMost: 1 << 12), as: UTF8.self)
    let kind: (name: String, command: String)
    if first.contains("\"kymograph\"") {
      kind = ("the lines of an app", "record --from-ndjson")
    } else if [".html", ".htm"].contains(where: path.lowercased().hasSuffix) {
      kind = ("a page", "watch")
    } else if first.hasPrefix("{"), (try? Scenario.read(bytes, name: path)) != nil {
      kind = ("a scenario", "record --scenario")
    } else {
      return nil
    }
    return
      "\(path) is \(kind.name), not a recording. Make a recording with: kymo \(kind.command) \(shellWord(path)) "
      + "--into \(shellWord(recording(of: path)))"
  }

  /// What a text is that some commands read in the place of a recording. `nil`: none reads it.
  private static func text(_ bytes: [UInt8], _ path: String) -> String? {
    if isValueTable(bytes, as: GestureReading()) { return "a table of values" }
    guard let gesture = try? readGesture(bytes, as: GestureReading(), name: path) else {
      return nil
    }
    return "a gesture file (\(gesture.format.rawValue))"
  }

  /// The sentence about a file that begins as MP4 and its like, Matroska and WebM, GIF or AVI do. `nil`: it begins otherwise.
  static func clip(_ bytes: [UInt8], _ path: String) -> String? {
    let isClip =
      bytes.dropFirst(4).starts(with: "ftyp".utf8) || bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
      || bytes.starts(with: "GIF8".utf8)
      || bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "AVI ".utf8)
    guard isClip else { return nil }
    return
      "\(path) is a clip, not a recording. Mark an element in it with: kymo record --video \(shellWord(path)) "
      + "--candidates \(shellWord(name(of: path) + ".png"))"
  }

  /// The name of the recording that is made of a file.
  private static func recording(of path: String) -> String { name(of: path) + ".kymo" }

  /// A file's name without its folders and its ending.
  private static func name(of path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// A path as a word of a shell.
  private static func shellWord(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      byte > 127 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
        || "/._-+@%:,".utf8.contains(byte)
    }
    return isPlain && !path.isEmpty ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
