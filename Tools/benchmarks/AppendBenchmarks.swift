import BenchmarkYardsticks
import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// One value of a key into the calling thread's ring, beside a ring in C that does nothing else, in a tight loop.
let appendBenchmarks: [Benchmark] = cases("append", "a value")

/// Keys that take turns. The frame's time goes with each round.
private let keyCount = 16
private let frameNanoseconds = 8_333_333
/// Words of a round of values in the ring.
private let frameWords = keyCount * 3

private func cases(_ group: String, _ what: String) -> [Benchmark] {
  [
    Benchmark(
      name: "\(group)-c", group: group, unit: "value",
      summary: "\(what) into a plain ring in C: the yardstick"
    ) { plainRing() },
    Benchmark(
      name: "\(group)-handle", group: group, unit: "value",
      bars: [.nanoseconds(4)],
      summary: "\(what) by its key's number and the frame's time"
    ) {
      let space = try RingSpace(wordsEach: frameWords)
      let recorder = space.recorder
      let keys = (0..<keyCount).map {
        recorder.keyHandle(for: "key \($0)", role: .custom, unit: "1")
      }
      return space.work(burst: nil, unitsEach: keyCount) { first, count in
        for frame in first..<first + count {
          let time = time(ofFrame: frame)
          var value = Double(frame)
          for key in keys {
            recorder.record(value, for: key, at: time, phase: .driving)
            value += 1
          }
        }
      }
    },
    Benchmark(
      name: "\(group)-name", group: group, unit: "value",
      bars: [.nanoseconds(65)],
      summary: "\(what) by a name of 33 bytes"
    ) {
      let space = try RingSpace(wordsEach: frameWords)
      let recorder = space.recorder
      let names = (0..<keyCount).map { "photos.cell.\($0 + 10).presentation.alpha" }
      precondition(names.allSatisfy { $0.utf8.count == 33 }, "A name has not 33 bytes.")
      return space.work(burst: nil, unitsEach: keyCount) { first, count in
        for frame in first..<first + count {
          let time = time(ofFrame: frame)
          var value = Double(frame)
          for name in names {
            recorder.record(value, for: name, at: time, phase: .driving)
            value += 1
          }
        }
      }
    },
  ]
}

@inline(__always)
private func time(ofFrame frame: Int) -> Instant {
  Instant(nanoseconds: Int64(frame * frameNanoseconds))
}

private func plainRing() -> Benchmark.Work {
  let ring = PlainRing()
  let stopwatch = Stopwatch(shortestStretch: RingSpace.shortestStretch)
  var done = 0
  return Benchmark.Work(
    run: { units in
      let frames = (units + keyCount - 1) / keyCount
      stopwatch.measure {
        yardstick_append(
          ring.pointer, Int64(done), Int64(frames), Int32(keyCount), Int64(frameNanoseconds))
      }
      done += frames
      return frames * keyCount
    }, stopwatch: stopwatch)
}
