import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct FoldingTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func state(_ nanoseconds: Int64, progress: Double? = nil) -> FrameState {
    FrameState(
      time: Instant(nanoseconds: nanoseconds), phase: .driving, progress: progress,
      contentOffset: Point2D(x: -0.0, y: 3), contentSize: Size2D(width: 320, height: 1e6))
  }

  private func identity(_ number: Int) -> ElementIdentity {
    ElementIdentity(category: .cell, id: "item \(number)")
  }

  /// A pose out of a small set, so that poses repeat, with everything in it that can be hard to keep.
  private func randomPose(_ generator: inout some RandomNumberGenerator) -> Pose {
    let numbers: [Double] = [0, -0.0, 1, 1.0 / 3, .leastNonzeroMagnitude, -1e308]
    func pick() -> Double { numbers.randomElement(using: &generator) ?? 0 }
    let transforms: [ElementTransform] = [
      .identity, .flat(Transform2D(a: 1, b: -0.0, c: 0, d: 1, tx: 0, ty: 0)),
      .flat(Transform2D(a: pick(), b: pick(), c: pick(), d: pick(), tx: pick(), ty: pick())),
      Transform3D(components: (0..<16).map { _ in pick() }).map(ElementTransform.spatial)
        ?? .identity,
    ]
    return Pose(
      center: Point2D(x: pick(), y: pick()), size: Size2D(width: pick(), height: pick()),
      transform: transforms.randomElement(using: &generator) ?? .identity, alpha: pick(),
      zIndex: [0, .min, .max].randomElement(using: &generator) ?? 0,
      isHidden: Bool.random(using: &generator))
  }

  /// Every bit of an element, for comparisons that tell -0.0 from 0.0.
  private func bits(_ elements: [ElementRecord]) -> [String] {
    elements.map { element in
      let pose = element.pose
      let numbers =
        [pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha]
        + pose.transform.components
      return "\(element.item.rawValue) \(element.indexPath) \(pose.zIndex) \(pose.isHidden) "
        + numbers.map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
    }
  }

  @Test(arguments: 0..<12)
  func `what is read frame by frame is what was recorded`(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let handles = (0..<8).map { recorder.itemHandle(for: identity($0)) }
    var scene: [Int: ElementRecord] = [:]
    var expected: [[ElementRecord]] = []
    var time: Int64 = 0
    for _ in 0..<120 {
      for number in 0..<8 {
        switch generator.next() % 8 {
        case 0: scene[number] = nil
        case 1, 2:
          scene[number] = ElementRecord(
            item: handles[number],
            indexPath: ItemIndexPath(section: 0, item: Int(generator.next() % 3)),
            pose: randomPose(&generator))
        default: break
        }
      }
      // Steps of up to 0.6 s, now and then none and now and then backwards.
      time += Int64(generator.next() % 600_000_000) * (generator.next() % 9 == 0 ? -1 : 1)
      recorder.beginFrame(state(time))
      for number in scene.keys.shuffled(using: &generator) {
        guard let element = scene[number] else { continue }
        if generator.next() % 10 == 0 {
          recorder.record(
            Pose(center: .zero, size: .zero), of: element.item, at: element.indexPath)
        }
        recorder.record(element.pose, of: element.item, at: element.indexPath)
      }
      recorder.endFrame()
      expected.append(scene.values.sorted { $0.item.rawValue < $1.item.rawValue })
    }
    try recorder.finish(at: .zero, outcome: .none)

    let reader = try RecordingReader(path: path)
    let folded = try reader.foldedFrames(in: 1).rest()
    #expect(folded.map(\.frame.number) == Array(0..<120))
    #expect(folded.map { bits($0.elements) } == expected.map(bits))
    for number in 0..<120 as Range<Int64> {
      #expect(try reader.foldedFrame(number, in: 1) == folded[Int(number)])
    }
    #expect(try reader.foldedFrames(in: 1, numbers: 50...52).rest() == Array(folded[50...52]))
    #expect(try reader.foldedFrame(120, in: 1) == nil)
    let rows = try reader.query("SELECT count(*) FROM attributes WHERE change = 'changed'").rest()
    #expect(rows != [[.integer(Int64(expected.map(\.count).reduce(0, +)))]], "nothing was folded")
  }

  @Test func `a still scene costs rows in key frames only, one a second`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let item = recorder.itemHandle(for: identity(0))
    for frame in 0..<301 {
      recorder.beginFrame(state(Int64(frame) * 10_000_000))
      recorder.record(
        Pose(center: .zero, size: .zero), of: item, at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.query("SELECT frame, change FROM attributes ORDER BY frame").rest() == [
        [.integer(0), .text("changed")], [.integer(100), .text("same")],
        [.integer(200), .text("same")], [.integer(300), .text("same")],
      ])
    #expect(try reader.sessionRecord(1).counts?.frames == 301)
    #expect(try reader.sessionRecord(1).counts?.attributes == 4)
  }

  @Test func `a change of any one field of an element is a row, and an equal pose is none`()
    throws
  {
    let base = Pose(center: Point2D(x: 1, y: 2), size: Size2D(width: 3, height: 4))
    var changed = Array(repeating: base, count: 7)
    changed[0].center.x = 9
    changed[1].size.height = 9
    changed[2].alpha = 0.5
    changed[3].zIndex = 1
    changed[4].isHidden = true
    changed[5].transform = .flat(Transform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 1e-9))
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let handles = changed.indices.map { recorder.itemHandle(for: identity($0)) }
    for (frame, poses) in [Array(repeating: base, count: 7), changed].enumerated() {
      recorder.beginFrame(state(Int64(frame) * 1_000_000))
      for (item, pose) in poses.enumerated() {
        recorder.record(pose, of: handles[item], at: ItemIndexPath(section: 0, item: item))
      }
      recorder.endFrame()
    }
    try recorder.finish(at: Instant(nanoseconds: 2_000_000), outcome: .none)
    let reader = try RecordingReader(path: path)
    let rows = try reader.query("SELECT item FROM attributes WHERE frame = 1 ORDER BY item").rest()
    #expect(rows == (0..<6).map { [.integer($0)] })
  }

  @Test func `the last of an element's poses in a frame counts, also where it is as before`() throws
  {
    let upright = Pose(center: Point2D(x: 1, y: 2), size: Size2D(width: 3, height: 4))
    var turned = upright
    turned.transform = .flat(Transform2D(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
    // Numbers whose sum is not finite, though each of them is.
    let large = Pose(center: Point2D(x: 1e308, y: 1e308), size: Size2D(width: 3, height: 4))
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let item = recorder.itemHandle(for: identity(0))
    let frames = [
      [upright], [turned, upright], [upright, large, turned], [turned], [large, turned, large],
    ]
    for (frame, poses) in frames.enumerated() {
      recorder.beginFrame(state(Int64(frame) * 1_000_000))
      for pose in poses { recorder.record(pose, of: item, at: ItemIndexPath(section: 0, item: 0)) }
      recorder.endFrame()
    }
    try recorder.finish(at: Instant(nanoseconds: 5_000_000), outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.query("SELECT frame FROM attributes ORDER BY frame").rest()
        == [0, 2, 4].map { [.integer($0)] })
    #expect(
      try reader.foldedFrames(in: 1).rest().map { $0.elements.map(\.pose) }
        == [[upright], [upright], [turned], [turned], [large]])
  }

  @Test func `an element that gets no pose is gone, and an empty frame is empty`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let item = recorder.itemHandle(for: identity(0))
    let pose = Pose(center: Point2D(x: 1, y: 2), size: .zero)
    let place = ItemIndexPath(section: 0, item: 0)
    recorder.beginFrame(state(0))
    recorder.record(pose, of: item, at: place)
    recorder.endFrame()
    recorder.beginFrame(state(1))
    recorder.endFrame()
    recorder.endFrame()
    recorder.beginFrame(state(2))
    recorder.record(pose, of: item, at: place)
    // The next frame closes this one, and the end of the session the next.
    recorder.beginFrame(state(3))
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(try reader.foldedFrames(in: 1).rest().map(\.elements.count) == [1, 0, 1, 0])
    #expect(
      try reader.query("SELECT change FROM attributes ORDER BY frame").rest()
        == [[.text("changed")], [.text("gone")], [.text("changed")], [.text("gone")]])
  }

  @Test func `the frame shown at an instant is the newest before it, the last of equals`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    for time in [10, 20, 20, 15] as [Int64] {
      recorder.beginFrame(state(time))
      recorder.endFrame()
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    func shown(_ time: Int64) throws -> Int64? {
      try reader.frame(shownAt: Instant(nanoseconds: time), in: 1)?.number
    }
    #expect(try shown(9) == nil)
    #expect(try shown(10) == 0)
    #expect(try shown(14) == 0)
    #expect(try shown(15) == 3)
    #expect(try shown(20) == 2)
    #expect(try shown(.max) == 2)
  }

  @Test func `a frame's own state comes back bit for bit`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let states = [state(.min, progress: -0.0), state(.max, progress: 1.5), state(0)]
    for state in states {
      recorder.beginFrame(state)
      recorder.endFrame()
    }
    try recorder.finish(at: .zero, outcome: .none)
    let frames = try RecordingReader(path: path).frames(in: 1).rest()
    #expect(frames.map(\.state) == states)
    #expect(frames[0].state.progress?.sign == .minus)
    #expect(frames[0].state.contentOffset.x.sign == .minus)
  }
}
