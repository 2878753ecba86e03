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
  /// - Throws: ``Failure`` for everything else that goes wrong, as wrong usage.
  func read(_ name: String, besides required: String? = nil, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      let failure = explain(error)
      let path = (error as? StoreError)?.path
      guard failure.code == .unreadable, path == nil || path != required else { throw failure }
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
  ///   - body: Is called for each session, in order; a recording that it does not keep is closed again.
  /// - Returns: what came of the sessions, without those of files that cannot be read to their end.
  func gather<Found>(
    _ names: [String], _ body: (SessionRecord, RecordingReader) throws -> Found
  ) throws -> [Found] {
    try names.flatMap { name in
      var found: [Found] = []
      try read(name) {
        let (path, selector) = SessionArgument.split(name)
        let reader = try openRecording(path)
        let sessions =
          try selector.map { [try reader.session(selectedBy: $0)] } ?? reader.sessions()
        guard !sessions.isEmpty else { throw Failure.unreadable("\(path) holds no session") }
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
