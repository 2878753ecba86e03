package import SQLiteAccess
import TimelineModel

/// Unpacks the segments of samples of a recording. Keeps the one used last, since questions that follow each
/// other mostly ask for instants of the same seconds.
package final class SealedSamples {
  let statements: StatementMaker
  private var existence: KeptStatement?
  /// What was unpacked of the segment that was asked about last: all of it, or some keys.
  private var kept: (head: Head, columns: [Int32?: SampleColumns])?
  /// The sessions that are within the limit. `nil`: all are.
  private var bounded: Set<Int64?> = []

  /// The most sealed samples that are read of a session, one after the other. A block of equal values takes some bytes
  /// for a million of them, so that a small file could take all time. Ours: sixteen keys at 120 Hz for nineteen hours.
  package static let mostRows: Int64 = 1 << 27
  /// The most sealed samples that are held at a time, of a session or of one key of it: a small file could fill all
  /// memory. Ours: ten keys at 120 Hz for nearly eight hours, one for three days.
  package static let mostHeldRows: Int64 = 1 << 25

  /// What tells a segment's row from another one.
  private struct Head: Equatable {
    var session: Int64
    var record: SampleSegmentRecord
    var checksum: Int64
  }

  package init(_ statements: StatementMaker) { self.statements = statements }

  /// Whether the file has any segment of samples. What is asked until ``endLook()`` is answered from the same
  /// state of the file.
  func beginLook() throws(SealedRowsError) -> Bool {
    do {
      let kept: KeptStatement
      if let existence {
        kept = existence
      } else {
        kept = KeptStatement(try statements.prepare(SampleSegmentTable.existence))
        existence = kept
      }
      return try kept.statement.step() && kept.statement.int64(at: 0) == 1
    } catch {
      throw .sqlite(error)
    }
  }

  /// Ends what ``beginLook()`` began.
  func endLook() { existence?.statement.reset() }

  /// The segments that overlap a time, in its order.
  ///
  /// - Parameters:
  ///   - session: The session. `nil`: all.
  ///   - times: The instants.
  ///   - isBackwards: Whether the latest comes first.
  func segments(
    of session: Int64?, times: ClosedRange<Int64>, isBackwards: Bool = false
  ) throws(SealedRowsError) -> KeptStatement {
    try checkCount(of: session)
    do {
      let text =
        session == nil
        ? SampleSegmentTable.inRangeOfAnySession
        : isBackwards ? SampleSegmentTable.inRangeBackwards : SampleSegmentTable.inRange
      let values = (session.map { [$0] } ?? []) + [times.lowerBound, times.upperBound]
      return KeptStatement(try statements.prepare(text, values))
    } catch {
      throw .sqlite(error)
    }
  }

  /// Goes to the next segment's row. `nil` behind the last.
  static func next(
    of segments: KeptStatement
  ) throws(SealedRowsError) -> SampleSegmentTable.Row? {
    try nextRow(of: segments, SampleSegmentTable.name, SampleSegmentTable.read)
  }

  /// How many sealed samples a session says that it has. Of the largest one for nil.
  func count(of session: Int64?) throws(SealedRowsError) -> Int64 {
    do {
      let statement = try statements.prepare(SampleSegmentTable.sealedRows)
      if let session { statement.bind(session, at: 1) }
      return try statement.step() ? statement.int64(at: 0) : 0
    } catch {
      throw .sqlite(error)
    }
  }

  func checkCount(of session: Int64?) throws(SealedRowsError) {
    guard !bounded.contains(session) else { return }
    let rows = try count(of: session)
    guard rows <= Self.mostRows else { throw .tooMany(rows, most: Self.mostRows) }
    bounded.insert(session)
  }

  /// The columns of a segment's row, its checksum looked at. They are kept until another segment is asked about:
  /// questions that follow each other mostly ask for instants of the same seconds.
  ///
  /// - Parameter key: The key that alone is unpacked. `nil`: all are.
  func columns(
    _ row: borrowing Statement, _ facts: SampleSegmentTable.Row, _ key: Int32?
  ) throws(SealedRowsError) -> SampleColumns {
    let head = Head(session: facts.session, record: facts.segment, checksum: facts.checksum)
    if kept?.head != head { kept = (head, [:]) }
    if let known = kept?.columns[key] ?? key.flatMap({ kept?.columns[nil]?.only($0) }) {
      return known
    }
    do {
      let columns = try unpack(row, facts, key)
      kept?.columns[key] = columns
      return columns
    } catch {
      switch error {
      case .damage(let found):
        throw .damage(
          "the samples from \(facts.segment.first) ns to \(facts.segment.last) ns of session "
            + "\(facts.session) cannot be used: \(found)")
      case .sqlite, .tooMany: throw error
      }
    }
  }

  /// All columns of a segment's row.
  func columns(of row: borrowing Statement) throws(SealedRowsError) -> SampleColumns {
    let facts: SampleSegmentTable.Row
    do {
      facts = try SampleSegmentTable.read(row)
    } catch {
      throw .damage("a row of sample_segment has \(error.found) in the column \(error.column)")
    }
    return try columns(row, facts, nil)
  }

  private func unpack(
    _ row: borrowing Statement, _ facts: SampleSegmentTable.Row, _ key: Int32?
  ) throws(SealedRowsError) -> SampleColumns {
    let head = row.blob(at: SampleSegmentTable.headColumn)
    guard BlockChecksum.of(head, in: facts.segment) == facts.checksum else {
      throw .damage(BlockError.checksum.found)
    }
    let block = try unpacking { () throws(BlockError) in try SampleBlock(head, facts.segment) }
    func read(_ ranges: [Range<Int>]) throws(SealedRowsError) -> [[UInt8]] {
      do {
        return try statements.readBlob(
          in: SampleSegmentTable.name, "data", row: row.int64(at: SampleSegmentTable.rowColumn),
          count: block.dataCount, ranges)
      } catch {
        if error.kind == .tooLarge { throw .damage(BlockError.wrongCount.found) }
        throw .sqlite(error)
      }
    }
    guard let key else {
      let data = try read([0..<block.dataCount])
      return try unpacking { () throws(BlockError) in try block.columns(data[0]) }
    }
    guard let parts = block.parts(of: key) else { return SampleColumns() }
    let data = try read([parts.instants.range, parts.values.range])
    let series = try unpacking { () throws(BlockError) in
      try block.series(of: key, instants: data[0], values: data[1])
    }
    return SampleColumns(
      series.map { [$0] } ?? [], rowCount: series?.times.count ?? 0, facts.segment.first,
      facts.segment.last)
  }

  private func unpacking<Value>(
    _ work: () throws(BlockError) -> Value
  ) throws(SealedRowsError) -> Value {
    do {
      return try work()
    } catch {
      throw .damage(error.found)
    }
  }

  /// The segments of a session whose seconds or phases are not those of their samples. One that cannot be unpacked is
  /// passed over.
  func contradictions(in session: Int64) throws(SQLiteError) -> [String] {
    var found: [String] = []
    let segments = try statements.prepare(SampleSegmentTable.ofSession, [session])
    while try segments.step() {
      guard let columns = try? columns(of: segments), let anew = SealedColumns(columns)
      else { continue }
      let first = anew.record.first
      let rows = try statements.prepare(SampleSecondTable.ofSegment, [session, first])
      var seconds: [SampleSecondTable.Row?] = []
      while try rows.step() { seconds.append(try? SampleSecondTable.read(rows)) }
      if segments.text(at: SampleSegmentTable.phasesColumn) != anew.phases {
        found.append("the phases of the packed samples from \(first) ns")
      }
      if seconds != anew.seconds.map({ $0.row(in: first) }) {
        found.append("the seconds of the packed samples from \(first) ns")
      }
    }
    return found
  }

  /// The ordinal of the next value of a key at an instant, as far as it is sealed.
  func nextOrdinal(
    of key: Int32, at time: Int64, session: Int64
  ) throws(SealedRowsError) -> Int64 {
    let segments = try segments(of: session, times: time...time)
    guard let facts = try Self.next(of: segments),
      let series = try columns(segments.statement, facts, key).series.first
    else { return 0 }
    return series.positions(in: time...time).last.map { Int64(series.ordinals[$0]) + 1 } ?? 0
  }

  /// Unpacks every segment, and says of each that cannot be unpacked why.
  ///
  /// - Parameters:
  ///   - session: The session. `nil`: all.
  ///   - path: The file, for the errors.
  /// - Throws: ``StoreError``: the list of segments itself cannot be read.
  package func checkSegments(
    of session: Int64?, path: String,
    _ takeDamaged: (_ session: Int64, _ first: Int64, StoreError) -> Void
  ) throws(StoreError) {
    let segments = try naming(path) { () throws(SQLiteError) in
      session == nil
        ? try statements.prepare(SampleSegmentTable.everyRow)
        : try statements.prepare(SampleSegmentTable.ofSession, [session ?? 0])
    }
    while try naming(path, try segments.step()) {
      do {
        _ = try columns(of: segments)
      } catch {
        takeDamaged(segments.int64(at: 0), segments.int64(at: 1), error.storeError(path))
      }
    }
  }
}
