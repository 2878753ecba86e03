import SQLiteAccess
import TimelineModel

extension RecordingEditor {
  /// Every session's number, with whether it is finished.
  package func sessions() throws(StoreError) -> [(number: Int64, isFinished: Bool)] {
    try naming(path) { () throws(SQLiteError) in
      let statement = try connection.prepare(SessionTable.finished)
      var sessions: [(number: Int64, isFinished: Bool)] = []
      while try statement.step() {
        sessions.append((statement.int64(at: 0), statement.int64(at: 1) != 0))
      }
      return sessions
    }
  }

  /// Seals what can be sealed of a finished session, as one transaction.
  ///
  /// - Parameter precision: How exactly. Other than `exact` rounds every pose of the session, also one
  ///   that was sealed before. A session that was rounded stays rounded.
  /// - Throws: ``StoreError``: the file cannot be read or written, or contradicts itself. The session is
  ///   then as it was before.
  package func seal(
    session: Int64, precision: SealPrecision = .exact
  ) throws(StoreError) -> SealingReport {
    let before = try self.precision(of: session)
    let isRounding = precision != .exact && precision != before
    let record = try self.session(session)
    let items =
      isRounding
      ? try RecordingReader(path: path).itemSummaries(
        of: session, frames: RecordingReader.allFrames, precision: precision) : []
    return try transaction { () throws(StoreError) in
      var report = SealingReport(session: session)
      let kept = isRounding ? precision : before
      for run in try runs(of: session) {
        let segments = try self.segments(in: run, of: session)
        // One that is whole stays as it is.
        if let first = segments.first, !first.record.isPart, !isRounding { continue }
        try seal(run, of: session, segments, isRounding ? precision : .exact, kept, &report)
      }
      if isRounding {
        try setPrecision(precision, of: session)
        try naming(path, try replaceSummaries(of: record, by: items))
        report.largestRounding = report.largestRounding ?? 0
      }
      try samples.seal(session, &report, connection)
      return report
    }
  }

  /// Turns the blocks of a session back into rows, as one transaction.
  ///
  /// - Throws: ``StoreError`` of the code `damaged` when a block cannot be read. The session is then as
  ///   it was before.
  package func expand(session: Int64) throws(StoreError) -> SealingReport {
    try transaction { () throws(StoreError) in
      var report = SealingReport(session: session)
      for segment in try segments(in: RecordingReader.allFrames, of: session) {
        let rows = try unpack(segment)
        try naming(path, try segments.remove(segment.record, session: session))
        try write(rows, of: segment, &report)
      }
      try samples.expand(session, &report, connection)
      return report
    }
  }

  private func write(
    _ rows: SegmentRowsInFrameOrder, of segment: SealedSegment, _ report: inout SealingReport
  ) throws(StoreError) {
    let first = rows.position(
      ofFrame: Int(segment.record.firstOwnFrame - segment.record.firstFrame))
    for position in first..<rows.rows.rowCount {
      try naming(
        path,
        try attributes.insert(
          rows.change(at: position), frame: rows.frame(at: position), session: segment.session))
    }
    report.segments += 1
    report.rows += Int64(rows.rows.rowCount - first)
  }
}

// MARK: - One run

extension RecordingEditor {
  /// Seals the frames from a key frame up to the one before the next.
  ///
  /// - Parameters:
  ///   - segments: What is sealed of them already. It is taken out first.
  ///   - rounding: What becomes of the numbers.
  ///   - kept: How exact the session's numbers are then.
  private func seal(
    _ run: ClosedRange<Int64>, of session: Int64, _ sealed: [SealedSegment],
    _ rounding: SealPrecision, _ kept: SealPrecision, _ report: inout SealingReport
  ) throws(StoreError) {
    var open = OpenSegment(firstFrame: run.lowerBound)
    open.add(frame: run.upperBound)
    let isWhole = try read(run, of: session, sealed, rounding, &report, into: &open)
    let rows = open.sorted()
    let record = SegmentRecord(
      firstFrame: run.lowerBound, lastFrame: run.upperBound, rowCount: Int64(rows.rowCount),
      precision: kept)
    let blocks = isWhole ? SegmentWriter.blocks(of: rows, record) : nil
    guard blocks != nil || rounding != .exact else {
      let inParts = sealed.reduce(0) { $0 + $1.record.rowCount }
      report.plainRows += Int64(open.rowsOutsideOfKeyFrame) - inParts
      return
    }
    try naming(path) { () throws(SQLiteError) in
      for segment in sealed { try segments.remove(segment.record, session: session) }
      let isKeyFrameNew = rounding != .exact
      let from = isKeyFrameNew ? run.lowerBound : run.lowerBound + 1
      if from <= run.upperBound {
        try segments.removeRows(of: from...run.upperBound, session: session)
      }
      if isKeyFrameNew || blocks == nil {
        let ordered = rows.inFrameOrder()
        let end = blocks == nil ? rows.rowCount : ordered.position(ofFrame: 1)
        for position in 0..<end {
          try attributes.insert(
            ordered.change(at: position), frame: ordered.frame(at: position), session: session)
        }
      }
      guard let blocks else {
        report.plainRows += Int64(open.rowsOutsideOfKeyFrame)
        return
      }
      report.bytes += Int64(try segments.insert(record, blocks, session: session))
      report.segments += 1
      report.rows += Int64(open.rowsOutsideOfKeyFrame)
    }
  }

