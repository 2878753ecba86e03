/// The texts that carry a session from one recording to another, row by row.
enum CopyTexts {
  /// Tables whose rows belong to a session and are carried over. A crash journal's bookkeeping is not:
  /// what it led to is. Transitions are made of events and decisions again, which may be redacted.
  static let tables = AllTables.facts.filter {
    $0.columns.first == "session" && ![JournalTable.name, TransitionTable.name].contains($0.name)
  }

  /// Selects a session's rows in the table's order. ?1: the session.
  ///
  /// - Parameter source: Where the rows come from, as it stands behind FROM.
  static func select(_ table: AllTables.Facts, from source: String) -> String {
    "SELECT \(table.columns.joined(separator: ", ")) FROM \(source) WHERE session = ?1"
  }

  /// Inserts a row.
  static func insert(_ table: AllTables.Facts) -> String {
    let parameters = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
    return
      "INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES (\(parameters))"
  }

  /// What is known of the end of a session whose recorder was killed. A journal's positions stay behind.
  static let ends =
    "SELECT session, lane, consumed FROM journal WHERE session = ?1 AND lane >= \(JournalTable.recoveredLane)"

  /// The removals of a session, without their number.
  static let removals = """
    SELECT NULL, reason, is_whole, session, uuid, name, wall_clock_ns, first_ns, last_ns, row_count
    FROM removal WHERE session = ?1 ORDER BY sequence
    """
}
