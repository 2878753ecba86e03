import SQLiteAccess
import TimelineSchema

/// TEMP views through which a reader sees every recording alike: one of an older schema, one whose
/// seconds are sealed, one with rows that still lie in a crash journal. Nothing of them is in the file.
///
/// A TEMP view goes before a table or view of the same name in the file. Each table gets a view where
/// it is more, or less, than its rows in the file. The views of the contract are then made once more
/// over those. A recording of this schema, all of it plain rows, gets none.
struct ReadingViews {
  /// The schema version that the file is in.
  var version: Int64
  /// The tables of which the file has sealed rows, which a virtual table shows.
  var sealedTables: [String] = []
  /// Tables to which TEMP tables add rows. See ``overlay(of:)``.
  var overlaidTables: [String] = []

  /// Whether the views of the contract are made here in any case, as those of the file are missing or
  /// are not those that the steps make.
  var standBeforeFile = false

  /// The virtual table that shows sealed rows of ``AttributeTable`` in its columns.
  static let sealedTable = "sealed_attribute"

  /// The virtual table that shows sealed rows of ``SampleTable`` in its columns.
  static let sealedSamples = "sealed_sample"

  /// The virtual table that shows all samples in the columns of the view ``samples``.
  static let mergedSamples = "merged_sample"

  /// Session after session, so that SQLite needs the first rows of each alone for the earliest ones.
  private static let samplesOfMergedRows =
    "SELECT m.* FROM session AS g CROSS JOIN \(mergedSamples) AS m ON m.session = g.session"

  private static let virtualTableOf = [
    AttributeTable.name: sealedTable, SampleTable.name: sealedSamples,
  ]

  /// The views that fail for a session with sealed rows, which are not asked where virtual tables show them.
  private static let guardViews = ["sealed_guard", "sealed_sample_guard"]
  private static let keySamples = "key_samples"
  private static let samples = "samples"
  private static let noGuard = "SELECT NULL AS session WHERE 0"

  /// The virtual table that shows derived releases. See ``RecordingReader/releases(in:)``.
  static let derivedTable = "derived_release"

  /// The virtual table of derived releases. Its rows are in the order of the first three columns.
  static let derivedReleases = VirtualTable(
    name: derivedTable,
    declaration: """
      CREATE TABLE x (session INTEGER, t_ns INTEGER, transition INTEGER, outcome TEXT,
        decided_by TEXT, progress REAL, derived TEXT)
      """)

  /// The virtual table of all samples. Its rows are in the order of the first two columns.
  static let mergedRows = VirtualTable(
    name: mergedSamples, orderedColumns: 2, hasTextInThirdColumn: true,
    declaration: """
      CREATE TABLE x (session INTEGER, t_ns INTEGER, key TEXT, value REAL, phase TEXT, role TEXT, unit TEXT,
        ordinal INTEGER)
      """)

  /// Names that no table of a file may have.
  static let virtualTables = [sealedTable, sealedSamples, mergedSamples, derivedTable]

  /// All releases, recorded and derived: no view of the file's, since stock tools derive none.
  private static let releases = """
    SELECT session, t_ns, transition, outcome, decided_by, progress, NULL AS derived, rule, threshold,
      progress_velocity, margin_progress
    FROM decisions
    UNION ALL
    SELECT session, t_ns, transition, outcome, decided_by, CAST(progress AS REAL), derived, NULL, NULL, NULL, NULL
    FROM \(derivedTable)
    """

  /// The name of the TEMP table whose rows are shown as if they stood in a table.
  static func overlay(of table: String) -> String { "overlaid_" + table }

  /// Whether the view of all releases is made, for queries of the caller's, which then see outcomes and the progress as
  /// readers do.
  var hasReleases = false
  /// Whether the file has a transition whose outcome is not that of its decision.
  var isOverruled = false

  /// The texts that make the views. They can be run again when the file has changed its version.
  var texts: [String] {
    let tables = (showsTablesAsStored ? [] : AllTables.facts).compactMap { table -> String? in
      let arms = self.arms(of: table)
      guard arms != ["main.\(table.name)"] else { return nil }
      return Self.view(
        table.name, arms.map { "SELECT * FROM \($0)" }.joined(separator: " UNION ALL "))
    }
    let releases = hasReleases ? [Self.view("releases", Self.releases)] : []
    guard !tables.isEmpty || standBeforeFile else { return releases }
    return tables
      + Schema.views.map { view in
        if Self.guardViews.contains(view.name) { return Self.view(view.name, Self.noGuard) }
        if view.name == Self.samples, sealedTables.contains(SampleTable.name) {
          return Self.view(view.name, Self.samplesOfMergedRows)
        }
        // Its seconds of what is sealed are rows of their own.
        let isOfPlainRows = view.name == Self.keySamples
        return Self.view(
          view.name,
          isOfPlainRows
            ? view.body.substituting(SampleTable.name, with: plainRows(of: SampleTable.self))
            : view.body)
      }
      + releases
  }

