import SQLiteAccess
import TimelineModel

/// The table `decision`: finish or cancel, and by how much.
struct DecisionTable: RecordingTable, ~Copyable {
  static let name = "decision"
  static let columns = [
    "session", "sequence", "t_ns", "transition", "outcome", "decided_by", "rule", "rule_outcome",
    "threshold", "progress", "progress_velocity", "margin_progress",
    "rule_parameters", "progress_standard_error", "margin_velocity", "margin_threshold",
    "margin_sigma", "flip_velocity", "flip_progress", "projected_progress",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ decision: ReleaseDecision, sequence: Int64, session: Int64) throws(SQLiteError) {
    row.bind(session, at: 1)
    row.bind(sequence, at: 2)
    row.bind(decision.time.nanoseconds, at: 3)
    row.bind(Int64(decision.transition), at: 4)
    try row.bind(decision.outcome.rawValue, at: 5)
    try row.bind(decision.decidedBy, at: 6)
    try row.bind(decision.rule, at: 7)
    try row.bind(decision.ruleOutcome.rawValue, at: 8)
    row.bind(decision.threshold, at: 9)
    row.bind(decision.progress, at: 10)
    row.bind(decision.progressVelocity, at: 11)
    row.bind(decision.marginProgress, at: 12)
    try row.bind(decision.ruleParameters, at: 13)
    row.bind(decision.progressStandardError, at: 14)
    row.bind(decision.marginVelocity, at: 15)
    row.bind(decision.marginThreshold, at: 16)
    row.bind(decision.marginSigma, at: 17)
    row.bind(decision.flipVelocity, at: 18)
    row.bind(decision.flipProgress, at: 19)
    row.bind(decision.projectedProgress, at: 20)
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseDecision {
    ReleaseDecision(
      transition: try row.int(3), time: try row.instant(2),
      outcome: try row.name(4, as: ReleaseOutcome.self), decidedBy: try row.string(5),
      rule: try row.string(6), ruleParameters: try row.optionalString(12),
      ruleOutcome: try row.name(7, as: ReleaseOutcome.self),
      threshold: try row.real(8), progress: try row.real(9),
      progressVelocity: try row.optionalReal(10), progressStandardError: try row.optionalReal(13),
      marginProgress: try row.optionalReal(11), marginVelocity: try row.optionalReal(14),
      marginThreshold: try row.optionalReal(15), marginSigma: try row.optionalReal(16),
      flipVelocity: try row.optionalReal(17), flipProgress: try row.optionalReal(18),
      projectedProgress: try row.optionalReal(19))
  }
}
