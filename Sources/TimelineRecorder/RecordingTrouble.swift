public import TimelineStore

/// What a recorder tells its app once each time that it begins. The session has a warning event with the
/// same code.
public enum RecordingTrouble: Error, Hashable, Sendable {
  /// The disk does not keep up, or cannot be written, and the rings are full: values, frames or events are
  /// being dropped and counted.
  case backPressure
  /// A commit failed. What was taken in stays in the rings and is tried again with each commit.
  case writing(StoreError)

  /// The code that the warning event has: "backPressure", "diskFull", "busy" or "writeFailed".
  public var code: String {
    switch self {
    case .backPressure: "backPressure"
    case .writing(let error):
      switch error.code {
      case .full: "diskFull"
      case .busy: "busy"
      default: "writeFailed"
      }
    }
  }

  /// What happened, and what can be done.
  public var message: String {
    switch self {
    case .backPressure:
      "The rings are full, because more is recorded than the disk takes: what does not fit is dropped "
        + "and counted as lost. Record less, or take larger rings."
    case .writing(let error): error.message
    }
  }
}
