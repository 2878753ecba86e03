import MotionMeasures
import TimelineStore

/// A recording that a command changes as a whole, and the sessions that it is to change.
struct RecordingMaintenance {
  /// The recording, open for writing. Nobody records into it meanwhile.
  let editor: RecordingEditor
  /// The console of the command.
  private let console: Console
  /// The sessions' numbers.
  let sessions: [Int64]

  /// Opens the recording that the first positional names. `#SESSION` chooses one session.
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
  ///
  /// - Returns: how the command ends.
  func finish() throws -> ExitCode { try console.settle(editor) }
}

extension Console {
  /// Makes one file of a recording after its last change, and says so if it is not one.
  ///
  /// - Returns: ``ExitCode/loss`` if the file alone lacks a change.
  func settle(_ editor: RecordingEditor) throws -> ExitCode {
    let path = editor.path
    switch try editor.settleIntoOneFile() {
    case .nothing: return .yes
    case .emptyLog:
      note("another program reads \(path), so its log stays beside it until the next recording")
      return .yes
    case .changes:
      note(
        "the change is complete in \(path) together with \(path)-wal, because another program reads the file. "
          + "Keep both together. When that program has ended, kymo file migrate \(path) makes one file of them"
      )
      return .loss
    }
  }

  /// Says that there is nothing in a file, and what became of it.
  func warnOfEmptyRecording(_ path: String) {
    note(
      "\(path) was empty, as if its recorder was killed at its start. It is a recording without "
        + "sessions now")
  }
}
