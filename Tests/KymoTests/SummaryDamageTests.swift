import Foundation
import TestSupport
import Testing

/// What is written down beside rows and is not what the rows say.
@Suite struct SummaryDamageTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let changes: [(sql: String, what: String)] = [
    ("UPDATE key_summary SET max_value = max_value + 1 WHERE key = 0", "the summary of the key"),
    (
      "UPDATE key_summary SET sample_count = sample_count - 1 WHERE key = 0",
      "the summary of the key"
    ),
    ("UPDATE key_summary SET max_interval_ns = max_interval_ns + 1", "the summary of the key"),
    ("DELETE FROM key_summary WHERE key = 0", "the summary of the key"),
    (
      "UPDATE item_summary SET travelled = travelled + 1 WHERE item = 2",
      "the summary of the element 2"
    ),
    ("UPDATE item_summary SET min_alpha = 0.01", "the summary of the element 0"),
    ("UPDATE item_summary SET last_ns = 0 WHERE item = 1", "the summary of the element 1"),
    ("UPDATE sample_second SET max_value = 1e9", "the seconds of the packed samples"),
    ("UPDATE sample_second SET second = second + 5", "the seconds of the packed samples"),
    ("DELETE FROM sample_second WHERE key = 0 AND second = 1", "other counts than their seconds"),
    ("UPDATE sample_second SET segment_ns = segment_ns + 1", "other counts than their seconds"),
    ("UPDATE sample_segment SET phases = '[[0,1]]'", "the phases of the packed samples"),
  ]

  @Test func `doctor finds each, and what recover saves contradicts nothing any more`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    #expect(try kymo("file pack", path).code == 0)
    #expect(try kymo("file doctor", path, "--deep").code == 0)
    for (sql, what) in Self.changes {
      let (copy, saved) = (place.path("copy.kymo"), place.path("saved.kymo"))
      for file in [copy, saved] { try? FileManager.default.removeItem(atPath: file) }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      #expect(
        try LooseRecording.execute("PRAGMA ignore_check_constraints = ON; \(sql)", on: copy) > 0,
        "\(sql)")
      let run = try kymo("file doctor", copy, "--deep", "--json")
      let found = try rows(run.output).filter { $0["severity"].text == "damage" }
      #expect(run.code == 1, "\(sql): \(run.output)")
      #expect(found.contains { $0["where"].text?.contains(what) == true }, "\(sql): \(run.output)")
      #expect((0...3).contains(try kymo("file recover", copy, "-o", saved).code))
      let after = try kymo("file doctor", saved, "--deep")
      #expect(after.code == 0, "\(sql): \(after.output)")
    }
  }

  @Test func `recordings that were cut, rounded, merged and run again have nothing to find`() throws
  {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    for words in [
      ["file pack", path, "--precision", "float32"],
      ["file merge", path, "--into", place.path("merged.kymo"), "--hash-items"],
      ["file trim", path, "--from", "0.2", "--to", "0.9"],
      ["rerun", path, "--into", place.path("again.kymo")],
    ] {
      let run = try kymo(words)
      #expect(run.code == 0 || words[0] == "rerun", "\(words): \(run.errors)")
    }
    let found = try place.names().filter { $0.hasSuffix(".kymo") }
    for name in found {
      #expect(try kymo("file doctor", place.path(name), "--deep").code == 0, "\(name)")
    }
  }
}

/// B-trees whose rows are not in the order that SQLite expects of them, times that are farther apart than a number
/// can say, and more sealed samples than memory: each test has a process of its own.
@Suite struct HostileOrderTests {
  /// Turns the order of a table's rows around while its schema says what it said.
  private static func turn(_ table: String, by column: String, in path: String) throws {
    let text =
      "UPDATE sqlite_schema SET sql = replace(sql, '\(column))', '\(column) DESC)') WHERE name = '\(table)';"
    try LooseRecording.execute(
      "CREATE TABLE kept AS SELECT * FROM \(table); PRAGMA writable_schema = ON; \(text)", on: path)
    try LooseRecording.execute(
      """
      PRAGMA ignore_check_constraints = ON; DELETE FROM \(table);
      INSERT INTO \(table) SELECT * FROM kept; DROP TABLE kept; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '\(column) DESC)', '\(column))') WHERE name = '\(table)';
      """, on: path)
  }

