/// How many samples at or before a lift an estimate left out, by reason.
public struct LeftOutSamples: Hashable, Sendable {
  /// Why a sample does not count. The raw values are the names in answers.
  package enum Reason: String, CaseIterable, Sendable {
    /// Older than the horizon.
    case age
    /// Before a pause longer than the stop gap.
    case gap
    /// Its time came again, and the later value counts.
    case duplicate
    /// Its time is before that of a sample recorded earlier.
    case backward
    /// Not measured but computed by the system between two measured places.
    case resampled
    /// Beyond the number of samples that are looked at.
    case history
    /// Its value is no finite number.
    case notFinite
  }

  private var counts = SIMD8<Int32>()

  /// Makes a count of nothing.
  public init() {}

  /// How many were left out for a reason. At most 2^31 - 1.
  package subscript(reason: Reason) -> Int {
    get { Int(counts[reason.position]) }
    set { counts[reason.position] = Int32(clamping: max(0, newValue)) }
  }

  /// How many were left out.
  package var total: Int { Reason.allCases.reduce(0) { $0 + self[$1] } }
}

extension LeftOutSamples: ResultRow {
  package static let fields: [ResultField<LeftOutSamples>] = Reason.allCases.map { reason in
    ResultField(snakeCase(reason.rawValue), reason.explanation) { $0[reason] }
  }
}

extension LeftOutSamples.Reason {
  fileprivate var explanation: String {
    switch self {
    case .age: "The number of samples older than the window."
    case .gap: "The number of samples before a pause that is a stop."
    case .duplicate: "The number of samples replaced by a later one of their instant."
    case .backward: "The number of samples before the instant of an earlier one."
    case .resampled: "The number of samples that the system computed."
    case .history: "The number of samples beyond those that are looked at."
    case .notFinite: "The number of samples without a finite value."
    }
  }

  fileprivate var position: Int {
    switch self {
    case .age: 0
    case .gap: 1
    case .duplicate: 2
    case .backward: 3
    case .resampled: 4
    case .history: 5
    case .notFinite: 6
    }
  }
}
