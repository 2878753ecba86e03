import Foundation
import JSONText
import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import TimelineReport

/// Half a step of the page's positions, and as much again as rounding twice may take, in points.
private let halfStep = 1.0 / 2048 + 1e-9

@Suite struct ReportRunTests {
  let made: HandMadeRun

  init() throws { made = try HandMadeRun() }

  /// Compares a page's poses with the recording's, frame by frame; how many poses were compared.
  private func compare(_ run: ReportRun) throws -> Int {
    let unpacked = try PageReader(ReportPage(run)).frames()
    let recorded = try made.frames()
    try #require(unpacked.count == recorded.count)
    var count = 0
    for (page, frame) in zip(unpacked, recorded) {
      #expect(page.time == frame.frame.state.time.nanoseconds)
      #expect(abs(page.offset.y - frame.frame.state.contentOffset.y) <= halfStep)
      #expect((page.progress == nil) == (frame.frame.state.progress == nil))
      try #require(page.poses.count == frame.elements.count)
      for element in frame.elements {
        let pose = try #require(page.poses[Int(element.item.rawValue)])
        #expect(abs(pose.center.x - element.pose.center.x) <= halfStep)
        #expect(abs(pose.center.y - element.pose.center.y) <= halfStep)
        #expect(abs(pose.size.width - element.pose.size.width) <= halfStep)
        #expect(abs(pose.size.height - element.pose.size.height) <= halfStep)
        #expect(abs(pose.alpha - element.pose.alpha) <= 1 / 8192.0 + 1e-9)
        #expect(pose.zIndex == element.pose.zIndex)
        #expect(pose.isHidden == element.pose.isHidden)
        if case .flat(let flat) = element.pose.transform, case .flat(let page) = pose.transform {
          #expect(abs(page.b - flat.b) <= 1 / 131_072.0 + 1e-9)
          #expect(abs(page.tx - flat.tx) <= halfStep)
        }
        count += 1
      }
    }
    return count
  }

  @Test func `poses come back within half of 1/1024 point`() throws {
    try made.record { $0.recordArcs(items: 7, frames: 300, turning: true) }
    let run = try made.run()
    #expect(run.stride == 1)
    #expect(run.thinning.isEmpty)
    #expect(try compare(run) == 7 * 300)
  }

  @Test func `elements that come, go, hide and turn in space are where they were`() throws {
    var dice = SplitMix(seed: 7)
    try made.record { recorder in
      let handles = (0..<9).map {
        recorder.itemHandle(for: ElementIdentity(category: .cell, id: "\($0)"))
      }
      for frame in 0..<400 {
        recorder.beginFrame(
          FrameState(
            time: frameTime(frame), phase: .idle, progress: nil, contentOffset: .zero,
            contentSize: .zero))
        for (number, handle) in handles.enumerated() where UInt.random(in: 0..<4, using: &dice) > 0
        {
          var pose = Pose(
            frame: Rect2D(
              x: .random(in: -1e5...1e5, using: &dice), y: .random(in: -900...900, using: &dice),
              width: .random(in: 0...400, using: &dice), height: 3))
          pose.isHidden = Bool.random(using: &dice)
          pose.zIndex = .random(in: -9...9, using: &dice)
          if number == 8, var numbers = Optional(Transform3D(.identity).components) {
            numbers[3] = 1 / 500
            numbers[11] = -1 / 500
            pose.transform = ElementTransform(components: numbers) ?? .identity
          }
          recorder.record(pose, of: handle, at: ItemIndexPath(section: 0, item: number))
        }
        recorder.endFrame()
      }
    }
    #expect(try compare(try made.run()) > 2000)
    let unpacked = try PageReader(ReportPage(try made.run())).frames()
    let divisors = unpacked.compactMap { $0.divisors[8] }
    #expect(divisors.count > 200)
    #expect(divisors.allSatisfy { $0 == [(16_777_216.0 / 500).rounded(), 0, 16_777_216] })
  }

  @Test func `200 items for a minute stay below 10 MB, every frame kept`() throws {
    // A whole minute takes half a minute to record here; ten seconds of it are like the rest.
    let seconds = TestRounds.isLong ? 60 : 10
    try made.record(end: frameTime(120 * seconds)) {
      $0.recordArcs(items: 200, frames: 120 * seconds)
    }
    let run = try made.run()
    #expect(run.stride == 1)
    let page = ReportPage(run).bytes.count - run.packed.count
    #expect(page + run.packed.count * 60 / seconds < 10_000_000)
  }

  @Test func `what does not fit is thinned, with an error that holds`() throws {
    try made.record { $0.recordArcs(items: 12, frames: 960) }
    let run = try made.run(byteLimit: 6000)
    #expect(run.stride > 1)
    #expect(run.packed.count <= 6600)
    #expect(run.largestError > 0)
    let header = try PageReader(ReportPage(run)).json("run-A")
    let notes = try header.required("notes").array().map { try $0.string() }
    #expect(notes.contains { $0.contains("every \(run.stride)th frame") })
    #expect(notes.contains(where: { $0 == run.thinning[0] }))
    let unpacked = try PageReader(ReportPage(run)).frames()
    #expect(unpacked.count == 960)
    #expect(try largestDistance(run, header) <= run.largestError + 2 * halfStep)
  }

