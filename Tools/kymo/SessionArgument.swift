import JSONText
import TimelineQuery
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording and one of its sessions, as named on the command line.
struct SessionArgument {
  /// The recording.
  let reader: RecordingReader
  /// The session.
  let session: SessionRecord

  /// Opens `FILE#SELECTOR`, or `FILE` with a selector of its own.
  init(_ name: String, selector: String? = nil) throws {
    let (path, fragment) = SessionArgument.split(name)
    if fragment != nil, selector != nil {
      throw Failure.usage("the session is named twice, in '\(name)' and as '\(selector ?? "")'")
    }
    reader = try openRecording(path)
    if reader.isWithoutLog { warnOfMissingLog(reader, try reader.sessions()) }
    session = try reader.session(selectedBy: selector ?? fragment ?? "last")
    try sayWhatIsDoubtful()
  }

  /// A session that is at hand.
  init(reader: RecordingReader, session: SessionRecord) {
    self.reader = reader
    self.session = session
  }

  /// Says whether the session was not closed, and what its recorder could not keep.
  func sayWhatIsDoubtful() throws {
    if !session.isClean {
      let why =
        switch try reader.recorderState(of: session) {
        case .recording: "it is being recorded at this moment"
        case .ended: "its recorder was ended before it could finish"
        case .finished, .unknown:
          "it is still being recorded, or its recorder was ended; the tail may be missing"
        }
      say("kymo: \(session.label) in \(reader.path) was not closed: \(why)")
    }
    let lost = try reader.losses(in: session.number).reduce(Int64(0)) { sum, loss in
      let (total, overflow) = sum.addingReportingOverflow(loss.count)
      return overflow ? .max : total
    }
    if lost > 0 {
      say(
        "kymo: the recorder of \(session.label) could not keep \(lost) values; see the view losses")
    }
  }

  /// The first positional, and the second as its selector.
  init(_ invocation: Invocation) throws {
    try self.init(
      invocation.positionals[0],
      selector: invocation.positionals.count > 1 ? invocation.positionals[1] : nil)
  }

  /// The session's keys, or only those of a name, which must be there.
  func keys(named name: String?) throws -> [KeyRecord] {
    let keys = try reader.keys(in: session.number)
    guard let name else { return keys }
    let named = keys.filter { $0.name == name }
    guard !named.isEmpty else {
      let hint =
        ViewportKeys.names.contains(name)
        ? " as recorded; the frames of kymo replay have it"
        : nearestName(to: name, among: keys.map(\.name)).map { "; did you mean \($0)?" }
      throw Failure.usage("there is no key \(name) in this session\(hint ?? "; see kymo keys")")
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

/// Says when a part of a recording was left behind by whoever copied it.
func warnOfMissingLog(_ reader: RecordingReader, _ sessions: [SessionRecord]) {
  guard reader.isWithoutLog, sessions.isEmpty || sessions.contains(where: { !$0.isClean }) else {
    return
  }
  say(
    "kymo: \(reader.path) was not finished, and there is no log \(reader.path)-wal; if it was copied "
      + "without it, what it held is missing")
}

/// Opens a recording for reading, and says so when a newer program wrote it.
func openRecording(_ path: String) throws -> RecordingReader {
  let reader = try RecordingReader(path: path)
  if reader.isRolledBack {
    say(
      "kymo: \(path) was left by a program that ended in the middle of a change; it is shown as it was "
        + "before, and kymo migrate \(path) takes the change back")
  }
  if reader.isFromNewerProgram {
    say(
      "kymo: \(path) was written by a newer Kymograph (schema \(try reader.schemaVersion()); this one "
        + "knows \(RecordingFormat.schemaVersion)); what that one added is not shown")
  }
  return reader
}
