import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What lies in the crash journal while a recorder records: all that a kill would leave behind.
@Suite struct JournalContentTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// Reads the records of each lane between two positions, checking each.
  private func records(from start: [UInt64] = []) throws -> [[JournalRecord]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path + "-crash1"))
    let words = data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    let header = try #require(JournalHeader(words))
    return (0..<header.lanes(inBytes: data.count)).map { lane in
      let page = header.offset(ofLane: lane) / 8
      let ring = page + header.pageBytes / 8
      var position = lane < start.count ? start[lane] : 0
      var records: [JournalRecord] = []
      while position < words[page + JournalFormat.headWord] {
        func word(_ offset: Int) -> UInt64 {
          words[ring + (Int(position) + offset) & (header.laneWords - 1)]
        }
        let count = JournalRecord.length(word(0)) ?? 1
        let record = (0..<count).map(word)
        record.withUnsafeBufferPointer { record in
          #expect(JournalRecord.isIntact(record, at: position, salt: header.salt))
          if let read = JournalRecord(record) { records.append(read) }
        }
        position += UInt64(count)
      }
      return records
    }
  }

  @Test func `everything that a call has returned from is in the file, whole and in order`() throws
  {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "apple"))
    let time = Instant(nanoseconds: 7)
    let pose = Pose(
      center: Point2D(x: 1, y: -0.0), size: Size2D(width: 3, height: 4),
      transform: Transform3D(components: (0..<16).map(Double.init)).map(ElementTransform.spatial)
        ?? .identity, zIndex: -3)
    let state = FrameState(
      time: time, phase: .settling, progress: 0.25, contentOffset: Point2D(x: 1, y: 2),
      contentSize: Size2D(width: 3, height: 4), began: Instant(nanoseconds: 5), isUnread: true)
    let touch = TouchSample(
      time: time, contact: 2, phase: .moved, position: Point2D(x: 5, y: 6),
      heard: Instant(nanoseconds: 8), touchHeard: Instant(nanoseconds: 9))
    let event = TimelineEvent(time: time, kind: .mark, fields: EventField.list(["text": "here"]))
    var all: [[JournalRecord]] = []
    try recorder.withWriterHeld {
      recorder.record(1.5, for: key, at: time, phase: .driving)
      recorder.beginFrame(state)
      recorder.record(pose, of: item, at: ItemIndexPath(section: 1, item: 2))
      recorder.endFrame()
      recorder.record(touch)
      recorder.record(event)
      // A frame that is still open is not taken in.
      recorder.beginFrame(state)
      all = try records()
    }
    let element = ElementRecord(
      item: item, indexPath: ItemIndexPath(section: 1, item: 2), pose: pose)
    #expect(
      all == [
        [
          .key(KeyRecord(handle: key, name: "x", role: .animated, unit: "pt")),
          .item(
            ItemRecord(handle: item, identity: ElementIdentity(category: .cell, id: "apple"))),
        ],
        [
          .sample(key, Sample(time: time, value: 1.5), .driving),
          .frame(FrameRecord(number: 0, state: state, isKeyFrame: true), changes: 1),
          .change(.changed(element)), .touch(touch), .event(JournalEvent(event)),
        ],
      ])
    try recorder.finish(at: time, outcome: .none)
    #expect(!FileManager.default.fileExists(atPath: path + "-crash1"))
  }

  @Test func `after many laps of a small ring only what is new passes`() throws {
    var settings = RecorderSettings()
    settings.ringBytes = 1
    settings.reservedBytes = 0
    settings.commitNanoseconds = .max
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .live, settings: settings)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    var step = 0
    for _ in 0..<25 {
      for _ in 0..<70 {
        recorder.record(Double(step), for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        step += 1
      }
      recorder.writeBatch()
    }
    try recorder.withWriterHeld {
      let start = step
      for _ in 0..<60 {
        recorder.record(Double(step), for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        step += 1
      }
      let newest = try records(from: [0, UInt64(start) * 3])[1]
      #expect(newest.count == 60)
      #expect(
        newest.first
          == .sample(
            key, Sample(time: Instant(nanoseconds: Int64(start)), value: Double(start)), .idle))
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().map(\.sample.value) == (0..<step).map(Double.init))
    #expect(try reader.query("SELECT count(*) FROM journal").rest() == [[.integer(0)]])
  }

  @Test func `a frame and an event that are longer than a ring are not lost where one waits`()
    throws
  {
    var settings = RecorderSettings()
    settings.ringBytes = 1
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .wait, settings: settings)
    let items = (0..<100).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    for frame in 0..<4 {
      let time = Instant(nanoseconds: Int64(frame))
      recorder.beginFrame(
        FrameState(
          time: time, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero))
      for (number, item) in items.enumerated() {
        recorder.record(
          Pose(center: Point2D(x: Double(frame), y: Double(number)), size: .zero), of: item,
          at: ItemIndexPath(section: 0, item: number))
      }
      recorder.endFrame()
      recorder.record(
        TimelineEvent(
          time: time, kind: .mark,
          fields: EventField.list(["text": String(repeating: "long ", count: 3_000)])))
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let frames = try reader.foldedFrames(in: 1).rest()
    let positions = frames.map { $0.elements.map(\.pose.center.x) }
    #expect(positions == [0, 1, 2, 3].map { Array(repeating: $0, count: 100) })
    #expect(
      try reader.events(in: 1).rest().map(\.fieldsJSON.utf8.count) == [
        15_011, 15_011, 15_011, 15_011,
      ])
    #expect(try reader.losses(in: 1).isEmpty)
  }
}
