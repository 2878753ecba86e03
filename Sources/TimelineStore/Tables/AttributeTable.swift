import SQLiteAccess
package import TimelineModel

/// One element as it stood in a frame.
package struct ElementRecord: Hashable, Sendable {
  /// The element's number in the session.
  package var item: ItemHandle
  /// Section and item in the numbering of that frame.
  package var indexPath: ItemIndexPath
  /// Where and how it stood.
  package var pose: Pose

  /// Makes an element of a frame.
  package init(item: ItemHandle, indexPath: ItemIndexPath, pose: Pose) {
    self.item = item
    self.indexPath = indexPath
    self.pose = pose
  }
}

/// A row of attributes: what became of an element in a frame.
package enum AttributeChange: Hashable, Sendable {
  /// It appeared, or something of it changed.
  case changed(ElementRecord)
  /// It is as it was before. Only key frames say so.
  case same(ElementRecord)
  /// It was in the frame before and is not in this one.
  case gone(ItemHandle)

  /// The element as it is then. `nil` when it is gone.
  var element: ElementRecord? {
    switch self {
    case .changed(let element), .same(let element): element
    case .gone: nil
    }
  }

  package var item: ItemHandle {
    switch self {
    case .changed(let element), .same(let element): element.item
    case .gone(let item): item
    }
  }
}

/// The table `plain_attribute`: poses, a row where something changed.
struct AttributeTable: ReadableTable, ~Copyable {
  static let name = "plain_attribute"
  static let columns = [
    "session", "frame", "item", "change", "index_section", "index_item", "center_x", "center_y",
    "width", "height", "alpha", "z_index", "hidden", "transform_a", "transform_b", "transform_c",
    "transform_d", "transform_tx", "transform_ty", "transform_3d",
  ]
  static let inRange =
    selectText + " WHERE session = ?1 AND frame BETWEEN ?2 AND ?3 ORDER BY frame, item"
  static let removalText = "DELETE FROM \(name) WHERE session = ?1 AND frame BETWEEN ?2 AND ?3"
  static var texts: [String] { [insertText, inRange, removalText] }

  /// What a virtual table with the same columns says of itself.
  static var declaration: String { "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))" }

