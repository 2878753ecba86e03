import Foundation
import RecordingRepair
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// What a killed recorder had recorded comes back exactly once, and nothing else ever does.
@Suite struct CrashJournalRecoveryTests {
  let fixture: JournalFixture

  init() throws { fixture = try JournalFixture() }

  @Test func `the next opening for writing brings every row back, once and in order`() throws {
    try fixture.write()
    try fixture.openForWriting()
    #expect(!FileManager.default.fileExists(atPath: fixture.journal))
    let reader = try RecordingReader(path: fixture.path)
    let samples = try reader.samples(of: KeyHandle(rawValue: 0), in: 1).rest()
    #expect(samples.map(\.sample.time.nanoseconds) == [0, 5, 10, 20, 30, 40, 40, 40])
    #expect(samples.suffix(3).map(\.ordinal) == [0, 1, 2])
    #expect(samples[6].sample.value == 7)
    #expect(samples[7].sample.value.bitPattern == (-0.0).bitPattern)
    #expect(samples[1].phase == .settling)
    let others = try reader.samples(of: KeyHandle(rawValue: 1), in: 1).rest()
    #expect(others.map(\.sample.value) == [1e300, 2])
    #expect(try reader.keys(in: 1).map(\.name) == ["x", "y"])
    #expect(try reader.items(in: 1).map(\.identity.id) == ["apple", "pear"])
    #expect(try reader.touches(in: 1).rest().map(\.phase) == [.began, .ended])
    #expect(try reader.events(in: 1).rest().map(\.sequence) == [0, 1])
    #expect(try reader.losses(in: 1).map(\.count) == [2, 4])
    let frames = try reader.foldedFrames(in: 1).rest()
    #expect(frames.map(\.frame.number) == [0, 1, 2, 3, 4, 5, 6])
    #expect(frames.last?.elements.map(\.item.rawValue) == [1])
    #expect(try reader.sessionRecord(1).isClean == false)
    let found = try RecordingExamination.examine(fixture.path)
    #expect(found.contains { $0.what == "recovered" && $0.session == 1 })
    // Once more changes nothing.
    let before = try fixture.rows()
    try fixture.openForWriting()
    #expect(try fixture.rows() == before)
  }

  @Test
  func `a recovery that was ended before the journal was removed adds nothing the second time`()
    throws
  {
    try fixture.write()
    let journal = try Data(contentsOf: URL(fileURLWithPath: fixture.journal))
    let store = try connection()
    let session = CrashJournalRecovery.OpenSession(number: 1, uuid: fixture.uuid)
    let first = try CrashJournalRecovery.foldIn(
      store, session, journal: fixture.journal, isRemoved: false)
    #expect(first.state == .dead)
    #expect(first.rows == 12)
    #expect(first.unreadWords == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.journal)) == journal)
    let rows = try fixture.rows()
    let second = try CrashJournalRecovery.foldIn(
      store, session, journal: fixture.journal, isRemoved: true)
    #expect(second.rows == 0)
    #expect(try fixture.rows() == rows)
    #expect(!FileManager.default.fileExists(atPath: fixture.journal))
  }

  @Test func `readers show the same rows before, and change no byte`() throws {
    try fixture.write()
    let bytes = try fixture.bytes()
    let shown = try fixture.rows()
    #expect(shown["samples"]?.count == 10)
    #expect(shown["attributes"]?.count == 7)
    let found = try RecordingExamination.examine(fixture.path)
    #expect(found.contains { $0.what == "journalWaiting" && $0.detail.contains("12 rows") })
    #expect(try fixture.bytes() == bytes)
    try fixture.openForWriting()
    #expect(try fixture.rows() == shown)
  }

