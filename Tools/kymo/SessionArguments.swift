import TimelineQuery
import TimelineStore

/// Goes through the sessions that a command over many runs is given: every session of a `FILE`, and of
/// `FILE#SESSION` that one.
///
/// - Parameters:
///   - names: The words of the command line.
///   - body: Is called for each session, in order; a recording that it does not keep is closed again.
/// - Throws: ``Failure`` for a file without a session, and what opening throws.
func forEachSession(
  of names: [String], _ body: (SessionRecord, RecordingReader) throws -> Void
) throws {
  for name in names {
    let (path, selector) = SessionArgument.split(name)
    let reader = try openRecording(path)
    let sessions = try selector.map { [try reader.session(selectedBy: $0)] } ?? reader.sessions()
    guard !sessions.isEmpty else { throw Failure.unreadable("\(path) holds no session") }
    warnOfMissingLog(reader, sessions)
    for session in sessions {
      if !session.isClean {
        say("kymo: \(session.label) of \(path) was not closed; its tail may be missing")
      }
      try body(session, reader)
    }
  }
}
