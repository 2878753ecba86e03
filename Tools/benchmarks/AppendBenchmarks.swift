import BenchmarkYardsticks
import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// One value of a key into the calling thread's ring, beside a ring in C that does nothing else: in a
/// tight loop, and as an app does it, a burst each 8.3 ms with sleep between.
let appendBenchmarks: [Benchmark] =
  cases("append", "a value", burst: nil)
  + cases(
    "append-frames", "a value, 2,608 of them in each frame of 120 a second", burst: 2_608 / keyCount
  )

/// Keys that take turns; the frame's time goes with each round.
private let keyCount = 16
private let frameNanoseconds = 8_333_333
/// Words of a round of values in the ring.
private let frameWords = keyCount * 3

private func cases(_ group: String, _ what: String, burst: Int?) -> [Benchmark] {
  [
    Benchmark(
      name: "\(group)-c", group: group, unit: "value",
      summary: "\(what) into a plain ring in C: the yardstick"
    ) { plainRing(burst: burst) },
    Benchmark(
      name: "\(group)-handle", group: group, unit: "value",
      bars: burst == nil ? [.nanoseconds(4)] : [],
      summary: "\(what) by its key's number and the frame's time"
    ) {
      let space = try RingSpace(wordsEach: frameWords)
      let recorder = space.recorder
      let keys = (0..<keyCount).map {
        recorder.keyHandle(for: "key \($0)", role: .custom, unit: "1")
      }
      return space.work(burst: burst, unitsEach: keyCount) { first, count in
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
      name: "\(group)-literal", group: group, unit: "value",
      summary: "\(what) by a name of the program's own text"
    ) {
      let space = try RingSpace(wordsEach: frameWords)
      let recorder = space.recorder
      return space.work(burst: burst, unitsEach: keyCount) { first, count in
        for frame in first..<first + count {
          let time = time(ofFrame: frame)
          var value = Double(frame)
          for _ in 0..<keyCount {
            recorder.record(value, for: "progress of the transition", at: time, phase: .driving)
            value += 1
          }
        }
      }
    },
    Benchmark(
      name: "\(group)-name", group: group, unit: "value",
      bars: burst == nil ? [.nanoseconds(65)] : [],
      summary: "\(what) by a name of 33 bytes"
    ) {
      let space = try RingSpace(wordsEach: frameWords)
      let recorder = space.recorder
      let names = (0..<keyCount).map { "photos.cell.\($0 + 10).presentation.alpha" }
      precondition(names.allSatisfy { $0.utf8.count == 33 }, "A name has not 33 bytes.")
      return space.work(burst: burst, unitsEach: keyCount) { first, count in
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

private func plainRing(burst: Int?) -> Benchmark.Work {
  let ring = PlainRing()
  let stopwatch = Stopwatch(shortestStretch: RingSpace.shortestStretch)
  var done = 0
  return Benchmark.Work(
    run: { units in
      let frames = (units + keyCount - 1) / keyCount
      var left = frames
      while left > 0 {
        let count = burst ?? left
        if burst != nil { usleep(RingSpace.frameMicroseconds) }
        stopwatch.measure {
          yardstick_append(
            ring.pointer, Int64(done), Int64(count), Int32(keyCount), Int64(frameNanoseconds))
        }
        done += count
        left -= count
      }
      return (frames - left) * keyCount
    }, stopwatch: stopwatch)
}
