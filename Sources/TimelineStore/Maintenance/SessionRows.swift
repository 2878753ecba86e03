import SQLiteAccess
import TimelineModel

/// Rows of a session on their way from one recording to another.
struct SessionRows {
  private let redaction: Redaction

  init(_ redaction: Redaction) { self.redaction = redaction }

  /// Carries the rows of a table over.
  func copy(
    _ table: AllTables.Facts, _ source: borrowing Statement, of session: Int64, as number: Int64,
    to connection: borrowing Connection, _ from: String, _ path: String
  ) throws(StoreError) {
    if redaction.leavesOutTouches, table.name == TouchTable.name { return }
    let target = try naming(path, try connection.prepare(CopyTexts.insert(table)))
    source.bind(session, at: 1)
    let isAttribute = table.name == AttributeTable.name
    while try naming(from, try source.step()) {
      guard !isAttribute || AttributeTable.obeysChecks(source) else {
        throw .damaged(from, "a row of attribute breaks a rule of its table")
      }
      try naming(path) { () throws(SQLiteError) in
        for column in 0..<Int32(table.columns.count) { try bind(source, column, to: target) }
        target.bind(number, at: 1)
        try redact(table.name, table.columns, source, target)
        try target.run()
      }
    }
  }

  /// Carries over what was taken out of the session before.
  func copyRemovals(
    _ source: borrowing Statement, of session: Int64, as number: Int64,
    to connection: borrowing Connection, _ from: String, _ path: String
  ) throws(StoreError) {
    let target = try naming(path, try connection.prepare(RemovalTable.insertText))
    source.bind(session, at: 1)
    while try naming(from, try source.step()) {
      try naming(path) { () throws(SQLiteError) in
        for column in 0..<Int32(RemovalTable.columns.count) {
          try bind(source, column, to: target)
        }
        target.bind(number, at: 4)
        try redact(RemovalTable.name, RemovalTable.columns, source, target)
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

  /// What stands in the columns of text that a redaction looks at.
  private static let kinds: [String: [String: Redaction.TextKind]] = [
    SessionTable.name: [
      "name": .name, "clock": .word, "gesture_source": .name, "device": .name,
      "transition": .fields, "settle": .fields, "release": .fields, "software": .name,
      "engine_version": .version,
    ],
    LayoutTable.name: ["name": .name, "type": .word],
    KeyTable.name: ["name": .key, "unit": .word],
    ItemTable.name: ["element_kind": .word, "id": .name],
    EventTable.name: ["kind": .event],
    DecisionTable.name: ["decided_by": .word, "rule": .word, "rule_parameters": .fields],
    EstimateTable.name: ["estimator": .word, "chosen": .word],
    LabelTable.name: ["note": .name], RemovalTable.name: ["name": .name],
    OriginTable.name: ["file": .name, "engine_version": .name],
  ]

  /// Replaces what is not to be carried over in a row.
  private func redact(
    _ table: String, _ columns: [String], _ source: borrowing Statement,
    _ target: borrowing Statement
  ) throws(SQLiteError) {
    guard !redaction.isNone else { return }
    let kinds = Self.kinds[table] ?? [:]
    for (index, column) in columns.enumerated() {
      let index = Int32(index)
      let text = source.type(at: index) == .text ? source.text(at: index) : nil
      switch (table, column) {
      case (SessionTable.name, "gesture_source") where redaction.leavesOutTouches,
        (SessionTable.name, "device") where redaction.leavesOutTouches:
        target.bindNull(at: index + 1)
      case _ where kinds[column] != nil:
        guard let text, let kind = kinds[column] else { continue }
        try target.bind(redaction.redacted(text, as: kind), at: index + 1)
      case (EventTable.name, "fields"):
        let kind = source.text(at: index - 1) ?? ""
        try target.bind(
          redaction.redacted(fieldsJSON: text ?? "{}", ofEvent: kind), at: index + 1)
      case (SessionTable.name, "touch_count"):
        if redaction.leavesOutTouches, source.type(at: index) != .null {
          target.bind(0 as Int64, at: index + 1)
        }
      case (SessionTable.name, "scenario"):
        if redaction.hashesItems { target.bindNull(at: index + 1) }
      case (SessionTable.name, "redaction"): try target.bind(redaction.note, at: index + 1)
      case (OriginTable.name, "changes"):
        let changes = text.flatMap(SessionOrigin.changes) ?? []
        try target.bind(
          FieldValue.list(changes.map { .text(redaction.redacted($0, as: .name)) }).json,
          at: index + 1)
      case (LayoutTable.name, "parameters"):
        if redaction.hashesItems { try target.bind("{}", at: index + 1) }
      default: break
      }
    }
  }
}
