import SQLiteAccess
import TimelineModel

/// Shows sealed samples to SQL as rows of the table `plain_sample`.
final class SealedSampleRows: VirtualRows {
  /// The virtual table: the columns of `plain_sample`, whose first three are its order.
  static let table = VirtualTable(
    name: ReadingViews.sealedSamples, declaration: SampleTable.declaration)

  private let source: SealedSamples
  private let segments: KeptStatement
  private let times: ClosedRange<Int64>
  /// The rows of the segment that is read, its session, and how many of them were given.
  private var rows: [SampleRecord] = []
  private var session: Int64 = 0
  private var position = 0

  /// Begins the rows of a question.
  init(_ source: SealedSamples, _ request: VirtualTable.Request) throws(VirtualTableError) {
    (self.source, times) = (source, request.second)
    do {
      segments = try source.segments(of: request.first, times: request.second)
      try skipToRow()
    } catch {
      throw error.virtualTableError
    }
  }

  var hasRow: Bool { position < rows.count }

  func advance() throws(VirtualTableError) {
    position += 1
    do {
      try skipToRow()
    } catch {
      throw error.virtualTableError
    }
  }

  private func skipToRow() throws(SealedRowsError) {
    while position >= rows.count {
      rows.removeAll(keepingCapacity: true)
      position = 0
      guard let facts = try SealedSamples.next(of: segments) else { return }
      session = facts.session
      try source.columns(segments.statement, facts, nil).addRecords(in: times, to: &rows)
    }
  }

  func give(_ column: Int, to result: borrowing VirtualResult) {
    guard hasRow else { return result.giveNull() }
    switch column {
    case 0: result.give(session)
    case 1: result.give(rows[position].time.nanoseconds)
    case 2: result.give(rows[position].slot)
    default: result.giveCompact(rows[position].value)
    }
  }
}
