import JSONText
import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording and one of its sessions, as named on the command line.
struct SessionArgument {
  /// Takes what is doubtful about the session.
  let console: Console
  /// The recording.
  let reader: RecordingReader
  let session: SessionRecord
  /// The text that the recording was made of. `nil`: it is a file of its own.
  var text: OpenedText?
}

extension SessionArgument {
  /// Opens `FILE#SESSION`, or the last session of `FILE`, and says which and what is doubtful about it.
  init(_ console: Console, _ name: String) throws {
    try self.init(growing: name, console)
    if reader.isWithoutLog { console.warnOfMissingLog(reader, try reader.sessionRecords()) }
    try warnOfSuspectData()
  }

  /// Opens a session that may still be recorded, which is then not doubtful.
  init(growing name: String, _ console: Console) throws {
    try self.init(growing: name, console, keepsState: true)
  }

  /// The same.
  ///
  /// - Parameter keepsState: Whether all questions are answered from one state. See ``Console/letGoOfStates()``.
  init(growing name: String, _ console: Console, keepsState: Bool) throws {
    self.console = console
    let (path, selector) = SessionArgument.split(name)
    reader = try console.openRecording(path, keepsState: keepsState)
    session = try reader.session(selectedBy: selector ?? "last")
    let count = selector == nil ? try reader.sessionRecords().count : 1
    guard count > 1 else { return }
    console.note(
      "\(inputName(path)) has \(count) sessions; this is the last, \(session.label). Name another with "
        + "\(inputName(path))#NUMBER")
  }

  /// Says whether the session was not closed, and what its recorder could not keep.
  func warnOfSuspectData() throws {
    if !session.isClean {
      let why =
        switch try reader.recorderState(of: session) {
        case .recording: "it is being recorded at this moment"
        case .ended: "its recorder was ended before it could finish"
        case .finished, .unknown:
          "it is still being recorded, or its recorder was ended, so its end may be missing"
        }
      console.note("\(session.label) in \(reader.path) was not closed: \(why)")
    }
    let lost = try reader.losses(in: session.number).reduce(Int64(0)) { sum, loss in
      let (total, overflow) = sum.addingReportingOverflow(loss.count)
      return overflow ? .max : total
    }
    if lost > 0 {
      console.note(
        "the recorder of \(session.label) could not keep \(lost) values. See kymo list losses")
    }
  }

  /// Opens a session as the console does, or the text in the place of a recording.
  init(_ invocation: Invocation, _ name: String) throws {
    if invocation.readsTexts, let text = try InputText(name, invocation) {
      try self.init(text, named: name, invocation)
    } else {
      try self.init(invocation.console, name)
    }
  }

  /// Opens a text that was read.
  init(_ text: InputText, named name: String, _ invocation: Invocation) throws {
    let opened = try OpenedText(text, invocation)
    let selector = SessionArgument.split(name).selector
    self.init(
      console: invocation.console, reader: opened.reader,
      session: try opened.reader.session(selectedBy: selector ?? "last"), text: opened)
  }

  /// The session that the first positional names.
  init(_ invocation: Invocation) throws {
    try self.init(invocation, invocation.positionals[0])
  }

  /// The session's keys, or only those of a name, which must be there.
  func keys(named name: String?) throws -> [KeyRecord] {
    let keys = try reader.keys(in: session.number)
    guard let name else { return keys }
    let named = keys.filter { $0.name == name }
    guard !named.isEmpty else {
      let remedy =
        ViewportKeys.names.contains(name)
        ? "The frames of kymo replay have it"
        : choices(near: name, among: keys.map(\.name), listedBy: "kymo list keys")
      throw Failure.usage("unknown key '\(name)'. \(remedy)")
    }
    return named
  }

  /// A file whose own name has a `#` is taken as it is.
  static func split(_ name: String) -> (path: String, selector: String?) {
    guard let mark = name.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: name) else {
      return (name, nil)
    }
    return (String(name[..<mark]), String(name[name.index(after: mark)...]))
  }
}

