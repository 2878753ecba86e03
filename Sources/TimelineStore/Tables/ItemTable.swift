import SQLiteAccess
package import TimelineModel

/// An element as it stands in the file.
package struct ItemRecord: Hashable, Sendable {
  /// Its number in the session.
  package var handle: ItemHandle
  /// Who it is, whatever its index path becomes.
  package var identity: ElementIdentity

  package init(handle: ItemHandle, identity: ElementIdentity) {
    self.handle = handle
    self.identity = identity
  }
}

/// The table `item`.
struct ItemTable: ReadableTable, ~Copyable {
  static let name = "item"
  static let columns = ["session", "item", "category", "element_kind", "id"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY item"
  static var texts: [String] { [insertText, ofSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ item: ItemRecord, session: Int64) throws(SQLiteError) {
    try row.run(
      session, item.handle, item.identity.category.rawValue, item.identity.elementKind,
      item.identity.id)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ItemRecord {
    ItemRecord(
      handle: ItemHandle(rawValue: try row.handle(1)),
      identity: ElementIdentity(
        category: try row.name(2, as: ElementCategory.self),
        elementKind: try row.optionalString(3), id: try row.string(4)))
  }
}
