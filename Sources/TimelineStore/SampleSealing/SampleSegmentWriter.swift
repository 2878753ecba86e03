import SQLiteAccess

/// Puts segments of samples into a recording and takes them out again, inside the caller's transaction.
struct SampleSegmentWriter: ~Copyable {
  private let segment: Statement
  private let second: Statement
  private let rowOfNoSession: Statement
  private let segmentRemoval: Statement
  private let secondRemoval: Statement
}

extension SampleSegmentWriter {
  // Here, so that it can use the memberwise one: an init that throws half-way cannot take back a part.
  init(_ connection: borrowing Connection) throws(SQLiteError) {
    self.init(
      segment: try connection.prepare(SampleSegmentTable.insertText),
      second: try connection.prepare(SampleSecondTable.insertText),
      rowOfNoSession: try connection.prepare(SampleTable.addRowOfNoSession),
      segmentRemoval: try connection.prepare(SampleSegmentTable.removalText),
      secondRemoval: try connection.prepare(SampleSecondTable.removalText))
  }

  /// Writes a segment with what each key did in each second of it.
  func insert(_ sealed: SealedColumns, session: Int64) throws(SQLiteError) {
    let record = sealed.record
    try segment.run(
      session, record.first, record.last, record.rowCount, sealed.phases, sealed.checksum,
      sealed.head, sealed.data)
    try rowOfNoSession.run()
    for row in sealed.seconds {
      second.bind(session, at: 1)
      second.bind(record.first, at: 2)
      second.bind(Int64(row.key), at: 3)
      second.bind(row.second, at: 4)
      second.bindCompact(row.first.value, at: 5)
      second.bindCompact(row.last.value, at: 6)
      second.bindCompact(row.smallest, at: 7)
      second.bindCompact(row.largest, at: 8)
      second.bind(row.count, at: 9)
      second.bind(row.first.time, at: 10)
      second.bind(row.last.time, at: 11)
      try second.run()
    }
  }

  /// Takes out the segments that begin in a range of instants.
  func remove(from range: ClosedRange<Int64>, session: Int64) throws(SQLiteError) {
    try segmentRemoval.run(session, range.lowerBound, range.upperBound)
    try secondRemoval.run(session, range.lowerBound, range.upperBound)
  }
}
