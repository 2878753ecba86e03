import Foundation
import KymographCSQLite
import TestSupport
import Testing

/// Recordings that were made to do harm: every command that reads ends soon, with a code and one sentence.
@Suite struct HostileSchemaTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func change(_ path: String, _ sql: String) {
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close_v2(database)
  }

  /// Every command that opens a recording.
  private func calls(_ path: String) -> [[String]] {
    let output = place.path("out.kymo")
    return [
      ["show", path], ["list sessions", path], ["list keys", path], ["list events", path],
      ["list touches", path],
      ["replay", path], ["replay", path, "--keys"], ["velocity", path], ["rule try", path],
      ["compare", path, path], ["sql", path, "SELECT 1"], ["file doctor", path, "--deep"],
      ["file migrate", path], ["file pack", path], ["file unpack", path], ["file pack", path],
      ["file trim", path, "--from", "0.1"], ["file delete", "\(path)#1"],
      ["file merge", path, path, "--into", output],
      ["record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into", path],
    ]
  }

  @Test func `a schema that was made to do harm ends every command with one sentence`() throws {
    let path = try place.record(Scenarios.script, into: "hostile.kymo")
    change(
      path,
      "ALTER TABLE event RENAME TO e; CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
        + "SELECT i + 1 FROM n) SELECT i AS session, i AS sequence FROM n")
    let before = try place.bytes("hostile.kymo")
    for words in calls(path) {
      let run = try kymo(words)
      #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
      #expect(!run.output.contains("{"), "\(words)")
      // A command over many files says what it leaves out.
      let line = run.errors.replacing(": left out: ", with: ": ")
      #expect(
        line.hasPrefix("kymo \(words[0]): \(path) was changed by a program other than a recorder"),
        "\(words): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(words): \(run.errors)")
    }
    #expect(try place.bytes("hostile.kymo") == before)
    let run = try kymo("file recover", path, "-o", place.path("saved.kymo"))
    #expect([0, 3, 4].contains(run.code), "\(run.errors)")
  }

  @Test func `info on a damaged recording prints no half of a table`() throws {
    let path = try place.record(Scenarios.script, into: "damaged.kymo")
    try place.record(Scenarios.script, into: "damaged.kymo")
    // The second session's frames run backwards in their own numbers, so only its overview fails.
    change(
      path,
      "PRAGMA ignore_check_constraints = ON; UPDATE frame SET phase = 77 WHERE session = 2")
    for words in [["show", path], ["show", path, "--json"], ["show", path, "--format", "csv"]] {
      let run = try kymo(words)
      #expect(run.code == 4, "\(words)")
      #expect(run.output == "", "\(words): \(run.output)")
      #expect(run.errors.contains("kymo file recover \(path) -o recovered.kymo"), "\(run.errors)")
    }
  }

  @Test func `a change that was left half done is told, read around, and undone by migrate`() throws
  {
    let path = try place.record(Scenarios.script, into: "half.kymo")
    let count = try answers("list events", path).count
    let copy = place.path("copy.kymo")
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let sql = """
      PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN; DELETE FROM event;
      CREATE TABLE filler (a); INSERT INTO filler VALUES (randomblob(300000));
      """
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    for ending in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    sqlite3_close_v2(database)
    let temporary = place.path("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let before = try [place.bytes("copy.kymo"), place.bytes("copy.kymo-journal")]
    for words in [
      ["list sessions"], ["replay"], ["velocity"], ["list events"],
      ["sql", "SELECT * FROM frames"],
    ] {
      let call = [words[0], copy] + words.dropFirst()
      let run = try program(call, environment: ["TMPDIR": temporary])
      let whole = try kymo([words[0], path] + words.dropFirst())
      #expect(run.code == whole.code, "\(words): \(run.errors)")
      #expect(run.output == whole.output, "\(words): \(run.errors)")
      #expect(run.errors.contains("kymo file migrate \(copy)"), "\(run.errors)")
      let unwritable = try program(call, environment: ["TMPDIR": place.path("none")])
      #expect(unwritable.code == 4)
      #expect(unwritable.errors.contains("no room in"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    #expect(try [place.bytes("copy.kymo"), place.bytes("copy.kymo-journal")] == before)
    let doctor = try kymo("file doctor", copy, "--json")
    #expect(doctor.code == 1)
    #expect(try rows(doctor.output).map { $0["what"].text } == ["unfinishedChange"])
    #expect(try kymo("file migrate", copy).code == 0)
    #expect(try answers("list events", copy).count == count)
    #expect(try answers("file doctor", copy).isEmpty)
  }

  @Test func `a session is recorded with the precision that is asked for`() throws {
    for precision in ["exact", "float32", "1/1024"] {
      let name = precision.replacingOccurrences(of: "/", with: " in ") + ".kymo"
      let path = try place.record(
        Scenarios.pinch, gesture: "pinch-open.evemu", into: name, "--precision", precision)
      let said = try answers("sql", path, "SELECT precision FROM sessions")
      #expect(said.map { $0["precision"].text } == [precision])
      let off = try answers(
        "sql", path,
        "SELECT count(*) AS n FROM attributes WHERE center_x * 1024 <> round(center_x * 1024)")
      #expect((off[0]["n"].integer == 0) == (precision == "1/1024"))
    }
    let path = place.path("no.kymo")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into", path,
      "--precision", "half")
    #expect(run.code == 2)
    #expect(run.errors.contains("exact, float32, 1/1024"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
