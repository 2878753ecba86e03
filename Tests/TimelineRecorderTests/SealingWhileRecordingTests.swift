import Foundation
import RecordingRepair
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder

@testable import TimelineStore

/// Seconds of poses that become blocks while they are recorded.
@Suite struct SealingWhileRecordingTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private static var sealing: RecorderSettings {
    var settings = RecorderSettings()
    settings.plainPoseRows = 0
    return settings
  }

  /// Springs of 200 items at 120 Hz, a third of them moving.
  private func record(
    _ path: String, seconds: Int, items: Int = 200, policy: RecordingPolicy = .wait,
    settings: RecorderSettings? = nil
  ) throws {
    let settings = settings ?? Self.sealing
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: policy, settings: settings)
    let handles = (0..<items).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    var x = (0..<items).map { Double($0 % 20) * 50 }
    var velocity = x.map { _ in 0.0 }
    var alpha = x.map { _ in 1.0 }
    for frame in 0..<seconds * 120 {
      recorder.beginFrame(
        FrameState(
          time: Instant(nanoseconds: Int64(frame) * 1_000_000_000 / 120), phase: .settling,
          progress: 0.5, contentOffset: .zero, contentSize: Size2D(width: 1_000, height: 1_000)))
      for item in 0..<items {
        // Each moves for 64 frames of 190, towards another place each time.
        let turn = (frame + item * 7) / 190
        if (frame + item * 7) % 190 < 64 {
          let target = Double((turn * 37 + item * 13) % 900)
          velocity[item] += (324 * (target - x[item]) - 30.6 * velocity[item]) / 120
          x[item] += velocity[item] / 120
          if item % 2 == 0 { alpha[item] = 1 - abs(velocity[item]) / 10_000 }
        }
        recorder.record(
          Pose(
            center: Point2D(x: x[item], y: 1_000 - x[item] / 3),
            size: Size2D(width: 44, height: 44),
            alpha: alpha[item], zIndex: item), of: handles[item],
          at: ItemIndexPath(section: 0, item: item))
      }
      recorder.endFrame()
    }
    try recorder.finish(
      at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000), outcome: .finished)
  }

  private func count(_ sql: String, _ path: String? = nil) throws -> Int64 {
    let row = try RecordingReader(path: path ?? self.path).query(sql).rest().first?.first
    guard case .integer(let count)? = row else { return -1 }
    return count
  }

  @Test func `each second is sealed as it completes, and expands to rows that seal to the same`()
    throws
  {
    try record(path, seconds: 3)
    #expect(try count("SELECT count(*) FROM segment") == 3)
    #expect(try count("SELECT count(DISTINCT frame) FROM main.plain_attribute") == 3)
    let reader = try RecordingReader(path: path)
    let counted = try #require(try reader.sessionRecord(1).counts?.attributes)
    #expect(try count("SELECT count(*) FROM plain_attribute") == counted)
    let frames = try reader.foldedFrames(in: 1).rest()
    #expect(frames.count == 360)
    #expect(frames.allSatisfy { $0.elements.count == 200 })
    let blocks =
      "SELECT group_concat(hex(data) || checksum) FROM block ORDER BY first_frame, property"
    let sealed = try reader.query(blocks).rest()

    _ = try RecordingEditor(path: path).expand(session: 1)
    #expect(try count("SELECT count(*) FROM block") == 0)
    #expect(try count("SELECT count(*) FROM main.plain_attribute") == counted)
    #expect(try RecordingReader(path: path).foldedFrames(in: 1).rest() == frames)
    _ = try RecordingEditor(path: path).seal(session: 1)
    #expect(try RecordingReader(path: path).query(blocks).rest() == sealed)
  }

  @Test func `the same input gives the same file, byte for byte`() throws {
    let other = folder.path("other.kymo")
    try record(path, seconds: 2, items: 60)
    try record(other, seconds: 2, items: 60)
    #expect(try count("SELECT count(*) FROM segment") == 2)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path))
        == Data(contentsOf: URL(fileURLWithPath: other)))
  }

  @Test func `a live recording is sealed too, and reads like one under the other policy`() throws {
    let other = folder.path("other.kymo")
    try record(path, seconds: 2, items: 60)
    try record(other, seconds: 2, items: 60, policy: .live)
    #expect(try count("SELECT count(*) FROM segment", other) == 2)
    #expect(
      try RecordingReader(path: path).foldedFrames(in: 1).rest()
        == RecordingReader(path: other).foldedFrames(in: 1).rest())
  }

  @Test func `a frame of 200 items takes at most 2,000 bytes, key frames and summaries included`()
    throws
  {
    try record(path, seconds: 4)
    _ = try RecordingEditor(path: path).vacuum()
    let bytes = try RecordingReader(path: path).fileSizes.databaseBytes
    // The empty schema takes pages of its own, which are no part of a frame.
    #expect(bytes / 480 <= 2_000, "\(bytes / 480) bytes a frame")
    #expect(try count("SELECT count(*) FROM item_summary") == 200)
  }

  @Test func `a rounded session is rounded in rows and blocks alike`() throws {
    var settings = Self.sealing
    settings.precision = .point1024
    let exact = folder.path("exact.kymo")
    try record(path, seconds: 2, items: 60, settings: settings)
    try record(exact, seconds: 2, items: 60)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).precision == .point1024)
    let x = "SELECT center_x FROM attributes ORDER BY frame, item"
    let rounded = try reader.query(x).rest()
    let given = try RecordingReader(path: exact).query(x).rest()
    #expect(rounded.count == given.count)
    for (rounded, given) in zip(rounded, given) {
      guard case .real(let rounded) = rounded[0], case .real(let given) = given[0] else {
        Issue.record("no number")
        continue
      }
      #expect(rounded == (given * 1024).rounded() / 1024)
    }
    #expect(
      try reader.fileSizes.databaseBytes < RecordingReader(path: exact).fileSizes.databaseBytes)
  }

  /// Frames of 100 elements that all move, so many rows outside of key frames, in one session.
  private func recordRows(
    _ rows: Int, to name: String, _ settings: RecorderSettings,
    policy: RecordingPolicy = .wait
  ) throws -> String {
    let path = folder.path(name)
    var settings = settings
    // Under live the writer is driven by hand, so that nothing is lost however slow the machine is.
    if policy == .live { settings.commitNanoseconds = .max }
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: policy, settings: settings)
    let items = (0..<100).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    var left = rows
    var frame = 0
    while left > 0 {
      // 60 frames a second, of which the first is a key frame.
      let isKey = frame % 60 == 0
      let moving = isKey ? 100 : min(left, 100)
      recorder.beginFrame(
        FrameState(
          time: Instant(nanoseconds: Int64(frame) * 16_666_667), phase: .driving, progress: nil,
          contentOffset: .zero, contentSize: .zero))
      for item in 0..<100 {
        let x = item < moving ? Double(frame) : Double(frame - 1)
        recorder.record(
          Pose(center: Point2D(x: x, y: 0), size: Size2D(width: 1, height: 1)), of: items[item],
          at: ItemIndexPath(section: 0, item: item))
      }
      recorder.endFrame()
      if policy == .live, frame % 30 == 29 { recorder.writeBatch() }
      if !isKey { left -= moving }
      frame += 1
    }
    try recorder.finish(at: Instant(nanoseconds: Int64(frame) * 16_666_667), outcome: .none)
    return path
  }

  @Test func `poses stay plain rows up to a million, and the second with the next one is sealed`()
    throws
  {
    #expect(RecorderSettings().plainPoseRows == 1_000_000)
    var settings = RecorderSettings()
    // Beyond the rows that are held in columns ahead, so that those are met as they begin.
    settings.plainPoseRows = 140_000
    for policy in [RecordingPolicy.wait, .live] {
      let plain = try recordRows(140_000, to: "plain \(policy).kymo", settings, policy: policy)
      #expect(try count("SELECT count(*) FROM segment", plain) == 0)
      #expect(
        try count("SELECT count(*) FROM main.plain_attribute WHERE frame % 60 > 0", plain)
          == 140_000)
      #expect(try RecordingReader(path: plain).firstSealedFrame(in: 1) == nil)
      #expect(try !RecordingExamination.examine(plain).contains { $0.what == "sealed" })

      let sealed = try recordRows(140_001, to: "sealed \(policy).kymo", settings, policy: policy)
      #expect(try count("SELECT count(*) FROM segment", sealed) == 1)
      let first = try #require(try RecordingReader(path: sealed).firstSealedFrame(in: 1))
      #expect(first == (140_000 / 5_900) * 60)
      let findings = try RecordingExamination.examine(sealed).filter { $0.what == "sealed" }
      #expect(findings.map(\.severity) == [.note])
      #expect(findings[0].session == 1)
      #expect(findings[0].detail.contains("frame \(first) on"))
      _ = try RecordingEditor(path: sealed).expand(session: 1)
      #expect(
        try count("SELECT count(*) FROM main.plain_attribute WHERE frame % 60 > 0", sealed)
          == 140_001)
    }
  }

  @Test func `a limit of size or age seals from the first second on`() throws {
    for limit in [
      RecordingLimit(sizeBytes: 1 << 30), RecordingLimit(ageNanoseconds: 1 << 60),
    ] {
      var settings = RecorderSettings()
      settings.limit = limit
      let path = try recordRows(
        12_000, to: limit.sizeBytes == nil ? "age.kymo" : "size.kymo", settings)
      #expect(try RecordingReader(path: path).firstSealedFrame(in: 1) == 1)
    }
    #expect(
      try RecordingReader(path: recordRows(12_000, to: "none.kymo", RecorderSettings()))
        .firstSealedFrame(in: 1) == nil)
  }

  /// Everything that a reader says of poses, frame by frame and at moments.
  private struct Poses: Equatable {
    var frames: [FoldedFrame?] = []
    var rows: [[SQLValue]] = []
  }

  private func poses(_ path: String) throws -> Poses {
    let reader = try RecordingReader(path: path)
    var poses = Poses(frames: try reader.foldedFrames(in: 1).rest())
    for number in stride(from: 0, to: poses.frames.count, by: 17) {
      poses.frames.append(try reader.foldedFrame(Int64(number), in: 1))
      let some = Int64(number)...Int64(number + 9)
      poses.frames += try reader.foldedFrames(in: 1, numbers: some).rest()
    }
    for sql in ["SELECT * FROM attributes ORDER BY frame, item", "SELECT * FROM key_poses"] {
      poses.rows += try reader.query(sql).rest()
    }
    return poses
  }

  /// - Parameter areFew: Whether a second comes in two transactions, whose parts stay, or in many.
  @Test(arguments: [false, true])
  func `what transactions bring within a second are parts, which read as rows do`(areFew: Bool)
    throws
  {
    var settings = RecorderSettings()
    settings.commitNanoseconds = .max
    let plain = folder.path("plain.kymo")
    let names = [plain, path]
    let recorders = try names.map { name in
      settings.sealsFromStart = name == path
      return try Recorder(
        path: name, session: fixedDescription(), policy: .live, settings: settings)
    }
    for frame in 0..<300 {
      for recorder in recorders {
        recorder.beginFrame(
          FrameState(
            time: Instant(nanoseconds: Int64(frame) * 8_333_333), phase: .driving, progress: nil,
            contentOffset: .zero, contentSize: .zero))
        for item in 0..<60 where item % 7 > 0 || frame % 11 < 6 {
          recorder.record(
            Pose(
              center: Point2D(x: Double((frame * (item % 3)) % 97) / 3, y: Double(item)),
              size: Size2D(width: 1, height: 1)),
            of: recorder.itemHandle(for: ElementIdentity(category: .cell, id: "\(item)")),
            at: ItemIndexPath(section: 0, item: item))
        }
        recorder.endFrame()
        // Transactions of many sizes, with too little for a part among them.
        if areFew ? frame % 60 == 22 : frame % 23 == 0 || frame % 31 == 3 {
          recorder.writeBatch()
        }
      }
      guard [23, 46, 127, 184, 253].contains(frame) else { continue }
      #expect(try poses(path) == poses(plain), "after \(frame) frames")
    }
    #expect(try count("SELECT count(*) FROM segment WHERE is_part = 1") > 1)
    #expect(try count("SELECT count(*) FROM segment WHERE is_part = 0") == (areFew ? 0 : 2))

    // As its recorder leaves it when it is killed, without what is not committed.
    let copies = try names.map { name in
      let copy = name + ".copy"
      _ = try Connection(path: name, for: .writing).execute("VACUUM INTO '\(copy)'")
      return copy
    }
    let left = try poses(copies[0])
    #expect(try poses(copies[1]) == left)
    let healthy = try RecordingExamination.examine(copies[1], isDeep: true)
    #expect(healthy.allSatisfy { $0.severity != .damage }, "\(healthy)")
    let recovered = folder.path("recovered.kymo")
    #expect(try RecordingSalvage.recover(copies[1], into: recovered).sessions[0].losses.isEmpty)
    #expect(try poses(recovered) == left)
    for range in [0...100, 30...260, 128...250, 240...299] as [ClosedRange<Int64>] {
      let times =
        Instant(
          nanoseconds: range.lowerBound * 8_333_333)...Instant(
          nanoseconds: range.upperBound * 8_333_333)
      let cut = try copies.enumerated().map { index, copy in
        let path = folder.path("cut \(range.lowerBound) \(index).kymo")
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        let removal = try RecordingEditor(path: path).trim(1, to: times)
        return (path, removal)
      }
      #expect(cut[0].1 == cut[1].1)
      #expect(try poses(cut[1].0) == poses(cut[0].0), "\(range)")
    }
    #expect(try RecordingEditor(path: copies[1]).seal(session: 1).segments > 0)
    // What there is of the last second is too little for a segment of its own.
    let parts = "SELECT count(*) FROM segment WHERE is_part = 1 AND first_frame < 240"
    #expect(try count(parts, copies[1]) == 0)
    #expect(try poses(copies[1]) == left)
    _ = try RecordingEditor(path: copies[1]).expand(session: 1)
    let rows = "SELECT * FROM main.plain_attribute ORDER BY 1, 2, 3"
    #expect(
      try RecordingReader(path: copies[1]).query(rows).rest()
        == RecordingReader(path: copies[0]).query(rows).rest())
    _ = try RecordingEditor(path: path + ".copy").seal(session: 1)

    for recorder in recorders { try recorder.finish() }
    #expect(try poses(path) == poses(plain))
    #expect(try count(parts) == (areFew ? 6 : 0))
  }
}