  /// ``inRange`` over what stands behind FROM.
  static func inRange(from source: String) -> String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
      + " WHERE session = ?1 AND frame BETWEEN ?2 AND ?3 ORDER BY frame, item"
  }

  /// Which element changed in which frame, the newest first, without what it became: most of a row is
  /// never looked at.
  static func newestFirst(from source: String) -> String {
    "SELECT frame, item, change FROM \(source)"
      + " WHERE session = ?1 AND frame BETWEEN ?2 AND ?3 ORDER BY frame DESC, item DESC"
  }

  /// What became of one element in one frame.
  static func one(from source: String) -> String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
      + " WHERE session = ?1 AND frame = ?2 AND item = ?3"
  }

  private let row: RepeatingRow

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = RepeatingRow(try connection.prepare(Self.insertText), parameterCount: Self.columns.count)
  }

  /// Writes a change as a crash journal holds it.
  ///
  /// - Parameter change: The words of a whole change, as ``JournalRecord`` writes them.
  func insert(
    _ change: UnsafeBufferPointer<UInt64>, frame: Int64, session: Int64
  ) throws(SQLiteError) {
    let flags = change[1]
    row.bind(session, at: 1)
    row.bind(frame, at: 2)
    row.bind(Int64(flags & 0xffff_ffff), at: 3)
    row.bind(Int64(flags >> 32 & 3), at: 4)
    guard change.count >= 10 else {
      row.bindNulls(at: 5...20)
      return try row.run()
    }
    row.bind(Int64(bitPattern: change[2]), at: 5)
    row.bind(Int64(bitPattern: change[3]), at: 6)
    row.bindCompact(change[4], at: 7)
    row.bindCompact(change[5], at: 8)
    row.bindCompact(change[6], at: 9)
    row.bindCompact(change[7], at: 10)
    row.bindCompact(change[8], at: 11)
    row.bind(Int64(bitPattern: change[9]), at: 12)
    row.bind(Int64(flags >> 34 & 1), at: 13)
    switch change.count {
    case 16:
      for index in 0..<6 { row.bindCompact(change[10 + index], at: 14 + index) }
      row.bindNulls(at: 20...20)
    case 26:
      row.bindNulls(at: 14...19)
      let numbers = change[10...].map { FieldValue.number(Double(bitPattern: $0)) }
      try row.bind(FieldValue.list(numbers).json, at: 20)
    default: row.bindNulls(at: 14...20)
    }
    try row.run()
  }

  /// Reads a row of ``inRange``: the frame, and what became of the element.
  static func read(
    _ row: borrowing Statement
  ) throws(BadValue) -> (frame: Int64, change: AttributeChange) {
    let frame = try row.rowNumber(1)
    let item = ItemHandle(rawValue: try row.handle(2))
    let change = try row.integer(3)
    if change == 2 { return (frame, .gone(item)) }
    let element = ElementRecord(
      item: item, indexPath: ItemIndexPath(section: try row.int(4), item: try row.int(5)),
      pose: Pose(
        center: Point2D(x: try row.compactReal(6), y: try row.compactReal(7)),
        size: Size2D(width: try row.compactReal(8), height: try row.compactReal(9)),
        transform: try transform(row), alpha: try row.compactReal(10), zIndex: try row.int(11),
        isHidden: try row.flag(12)))
    switch change {
    case 0: return (frame, .changed(element))
    case 1: return (frame, .same(element))
    default: throw BadValue(column: "change", found: "the unknown change \(change)")
    }
  }

  /// Whether a row of all columns obeys the table's CHECKs, which are left out while poses are written: for
  /// each of their lists of three SQLite makes a table at every row, ten times the work of the row itself.
  static func obeysChecks(_ row: borrowing Statement) -> Bool {
    for column in 3..<Int32(columns.count - 1) {
      switch row.type(at: column) {
      case .null: break
      case .real where column != 3 && column != 12: break
      case .integer:
        let most: Int64? = column == 3 ? 2 : column == 12 ? 1 : nil
        if let most, !(0...most).contains(row.int64(at: column)) { return false }
      case .real, .text, .blob: return false
      }
    }
    return true
  }

  /// Reads a row of ``newestFirst(from:)``.
  static func readItemChange(
    _ row: borrowing Statement
  ) throws(BadValue) -> (frame: Int64, item: ItemHandle, isGone: Bool) {
    (try row.rowNumber(0), ItemHandle(rawValue: try row.handle(1)), try row.integer(2) == 2)
  }

  private static func transform(_ row: borrowing Statement) throws(BadValue) -> ElementTransform {
    if let text = try row.optionalString(19) {
      guard let spatial = spatial(text) else {
        throw BadValue(column: "transform_3d", found: "no 16 numbers")
      }
      return .spatial(spatial)
    }
    guard let a = try row.optionalCompactReal(13) else { return .identity }
    return .flat(
      Transform2D(
        a: a, b: try row.compactReal(14), c: try row.compactReal(15), d: try row.compactReal(16),
        tx: try row.compactReal(17), ty: try row.compactReal(18)))
  }

  /// Whether a row's transform in space stands in the text that a recorder writes: one that was edited
  /// may say the same numbers in other words, which no block would give back.
  static func isAsWritten(_ change: AttributeChange, _ row: borrowing Statement) -> Bool {
    switch change {
    case .gone: return true
    case .changed(let element), .same(let element):
      guard case .spatial(let spatial) = element.pose.transform else { return true }
      let written = FieldValue.list(spatial.components.map(FieldValue.number)).json
      return row.text(at: 19) == written
    }
  }

  /// Reads `[1,0,…]`. `nil` for anything but sixteen finite numbers.
  private static func spatial(_ text: String) -> Transform3D? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let parts = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    return parts.count == 16 ? Transform3D(components: numbers) : nil
  }
}

extension Transform2D {
  /// Whether the bits are the identity's. -0.0 in place of 0.0 is another transform.
  var isExactlyIdentity: Bool {
    a.bitPattern == 1.0.bitPattern && b.bitPattern == 0 && c.bitPattern == 0
      && d.bitPattern == 1.0.bitPattern && tx.bitPattern == 0 && ty.bitPattern == 0
  }
}
