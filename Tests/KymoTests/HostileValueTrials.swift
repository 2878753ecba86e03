import Foundation
import KymographCSQLite
import TestSupport

@testable import KymoCommands

/// Puts extremes into recordings, column by column as the schema has them, and calls the program for each.
///
/// A run of the tests tries every column with a twentieth of the values, by a call and in a place that a seeded
/// generator chooses; `KYMO_TEST_ROUNDS` asks for all of them, and for more calls of each.
struct HostileValueTrials {
  private let folder: TemporaryFolder
  private let recordings: [LooseRecording]
  private var random = SplitMix(seed: 14)
  private var problems: [String: String] = [:]
  /// How many calls were made.
  private(set) var count = 0

  /// More of them say no more.
  private static let mostProblems = 60

  init() throws {
    folder = try TemporaryFolder()
    let plain = try Self.recording(at: folder.path("plain.kymo"), in: folder)
    let sealed = folder.path("sealed.kymo")
    try FileManager.default.copyItem(atPath: plain, toPath: sealed)
    let call = try kymo(["file pack", sealed])
    try require(call.code == 0, call.errors)
    // One that came late stays a row.
    try LooseRecording.execute(
      "INSERT INTO plain_sample SELECT session, first_ns + 1, key << 2, 0.5 FROM sample_second LIMIT 1;",
      on: sealed)
    recordings = try [plain, sealed].map(LooseRecording.init)
  }

  /// Two seconds of an app's and an engine's doings, with rows in every table.
  private static func recording(at path: String, in folder: TemporaryFolder) throws -> String {
    let call = try kymo([
      "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture",
      fixture("gestures/pinch-open.evemu"), "--into", path, "--name", "pinch",
    ])
    try require(call.code == 0, call.errors)
    try LooseRecording.execute(
      """
      INSERT INTO loss VALUES (1, 0, 'sample', 0, 5, 9, 3);
      INSERT INTO removal VALUES (1, 'trim', 0, 1, 'u', 'n', 0, 0, 9, 12);
      INSERT INTO journal VALUES (1, -1, 3);
      INSERT INTO label VALUES (1, 0, 'finish', 'n', 9);
      INSERT INTO origin VALUES (1, 'u', 'f', 'e', '[]');
      """, on: path)
    return path
  }

  mutating func run() throws {
    let rounds = TestRounds.asked.map { max(1, $0 / 250) } ?? 1
    for column in recordings[1].columns {
      try require(column.rowCount > 0, "The table \(column.table) has no row to change.")
    }
    for column in recordings[1].columns {
      for value in HostileValue.all where TestRounds.isLong || random.next() % 20 == 0 {
        for _ in 0..<rounds { try attempt(column, value) }
      }
    }
    try attemptNames()
  }

  /// What went wrong, each kind with an example; empty when nothing did.
  var report: [String] {
    problems.sorted { $0.key < $1.key }.map { "\($0.key)\n    \($0.value)" }
  }

