import KymographCLibrary
import TimelineModel
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording as a list names it, in whatever bytes: `PATH`, or `PATH#SESSION`.
struct ListedName {
  /// The file's name, byte for byte.
  let path: [UInt8]
  /// Which of its sessions. `nil`: all.
  let selector: String?
  /// How long the file is, and when it was changed. `nil` where there is no such file.
  let facts: FileStamp?

  /// Reads a name. A file of that very name wins.
  init(_ name: [UInt8]) {
    if let mark = name.lastIndex(of: UInt8(ascii: "#")), FileStamp(name) == nil {
      path = Array(name[..<mark])
      selector = String(decoding: name[(mark + 1)...], as: UTF8.self)
    } else {
      (path, selector) = (name, nil)
    }
    facts = FileStamp(path)
  }

  /// The file's name as text. What is not UTF-8 is replaced.
  var text: String { String(decoding: path, as: UTF8.self) }

  /// Whether the text is the name.
  var isText: Bool { Array(text.utf8) == path }

  /// The name's bytes as text, if the text is not the name.
  var base64: String? { isText ? nil : Data(path).base64EncodedString() }

  /// What else an answer may come from: ending, size and time of change of the labels, the log and the journals beside
  /// the file, those that are not empty.
  var beside: String {
    let sessions = CrashJournal.sessions(beside: FileFacts.resolved(text))
    let endings = [NewFile.sheetEnding, "-journal", "-wal"] + sessions.map { "-crash\($0)" }
    return endings.compactMap { ending in
      FileStamp(path + Array(ending.utf8)).flatMap { stamp in
        stamp.bytes > 0 ? "\(ending) \(stamp.bytes) \(stamp.changed)" : nil
      }
    }.joined(separator: ", ")
  }
}

extension ListedName: ResultRow {
  /// The fields that name the file in a row.
  static let fields: [ResultField<ListedName>] = [
    ResultField("path", "The recording, as the list names it.", \.text),
    ResultField("path_b64", "The path in Base64, if it is not UTF-8.", \.base64)
      .when { !$0.isText },
    ResultField("bytes", unit: "B", "The file's size.", \.facts?.bytes),
    ResultField("mtime_ns", "The instant of the file's last change.", \.facts?.changed),
    ResultField("beside", "Sizes and times of the files next to it.", \.beside),
  ]
}

/// A recording's name as text that opens it, as long as this is kept. A name that is not UTF-8 gets a link of another
/// name in a folder of its own.
final class OpenableName {
  /// The name that opens it.
  let path: String
  private let shown: String
  private var folder: String?

