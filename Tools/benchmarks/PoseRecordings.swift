import TimelineModel
import TimelineStore

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

/// Writes a recording of poses, sealed or as rows.
///
/// - Returns: the folder that it lies in, as "run.kymo". It goes when nobody holds the folder any more.
func writeRecording(
  _ load: AttributeLoad, frames: Int, isSealed: Bool
) throws -> TemporaryFolder {
  try writeRecording(load, frames: frames, isSealed ? writeSealed : writeRows)
}

/// Writes a recording with the load's frames, over and over until there are as many as wanted.
///
/// - Returns: the folder that it lies in. It goes when nobody holds the folder any more.
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
