import BenchmarkYardsticks
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Values from the rings into the table, beside a loop in C that writes the same rows through prepared
/// statements: same schema, same library, same settings, a transaction each quarter of a second of which
/// every third waits for the disk, the log moved into the database after as many bytes.
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

/// The same where the samples are sealed.
let sealedWriterBenchmarks: [Benchmark] = [
  Benchmark(
    name: "write-blobs-c", group: "write-blobs", unit: "row",
    summary:
      "as many bytes as the packed samples of a commit, and of ten seconds, as blobs in C: the yardstick"
  ) { try blobsWrittenInC() },
  Benchmark(
    name: "write-sealed", group: "write-blobs", unit: "row",
    bars: [.speed(1 / 1.5), .instructions(1_000)],
    summary: "rows of sixteen keys at 120 Hz by the recorder's writer, packed as they come"
  ) {
    let load = SampleLoad()
    let (recorder, folder) = try writtenByHand(isSealing: true)
    let keys = load.keys(in: recorder)
    let stopwatch = Stopwatch(shortestStretch: shortestWriting)
    var frame = 0
    return Benchmark.Work(
      run: { units in
        let frames = framesOfCommits(holding: units, isSealing: true)
        load.record(
          frame..<frame + frames, into: recorder, keys, isSealing: true, measuredBy: stopwatch)
        frame += frames
        withExtendedLifetime(folder) {}
        return frames * SampleLoad.keys
      }, stopwatch: stopwatch)
  },
  Benchmark(
    name: "samples-sealed-file", group: "samples-sealed-file", unit: "row", isTimed: false,
    summary:
      "bytes of ten minutes of sixteen keys at 120 Hz, packed: of the file, and handed to write()"
  ) {
    Benchmark.Work(
      run: { units in
        let frames = framesOfCommits(holding: units, isSealing: true)
        _ = try sampleFile(frames: frames, isSealing: true)
        return frames * SampleLoad.keys
      },
      figures: { try sampleFile(frames: 600 * SampleLoad.framesPerSecond, isSealing: true) })
  },
]

/// Commits of ten seconds that are sealed.
private let commitsOfStretch = 20
private let commitNanoseconds: Int64 = 500_000_000

/// Sizes of the recorder's writes: of a commit, and of ten seconds.
private func sealedSizes() throws -> (commit: Int, stretch: Int) {
  let load = SampleLoad()
  let (recorder, folder) = try writtenByHand(isSealing: true)
  let keys = load.keys(in: recorder)
  func size() throws -> Int {
    let query = "SELECT CAST(avg(length(head) + length(data)) AS INTEGER) FROM sample_segment"
    let row = try RecordingReader(path: folder.recording).query(query).rest().first?.first
    guard case .integer(let bytes)? = row else { fatalError("There is nothing packed.") }
    return Int(bytes)
  }
  let half = 5 * SampleLoad.framesPerSecond
  load.record(0..<half, into: recorder, keys, isSealing: true)
  let commit = try size()
  load.record(half..<4 * half, into: recorder, keys, isSealing: true)
  try recorder.finish()
  return (commit, try size())
}

private func blobsWrittenInC() throws -> Benchmark.Work {
  let sizes = try sealedSizes()
  let folder = try TemporaryFolder()
  _ = try folder.store()
  let writer = PlainWriter(folder.recording, isSealing: true)
  let stopwatch = Stopwatch(shortestStretch: shortestWriting)
  let (commit, stretch) = (
    [UInt8](repeating: 7, count: sizes.commit), [UInt8](repeating: 7, count: sizes.stretch)
  )
  var number = 0
  return Benchmark.Work(
    run: { units in
      let frames = framesOfCommits(holding: units, isSealing: true)
      for _ in 0..<frames / SampleLoad.framesPerCommit(isSealing: true) {
        let time = Int64(number) * commitNanoseconds
        let isFull = number % commitsOfStretch == commitsOfStretch - 1
        stopwatch.measure {
          writer.write(
            isFull ? stretch : commit, from: time, to: time + commitNanoseconds - 1,
            replacing: isFull ? time - Int64(commitsOfStretch - 1) * commitNanoseconds : nil)
        }
        number += 1
      }
      withExtendedLifetime(folder) {}
      return frames * SampleLoad.keys
    }, stopwatch: stopwatch)
}

/// A tenth of a second of writing: some hundred commits, every third of which waits for the disk.
private let shortestWriting = 100_000_000.0

private func framesOfCommits(holding rows: Int, isSealing: Bool = false) -> Int {
  let frames = SampleLoad.framesPerCommit(isSealing: isSealing)
  let rowsPerCommit = frames * SampleLoad.keys
  return max(1, (rows + rowsPerCommit - 1) / rowsPerCommit) * frames
}

/// A recorder whose own thread never comes by itself.
///
/// - Parameter isSealing: Whether samples are sealed, as poses are.
func writtenByHand(isSealing: Bool = false) throws -> (Recorder, TemporaryFolder) {
  var settings = RecorderSettings.byHand
  settings.plainPoseRows = 0
  settings.sealsFromStart = isSealing
  let folder = try TemporaryFolder()
  return (try folder.recorder(.live, .ofBenchmarks, settings), folder)
}

/// The sizes that a recording comes to, in bytes of a row.
///
/// - Parameters:
///   - limits: The bars of the file and of the bytes for write().
///   - record: Records everything, and returns the session's end.
func writtenFile(
  rows: Int, of unit: String, limits: (file: Double, written: Double?), isSealing: Bool = false,
  _ record: (Recorder) -> Instant
) throws -> [Figure] {
  let written = WrittenBytes.now
  let (recorder, folder) = try writtenByHand(isSealing: isSealing)
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

private func sampleFile(frames: Int, isSealing: Bool = false) throws -> [Figure] {
  let load = SampleLoad()
  return try writtenFile(
    rows: frames * SampleLoad.keys, of: "bytes/row", limits: isSealing ? (5, 60) : (22, 100),
    isSealing: isSealing
  ) { recorder in
    load.record(0..<frames, into: recorder, load.keys(in: recorder), isSealing: isSealing)
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
  let framesPerCommit = SampleLoad.framesPerCommit()
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
