import Foundation
import KymographCSQLite
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// An app and this package share one SQLite, which keeps one account of a file's locks.
@Suite struct SharedSQLiteTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func record(_ range: Range<Int>, with recorder: Recorder) {
    let key = recorder.key("x")
    for step in range {
      key.record(Double(step), at: Instant(nanoseconds: Int64(step) * 1_000_000))
    }
    recorder.sync()
  }

  /// Opens the recording as the app's own SQLite, looks and closes.
  private func look(_ count: Int32) throws {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    try #require(
      sqlite3_prepare_v2(database, "SELECT count(*) FROM samples", -1, &statement, nil) == SQLITE_OK
    )
    #expect(sqlite3_step(statement) == SQLITE_ROW)
    #expect(sqlite3_column_int(statement, 0) == count)
    sqlite3_finalize(statement)
    #expect(sqlite3_close(database) == SQLITE_OK)
  }

  @Test
  func `the recorder's locks stay when a second connection of the process is opened and closed`()
    throws
  {
    let recorder = try Recorder(path: path, session: fixedDescription())
    record(0..<100, with: recorder)
    let before = try locks()
    for count in [100, 200, 300] as [Int32] {
      try look(count)
      #expect(try locks() == before)
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      record(Int(count)..<Int(count) + 100, with: recorder)
    }
    try recorder.finish()
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).isClean && reader.sessionRecord(1).counts?.lost == 0)
    #expect(try reader.samples(in: 1).rest().map(\.sample.value) == (0..<400).map { Double($0) })
  }

  #if os(Linux)
    @Test func `they are gone when the process opens and closes the file without SQLite`() throws {
      let recorder = try Recorder(path: path, session: fixedDescription())
      record(0..<100, with: recorder)
      #expect(try locks().count > 0)
      // As a copy of the file, a checksum or another SQLite in the process does.
      close(open(path, O_RDONLY))
      #expect(try locks().isEmpty)
      try recorder.finish()
    }
  #endif

  /// The locks of processes on the recording, as the system lists them: type and range of bytes.
  private func locks() throws -> [String] {
    #if os(Linux)
      var facts = stat()
      try #require(stat(path, &facts) == 0)
      let list = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
      return list.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").filter { $0 != "->" }
        guard words.count > 7, words[1] == "POSIX", words[5].hasSuffix(":\(facts.st_ino)") else {
          return nil
        }
        return "\(words[3]) \(words[6])-\(words[7])"
      }.sorted()
    #else
      return []
    #endif
  }
}