  /// Whether every table is shown as the file has it.
  private var showsTablesAsStored: Bool {
    version == Int64(Schema.version) && sealedTables.isEmpty && overlaidTables.isEmpty
      && !hasReleases
      && !isOverruled
  }

  /// The texts that take the views away again.
  static var removal: [String] {
    (["releases"] + Schema.views.map(\.name) + AllTables.facts.map(\.name)).map {
      "DROP VIEW IF EXISTS temp.\($0)"
    }
  }

  /// Every text that is prepared, and every view of the contract.
  static var everythingAsked: [String] {
    AllTables.facts.flatMap(\.texts) + Schema.views.map { "SELECT * FROM \($0.name)" }
  }

  private static func view(_ name: String, _ body: String) -> String {
    "CREATE TEMP VIEW \(name) AS \(body)"
  }

  /// Whether the rows of transitions are made of events and decisions: the file has none, or not all.
  var derivesTransitions: Bool {
    version < Self.firstWithTransitions
      || overlaidTables.contains { $0 == EventTable.name || $0 == DecisionTable.name }
  }

  private static let firstWithTransitions: Int64 = 4

  /// Where a table's rows come from, as they stand behind FROM.
  private func arms(of table: AllTables.Facts) -> [String] {
    if table.name == TransitionTable.name, derivesTransitions || isOverruled {
      return ["(\(Schema.transitions()))"]
    }
    var arms = [stored(table)]
    if hasReleases {
      if table.name == SessionTable.name { arms = ["(\(SessionTable.asRead(arms[0])))"] }
      if table.name == KeyTable.name { arms = ["(\(KeyTable.asRead(arms[0])))"] }
    }
    if sealedTables.contains(table.name), let sealed = Self.virtualTableOf[table.name] {
      arms.append(sealed)
    }
    if overlaidTables.contains(table.name) { arms.append("temp." + Self.overlay(of: table.name)) }
    return arms
  }

  /// Where a table's rows come from without those that are sealed, as they stand behind FROM.
  func plainRows<Table: RecordingTable & ~Copyable>(of table: Table.Type) -> String {
    var own = stored(AllTables.of(table))
    if overlaidTables.contains(Table.name) {
      own = "(SELECT * FROM \(own) UNION ALL SELECT * FROM temp.\(Self.overlay(of: Table.name)))"
    }
    return own
  }

  /// A table's own rows in the columns of the newest schema.
  private func stored(_ table: AllTables.Facts) -> String {
    let main = "main.\(AllTables.name(table.name, in: version))"
    if version < 3 && Self.newInThree.contains(table.name)
      || version < 4 && Self.newInFour.contains(table.name)
    {
      let nothing = table.columns.map { "NULL AS \($0)" }.joined(separator: ", ")
      return "(SELECT \(nothing) WHERE 0)"
    }
    var source = main
    let missing = Self.added[table.name, default: []].filter { version < $0.version }
    if !missing.isEmpty {
      let values = missing.map { "\($0.absent) AS \($0.name)" }.joined(separator: ", ")
      source = "(SELECT *, \(values) FROM \(source))"
    }
    if version < 3 {
      if table.name == SampleTable.name {
        source = "(SELECT session, t_ns, \(Self.slot) AS slot, value FROM \(source))"
      } else if table.name == SessionTable.name {
        source = "(SELECT *, 'exact' AS precision, NULL AS redaction FROM \(source))"
      }
    }
    if version == 3, table.name == SegmentTable.name {
      source = "(SELECT *, 0 AS is_part FROM \(source))"
    }
    return source
  }

  /// How the columns of a sample before version 3 make its slot.
  private static let slot = "ordinal << 32 | key << 2 | phase"

  private static let newInThree = [
    SegmentTable.name, BlockTable.name, ItemSummaryTable.name, JournalTable.name, RemovalTable.name,
  ]

  private static let newInFour = [
    LabelTable.name, OriginTable.name, SampleSegmentTable.name, SampleSecondTable.name,
  ]

  /// What later versions added to tables of version 1, in the order of the columns.
  private static let added = [
    FrameTable.name: FrameTable.added, TouchTable.name: TouchTable.added,
    DecisionTable.name: DecisionTable.added, EstimateTable.name: EstimateTable.added,
  ]
}

/// The question for the rows of a view, in all its columns.
enum ViewRows {
  /// - Parameters:
  ///   - name: The view.
  ///   - session: The session. `nil`: all.
  static func text(of name: String, session: Int64?) -> String {
    "SELECT * FROM \(name)" + (session.map { " WHERE session = \($0)" } ?? "")
  }
}
