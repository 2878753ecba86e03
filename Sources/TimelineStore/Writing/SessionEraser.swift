import SQLiteAccess
import TimelineModel

/// Takes rows of one session out, inside a transaction of the caller's.
struct SessionEraser {
  private let session: Int64
  /// Samples, frames, attributes, touches and events taken out so far.
  private(set) var rowCount: Int64 = 0

  /// Each gives the instant of the first row of a table.
  static let firstTexts = [
    MaintenanceTexts.firstSample, MaintenanceTexts.firstFrame, MaintenanceTexts.firstTouch,
    MaintenanceTexts.firstEvent,
  ]

  /// - Parameter rowCount: How many rows are taken out otherwise.
  init(session: Int64, rowCount: Int64 = 0) {
    self.session = session
    self.rowCount = rowCount
  }

  /// The instant of the session's first row among samples, frames, touches and events. `nil` when it has none.
  func firstInstant(_ connection: borrowing Connection) throws(SQLiteError) -> Int64? {
    var first: Int64?
    for text in Self.firstTexts {
      if let time = try number(text, [], connection) { first = min(first ?? time, time) }
    }
    return first
  }

  /// Takes out the whole session with everything that belongs to it.
  mutating func eraseAll(_ connection: borrowing Connection) throws(SQLiteError) {
    rowCount += try number(MaintenanceTexts.sealedRows, [.min, .max], connection) ?? 0
    rowCount += try number(MaintenanceTexts.sealedSamples, [.min, .max], connection) ?? 0
    for table in MaintenanceTexts.sessionTables {
      let changes = try run(MaintenanceTexts.removal(from: table), [], connection)
      if MaintenanceTexts.rowTables.contains(table) { rowCount += changes }
    }
  }

  /// Takes out the oldest of the session, up to an instant: samples to that instant, sealed ones with all of the
  /// segment that has it, frames to the key frame before it, and what was given before the first row that is
  /// later.
  mutating func erase(
    upTo time: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    rowCount += try run(MaintenanceTexts.samplesBetween, [.min, time], connection)
    try eraseSegments(from: .min, to: time, connection)
    for (index, text) in MaintenanceTexts.upTo.enumerated() {
      let changes = try run(text, [time], connection)
      // Touches and events. Decisions and estimates are not counted.
      if index < 2 { rowCount += changes }
    }
    if let frame = try number(MaintenanceTexts.keyFrameUpTo, [time], connection) {
      try erase(before: frame, connection)
    }
  }

  /// Takes out everything that is earlier or later than a range of time, frames by their numbers.
  mutating func erase(
    outside range: ClosedRange<Int64>, keeping frames: ClosedRange<Int64>?,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    rowCount += try run(
      MaintenanceTexts.samplesOutside, [range.lowerBound, range.upperBound], connection)
    // What reaches over an edge was cut before.
    if range.lowerBound > .min {
      try eraseSegments(from: .min, to: range.lowerBound - 1, connection)
    }
    if range.upperBound < .max {
      try eraseSegments(from: range.upperBound + 1, to: .max, connection)
    }
    for (index, text) in MaintenanceTexts.after.enumerated() {
      let changes = try run(text, [range.lowerBound, range.upperBound], connection)
      if index < 2 { rowCount += changes }
    }
    try erase(before: frames?.lowerBound ?? .max, connection)
    if let frames {
      rowCount +=
        try number(MaintenanceTexts.sealedRows, [frames.upperBound, .max], connection) ?? 0
      let changes = try MaintenanceTexts.afterFrame.map { text throws(SQLiteError) in
        try run(text, [frames.upperBound], connection)
      }
      rowCount += changes[0] + changes[3]
    }
  }

  /// Takes out the segments of samples that begin in a range of instants.
  private mutating func eraseSegments(
    from first: Int64, to last: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    rowCount += try number(MaintenanceTexts.sealedSamples, [first, last], connection) ?? 0
    for text in [SampleSegmentTable.removalText, SampleSecondTable.removalText] {
      try run(text, [first, last], connection)
    }
  }

  private mutating func erase(
    before frame: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    rowCount += try number(MaintenanceTexts.sealedRows, [.min, frame], connection) ?? 0
    for (index, text) in MaintenanceTexts.beforeFrame.enumerated() {
      let changes = try run(text, [frame], connection)
      if index == 0 || index == 3 { rowCount += changes }
    }
  }

  /// Runs a text with the session and further values, and tells how many rows it changed.
  @discardableResult
  func run(
    _ text: String, _ values: [Int64], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.run(text, [session] + values)
  }

  /// The first column of the first row. `nil` when there is none.
  func number(
    _ text: String, _ values: [Int64], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try connection.integer(text, [session] + values)
  }
}
