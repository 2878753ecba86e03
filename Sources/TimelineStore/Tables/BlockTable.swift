import SQLiteAccess

/// The table `block`: one property of every element in a segment.
struct BlockTable: RecordingTable, ~Copyable {
  static let name = "block"
  static let columns = ["session", "first_frame", "property", "checksum", "data"]
  static let ofSegment = selectText + " WHERE session = ?1 AND first_frame = ?2"
  static let removalText = "DELETE FROM block WHERE session = ?1 AND first_frame = ?2"
  /// Takes out the blocks of parts that begin from ?2 to ?3.
  static let removeOfParts = """
    DELETE FROM block WHERE session = ?1 AND first_frame IN (SELECT first_frame FROM segment
      WHERE session = ?1 AND first_frame BETWEEN ?2 AND ?3 AND is_part = 1)
    """
  static var texts: [String] { [insertText, ofSegment, removalText, removeOfParts] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ block: Row, firstFrame: Int64, session: Int64) throws(SQLiteError) {
    try row.run(session, firstFrame, block.property, block.checksum, block.data)
  }

  /// A row of ``ofSegment``, whose bytes may be anything.
  struct Row {
    var property: String
    var checksum: Int64
    var data: [UInt8]
  }

  /// Reads a row of ``ofSegment``. `nil` when its name or its checksum is none.
  static func read(_ row: borrowing Statement) -> Row? {
    guard row.type(at: 2) == .text, let property = row.text(at: 2), row.type(at: 3) == .integer
    else { return nil }
    return Row(property: property, checksum: row.int64(at: 3), data: row.blob(at: 4))
  }
}
