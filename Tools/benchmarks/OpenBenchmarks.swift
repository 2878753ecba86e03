import TimelineModel
import TimelineRecorder
import TimelineStore

/// Opening a finished recording and listing its sessions.
let openBenchmarks: [Benchmark] = [
  Benchmark(
    name: "open-c", group: "open", unit: "opening",
    summary: "a recording is opened and its sessions counted, in C: the yardstick"
  ) {
    let folder = try smallRecording()
    return .each { _ in
      let rows = PlainQuery(folder.recording, "SELECT session FROM session").run()
      precondition(rows == 1, "The session is missing.")
    }
  },
  Benchmark(
    name: "open-reader", group: "open", unit: "opening",
    summary: "a recording is opened, its schema looked at and its views made, and its sessions read"
  ) {
    let folder = try smallRecording()
    return .each { _ in
      let count = try RecordingReader(path: folder.recording).sessions().count
      precondition(count == 1, "The session is missing.")
    }
  },
]

/// A second of sixteen keys.
private func smallRecording() throws -> TemporaryFolder {
  let load = SampleLoad()
  let (recorder, folder) = try writtenByHand()
  load.record(0..<SampleLoad.framesPerSecond, into: recorder, load.keys(in: recorder))
  try recorder.finish(at: .zero, outcome: .finished)
  return folder
}
