import Foundation
import KymographCSQLite
import TestSupport
import Testing
import TimelineModel
import TimelineSchema
import TimelineStore

/// Recordings of schema version 1 are read as they are, and migrated when they are recorded into.
@Suite struct OlderRecordingTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("old.kymo")
    let step = Schema.steps[0]
    try Recordings.run(
      """
      \(step.sql)
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = 1;
      INSERT INTO migration VALUES (1, '\(step.name)', '\(step.checksum)');
      INSERT INTO session (session, uuid, schema_version, clock, software, end_ns, outcome,
        sample_count, frame_count, attribute_count, touch_count, event_count, lost_count)
      VALUES (1, 'old', 1, 'virtual', 'tests 0', 9, 'finished', 0, 0, 0, 2, 0, 0);
      INSERT INTO key VALUES (1, 0, 'x', 'animated', 'pt');
      INSERT INTO touch VALUES (1, 0, 0, 0, 3, 4, 'began', -0.0, 2.0),
        (1, 1, 9, 0, NULL, NULL, 'ended', 1e300, 0.1);
      INSERT INTO decision VALUES
        (1, 0, 9, 0, 'finish', 'rule', 'progress', 'finish', 0.5, 0.75, NULL, 0.25),
        (1, 1, 9, 1, 'finish', 'script', 'progress', 'cancel', 0.5, 0.5, 3.5, -0.0);
      INSERT INTO estimate VALUES
        (1, 0, 9, 0, 0, 'lsq2', -0.0, 1.5, NULL, 2.0, 4, 7, 25.0, 25.0, 0.06, 1.25),
        (1, 1, 9, 1, 0, 'impulse', 3.0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
      """, on: path)
  }

  private static let touches = [
    TouchSample(
      time: .zero, contact: 0, slot: 3, trackingID: 4, phase: .began,
      position: Point2D(x: -0.0, y: 2)),
    TouchSample(
      time: Instant(nanoseconds: 9), contact: 0, phase: .ended, position: Point2D(x: 1e300, y: 0.1)),
  ]

  private static let decisions = [
    ReleaseDecision(
      transition: 0, time: Instant(nanoseconds: 9), outcome: .finish, decidedBy: "rule",
      rule: "progress", ruleOutcome: .finish, threshold: 0.5, progress: 0.75,
      progressVelocity: nil, marginProgress: 0.25),
    ReleaseDecision(
      transition: 1, time: Instant(nanoseconds: 9), outcome: .finish, decidedBy: "script",
      rule: "progress", ruleOutcome: .cancel, threshold: 0.5, progress: 0.5,
      progressVelocity: 3.5, marginProgress: -0.0),
  ]

  private static let estimates = [
    ReleaseEstimate(
      transition: 0, time: Instant(nanoseconds: 9), key: KeyHandle(rawValue: 0), value: -0.0,
      estimate: VelocityEstimate(
        estimator: "lsq2", velocity: 1.5, low: nil, high: 2, sampleCount: 4, liftGapNanoseconds: 7),
      target: 25, remaining: 25, relativeVelocity: 0.06, settleTimeSeconds: 1.25),
    ReleaseEstimate(
      transition: 1, time: Instant(nanoseconds: 9), key: KeyHandle(rawValue: 0), value: 3,
      estimate: VelocityEstimate(estimator: "impulse", velocity: nil, sampleCount: 0),
      target: nil, remaining: nil, relativeVelocity: nil, settleTimeSeconds: nil),
  ]

  private func expectOldRows(in reader: RecordingReader) throws {
    #expect(try reader.touches(in: 1).rest() == Self.touches)
    // The engine of that version called the app "script".
    var decisions = Self.decisions
    decisions[1].decidedBy = "app"
    #expect(try reader.decisions(in: 1) == decisions)
    #expect(try reader.estimates(in: 1) == Self.estimates)
    #expect(try reader.decisions(in: 1)[1].marginProgress?.sign == .minus)
    #expect(try reader.estimates(in: 1)[0].value.sign == .minus)
    #expect(try reader.touches(in: 1).next()?.position.x.sign == .minus)
    let views = [
      "SELECT resampled FROM touches WHERE session = 1 ORDER BY sequence":
        [SQLValue.integer(0), .integer(0)],
      "SELECT coalesce(heard_ns, touch_heard_ns) FROM touches WHERE session = 1": [.null, .null],
      "SELECT margin_progress FROM decisions WHERE session = 1 ORDER BY sequence": [
        .real(0.25), .real(-0.0),
      ],
      "SELECT coalesce(rule_parameters, margin_sigma, projected_progress) FROM decisions WHERE session = 1":
        [.null, .null],
      "SELECT left_out_gap + lift_artefact FROM estimates WHERE session = 1": [
        .integer(0), .integer(0),
      ],
      "SELECT coalesce(standard_error, chosen) FROM estimates WHERE session = 1": [.null, .null],
      "SELECT unit FROM estimates WHERE session = 1": [.text("pt"), .text("pt")],
    ]
    for (sql, values) in views.sorted(by: { $0.key < $1.key }) {
      #expect(try reader.query(sql).rest().map { $0[0] } == values, "\(sql)")
    }
  }

  @Test func `a recording of version 1 is read with all its rows, and stays as it is`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let reader = try RecordingReader(path: path)
    #expect(try reader.schemaVersion() == 1)
    try expectOldRows(in: reader)
    #expect(try Recordings.readEverything(path) == 8)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["old.kymo"])
  }

  @Test func `the views have the same columns in an old recording as in a new one`() throws {
    let new = folder.path("new.kymo")
    try Recordings.make(new)
    for view in ["touches", "frames", "decisions", "estimates", "samples", "sessions"] {
      let columns = try RecordingReader(path: path).query("SELECT * FROM \(view)").columns
      #expect(try RecordingReader(path: new).query("SELECT * FROM \(view)").columns == columns)
    }
  }

  @Test func `a program of version 5 finds in a new recording all that it asks for, where it was`()
    throws
  {
    let (former, new) = (folder.path("former.kymo"), folder.path("new.kymo"))
    try Recordings.run(
      Schema.steps[..<5].map(\.sql).joined()
        + "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 5", on: former)
    try Recordings.make(new)
    try Recordings.run(
      "UPDATE touch SET heard_ns = 7; UPDATE frame SET began_ns = 8, unread = 1", on: new)
    let parts = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
    func names(_ sql: String, _ path: String) throws -> [String] {
      try RecordingReader(path: path).query(sql).rest().compactMap {
        if case .text(let text) = $0[0] { text } else { nil }
      }
    }
    for part in try names(parts, former) {
      // A reader's own views are not asked.
      let columns = "SELECT name FROM pragma_table_info('\(part)', 'main') ORDER BY cid"
      let known = try names(columns, former)
      #expect(try Array(names(columns, new).prefix(known.count)) == known, "\(part)")
      let all = "SELECT \(known.joined(separator: ", ")) FROM main.\(part)"
      _ = try RecordingReader(path: new).query(all).rest()
    }
  }

  @Test func `recording into it migrates it and keeps its rows`() throws {
    try record("second")
    let reader = try RecordingReader(path: path)
    #expect(try reader.schemaVersion() == Int64(Schema.version))
    #expect(
      try reader.query("SELECT name, checksum FROM migration ORDER BY step").rest()
        == Schema.steps.map { [.text($0.name), .text($0.checksum)] })
    #expect(try reader.sessionRecords().map(\.number) == [1, 2])
    try expectOldRows(in: reader)
    #expect(try reader.decisions(in: 2).count == 1)
    #expect(try reader.query("PRAGMA integrity_check").rest() == [[.text("ok")]])
    let new = folder.path("new.kymo")
    try Recordings.make(new)
    #expect(
      try Recordings.definitions(of: path).map(\.meaning)
        == Recordings.definitions(of: new).map(\.meaning))
  }

  @Test func `a reader that was open before goes on, with what is new`() throws {
    let reader = try RecordingReader(path: path)
    try expectOldRows(in: reader)
    try record("second")
    try expectOldRows(in: reader)
    #expect(try reader.decisions(in: 2).map(\.marginVelocity) == [1.5])
    #expect(try reader.touches(in: 2).rest().map(\.isResampled) == [true])
    #expect(try reader.touches(in: 2).rest().map(\.heard?.nanoseconds) == [3])
    #expect(try reader.touches(in: 2).rest().map(\.touchHeard?.nanoseconds) == [-4])
    #expect(try reader.estimates(in: 2).map(\.estimate.standardError) == [0.5])
  }

  @Test(arguments: [
    "v1", "v2", "v3", "v3-sealed", "v3-killed", "v4", "v4-sealed", "v5", "v5-sealed", "v5-killed",
    "v6", "v6-sealed",
  ])
  func `a fixture of a released schema reads alike before and after it is migrated`(
    name: String
  ) throws {
    let copy = folder.path(name + ".kymo")
    for end in ["", "-wal", "-crash1"] {
      let original = fixture("recordings/\(name).kymo\(end)")
      guard FileManager.default.fileExists(atPath: original) else { continue }
      try FileManager.default.copyItem(atPath: original, toPath: copy + end)
    }
    var old: RecordingReader? = try RecordingReader(path: copy)
    let before = try contents(#require(old))
    #expect(before.count > 500)
    #expect(try old?.schemaVersion() == Int64(String(name.dropFirst().prefix(1))))
    let transition = try #require(try old?.transitions(in: 1).first)
    #expect((transition.number, transition.from, transition.to) == (0, "grid", "detail"))
    #expect((transition.began, transition.start) == (.interactive, .zero))
    #expect((transition.release?.nanoseconds, transition.decidedBy) == (233_418_000, "rule"))
    #expect(transition.completion?.nanoseconds == (name.hasSuffix("killed") ? nil : 941_666_667))
    // A reader of a crash journal keeps it from being folded in.
    if name.hasSuffix("killed") { old = nil }
    let store = try RecordingStore(
      path: copy, description: Recordings.description("new"), uuid: "new")
    try store.begin(isDurable: true)
    try store.close(at: .zero, outcome: .none, counts: RecordCounts(), summaries: [])
    try store.commit()
    try store.settleIntoOneFile()
    let new = try RecordingReader(path: copy)
    #expect(try new.schemaVersion() == Int64(Schema.version))
    #expect(try contents(new) == before)
    if let old { #expect(try contents(old) == before) }
  }

  @Test func `there is a recording of each step of the schema`() {
    for step in 1...Schema.version {
      #expect(
        FileManager.default.fileExists(atPath: fixture("recordings/v\(step).kymo")), "\(step)")
    }
  }

  /// Every row of session 1 in every view, as text.
  private func contents(_ reader: RecordingReader) throws -> [String] {
    var rows: [String] = []
    for view in [
      "samples", "frames", "attributes", "touches", "events", "decisions", "estimates", "layouts",
      "keys", "losses", "items", "sessions", "transitions",
    ] {
      // Rows of a crash journal come behind the others.
      rows += try reader.query("SELECT * FROM \(view) WHERE session = 1").rest().map { "\($0)" }
        .sorted()
    }
    return rows
  }

  /// Records a session with something in every new column, and waits for no reader.
  private func record(_ uuid: String) throws {
    let store = try RecordingStore(
      path: path, description: Recordings.description(uuid), uuid: uuid)
    try store.begin(isDurable: false)
    try store.insert(
      KeyRecord(handle: KeyHandle(rawValue: 0), name: "x", role: .animated, unit: "pt"))
    var touch = Self.touches[0]
    touch.isResampled = true
    touch.heard = Instant(nanoseconds: 3)
    touch.touchHeard = Instant(nanoseconds: -4)
    try store.insert(touch, sequence: 0)
    var decision = Self.decisions[0]
    decision.marginVelocity = 1.5
    try store.insert(decision, sequence: 0)
    var estimate = Self.estimates[0]
    estimate.estimate.standardError = 0.5
    try store.insert(estimate, sequence: 0)
    try store.close(
      at: .zero, outcome: .finished, counts: RecordCounts(), summaries: [])
    try store.commit()
    try store.settleIntoOneFile()
  }
}
