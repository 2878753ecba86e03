import BenchmarkYardsticks
import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// One element's pose in a frame of 200, compared with the one before and stored where it differs, beside
/// a copy of as many bytes in C.
let itemFrameBenchmarks: [Benchmark] =
  cases("item", "an element's pose", burst: nil)
  + cases("item-frames", "an element's pose, a frame of 200 each 8.3 ms", burst: 1)

private let itemCount = 200
/// Center, size, alpha and six of a flat transform, with place and flags: what a pose is compared by.
private let doublesEach = 13
/// Words of a changed element in the ring, and of a frame.
private let frameWords = itemCount * 10 + 9

private func cases(_ group: String, _ what: String, burst: Int?) -> [Benchmark] {
  let bars = [burst == nil ? Bar.nanoseconds(40) : .speed(1 / 2.2)]
  return [
    Benchmark(
      name: "\(group)-c", group: group, unit: "item-frame",
      summary: "\(what) copied in C, 13 doubles: the yardstick"
    ) { copies(burst: burst) },
    Benchmark(
      name: "\(group)-changed", group: group, unit: "item-frame", bars: bars,
      summary: "\(what) that differs from the one before"
    ) { try recorded(burst: burst, isChanging: true) },
    Benchmark(
      name: "\(group)-unchanged", group: group, unit: "item-frame", bars: bars,
      summary: "\(what) that is as before"
    ) { try recorded(burst: burst, isChanging: false) },
  ]
}

private func recorded(burst: Int?, isChanging: Bool) throws -> Benchmark.Work {
  let space = try RingSpace(wordsEach: frameWords)
  let recorder = space.recorder
  let items = (0..<itemCount).map {
    recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
  }
  return space.work(burst: burst, unitsEach: itemCount) { first, count in
    for frame in first..<first + count {
      recorder.beginFrame(
        FrameState(
          time: Instant(nanoseconds: Int64(frame) * 8_333_333), phase: .driving, progress: 0.5,
          contentOffset: .zero, contentSize: Size2D(width: 1_000, height: 1_000)))
      // As a transition has them: computed for the call.
      let shift = isChanging ? 0.25 * Double(frame & 1) : 0
      for number in 0..<itemCount {
        let pose = Pose(
          center: Point2D(x: Double(number) + shift, y: 9 * Double(number)),
          size: Size2D(width: 50, height: 50), zIndex: number)
        recorder.record(pose, of: items[number], at: ItemIndexPath(section: 0, item: number))
      }
      recorder.endFrame()
    }
  }
}

private func copies(burst: Int?) -> Benchmark.Work {
  let ring = PlainRing()
  let stopwatch = Stopwatch(shortestStretch: RingSpace.shortestStretch)
  let elements = (0..<itemCount * doublesEach).map(Double.init)
  return Benchmark.Work(
    run: { units in
      let frames = (units + itemCount - 1) / itemCount
      func copy(_ count: Int) {
        stopwatch.measure {
          for _ in 0..<count {
            yardstick_copy_frame(
              ring.pointer, elements, Int32(itemCount), Int32(doublesEach))
          }
        }
      }
      guard burst != nil else {
        copy(frames)
        return frames * itemCount
      }
      for _ in 0..<frames {
        usleep(RingSpace.frameMicroseconds)
        copy(1)
      }
      return frames * itemCount
    }, stopwatch: stopwatch)
}
