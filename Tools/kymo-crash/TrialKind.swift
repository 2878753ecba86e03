import TimelineRecorder
import TimelineStore

/// The work of a recorder most of the time when it is killed.
enum TrialKind: String, CaseIterable {
  /// Recording one short session after the other.
  case recording
  /// Moving the log into the database, after each commit.
  case checkpoint
  /// Letting go of the file and taking it up again.
  case suspending
  /// Packing samples and putting segments together, after each commit.
  case sealing

  var settings: RecorderSettings {
    var settings = RecorderSettings()
    switch self {
    case .recording: break
    case .checkpoint:
      // A commit each time that the thread wakes, and a checkpoint with it.
      settings.commitNanoseconds = 2_000_000
      settings.checkpointBytes = 1
    case .suspending: settings.commitNanoseconds = 20_000_000
    case .sealing:
      settings.commitNanoseconds = 10_000_000
      settings.limit = RecordingLimit(sizeBytes: 1 << 30)
      settings.sampleStretchNanoseconds = 10_000_000
    }
    return settings
  }

  /// How the kinds are distinguished when they are counted.
  var title: String {
    switch self {
    case .recording: "at any instant"
    case .checkpoint: "in the midst of checkpoints"
    case .suspending: "while suspending and resuming"
    case .sealing: "while packing samples"
    }
  }
}
