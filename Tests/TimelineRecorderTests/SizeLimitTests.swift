import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A recorder that is always on stays within its size, however its rows come.
@Suite struct SizeLimitTests {
  let folder: TemporaryFolder
  var path: String { folder.path("on.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// What one turn gives a recorder.
  private typealias Turn = (_ recorder: Recorder, _ turn: Int, _ time: Instant) -> Void

  /// Records turns until they would take three times the limit, and holds the file against it all along.
  private func record(
    _ turns: Int, every nanoseconds: Int64, policy: RecordingPolicy, _ give: Turn
  ) throws {
    let limit = RecordingLimit.smallestSizeBytes
    var settings = RecorderSettings()
    settings.limit = RecordingLimit(sizeBytes: limit)
    // Under live the writer is driven by hand.
    if policy == .live { settings.commitNanoseconds = .max }
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: policy, settings: settings)
    for turn in 0..<turns {
      give(recorder, turn, Instant(nanoseconds: Int64(turn) * nanoseconds))
      guard turn % 10 == 9 else { continue }
      if policy == .live { recorder.writeBatch() }
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let bytes = (facts[.size] as? NSNumber)?.int64Value ?? 0
      #expect(bytes <= limit, "after \(turn) turns of \(nanoseconds) ns under \(policy)")
    }
    try recorder.finish(
      at: Instant(nanoseconds: Int64(turns) * nanoseconds), outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(reader.fileSizes.databaseBytes <= limit)
    let removals = try reader.removals()
    #expect(removals.map(\.reason) == [.limit])
    #expect(removals.map(\.isWhole) == [false])
    let findings = try RecordingExamination.examine(path, isDeep: true)
    // Frames that are more than a minute apart are worth a word, and no damage.
    #expect(findings.allSatisfy { $0.severity == .note || $0.what == "clockStep" }, "\(findings)")
    try FileManager.default.removeItem(atPath: path)
  }

  /// From a time that stands still to a frame a day.
  private static let distances: [Int64] = [
    0, 8_333_333, 15_000_000_000, 86_400_000_000_000,
  ]

  @Test(arguments: distances, [RecordingPolicy.wait, .live])
  func `frames of 200 elements, any time apart`(
    _ distance: Int64, _ policy: RecordingPolicy
  ) throws {
    try record(800, every: distance, policy: policy) { recorder, turn, time in
      recorder.beginFrame(
        FrameState(
          time: time, phase: .driving, progress: nil, contentOffset: .zero, contentSize: .zero))
      for item in 0..<200 {
        let spread = Double(turn * 7_919 + item * 104_729).truncatingRemainder(dividingBy: 1_000.5)
        recorder.record(
          Pose(
            center: Point2D(x: spread.squareRoot(), y: (spread + 1).squareRoot()),
            size: Size2D(width: 1 / (spread + 1), height: 1 / (spread + 3)),
            alpha: 1 / (spread + 2)),
          of: recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \(item)")),
          at: ItemIndexPath(section: 0, item: item))
      }
      recorder.endFrame()
    }
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `events and nothing else`(_ policy: RecordingPolicy) throws {
    let text = String(repeating: "x", count: 20_000)
    try record(700, every: 15_000_000_000, policy: policy) { recorder, turn, time in
      recorder.record(
        TimelineEvent(
          time: time, kind: .mark, fields: EventField.list(["text": text + String(turn)])))
    }
  }

  @Test func `an older session goes piece by piece, also where its frames are far apart`() throws {
    func frames(_ recorder: Recorder, _ count: Int) throws {
      let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "a"))
      for turn in 0..<count {
        let time = Instant(nanoseconds: Int64(turn) * 15_000_000_000)
        recorder.beginFrame(
          FrameState(
            time: time, phase: .driving, progress: nil, contentOffset: .zero, contentSize: .zero))
        recorder.record(
          Pose(center: Point2D(x: Double(turn), y: 0), size: .zero), of: item,
          at: ItemIndexPath(section: 0, item: 0))
        recorder.endFrame()
        recorder.record(
          TimelineEvent(
            time: time, kind: .mark,
            fields: EventField.list(["text": String(repeating: "x", count: 3_000)])))
      }
      try recorder.finish(
        at: Instant(nanoseconds: Int64(count) * 15_000_000_000), outcome: .none)
    }
    try frames(Recorder(path: path, session: fixedDescription(), policy: .wait), 1_000)
    var settings = RecorderSettings()
    settings.limit = RecordingLimit(sizeBytes: RecordingLimit.smallestSizeBytes)
    var description = fixedDescription()
    description.uuid = nil
    try frames(
      Recorder(path: path, session: description, policy: .wait, settings: settings), 300)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecords().count == 2)
    let left = try reader.frames(in: 1).rest()
    #expect((100..<1_000).contains(left.count))
    #expect(left.last?.number == 999)
    #expect(try reader.frames(in: 2).rest().count == 300)
  }
}
