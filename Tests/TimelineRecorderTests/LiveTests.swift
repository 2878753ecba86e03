import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The policy `live` with a writer that is held back: what does not fit is dropped and counted.
@Suite struct LiveTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func smallRecorder(rows: Int, reserved: Int = 2) throws -> Recorder {
    var limits = RecordingLimits()
    limits.liveRows = rows
    limits.reservedRows = reserved
    return try Recorder(path: path, session: fixedDescription(), policy: .live, limits: limits)
  }

  private func frame(_ time: Int64) -> FrameState {
    FrameState(
      time: Instant(nanoseconds: time), phase: .idle, progress: nil, contentOffset: .zero,
      contentSize: .zero)
  }

  @Test func `values beyond the queue are lost, counted by key and range of time`() throws {
    let recorder = try smallRecorder(rows: 10)
    let first = recorder.keyHandle(for: "first", role: .custom, unit: "1")
    let second = recorder.keyHandle(for: "second", role: .custom, unit: "1")
    recorder.withWriterHeld {
      for step in 0..<8 {
        recorder.record(0, for: first, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        recorder.record(0, for: second, at: Instant(nanoseconds: Int64(step)), phase: .idle)
      }
      recorder.record(0, for: second, at: Instant(nanoseconds: -50), phase: .idle)
      recorder.record(
        TouchSample(
          time: Instant(nanoseconds: 90), contact: 0, phase: .began, position: .zero))
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.samples(of: first, in: 1).rest().map(\.sample.time.nanoseconds) == [0, 1, 2, 3, 4])
    #expect(try reader.samples(of: second, in: 1).rest().count == 5)
    func loss(
      _ what: LossRecord.What, _ key: KeyHandle?, _ first: Int64, _ last: Int64, _ count: Int64
    ) -> LossRecord {
      LossRecord(
        what: what, key: key, first: Instant(nanoseconds: first), last: Instant(nanoseconds: last),
        count: count)
    }
    #expect(
      try reader.losses(in: 1) == [
        loss(.sample, first, 5, 7, 3), loss(.sample, second, -50, 7, 4),
        loss(.touch, nil, 90, 90, 1),
      ])
    #expect(try reader.session(1).counts?.lost == 8)
    #expect(try reader.session(1).isClean)
  }

  @Test func `events have a reserve that values cannot take`() throws {
    let recorder = try smallRecorder(rows: 3, reserved: 2)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    recorder.withWriterHeld {
      for step in 0..<5 {
        recorder.record(0, for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
      }
      for step in 0..<4 {
        recorder.record(Event(time: Instant(nanoseconds: Int64(step)), kind: .mark))
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().count == 3)
    #expect(try reader.events(in: 1).rest().count == 2)
    #expect(try reader.losses(in: 1).map(\.count) == [2, 2])
  }

  @Test func `a lost frame takes nothing with it that later frames need`() throws {
    let recorder = try smallRecorder(rows: 6)
    let items = (0..<2).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    func record(_ time: Int64, _ x: Double) {
      recorder.beginFrame(frame(time))
      for item in items {
        recorder.record(
          Pose(center: Point(x: x, y: 0), size: .zero), of: item,
          at: IndexPath(section: 0, item: 0))
      }
      recorder.endFrame()
    }
    recorder.withWriterHeld {
      // Each frame is three rows; the third and fourth do not fit.
      for step in 0..<4 { record(Int64(step), Double(step)) }
    }
    recorder.writeBatch()
    record(4, 1)
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let frames = try reader.foldedFrames(in: 1).rest()
    #expect(frames.map(\.frame.state.time.nanoseconds) == [0, 1, 4])
    #expect(frames.map { $0.elements.map(\.pose.center.x) } == [[0, 0], [1, 1], [1, 1]])
    #expect(
      try reader.losses(in: 1) == [
        LossRecord(
          what: .frame, key: nil, first: Instant(nanoseconds: 2), last: Instant(nanoseconds: 3),
          count: 2)
      ])
  }

  @Test(.timeLimit(.minutes(1)))
  func `what is given is written without anybody asking`() async throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    recorder.record(1, for: key, at: .zero, phase: .idle)
    let reader = try RecordingReader(path: path)
    while try reader.samples(in: 1).next() == nil { await Task.yield() }
    recorder.record(
      ReleaseDecision(
        transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: 0.5, progress: 1, progressVelocity: nil,
        marginProgress: 0.5))
    while try reader.decisions(in: 1).isEmpty { await Task.yield() }
    try recorder.finish(at: .zero, outcome: .none)
    #expect(try reader.session(1).isClean)
  }

  @Test func `a reader that stays open does not stop the end`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let reader = try RecordingReader(path: path)
    let sessions = try reader.query("SELECT uuid FROM sessions UNION ALL SELECT 'more'")
    #expect(try sessions.next() != nil)
    try recorder.finish(at: .zero, outcome: .none)
    #expect(try sessions.rest().count == 1)
    #expect(try RecordingReader(path: path).session(1).isClean)
  }
}
