import TimelineAnalysis
import TimelineStore

/// A recording that a command changes as a whole, and the sessions that it is to change.
struct RecordingMaintenance {
  /// The recording, open for writing; nobody records into it meanwhile.
  let editor: RecordingEditor
  /// The console of the command.
  private let console: Console
  /// The sessions' numbers.
  let sessions: [Int64]

  /// Opens the recording that the first positional names; `#SESSION` chooses one session.
  ///
  /// - Parameter takesUnfinished: Whether sessions that their recorders did not close are changed too. Their
  ///   recorders are dead: the file cannot be opened for a change while one lives.
  init(_ invocation: Invocation, takesUnfinished: Bool = false) throws {
    console = invocation.console
    let (path, selector) = SessionArgument.split(invocation.positionals[0])
    let uuid = try selector.map { try RecordingMaintenance.uuid(of: $0, in: path) }
    editor = try RecordingEditor(path: path)
    let wanted = try uuid.map { [editor] in try editor.number(of: $0) }
    if editor.wasEmpty { console.warnOfEmptyRecording(path) }
    let all = try editor.sessions().map { session in
      (number: session.number, isFinished: session.isFinished || takesUnfinished)
    }
    if let wanted {
      guard all.contains(where: { $0.number == wanted && $0.isFinished }) else {
        try editor.settleIntoOneFile()
        throw Failure.usage(
          "session \(wanted) of \(path) was not closed by its recorder, so it is left as it is")
      }
      sessions = [wanted]
    } else {
      for session in all where !session.isFinished {
        invocation.note(
          "session \(session.number) was not closed by its recorder and is left as it is")
      }
      sessions = all.filter(\.isFinished).map(\.number)
    }
  }

  /// The reader is closed again before the file is opened for writing, so that it keeps no log alive.
  private static func uuid(of selector: String, in path: String) throws -> String {
    try RecordingReader(path: path).session(selectedBy: selector).uuid
  }

  /// Makes one file of the recording again.
  func finish() throws {
    if try !editor.settleIntoOneFile() {
      console.note(
        "another program reads \(editor.path), so its log stays beside it until the next recording"
      )
    }
  }
}

extension Console {
  /// Says that there is nothing in a file, and what became of it.
  func warnOfEmptyRecording(_ path: String) {
    note(
      "\(path) was empty, because its recorder was killed at its start. It is a recording without "
        + "sessions now")
  }
}
