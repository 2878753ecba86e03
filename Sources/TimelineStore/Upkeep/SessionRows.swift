import SQLiteAccess
import TimelineModel

/// Rows of a session on their way from one recording to another.
struct SessionRows {
  private let redaction: Redaction
  /// Names of elements and what stands in their place.
  var names: RedactedNames

  init(_ redaction: Redaction) {
    self.redaction = redaction
    names = RedactedNames(redaction)
  }

  /// Carries the rows of a table over.
  func copy(
    _ table: AllTables.Facts, _ source: borrowing Statement, of session: Int64, as number: Int64,
    to connection: borrowing Connection, _ from: String, _ path: String
  ) throws(StoreError) {
    if redaction.leavesOutTouches, table.name == TouchTable.name { return }
    let target = try naming(path) { () throws(SQLiteError) in
      try connection.prepare(CopyTexts.insert(table))
    }
    source.bind(session, at: 1)
    let isAttribute = table.name == AttributeTable.name
    while try naming(from, { () throws(SQLiteError) in try source.step() }) {
      guard !isAttribute || AttributeTable.obeysChecks(source) else {
        throw .damaged(from, "a row of attribute breaks a rule of its table")
      }
      try naming(path) { () throws(SQLiteError) in
        for column in 0..<Int32(table.columns.count) { try bind(source, column, to: target) }
        target.bind(number, at: 1)
        try redact(table, source, target)
        try target.run()
      }
    }
  }

  /// Carries over what was taken out of the session before.
  func copyRemovals(
    _ source: borrowing Statement, of session: Int64, as number: Int64,
    to connection: borrowing Connection, _ from: String, _ path: String
  ) throws(StoreError) {
    let target = try naming(path) { () throws(SQLiteError) in
      try connection.prepare(RemovalTable.insertText)
    }
    source.bind(session, at: 1)
    while try naming(from, { () throws(SQLiteError) in try source.step() }) {
      try naming(path) { () throws(SQLiteError) in
        for column in 0..<Int32(RemovalTable.columns.count) {
          try bind(source, column, to: target)
        }
        target.bind(number, at: 4)
        try target.run()
      }
    }
  }

  private func bind(
    _ source: borrowing Statement, _ column: Int32, to target: borrowing Statement
  ) throws(SQLiteError) {
    switch source.type(at: column) {
    case .null: target.bindNull(at: column + 1)
    case .integer: target.bind(source.int64(at: column), at: column + 1)
    case .real: target.bind(source.double(at: column), at: column + 1)
    case .text: try target.bind(source.text(at: column) ?? "", at: column + 1)
    case .blob: try target.bind(source.blob(at: column), at: column + 1)
    }
  }

  /// Replaces what is not to be carried over in a row.
  private func redact(
    _ table: AllTables.Facts, _ source: borrowing Statement, _ target: borrowing Statement
  ) throws(SQLiteError) {
    func place(_ column: String) -> Int32 {
      Int32((table.columns.firstIndex(of: column) ?? -1) + 1)
    }
    if table.name == SessionTable.name, let note = redaction.note {
      if redaction.leavesOutTouches {
        target.bindNull(at: place("gesture_source"))
        target.bindNull(at: place("device"))
        if source.type(at: place("end_ns") - 1) != .null {
          target.bind(0 as Int64, at: place("touch_count"))
        }
      }
      if redaction.hashesItems { target.bindNull(at: place("scenario")) }
      try target.bind(note, at: place("redaction"))
    }
    guard redaction.hashesItems else { return }
    if table.name == LayoutTable.name { try target.bind("{}", at: place("parameters")) }
    if table.name == ItemTable.name {
      let id = source.text(at: place("id") - 1) ?? ""
      try target.bind(redaction.pseudonym(of: id), at: place("id"))
    }
    if table.name == EventTable.name {
      let json = source.text(at: place("fields") - 1) ?? "{}"
      try target.bind(names.redacted(json: json), at: place("fields"))
    }
  }
}