  @Test func `the journal of a recorder that lives is left alone`() throws {
    let held = try fixture.write()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.journal))
    #expect(try fixture.rows()["samples"]?.count == 5)
    try fixture.openForWriting()
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.journal)) == bytes)
    // A suspended one has let go of its lock, and lives.
    held.letGo()
    #expect(try fixture.rows()["samples"]?.count == 5)
    try fixture.openForWriting()
    #expect(FileManager.default.fileExists(atPath: fixture.journal))
    #expect(
      try RecordingExamination.examine(fixture.path).contains {
        $0.what == "recording" && $0.session == 1
      })
  }

  @Test func `a reader that shows a journal keeps others from folding it in, and nothing doubles`()
    throws
  {
    try fixture.write()
    let reader = try RecordingReader(path: fixture.path)
    try fixture.openForWriting()
    #expect(try reader.samples(in: 1).rest().count == 10)
    #expect(FileManager.default.fileExists(atPath: fixture.journal))
  }

  @Test func `a journal of another session or recording is never folded in`() throws {
    try fixture.write(uuid: "11111111-0000-4000-8000-000000000001")
    let rows = try fixture.rows()
    #expect(rows["samples"]?.count == 5)
    try fixture.openForWriting()
    #expect(try fixture.rows() == rows)
    #expect(FileManager.default.fileExists(atPath: fixture.journal))
    let found = try RecordingExamination.examine(fixture.path)
    #expect(found.contains { $0.what == "journal" && $0.detail.contains("11111111-") })
    // One that is no file at all.
    try FileManager.default.removeItem(atPath: fixture.journal)
    try FileManager.default.createDirectory(
      atPath: fixture.journal, withIntermediateDirectories: true)
    #expect(try fixture.rows() == rows)
    try fixture.openForWriting()
  }

  @Test func `the journal of a session that was closed is removed, and adds nothing`() throws {
    try fixture.write()
    try Recordings.run(
      "UPDATE session SET end_ns = 40, outcome = 'none', sample_count = 5, frame_count = 5, "
        + "attribute_count = 5, touch_count = 1, event_count = 1, lost_count = 2", on: fixture.path)
    let rows = try fixture.rows()
    try fixture.openForWriting()
    #expect(try fixture.rows() == rows)
    #expect(!FileManager.default.fileExists(atPath: fixture.journal))
  }

  @Test func `a journal that was never finished holds nothing and is removed`() throws {
    let rows = try fixture.rows()
    let whole = JournalHeader(
      pageBytes: 4_096, laneWords: 512, laneCount: 1, session: 1, uuid: fixture.uuid
    ).encoded
    // A recorder that was killed before the file was a page long, before its header, and within it.
    for (words, pageWords) in [([], 0), ([], 512), (Array(whole.prefix(7)), 512)] {
      try fixture.writeFirstPage(words, words: pageWords)
      #expect(try fixture.rows() == rows)
      let findings = try RecordingExamination.examine(fixture.path)
      #expect(!findings.contains { $0.what == "journal" })
      try fixture.openForWriting()
      #expect(try fixture.rows() == rows)
      #expect(!FileManager.default.fileExists(atPath: fixture.journal))
    }
    // Anything else without a header is left alone.
    for words in [[7], Array(whole.prefix(7)) + [UInt64](repeating: 1, count: 100)] {
      try fixture.writeFirstPage(words, words: 512)
      try fixture.openForWriting()
      #expect(FileManager.default.fileExists(atPath: fixture.journal))
    }
  }

  @Test func `records over the ring's end, and none of the lap before`() throws {
    // The lanes begin 20 words before the ring's end; the tables have everything before.
    try fixture.write(start: 512 * 3 - 20)
    try Recordings.run(
      "INSERT INTO journal VALUES (1, 0, 1516), (1, 1, 1516)", on: fixture.path)
    #expect(try fixture.rows()["samples"]?.count == 10)
    // What stands before the position is of an earlier lap to a reader that begins at 0.
    try Recordings.run("UPDATE journal SET consumed = 1004", on: fixture.path)
    #expect(try fixture.rows()["samples"]?.count == 5)
  }

  private func connection() throws -> Connection {
    try Connection(path: fixture.path, for: .writing)
  }
}
