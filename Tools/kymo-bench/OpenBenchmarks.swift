import TimelineModel
import TimelineRecorder
import TimelineStore

/// Opening a finished recording and listing its sessions.
let openBenchmarks: [Benchmark] = [
  Benchmark(
    name: "open-c", group: "open", unit: "opening",
    summary: "a recording is opened and its sessions counted, in C: the yardstick"
  ) {
    let recording = try SmallRecording()
    return Benchmark.Work { units in
      for _ in 0..<units {
        let rows = PlainQuery(recording.path, "SELECT session FROM session").run()
        precondition(rows == 1, "The session is missing.")
      }
      return units
    }
  },
  Benchmark(
    name: "open-reader", group: "open", unit: "opening",
    summary: "a recording is opened, its schema looked at and its views made, and its sessions read"
  ) {
    let recording = try SmallRecording()
    return Benchmark.Work { units in
      for _ in 0..<units {
        let count = try? RecordingReader(path: recording.path).sessions().count
        precondition(count == 1, "The session is missing.")
      }
      return units
    }
  },
]

/// A second of sixteen keys.
private final class SmallRecording {
  let path: String
  private let folder: TemporaryFolder

  init() throws {
    let load = SampleLoad()
    let (recorder, folder) = try writtenByHand()
    load.record(0..<SampleLoad.framesPerSecond, into: recorder, load.keys(in: recorder))
    try recorder.finish(at: .zero, outcome: .finished)
    self.folder = folder
    path = folder.path + "/run.kymo"
  }
}
