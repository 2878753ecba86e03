import GestureInput
import KymographCLibrary
import MotionMeasures
import TimelineModel

/// A text that a command reads in the place of a recording: the lines of an app, contacts in any format, or a table of
/// values. A command reads texts if its form has ``Flags/gestureReading``.
struct InputText {
  enum Content {
    /// The lines of an app, which are recorded before they are read.
    case lines
    case touches(GestureRecording)
    case values(ValueTable)
  }

  /// The file, as the command line names it.
  let path: String
  let content: Content
  /// How it was read: "a table, 2 fingers, ms". `nil`: it is the lines of an app.
  let readAs: String?
  /// The size of the file in bytes.
  let byteCount: Int

  var isLines: Bool { if case .lines = content { true } else { false } }

  /// The file's name in sentences.
  var name: String { inputName(path) }

  /// Reads a file, and prints what is doubtful and how it was read as notes.
  ///
  /// - Parameters:
  ///   - word: The file as the command line names it, with or without a session.
  ///   - invocation: The flags that say how it is read.
  /// - Returns: nil if it is a recording, or is not there.
  /// - Throws: ``Failure``: it cannot be read as a text, or a flag does not fit it.
  init?(_ word: String, _ invocation: Invocation) throws {
    let path = SessionArgument.split(word).path
    guard try InputText.isOne(path) else {
      try invocation.refuseGestureReading(of: path)
      return nil
    }
    self.path = path
    let console = invocation.console
    // A clip may be larger than any text.
    if path != "-", try isRegularFile(path),
      let sentence = StrangerFile.clip(try firstBytes(of: path, count: 16), path)
    {
      throw Failure.unreadable(sentence)
    }
    if try InputText.isLines(path, console) {
      try invocation.refuseGestureReading(of: path)
      (content, readAs, byteCount) = (.lines, nil, 0)
      return
    }
    let name = inputName(path)
    if let (gesture, count) = try InputText.longGesture(path, invocation) {
      try invocation.refuseOtherFormats(than: gesture.format, name)
      gesture.warnOfSuspectData(name, on: console)
      (content, readAs, byteCount) = (.touches(gesture), gesture.readAs, count)
      return
    }
    let bytes = try console.readInput(path, atMost: .touches)
    byteCount = bytes.count
    let gesture: GestureRecording
    do {
      let reading = try invocation.gestureReading()
      if isValueTable(bytes, as: reading) {
        let table = try readValueTable(bytes, as: reading, name: name)
        try invocation.refuseOtherFormats(than: .table, name)
        table.warnOfSuspectData(name, on: console)
        (content, readAs) = (.values(table), table.readAs)
        return
      }
      gesture = try readGesture(bytes, as: reading, name: name)
    } catch let error as GestureError {
      throw StrangerFile.failure(of: error, about: path, bytes)
    }
    try invocation.refuseOtherFormats(than: gesture.format, name)
    gesture.warnOfSuspectData(name, on: console)
    (content, readAs) = (.touches(gesture), gesture.readAs)
  }

  /// The first bytes of every SQLite database (its file format, section 1.3.1).
  private static let databaseMark = Array("SQLite format 3\0".utf8)

  /// Whether a file is a text: it is there, has something in it, and is neither a folder nor a database. A pipe is one,
  /// since no recording comes through it.
  static func isOne(_ path: String) throws -> Bool {
    if path == "-" { return true }
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: return false
    case S_IFREG:
      guard facts.st_size > 0 else { return false }
      return try !firstBytes(of: path, count: databaseMark.count).elementsEqual(databaseMark)
    default: return true
    }
  }

  /// A file of the commonest format, which may be long, read piece by piece. `nil`: it is another text, or a pipe.
  private static func longGesture(
    _ path: String, _ invocation: Invocation
  ) throws -> (GestureRecording, byteCount: Int)? {
    var facts = stat()
    guard path != "-", stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let most = InputLimit.touches
    try most.check(Int(facts.st_size), of: path)
    let descriptor = try openToRead(path)
    defer { close(descriptor) }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    let gesture = try readPlainEvtest(
      as: invocation.gestureReading(), name: path, byteCount: Int(facts.st_size)
    ) { take in
      lseek(descriptor, 0, SEEK_SET)
      while true {
        let count = read(descriptor, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, piece.withUnsafeBufferPointer({ take(.init(rebasing: $0[..<count])) })
        else { return }
      }
    }
    return gesture.map { ($0, Int(facts.st_size)) }
  }

  /// Whether a text is the lines of an app: its first line is their header.
  private static func isLines(_ path: String, _ console: Console) throws -> Bool {
    let isPipe = try path == "-" || !isRegularFile(path)
    let start =
      isPipe
      ? Array(try console.readInput(path, atMost: .touches).prefix(longestHeader))
      : try firstBytes(of: path, count: longestHeader)
    let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.contains("\"kymograph\"")
  }

  /// So many bytes of the first line are looked at.
  private static let longestHeader = 1 << 12
}

