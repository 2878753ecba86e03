package import SQLiteAccess
import TimelineModel

/// Unpacks the segments of samples of a recording. Keeps the one used last, since questions that follow each
/// other mostly ask for instants of the same seconds.
package final class SealedSamples {
  let statements: StatementMaker
  private var existence: KeptStatement?
  private var latest: (head: Head, samples: OrderedSamples)?
  /// What was unpacked in columns of the segment that was asked about last: all of it, or some keys.
  private var kept: (head: Head, columns: [Int32?: SampleColumns])?
  /// The sessions that are within the limit; nil: all are.
  private var bounded: Set<Int64?> = []

  /// The most sealed samples that are read of a session, one after the other. A block of equal values takes some bytes
  /// for a million of them, so that a small file could take all time; ours: sixteen keys at 120 Hz for nineteen hours.
  package static let mostRows: Int64 = 1 << 27
  /// The most sealed samples that are held at a time, of a session or of one key of it: a small file could fill all
  /// memory; ours: ten keys at 120 Hz for nearly eight hours, one for three days.
  package static let mostHeldRows: Int64 = 1 << 25

  /// What tells a segment's row from another one.
  private struct Head: Equatable {
    var session: Int64
    var record: SampleSegmentRecord
    var checksum: Int64
    /// The key whose samples alone were unpacked.
    var key: Int32?
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

  /// Samples in the order of time.
  ///
  /// - Parameters:
  ///   - session: The session; nil: all.
  ///   - key: The key; nil: all.
  ///   - times: The instants.
  ///   - isBackwards: Whether the latest comes first.
  func cursor(
    of session: Int64?, key: Int32? = nil, times: ClosedRange<Int64>, isBackwards: Bool = false
  ) throws(SealedRowsError) -> SealedSampleCursor {
    try checkCount(of: session)
    do {
      let text =
        session == nil
        ? SampleSegmentTable.inRangeOfAnySession
        : isBackwards ? SampleSegmentTable.inRangeBackwards : SampleSegmentTable.inRange
      let values = (session.map { [$0] } ?? []) + [times.lowerBound, times.upperBound]
      return SealedSampleCursor(
        self, try statements.prepare(text, values), key: key, times: times, isBackwards: isBackwards
      )
    } catch {
      throw .sqlite(error)
    }
  }

  /// How many sealed samples a session says that it has; of the largest one for nil.
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

  /// The samples of a segment's row, its checksum looked at.
  func samples(
    _ row: borrowing Statement, key: Int32?
  ) throws(SealedRowsError) -> (session: Int64, samples: OrderedSamples) {
    let facts: SampleSegmentTable.Row
    do {
      facts = try SampleSegmentTable.read(row)
    } catch {
      throw .damage("a row of sample_segment has \(error.found) in the column \(error.column)")
    }
    var head = Head(
      session: facts.session, record: facts.segment, checksum: facts.checksum, key: nil)
    if let latest, latest.head == head {
      return (facts.session, key.map { latest.samples.only($0) } ?? latest.samples)
    }
    head.key = key
    if let latest, latest.head == head { return (facts.session, latest.samples) }
    let samples = OrderedSamples(try columns(row, facts, key))
    latest = (head, samples)
    return (facts.session, samples)
  }

  /// The same, kept until another segment is asked about: questions that follow each other mostly ask for instants of
  /// the same seconds.
  func keptColumns(
    _ row: borrowing Statement, _ facts: SampleSegmentTable.Row, _ key: Int32?
  ) throws(SealedRowsError) -> SampleColumns {
    let head = Head(
      session: facts.session, record: facts.segment, checksum: facts.checksum, key: nil)
    if kept?.head != head { kept = (head, [:]) }
    if let known = kept?.columns[key] { return known }
    let columns = try columns(row, facts, key)
    kept?.columns[key] = columns
    return columns
  }

  /// The columns of a segment's row, its checksum looked at.
  ///
  /// - Parameter key: The key that alone is unpacked; nil: all are.
  func columns(
    _ row: borrowing Statement, _ facts: SampleSegmentTable.Row, _ key: Int32?
  ) throws(SealedRowsError) -> SampleColumns {
    do {
      return try unpack(row, facts, key)
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
      guard let samples = try? samples(segments, key: nil).samples else { continue }
      var columns = SampleColumns()
      for position in samples.times.indices {
        columns.add(samples.times[position], samples.slots[position], samples.words[position])
      }
      guard let anew = SealedColumns(columns) else { continue }
      let first = anew.record.first
      let rows = try statements.prepare(SampleSecondTable.ofSegment, [session, first])
      var seconds: [SampleSecondTable.Row?] = []
      while try rows.step() { seconds.append(try? SampleSecondTable.read(rows)) }
      if segments.text(at: SampleSegmentTable.phasesColumn) != anew.phases {
        found.append("the phases of the sealed samples from \(first) ns")
      }
      if seconds != anew.seconds.map({ $0.row(in: first) }) {
        found.append("the seconds of the sealed samples from \(first) ns")
      }
    }
    return found
  }

  /// The ordinal of the next value of a key at an instant, as far as it is sealed.
  func nextOrdinal(
    of key: Int32, at time: Int64, session: Int64
  ) throws(SealedRowsError) -> Int64 {
    let cursor = try cursor(of: session, key: key, times: time...time, isBackwards: true)
    return try cursor.next().map { $0.ordinal + 1 } ?? 0
  }

  /// Unpacks every segment, and says of each that cannot be unpacked why.
  ///
  /// - Parameters:
  ///   - session: The session; nil: all.
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
        _ = try samples(segments, key: nil)
      } catch {
        takeDamaged(segments.int64(at: 0), segments.int64(at: 1), error.storeError(path))
      }
    }
  }
}

