import SQLiteAccess
import TimelineModel

/// The table `decision`: finish or cancel, and by how much.
struct DecisionTable: ReadableTable, ~Copyable {
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
    try row.run(
      session, sequence, decision.time, decision.transition, decision.outcome.rawValue,
      decision.decidedBy, decision.rule, decision.ruleOutcome.rawValue, decision.threshold,
      decision.progress, decision.progressVelocity, decision.marginProgress,
      decision.ruleParameters, decision.progressStandardError, decision.marginVelocity,
      decision.marginThreshold, decision.marginSigma, decision.flipVelocity, decision.flipProgress,
      decision.projectedProgress)
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
