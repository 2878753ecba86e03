import Foundation
import KymographCSQLite

/// Holds a recording as another program does that writes into it or reads from it, until it has to let
/// go: says "held" on standard output, and lets go when standard input ends.
struct LockHolder {
  enum Kind: String {
    /// A transaction that may write.
    case write
    /// A snapshot that a query looks at.
    case read

    fileprivate var sql: String {
      switch self {
      case .write: "BEGIN IMMEDIATE"
      case .read: "BEGIN; SELECT count(*) FROM samples"
      }
    }
  }

  let kind: Kind
  let path: String

  /// Holds until standard input ends.
  func run() throws {
    var opened: OpaquePointer?
    guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw CrashTrialError(message: "\(path) cannot be opened")
    }
    defer { sqlite3_close_v2(opened) }
    sqlite3_busy_timeout(opened, 5_000)
    guard sqlite3_exec(opened, kind.sql, nil, nil, nil) == SQLITE_OK else {
      throw CrashTrialError(
        message: "\(path) cannot be held: \(String(cString: sqlite3_errmsg(opened)))")
    }
    FileHandle.standardOutput.write(Data("held\n".utf8))
    _ = FileHandle.standardInput.readDataToEndOfFile()
    guard sqlite3_exec(opened, "ROLLBACK", nil, nil, nil) == SQLITE_OK else {
      throw CrashTrialError(message: "\(path) cannot be let go")
    }
  }
}