/// Sealed samples of a range of instants, one at a time.
final class SealedSampleCursor {
  private let source: SealedSamples
  private let statement: Statement
  private let key: Int32?
  private let times: ClosedRange<Int64>
  private let isBackwards: Bool
  private var isDone = false
  /// The session of ``samples``.
  private(set) var session: Int64 = 0
  /// The samples of the segment that is read, and the places of them that are left.
  private(set) var samples: OrderedSamples?
  private(set) var positions = 0..<0

  init(
    _ source: SealedSamples, _ statement: consuming Statement, key: Int32?,
    times: ClosedRange<Int64>, isBackwards: Bool
  ) {
    self.source = source
    self.statement = statement
    self.key = key
    self.times = times
    self.isBackwards = isBackwards
  }

  /// Goes to the next segment that has wanted samples; false when none is left.
  func advanceSegment() throws(SealedRowsError) -> Bool {
    samples = nil
    while !isDone {
      do {
        guard try statement.step() else {
          isDone = true
          return false
        }
      } catch {
        isDone = true
        throw .sqlite(error)
      }
      do throws(SealedRowsError) {
        let (session, samples) = try source.samples(statement, key: key)
        self.session = session
        self.samples = samples
        positions = samples.positions(in: times)
      } catch {
        isDone = true
        throw error
      }
      if !positions.isEmpty { return true }
    }
    return false
  }

  /// Gives the samples that are left of the segment.
  func giveSegment(to batch: inout [SampleRecord]) {
    guard let samples else { return }
    batch.reserveCapacity(batch.count + positions.count)
    for step in 0..<positions.count {
      let position = isBackwards ? positions.upperBound - 1 - step : positions.lowerBound + step
      batch.append(samples.record(at: position))
    }
  }

  /// The place of the sample that is next; nil behind the last.
  func nextPosition() throws(SealedRowsError) -> Int? {
    if positions.isEmpty, try !advanceSegment() { return nil }
    return isBackwards ? positions.removeLast() : positions.removeFirst()
  }

  /// The next sample; nil behind the last.
  func next() throws(SealedRowsError) -> SampleRecord? {
    guard let position = try nextPosition() else { return nil }
    return samples?.record(at: position)
  }
}
