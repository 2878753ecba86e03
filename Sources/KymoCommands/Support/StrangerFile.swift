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
    if let (kind, command) = kind(of: whole, path) {
      return "\(path) is \(kind), not a recording. Make a recording with: \(command)"
    }
    if bytes.contains(0), RecordingExamination.hasRows(withoutHeader: path) {
      return
        "the first page of \(path) is lost. Save what is left with kymo file recover \(path) -o recovered.kymo"
    }
    return unknown(path)
  }

  /// The sentence about a file of a kind that no command reads.
  static func unknown(_ name: String) -> String {
    "\(name) is not a recording, a gesture file, a table t_ns,value or an app's lines. "
      + "kymo help list touches names the formats of gesture files"
  }

  private static func kind(of bytes: [UInt8], _ path: String) -> (kind: String, command: String)? {
    let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let (input, output) = (shellWord(path), "--into " + shellWord(file + ".kymo"))
    let first = String(
      decoding: bytes.prefix { !"\r\n".utf8.contains($0) }.prefix(1 << 12), as: UTF8.self)
    if first.contains("\"kymograph\"") {
      return ("the lines of an app", "kymo record --from-ndjson \(input) \(output)")
    }
    if [".html", ".htm"].contains(where: path.lowercased().hasSuffix) {
      return ("a page", "kymo watch \(input) \(output)")
    }
    var columns = first.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.trimmed)
    }
    if columns.first == "\u{FEFF}t_ns" { columns[0] = "t_ns" }
    if columns.last == "resampled" { columns.removeLast() }
    if [["t_ns", "value"], ["t_ns", "x", "y"]].contains(columns) {
      let lines = columns.dropFirst().enumerated().map { index, name in
        #"print "{\"t_ns\":"$1",\"key\":\"\#(name)\",\"value\":"$\#(index + 2)"}""#
      }
      return (
        "a table of \(columns.joined(separator: ","))",
        #"awk -F, 'BEGIN {print "{\"kymograph\":1}"} NR > 1 && NF > 1 {gsub(/\r/, ""); "#
          + "\(lines.joined(separator: "; "))}' \(input) | kymo record --from-ndjson - \(output)"
      )
    }
    if let gesture = try? readGesture(bytes, as: GestureReading(format: nil), name: path) {
      return (
        "a gesture file (\(gesture.format.rawValue))",
        "kymo record --scenario SCENARIO.json --gesture \(input) \(output)"
      )
    }
    if first.hasPrefix("{"), (try? Scenario.read(bytes, name: path)) != nil {
      return ("a scenario", "kymo record --scenario \(input) \(output)")
    }
    return nil
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
