import FaultVFS
import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Others hold the file: one that writes, and one that reads and never ends.
@Suite struct BusyTests {
  let folder: TemporaryFolder
  let disk: FaultDisk
  var path: String { folder.path("run.kymo") }

  init() throws {
    folder = try TemporaryFolder()
    disk = FaultDisk(folder.url.path)
  }

  @Test func `a lock that another holds during a commit is reported once, and nothing is lost`()
    throws
  {
    let known = KnownSession(number: 1)
    let failures = FailureLog()
    let recorder = try Recorder(
      path: path, session: known.description, policy: .wait, settings: .drivenByHand(.wait),
      onTrouble: { failures.add($0) })
    let handles = known.handles(of: recorder)
    for step in 0..<10 { known.record(step, into: recorder, handles) }
    recorder.writeBatch()
    do {
      let other = try PlainDatabase(path)
      try other.run("BEGIN IMMEDIATE")
      fault_thread_sleeps(false)
      for step in 10..<20 { known.record(step, into: recorder, handles) }
      recorder.writeBatch()
      fault_thread_sleeps(true)
      try other.run("ROLLBACK")
    }
    #expect(failures.all.map(\.code) == [.busy])
    // What could not be written stayed in the rings, and is written now.
    try recorder.finish(at: known.end, outcome: .finished)
    let found = try FoundSession(known, in: RecordingReader(path: path))
    #expect(found?.problems == [])
    #expect(found?.rows == known.rows(before: 20))
  }

  @Test func `a lock that another holds at the beginning refuses the recorder with its reason`()
    throws
  {
    let earlier = KnownSession(number: 1, steps: 10)
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let other = try PlainDatabase(path)
    try other.run("BEGIN IMMEDIATE")
    fault_thread_sleeps(false)
    let trial = Trial.recording(KnownSession(number: 2), policy: .wait, at: path)
    fault_thread_sleeps(true)
    #expect(trial.thrown.map(\.code) == [.busy])
    try other.run("ROLLBACK")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let next = Trial.recording(KnownSession(number: 2), policy: .wait, at: path)
    #expect(next.isFinished)
  }

  @Test func `a reader that never ends keeps its state, and the log goes after it`() throws {
    let earlier = KnownSession(number: 1, steps: 10)
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    var known = KnownSession(number: 2, steps: 200)
    known.keyCount = 6
    let recorder = try Recorder(
      path: path, session: known.description, policy: .live, settings: .drivenByHand(.live))
    let handles = known.handles(of: recorder)
    let other = try PlainDatabase(path)
    try other.run("BEGIN")
    let held = try other.integer("SELECT count(*) FROM samples")
    for step in 0..<known.steps {
      known.record(step, into: recorder, handles)
      if step % 5 == 4 { recorder.writeBatch() }
    }
    #expect(try other.integer("SELECT count(*) FROM samples") == held)
    fault_thread_sleeps(false)
    let error = #expect(throws: StoreError.self) {
      try recorder.finish(at: known.end, outcome: .finished)
    }
    fault_thread_sleeps(true)
    // The session is finished, and complete in both files together.
    #expect(error?.code == .logInUse)
    #expect(error?.message.contains("\(path)-wal") == true)
    #expect(throws: StoreError.self) { try recorder.finish() }
    #expect(try RecordingExamination.examine(path).allSatisfy { $0.severity == .note })
    let copy = folder.path("copy.kymo")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try FoundSession(known, in: RecordingReader(path: copy)) == nil)
    let logBytes = try RecordingReader(path: path).fileSizes.logBytes
    print("A reader that never ends: 40 commits leave a log of \(logBytes) bytes")
    #expect(try FoundSession(known, in: RecordingReader(path: path))?.isClean == true)
    try other.run("ROLLBACK")
    let next = Trial.recording(KnownSession(number: 3), policy: .wait, at: path)
    #expect(next.isFinished)
    // The held connection keeps the log's name alive, not its bytes.
    #expect(try RecordingReader(path: path).fileSizes.logBytes == 0)
  }

  @Test func `a reader of the newest state costs the file nothing, and finish says nothing`() throws
  {
    let known = KnownSession(number: 1, steps: 10)
    let recorder = try Recorder(
      path: path, session: known.description, policy: .wait, settings: .drivenByHand(.wait))
    let handles = known.handles(of: recorder)
    for step in 0..<known.steps { known.record(step, into: recorder, handles) }
    recorder.writeBatch()
    let other = try PlainDatabase(path)
    #expect(try #require(try other.integer("SELECT count(*) FROM frames")) > 0)
    fault_thread_sleeps(false)
    try recorder.finish(at: known.end, outcome: .finished)
    fault_thread_sleeps(true)
    // Its log is there as long as the other has the file open, and has nothing.
    let copy = folder.path("copy.kymo")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try FoundSession(known, in: RecordingReader(path: copy))?.isClean == true)
  }
}
