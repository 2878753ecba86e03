import SQLiteAccess
import TimelineModel

/// The table `estimate`: what was estimated for a key at a release.
struct EstimateTable: ReadableTable, ~Copyable {
  static let name = "estimate"
  static let columns =
    [
      "session", "sequence", "t_ns", "transition", "key", "estimator", "value", "velocity", "low",
      "high", "sample_count", "lift_gap_ns", "target", "remaining", "relative_velocity",
      "settle_time_s",
    ] + added.map(\.name)
  static let added =
    [
      "standard_error", "leave_one_out_low", "leave_one_out_high", "clamped_velocity", "confidence",
      "chosen",
    ].map { AddedColumn($0) }
    + [
      "opposes_displacement", "lift_artefact", "left_out_age", "left_out_gap", "left_out_duplicate",
      "left_out_backward", "left_out_resampled", "left_out_history", "left_out_not_finite",
    ].map { AddedColumn($0, absent: "0") } + AddedColumn.numbers(ReleaseEstimate.numbers, after: 2)
  private static let numbers = NumberColumns(ReleaseEstimate.numbers, in: columns)
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
    try row.bind(
      session, sequence, record.time, record.transition, record.key, estimate.estimator.description,
      record.value)
    estimate.sampleCount.bind(to: row, at: 11)
    try estimate.liftGapNanoseconds.bind(to: row, at: 12)
    try row.bind(estimate.chosen, at: 22)
    estimate.opposesDisplacement.bind(to: row, at: 23)
    estimate.liftArtefactSuspected.bind(to: row, at: 24)
    for (index, reason) in StoredCode.leftOutReasons.enumerated() {
      estimate.leftOut[reason].bind(to: row, at: Self.firstReason + 1 + Int32(index))
    }
    try Self.numbers.bind(record, to: row)
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseEstimate {
    var leftOut = LeftOutSamples()
    for (index, reason) in StoredCode.leftOutReasons.enumerated() {
      leftOut[reason] = Int(try row.handle(firstReason + Int32(index)))
    }
    var record = ReleaseEstimate(
      transition: try row.int(3), time: try row.instant(2),
      key: KeyHandle(rawValue: try row.handle(4)), value: try row.real(6),
      estimate: VelocityEstimate(
        estimator: EstimatorName(try row.string(5)), velocity: nil,
        chosen: try row.optionalString(21),
        sampleCount: Int(try row.handle(10)), leftOut: leftOut,
        liftGapNanoseconds: try row.optionalInteger(11), opposesDisplacement: try row.flag(22),
        liftArtefactSuspected: try row.flag(23)),
      target: nil, remaining: nil, relativeVelocity: nil, settleTimeSeconds: nil)
    try numbers.read(row, into: &record)
    return record
  }
}