  @Test func `every frame lies in a chunk, wherever the limit is met`() throws {
    try made.record { $0.recordArcs(items: 3, frames: 241) }
    for byteLimit in stride(from: 100, through: 4000, by: 130) {
      let run = try made.run(byteLimit: byteLimit)
      let header = try PageReader(ReportPage(run)).json("run-A")
      let chunks = try header.required("chunks").array().map { try $0.numbers(count: 5) }
      #expect(chunks.reduce(0) { $0 + $1[3] } == 241, "\(byteLimit)")
      #expect((run.stride > 1) == !run.thinning.isEmpty)
    }
  }

  /// How far a side of a pose on the straight line between kept frames is from the recorded one.
  private func largestDistance(_ run: ReportRun, _ header: JSONFields) throws -> Double {
    let recorded = try made.frames()
    var unpacked: [[Int: Pose]] = Array(repeating: [:], count: recorded.count)
    var largest = 0.0
    for (row, chunk) in try header.required("chunks").array().enumerated() {
      let place = try chunk.numbers(count: 5).map { Int($0) }
      #expect(row > 0 || place[2] == 0)
      let kept = (0..<place[4]).map { min($0 * run.stride, place[3] - 1) }
      // The reader put the kept poses at the chunk's first frames, one after the other.
      let frames = try PageReader(ReportPage(run)).frames()
      for (left, right) in zip(kept.indices.dropLast(), kept.indices.dropFirst()) {
        for frame in kept[left]...kept[right] {
          let share = Double(frame - kept[left]) / Double(kept[right] - kept[left])
          for (item, start) in frames[place[2] + left].poses {
            guard let end = frames[place[2] + right].poses[item] else { continue }
            unpacked[place[2] + frame][item] = Pose(
              center: lerp(start.center, end.center, share), size: lerp(start.size, end.size, share)
            )
          }
        }
      }
    }
    for (poses, frame) in zip(unpacked, recorded) {
      for element in frame.elements {
        let pose = try #require(poses[Int(element.item.rawValue)])
        let x = abs(pose.center.x - element.pose.center.x)
        largest = max(largest, x + abs(pose.size.width - element.pose.size.width) / 2)
      }
    }
    return largest
  }

  @Test func `an empty session, one of one frame and one that is not closed are packed`() throws {
    try made.record { _ in }
    #expect(try made.run().frameCount == 0)
    #expect(try PageReader(ReportPage(try made.run())).frames().isEmpty)
    try made.record { $0.recordArcs(items: 1, frames: 1) }
    #expect(try compare(try made.run()) == 1)
    let open = try Recorder(
      path: made.path, session: SessionDescription(software: "test 1", clock: "app"), policy: .wait)
    open.recordArcs(items: 2, frames: 30)
    let run = try made.run()
    #expect(!run.session.isClean)
    let remarks = try PageReader(ReportPage(run)).json("run-A").required("remarks").array()
    #expect(try remarks.contains { try $0.string().contains("being recorded") })
    try open.finish(at: frameTime(30), outcome: .none)
  }

  @Test func `a page tells which keys hold between samples`() throws {
    let keys: [(name: String, role: KeyRole, unit: String, step: Double)] = [
      ("page", .custom, "1", 1), ("share", .custom, "1", 0.5), ("way", .custom, "pt", 1),
      ("progress", .progress, "1", 1), ("empty", .custom, "1", 0),
    ]
    try made.record { recorder in
      for key in keys {
        let handle = recorder.keyHandle(for: key.name, role: key.role, unit: key.unit)
        for row in 0..<16 where key.step > 0 {
          recorder.record(Double(row) * key.step, for: handle, at: frameTime(row), phase: .idle)
        }
      }
    }
    let header = try PageReader(ReportPage(try made.run())).json("run-A")
    let holding = try header.required("keys").array().map { try $0.object() }
      .filter { try $0.required("holds").bool() }.map { try $0.required("name").string() }
    #expect(holding == ["page"])
    try made.record { recorder in
      let handle = recorder.keyHandle(for: "page", role: .custom, unit: "1")
      for row in 0..<17 {
        recorder.record(Double(row), for: handle, at: frameTime(row), phase: .idle)
      }
    }
    let many = try PageReader(ReportPage(try made.run())).json("run-A")
    #expect(try many.required("keys").array()[0].object().required("holds").bool() == false)
  }

