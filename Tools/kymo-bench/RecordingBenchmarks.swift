import TimelineModel
import TimelineRecorder
import TransitionEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whole transitions of 200 items at 120 Hz with the recorder behind them.
let recordingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "record-dropped", group: "record", unit: Benchmark.animatedSecond,
    summary: "a second of a transition of 200 items at 120 Hz into a sink that drops them"
  ) {
    let stage = try TransitionStage(items: recordedItems, sink: DroppingSink())
    return { units in seconds(units, of: stage) }
  },
  Benchmark(
    name: "record-memory", group: "record", unit: Benchmark.animatedSecond,
    summary: "the same into the recorder's memory, its writer held"
  ) {
    let recording = try TemporaryRecording(.live)
    let stage = try TransitionStage(items: recordedItems, sink: recording.recorder)
    return { units in
      var done = 0
      recording.recorder.withWriterHeld { done = seconds(units, of: stage) }
      return done
    }
  },
  Benchmark(
    name: "record-file", group: "record", unit: Benchmark.animatedSecond,
    summary: "the same into a temporary file, written on the same thread"
  ) {
    let recording = try TemporaryRecording(.wait)
    let stage = try TransitionStage(items: recordedItems, sink: recording.recorder)
    return { units in
      let done = seconds(units, of: stage)
      recording.recorder.writeBatch()
      return done
    }
  },
]

private let recordedItems = 200

private func seconds(_ count: Int, of stage: TransitionStage) -> Int {
  for _ in 0..<count {
    do { try stage.runSecond() } catch { fatalError("No transition started: \(error)") }
  }
  return count
}

/// A recorder into a fresh folder, which is removed with it.
private final class TemporaryRecording {
  let recorder: Recorder
  private let folder: String

  init(_ policy: RecordingPolicy) throws {
    var name = Array("/tmp/kymo-bench.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw UsageError("no folder can be made in /tmp; make room there.")
    }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var limits = RecordingLimits()
    // Nothing is lost, however long the writer is held.
    limits.liveRows = .max / 2
    recorder = try Recorder(
      path: folder + "/run.kymo",
      session: SessionDescription(software: "kymo-bench", clock: "virtual"), policy: policy,
      limits: limits)
  }

  deinit {
    try? recorder.finish(at: .zero, outcome: .none)
    for name in ["run.kymo", "run.kymo-wal", "run.kymo-shm"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
