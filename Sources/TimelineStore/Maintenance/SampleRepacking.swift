import SQLiteAccess
import TimelineModel

/// Packs and unpacks the samples of sessions that are in a recording already, in the caller's transaction.
struct SampleRepacking: ~Copyable {
  private let path: String
  private let plainSamples: SampleTable
  private let sampleSegments: SampleSegmentWriter
  private let sealedSamples: SealedSamples
}

extension SampleRepacking {
  init(_ connection: borrowing Connection, path: String) throws(StoreError) {
    self.init(
      path: path, plainSamples: try naming(path, try SampleTable(connection)),
      sampleSegments: try naming(path, try SampleSegmentWriter(connection)),
      sealedSamples: SealedSamples(StatementMaker(connection)))
  }

  /// Packs the samples of a session, and puts short segments together.
  func seal(
    _ session: Int64, _ report: inout SealingReport, _ connection: borrowing Connection
  ) throws(StoreError) {
    let segments = try segments(of: session, connection)
    let rows = try SampleTable.rows(of: session, on: connection)
    var stretch = SampleStretch()
    var next = 0
    while let row = try rows.next() {
      let time = row.sample.time.nanoseconds
      if next < segments.count, time >= segments[next].first {
        // A segment is taken as a whole, with the rows between its own.
        let segment = segments[next]
        next += 1
        if segment.first > stretch.columns.last,
          !stretch.has(capacityFor: segment.rowCount, upTo: segment.last)
        {
          try seal(stretch, of: session, &report, connection)
          stretch = SampleStretch()
        }
        stretch.segments += 1
        stretch.sealedRows += segment.rowCount
        stretch.segmentEnd = segment.last
      } else if time > stretch.segmentEnd, time > stretch.columns.last,
        !stretch.has(capacityFor: 1, upTo: time)
      {
        try seal(stretch, of: session, &report, connection)
        stretch = SampleStretch()
      }
      stretch.columns.add(row)
    }
    try seal(stretch, of: session, &report, connection)
  }

  private func seal(
    _ stretch: SampleStretch, of session: Int64, _ report: inout SealingReport,
    _ connection: borrowing Connection
  ) throws(StoreError) {
    let columns = stretch.columns
    let plain = Int64(columns.rowCount) - stretch.sealedRows
    guard columns.rowCount > 0, plain > 0 || stretch.segments > 1 else { return }
    guard columns.rowCount >= SampleSealer.minimumRows, let sealed = SealedColumns(columns) else {
      report.plainRows += max(0, plain)
      return
    }
    let range = columns.first...columns.last
    try naming(path) { () throws(SQLiteError) in
      try connection.run(
        MaintenanceTexts.samplesBetween, [session, range.lowerBound, range.upperBound])
      try sampleSegments.remove(from: range, session: session)
      try sampleSegments.insert(sealed, session: session)
    }
    report.segments += 1
    report.rows += max(0, plain)
    report.bytes += Int64(sealed.data.count)
  }

  /// Turns the sealed samples of a session back into rows.
  func expand(
    _ session: Int64, _ report: inout SealingReport, _ connection: borrowing Connection
  ) throws(StoreError) {
    for segment in try segments(of: session, connection) {
      report.segments += 1
      report.rows += try unseal(segment, of: session)
    }
    try naming(path, try connection.run(SampleTable.removeRowOfNoSession, []))
  }

  /// Makes every segment of samples that reaches over an edge of a range end there. What it had outside is plain rows then.
  func cut(
    _ session: Int64, to range: ClosedRange<Int64>, _ connection: borrowing Connection
  ) throws(StoreError) {
    for segment in try segments(of: session, connection)
    where segment.first < range.lowerBound && segment.last >= range.lowerBound
      || segment.first <= range.upperBound && segment.last > range.upperBound
    {
      _ = try unseal(segment, of: session)
      let low = max(segment.first, range.lowerBound)
      let high = min(segment.last, range.upperBound)
      var kept = SampleStretch()
      let rows = try SampleTable.rows(of: session, from: low...high, on: connection)
      while let row = try rows.next() { kept.columns.add(row) }
      var report = SealingReport(session: session)
      try seal(kept, of: session, &report, connection)
    }
  }

  /// Turns one segment into plain rows.
  ///
  /// - Returns: how many rows it had.
  private func unseal(
    _ segment: SampleSegmentRecord, of session: Int64
  ) throws(StoreError) -> Int64 {
    var rows: [SampleRecord] = []
    let range = segment.first...segment.last
    let segments = try unsealing(path, try sealedSamples.segments(of: session, times: range))
    while let facts = try unsealing(path, try SealedSamples.next(of: segments)) {
      try unsealing(path, try sealedSamples.columns(segments.statement, facts, nil))
        .addRecords(in: range, to: &rows)
    }
    try naming(path) { () throws(SQLiteError) in
      for row in rows { try plainSamples.insert(row, session: session) }
      try sampleSegments.remove(from: segment.first...segment.first, session: session)
    }
    return Int64(rows.count)
  }

  private func segments(
    of session: Int64, _ connection: borrowing Connection
  ) throws(StoreError) -> [SampleSegmentRecord] {
    let statement = try naming(
      path, try connection.prepare(SampleSegmentTable.ofSession, [session]))
    var segments: [SampleSegmentRecord] = []
    while try naming(path, try statement.step()) {
      let row = try reading(
        SampleSegmentTable.name, path, try SampleSegmentTable.read(statement))
      if let before = segments.last, before.last >= row.segment.first {
        throw .damaged(
          path,
          "the packed samples from \(before.first) ns and those from \(row.segment.first) ns of session "
            + "\(session) have instants in common")
      }
      segments.append(row.segment)
    }
    return segments
  }
}

/// Samples that become one segment.
private struct SampleStretch {
  var columns = SampleColumns()
  /// How many segments there are of it, and how many of the samples are in them.
  var segments = 0
  var sealedRows: Int64 = 0
  /// The latest instant of those segments.
  var segmentEnd = Int64.min

  /// Whether more samples, up to an instant, belong into the same segment.
  func has(capacityFor rows: Int64, upTo last: Int64) -> Bool {
    // Where samples are sparse, a segment takes longer.
    guard columns.rowCount >= SampleSealer.minimumRows else { return true }
    let (span, overflow) = last.subtractingReportingOverflow(columns.first)
    return !overflow && span <= SampleSealer.segmentNanoseconds
      && Int64(columns.rowCount) + rows <= Int64(SampleSealer.fullRows)
  }
}
