// More than 400 lines: one reader of plain and sealed rows in their order, which share its state.

package import SQLiteAccess
import TimelineModel

/// Samples of a segment, or of one key of it, in the order of the table `plain_sample`.
struct OrderedSamples: Sendable {
  private(set) var times: [Int64] = []
  private(set) var slots: [Int64] = []
  private(set) var words: [UInt64] = []

  init(_ series: SampleColumns.Series) {
    times = series.times
    words = series.words
    slots.reserveCapacity(times.count)
    for index in times.indices { slots.append(series.slot(index)) }
  }

  init(_ columns: SampleColumns) {
    let all = columns.series
    guard let first = all.first else { return }
    if all.count == 1 {
      self = OrderedSamples(first)
      return
    }
    times.reserveCapacity(columns.rowCount)
    slots.reserveCapacity(columns.rowCount)
    words.reserveCapacity(columns.rowCount)
    // Keys that are sampled together come in the order of their numbers at each instant.
    if all.allSatisfy({ $0.times == first.times && $0.ordinals == first.ordinals }) {
      for index in first.times.indices {
        for series in all {
          times.append(first.times[index])
          slots.append(series.slot(index))
          words.append(series.words[index])
        }
      }
      return
    }
    var rows: [(time: Int64, slot: Int64, word: UInt64)] = []
    rows.reserveCapacity(columns.rowCount)
    for series in all {
      for index in series.times.indices {
        rows.append((series.times[index], series.slot(index), series.words[index]))
      }
    }
    rows.sort { ($0.time, $0.slot) < ($1.time, $1.slot) }
    for row in rows {
      times.append(row.time)
      slots.append(row.slot)
      words.append(row.word)
    }
  }

  func only(_ key: Int32) -> OrderedSamples {
    var some = self
    let positions = times.indices.filter { SampleSlot.key(slots[$0]) == key }
    some.times = positions.map { times[$0] }
    some.slots = positions.map { slots[$0] }
    some.words = positions.map { words[$0] }
    return some
  }

  /// The places of the samples in a range of instants.
  func positions(in range: ClosedRange<Int64>) -> Range<Int> {
    let start = firstPosition { times[$0] >= range.lowerBound }
    return start..<max(start, firstPosition { times[$0] > range.upperBound })
  }

  /// The first place from which on all are behind a border.
  private func firstPosition(_ isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  func record(at position: Int) -> SampleRecord {
    let slot = slots[position]
    return SampleRecord(
      key: KeyHandle(rawValue: SampleSlot.key(slot)),
      sample: Sample(
        time: Instant(nanoseconds: times[position]), value: Double(bitPattern: words[position])),
      phase: MotionPhase(stored: Int64(SampleSlot.phase(slot))) ?? .idle,
      ordinal: SampleSlot.ordinal(slot))
  }
}

/// Unpacks the segments of samples of a recording. Keeps the one used last, since questions that follow each
/// other mostly ask for instants of the same seconds.
package final class SealedSamples {
  private let statements: StatementMaker
  private let keepsStatements: Bool
  private var existence: KeptStatement?
  /// Statements that no cursor uses at the moment, by their texts.
  private var idle: [String: KeptStatement] = [:]
  private var latest: (head: Head, samples: OrderedSamples)?
  /// The sessions that are within the limit; nil: all are.
  private var bounded: Set<Int64?> = []

  /// The most sealed samples that are read of a session. A block of equal values takes some bytes for a million of
  /// them, so that a small file could fill all memory; ours: ten keys at 120 Hz for nearly eight hours.
  package static let mostRows: Int64 = 1 << 25

  /// What tells a segment's row from another one.
  private struct Head: Equatable {
    var session: Int64
    var record: SampleSegmentRecord
    var checksum: Int64
    /// The key whose samples alone were unpacked.
    var key: Int32?
  }

  /// - Parameter keepsStatements: Whether statements are prepared once. Not where the connection itself keeps
  ///   this, since it stays open as long as it has statements.
  package init(_ statements: StatementMaker, keepsStatements: Bool = true) {
    self.statements = statements
    self.keepsStatements = keepsStatements
  }

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
      let kept: KeptStatement
      if let known = idle.removeValue(forKey: text) {
        kept = known
      } else {
        kept = KeptStatement(try statements.prepare(text))
      }
      for (index, value) in values.enumerated() { kept.statement.bind(value, at: Int32(index + 1)) }
      return SealedSampleCursor(
        self, kept, text, key: key, times: times, isBackwards: isBackwards)
    } catch {
      throw .sqlite(error)
    }
  }

  private func checkCount(of session: Int64?) throws(SealedRowsError) {
    guard !bounded.contains(session) else { return }
    let rows: Int64
    do {
      let statement = try statements.prepare(SampleSegmentTable.sealedRows)
      if let session { statement.bind(session, at: 1) }
      rows = try statement.step() ? statement.int64(at: 0) : 0
    } catch {
      throw .sqlite(error)
    }
    guard rows <= Self.mostRows else { throw .tooMany(rows, most: Self.mostRows) }
    bounded.insert(session)
  }

  /// Takes a cursor's statement back.
  fileprivate func take(_ kept: KeptStatement, _ text: String) {
    kept.statement.reset()
    if keepsStatements { idle[text] = kept }
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
    let samples: OrderedSamples
    do {
      samples = try unpack(row, facts, key)
    } catch {
      switch error {
      case .damage(let found):
        throw .damage(
          "the samples from \(facts.segment.first) ns to \(facts.segment.last) ns of session "
            + "\(facts.session) cannot be used: \(found)")
      case .sqlite, .tooMany: throw error
      }
    }
    latest = (head, samples)
    return (facts.session, samples)
  }

  private func unpack(
    _ row: borrowing Statement, _ facts: SampleSegmentTable.Row, _ key: Int32?
  ) throws(SealedRowsError) -> OrderedSamples {
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
      return OrderedSamples(
        try unpacking { () throws(BlockError) in try block.columns(data[0]) })
    }
    guard let parts = block.parts(of: key) else {
      return OrderedSamples(SampleColumns.Series(key: key))
    }
    let data = try read([parts.instants.range, parts.values.range])
    return OrderedSamples(
      try unpacking { () throws(BlockError) in
        try block.series(of: key, instants: data[0], values: data[1])
      } ?? SampleColumns.Series(key: key))
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
  private let kept: KeptStatement
  private let text: String
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
    _ source: SealedSamples, _ kept: KeptStatement, _ text: String, key: Int32?,
    times: ClosedRange<Int64>, isBackwards: Bool
  ) {
    self.source = source
    self.kept = kept
    self.text = text
    self.key = key
    self.times = times
    self.isBackwards = isBackwards
  }

  deinit { source.take(kept, text) }

  /// Goes to the next segment that has wanted samples; false when none is left.
  func advanceSegment() throws(SealedRowsError) -> Bool {
    samples = nil
    while !isDone {
      do {
        guard try kept.statement.step() else {
          isDone = true
          return false
        }
      } catch {
        isDone = true
        throw .sqlite(error)
      }
      do throws(SealedRowsError) {
        let (session, samples) = try source.samples(kept.statement, key: key)
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
