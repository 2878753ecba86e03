import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A recorder that lets go of its file for a while, and one whose process forks.
@Suite struct SuspensionTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func values(_ recorder: Recorder, _ range: Range<Int>) {
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    for step in range {
      recorder.record(
        Double(step), for: key, at: Instant(nanoseconds: Int64(step) * 1_000_000), phase: .idle)
    }
  }

  private func expectValues(_ count: Int) throws {
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).isClean)
    #expect(try reader.samples(in: 1).rest().map(\.sample.value) == (0..<count).map(Double.init))
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `what is given while the file is let go is there in the end`(
    policy: RecordingPolicy
  ) throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: policy)
    values(recorder, 0..<100)
    try recorder.suspend()
    try recorder.suspend()
    // Everything so far is in the one file, and anybody may use it.
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try RecordingReader(path: path).samples(in: 1).rest().count == 100)
    values(recorder, 100..<700)
    let error = #expect(throws: StoreError.self) {
      try recorder.finish(at: .zero, outcome: .none)
    }
    #expect(error?.code == .suspended)
    #expect(error?.message.contains("suspended") == true)
    try recorder.resume()
    try recorder.resume()
    values(recorder, 700..<800)
    try recorder.finish(at: .zero, outcome: .none)
    try expectValues(800)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
    #expect(throws: StoreError.self) { try recorder.suspend() }
    #expect(throws: StoreError.self) { try recorder.resume() }
  }

  @Test func `a thread that begins while the file is let go has its values in their order`() throws
  {
    var settings = RecorderSettings()
    settings.busyMilliseconds = 1
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .live, settings: settings)
    let late = recorder.keyHandle(for: "late", role: .custom, unit: "1")
    let early = recorder.keyHandle(for: "early", role: .custom, unit: "1")
    func record(_ key: KeyHandle, _ values: Range<Int>, at nanoseconds: Int64) {
      for value in values {
        recorder.record(
          Double(value), for: key, at: Instant(nanoseconds: nanoseconds), phase: .idle)
      }
    }
    try recorder.suspend()
    // There is no lane to be had now, so this thread shares one: first something late, then the
    // beginning of an instant of which the rest comes later.
    record(late, 0..<10, at: 1_000)
    record(early, 0..<5, at: 10)
    do {
      // Nothing is written until the thread has a lane of its own with the rest in it.
      let other = try Connection(path: path, for: .writing)
      try other.begin()
      try recorder.resume()
      record(early, 5..<10, at: 10)
      other.rollBack()
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    for key in [early, late] {
      let values = try reader.samples(of: key, in: 1).rest().map(\.sample.value)
      #expect(values == (0..<10).map { Double($0) })
    }
  }

  @Test func `a file that was replaced meanwhile is not gone on with`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    values(recorder, 0..<10)
    try recorder.suspend()
    let files = FileManager.default
    let aside = folder.path("aside.kymo")
    try files.moveItem(atPath: path, toPath: aside)
    #expect(throws: StoreError.self) { try recorder.resume() }
    let other = try Recorder(
      path: folder.path("other.kymo"), session: fixedDescription(2), policy: .wait)
    try other.finish(at: .zero, outcome: .none)
    try files.moveItem(atPath: folder.path("other.kymo"), toPath: path)
    let error = #expect(throws: StoreError.self) { try recorder.resume() }
    #expect(error?.code == .noSuchSession)
    try files.removeItem(atPath: path)
    try files.moveItem(atPath: aside, toPath: path)
    try recorder.resume()
    values(recorder, 10..<20)
    try recorder.finish(at: .zero, outcome: .none)
    try expectValues(20)
  }

  @Test func `a suspended recorder that is let go leaves its journal`() throws {
    do {
      let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
      values(recorder, 0..<10)
      try recorder.suspend()
      values(recorder, 10..<20)
    }
    #expect(FileManager.default.fileExists(atPath: path + "-crash1"))
    #expect(try RecordingReader(path: path).sessionRecord(1).isClean == false)
  }

  @Test func `a second recorder on the same file is refused`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let error = #expect(throws: StoreError.self) {
      try Recorder(path: path, session: fixedDescription(2), policy: .live)
    }
    #expect(error?.code == .busy)
    values(recorder, 0..<10)
    try recorder.finish(at: .zero, outcome: .none)
    try expectValues(10)
    let next = try Recorder(path: path, session: fixedDescription(2), policy: .live)
    try next.finish(at: .zero, outcome: .none)
    #expect(try RecordingReader(path: path).sessionRecords().count == 2)
  }

  @Test func `in a forked child a recorder does nothing, and the parent's goes on`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    values(recorder, 0..<10)
    let child = try #require(
      ForkedProcess.run {
        recorder.record(99, for: key, at: .zero, phase: .idle)
        recorder.beginFrame(
          FrameState(
            time: .zero, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero))
        recorder.endFrame()
        do {
          try recorder.finish(at: .zero, outcome: .none)
          return 1
        } catch {
          return 0
        }
      })
    #expect(child == 0)
    values(recorder, 10..<20)
    try recorder.finish(at: .zero, outcome: .none)
    try expectValues(20)
  }
}
