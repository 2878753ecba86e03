import TimelineModel
import TimelineStore

/// What it costs to write poses as rows, what sealing adds, and what reading them back costs.
let sealingBenchmarks: [Benchmark] = [
  Benchmark(
    name: "poses-rows", group: "poses", unit: Benchmark.displayFrame,
    summary: "frames of 200 items, 35 % of them moving, written as rows"
  ) {
    try written(writeRows)
  },
  Benchmark(
    name: "poses-sealed", group: "poses", unit: Benchmark.displayFrame,
    summary: "the same, each second sealed into blocks in the transaction that completes it"
  ) {
    try written(writeSealed)
  },
  Benchmark(
    name: "unseal-frames", group: "unseal", unit: "frame",
    summary: "every frame of a sealed recording with all its items"
  ) {
    let recording = try SealedRecording()
    return Benchmark.Work { units in
      var done = 0
      while done < units { done += try recording.readAll() }
      return done
    }
  },
  Benchmark(
    name: "unseal-moment", group: "unseal", unit: "question",
    summary: "the state of 200 items at a moment of a sealed recording, opened for it"
  ) {
    let recording = try SealedRecording()
    return .each { unit in try recording.readMoment(unit) }
  },
]

/// Frames of one commit of a recorder that seals.
private let framesPerCommit = SampleLoad.framesPerCommit(isSealing: true)

private func writeRows(
  _: inout SegmentSealer, _ frame: AttributeLoad.Frame, _ store: RecordingStore
) throws {
  for change in frame.changes {
    try change.withUnsafeBufferPointer {
      try store.insertChange($0, frame: frame.record.number)
    }
  }
}

private func writeSealed(
  _ sealer: inout SegmentSealer, _ frame: AttributeLoad.Frame, _ store: RecordingStore
) throws {
  try sealer.begin(frame.record, after: .max, in: store)
  for change in frame.changes {
    try change.withUnsafeBufferPointer { try sealer.take($0, in: store) }
  }
}

private typealias WriteFrame = (
  inout SegmentSealer, AttributeLoad.Frame, RecordingStore
) throws -> Void

private func written(_ write: @escaping WriteFrame) throws -> Benchmark.Work {
  let load = AttributeLoad(seconds: 8)
  return Benchmark.Work { units in
    let frames = max(units, load.frames.count)
    _ = try writeRecording(load, frames: frames, write)
    return frames
  }
}

/// Writes a recording of poses, sealed or as rows.
///
/// - Returns: the folder that it lies in, as "run.kymo"; it goes when nobody holds the folder any more.
func writeRecording(
  _ load: AttributeLoad, frames: Int, isSealed: Bool
) throws -> TemporaryFolder {
  try writeRecording(load, frames: frames, isSealed ? writeSealed : writeRows)
}

/// Writes a recording with the load's frames, over and over until there are as many as wanted.
///
/// - Returns: the folder that it lies in; it goes when nobody holds the folder any more.
private func writeRecording(
  _ load: AttributeLoad, frames: Int, _ write: WriteFrame
) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  let store = try folder.store()
  var sealer = SegmentSealer(precision: .exact)
  for number in 0..<frames {
    if number.isMultiple(of: framesPerCommit) { try store.begin(isDurable: false) }
    if number == 0 {
      for item in 0..<AttributeLoad.items {
        try store.insert(
          ItemRecord(
            handle: ItemHandle(rawValue: Int32(item)),
            identity: ElementIdentity(category: .cell, id: "item \(item)")))
      }
    }
    var frame = load.frames[number % load.frames.count]
    frame.record.number = Int64(number)
    try store.insert(frame.record)
    try write(&sealer, frame, store)
    let isLast = number + 1 == frames
    guard isLast || (number + 1).isMultiple(of: framesPerCommit) else { continue }
    try isLast ? sealer.finish(after: .max, in: store) : sealer.writePending(in: store)
    try store.commit()
  }
  try store.settleIntoOneFile()
  return folder
}

/// A sealed recording to be read.
private struct SealedRecording {
  private let folder: TemporaryFolder
  private let load = AttributeLoad(seconds: 8)

  init() throws { folder = try writeRecording(load, frames: load.frames.count, writeSealed) }

  /// Reads every frame.
  ///
  /// - Returns: how many there were.
  func readAll() throws -> Int {
    let cursor = try RecordingReader(path: folder.recording).foldedFrames(in: 1)
    var count = 0
    while try cursor.next() != nil { count += 1 }
    return count
  }

  /// Reads one frame of a recording that is opened for it: another one each time, not in order.
  func readMoment(_ turn: Int) throws {
    let number = Int64(turn * 311 % load.frames.count)
    let frame = try RecordingReader(path: folder.recording).foldedFrame(number, in: 1)
    precondition(frame?.elements.count == AttributeLoad.items, "An item is missing.")
  }
}