  /// Reads a run's rows, plain and sealed, rounded, in the order of frames.
  ///
  /// - Returns: whether blocks could give all of them back as they stand in the table.
  private func read(
    _ run: ClosedRange<Int64>, of session: Int64, _ sealed: [SealedSegment],
    _ rounding: SealPrecision, _ report: inout SealingReport, into open: inout OpenSegment
  ) throws(StoreError) -> Bool {
    open = OpenSegment(firstFrame: run.lowerBound)
    var isWhole = true
    for segment in sealed where segment.record.lastFrame > run.upperBound {
      throw .damaged(
        path,
        "the block of the frames \(segment.record.firstFrame) to \(segment.record.lastFrame) reaches "
          + "beyond the next key frame")
    }
    let statement = try naming(
      path,
      try connection.prepare(
        AttributeTable.inRange, [session, run.lowerBound, run.upperBound]))
    var rest = sealed[...]
    func takeSealed(
      upTo frame: Int64, into open: inout OpenSegment, _ report: inout SealingReport
    ) throws(StoreError) {
      while let segment = rest.first, segment.record.firstFrame < frame {
        rest.removeFirst()
        guard segment.record.lastFrame < frame else {
          throw .damaged(
            path, "the attributes of frame \(frame) are stored both as rows and in blocks")
        }
        let rows = try unpack(segment)
        let own = Int(segment.record.firstOwnFrame - segment.record.firstFrame)
        for position in rows.position(ofFrame: own)..<rows.rows.rowCount {
          open.add(frame: rows.frame(at: position))
          open.add(rounding.rounded(rows.change(at: position), largest: &report.largestRounding))
        }
      }
    }
    while try naming(path, try statement.step()) {
      let row = try reading(AttributeTable.name, path, try AttributeTable.read(statement))
      try takeSealed(upTo: row.frame, into: &open, &report)
      open.add(frame: row.frame)
      open.add(rounding.rounded(row.change, largest: &report.largestRounding))
      isWhole = isWhole && AttributeTable.isAsWritten(row.change, statement)
    }
    try takeSealed(upTo: .max, into: &open, &report)
    open.add(frame: run.upperBound)
    return isWhole
  }

  private func unpack(_ segment: SealedSegment) throws(StoreError) -> SegmentRowsInFrameOrder {
    try unsealing(path, try sealed.rows(of: segment))
  }

  /// The frames of a session from each key frame up to the one before the next.
  private func runs(of session: Int64) throws(StoreError) -> [ClosedRange<Int64>] {
    let starts = try frames(FrameTable.keyFrames, of: session)
    guard let last = starts.last, let newest = try frames(FrameTable.newest, of: session).first
    else { return [] }
    let ends = starts.dropFirst().map { $0 - 1 } + [max(last, newest)]
    guard zip(starts, ends).allSatisfy({ $0 <= $1 }) else {
      throw .damaged(path, "the key frames of session \(session) are out of order")
    }
    // Frames that no segment can have, which no recorder writes, stay as they are.
    return zip(starts, ends).map { $0...$1 }.filter { run in
      SegmentRecord(
        firstFrame: run.lowerBound, lastFrame: run.upperBound, rowCount: 0, precision: .exact
      ).frameCount != nil
    }
  }

  /// The numbers of frames that a text selects, in its order.
  private func frames(_ text: String, of session: Int64) throws(StoreError) -> [Int64] {
    let statement = try naming(path, try connection.prepare(text, [session]))
    var numbers: [Int64] = []
    while try naming(path, try statement.step()) {
      numbers.append(try reading(FrameTable.name, path, try statement.rowNumber(0)))
    }
    return numbers
  }

  /// The segments that begin in a range of frames.
  private func segments(
    in frames: ClosedRange<Int64>, of session: Int64
  ) throws(StoreError) -> [SealedSegment] {
    let cursor = try unsealing(path, try sealed.segments(of: session, frames: frames))
    var segments: [SealedSegment] = []
    while let segment = try unsealing(path, try SealedSegments.next(of: cursor)) {
      if frames.contains(segment.record.firstFrame) { segments.append(segment) }
    }
    return segments
  }

  private func precision(of session: Int64) throws(StoreError) -> SealPrecision {
    let text = try naming(path) { () throws(SQLiteError) in
      let statement = try connection.prepare(SessionTable.precisionOf, [session])
      return try statement.step() ? statement.text(at: 0) : nil
    }
    guard let text else { throw .noSuchSession(path, session) }
    guard let precision = SealPrecision(rawValue: text) else {
      throw .damaged(path, "session \(session) has the unknown precision '\(text)'")
    }
    return precision
  }

  private func setPrecision(
    _ precision: SealPrecision, of session: Int64
  ) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      let statement = try connection.prepare(SessionTable.setPrecision)
      try statement.run(session, precision.rawValue)
    }
  }
}
