import TimelineModel
import TimelineRecorder
import TimelineStore

/// A recorder that is never switched off, and whose recording may not grow beyond a size.
let alwaysOnBenchmarks: [Benchmark] = [
  Benchmark(
    name: "always-on-10h", group: "always-on", unit: "frame", isOnRequest: true, isTimed: false,
    summary: "ten hours of 16 keys at 120 Hz with a limit of 64 MB: the largest file that was seen"
  ) {
    Benchmark.Work(
      run: { units in
        _ = try largestFiles(
          seconds: (units + SampleLoad.framesPerSecond - 1) / SampleLoad.framesPerSecond)
        return units
      }, figures: { try largestFiles(seconds: 36_000) })
  }
]

/// The limit in bytes: three quarters of an hour of the load.
private let limitBytes: Int64 = 64 << 20

private func largestFiles(seconds: Int) throws -> [Figure] {
  var settings = RecorderSettings.byHand
  settings.limit = RecordingLimit(sizeBytes: limitBytes)
  let folder = try TemporaryFolder()
  let recorder = try folder.recorder(.live, .ofBenchmarks, settings)
  let load = SampleLoad()
  let keys = load.keys(in: recorder)
  var largest = 0
  var largestLog = 0
  for second in 0..<seconds {
    let first = second * SampleLoad.framesPerSecond
    load.record(
      first..<first + SampleLoad.framesPerSecond, into: recorder, keys, isSealing: true)
    largest = max(largest, folder.bytes(of: "run.kymo"))
    largestLog = max(largestLog, folder.bytes(of: "run.kymo-wal"))
  }
  try recorder.finish(
    at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000), outcome: .finished)
  let finished = folder.bytes(of: "run.kymo")
  func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }
  return [
    Figure(
      name: "largest file", value: megabytes(max(largest, finished)), unit: "MiB",
      limit: megabytes(Int(limitBytes))),
    Figure(name: "largest log", value: megabytes(largestLog), unit: "MiB"),
    Figure(name: "finished file", value: megabytes(finished), unit: "MiB"),
  ]
}