  /// The file with the words of the latest call: a call that ends the process leaves it.
  ///
  /// - Parameter tests: The process of the tests, whose child makes the calls.
  static func latestCall(of tests: pid_t) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("kymograph-call-\(tests)")
  }

  /// Runs a command with a bound on its processor time (the dearest call takes a tenth of a second), in the folder of
  /// the outputs.
  private func call(_ words: [String]) throws -> ProgramRun {
    OwnProcess.limit()
    try Data("\(words)\n".utf8).write(to: Self.latestCall(of: getppid()))
    // These read names.
    var input = ""
    switch words.first {
    case "rows": input = "x.kymo\n"
    case "golden accept":
      let query = try kymo(
        ["sql", "plain.kymo", "SELECT uuid FROM sessions", "--format", "csv"],
        in: folder.url.path)
      let uuid = query.output.split(whereSeparator: \.isNewline).last ?? ""
      input = "\(uuid) plain.kymo#\(uuid)\n"
    default: break
    }
    // No page is opened.
    return try kymo(
      words, input: Data(input.utf8), environment: ["KYMO_BROWSER": "/none"],
      in: folder.url.path)
  }

  private mutating func attempt(_ column: LooseRecording.Column, _ value: HostileValue) throws {
    // The plain one has no blocks.
    let chosen = recordings[Int(random.next() % 2)]
    let recording =
      chosen.columns.contains { $0.isSame(as: column) && $0.rowCount > 0 } ? chosen : recordings[1]
    guard let column = recording.columns.first(where: { $0.isSame(as: column) }) else { return }
    let path = folder.path("x.kymo")
    let place = random.next() % 3 == 0 ? nil : Int(random.next() % UInt64(column.rowCount))
    guard try recording.write(value, into: column, row: place, at: path) else { return }
    let calls = HostileCalls.all(
      of: path, beside: recordings[0].original, folder: folder.url.path)
    let words = calls[Int(random.next() % UInt64(calls.count))]
    defer {
      for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
      unlink(folder.path("out"))
    }
    let call = try self.call(words)
    count += 1
    let example =
      "\(column.table).\(column.name) = \(value.name) in \(place.map { "row \($0)" } ?? "all rows") of "
      + "\(recording.name): \(words.joined(separator: " ")): \(call.code)"
    note(call, words, example)
  }

  /// A file whose name would act on a terminal, through every command, and such a text as every argument.
  private mutating func attemptNames() throws {
    let name = HostileValue.escapes + "\r\n"
    let path = name + ".kymo"
    let file = folder.path(path)
    for words in HostileCalls.all(of: path, beside: recordings[0].original, folder: name + "none") {
      try? FileManager.default.removeItem(atPath: file)
      try FileManager.default.copyItem(atPath: recordings[0].original, toPath: file)
      note(try call(words), words, "\(words)")
      count += 1
    }
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: file))
    for command in Command.all {
      let flags = command.flags.map { ["--\($0.name)"] + ($0.value == nil ? [] : [name]) }
      let lists =
        [[name], [name, name], [path], ["--" + name], [path, name]]
        + flags.flatMap { [$0, [recordings[0].original] + $0] }
      for list in lists {
        let words = [command.name] + list
        note(try call(words), words, "\(words)")
        count += 1
      }
    }
    note(try call([name]), [name], "a command")
  }

  private mutating func note(_ call: ProgramRun, _ words: [String], _ example: String) {
    if !(0...4).contains(call.code) {
      let fatal = call.errors.split(separator: "\n").first { $0.contains("rror") } ?? ""
      add("signal \(-call.code): \(words[0]): \(fatal)", example)
    } else if call.code == 4, !call.errors.hasPrefix("kymo ") {
      add("no sentence", example + " " + call.errors.prefix(200))
    }
    // What a program reads keeps its bytes unless a terminal is there.
    let isData = words[0] == "export" || words.contains("-")
    if let found = TerminalSafety.unsafe(in: isData ? call.errors : call.errors + call.output) {
      add("control character \(found) from \(words[0])", example)
    }
  }

  private mutating func add(_ problem: String, _ example: String) {
    guard problems.count < Self.mostProblems || problems[problem] != nil else { return }
    problems[problem] = problems[problem] ?? example
  }
}

/// Why the trials could not be made.
struct TrialError: Error { let reason: String }

private func require(_ condition: Bool, _ reason: @autoclosure () -> String = "") throws {
  if !condition { throw TrialError(reason: reason()) }
}

/// What no terminal may get.
enum TerminalSafety {
  /// The first character that could act on a terminal or turn the direction of reading.
  static func unsafe(in text: String) -> String? {
    text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x09, 0x0a: false
      case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069:
        true
      default: false
      }
    }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
  }
}

/// A value that no recorder writes, as SQL.
struct HostileValue {
  let name: String
  let sql: String

  /// ESC and a colour, a turn of the reading direction, and controls of every sort that a terminal may know.
  static let escapes = "\u{1b}[31m\u{202e}\u{9b}\u{2028}\u{2066}\u{200f}\u{7f}\u{7}"

  static let all: [HostileValue] =
    [
      "-9223372036854775808", "9223372036854775807", "-1", "0", "1", "2147483647", "4294967296",
      "9007199254740992", "9223372036854775806", "NULL", "0.5", "-0.0", "1e308", "-1e308", "5e-324",
      "9e999", "''", "'x'", "'-1'", "x''", "zeroblob(1000)", "'{}'", "'[]'", "'{\"a\": 1e308}'",
    ].map { HostileValue(name: $0, sql: $0) } + [
      HostileValue(name: "long text", sql: "replace(hex(zeroblob(100000)), '00', 'ab')"),
      HostileValue(name: "deep", sql: "replace(hex(zeroblob(3000)), '00', '[')"),
      HostileValue(name: "no UTF-8", sql: "CAST(x'41ff80c0' AS TEXT)"),
      HostileValue(name: "escapes", sql: "'\(escapes)'"),
      HostileValue(name: "its opposite", sql: "-COLUMN"),
      HostileValue(name: "a hundredfold", sql: "COLUMN * 100"),
      HostileValue(name: "its largest numbers", sql: ""),
      HostileValue(name: "its smallest numbers", sql: ""),
    ]