  /// Makes the link, where one is needed.
  ///
  /// - Throws: ``Failure``: there can be no name or link, or files that the link would part from it lie beside it.
  init(_ name: ListedName, temporary: String?) throws {
    shown = name.text
    guard !name.path.isEmpty else {
      throw Failure.unreadable("the line is empty. A list has a name on each line")
    }
    guard !name.path.contains(0) else {
      throw Failure.unreadable("\(name.text) contains a zero byte, so it is not a name of a file")
    }
    guard !name.isText else {
      path = name.text
      return
    }
    guard name.facts != nil else {
      throw Failure.unreadable("\(name.text) cannot be opened: no such file")
    }
    // Logs and crash journals are named after their file.
    guard !FileFacts.endings(beside: name.path).contains(where: { $0.hasPrefix("-") }) else {
      throw Failure.unreadable(
        "\(name.text) has a log or a crash journal beside it, and its name is not UTF-8, so they cannot be "
          + "found. Rename them")
    }
    guard let full = realpath(FileFacts.cString(name.path), nil) else {
      throw Failure.unreadable("\(name.text) cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { free(full) }
    let parent = temporary ?? "/tmp"
    var pattern = Array("\(parent)/kymo-name-XXXXXX".utf8CString)
    guard mkdtemp(&pattern) != nil else {
      throw Failure.unreadable(
        "\(name.text) needs a link in \(parent), which cannot be written: \(String(cString: strerror(errno)))"
      )
    }
    let made = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    folder = made
    path = made + "/recording.kymo"
    guard symlink(full, path) == 0 else {
      throw Failure.unreadable("\(name.text) cannot be linked: \(String(cString: strerror(errno)))")
    }
  }

  deinit { removeLink() }

  /// Takes the link away again, once the file is open.
  func removeLink() {
    guard let folder else { return }
    unlink(path)
    rmdir(folder)
    self.folder = nil
  }

  /// A sentence with the name that was given.
  func restored(_ sentence: String) -> String {
    path == shown ? sentence : sentence.replacing(path, with: shown)
  }
}

/// Names out of a list that is read as it is needed.
final class NameList: JobSource {
  private let input: Int32
  private let end: UInt8
  private let finished: FinishedRows?
  private var bytes: [UInt8] = []
  private var start = 0
  /// The rest of a folder that the list names, the last recording first.
  private var inFolder: [[UInt8]] = []
  /// Up to where no end of a name was found.
  private var searched = 0
  private var isOver = false
  /// How many names were read, those that need no work included.
  private(set) var count = 0
  /// How many of them need no work.
  private(set) var skipped = 0

  /// A longer name is none: the longest path that systems take has 4,096 bytes.
  private static let longestName = 1 << 16

  /// Begins a list.
  ///
  /// - Parameters:
  ///   - input: A descriptor, which stays the caller's.
  ///   - end: What ends each name.
  ///   - finished: What was done before.
  init(_ input: Int32, endedBy end: UInt8, without finished: FinishedRows?) {
    (self.input, self.end, self.finished) = (input, end, finished)
  }

  var descriptor: Int32? { input }

  /// Whether the whole list was read.
  var isComplete: Bool { isOver && start == bytes.count }

  func next() throws -> NextJob {
    while true {
      while let name = inFolder.popLast() ?? nextName().map(expanded) {
        count += 1
        guard let finished else { return .job(WorkJob(listed: name)) }
        let job = finished.rest(of: name)
        if let job { return .job(job) }
        skipped += 1
      }
      if isOver { return .end }
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 0) > 0 else { return .later }
      try readSome()
    }
  }

  /// A name without the carriage return and the byte order mark of other systems' lists, unless a file has that very
  /// name. Of a folder the first recording below it. A folder without one stays, and cannot be read.
  private func expanded(_ name: [UInt8]) -> [UInt8] {
    var name = name
    let mark: [UInt8] =
      count == 0 && name.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
    let isOfOthers = end != 0 && (!mark.isEmpty || name.last == UInt8(ascii: "\r"))
    if isOfOthers, ListedName(name).facts == nil {
      name = Array(name.dropFirst(mark.count))
      if name.last == UInt8(ascii: "\r") { name.removeLast() }
    }
    guard let found = try? RecordingFolder.recordings(below: name) else { return name }
    inFolder = found.reversed()
    return inFolder.removeLast()
  }

  private func nextName() -> [UInt8]? {
    if let stop = bytes[max(start, searched)...].firstIndex(of: end) {
      defer { start = stop + 1 }
      return Array(bytes[start..<stop])
    }
    searched = bytes.count
    guard isOver, start < bytes.count else { return nil }
    defer { start = bytes.count }
    return Array(bytes[start...])
  }

  private func readSome() throws {
    bytes.removeFirst(start)
    searched = max(0, searched - start)
    start = 0
    guard bytes.count <= NameList.longestName else {
      throw Failure.unreadable(
        "the list has a name of more than \(NameList.longestName) bytes. With -0 a zero byte ends each name, without "
          + "it a line end does")
    }
    let room = 1 << 16
    var problem: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
      var got: Int
      repeat { got = read(input, bytes.baseAddress, room) } while got < 0 && errno == EINTR
      if got < 0 { problem = errno }
      count = max(0, got)
    }
    guard problem == 0 else {
      throw Failure.unreadable("the list cannot be read: \(String(cString: strerror(problem)))")
    }
    isOver = piece.isEmpty
    bytes += piece
  }
}

extension WorkJob {
  /// The work on a name of a list.
  init(listed name: [UInt8], done: Set<Int64> = []) {
    self.init(request: name, name: String(decoding: name, as: UTF8.self), done: done)
  }
}
