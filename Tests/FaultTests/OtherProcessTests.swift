import FaultVFS
import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Another process holds a lock on the recording while it is being recorded. It speaks by pipes, so that
/// nothing waits for a clock.
@Suite struct OtherProcessTests {
  let folder: TemporaryFolder
  let disk: FaultDisk
  let failures = FailureLog()
  var path: String { folder.path("run.kymo") }

  init() throws {
    folder = try TemporaryFolder()
    disk = FaultDisk(folder.url.path)
  }

  private func recorder(
    _ known: KnownSession, _ policy: RecordingPolicy, settings: RecorderSettings? = nil
  ) throws -> Recorder {
    try Recorder(
      path: path, session: known.description, policy: policy,
      settings: settings ?? .drivenByHand(policy), onTrouble: { [failures] in failures.add($0) })
  }

  /// The session is there as a whole, and says once that another held the file.
  private func checkWhole(_ known: KnownSession, warnings: [String]) throws {
    let reader = try RecordingReader(path: path)
    let found = try FoundSession(known, in: reader)
    #expect(found?.problems == [])
    #expect(found?.rows == known.rowCount)
    #expect(found?.isClean == true)
    let codes = try reader.events(in: 1).rest().filter { $0.kind == .warning }.map(\.fieldsJSON)
    #expect(codes.count == warnings.count)
    for (event, code) in zip(codes, warnings) { #expect(event.contains(#""code":"\#(code)""#)) }
  }

  @Test func `under live another's transaction costs nothing, is told once, and recording goes on`()
    throws
  {
    let known = KnownSession(number: 1, steps: 40)
    let recorder = try recorder(known, .live)
    let handles = known.handles(of: recorder)
    for step in 0..<10 { known.record(step, into: recorder, handles) }
    recorder.writeBatch()
    let before = try FoundSession(known, in: RecordingReader(path: path))?.rows
    let other = try OtherProcess(holding: "write", of: path)
    fault_thread_sleeps(false)
    for step in 10..<30 {
      known.record(step, into: recorder, handles)
      if step % 5 == 4 { recorder.writeBatch() }
    }
    fault_thread_sleeps(true)
    #expect(failures.allCodes == ["busy"])
    #expect(before == known.rows(before: 10))
    other.letGo()
    #expect(other.endedWell)
    recorder.writeBatch()
    for step in 30..<40 { known.record(step, into: recorder, handles) }
    try recorder.finish(at: known.end, outcome: .finished)
    #expect(failures.allCodes == ["busy"])
    try checkWhole(known, warnings: ["busy"])
  }

  @Test func `under wait a commit that gives up is told once and tried again`() throws {
    let known = KnownSession(number: 1, steps: 40)
    let recorder = try recorder(known, .wait)
    let handles = known.handles(of: recorder)
    for step in 0..<10 { known.record(step, into: recorder, handles) }
    let other = try OtherProcess(holding: "write", of: path)
    fault_thread_sleeps(false)
    // A quarter of a second of the session's time is five steps: four commits give up.
    for step in 10..<30 { known.record(step, into: recorder, handles) }
    fault_thread_sleeps(true)
    #expect(failures.allCodes == ["busy"])
    other.letGo()
    for step in 30..<40 { known.record(step, into: recorder, handles) }
    try recorder.finish(at: known.end, outcome: .finished)
    #expect(failures.allCodes == ["busy"])
    try checkWhole(known, warnings: ["busy"])
  }

  @Test func `under wait the caller waits for another's transaction, and nothing is told`() throws {
    let known = KnownSession(number: 1, steps: 20)
    let recorder = try recorder(known, .wait)
    let handles = known.handles(of: recorder)
    let other = try OtherProcess(holding: "write", of: path)
    // It lets go when this thread goes to sleep for the first time, in the midst of a commit.
    fault_thread_at_next_sleep(
      { context in
        guard let context else { return }
        Unmanaged<OtherProcess>.fromOpaque(context).takeUnretainedValue().letGo()
      }, Unmanaged.passUnretained(other).toOpaque())
    for step in 0..<20 { known.record(step, into: recorder, handles) }
    #expect(other.endedWell)
    try recorder.finish(at: known.end, outcome: .finished)
    #expect(failures.allCodes == [])
    try checkWhole(known, warnings: [])
  }

  // MARK: A reader that does not end

  /// So many bytes of log are too long here.
  private static let longLogBytes = 400_000

  private var smallLog: RecorderSettings {
    var settings = RecorderSettings.drivenByHand(.live)
    settings.checkpointBytes = 82_000
    settings.longLogBytes = Self.longLogBytes
    return settings
  }

  private var logBytes: Int64 {
    get throws { try RecordingReader(path: path).fileSizes.logBytes }
  }

  @Test
  func `a reader that does not end lets the log grow, is told of once, and the log falls back`()
    throws
  {
    var known = KnownSession(number: 1, steps: 600)
    known.keyCount = 6
    let recorder = try recorder(known, .live, settings: smallLog)
    let handles = known.handles(of: recorder)
    var step = 0
    func record(until end: Int) {
      while step < end {
        known.record(step, into: recorder, handles)
        step += 1
        if step % 2 == 0 { recorder.writeBatch() }
      }
    }
    record(until: 100)
    #expect(try logBytes <= Self.longLogBytes)
    for round in 1...2 {
      let reader = try OtherProcess(holding: "read", of: path)
      fault_thread_sleeps(false)
      record(until: step + 200)
      fault_thread_sleeps(true)
      let long = try logBytes
      #expect(long > Self.longLogBytes)
      #expect(failures.allCodes == Array(repeating: "longLog", count: round))
      reader.letGo()
      #expect(reader.endedWell)
      record(until: step + 4)
      let short = try logBytes
      #expect(short <= Self.longLogBytes)
      print("A reader that does not end: a log of \(long) bytes, \(short) after it")
    }
    record(until: known.steps)
    try recorder.finish(at: known.end, outcome: .finished)
    try checkWhole(known, warnings: ["longLog", "longLog"])
    #expect(try logBytes == 0)
  }

  @Test(arguments: [1, 4_120_000])
  func
    `what a quiet recorder has committed outlasts a power cut, whatever a reader beside it holds`(
      checkpointBytes: Int
    ) throws
  {
    let known = KnownSession(number: 1, steps: 6)
    var settings = RecorderSettings.drivenByHand(.live)
    settings.checkpointBytes = checkpointBytes
    disk.beginLog()
    let recorder = try recorder(known, .live, settings: settings)
    let handles = known.handles(of: recorder)
    func record(_ steps: Range<Int>) {
      for step in steps { known.record(step, into: recorder, handles) }
      for _ in 0...settings.idleTurns + 1 { recorder.writeBatch() }
    }
    record(0..<5)
    let reader = try OtherProcess(holding: "read", of: path)
    record(5..<6)
    let operations = disk.operations
    reader.letGo()
    #expect(reader.endedWell)
    for seed in 0..<20 as Range<UInt64> {
      let cut = try TemporaryFolder()
      #expect(disk.cut(after: operations, seed: seed, into: cut.url.path) >= 0)
      let found = try FoundSession(known, in: RecordingReader(path: cut.path("run.kymo")))
      #expect(found?.rows == known.rowCount)
    }
    try recorder.finish(at: known.end, outcome: .finished)
    try checkWhole(known, warnings: [])
  }

  @Test func `a reader that ends while it is waited for leaves no trace`() throws {
    var known = KnownSession(number: 1, steps: 300)
    known.keyCount = 6
    let recorder = try recorder(known, .live, settings: smallLog)
    let handles = known.handles(of: recorder)
    let reader = try OtherProcess(holding: "read", of: path)
    fault_thread_at_next_sleep(
      { context in
        guard let context else { return }
        Unmanaged<OtherProcess>.fromOpaque(context).takeUnretainedValue().letGo()
      }, Unmanaged.passUnretained(reader).toOpaque())
    for step in 0..<known.steps {
      known.record(step, into: recorder, handles)
      if step % 2 == 1 { recorder.writeBatch() }
    }
    #expect(reader.endedWell)
    #expect(failures.allCodes == [])
    #expect(try logBytes <= Self.longLogBytes)
    try recorder.finish(at: known.end, outcome: .finished)
    try checkWhole(known, warnings: [])
  }
}
