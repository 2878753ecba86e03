import SQLiteAccess
import TimelineModel

/// The table `estimate`: what was estimated for a key at a release.
struct EstimateTable: ReadableTable, ~Copyable {
  static let name = "estimate"
  static let columns = [
    "session", "sequence", "t_ns", "transition", "key", "estimator", "value", "velocity", "low",
    "high", "sample_count", "lift_gap_ns", "target", "remaining", "relative_velocity",
    "settle_time_s", "standard_error", "leave_one_out_low", "leave_one_out_high",
    "clamped_velocity", "confidence", "chosen", "opposes_displacement", "lift_artefact",
    "left_out_age", "left_out_gap", "left_out_duplicate", "left_out_backward",
    "left_out_resampled", "left_out_history", "left_out_not_finite",
  ]
  /// The reasons why samples were left out have their columns from here on.
  private static let firstReason: Int32 = 24

  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ record: ReleaseEstimate, sequence: Int64, session: Int64) throws(SQLiteError) {
    let estimate = record.estimate
    let leftOut = estimate.leftOut
    try row.run(
      session, sequence, record.time, record.transition, record.key, estimate.estimator,
      record.value,
      estimate.velocity, estimate.low, estimate.high, estimate.sampleCount,
      estimate.liftGapNanoseconds,
      record.target, record.remaining, record.relativeVelocity, record.settleTimeSeconds,
      estimate.standardError, estimate.leaveOneOutLow, estimate.leaveOneOutHigh,
      estimate.clampedVelocity,
      estimate.confidence, estimate.chosen, estimate.opposesDisplacement,
      estimate.liftArtefactSuspected,
      leftOut[.age], leftOut[.gap], leftOut[.duplicate], leftOut[.backward], leftOut[.resampled],
      leftOut[.history], leftOut[.notFinite])
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseEstimate {
    var leftOut = LeftOutSamples()
    for (index, reason) in StoredCode.leftOutReasons.enumerated() {
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