  private static let orders = [
    ("frame", "frame"), ("plain_sample", "slot"), ("plain_attribute", "item"),
    ("touch", "sequence"),
    ("event", "sequence"), ("segment", "first_frame"), ("block", "property"), ("key", "key"),
  ]

  @Test func `rows out of order end every command with a code`() async {
    await #expect(processExitsWith: .success) {

      for (table, column) in HostileOrderTests.orders {
        let place = try Workplace()
        let plain = try place.record(
          Scenarios.pinch, gesture: "pinch-open.evemu", into: "plain.kymo")
        let path = place.path("turned.kymo")
        let source =
          table == "segment" || table == "block" ? try place.sealed("sealed.kymo") : plain
        try FileManager.default.copyItem(atPath: source, toPath: path)
        try HostileOrderTests.turn(table, by: column, in: path)
        let copy = place.path("copy.kymo")
        let calls = HostileCalls.all(of: copy, beside: plain, folder: place.folder.url.path)
        let wanted: Set = [
          "file pack", "file unpack", "file trim", "file merge", "file doctor", "replay", "export",
          "show",
          "report",
        ]
        for words in calls
        where words.contains(copy) && (TestRounds.isLong || wanted.contains(words[0])) {
          for file in [copy, place.path("out")] {
            try? FileManager.default.removeItem(atPath: file)
          }
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          let run = try kymo(words)
          #expect(
            (0...4).contains(run.code), "\(table): \(words): \(run.code) \(run.errors.suffix(400))")
        }
      }
    }
  }

  @Test func `key frames out of order are damage to who seals and compacts`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "turned.kymo")
      try LooseRecording.execute("UPDATE frame SET is_key = 1 WHERE frame % 40 = 0", on: path)
      try HostileOrderTests.turn("frame", by: "frame", in: path)
      for flags in [[], ["--no-shrink"]] {
        let run = try kymo(["file pack", path] + flags)
        #expect(
          run.code == 4,
          "\(run.errors)")
        #expect(
          run.errors.contains("key frames of session 1 are out of order"),
          "\(run.errors)")
      }
    }
  }

  @Test func `touches and frames at both ends of time are exported`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "ends.kymo")
      try LooseRecording.execute(
        """
        UPDATE touch SET t_ns = -9223372036854775808 WHERE sequence < 2;
        UPDATE touch SET t_ns = 9223372036854775807 WHERE sequence > 5;
        UPDATE frame SET t_ns = -9223372036854775808 WHERE frame = 0;
        UPDATE frame SET t_ns = 9223372036854775807 WHERE frame = (SELECT max(frame) FROM frame);
        UPDATE event SET t_ns = 9223372036854775807 WHERE kind IN ('finish', 'cancel', 'decision');
        UPDATE decision SET t_ns = 9223372036854775807;
        """, on: path)
      for format in ["evemu", "svg", "lottie", "waapi", "chrome", "ndjson", "cdp"] {
        let run = try kymo("export", format, path)
        #expect((0...4).contains(run.code), "\(format): \(run.code) \(run.errors.suffix(300))")
      }
    }
  }

  @Test func `more sealed samples than are read of a session are refused in a sentence`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "bomb.kymo")
      #expect(try kymo("file pack", path).code == 0)
      try LooseRecording.execute(
        """
        WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 200)
        INSERT INTO sample_segment SELECT session, first_ns + n * 100000000000, last_ns + n * 100000000000, 1048576,
          phases, checksum, head, data FROM sample_segment, n;
        """, on: path)
      for words in [
        ["replay", path, "--keys"], ["report", path, "-o", place.path("out")], ["plot", path],
        ["file pack", path],
        ["file unpack", path], ["export", "csv", path],
        ["sql", path, "SELECT count(*) FROM samples"],
        ["compare", path, path], ["replay", path, "--cast", "-"],
      ] {
        let run = try kymo(words)
        #expect(
          run.code == 4,
          "\(words): \(run.code) \(run.errors)")
        #expect(
          run.errors.contains("at most \(words.contains("--cast") ? 33_554_432 : 134_217_728)"),
          "\(words): \(run.code) \(run.errors)")
      }
      let shown = try kymo("show", path)
      #expect(shown.code == 3, "\(shown.errors)")
      #expect(shown.output.contains("progress"), "\(shown.errors)")
      #expect(shown.errors.contains("without a description: "), "\(shown.errors)")
      #expect(try kymo("file delete", "\(path)#1").code == 0)
    }
  }
}
