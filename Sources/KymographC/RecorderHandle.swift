import TimelineModel
import TimelineRecorder

/// The object behind a `kymograph_recorder`.
final class RecorderHandle: Sendable {
  let recorder: Recorder
  /// How names and touches are left out.
  let redaction: Redaction
  /// Where names, touches, events and decisions go: the recorder, or a redaction in front of it.
  let sink: any TimelineSink & Sendable
  /// The newest trouble, until the caller asks for it.
  let trouble: NewestTrouble

  /// Whether this is a copy in a child process that `fork` made: a thread of the parent may have held any of its locks.
  var isInForkedChild: Bool { recorder.isInForkedChild }

  init(_ recorder: Recorder, redaction: Redaction, trouble: NewestTrouble) {
    (self.recorder, self.redaction, self.trouble) = (recorder, redaction, trouble)
    sink = redaction.isNone ? recorder : recorder.redacting(redaction)
  }
}

/// The newest trouble of a recorder, until somebody asks.
final class NewestTrouble: Sendable {
  private let newest = Locked<RecordingTrouble?>(nil)

  func set(_ trouble: RecordingTrouble) { newest.withLock { $0 = trouble } }

  func take() -> RecordingTrouble? {
    newest.withLock { newest in
      defer { newest = nil }
      return newest
    }
  }
}
