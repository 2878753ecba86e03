import SQLiteAccess
import TimelineModel

/// The table `estimate`: what was estimated for a key at a release.
struct EstimateTable: RecordingTable, ~Copyable {
  static let name = "estimate"
  static let columns = [
    "session", "sequence", "t_ns", "transition", "key", "estimator", "value", "velocity", "low",
    "high", "sample_count", "lift_gap_ns", "target", "remaining", "relative_velocity",
    "settle_time_s",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ record: ReleaseEstimate, sequence: Int64, session: Int64) throws(SQLiteError) {
    row.bind(session, at: 1)
    row.bind(sequence, at: 2)
    row.bind(record.time.nanoseconds, at: 3)
    row.bind(Int64(record.transition), at: 4)
    row.bind(Int64(record.key.rawValue), at: 5)
    try row.bind(record.estimate.estimator, at: 6)
    row.bind(record.value, at: 7)
    row.bind(record.estimate.velocity, at: 8)
    row.bind(record.estimate.low, at: 9)
    row.bind(record.estimate.high, at: 10)
    row.bind(Int64(record.estimate.sampleCount), at: 11)
    row.bind(record.estimate.liftGapNanoseconds, at: 12)
    row.bind(record.target, at: 13)
    row.bind(record.remaining, at: 14)
    row.bind(record.relativeVelocity, at: 15)
    row.bind(record.settleTimeSeconds, at: 16)
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseEstimate {
    ReleaseEstimate(
      transition: try row.int(3), time: try row.instant(2),
      key: KeyHandle(rawValue: try row.handle(4)), value: try row.real(6),
      estimate: VelocityEstimate(
        estimator: try row.string(5), velocity: try row.optionalReal(7),
        low: try row.optionalReal(8), high: try row.optionalReal(9),
        sampleCount: try row.count(10), liftGapNanoseconds: try row.optionalInteger(11)),
      target: try row.optionalReal(12), remaining: try row.optionalReal(13),
      relativeVelocity: try row.optionalReal(14), settleTimeSeconds: try row.optionalReal(15))
  }
}