  /// The value for a column.
  ///
  /// - Parameter text: The column's text in its first row, whose numbers a value may change.
  func sql(for column: String, text: String) -> String {
    switch name {
    case "its largest numbers": return Self.quoted(Self.replacing(text, "9223372036854775807"))
    case "its smallest numbers": return Self.quoted(Self.replacing(text, "-1e308"))
    default: return sql.replacingOccurrences(of: "COLUMN", with: "\"\(column)\"")
    }
  }

  private static func replacing(_ text: String, _ number: String) -> String {
    text.replacingOccurrences(
      of: "-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?", with: number, options: .regularExpression)
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }
}

/// A recording whose tables take any value: without types, checks and NOT NULL, which a copy gets back when
/// the value is in.
struct LooseRecording {
  /// A column of the schema.
  struct Column {
    let table: String
    let name: String
    let keys: [String]
    let rowCount: Int
    let text: String

    func isSame(as other: Column) -> Bool { table == other.table && name == other.name }
  }

  let name: String
  let original: String
  let columns: [Column]
  private let loose: String

  init(_ path: String) throws {
    original = path
    name = URL(fileURLWithPath: path).lastPathComponent
    loose = path + ".loose"
    columns = try Self.columns(of: path)
    try FileManager.default.copyItem(atPath: path, toPath: loose)
    try Self.execute(
      """
      CREATE TABLE strict_schema AS SELECT name, sql FROM sqlite_schema WHERE type = 'table';
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'),
        ') STRICT', ')'), ' NOT NULL', '') WHERE type = 'table';
      PRAGMA writable_schema = RESET;
      """, on: loose)
  }

  /// Writes a copy with a value in one place, or in all rows of the column.
  ///
  /// - Returns: whether anything could be changed.
  func write(
    _ value: HostileValue, into column: Column, row: Int?, at path: String
  ) throws -> Bool {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: loose, toPath: path)
    let keys = column.keys.joined(separator: ", ")
    let condition =
      row.map { " WHERE (\(keys)) = (SELECT \(keys) FROM \(column.table) LIMIT 1 OFFSET \($0))" }
      ?? ""
    let sql = value.sql(for: column.name, text: column.text)
    return try Self.execute(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE OR IGNORE \(column.table) SET "\(column.name)" = \(sql)\(condition);
      """,
      then: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = (SELECT s.sql FROM strict_schema AS s
          WHERE s.name = sqlite_master.name) WHERE type = 'table' AND name <> 'strict_schema';
        DROP TABLE strict_schema;
        """, on: path) > 0
  }

  private static func columns(of path: String) throws -> [Column] {
    var columns: [Column] = []
    let tables = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      on: path)
    for table in tables.map({ $0[0] }) {
      let found = try rows("SELECT name, pk FROM pragma_table_info('\(table)')", on: path)
      let keys = found.filter { $0[1] != "0" }.map { $0[0] }
      let count = Int(try rows("SELECT count(*) FROM \(table)", on: path)[0][0]) ?? 0
      for column in found.map({ $0[0] }) {
        let text = try rows(
          "SELECT \"\(column)\" FROM \(table) WHERE typeof(\"\(column)\") = 'text' LIMIT 1",
          on: path)
        columns.append(
          Column(
            table: table, name: column, keys: keys.isEmpty ? ["rowid"] : keys, rowCount: count,
            text: text.first?[0] ?? ""))
      }
    }
    return columns
  }

  /// Runs statements without any of the safety that a file needs that is kept.
  ///
  /// - Returns: how many rows the first statements changed.
  @discardableResult
  static func execute(_ sql: String, then: String = "", on path: String) throws -> Int {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    try require(sqlite3_open(path, &database) == SQLITE_OK)
    sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", nil, nil, nil)
    let before = sqlite3_total_changes(database)
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    try require(
      code == SQLITE_OK || code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH,
      "\(sql): \(String(cString: sqlite3_errmsg(database)))")
    let changes = Int(sqlite3_total_changes(database) - before)
    let end = sqlite3_exec(database, then, nil, nil, nil)
    try require(end == SQLITE_OK, String(cString: sqlite3_errmsg(database)))
    return changes
  }

  private static func rows(_ sql: String, on path: String) throws -> [[String]] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    try require(sqlite3_open(path, &database) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sql)
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }
}
