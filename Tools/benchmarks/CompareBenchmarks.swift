import MotionJudgement
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Two whole sessions compared, as `kymo compare` does it.
let compareBenchmarks: [Benchmark] = [
  keys(minutes: 10, bars: [.nanoseconds(1_000_000_000)])
]

private func keys(minutes: Int, bars: [Bar]) -> Benchmark {
  Benchmark(
    name: "compare-\(minutes)min", group: "compare-\(minutes)min", unit: "question", bars: bars,
    summary: "all that `kymo compare` tells of 20 keys of two sessions of \(minutes) min at 120 Hz"
  ) {
    let folder = try twoRuns(minutes: minutes)
    let reader = try RecordingReader(path: folder.recording)
    let sessions = try reader.sessionRecords()
    return .each { _ in
      defer { withExtendedLifetime(folder) {} }
      let comparison = try RunComparison.compare(
        sessions[0], in: reader, with: sessions[1], in: reader)
      precondition(comparison.keys.count == comparedKeys, "A key is missing.")
    }
  }
}

private let comparedKeys = 20

/// Two sessions of twenty keys, the second one a frame later than the first.
private func twoRuns(minutes: Int) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  let load = SampleLoad()
  let frames = minutes * 60 * SampleLoad.framesPerSecond
  for shift in 0..<2 {
    let recorder = try folder.recorder()
    let handles = (0..<comparedKeys).map {
      recorder.keyHandle(for: "key \($0)", role: $0 == 0 ? .progress : .animated, unit: "pt")
    }
    for frame in 0..<frames {
      let time = Instant(nanoseconds: load.time(ofFrame: frame))
      for (key, handle) in handles.enumerated() {
        let value = load.value(
          of: key % SampleLoad.keys, inFrame: frame + shift + key / SampleLoad.keys)
        recorder.record(value, for: handle, at: time, phase: .settling)
      }
      if (frame + 1).isMultiple(of: SampleLoad.framesPerCommit()) { recorder.writeBatch() }
    }
    try recorder.finish(at: Instant(nanoseconds: load.time(ofFrame: frames)), outcome: .finished)
  }
  return folder
}
