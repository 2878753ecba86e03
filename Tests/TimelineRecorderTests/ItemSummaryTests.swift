import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What is written down of each element at the end of a session, and written anew when the session is
/// cut or rounded.
@Suite struct ItemSummaryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records frames of a play at 60 Hz in which elements move, stand, come and go.
  private func record(
    _ name: String, frames: Range<Int64>, precision: SealPrecision = .exact
  ) throws -> String {
    let path = folder.path(name)
    var settings = RecorderSettings()
    settings.precision = precision
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .wait, settings: settings)
    let items = (0..<4).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    recorder.record(
      TouchSample(time: Self.time(0), contact: 0, phase: .moved, position: .zero))
    for frame in frames {
      recorder.beginFrame(
        FrameState(
          time: Self.time(frame), phase: .driving, progress: nil, contentOffset: .zero,
          contentSize: .zero))
      let x = Double(frame) * 1.7 + 0.1
      recorder.record(Self.pose(x, x * x / 9), of: items[0], at: Self.indexPath(0))
      recorder.record(Self.pose(3, 4), of: items[1], at: Self.indexPath(1))
      if frame % 50 < 20 {
        recorder.record(
          Self.pose(Double(frame / 7), 0.3, alpha: 1 / Double(frame % 9 + 1)), of: items[2],
          at: Self.indexPath(2))
      }
      if frame > 100 { recorder.record(Self.pose(-x, 1), of: items[3], at: Self.indexPath(3)) }
      recorder.endFrame()
    }
    try recorder.finish(at: Self.time(300), outcome: .none)
    return path
  }

  private static func time(_ frame: Int64) -> Instant {
    Instant(nanoseconds: frame * 16_666_667)
  }

  private static func indexPath(_ item: Int) -> ItemIndexPath {
    ItemIndexPath(section: 0, item: item)
  }

  private static func pose(_ x: Double, _ y: Double, alpha: Double = 0.7) -> Pose {
    var pose = Pose(center: Point2D(x: x, y: y), size: Size2D(width: 10 + x / 3, height: 5))
    pose.alpha = alpha
    return pose
  }

  private func summaries(_ path: String) throws -> [[SQLValue]] {
    try RecordingReader(path: path).query("SELECT * FROM item_summary ORDER BY item").rest()
  }

  private func trim(_ path: String, _ frames: ClosedRange<Int64>) throws {
    let editor = try RecordingEditor(path: path)
    _ = try editor.trim(1, to: Self.time(frames.lowerBound)...Self.time(frames.upperBound))
    try editor.settleIntoOneFile()
  }

  @Test(arguments: [0...200, 30...219, 60...119, 95...96] as [ClosedRange<Int64>])
  func `a session that is cut has the summaries of one that was recorded so`(
    frames: ClosedRange<Int64>
  ) throws {
    let cut = try record("cut.kymo", frames: 0..<220)
    try trim(cut, frames)
    let short = try record("short.kymo", frames: frames.lowerBound..<frames.upperBound + 1)
    // Elements have the numbers that their recorder gave; here both give the same.
    let expected = try summaries(short)
    #expect(expected.count >= 2)
    #expect(try summaries(cut) == expected)
  }

  @Test func `a session of which no frame stays has no summaries`() throws {
    let path = try record("cut.kymo", frames: 0..<120)
    try trim(path, 500...600)
    #expect(try summaries(path).isEmpty)
  }

  @Test(arguments: [SealPrecision.float32, .point1024])
  func `rounding a session and recording it rounded come to the same summaries`(
    precision: SealPrecision
  ) throws {
    let rounded = try record("rounded.kymo", frames: 0..<200, precision: precision)
    let sealed = try record("sealed.kymo", frames: 0..<200)
    let exact = try summaries(sealed)
    let editor = try RecordingEditor(path: sealed)
    _ = try editor.seal(session: 1, precision: precision)
    try editor.settleIntoOneFile()
    #expect(try summaries(sealed) == summaries(rounded))
    #expect(try summaries(sealed) != exact)
    // They are of the rows that are there.
    let rows = try RecordingReader(path: sealed).query(
      """
      SELECT s.item FROM item_summary AS s JOIN attributes AS a ON a.item = s.item
      WHERE a.change <> 'gone' GROUP BY s.item
      HAVING min(a.center_x) <> s.min_center_x OR max(a.center_x) <> s.max_center_x
        OR min(a.center_y) <> s.min_center_y OR max(a.width) <> s.max_width
        OR min(a.alpha) <> s.min_alpha OR max(a.alpha) <> s.max_alpha
      """
    ).rest()
    #expect(rows.isEmpty)
  }

  @Test func `sealing and expanding exactly leave the summaries as they are`() throws {
    let path = try record("run.kymo", frames: 0..<200)
    let before = try summaries(path)
    let editor = try RecordingEditor(path: path)
    _ = try editor.expand(session: 1)
    _ = try editor.seal(session: 1)
    try editor.settleIntoOneFile()
    #expect(try summaries(path) == before)
  }

  @Test func `a recording that its own limit cut is healthy, also where seconds are sealed`() throws
  {
    let path = folder.path("always on.kymo")
    var settings = RecorderSettings()
    settings.limit = RecordingLimit(sizeBytes: RecordingLimit.smallestSizeBytes)
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .wait, settings: settings)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    let items = (0..<20).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    var generator = SplitMix(seed: 1)
    for frame in 0..<4_200 as Range<Int64> {
      let time = Self.time(frame)
      // Noise, which does not get smaller where it is sealed.
      for step in 0..<120 as Range<Int64> {
        recorder.record(
          Double.random(in: 0...1, using: &generator), for: key,
          at: Instant(nanoseconds: time.nanoseconds + step * 60_000), phase: .driving)
      }
      recorder.record(TouchSample(time: time, contact: 0, phase: .moved, position: .zero))
      recorder.beginFrame(
        FrameState(
          time: time, phase: .driving, progress: nil, contentOffset: .zero, contentSize: .zero))
      for (index, item) in items.enumerated() {
        recorder.record(
          Self.pose(Double(frame) / 3, Double(index)), of: item, at: Self.indexPath(index))
      }
      recorder.endFrame()
    }
    try recorder.finish(at: Self.time(4_200), outcome: .none)
    let reader = try RecordingReader(path: path)
    let removals = try reader.removals()
    #expect(removals.map(\.reason) == [.limit])
    #expect(removals[0].isWhole == false)
    #expect(try reader.query("SELECT count(*) > 3 FROM segment").rest() == [[.integer(1)]])
    let findings = try RecordingExamination.examine(path, isDeep: true)
    #expect(findings.map(\.what) == ["removed", "sealed", "sealedSamples"], "\(findings)")
    // Recovered, nothing of it counts as lost.
    let report = try RecordingSalvage.recover(path, into: folder.path("recovered.kymo"))
    #expect(report.sessions.map(\.losses) == [[]])
    // Cut by hand as well, it is healthy still.
    try trim(path, 4_000...4_100)
    let after = try RecordingExamination.examine(path, isDeep: true)
    #expect(after.map(\.what).prefix(2) == ["removed", "removed"], "\(after)")
    #expect(after.allSatisfy { $0.severity == .note })
  }
}
