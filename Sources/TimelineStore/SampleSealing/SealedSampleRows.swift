import SQLiteAccess

/// Shows sealed samples to SQL as rows of the table `plain_sample`.
final class SealedSampleRows: VirtualRows {
  /// The virtual table: the columns of `plain_sample`, whose first three are its order.
  static let table = VirtualTable(
    name: ReadingViews.sealedSamples, declaration: SampleTable.declaration)

  private let cursor: SealedSampleCursor
  private var position: Int?

  /// Begins the rows of a question.
  init(_ source: SealedSamples, _ request: VirtualTable.Request) throws(VirtualTableError) {
    do {
      cursor = try source.cursor(of: request.first, times: request.second)
      position = try cursor.nextPosition()
    } catch {
      throw error.virtualTableError
    }
  }

  var hasRow: Bool { position != nil }

  func advance() throws(VirtualTableError) {
    do {
      position = try cursor.nextPosition()
    } catch {
      throw error.virtualTableError
    }
  }

  func give(_ column: Int, to result: borrowing VirtualResult) {
    guard let position, let samples = cursor.samples else { return result.giveNull() }
    switch column {
    case 0: result.give(cursor.session)
    case 1: result.give(samples.times[position])
    case 2: result.give(samples.slots[position])
    default: result.giveCompact(Double(bitPattern: samples.words[position]))
    }
  }
}
