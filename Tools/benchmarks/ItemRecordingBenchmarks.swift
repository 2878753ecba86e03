import TimelineModel
import TimelineRecorder
import TimelineStore

/// 200 elements at 120 Hz, 35 % of them moving in a frame, with everything that recording them costs: the
/// calls, the rows, the sealing, and the sealing by itself.
let itemRecordingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "items-recorded", group: "items-recorded", unit: Benchmark.displayFrame,
    bars: [.percentOfCore(2.5)],
    summary: "frames of 200 items through the recorder into the file, packed; and bytes of a minute"
  ) {
    let load = PoseLoad(seconds: 8)
    let (recorder, folder) = try writtenByHand(isSealing: true)
    let items = load.items(in: recorder)
    var frame = 0
    return Benchmark.Work(
      run: { units in
        load.record(frame..<frame + units, into: recorder, items)
        frame += units
        withExtendedLifetime(folder) {}
        return units
      }, figures: { try itemFile(load, seconds: 60) })
  },
  Benchmark(
    name: "items-seal", group: "items-seal", unit: Benchmark.displayFrame,
    bars: [.percentOfCore(0.5)],
    summary: "of that, the step that packs a second: writes blocks and takes rows out"
  ) {
    let load = AttributeLoad(seconds: 8)
    let folder = try TemporaryFolder()
    let store = try folder.store()
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
          try write(load, frame, &sealer, into: store, stopwatch)
        }
        number += frames
        withExtendedLifetime(folder) {}
        return frames
      }, stopwatch: stopwatch)
  },
]

/// Frames of one commit of a recorder that seals.
private let framesPerCommit = SampleLoad.framesPerCommit(isSealing: true)

private func write(
  _ load: AttributeLoad, _ number: Int, _ sealer: inout SegmentSealer, into store: RecordingStore,
  _ stopwatch: Stopwatch
) throws {
  if number.isMultiple(of: framesPerCommit) { try store.begin(isDurable: false) }
  var frame = load.frames[number % load.frames.count]
  frame.record.number = Int64(number)
  try store.insert(frame.record)
  try stopwatch.measure { try sealer.begin(frame.record, after: .max, in: store) }
  for change in frame.changes {
    try change.withUnsafeBufferPointer { try sealer.take($0, in: store) }
  }
  if (number + 1).isMultiple(of: framesPerCommit) {
    try stopwatch.measure { try sealer.writePending(in: store) }
    try store.commit()
    if store.logBytes >= RecorderSettings().checkpointBytes { try store.checkpoint() }
  }
}

private func itemFile(_ load: PoseLoad, seconds: Int) throws -> [Figure] {
  let frames = seconds * AttributeLoad.framesPerSecond
  return try writtenFile(rows: frames, of: "bytes/frame", limits: (2_000, 4_000), isSealing: true) {
    recorder in
    load.record(0..<frames, into: recorder, load.items(in: recorder))
    return load.time(ofFrame: frames)
  }
}
