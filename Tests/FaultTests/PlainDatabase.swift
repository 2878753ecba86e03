import KymographCSQLite

/// SQLite without anything of ours between: to look at a file with other eyes, to hold locks, and to
/// do to a file what no recorder does.
final class PlainDatabase {
  struct Refusal: Error, CustomStringConvertible {
    var code: Int32
    var description: String
  }

  private let handle: OpaquePointer

  init(_ path: String, flags: Int32 = SQLITE_OPEN_READWRITE) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Refusal(code: code, description: String(cString: sqlite3_errstr(code)))
    }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  private func refusal(_ code: Int32) -> Refusal {
    Refusal(code: code, description: String(cString: sqlite3_errmsg(handle)))
  }

  func run(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw refusal(code) }
  }

  /// The first column of every row, as text.
  func column(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw refusal(code) }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while true {
      code = sqlite3_step(statement)
      guard code == SQLITE_ROW else { break }
      rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    guard code == SQLITE_DONE else { throw refusal(code) }
    return rows
  }

  func integer(_ sql: String) throws -> Int? { try column(sql).first.flatMap { Int($0) } }

  /// What SQLite's own check finds; empty when it finds nothing.
  func findings() throws -> [String] {
    let lines = try column("PRAGMA integrity_check")
    return lines == ["ok"] ? [] : lines
  }

  /// Copies the database page by page into another file, as SQLite's backup interface does it.
  func backUp(to path: String) throws {
    let target = try PlainDatabase(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.refusal(SQLITE_ERROR)
    }
    var code: Int32
    repeat { code = sqlite3_backup_step(backup, 5) } while code == SQLITE_OK
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw target.refusal(code) }
  }
}
