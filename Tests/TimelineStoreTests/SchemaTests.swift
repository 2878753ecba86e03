import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TimelineSchema

@testable import TimelineStore

@Suite struct SchemaTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("small.kymo")
    try Recordings.make(path)
  }

  @Test func `shipped steps have the checksums that recordings keep`() {
    #expect(
      Schema.steps.map(\.name) == [
        "v0001_first_recording", "v0002_margins_and_evidence", "v0003_bulk_and_always_on",
        "v0004_transitions", "v0005_quicker_questions", "v0006_what_was_heard",
      ])
    #expect(
      Schema.steps.map(\.checksum) == [
        "2654e6f9a2311285", "81cda7caa2c8b05a", "f74b9a392c251d06", "db0b74035d389c55",
        "97b752bb65a42100", "bd564e9cc9b9d482",
      ])
    #expect(Schema.version == 6)
  }

  @Test func `a new file has the schema that all steps together make`() throws {
    let migrated = folder.path("migrated.kymo")
    try Recordings.run(
      Schema.steps.map(\.sql).joined() + "PRAGMA application_id = \(Schema.applicationID);"
        + "PRAGMA user_version = \(Schema.version)", on: migrated)
    let rows = try Recordings.definitions(of: migrated)
    var text = ""
    for row in rows { if let sql = row.sql { text += sql + ";\n\n" } }
    #expect(Schema.current == text)
    let new = try Recordings.definitions(of: path)
    #expect(new.map(\.name) == rows.map(\.name))
    for (new, row) in zip(new, rows) {
      #expect(new.sql?.contains("--") != true, "\(row.name)")
      #expect(new.meaning == row.meaning, "\(row.name)")
      #expect(row.type == "table" || new.sql == row.sql, "\(row.name)")
      for facts in ["table_xinfo", "index_list"] {
        let facts = "SELECT * FROM pragma_\(facts)('\(row.name)', 'main')"
        #expect(
          try RecordingReader(path: path).query(facts).rest()
            == RecordingReader(path: migrated).query(facts).rest(), "\(row.name)")
      }
    }
  }

  @Test func `a new recording of a few values takes less than 60,000 bytes`() throws {
    let empty = folder.path("empty.kymo")
    _ = try RecordingEditor(path: empty, isMade: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: empty)).count < 60_000)
    #expect(
      try RecordingReader(path: empty).query("PRAGMA page_size").rest() == [[.integer(1_024)]])
  }

  @Test func `the file says whose it is, which steps it had, and keeps the schema small`() throws {
    let reader = try RecordingReader(path: path)
    #expect(try reader.query("PRAGMA application_id").rest() == [[.integer(0x4B59_4D4F)]])
    #expect(try reader.query("PRAGMA user_version").rest() == [[.integer(6)]])
    let steps = Schema.steps.enumerated().map { index, step in
      [SQLValue.integer(Int64(index + 1)), .text(step.name), .text(step.checksum)]
    }
    #expect(
      try reader.query("SELECT step, name, checksum FROM migration ORDER BY step").rest() == steps)
    #expect(Schema.steps.map(\.sql.utf8.count).reduce(Schema.current.utf8.count, +) < 96_000)
  }

  @Test func `each table has the columns that its file names, in their order`() throws {
    let reader = try RecordingReader(path: path)
    for table in AllTables.facts {
      let columns = try reader.query("SELECT name FROM pragma_table_info('\(table.name)')").rest()
      #expect(columns.map { $0[0] } == table.columns.map(SQLValue.text), "\(table.name)")
    }
    let tables = try reader.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).rest()
    #expect(tables.map { $0[0] } == AllTables.facts.map(\.name).sorted().map(SQLValue.text))
  }

  @Test func `every text that is ever prepared compiles`() throws {
    let connection = try Connection(path: path, for: .writing)
    for table in AllTables.facts {
      for text in table.texts { _ = try connection.prepare(text) }
    }
  }

  @Test func `the views of the contract have their columns in their order`() throws {
    let pose = """
      index_section index_item center_x center_y width height alpha z_index hidden transform_a \
      transform_b transform_c transform_d transform_tx transform_ty transform_3d item
      """
    let contract = [
      "sessions": """
      session uuid name wall_clock_ns clock refresh_rate viewport_width viewport_height software \
      engine_version device gesture_source scenario transition settle release schema_version end_ns \
      outcome is_clean lost_count precision redaction sealed_row_count
      """,
      "keys": """
      session key role unit number sample_count first_ns last_ns first_value last_value min_value max_value
      """,
      "key_samples": """
      session key t_ns last_ns sample_count first_value last_value min_value max_value role unit
      """,
      "attributes": "session frame t_ns category element_kind id change \(pose)",
      "labels": "session transition label note at_ns",
      "origins": "session uuid file engine_version changes",
      "samples": "session t_ns key value phase role unit ordinal",
      "items": """
      session item category element_kind id frame_count change_count first_ns last_ns min_center_x \
      max_center_x min_center_y max_center_y min_width max_width min_height max_height min_alpha \
      max_alpha travelled
      """,
      "frames": """
      session frame t_ns phase progress content_offset_x content_offset_y content_width \
      content_height is_key_frame began_ns unread
      """,
      "touches":
        "session t_ns contact slot tracking_id phase x y sequence resampled heard_ns touch_heard_ns",
      "key_poses": "session frame t_ns category element_kind id \(pose)",
      "events": "session t_ns event fields sequence",
      "losses": "session what key first_ns last_ns count sequence",
      "layouts": "session position name type parameters",
      "transitions": """
      session transition from_layout to_layout began start_ns release_ns settle_ns completion_ns outcome \
      decided_by retargeted_from sequence
      """,
      "decisions": """
      session t_ns transition outcome decided_by rule rule_outcome threshold progress \
      progress_velocity margin_progress sequence rule_parameters progress_standard_error \
      margin_velocity margin_threshold margin_sigma flip_velocity flip_progress projected_progress \
      label
      """,
      "estimates": """
      session t_ns transition key estimator value velocity low high sample_count lift_gap_ns target \
      remaining relative_velocity settle_time_s unit sequence standard_error leave_one_out_low \
      leave_one_out_high clamped_velocity confidence chosen opposes_displacement lift_artefact \
      left_out_age left_out_gap left_out_duplicate left_out_backward left_out_resampled \
      left_out_history left_out_not_finite
      """,
    ]
    let reader = try RecordingReader(path: path)
    for (view, columns) in contract.sorted(by: { $0.key < $1.key }) {
      let cursor = try reader.query("SELECT * FROM \(view)")
      #expect(cursor.columns.joined(separator: " ") == columns)
      guard !["labels", "origins"].contains(view) else { continue }
      #expect(try cursor.next() != nil, "\(view) has a row")
    }
    let views = Schema.views.map(\.name).filter { !$0.hasPrefix("sealed_") }
    #expect(Set(contract.keys) == Set(views))
  }

  @Test func `the views that a reader makes anew are those of the schema`() throws {
    let reader = try RecordingReader(path: path)
    let views = try reader.query("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").rest()
    #expect(views.count == Schema.views.count)
    for view in Schema.views {
      let text = SQLValue.text("CREATE VIEW \(view.name) AS\n\(view.body)")
      #expect(views.contains([.text(view.name), text]), "\(view.name)")
    }
  }

  @Test func `the views show names and plain numbers`() throws {
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.query("SELECT key, phase, unit FROM samples LIMIT 1").rest()
        == [[.text("x"), .text("driving"), .text("pt")]])
    #expect(
      try reader.query(
        "SELECT id, change, transform_a, transform_b, hidden FROM attributes WHERE frame = 1"
      ).rest() == [[.text("apple"), .text("changed"), .real(1), .real(0), .integer(0)]])
  }

  @Test func `counting samples looks at each of them, and at nothing else`() throws {
    try Recordings.run(
      """
      WITH RECURSIVE number(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM number WHERE n < 1999)
      INSERT INTO plain_sample SELECT 1, n, 1, 0.5 FROM number
      """, on: path)
    #expect(try steps("SELECT count(*) FROM samples") < 5 * 1000)
    #expect(try steps("SELECT total(value) FROM samples") < 10 * 1000)
  }

  @Test(arguments: ["samples", "attributes"])
  func `whether anything is sealed is asked once a query, not for each row that is joined`(
    view: String
  ) throws {
    let connection = try Connection(path: path, for: .reading)
    let plan = try connection.prepare(
      "EXPLAIN QUERY PLAN SELECT count(*) FROM events JOIN \(view) USING (session, t_ns)")
    var steps: [String] = []
    while try plan.step() { steps.append(plan.text(at: 3) ?? "") }
    let first = try #require(steps.firstIndex { $0.contains("SCALAR SUBQUERY") })
    #expect(steps[first].hasPrefix("SCALAR"))
    #expect(steps[first + 1].hasPrefix("SCAN"))
  }

  /// What SQLite does for a query.
  private func steps(_ sql: String) throws -> Int {
    try sqliteSteps {
      _ = try Connection(path: path, for: .reading).integer(sql)
    }
  }

  @Test func `rows that break a rule are refused to everybody`() throws {
    for sql in [
      "UPDATE plain_sample SET value = '1'", "UPDATE session SET precision = 'coarse'",
      "UPDATE session SET outcome = 'maybe'", "UPDATE touch SET t_ns = 'soon'",
      "UPDATE plain_attribute SET hidden = 2", "UPDATE transition SET outcome = 'maybe'",
    ] {
      #expect(throws: Recordings.RawError.self) { try Recordings.run(sql, on: path) }
    }
  }

  @Test func `a stock SQLite finds nothing wrong with the file`() throws {
    let reader = try RecordingReader(path: path)
    #expect(try reader.query("PRAGMA integrity_check").rest() == [[.text("ok")]])
  }
}
