import FaultVFS
import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Files of which no row is missing, however they came to be as they are: nobody calls them damaged.
@Suite struct HealthyFileTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }
  let known = KnownSession(number: 1)

  init() throws { folder = try TemporaryFolder() }

  private func findings(_ path: String) throws -> [String] {
    try RecordingExamination.examine(path, isDeep: true).filter { $0.severity != .note }
      .map { "\($0.what): \($0.detail)" }
  }

  private func letGo(_ policy: RecordingPolicy, steps: Int) throws {
    let recorder = try Recorder(
      path: path, session: known.description, policy: policy, settings: .drivenByHand(policy))
    let handles = known.handles(of: recorder)
    for step in 0..<steps { known.record(step, into: recorder, handles) }
  }

  @Test(arguments: [RecordingPolicy.live, .wait], [0, 1, 20])
  func `a recorder that is let go without finish leaves one whole file`(
    policy: RecordingPolicy, steps: Int
  ) throws {
    try letGo(policy, steps: steps)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
    #expect(try findings(path) == [])
    let reader = try RecordingReader(path: path)
    #expect(!reader.isWithoutLog)
    #expect(try reader.recorderState(of: reader.sessionRecord(1)) == .ended)
    #expect(try FoundSession(known, in: reader)?.rows == known.rows(before: steps))
    let output = folder.path("out.kymo")
    #expect(try RecordingSalvage.recover(path, into: output).isWhole)
    #expect(try findings(output) == [])
    // And after the next recording as before.
    #expect(Trial.recording(KnownSession(number: 2), policy: .wait, at: path).isFinished)
    #expect(try findings(path) == [])
  }

  @Test func `a recorder that is let go while somebody reads leaves a whole file`() throws {
    var recorder: Recorder? = try Recorder(
      path: path, session: known.description, policy: .live, settings: .drivenByHand(.live))
    let handles = try #require(recorder.map { known.handles(of: $0) })
    for step in 0..<7 { recorder.map { known.record(step, into: $0, handles) } }
    recorder?.writeBatch()
    let reader = try RecordingReader(path: path)
    let cursor = try reader.samples(in: 1)
    _ = try cursor.next()
    recorder.map { known.record(7, into: $0, handles) }
    recorder = nil
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try findings(path) == [])
    #expect(try FoundSession(known, in: RecordingReader(path: path))?.rows == known.rows(before: 8))
    _ = try cursor.rest()
  }

  @Test func `a file that SQLite's shell closed after its recorder was killed misses nothing`()
    throws
  {
    let killed = try KilledFiles()
    let path = try killed.put(into: folder)
    #expect(try PlainDatabase(path).column("SELECT count(*) FROM frame").count == 1)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try Trial.damage(path) == [])
    let found = try RecordingExamination.examine(path)
    #expect(!found.contains { $0.what == "missingLog" })
    #expect(try !RecordingReader(path: path).isWithoutLog)
    let output = folder.path("out.kymo")
    let report = try RecordingSalvage.recover(path, into: output)
    #expect(report.isWhole)
    #expect(
      try FoundSession(killed.known, in: RecordingReader(path: output))?.rows
        == killed.known.rowCount)
    #expect(try findings(output) == [])
  }

  @Test func `what is missing of a file that was copied in part is said`() throws {
    let killed = try KilledFiles()
    func found(_ endings: [String]) throws -> [String] {
      let folder = try TemporaryFolder()
      let path = try killed.put(into: folder, only: endings)
      return try RecordingExamination.examine(path).filter { $0.severity != .note }.map(\.what)
    }
    // The journal makes up for the log.
    #expect(try found(["", "-wal", "-crash2"]) == ["journalWaiting", "notClosed"])
    #expect(try found(["", "-wal"]) == ["missingJournal", "notClosed"])
  }

  @Test func `an empty log, and a torn end of one, cost nothing`() throws {
    let killed = try KilledFiles()
    let path = try killed.put(into: folder)
    let log = URL(fileURLWithPath: path + "-wal")
    let whole = try Data(contentsOf: log)
    // A transaction that never got to its end, with noise in it.
    var torn = whole
    torn.append(whole[(whole.startIndex + 32)..<(whole.startIndex + 32 + 24 + 1_024)])
    torn.replaceSubrange((whole.count + 8)..<(whole.count + 16), with: whole[16..<24])
    try torn.write(to: log)
    #expect(try Trial.damage(path) == [])
    let torn2 = try RecordingExamination.examine(path).first { $0.what == "damagedLog" }
    #expect(torn2?.severity == .note)
    #expect(try RecordingSalvage.recover(path, into: folder.path("out.kymo")).isWhole)
    #expect(try PlainDatabase(path).column("PRAGMA wal_checkpoint(TRUNCATE)").first == "0")
    try Data().write(to: log)
    #expect(try Trial.damage(path) == [])
    #expect(
      try RecordingExamination.examine(path).allSatisfy { $0.what != "missingLog" })
  }

  @Test func `a journal of zeros, or torn, is folded in as far as it goes and does not stay`()
    throws
  {
    let killed = try KilledFiles()
    for page in 0..<6 {
      let folder = try TemporaryFolder()
      let path = try killed.put(into: folder)
      let journal = URL(fileURLWithPath: path + "-crash2")
      var bytes = try Data(contentsOf: journal)
      // The first page, each of the next, and then all of them.
      let zeros = page == 5 ? 0..<bytes.count : page * 4_096..<(page + 1) * 4_096
      bytes.replaceSubrange(zeros, with: Data(count: zeros.count))
      try bytes.write(to: journal)
      #expect(try Trial.damage(path) == [], "page \(page)")
      let output = folder.path("out.kymo")
      _ = try RecordingSalvage.recover(path, into: output)
      #expect(try findings(output) == [], "page \(page)")
      #expect(Trial.recording(KnownSession(number: 3), policy: .wait, at: path).isFinished)
      #expect(!FileManager.default.fileExists(atPath: journal.path), "page \(page)")
      #expect(try findings(path) == [], "page \(page)")
      #expect(
        try FoundSession(killed.known, in: RecordingReader(path: path))?.problems == [],
        "page \(page)")
    }
  }

  @Test func `a journal of a closed session that came back is left over and no more`() throws {
    let killed = try KilledFiles()
    let path = try killed.put(into: folder)
    try PlainDatabase(path).run(
      "UPDATE session SET end_ns = 900000000, outcome = 'none', sample_count = 0, frame_count = 0, "
        + "attribute_count = 0, touch_count = 0, event_count = 0, lost_count = 0 WHERE session = 2")
    let found = try RecordingExamination.examine(path).filter { $0.what == "strayJournal" }
    #expect(found.map(\.severity) == [.note])
  }

  @Test func `compacting while somebody reads leaves no lost pages`() throws {
    var large = known
    large.itemCount = 52
    large.stepsPerMove = 1
    large.steps = 60
    #expect(Trial.recording(large, policy: .wait, at: path).isFinished)
    let plain = RecordingEditorRun { editor throws(StoreError) in
      _ = try editor.expand(session: 1)
    }
    #expect(plain.trial(at: path).errors.isEmpty)
    let editor = try RecordingEditor(path: path)
    let reader = try RecordingReader(path: path)
    let cursor = try reader.samples(in: 1)
    _ = try cursor.next()
    _ = try editor.seal(session: 1)
    #expect(try editor.settleIntoOneFile() == .changes)
    try editor.vacuum()
    #expect(try findings(path) == [])
    let output = folder.path("out.kymo")
    #expect(try RecordingSalvage.recover(path, into: output).isWhole)
    #expect(try findings(output) == [])
    _ = try cursor.rest()
  }

  @Test func `pages behind the end that the header states are none of the recording`() throws {
    #expect(Trial.recording(known, policy: .wait, at: path).isFinished)
    let file = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: file)
    let last = bytes.suffix(1_024)
    for _ in 0..<6 { bytes.append(last) }
    try bytes.write(to: file)
    #expect(try findings(path) == [])
    let report = try RecordingSalvage.recover(path, into: folder.path("out.kymo"))
    #expect(report.isWhole)
    #expect(report.orphanPages == 0)
  }

  #if os(Linux)
    @Test func `the folder of a recording whose sessions all ended is not listed to read it`()
      throws
    {
      #expect(Trial.recording(known, policy: .wait, at: path).isFinished)
      func listings(_ path: String) throws -> Int64 {
        let before = fault_thread_folders_listed()
        #expect(try RecordingReader(path: path).sessionRecords().isEmpty == false)
        return fault_thread_folders_listed() - before
      }
      #expect(try listings(path) == 0)
      let open = try TemporaryFolder()
      #expect(try listings(KilledFiles().put(into: open)) == 1)
    }
  #endif
}
