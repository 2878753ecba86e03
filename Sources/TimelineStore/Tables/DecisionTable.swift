import SQLiteAccess
import TimelineModel

/// The table `decision`: finish or cancel, and by how much.
struct DecisionTable: ReadableTable, ~Copyable {
  static let name = "decision"
  static let columns = ["session", "sequence", "t_ns"] + ReleaseDecision.columns.map(snakeCase)
  static let added =
    [AddedColumn("rule_parameters")] + AddedColumn.numbers(ReleaseDecision.numbers, after: 1)
  private static let numbers = NumberColumns(ReleaseDecision.numbers, in: columns)
  private static let ruleParameters: Int32 = 12

  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ decision: ReleaseDecision, sequence: Int64, session: Int64) throws(SQLiteError) {
    try row.bind(
      session, sequence, decision.time, decision.transition, decision.outcome.rawValue,
      decision.decidedBy.description, decision.rule.description, decision.ruleOutcome.rawValue,
      decision.threshold,
      decision.progress)
    try row.bind(decision.ruleParameters, at: Self.ruleParameters + 1)
    try Self.numbers.bind(decision, to: row)
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseDecision {
    var decision = ReleaseDecision(
      transition: try row.int(3), time: try row.instant(2),
      outcome: try row.name(4, as: ReleaseOutcome.self),
      decidedBy: DecisionSource(recorded: try row.string(5)),
      rule: RuleName(try row.string(6)), ruleParameters: try row.optionalString(ruleParameters),
      ruleOutcome: try row.name(7, as: ReleaseOutcome.self),
      threshold: try row.real(8), progress: try row.real(9), progressVelocity: nil,
      marginProgress: nil)
    try numbers.read(row, into: &decision)
    return decision
  }
}