extension RecordingReader {
  /// The session that a selector names, or all of them.
  func sessions(selectedBy selector: String?) throws -> [SessionRecord] {
    try selector.map { [try session(selectedBy: $0)] } ?? sessionRecords()
  }
}

extension Console {
  /// Says when a part of a recording was left behind by whoever copied it.
  func warnOfMissingLog(_ reader: RecordingReader, _ sessions: [SessionRecord]) {
    guard reader.isWithoutLog, sessions.isEmpty || sessions.contains(where: { !$0.isClean }) else {
      return
    }
    note(
      "\(reader.path) was not finished, and its log \(reader.path)-wal is missing. If it was copied "
        + "without its log, the rows of the log are lost")
  }
}

extension Failure {
  /// A session in place of a whole file.
  static func wholeFile(_ name: String) -> Failure {
    .usage(
      "FILE must be a whole file (got '\(name)'). Did you mean \(SessionArgument.split(name).path)?"
    )
  }
}

extension Invocation {
  /// The positionals of a command that takes whole files.
  ///
  /// - Throws: ``Failure``: one names a session.
  func wholeFiles() throws -> [String] {
    for name in positionals {
      guard SessionArgument.split(name).selector == nil else { throw Failure.wholeFile(name) }
    }
    return positionals
  }
}

extension Console {
  /// Opens a recording for reading, and says so when a newer program wrote it.
  ///
  /// - Parameter keepsState: Whether all questions are answered from one state. See ``letGoOfStates()``. Otherwise it is
  ///   the newest at each question.
  func openRecording(_ path: String, keepsState: Bool = true) throws -> RecordingReader {
    // Two sessions of one file are compared as one state of it has them.
    if keepsState, let reader = keptReader(of: path) { return reader }
    let reader = try RecordingReader(path: path)
    if keepsState { try keepState(of: reader) }
    if reader.isRolledBack {
      note(
        "\(path) was left by a program that ended in the middle of a change. It is shown as it was "
          + "before, and kymo file migrate \(path) undoes the change")
    }
    if reader.isFromNewerProgram {
      note(
        "\(path) was written by a newer Kymograph (schema \(try reader.schemaVersion()), and this one "
          + "knows \(RecordingFormat.schemaVersion)), and its additions are not shown")
    }
    return reader
  }
}

/// Refuses a stretch of time in which there is nothing of what is shown: its last frame would be taken for an answer.
/// A millisecond beyond the ends is within them, since a printed time is rounded.
///
/// - Parameters:
///   - range: The stretch. Of a single instant both ends are that.
///   - extent: From where to where there is something.
///   - flag: The flag that names the time, for the message.
///   - what: What is shown, for the message.
func requireOverlap(
  _ range: ClosedRange<Instant>, with extent: ClosedRange<Instant>, flag: String, of what: String
) throws {
  guard
    range.upperBound < extent.lowerBound.advanced(byNanoseconds: -1_000_000)
      || range.lowerBound > extent.upperBound.advanced(byNanoseconds: 1_000_000)
  else { return }
  throw Failure.usage(
    "--\(flag) is outside of \(what), which goes from "
      + "\(FieldValue.jsonNumber(extent.lowerBound.seconds)) s to "
      + "\(FieldValue.jsonNumber(extent.upperBound.seconds)) s")
}

extension SessionArgument {
  /// Refuses a stretch of time in which there is nothing of the session.
  func requireOverlap(_ range: ClosedRange<Instant>, flag: String) throws {
    // From the session's start, or what is recorded before it, to its end, or the last that is recorded.
    var ends = [Instant.zero, session.end ?? .zero]
    let number = session.number
    for key in try reader.keySummaries(in: number) { ends += [key.first.time, key.last.time] }
    let last = try reader.frame(shownAt: Instant(nanoseconds: .max), in: number)
    ends += [try reader.frames(in: number).next(), last].compactMap(\.?.state.time)
    if session.end == nil {
      ends += try reader.touches(in: number).rest().map(\.time)
      ends += try reader.events(in: number).rest().map(\.time)
    }
    guard let first = ends.min(), let end = ends.max() else { return }
    try KymoCommands.requireOverlap(range, with: first...end, flag: flag, of: session.label)
  }
}
