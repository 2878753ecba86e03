import KymographCSQLite

/// The answers to SQLite about a registered table.
final class VirtualTableSource {
  let table: VirtualTable
  let rows: (VirtualTable.Request) throws(VirtualTableError) -> any VirtualRows

  init(
    table: VirtualTable,
    rows: @escaping (VirtualTable.Request) throws(VirtualTableError) -> any VirtualRows
  ) {
    self.table = table
    self.rows = rows
  }
}

/// SQLite's object of a table that is in use. It sees only the first member.
private struct OpenTable {
  var base = sqlite3_vtab()
  var source: Unmanaged<VirtualTableSource>
}

/// SQLite's object of a question that is being answered. It sees only the first member.
private struct OpenCursor {
  var base = sqlite3_vtab_cursor()
  var rows: (any VirtualRows)?
  var rowNumber: Int64 = 0
}

/// The constraints that a plan uses, as bits of its number. Their values come in this order.
private enum PlanBits {
  static let first: Int32 = 1
  static let secondEqual: Int32 = 2
  static let secondFrom: Int32 = 4
  static let secondAbove: Int32 = 8
  static let secondUpTo: Int32 = 16
  static let secondBelow: Int32 = 32
  static let thirdEqual: Int32 = 64
  static let all = [
    first, secondEqual, secondFrom, secondAbove, secondUpTo, secondBelow, thirdEqual,
  ]

  /// The bit of a constraint. `nil` for one that no plan uses.
  static func bit(_ constraint: sqlite3_index_constraint) -> Int32? {
    switch (constraint.iColumn, Int32(constraint.op)) {
    case (0, SQLITE_INDEX_CONSTRAINT_EQ): first
    case (1, SQLITE_INDEX_CONSTRAINT_EQ): secondEqual
    case (1, SQLITE_INDEX_CONSTRAINT_GE): secondFrom
    case (1, SQLITE_INDEX_CONSTRAINT_GT): secondAbove
    case (1, SQLITE_INDEX_CONSTRAINT_LE): secondUpTo
    case (1, SQLITE_INDEX_CONSTRAINT_LT): secondBelow
    case (2, SQLITE_INDEX_CONSTRAINT_EQ): thirdEqual
    default: nil
    }
  }
}

/// The functions of every table, made once and never freed: SQLite keeps the pointer.
nonisolated(unsafe) let virtualTableModule: UnsafePointer<sqlite3_module> = {
  var module = sqlite3_module()
  module.iVersion = 1
  // No xCreate: the table is there by its name alone.
  module.xConnect = { database, source, _, _, opened, _ in connect(database, source, opened) }
  module.xBestIndex = { table, plan in chooseConstraints(table, plan) }
  module.xDisconnect = { table in
    table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: OpenTable.self).deallocate() }
    return SQLITE_OK
  }
  module.xOpen = { _, opened in
    let cursor = UnsafeMutablePointer<OpenCursor>.allocate(capacity: 1)
    cursor.initialize(to: OpenCursor())
    opened?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(
      to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.xClose = { cursor in
    guard let cursor = openCursor(cursor) else { return SQLITE_OK }
    cursor.deinitialize(count: 1)
    cursor.deallocate()
    return SQLITE_OK
  }
  module.xFilter = { cursor, plan, _, count, values in filter(cursor, plan, count, values) }
  module.xNext = { cursor in
    guard let open = openCursor(cursor), let rows = open.pointee.rows else { return SQLITE_ERROR }
    open.pointee.rowNumber += 1
    do throws(VirtualTableError) {
      try rows.advance()
      return SQLITE_OK
    } catch {
      return report(error, of: cursor)
    }
  }
  module.xEof = { cursor in openCursor(cursor)?.pointee.rows?.hasRow == true ? 0 : 1 }
  module.xColumn = { cursor, context, column in
    guard let rows = openCursor(cursor)?.pointee.rows else { return SQLITE_ERROR }
    rows.give(Int(column), to: VirtualResult(context: context))
    return SQLITE_OK
  }
  module.xRowid = { cursor, number in
    number?.pointee = openCursor(cursor)?.pointee.rowNumber ?? 0
    return SQLITE_OK
  }
  let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  pointer.initialize(to: module)
  return UnsafePointer(pointer)
}()

private func openCursor(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<OpenCursor>? {
  cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: OpenCursor.self) }
}

private func source(of table: UnsafeMutablePointer<sqlite3_vtab>) -> VirtualTableSource {
  UnsafeMutableRawPointer(table).assumingMemoryBound(to: OpenTable.self).pointee.source
    .takeUnretainedValue()
}

private func connect(
  _ database: OpaquePointer?, _ source: UnsafeMutableRawPointer?,
  _ opened: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
) -> Int32 {
  guard let source else { return SQLITE_ERROR }
  let object = Unmanaged<VirtualTableSource>.fromOpaque(source)
  let code = sqlite3_declare_vtab(database, object.takeUnretainedValue().table.declaration)
  guard code == SQLITE_OK else { return code }
  _ = kymo_sqlite_mark_innocuous(database)
  let table = UnsafeMutablePointer<OpenTable>.allocate(capacity: 1)
  table.initialize(to: OpenTable(source: object))
  opened?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
  return SQLITE_OK
}

