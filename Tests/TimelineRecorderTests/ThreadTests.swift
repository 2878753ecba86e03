import Foundation
import Synchronization
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Many threads record at once, and more of them than there are rings.
@Suite struct ThreadTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// Runs a piece of work on so many threads of their own and waits for all.
  private func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        work(number)
        group.leave()
      }
    }
    group.wait()
  }

  private func recorder(
    ringBytes: Int = 4 << 20, ringCount: Int, _ policy: RecordingPolicy = .live
  ) throws -> Recorder {
    var settings = RecorderSettings()
    settings.ringBytes = ringBytes
    settings.ringCount = ringCount
    return try Recorder(
      path: path, session: fixedDescription(), policy: policy, settings: settings)
  }

  @Test(arguments: [1, 3, 16])
  func `threads beyond the rings share one, and nothing is lost or out of order`(
    ringCount: Int
  ) throws {
    let recorder = try recorder(ringCount: ringCount)
    onThreads(8) { thread in
      let key = recorder.keyHandle(for: "key \(thread)", role: .custom, unit: "1")
      for step in 0..<2_000 {
        recorder.record(
          Double(step), for: key, at: Instant(nanoseconds: Int64(step / 2)), phase: .idle)
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    for key in try reader.keys(in: 1) {
      let values = try reader.samples(of: key.handle, in: 1).rest().map(\.sample.value)
      #expect(values == (0..<2_000).map { Double($0) })
    }
    #expect(try reader.keys(in: 1).count == 8)
    #expect(try reader.losses(in: 1).isEmpty)
  }

  @Test func `threads that come and go leave all that they gave`() throws {
    let recorder = try recorder(ringBytes: 1 << 16, ringCount: 4)
    for round in 0..<40 {
      onThreads(3) { thread in
        recorder.record(
          Double(round), for: "thread \(thread)" as String,
          at: Instant(nanoseconds: Int64(round)))
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().count == 120)
    for key in try reader.keys(in: 1) {
      let values = try reader.samples(of: key.handle, in: 1).rest().map(\.sample.value)
      #expect(values == (0..<40).map { Double($0) })
    }
  }

  @Test func `what overflows on many threads is counted exactly, and the rest is in order`() throws
  {
    let recorder = try recorder(ringBytes: 1 << 14, ringCount: 4)
    recorder.withWriterHeld {
      onThreads(6) { thread in
        let key = recorder.keyHandle(for: "key \(thread)", role: .custom, unit: "1")
        for step in 0..<5_000 {
          recorder.record(
            Double(step), for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        }
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let losses = try reader.losses(in: 1)
    for key in try reader.keys(in: 1) {
      let values = try reader.samples(of: key.handle, in: 1).rest().map(\.sample.value)
      #expect(values == values.sorted())
      let loss = losses.filter { $0.key == key.handle }
      let lost: Int64 = loss.reduce(0) { $0 + $1.count }
      #expect(Int64(values.count) + lost == 5_000)
      #expect(loss.allSatisfy { $0.last == Instant(nanoseconds: 4_999) })
    }
    #expect(!losses.isEmpty)
  }

  @Test func `frames that wander from thread to thread are whole and in order`() throws {
    let recorder = try recorder(ringCount: 3)
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "apple"))
    for step in 0..<60 {
      onThreads(1) { _ in
        recorder.beginFrame(
          FrameState(
            time: Instant(nanoseconds: Int64(step)), phase: .idle, progress: nil,
            contentOffset: .zero, contentSize: .zero))
        recorder.record(
          Pose(center: Point2D(x: Double(step), y: 0), size: .zero), of: item,
          at: ItemIndexPath(section: 0, item: 0))
        recorder.endFrame()
      }
      if step % 7 == 0 { recorder.writeBatch() }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let frames = try RecordingReader(path: path).foldedFrames(in: 1).rest()
    #expect(frames.map(\.frame.number) == Array(0..<60))
    #expect(frames.map { $0.elements.map(\.pose.center.x) } == (0..<60).map { [Double($0)] })
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `a name in the program, a name in memory and a number are one key`(
    policy: RecordingPolicy
  ) throws {
    let recorder = try recorder(ringCount: 4, policy)
    let handle = recorder.keyHandle(for: "speed", role: .custom, unit: "pt/s")
    for step in 0..<3 {
      let time = Instant(nanoseconds: Int64(step))
      recorder.record(1, for: handle, at: time, phase: .idle)
      recorder.record(2, for: "speed", at: time)
      recorder.record(3, for: ["sp", "eed"].joined(), at: time)
      recorder.record(4, for: "speed", role: .animated, at: time)
    }
    for number in 0..<600 {
      recorder.record(5, for: "a key of many, number \(number)" as String, at: .zero)
    }
    recorder.record(6, for: "", at: .zero)
    recorder.record(7, for: handle)
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let keys = try reader.keys(in: 1)
    #expect(keys.count == 603)
    #expect(keys.prefix(2).map(\.role) == [.custom, .animated])
    #expect(keys.prefix(2).map(\.unit) == ["pt/s", "1"])
    let values = try reader.samples(of: handle, in: 1).rest().map(\.sample.value)
    #expect(values == [1, 2, 3, 1, 2, 3, 1, 2, 3, 7])
  }

  @Test func `a frame that a second thread opens within another's is warned of once`() throws {
    let recorder = try recorder(ringCount: 4, .wait)
    @Sendable func frame(_ time: Int64) -> FrameState {
      FrameState(
        time: Instant(nanoseconds: time), phase: .idle, progress: nil, contentOffset: .zero,
        contentSize: .zero)
    }
    // One thread after the other is as it should be.
    onThreads(1) { _ in
      recorder.beginFrame(frame(0))
      recorder.endFrame()
    }
    for round in 1...2 as ClosedRange<Int64> {
      recorder.beginFrame(frame(round * 10))
      onThreads(1) { _ in
        recorder.beginFrame(frame(round * 10 + 1))
        recorder.endFrame()
      }
    }
    try recorder.finish(at: Instant(nanoseconds: 100), outcome: .none)
    let reader = try RecordingReader(path: path)
    let warnings = try reader.events(in: 1).rest().filter { $0.kind == .warning }
    #expect(warnings.count == 1)
    #expect(warnings.allSatisfy { $0.fieldsJSON.contains(#""code":"frameThreads""#) })
    #expect(try reader.frames(in: 1).rest().count == 5)
  }
}
