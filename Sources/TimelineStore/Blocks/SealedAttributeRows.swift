import SQLiteAccess
import TimelineModel

/// Shows sealed rows to SQL as rows of the table `plain_attribute`.
final class SealedAttributeRows: VirtualRows {
  /// The virtual table: the columns of `attribute`, whose first three are its order.
  static let table = VirtualTable(
    name: ReadingViews.sealedTable, declaration: AttributeTable.declaration)

  private let cursor: SealedRowCursor

  /// Begins the rows of a question.
  init(
    _ source: SealedSegments, _ request: VirtualTable.Request
  ) throws(VirtualTableError) {
    do {
      cursor = try SealedRowCursor(source, session: request.first, frames: request.second)
    } catch {
      throw error.virtualTableError
    }
  }

  var hasRow: Bool { cursor.rows != nil }

  func advance() throws(VirtualTableError) {
    do {
      try cursor.advance()
    } catch {
      throw error.virtualTableError
    }
  }

  func give(_ column: Int, to result: borrowing VirtualResult) {
    guard let rows = cursor.rows else { return result.giveNull() }
    let position = cursor.position
    switch column {
    case 0: result.give(cursor.session)
    case 1: result.give(rows.frame(at: position))
    case 2: result.give(Int64(rows.item(at: position)))
    case 3: result.give(Int64(rows.changeCode(at: position)))
    default: giveOfPose(column, rows, position, to: result)
    }
  }

  /// Columns of `attribute` before those of poses.
  private static let posesFrom = 4
  private static let flatFrom = 13
  private static let spatialColumn = 19

  private func giveOfPose(
    _ column: Int, _ rows: SegmentRowsInFrameOrder, _ position: Int,
    to result: borrowing VirtualResult
  ) {
    if column < Self.flatFrom {
      let property = column - Self.posesFrom
      guard let word = rows.poseWord(property, at: position) else { return result.giveNull() }
      if BlockProperty.ofPoses[property].isInteger {
        result.give(Int64(bitPattern: word))
      } else {
        result.giveCompact(Double(bitPattern: word))
      }
    } else if column < Self.spatialColumn {
      guard let word = rows.flatWord(column - Self.flatFrom, at: position) else {
        return result.giveNull()
      }
      result.giveCompact(Double(bitPattern: word))
    } else if let numbers = rows.spatialNumbers(at: position) {
      result.give(FieldValue.list(numbers.map(FieldValue.number)).json)
    } else {
      result.giveNull()
    }
  }
}
