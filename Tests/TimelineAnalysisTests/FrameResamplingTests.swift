import MotionMeasures
import Testing
import TimelineModel
import TimelineStore

@Suite struct FrameResamplingTests {
  private func frame(
    _ milliseconds: Int64, _ progress: Double?, phase: MotionPhase = .driving,
    items: [(Int32, Double)] = []
  ) -> FoldedFrame {
    FoldedFrame(
      frame: FrameRecord(
        number: 0,
        state: FrameState(
          time: at(milliseconds), phase: phase, progress: progress,
          contentOffset: Point2D(x: 0, y: progress ?? 0),
          contentSize: Size2D(width: 10, height: 10)), isKeyFrame: true),
      elements: items.map { handle, x in
        ElementRecord(
          item: ItemHandle(rawValue: handle),
          indexPath: ItemIndexPath(section: 0, item: Int(handle)),
          pose: Pose(frame: Rect2D(x: x, y: 0, width: 2, height: 2)))
      })
  }

  private func resampled(_ frames: [FoldedFrame], rate: Double) throws -> [FoldedFrame] {
    var rest = frames[...]
    var resampling = FrameResampling(rate: rate) { rest.popFirst() }
    var result: [FoldedFrame] = []
    while let frame = try resampling.nextFrame() { result.append(frame) }
    #expect(try resampling.nextFrame() == nil)
    return result
  }

  @Test func `none stays none, and one is shown where its own instant is a frame`() throws {
    #expect(try resampled([], rate: 60) == [])
    #expect(try resampled([frame(0, 1)], rate: 60).map(\.frame.state.progress) == [1])
    #expect(try resampled([frame(20, 1)], rate: 100).map(\.frame.state.time) == [at(20)])
    #expect(try resampled([frame(5, 1)], rate: 100) == [])
  }

  @Test func `progress, offset and poses are mixed, phase is held`() throws {
    let frames = try resampled(
      [
        frame(0, 0, items: [(0, 0), (1, 5)]),
        frame(20, 1, phase: .settling, items: [(0, 8), (2, 9)]),
      ], rate: 200)
    #expect(frames.map(\.frame.state.progress) == [0, 0.25, 0.5, 0.75, 1])
    #expect(frames.map(\.frame.state.contentOffset.y) == [0, 0.25, 0.5, 0.75, 1])
    #expect(
      frames.map(\.frame.state.phase) == [.driving, .driving, .driving, .driving, .settling])
    #expect(frames[1].elements.map(\.pose.frame.minX) == [2, 5])
    #expect(frames[4].elements.map(\.pose.frame.minX) == [8, 9])
  }

  @Test func `a progress that only one of two frames has is held`() throws {
    let frames = try resampled([frame(0, 0.5), frame(20, nil, phase: .idle)], rate: 100)
    #expect(frames.map(\.frame.state.progress) == [0.5, 0.5, nil])
  }

  @Test func `frames of one instant show the newest, and times that run back do not trap`() throws {
    let twins = try resampled(
      [frame(0, 0), frame(10, 0.1), frame(10, 0.9), frame(20, 1)], rate: 100)
    #expect(twins.map(\.frame.state.progress) == [0, 0.9, 1])
    _ = try resampled([frame(0, 0), frame(30, 0.5), frame(10, 0.9), frame(40, 1)], rate: 100)
    _ = try resampled([frame(-50, 0), frame(10, 1)], rate: 100)
  }

  @Test func `a rate above and one below the recorded give the frames of that rate`() throws {
    let recorded = (0...60).map { frame($0 * 10, Double($0)) }
    for rate in [59.94, 24, 240, 1] {
      let times = try resampled(recorded, rate: rate).map(\.frame.state.time.nanoseconds)
      let even = times.indices.map { step -> Int64 in Int64((Double(step) * 1e9 / rate).rounded()) }
      #expect(times == even)
      let count: Int = Int(0.6 * rate) + 1
      #expect(times.count == count)
    }
  }
}
