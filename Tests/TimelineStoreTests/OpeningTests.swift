import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The code with which a file is refused for reading.
  private func refusal(_ path: String) -> StoreError? {
    do {
      try Recordings.readEverything(path)
      return nil
    } catch {
      return error
    }
  }

  /// The code with which a file is refused for recording.
  private func recordingRefusal(_ path: String) -> StoreError? {
    do {
      _ = try Recordings.open(path)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  @Test func `a file that is no recording is refused with the reason, and left as it is`() throws {
    let other = folder.path("other.db")
    try Recordings.run("CREATE TABLE t (a)", on: other)
    let foreign = folder.path("foreign.db")
    try Recordings.run("PRAGMA application_id = 77; PRAGMA user_version = 1", on: foreign)
    for (path, code) in [
      (try write([], "empty.kymo"), StoreError.Code.notADatabase),
      (try write(Array("Dear reader, this is a letter.\n".utf8), "letter.kymo"), .notADatabase),
      (try write((0..<9_000).map { UInt8($0 % 251) }, "noise.kymo"), .notADatabase),
      (other, .notARecording), (foreign, .notARecording), (folder.url.path, .notAFile),
      (folder.path("none.kymo"), .notFound), (folder.path("no/such/folder.kymo"), .notFound),
      ("", .notFound), ("nul\u{0}.kymo", .notFound),
    ] {
      let before = try? bytes(path)
      let error = try #require(refusal(path), "\(path) must be refused")
      #expect(error.code == code, "\(path): \(error)")
      #expect(error.isAboutTheFile)
      #expect((path.isEmpty || error.message.contains(path)))
      #expect(error.message.hasSuffix("."))
      #expect((try? bytes(path)) == before)
    }
    for (path, code) in [
      (folder.path("letter.kymo"), StoreError.Code.notADatabase), (other, .notARecording),
      (foreign, .notARecording), (folder.url.path, .notAFile),
      (folder.path("no/such/folder.kymo"), .notFound), ("", .notFound),
    ] {
      let before = try? bytes(path)
      #expect(recordingRefusal(path)?.code == code, "\(path)")
      #expect((try? bytes(path)) == before)
    }
  }

  @Test func `an empty file can be recorded into, as one that mktemp made`() throws {
    let path = try write([], "fresh.kymo")
    try Recordings.make(path)
    #expect(try Recordings.readEverything(path) > 10)
  }

  @Test func `a recording of a newer program is read where it can be, and never written`() throws {
    let path = folder.path("newer.kymo")
    try Recordings.make(path)
    try Recordings.run("PRAGMA user_version = \(RecordingFormat.schemaVersion + 1)", on: path)
    let before = try bytes(path)
    #expect(try Recordings.readEverything(path) > 10)
    #expect(try RecordingReader(path: path).isFromNewerProgram)
    #expect(recordingRefusal(path)?.code == .newerSchema)
    #expect(try bytes(path) == before)
    try Recordings.run("ALTER TABLE touch ADD COLUMN pressure REAL", on: path)
    #expect(try Recordings.readEverything(path) > 10)
    try Recordings.run("DROP VIEW keys; ALTER TABLE touch RENAME COLUMN x TO left", on: path)
    #expect(refusal(path)?.code == .newerSchema)
    try Recordings.run("PRAGMA user_version = 0", on: path)
    #expect(refusal(path)?.code == .damaged)
    try Recordings.run("PRAGMA user_version = -5", on: path)
    #expect(refusal(path)?.code == .damaged)
  }

  @Test func `frames that were over before they could be read are frames, but not looked at`()
    throws
  {
    let path = folder.path("unread.kymo")
    let store = try Recordings.open(path)
    try store.begin(isDurable: false)
    try store.insert(
      FrameRecord(
        number: 5,
        state: FrameState(
          time: Instant(nanoseconds: 50), phase: .driving, progress: nil, contentOffset: .zero,
          contentSize: .zero, began: Instant(nanoseconds: 49), isUnread: true), isKeyFrame: false))
    try store.commit()
    try store.settleIntoOneFile()
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.frames(in: 1).rest().map(\.state.isUnread) == [
        false, false, false, false, false, true,
      ])
    #expect(try reader.frames(in: 1).rest().last?.state.began == Instant(nanoseconds: 49))
    let frames = try reader.foldedFrames(in: 1)
    var read: [Int64] = []
    while let frame = try frames.nextRead() { read.append(frame.frame.number) }
    #expect(read == [0, 1, 2, 3, 4])
  }

  @Test func `a second recorder is refused as long as the first one records`() throws {
    let path = folder.path("shared.kymo")
    var first: RecordingStore? = try Recordings.open(path)
    let error = try #require(WriterTurn.$waitMilliseconds.withValue(0) { recordingRefusal(path) })
    #expect(error.code == .busy)
    #expect(error.message.contains("in use"))
    try first?.settleIntoOneFile()
    first = nil
    let store = try RecordingStore(
      path: path, description: Recordings.description("another"), uuid: "another")
    #expect(store.session == 2)
    #expect(try RecordingReader(path: path).sessionRecords().map(\.number) == [1, 2])
  }

  @Test func `a uuid that the file has already is refused, and no byte of the file changes`() throws
  {
    let path = folder.path("twice.kymo")
    try Recordings.make(path)
    let before = try bytes(path)
    #expect(recordingRefusal(path)?.code == .uuidInUse)
    #expect(try bytes(path) == before)
    #expect(try RecordingReader(path: path).sessionRecords().count == 1)
  }

  @Test func `a copy that was made without its log is known as one`() throws {
    let path = folder.path("run.kymo")
    let copy = folder.path("copy.kymo")
    let store = try Recordings.open(path)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try RecordingReader(path: copy).isWithoutLog)
    #expect(try !RecordingReader(path: path).isWithoutLog)
    _ = consume store
    let finished = folder.path("finished.kymo")
    try Recordings.make(finished)
    #expect(try !RecordingReader(path: finished).isWithoutLog)
  }

  @Test func `a reader changes neither a finished recording nor one under way`() throws {
    let path = folder.path("run.kymo")
    let store = try Recordings.open(path)
    let database = try bytes(path)
    let log = try bytes(path + "-wal")
    #expect(!log.isEmpty)
    let rows = try Recordings.readEverything(path)
    #expect(rows > 20)
    #expect(try RecordingReader(path: path).sessionRecord(1).isClean == false)
    #expect(try RecordingReader(path: path).fileSizes.logBytes == Int64(log.count))
    #expect(try bytes(path) == database)
    #expect(try bytes(path + "-wal") == log)
    try store.settleIntoOneFile()
    let finished = try bytes(path)
    #expect(try Recordings.readEverything(path) == rows)
    #expect(try bytes(path) == finished)
  }

  @Test func `what a killed recorder left is read with its log, and goes on from there`() throws {
    let path = folder.path("run.kymo")
    let store = try Recordings.open(path)
    // A transaction that never commits must not show.
    try store.begin(isDurable: false)
    try store.insert(TimelineEvent(time: .zero, kind: .mark), sequence: 1)
    let copy = folder.path("copy.kymo")
    for ending in ["", "-wal"] {
      try Data(bytes(path + ending)).write(to: URL(fileURLWithPath: copy + ending))
    }
    store.rollBack()
    let database = try bytes(copy)
    let log = try bytes(copy + "-wal")
    let reader = try RecordingReader(path: copy)
    #expect(try reader.sessionRecord(1).isClean == false)
    #expect(try reader.samples(in: 1).rest().count == 5)
    #expect(try reader.events(in: 1).rest().count == 1)
    #expect(try bytes(copy) == database && bytes(copy + "-wal") == log)
    let next = try RecordingStore(
      path: copy, description: Recordings.description("next"), uuid: "next")
    #expect(next.session == 2)
    #expect(try reader.sessionRecords().count == 2)
  }

  @Test func `a recording whose log was lost opens, and says that it was not finished`() throws {
    let path = folder.path("run.kymo")
    let store = try Recordings.open(path)
    let copy = folder.path("alone.kymo")
    try Data(bytes(path)).write(to: URL(fileURLWithPath: copy))
    let reader = try RecordingReader(path: copy)
    #expect(try reader.sessionRecords().allSatisfy { !$0.isClean })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["alone.kymo", "run.kymo", "run.kymo-shm", "run.kymo-wal"])
    store.rollBack()
  }

  // The administrator may write everywhere, so these two show something to other users only.
  @Test(.enabled(if: getuid() != 0))
  func `a folder that cannot be written is enough for a finished recording`() throws {
    let path = folder.path("run.kymo")
    try Recordings.make(path)
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    #expect(try Recordings.readEverything(path) > 20)
    #expect(recordingRefusal(path)?.code == .readOnly)
    #expect(recordingRefusal(folder.path("new.kymo"))?.code == .readOnly)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
  }

  @Test(.enabled(if: getuid() != 0))
  func `a log in a folder that cannot be written is named, never passed over`() throws {
    let path = folder.path("run.kymo")
    let store = try Recordings.open(path)
    let copy = try TemporaryFolder()
    for ending in ["", "-wal"] {
      try Data(bytes(path + ending)).write(
        to: URL(fileURLWithPath: copy.path("run.kymo") + ending))
    }
    store.rollBack()
    chmod(copy.url.path, 0o555)
    defer { chmod(copy.url.path, 0o755) }
    let error = try #require(refusal(copy.path("run.kymo")))
    #expect(error.code == .readOnly)
    #expect(error.message.contains("-wal"))
    chmod(copy.url.path, 0o755)
    try FileManager.default.removeItem(atPath: copy.path("run.kymo-wal"))
    chmod(copy.url.path, 0o555)
    // Without the log, what the file itself has is read: here the tables, and no session yet.
    #expect(refusal(copy.path("run.kymo")) == nil)
  }

  @Test(.enabled(if: getuid() != 0))
  func `a file that may not be read is refused`() throws {
    let path = folder.path("run.kymo")
    try Recordings.make(path)
    chmod(path, 0)
    #expect(refusal(path)?.code == .cannotOpen)
    chmod(path, 0o444)
    #expect(refusal(path) == nil)
    #expect(recordingRefusal(path)?.code == .readOnly)
  }

  @Test func `a link to a recording leads to its log as well`() throws {
    let path = folder.path("run.kymo")
    let store = try Recordings.open(path)
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.path("link.kymo")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try Recordings.readEverything(link) > 20)
    #expect(recordingRefusal(link)?.code == .busy)
    store.rollBack()
  }

  @Test func `names that mean something to SQLite are only names`() throws {
    for name in [":memory:", "file:x?mode=memory", "a%20b#c?.kymo", "ümläut.kymo", "-wal"] {
      let path = folder.path(name)
      try Recordings.make(path)
      #expect(try Recordings.readEverything(path) > 10)
      try Recordings.run("PRAGMA journal_mode = WAL", on: path)
      // Now in log mode and without a log: the reader takes the other way in.
      #expect(try Recordings.readEverything(path) > 10)
    }
  }
}
