import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct SQLTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(Scenarios.script, into: "run.kymo")
  }

  @Test func `a question is answered in every format`() throws {
    let query = "SELECT key, count(*) AS n, max(value) FROM samples GROUP BY key ORDER BY key"
    let found = try answers("sql", path, query)
    #expect(found.map { $0["key"].text } == ["PositionX", "progress"])
    #expect(found.map { $0["n"].integer } == [70, 70])
    #expect(found[0].names == ["key", "n", "max(value)"])
    let csv = try kymo("sql", path, query, "--format", "csv").output
    #expect(csv.hasPrefix("key,n,max(value)\nPositionX,70,"))
    #expect(try kymo("sql", path, "-", input: "SELECT 1 AS one").output.contains("one"))
  }

  @Test func `values of every type and columns of one name are printed`() throws {
    let found = try answers(
      "sql", path, "SELECT 1 AS a, 2.5 AS a, 'x' AS b, NULL AS c, x'00ff' AS d, 0.1+0.2 AS e;")
    #expect(found[0]["a"].integer == 1)
    #expect(found[0]["a_2"].number == 2.5)
    #expect(found[0]["c"] == .null)
    #expect(found[0]["d"].text == "00ff")
    #expect(found[0]["e"].number == 0.1 + 0.2)
  }

  @Test func `whatever does more than read is refused, and the file stays as it is`() throws {
    let before = try place.bytes("run.kymo")
    for query in [
      "DELETE FROM plain_sample", "UPDATE session SET name = 'x'", "INSERT INTO key VALUES (1)",
      "DROP TABLE plain_sample", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)",
      "ATTACH 'b.db' AS b",
      "VACUUM", "VACUUM INTO 'copy.db'", "PRAGMA user_version = 9", "PRAGMA journal_mode = WAL",
      "PRAGMA writable_schema = 1", "BEGIN", "REINDEX", "SELECT 1; SELECT 2",
      "SELECT 1; DELETE FROM plain_sample", "garbage", "", "-- nothing", "SELECT * FROM nowhere",
      "SELECT load_extension('x')", "SELECT ?1 +",
    ] {
      let run = try kymo("sql", path, query)
      #expect(run.code == 2, "\(query)")
      #expect(run.errors.hasPrefix("kymo "), "\(query)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(query): \(run.errors)")
      #expect(run.output == "", "\(query)")
    }
    #expect(try place.bytes("run.kymo") == before)
    #expect(try place.names() == ["run.kymo"])
  }

  @Test(arguments: [
    ("SELECT * FROM decisons", "decisons. Did you mean decisions?"),
    ("SELECT * FROM nowhere", "nowhere. Known: attributes, decisions, estimates"),
    ("SELECT velocity FROM decisions", "velocity. decisions has session, t_ns, transition"),
    ("SELECT k.x FROM keys k, losses", "k.x. keys has session, key"),
    ("SELECT velocity FROM releases", "velocity. releases has session, t_ns, transition"),
  ])
  func `a query that names what there is not gets the names that there are`(
    _ query: String, _ says: String
  ) throws {
    let run = try kymo("sql", path, query)
    #expect(run.code == 2)
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test func `the views that the help names are there`() throws {
    for view in [
      "sessions", "layouts", "keys", "samples", "items", "frames", "attributes", "touches",
      "events",
      "decisions", "transitions", "estimates", "labels", "losses", "releases",
    ] {
      #expect(try kymo("sql", path, "SELECT * FROM \(view)").code == 0, "\(view)")
      #expect(try kymo("help", "sql").output.contains(view))
    }
  }

  @Test(arguments: [
    "SELECT * FROM samples", "SELECT count(*) AS n FROM samples WHERE session = 1",
    "SELECT * FROM samples ORDER BY t_ns, key LIMIT 10",
    "SELECT * FROM samples WHERE session = 2 ORDER BY t_ns LIMIT 10",
    "SELECT * FROM samples WHERE key = 'progress' AND t_ns BETWEEN 200000000 AND 400000000",
    "SELECT count(*) AS n FROM samples WHERE key IN ('PositionX', 'progress', 'none')",
    "SELECT count(*) AS n FROM samples WHERE key = 'PROGRESS' COLLATE NOCASE",
    "SELECT key, role, count(*) AS n, max(value) AS most FROM samples GROUP BY key, role ORDER BY key",
    "SELECT a.t_ns, a.value, b.value FROM samples AS a JOIN samples AS b USING (session, t_ns) WHERE a.key = 'progress' "
      + "AND b.key = 'PositionX' ORDER BY a.session, a.t_ns",
    "SELECT s.key, d.outcome, s.value FROM decisions AS d JOIN samples AS s ON s.session = d.session AND s.t_ns <= d.t_ns "
      + "ORDER BY d.session, s.t_ns, s.key",
    "SELECT typeof(t_ns), typeof(key), typeof(value), typeof(phase), typeof(ordinal) FROM samples LIMIT 1",
    "SELECT count(*) AS n FROM samples WHERE session = 3 OR key = 'none'",
  ])
  func `samples of a packed file are those of its rows`(query: String) throws {
    try place.record(Scenarios.script, into: "run.kymo")
    let rows = try answers("sql", path, query)
    _ = try kymo("file", "pack", path)
    #expect(try answers("sql", path, query) == rows)
    #expect(
      try answers("sql", path, "SELECT sum(sealed_row_count) AS n FROM sessions")[0]["n"].integer!
        > 0)
  }

  @Test func `a session in place of the file is refused, and the file is named`() throws {
    let run = try kymo("sql", "\(path)#1", "SELECT 1")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(
      run.errors
        == "kymo sql: FILE must be a whole file (got '\(path)#1'). Did you mean \(path)?\n")
  }
}
