import BenchmarkYardsticks
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Values from the rings into the table, beside a loop in C that writes the same rows through prepared
/// statements: same schema, same library, same settings, a transaction each quarter of a second of which
/// every third waits for the disk, the log moved into the database after as many pages.
let writerBenchmarks: [Benchmark] = [
  Benchmark(
    name: "write-c", group: "write", unit: "row",
    summary: "rows of sixteen keys at 120 Hz, a commit each 250 ms, in C: the yardstick"
  ) { try writtenInC() },
  Benchmark(
    name: "write-recorder", group: "write", unit: "row", bars: [.speed(0.95)],
    summary: "the same rows by the recorder's writer, from its rings"
  ) {
    let load = SampleLoad()
    let (recorder, folder) = try writtenByHand()
    let keys = load.keys(in: recorder)
    let stopwatch = Stopwatch(shortestStretch: shortestWriting)
    var frame = 0
    return Benchmark.Work(
      run: { units in
        let frames = framesOfCommits(holding: units)
        load.record(
          frame..<frame + frames, into: recorder, keys, measuredBy: stopwatch)
        frame += frames
        withExtendedLifetime(folder) {}
        return frames * SampleLoad.keys
      }, stopwatch: stopwatch)
  },
  Benchmark(
    name: "samples-file", group: "samples-file", unit: "row", isTimed: false,
    summary: "bytes of ten minutes of sixteen keys at 120 Hz: of the file, and handed to write()"
  ) {
    Benchmark.Work(
      run: { units in
        let frames = framesOfCommits(holding: units)
        _ = try sampleFile(frames: frames)
        return frames * SampleLoad.keys
      }, figures: { try sampleFile(frames: 600 * SampleLoad.framesPerSecond) })
  },
]

/// A tenth of a second of writing: some hundred commits, every third of which waits for the disk.
private let shortestWriting = 100_000_000.0

private func framesOfCommits(holding rows: Int) -> Int {
  let commits = (rows + SampleLoad.rowsPerCommit - 1) / SampleLoad.rowsPerCommit
  return max(1, commits) * SampleLoad.rowsPerCommit / SampleLoad.keys
}

/// A recorder whose own thread never comes by itself.
func writtenByHand() throws -> (Recorder, TemporaryFolder) {
  var settings = RecorderSettings.byHand
  settings.plainPoseRows = 0
  let folder = try TemporaryFolder()
  return (try folder.recorder(.live, .ofBenchmarks, settings), folder)
}

/// The sizes that a recording comes to, in bytes of a row.
///
/// - Parameters:
///   - limits: What is asked of the file and of what is handed to write().
///   - record: Records everything, and returns the session's end.
func writtenFile(
  rows: Int, of unit: String, limits: (file: Double, written: Double?),
  _ record: (Recorder) -> Instant
) throws -> [Figure] {
  let written = WrittenBytes.now
  let (recorder, folder) = try writtenByHand()
  try recorder.finish(at: record(recorder), outcome: .finished)
  var figures = [
    Figure(
      name: "file", value: Double(folder.bytes(of: "run.kymo")) / Double(rows), unit: unit,
      limit: limits.file)
  ]
  if let written, let now = WrittenBytes.now {
    figures.append(
      Figure(
        name: "handed to write()", value: Double(now - written) / Double(rows), unit: unit,
        limit: limits.written))
  }
  return figures
}

private func sampleFile(frames: Int) throws -> [Figure] {
  let load = SampleLoad()
  return try writtenFile(
    rows: frames * SampleLoad.keys, of: "bytes/row", limits: (22, 100)
  ) { recorder in
    load.record(0..<frames, into: recorder, load.keys(in: recorder))
    return Instant(nanoseconds: load.time(ofFrame: frames))
  }
}

private func writtenInC() throws -> Benchmark.Work {
  let load = SampleLoad()
  let folder = try TemporaryFolder()
  // The recorder makes the file, and lets go of it.
  _ = try folder.store()
  let writer = PlainWriter(folder.recording)
  let stopwatch = Stopwatch(shortestStretch: shortestWriting)
  let framesPerCommit = SampleLoad.framesPerSecond / 4
  var frame = 0
  return Benchmark.Work(
    run: { units in
      let frames = framesOfCommits(holding: units)
      for first in stride(from: frame, to: frame + frames, by: framesPerCommit) {
        var rows = PlainWriter.Rows()
        for frame in first..<first + framesPerCommit {
          for key in 0..<SampleLoad.keys {
            rows.append(
              load.time(ofFrame: frame), packed: Int64(key << 2 | 2),
              load.value(of: key, inFrame: frame))
          }
        }
        stopwatch.measure { writer.write(rows) }
      }
      frame += frames
      withExtendedLifetime(folder) {}
      return frames * SampleLoad.keys
    }, stopwatch: stopwatch)
}
