import JSONText
import KymographCLibrary
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an earlier run has in its rows: sessions that need not be read again, as long as their file is the same.
struct FinishedRows {
  private struct File {
    var bytes: Int64
    var changed: Int64
    var beside: String
    /// How many sessions the file has. `nil` where an older row does not say.
    var sessionCount: Int64?
    var done: Set<Int64> = []
  }

  private var files: [[UInt8]: File] = [:]
  /// Lines that are no rows, counted from 1, not the last one that was cut.
  private(set) var strangeLines: [Int] = []

  /// Reads the rows of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - task: What was asked for: rows of something else do not count.
  /// - Throws: ``Failure`` where it cannot be read, or has no row at all.
  init(_ path: String, of task: String) throws {
    let descriptor = try openToRead(path)
    defer { close(descriptor) }
    var rest: [UInt8] = []
    var number = 0
    var rowCount = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure.unreadable("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      // What stands behind the last line's end was cut.
      if count == 0 { break }
      rest.append(contentsOf: chunk[..<count])
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        if add(Array(rest[start..<end]), of: task) {
          rowCount += 1
        } else {
          strangeLines.append(number)
        }
        start = end + 1
      }
      rest.removeFirst(start)
    }
    guard rowCount > 0 || number == 0 else {
      throw Failure.unreadable("\(path) contains no rows of kymo rows")
    }
  }

  /// Whether the line is a row.
  private mutating func add(_ line: [UInt8], of task: String) -> Bool {
    guard case .object(let row)? = try? parseJSON(line), case .integer(1)? = row["work"],
      case .string(let text)? = row["path"]
    else { return false }
    guard case .integer(0)? = row["exit"], case .integer(let bytes)? = row["bytes"] else {
      return true
    }
    guard case .integer(let changed)? = row["mtime_ns"],
      case .integer(let session)? = row["session"]
    else { return true }
    // What was not closed may go on.
    guard case .bool(true)? = row["clean"] else { return true }
    if case .string(let other)? = row["task"], other != task { return true }
    var path = Array(text.utf8)
    if case .string(let code)? = row["path_b64"], let data = Data(base64Encoded: code) {
      path = Array(data)
    }
    var beside = ""
    if case .string(let text)? = row["beside"] { beside = text }
    let now = File(bytes: bytes, changed: changed, beside: beside)
    var file = files[path] ?? now
    // The newest row says how the file was. Sessions of an earlier state of it do not count.
    if (file.bytes, file.changed, file.beside) != (bytes, changed, beside) { file = now }
    if case .integer(let count)? = row["sessions"] { file.sessionCount = count }
    file.done.insert(session)
    files[path] = file
    return true
  }

  /// What is left to do of a name. `nil`: nothing.
  func rest(of name: [UInt8]) -> WorkJob? {
    let listed = ListedName(name)
    guard let file = files[listed.path], let facts = listed.facts,
      (file.bytes, file.changed, file.beside) == (facts.bytes, facts.changed, listed.beside)
    else { return WorkJob(listed: name) }
    if let selector = listed.selector {
      if let number = Int64(selector), file.done.contains(number) { return nil }
    } else if let count = file.sessionCount, file.done.count >= count {
      return nil
    }
    return WorkJob(listed: name, done: file.done)
  }
}
