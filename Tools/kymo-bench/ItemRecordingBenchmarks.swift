import TimelineModel
import TimelineRecorder
import TimelineStore

/// 200 elements at 120 Hz, 35 % of them moving in a frame, with everything that recording them costs: the
/// calls, the rows, the sealing; and the sealing by itself.
let itemRecordingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "items-recorded", group: "items-recorded", unit: Benchmark.displayFrame,
    bars: [.percentOfCore(2.5)],
    summary: "frames of 200 items through the recorder into the file, sealed; and bytes of a minute"
  ) {
    let load = PoseLoad(seconds: 8)
    let (recorder, folder) = try writtenByHand()
    let items = load.items(in: recorder)
    var frame = 0
    return Benchmark.Work(
      run: { units in
        load.record(frame..<frame + units, into: recorder, items)
        frame += units
        withExtendedLifetime(folder) {}
        return units
      }, stopwatch: nil, figures: { itemFile(load, seconds: 60) })
  },
  Benchmark(
    name: "items-seal", group: "items-seal", unit: Benchmark.displayFrame,
    bars: [.percentOfCore(0.5)],
    summary: "of that, the step that seals a second: packs it, writes blocks and takes rows out"
  ) {
    let load = AttributeLoad(seconds: 8)
    let folder = try TemporaryFolder()
    let store = try RecordingStore(
      path: folder.path + "/run.kymo",
      description: SessionDescription(software: "kymo-bench", clock: "virtual"),
      uuid: "00000000-0000-4000-8000-000000000001")
    // Five seconds of frames cost about as many milliseconds, and one key frame is among each 120.
    let stopwatch = Stopwatch(shortestStretch: 5_000_000)
    var sealer = SegmentSealer(precision: .exact)
    var number = 0
    return Benchmark.Work(
      run: { units in
        // Whole seconds, each of which ends with a seal.
        let seconds = (units + AttributeLoad.framesPerSecond - 1) / AttributeLoad.framesPerSecond
        let frames = seconds * AttributeLoad.framesPerSecond
        for frame in number..<number + frames {
          do {
            try write(load, frame, &sealer, into: store, stopwatch)
          } catch {
            fatalError("The load could not be written: \(error)")
          }
        }
        number += frames
        withExtendedLifetime(folder) {}
        return frames
      }, stopwatch: stopwatch)
  },
]

/// Frames of one commit: a quarter of a second.
private let framesPerCommit = 30

private func write(
  _ load: AttributeLoad, _ number: Int, _ sealer: inout SegmentSealer, into store: RecordingStore,
  _ stopwatch: Stopwatch
) throws {
  if number.isMultiple(of: framesPerCommit) { try store.begin(isDurable: false) }
  var frame = load.frames[number % load.frames.count]
  frame.record.number = Int64(number)
  try store.insert(frame.record)
  var failure: (any Error)?
  stopwatch.measure {
    do { try sealer.begin(frame.record, after: .max, in: store) } catch { failure = error }
  }
  if let failure { throw failure }
  for change in frame.changes {
    try change.withUnsafeBufferPointer { try sealer.take($0, in: store) }
  }
  if (number + 1).isMultiple(of: framesPerCommit) {
    try sealer.writePending(in: store)
    try store.commit()
    if store.pagesInLog >= RecorderSettings().checkpointPages { try store.checkpoint() }
  }
}

private func itemFile(_ load: PoseLoad, seconds: Int) -> [Figure] {
  do {
    let frames = seconds * AttributeLoad.framesPerSecond
    let written = WrittenBytes.now
    let (recorder, folder) = try writtenByHand()
    load.record(0..<frames, into: recorder, load.items(in: recorder))
    try recorder.finish(at: load.time(ofFrame: frames), outcome: .finished)
    var figures = [
      Figure(
        name: "file", value: Double(folder.bytes(of: "run.kymo")) / Double(frames),
        unit: "bytes/frame", limit: 2_000)
    ]
    if let written, let now = WrittenBytes.now {
      figures.append(
        Figure(
          name: "handed to write()", value: Double(now - written) / Double(frames),
          unit: "bytes/frame"))
    }
    return figures
  } catch {
    fatalError("The load could not be recorded: \(error)")
  }
}
