public import TimelineStore

/// A trouble that a recorder reports to its app once each time that it begins. The session has a warning event with the
/// same code.
public enum RecordingTrouble: Error, Hashable, Sendable {
  /// The disk does not keep up, or cannot be written, and the rings are full: values, frames or events are
  /// being dropped and counted.
  case backPressure
  /// A commit failed. The records stay in the rings and are tried again with each commit.
  case writing(StoreError)
  /// The committed records could not be moved from the log into the database. Nothing is lost: it is in the
  /// log, which grows, and is tried again each time that it is due.
  case checkpoint(StoreError)
  /// The log is longer than `RecorderSettings/longLogBytes`, because another program reads an older
  /// state of the recording and does not end. Nothing is lost, and the log is emptied when it has.
  case longLog

  /// The code that the warning event has: "backPressure", "diskFull", "busy", "writeFailed",
  /// "checkpointFailed" or "longLog".
  public var code: String {
    switch self {
    case .backPressure: "backPressure"
    case .longLog: "longLog"
    case .checkpoint(let error): error.code == .full ? "diskFull" : "checkpointFailed"
    case .writing(let error):
      switch error.code {
      case .full: "diskFull"
      case .busy: "busy"
      default: "writeFailed"
      }
    }
  }

  /// The trouble and its remedy.
  public var message: String {
    switch self {
    case .backPressure:
      "The rings are full, because more is recorded than the disk takes. The excess is dropped "
        + "and counted as lost. Record less, or use larger rings."
    case .writing(let error), .checkpoint(let error): error.message
    case .longLog:
      "Another program keeps reading an older state of the recording, so that its log grows. End that "
        + "query, or close the program. Nothing is lost."
    }
  }
}
