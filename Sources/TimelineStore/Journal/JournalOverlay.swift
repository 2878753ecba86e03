import SQLiteAccess

/// Shows the records of dead recorders' crash journals as if they were in the tables, without changing
/// anything: they go into TEMP tables in memory.
///
/// The journals stay locked against being folded in as long as the value lives, so that no row can be
/// shown twice.
struct JournalOverlay: ~Copyable {
  /// A journal, held open for its lock. A list holds no value that cannot be copied.
  private final class Held {
    let scan: JournalScan

    init(_ scan: consuming JournalScan) { self.scan = scan }
  }

  /// The tables that rows were added to. See ``ReadingViews/overlaidTables``.
  let tables: [String]
  private let held: [Held]

  /// Whether no recorder left a journal behind.
  var isEmpty: Bool { held.isEmpty }

  /// The first schema version whose recorders have crash journals.
  static let firstVersion: Int64 = 3

  /// Reads the journals of sessions without a clean close.
  ///
  /// - Parameters:
  ///   - connection: Open for reading, of ``firstVersion`` or later, before its TEMP views are made.
  ///   - open: The sessions.
  ///   - recording: The full path of the recording that the journals lie beside.
  ///   - version: The schema version that it is in.
  init(
    _ connection: borrowing Connection, of open: [CrashJournalRecovery.OpenSession],
    beside recording: String, version: Int64
  ) throws(StoreError) {
    var held: [Held] = []
    var sessions: [CrashJournalRecovery.OpenSession] = []
    for session in open {
      var opening = JournalScan.open(
        CrashJournal.path(of: recording, session: session.number),
        session: session.number, uuid: session.uuid, isExclusive: false)
      guard let scan = opening.scan.take() else { continue }
      held.append(Held(scan))
      sessions.append(session)
    }
    let tables = held.isEmpty ? [] : try Self.fill(held, sessions, connection, version)
    self.held = held
    self.tables = tables
  }

  private static func fill(
    _ held: [Held], _ sessions: [CrashJournalRecovery.OpenSession],
    _ connection: borrowing Connection, _ version: Int64
  ) throws(StoreError) -> [String] {
    try naming(connection) { () throws(SQLiteError) in
      try connection.keepTemporaryTablesInMemory()
      try connection.beginReading()
      for (table, keyColumns) in RecoveryTexts.overlaid {
        try connection.execute(RecoveryTexts.makeOverlay(of: table, keyColumns: keyColumns))
      }
    }
    for (journal, session) in zip(held, sessions) {
      let consumed = try CrashJournalRecovery.consumed(connection, session.number)
      var rows = try naming(
        connection, try JournalRows(connection, session: session.number, version: version))
      try CrashJournalRecovery.read(journal.scan, from: consumed, into: &rows, connection)
    }
    return try naming(connection) { () throws(SQLiteError) in
      try connection.commit()
      var tables: [String] = []
      for (table, _) in RecoveryTexts.overlaid {
        if try connection.integer(RecoveryTexts.isEmpty(table.name)) == 1 {
          try connection.execute(RecoveryTexts.dropOverlay(of: table.name))
        } else {
          try connection.execute(RecoveryTexts.nameOverlay(of: table.name))
          tables.append(table.name)
        }
      }
      return tables
    }
  }
}
