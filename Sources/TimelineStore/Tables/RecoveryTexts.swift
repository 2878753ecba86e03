/// The texts that bring the records of a crash journal among the rows of a recording.
///
/// They run twice: when a journal is folded in, where a table's name means the recording's own, and when
/// a reader shows it, where a TEMP table of the same name stands before it. So `main` is asked for what
/// the recording has, and the plain name is written.
package enum RecoveryTexts {
  /// A session that has a clean close.
  static let closedSession = "SELECT uuid FROM session WHERE session = ?1 AND end_ns IS NOT NULL"
  /// A session that has no clean close.
  static let openSession = "SELECT uuid FROM session WHERE session = ?1 AND end_ns IS NULL"
  static let anyOpenSession = "SELECT session FROM session WHERE end_ns IS NULL LIMIT 1"

  /// A key or an element that the recording has already is left out.
  static let insertKey = """
    INSERT INTO key (session, key, name, role, unit) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE NOT EXISTS (SELECT 1 FROM main.key WHERE session = ?1 AND key = ?2)
    """
  static let insertItem = """
    INSERT INTO item (session, item, category, element_kind, id) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE NOT EXISTS (SELECT 1 FROM main.item WHERE session = ?1 AND item = ?2)
    """

  static let keys = "SELECT key FROM main.key WHERE session = ?1"
  static let items = "SELECT item FROM main.item WHERE session = ?1"

  /// The ordinal of the next value of the key ?3 at the instant ?2.
  ///
  /// - Parameter version: The schema version that the recording is in.
  static func nextOrdinal(in version: Int64) -> String {
    """
    SELECT coalesce(max(slot) >> 32, -1) + 1 FROM (
      SELECT slot FROM main.\(AllTables.name(SampleTable.name, in: version))
      WHERE session = ?1 AND t_ns = ?2 AND slot >> 2 & 1073741823 = ?3
      UNION ALL SELECT slot FROM \(SampleTable.name)
      WHERE session = ?1 AND t_ns = ?2 AND slot >> 2 & 1073741823 = ?3)
    """
  }

  /// The number that comes after the last in a table that counts its rows.
  static func nextSequence(in table: String) -> String {
    "SELECT coalesce(max(sequence), -1) + 1 FROM main.\(table) WHERE session = ?1"
  }

  /// How much of a sort is counted as lost already, and up to when, of the keys in a range. What has no key
  /// stands at the range's largest end.
  static let lossesSoFar = """
    SELECT coalesce(sum(count), 0), max(last_ns) FROM main.loss
    WHERE session = ?1 AND what = ?2 AND coalesce(key, 9223372036854775807) BETWEEN ?3 AND ?4
    """

  static let consumed = "SELECT lane, consumed FROM main.journal WHERE session = ?1"
  /// Says of the sessions without a clean close that their recorders are dead and nothing is waited for.
  package static let endSessions = """
    INSERT OR IGNORE INTO journal (session, lane, consumed)
    SELECT session, \(JournalTable.recoveredLane), 0 FROM session WHERE end_ns IS NULL
    """
  /// The same of one session.
  static let endSession = endSessions + " AND session = ?1"

  /// Tables that a journal has records of, and how many of their first columns are the key.
  static let overlaid: [(table: AllTables.Facts, keyColumns: Int)] = AllTables.facts.compactMap {
    facts in
    switch facts.name {
    case KeyTable.name, ItemTable.name, FrameTable.name, TouchTable.name, EventTable.name,
      DecisionTable.name, EstimateTable.name, LossTable.name:
      (facts, 2)
    case SampleTable.name, AttributeTable.name: (facts, 3)
    default: nil
    }
  }

  /// Makes a TEMP table that stands before the recording's own.
  static func makeOverlay(of table: AllTables.Facts, keyColumns: Int) -> String {
    """
    CREATE TEMP TABLE \(table.name) (\(table.columns.joined(separator: ", ")),
      PRIMARY KEY (\(table.columns.prefix(keyColumns).joined(separator: ", ")))) WITHOUT ROWID
    """
  }

  /// Gives it the name under which ``ReadingViews`` looks for it.
  static func nameOverlay(of table: String) -> String {
    "ALTER TABLE temp.\(table) RENAME TO \(ReadingViews.overlay(of: table))"
  }

  static func dropOverlay(of table: String) -> String { "DROP TABLE IF EXISTS temp.\(table)" }
  static func isEmpty(_ table: String) -> String {
    "SELECT NOT EXISTS (SELECT 1 FROM temp.\(table))"
  }
}
