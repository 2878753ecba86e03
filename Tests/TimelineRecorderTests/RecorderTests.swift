import Foundation
import SQLiteAccess
import Synchronization
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct RecorderTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  /// Records a busy little session: several transactions, all sorts of rows.
  private func recordSomething(_ recorder: Recorder, steps: Int64 = 400) {
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "apple"))
    for step in 0..<steps {
      let time = Instant(nanoseconds: step * 8_333_333)
      recorder.record(Double(step) / 3, for: key, at: time, phase: .driving)
      recorder.record(
        TouchSample(
          time: time, contact: 0, phase: .moved, position: Point2D(x: Double(step), y: 0)))
      recorder.beginFrame(
        FrameState(
          time: time, phase: .driving, progress: Double(step) / 400, contentOffset: .zero,
          contentSize: .zero))
      recorder.record(
        Pose(center: Point2D(x: Double(step / 3), y: 0), size: .zero), of: item,
        at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
      if step % 50 == 0 { recorder.record(TimelineEvent(time: time, kind: .mark)) }
    }
  }

  @Test func `the same input makes the same file, byte for byte`() throws {
    for name in ["one.kymo", "two.kymo"] {
      for session in 1...2 {
        let recorder = try Recorder(
          path: folder.path(name), session: fixedDescription(session), policy: .wait)
        #expect(recorder.session == Int64(session))
        recordSomething(recorder)
        try recorder.finish(at: Instant(nanoseconds: 5_000_000_000), outcome: .finished)
      }
    }
    #expect(try data("one.kymo") == data("two.kymo"))
    #expect(try RecordingReader(path: folder.path("one.kymo")).sessionRecords().count == 2)
  }

  @Test func `a finished recording opens in a folder that cannot be written`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    recordSomething(recorder)
    try recorder.finish(at: .zero, outcome: .finished)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer {
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().count == 400)
    #expect(try files.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
  }

  @Test func `a session made without identity gets one`() throws {
    let before = Int64(Date().timeIntervalSince1970 * 1e9) - 60_000_000_000
    for _ in 0..<2 {
      let recorder = try Recorder(
        path: path, session: SessionDescription(software: "tests", clock: "app"), policy: .live)
      try recorder.finish(at: .zero, outcome: .none)
    }
    let sessions = try RecordingReader(path: path).sessionRecords()
    #expect(sessions[0].uuid != sessions[1].uuid)
    for session in sessions {
      #expect(
        try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
          .wholeMatch(in: session.uuid) != nil)
      #expect(session.description.wallClockStartNanoseconds ?? 0 > before)
    }
  }

  @Test func `numbers that are not finite are left out, with one warning for each key`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let first = recorder.keyHandle(for: "first", role: .custom, unit: "1")
    let second = recorder.keyHandle(for: "second", role: .custom, unit: "1")
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "apple"))
    let time = Instant(nanoseconds: 5)
    for value in [Double.nan, 1, .infinity, -.infinity, .signalingNaN] {
      recorder.record(value, for: first, at: time, phase: .idle)
      recorder.record(value, for: second, at: time, phase: .idle)
    }
    recorder.record(
      TouchSample(time: time, contact: 0, phase: .began, position: Point2D(x: .nan, y: 0)))
    let good = Pose(center: Point2D(x: 1, y: 2), size: Size2D(width: 3, height: 4))
    for pose in [good, Pose(center: Point2D(x: .infinity, y: 0), size: .zero), good] {
      recorder.beginFrame(
        FrameState(
          time: time, phase: .idle, progress: .nan, contentOffset: Point2D(x: .nan, y: 1),
          contentSize: .zero))
      recorder.record(pose, of: item, at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
    }
    recorder.record(good, of: item, at: ItemIndexPath(section: 0, item: 0))
    recorder.record(
      ReleaseDecision(
        transition: 0, time: time, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: .nan, progress: 1, progressVelocity: .nan,
        marginProgress: 1))
    recorder.record(
      ReleaseEstimate(
        transition: 0, time: time, key: first, value: 1,
        estimate: VelocityEstimate(estimator: "lsq2", velocity: .nan, sampleCount: -7),
        target: .infinity, remaining: nil, relativeVelocity: nil, settleTimeSeconds: .nan))
    recorder.record(
      TimelineEvent(time: time, kind: .mark, fields: EventField.list(["odd": Double.nan])))
    try recorder.finish(at: .zero, outcome: .none)

    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().map(\.sample.value) == [1, 1])
    #expect(try reader.touches(in: 1).rest().isEmpty)
    #expect(
      try reader.foldedFrames(in: 1).rest().map { $0.elements.map(\.pose) } == [
        [good], [good], [good],
      ])
    #expect(try reader.frames(in: 1).rest().allSatisfy { $0.state.progress == nil })
    #expect(try reader.decisions(in: 1).isEmpty)
    let estimate = try #require(try reader.estimates(in: 1).first)
    #expect(estimate.estimate.velocity == nil)
    #expect(estimate.target == nil)
    #expect(estimate.estimate.sampleCount == 0)
    let events = try reader.events(in: 1).rest()
    let warnings = events.filter { $0.kind == .warning }.map(\.fieldsJSON)
    #expect(warnings.filter { $0.contains("\"key\":\"first\"") }.count == 1)
    #expect(warnings.filter { $0.contains("\"key\":\"second\"") }.count == 1)
    #expect(warnings.filter { $0.contains("\"code\":\"nonFinite\"") }.count == 6)
    #expect(warnings.filter { $0.contains("\"code\":\"noFrame\"") }.count == 1)
    #expect(events.last?.fieldsJSON == #"{"odd":null}"#)
  }

  @Test func `an unfinished session is there from the start and not clean`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).isClean == false)
    #expect(try reader.sessionRecord(1).description.software == "tests 1")
    #expect(try reader.keySummaries(in: 1).isEmpty)
    recordSomething(recorder)
    // Transactions are cut each 250 ms of the session's 3.3 s, so most of it can be read already.
    #expect(try reader.samples(in: 1).rest().count > 300)
    #expect(try reader.keySummaries(in: 1).first?.sampleCount ?? 0 > 300)
    #expect(try reader.sessionRecord(1).counts == nil)
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `a recorder that is let go leaves what it was given, and no clean mark`(
    policy: RecordingPolicy
  ) throws {
    var recorder: Recorder? = try Recorder(path: path, session: fixedDescription(), policy: policy)
    if let recorder { recordSomething(recorder, steps: 40) }
    recorder = nil
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().count == 40)
    #expect(try reader.sessionRecord(1).isClean == false)
    #expect(!FileManager.default.fileExists(atPath: path + "-crash1"))
  }

  @Test func `after the end nothing is recorded and a second end is refused`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    try recorder.finish(at: .zero, outcome: .none)
    recorder.record(1, for: key, at: .zero, phase: .idle)
    recorder.beginFrame(
      FrameState(
        time: .zero, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero))
    recorder.endFrame()
    _ = recorder.keyHandle(for: "y", role: .custom, unit: "1")
    let error = #expect(throws: StoreError.self) {
      try recorder.finish(at: .zero, outcome: .none)
    }
    #expect(error?.code == .finished)
    #expect(try RecordingReader(path: path).samples(in: 1).next() == nil)
    #expect(try RecordingReader(path: path).keys(in: 1).count == 1)
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `several threads may record at once`(policy: RecordingPolicy) async throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: policy)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let key = recorder.keyHandle(for: "key \(thread)", role: .custom, unit: "1")
          for step in 0..<2_000 {
            recorder.record(
              Double(step), for: key, at: Instant(nanoseconds: Int64(step) * 1_000_000),
              phase: .idle)
          }
        }
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let keys = try reader.keys(in: 1)
    #expect(keys.map(\.name).sorted() == ["key 0", "key 1", "key 2", "key 3"])
    for key in keys {
      let values = try reader.samples(of: key.handle, in: 1).rest().map(\.sample.value)
      #expect(values == (0..<2_000).map { Double($0) })
    }
    #expect(try reader.sessionRecord(1).counts?.samples == 8_000)
    #expect(try reader.losses(in: 1).isEmpty)
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `trouble while writing is told once and thrown at the end`(policy: RecordingPolicy) throws {
    let told = Mutex(0)
    do {
      let recorder = try Recorder(path: path, session: fixedDescription(), policy: policy) {
        trouble in
        #expect(trouble.code == "writeFailed")
        told.withLock { $0 += 1 }
      }
      try breakTouches()
      recordSomething(recorder)
      let error = #expect(throws: StoreError.self) {
        try recorder.finish(at: .zero, outcome: .none)
      }
      #expect(error?.code == .damaged)
    }
    // It was let go without another try.
    #expect(told.withLock { $0 } == 1)
    #expect(FileManager.default.fileExists(atPath: path + "-crash1"))
    try mendTouches()
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).isClean == false)
    // The crash journal still has them all, and readers show them.
    #expect(try reader.touches(in: 1).rest().count == 400)
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `rows that could not be written for a while are all written, and the trouble too`(
    policy: RecordingPolicy
  ) throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: policy)
    try breakTouches()
    recordSomething(recorder)
    recorder.writeBatch()
    try mendTouches()
    try recorder.finish(at: Instant(nanoseconds: 9), outcome: .finished)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).isClean)
    #expect(try reader.sessionRecord(1).counts?.lost == 0)
    #expect(
      try reader.samples(in: 1).rest().map(\.sample.value) == (0..<400).map { Double($0) / 3 })
    #expect(try reader.touches(in: 1).rest().count == 400)
    #expect(try reader.frames(in: 1).rest().map(\.number) == Array(0..<400))
    let warnings = try reader.events(in: 1).rest().filter { $0.kind == .warning }
    #expect(warnings.count == 1)
    #expect(warnings.first?.fieldsJSON.contains("writeFailed") == true)
  }

  /// Takes a table away behind the recorder's back, and gives it back.
  private func breakTouches() throws { try alter("ALTER TABLE touch RENAME TO elsewhere") }
  private func mendTouches() throws { try alter("ALTER TABLE elsewhere RENAME TO touch") }

  private func alter(_ sql: String) throws {
    try Connection(path: path, for: .writing).execute(sql)
  }

  @Test(arguments: [RecordingPolicy.live, .wait])
  func `names beyond 64 KiB are left out with a warning, counted, and stop nothing`(
    _ policy: RecordingPolicy
  ) throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: policy)
    let most = String(repeating: "n", count: 65_536)
    let key = recorder.key(most).handle
    let long = recorder.key(most + "n").handle
    let ofLongUnit = recorder.key("unit", unit: most + "u").handle
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: most + "i"))
    #expect(long == ofLongUnit)
    for time in 1...3 {
      let time = Instant(nanoseconds: Int64(time))
      for key in [key, long, ofLongUnit] { recorder.record(1, for: key, at: time, phase: .idle) }
      recorder.recordForeign(1, for: long, at: time, phase: .idle)
      recorder.record(1, for: most + "again", at: time)
    }
    recorder.beginFrame(
      FrameState(
        time: Instant(nanoseconds: 4), phase: .idle, progress: nil, contentOffset: .zero,
        contentSize: .zero))
    recorder.record(Pose(frame: .zero), of: item, at: ItemIndexPath(section: 0, item: 0))
    recorder.endFrame()
    try recorder.finish()
    let reader = try RecordingReader(path: path)
    #expect(try reader.keys(in: 1).map(\.name) == [most])
    #expect(try reader.items(in: 1).isEmpty)
    #expect(try reader.samples(of: key, in: 1).rest().count == 3)
    let losses = try reader.losses(in: 1)
    #expect(losses.map(\.what) == [.sample])
    #expect(losses.map(\.key) == [nil])
    #expect(losses.map(\.count) == [13])
    #expect(try reader.sessionRecord(1).counts?.lost == 13)
    let warnings = try reader.events(in: 1).rest().filter { $0.kind == .warning }
    #expect(warnings.count == 2)
    #expect(warnings.allSatisfy { $0.fieldsJSON.contains("longName") })
  }
}