/// Takes each usable constraint of the kinds that ``PlanBits`` knows once, and the order.
private func chooseConstraints(
  _ opened: UnsafeMutablePointer<sqlite3_vtab>?,
  _ pointer: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
  guard let pointer, let opened else { return SQLITE_ERROR }
  let table = source(of: opened).table
  var chosen: Int32 = 0
  for bit in PlanBits.all {
    for index in 0..<Int(pointer.pointee.nConstraint) {
      guard let constraint = pointer.pointee.aConstraint?[index], constraint.usable != 0,
        PlanBits.bit(constraint) == bit, chosen & bit == 0
      else { continue }
      // Under another collation other texts are equal, too.
      if bit == PlanBits.thirdEqual,
        !table.hasTextInThirdColumn || !isBinary(pointer, constraint: index)
      {
        continue
      }
      chosen |= bit
      // SQLite looks at each row again (no omit), so values that are not integers may be passed over.
      pointer.pointee.aConstraintUsage[index].argvIndex = Int32(chosen.nonzeroBitCount)
    }
  }
  pointer.pointee.idxNum = chosen
  pointer.pointee.orderByConsumed =
    isInOrder(pointer.pointee, of: table.orderedColumns, isFirstFixed: chosen & 1 == 1) ? 1 : 0
  (pointer.pointee.estimatedCost, pointer.pointee.estimatedRows) = cost(chosen)
  return SQLITE_OK
}

/// Rough rows of a plan. A segment is unpacked at once, about ten thousand rows, and kept, so a single
/// frame is cheaper than its segment, but dearer than its rows.
private func cost(_ chosen: Int32) -> (Double, Int64) {
  let hasFrom = chosen & (PlanBits.secondFrom | PlanBits.secondAbove) != 0
  let hasUpTo = chosen & (PlanBits.secondUpTo | PlanBits.secondBelow) != 0
  let rows: Int64 =
    if chosen & PlanBits.secondEqual != 0 {
      100
    } else if hasFrom, hasUpTo {
      10_000
    } else if hasFrom || hasUpTo {
      100_000
    } else {
      1_000_000
    }
  let all = chosen & PlanBits.first != 0 ? rows : rows * 10
  return (Double(all) * 2 + 1_000, all)
}

/// Whether a constraint compares texts byte by byte.
private func isBinary(
  _ plan: UnsafeMutablePointer<sqlite3_index_info>, constraint: Int
) -> Bool {
  sqlite3_vtab_collation(plan, Int32(constraint)).map { String(cString: $0) == "BINARY" } ?? false
}

/// Whether the wanted order is that of the rows: so many first columns, the first of which may be left out when it has one
/// value only.
private func isInOrder(
  _ plan: sqlite3_index_info, of count: Int32, isFirstFixed: Bool
) -> Bool {
  var next: Int32 = 0
  for index in 0..<Int(plan.nOrderBy) {
    guard let term = plan.aOrderBy?[index], term.desc == 0 else { return false }
    if isFirstFixed, next == 0, term.iColumn == 1 { next = 1 }
    guard term.iColumn == next, next < count else { return false }
    next += 1
  }
  return true
}

private func filter(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ plan: Int32, _ count: Int32,
  _ values: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let open = openCursor(cursor), let table = open.pointee.base.pVtab else {
    return SQLITE_ERROR
  }
  var request = VirtualTable.Request()
  var low = Int64.min
  var high = Int64.max
  var next = 0
  for bit in PlanBits.all where plan & bit != 0 {
    guard next < count, let value = values?[next] else { return SQLITE_ERROR }
    next += 1
    if bit == PlanBits.thirdEqual {
      if sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) {
        request.third = String(
          decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))),
          as: UTF8.self)
      }
      continue
    }
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { continue }
    let number = sqlite3_value_int64(value)
    switch bit {
    case PlanBits.first: request.first = number
    case PlanBits.secondEqual: (low, high) = (max(low, number), min(high, number))
    case PlanBits.secondFrom, PlanBits.secondAbove: low = max(low, number)
    default: high = min(high, number)
    }
  }
  open.pointee.rows = nil
  open.pointee.rowNumber = 0
  guard low <= high else { return SQLITE_OK }
  request.second = low...high
  do throws(VirtualTableError) {
    open.pointee.rows = try source(of: table).rows(request)
    return SQLITE_OK
  } catch {
    return report(error, of: cursor)
  }
}

/// Hands an error to SQLite: the file contradicts itself.
private func report(
  _ error: VirtualTableError, of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> Int32 {
  if let table = cursor?.pointee.pVtab {
    sqlite3_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = kymo_sqlite_copy_text(error.message)
  }
  // SQLITE_CORRUPT_VTAB, whose macro Swift does not import.
  return SQLITE_CORRUPT | 1 << 8
}
