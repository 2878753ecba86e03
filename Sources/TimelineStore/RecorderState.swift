/// What has become of the recorder of a session.
public enum RecorderState: String, CaseIterable, Sendable {
  /// It finished the session.
  case finished
  /// It is at work or suspended, or what it left behind is being folded in at this moment.
  case recording
  /// It was ended before it could finish: it was killed, it crashed, or the machine stopped.
  case ended
  /// Nothing tells: the session has no crash journal, or one that cannot be read.
  case unknown
}
