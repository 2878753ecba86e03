import SQLiteAccess
import TimelineModel

/// The table `estimate`: what was estimated for a key at a release.
struct EstimateTable: RecordingTable, ~Copyable {
  static let name = "estimate"
  static let columns = [
    "session", "sequence", "t_ns", "transition", "key", "estimator", "value", "velocity", "low",
    "high", "sample_count", "lift_gap_ns", "target", "remaining", "relative_velocity",
    "settle_time_s", "standard_error", "leave_one_out_low", "leave_one_out_high",
    "clamped_velocity", "confidence", "chosen", "opposes_displacement", "lift_artefact",
    "left_out_age", "left_out_gap", "left_out_duplicate", "left_out_backward",
    "left_out_resampled", "left_out_history", "left_out_not_finite",
  ]
  /// The reasons in the order of their columns, which begin at the 25th place of a row.
  private static let reasons: [LeftOutSamples.Reason] = [
    .age, .gap, .duplicate, .backward, .resampled, .history, .notFinite,
  ]
  private static let firstReason: Int32 = 24
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
    row.bind(record.estimate.standardError, at: 17)
    row.bind(record.estimate.leaveOneOutLow, at: 18)
    row.bind(record.estimate.leaveOneOutHigh, at: 19)
    row.bind(record.estimate.clampedVelocity, at: 20)
    row.bind(record.estimate.confidence, at: 21)
    try row.bind(record.estimate.chosen, at: 22)
    row.bind(Int64(record.estimate.opposesDisplacement ? 1 : 0), at: 23)
    row.bind(Int64(record.estimate.liftArtefactSuspected ? 1 : 0), at: 24)
    for (index, reason) in Self.reasons.enumerated() {
      row.bind(
        Int64(record.estimate.leftOut[reason]), at: Self.firstReason + Int32(index) + 1)
    }
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseEstimate {
    var leftOut = LeftOutSamples()
    for (index, reason) in reasons.enumerated() {
      leftOut[reason] = Int(try row.handle(firstReason + Int32(index)))
    }
    let estimate = VelocityEstimate(
      estimator: try row.string(5), velocity: try row.optionalReal(7),
      low: try row.optionalReal(8), high: try row.optionalReal(9),
      standardError: try row.optionalReal(16), leaveOneOutLow: try row.optionalReal(17),
      leaveOneOutHigh: try row.optionalReal(18), confidence: try row.optionalReal(20),
      clampedVelocity: try row.optionalReal(19), chosen: try row.optionalString(21),
      sampleCount: Int(try row.handle(10)), leftOut: leftOut,
      liftGapNanoseconds: try row.optionalInteger(11), opposesDisplacement: try row.flag(22),
      liftArtefactSuspected: try row.flag(23))
    return ReleaseEstimate(
      transition: try row.int(3), time: try row.instant(2),
      key: KeyHandle(rawValue: try row.handle(4)), value: try row.real(6), estimate: estimate,
      target: try row.optionalReal(12), remaining: try row.optionalReal(13),
      relativeVelocity: try row.optionalReal(14), settleTimeSeconds: try row.optionalReal(15))
  }
}