  @Test func `values come back within a millionth of their range, and peaks of long ones stay`()
    throws
  {
    try made.record { recorder in
      let key = recorder.keyHandle(for: "k", role: .custom, unit: "pt")
      for row in 0..<500_000 {
        let value = row == 123_457 ? 5000.0 : Double(row % 1000)
        recorder.record(
          value, for: key, at: Instant(nanoseconds: Int64(row) * 1_000_000), phase: .driving)
      }
    }
    let run = try made.run()
    #expect(run.thinning.contains { $0.hasSuffix("of every 4 values of a key.") })
    let header = try PageReader(ReportPage(run)).json("run-A")
    let key = try header.required("keys").array()[0].object()
    let blocks = try key.required("blocks").array().map { try $0.numbers(count: 3) }
    #expect(blocks.reduce(0) { $0 + $1[2] } == 250_000)
    let packed = Array(try PageReader(ReportPage(run)).element("data-A").utf8)
    var values: [Double] = []
    for block in blocks.map({ $0.map { Int($0) } }) {
      var bits = BitReader(base64: packed[block[0]..<(block[0] + block[1])])
      _ = bits.column(block[2])
      values += bits.column(block[2]).map { Double($0) / 1_048_576 * 5000 }
    }
    #expect(values.max() == 5000)
    // Each four in a row are n, n + 1, n + 2, n + 3: the first and the last of them stay.
    for (row, value) in values.prefix(100).enumerated() {
      #expect(abs(value - Double(row / 2 * 4 + row % 2 * 3)) <= 5000 / 2_097_152.0 + 1e-9)
    }
  }

  @Test func `a page that is told by seconds has the extremes of each, and says so`() throws {
    try made.record { recorder in
      let key = recorder.keyHandle(for: "k", role: .custom, unit: "pt")
      for row in 0..<12_000 {
        let value = row == 7_777 ? 5000.0 : row == 9_001 ? -5000 : Double(row * row % 1009)
        recorder.record(
          value, for: key, at: Instant(nanoseconds: Int64(row) * 50_000_000), phase: .driving)
      }
    }
    let exact = try made.run(byteLimit: 4_000)
    #expect(exact.thinning.contains { $0.contains("the smallest and the largest of every") })
    _ = try RecordingEditor(path: made.path).seal(session: 1)
    let run = try made.run(byteLimit: 4_000)
    let sentence = try #require(run.thinning.first { $0.contains("told by seconds") })
    let bucket = try #require(sentence.split(separator: " ").compactMap { Int($0) }.first)
    #expect(bucket >= 20)
    let header = try PageReader(ReportPage(run)).json("run-A")
    let key = try header.required("keys").array()[0].object()
    let packed = Array(try PageReader(ReportPage(run)).element("data-A").utf8)
    let seconds = try RecordingReader(path: made.path).seconds(in: 1).rest().map(\.summary)
    let extremes = Set(seconds.flatMap { [$0.smallest, $0.largest] })
    let tick = try header.required("tick").number()
    var rows: [(seconds: Double, value: Double)] = []
    for block in try key.required("blocks").array().map({ try $0.numbers(count: 3).map(Int.init) })
    {
      var bits = BitReader(base64: packed[block[0]..<(block[0] + block[1])])
      let times = bits.column(block[2])
      let values = bits.column(block[2]).map { -5000 + Double($0) / 1_048_576 * 10_000 }
      rows += zip(times, values).map { (Double($0) * tick / 1e9, $1) }
    }
    #expect(rows.count <= 2 * (12_000 / bucket + 1))
    for row in rows {
      #expect(extremes.contains { abs($0 - row.value) < 0.01 }, "\(row)")
    }
    for (value, time) in [(5000.0, 7_777 * 0.05), (-5000, 9_001 * 0.05)] {
      let found = try #require(rows.first { abs($0.value - value) < 0.01 })
      #expect(abs(found.seconds - time) <= 1)
    }
    // What is not thinned, and what is thinned by less than seconds, is packed as it is.
    #expect(try made.run().thinning.isEmpty)
  }

  @Test func `an app's decision has the progress at which its rule flips, recorded or not`() throws
  {
    let rule = ReleaseRule(kind: .compose, threshold: 0.6, velocityThreshold: 400, distance: 400)
    // At rest a half decides, and what was recorded stays.
    for (recorded, flip) in [(nil, 0.5), (0.55, 0.55)] {
      try made.record(outcome: .finished) { recorder in
        let key = recorder.keyHandle(for: "progress", role: .progress, unit: "1")
        recorder.record(0.58, for: key, at: .zero, phase: .driving)
        recorder.record(
          ReleaseDecision(
            transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "compose",
            ruleParameters: FieldValue.object(rule.fields).json, ruleOutcome: .finish,
            threshold: 0.6, progress: 0.58, progressVelocity: 0, marginProgress: nil,
            flipProgress: recorded))
      }
      let header = try PageReader(ReportPage(try made.run())).json("run-A")
      let decision = try PageReader.rows(of: "decisions", in: header)[0]
      #expect(try #require(decision["criterion"]).string() == "progress")
      #expect(try #require(decision["flipProgress"]).number() == flip)
    }
  }
}