extension Invocation {
  /// Whether the form that runs reads texts in the place of recordings.
  var readsTexts: Bool { form.flags.contains { $0.name == Flags.gestureFormat.name } }

  /// How a gesture file is to be read.
  func gestureReading() throws -> GestureReading {
    GestureReading(
      format: try value(Flags.gestureFormat),
      deltas: try value(Flags.deltas) ?? .accelerated,
      abi: try value(Flags.abi),
      timeUnit: try value(Flags.timeUnit), columns: try value(Flags.columns),
      pattern: try value(Flags.pattern))
  }

  /// Refuses flags of gesture files about another file.
  func refuseGestureReading(of file: String) throws {
    for flag in given(Flags.gestureReading) {
      throw Failure.usage(
        "--\(flag) can only be used with a gesture file (got '\(inputName(file))')")
    }
  }
}

extension Invocation {
  /// Refuses flags about another format than a file's.
  fileprivate func refuseOtherFormats(than format: GestureFormat, _ name: String) throws {
    for flag in given(Flags.deltas, Flags.abi) {
      let about = flag == Flags.deltas.name ? GestureFormat.libinputEvents : .evdev
      guard format != about else { continue }
      throw Failure.usage(
        "--\(flag) can only be used with \(about.rawValue) (\(name) is \(format.rawValue))")
    }
  }
}

extension GestureRecording {
  /// What a session says of its touches: the file and its format.
  func source(path: String) -> String {
    let file = path == "-" ? path : path.split(separator: "/").last.map(String.init) ?? path
    return "\(file) (\(format.rawValue)\(deltas.map { ", \($0.rawValue) deltas" } ?? ""))"
  }

  /// Prints notes on how the file was read, unless it says that itself, and on what is doubtful or was left out.
  fileprivate func warnOfSuspectData(_ name: String, on console: Console) {
    if !saysItsFormat { console.note("\(name): read as \(readAs)") }
    console.note(warnings: warnings, losses: losses, about: name)
  }
}

extension ValueTable {
  /// Prints notes as about a gesture file.
  fileprivate func warnOfSuspectData(_ name: String, on console: Console) {
    if !saysItsFormat { console.note("\(name): read as \(readAs)") }
    console.note(warnings: warnings, losses: losses, about: name)
  }
}

extension Console {
  fileprivate func note(warnings: [String], losses: [String], about name: String) {
    for sentence in warnings + losses { note(located(sentence, in: name)) }
    if !losses.isEmpty { hasReadLosses = true }
  }

  /// The file, the line and the sentence: "Line 8: It …" becomes "FILE:8: it …".
  private func located(_ sentence: String, in name: String) -> String {
    let parts = sentence.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("Line ") else {
      return "\(name): \(sentence.asClause)"
    }
    return "\(name):\(parts[0].dropFirst(5)): \(String(parts[1]).asClause)"
  }
}

/// Reads the touches of a gesture file, and prints notes as ``InputText``.
///
/// - Throws: ``Failure``: the file has no touches, or cannot be read.
func readGestureFile(_ path: String, _ invocation: Invocation) throws -> GestureRecording {
  guard let text = try InputText(path, invocation) else {
    guard try isRegularFile(path), try firstBytes(of: path, count: 1) != [] else {
      throw Failure.unreadable("\(path) is empty. It must be a gesture file")
    }
    throw Failure.unreadable(
      "\(path) is a recording or a folder, not a gesture file. kymo rerun runs a recorded gesture again"
    )
  }
  return try text.touches()
}

extension InputText {
  /// The field of JSON that says how a text was read.
  static let readAsColumn = ResultColumn(
    "read_as", .text, "How a text was read that is not a recording; missing of a recording.")

  /// The field, if it has a value.
  var readAsFields: [EventField] { Self.readAsFields(readAs) }

  /// The field of `words`, if there are any.
  static func readAsFields(_ words: String?) -> [EventField] {
    words.map { EventField.list(["read_as": $0]) } ?? []
  }

  /// The row about a recording that was made of the text, as a row about the text.
  func overview(_ row: [EventField]) -> [EventField] {
    row.map { field in
      switch field.name {
      case "bytes": EventField(field.name, .integer(Int64(byteCount)))
      case _ where FileOverview.fieldsOfRecordings.contains(field.name):
        EventField(field.name, .null)
      default: field
      }
    } + readAsFields
  }

  /// The touches of a gesture file.
  ///
  /// - Throws: ``Failure``: it is another text.
  func touches() throws -> GestureRecording {
    switch content {
    case .touches(let gesture): return gesture
    case .values:
      throw Failure.unreadable(
        "\(name) is a table of values and has no touches. kymo plot draws its values, and kymo export ndjson prints "
          + "them as lines")
    case .lines:
      throw Failure.unreadable(
        "\(name) is the lines of an app, not a gesture file. Record them with kymo record --from-ndjson"
      )
    }
  }
}
