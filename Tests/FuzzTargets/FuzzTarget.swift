/// A reader of bytes that may come from anywhere. None of them may crash, trap or hang, whatever it
/// is given; an error is a good answer.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The JSON parser and the reader of its values.
  case json
  /// Recorded touches, every format and the recognition of formats.
  case gesture
  /// Scenario files; what can be read is run.
  case scenario
  /// An app's own lines.
  case lines
  /// Files of requirements and of tolerances.
  case rules
  /// Labels as comma-separated text.
  case labels
  /// Changes of a scenario, for a rerun.
  case edit
  /// Blocks of sealed attributes.
  case blocks
  /// Segments of sealed samples.
  case samples
  /// One record of a crash journal.
  case record
  /// A recording with bytes changed anywhere in it.
  case recording
  /// A whole crash journal: shown over its recording, and folded in.
  case journal
  /// The examination of a recording with bytes changed in it, its log or its crash journal.
  case doctor
  /// What is saved of such a recording.
  case recover
  #if KYMOGRAPH_C
    /// Calls of the library for C, in any order.
    case calls
  #endif

  /// Gives the bytes to the reader.
  public func take(_ bytes: [UInt8]) {
    switch self {
    case .json: takeJSON(bytes)
    case .gesture: takeGesture(bytes)
    case .scenario: takeScenario(bytes)
    case .lines: takeLines(bytes)
    case .rules: takeRules(bytes)
    case .labels: takeLabels(bytes)
    case .edit: takeEdit(bytes)
    case .blocks: takeBlocks(bytes)
    case .samples: takeSamples(bytes)
    case .record: takeRecord(bytes)
    case .recording: takeRecording(bytes)
    case .journal: takeJournal(bytes)
    case .doctor: takeDoctor(bytes)
    case .recover: takeRecover(bytes)
    #if KYMOGRAPH_C
      case .calls: takeCalls(bytes)
    #endif
    }
  }
}
