/// What a recorder does when the disk is slower than its caller.
public enum RecordingPolicy: Hashable, Sendable {
  /// The caller waits and nothing is lost: for scenarios and imports. Transactions are cut at the
  /// session's time, never at the clock's, so the same input makes the same file.
  case wait
  /// The caller never waits for the disk: for an app. What does not fit the rings is dropped, counted,
  /// and written down as a loss.
  case live
}
