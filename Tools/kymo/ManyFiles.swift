import TimelineQuery
import TimelineStore

/// The files of a command over many of them. One that cannot be read is named and left out, the work goes on, and
/// the exit code says so: the same way for every such command.
final class ManyFiles {
  /// What was left out, and why, in the order of the command line.
  private(set) var leftOut: [(name: String, why: String)] = []

  /// Works on a file, and leaves it out where it cannot be read.
  ///
  /// - Parameters:
  ///   - name: The file as the command line names it.
  ///   - required: A recording without which there is no answer: it is not left out.
  ///   - work: What is done.
  /// - Throws: the error for everything else that goes wrong, as wrong usage.
  func read(_ name: String, besides required: String? = nil, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      let failure = explain(error)
      let path = (error as? StoreError)?.path
      guard failure.code == .unreadable, path == nil || path != required else { throw error }
      let why =
        failure.message.contains(name) ? failure.message : "\(name): \(failure.message)"
      // Sessions of one file are left out for one reason.
      if let latest = leftOut.last, latest == (name, why) { return }
      say("kymo: left out: \(why)")
      leftOut.append((name, why))
    }
  }

  /// Goes through the sessions that are named, every session of a `FILE` and of `FILE#SESSION` that one, and says
  /// what is doubtful about them.
  ///
  /// - Parameters:
  ///   - names: The words of the command line.
  ///   - required: As in ``read(_:besides:_:)``.
  ///   - body: Is called for each session, in order; a recording that it does not keep is closed again.
  /// - Returns: what came of the sessions, without those of files that cannot be read to their end.
  func gather<Found>(
    _ names: [String], besides required: String? = nil,
    _ body: (SessionRecord, RecordingReader) throws -> Found
  ) throws -> [Found] {
    try names.flatMap { name in
      var found: [Found] = []
      try read(name, besides: required) {
        let (path, selector) = SessionArgument.split(name)
        let reader = try openRecording(path)
        let sessions = try reader.sessions(selectedBy: selector)
        guard !sessions.isEmpty else { throw Failure.unreadable("\(path) contains no session") }
        warnOfMissingLog(reader, sessions)
        found = try sessions.map { session in
          try SessionArgument(reader: reader, session: session).sayWhatIsDoubtful()
          return try body(session, reader)
        }
      }
      return found
    }
  }

  /// How a command ends.
  ///
  /// - Parameters:
  ///   - answer: Its answer about what could be read.
  ///   - hasAnswer: Whether anything could be read.
  func code(_ answer: ExitCode, hasAnswer: Bool) -> ExitCode {
    guard hasAnswer else { return .unreadable }
    return answer == .yes && !leftOut.isEmpty ? .loss : answer
  }
}

/// Many recordings, opened when they are asked for; only those asked for last stay open, so that a thousand files
/// take no more of the system's descriptors than a few dozen.
final class OpenRecordings {
  /// The readers by the age of the last question, the oldest first.
  private var readers: [RecordingReader] = []

  /// Recordings that stay open; ours: each takes up to three descriptors, and 256 is the smallest limit that
  /// systems set by default.
  private static let mostOpen = 32

  /// The reader of a recording.
  ///
  /// - Throws: `StoreError` where it cannot be opened, or no longer.
  func reader(_ path: String) throws -> RecordingReader {
    let found: RecordingReader
    if let place = readers.firstIndex(where: { $0.path == path }) {
      found = readers.remove(at: place)
    } else {
      found = try openRecording(path)
    }
    if readers.count == OpenRecordings.mostOpen { readers.removeFirst() }
    readers.append(found)
    return found
  }

  /// A session that was seen before, in its recording.
  ///
  /// - Throws: ``Failure`` where another session has taken its place; `StoreError` as ``reader(_:)``.
  func session(_ run: NamedRun) throws -> (session: SessionRecord, reader: RecordingReader) {
    let reader = try reader(run.path)
    let session = try reader.session(run.session.number)
    guard session.uuid == run.session.uuid else {
      throw Failure.unreadable("\(run.path) was replaced while it was read; run it again")
    }
    return (session, reader)
  }
}

/// A session and the recording in which it was found.
struct NamedRun {
  /// The recording.
  let path: String
  /// The session as it was found.
  let session: SessionRecord
}
