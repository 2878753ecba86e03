import TimelineModel
import TimelineSession
import TimelineStore

/// A second try keeps so much below what the first one promises: sessions are not alike all along. No unit.
private let secondTryShare = 0.9

/// What the page's list of chunks takes for one of them, in bytes.
private let bytesOfChunkPlace = 40

/// The sentence of a session that keeps fewer poses takes less than this, in bytes.
private let bytesOfThinningNote = 500

/// Every so many frames the progress is told.
private let progressInterval = 256

/// The poses get at least this share of the limit, whatever the rest took. No unit.
let leastPoseShare = 0.1

extension RunPacking {
  /// Packs the frames' poses, of fewer frames each time until they fit.
  mutating func packPoses(byteLimit: Int, progress: (Double) -> Void) throws {
    let start = text.bytes.count
    let byteLimit = max(1, byteLimit - header.json.utf8.count - bytesOfThinningNote)
    let limit = max(start + Int(leastPoseShare * Double(byteLimit)), byteLimit)
    var stride = 1
    while true {
      let done = try packPoses(stride: stride, limit: limit, progress: progress)
      // With only the first and the last frame left there is nothing more to leave out.
      if poseEnd <= limit || stride >= frameCount { return }
      let promised = Double(poseEnd - start) * Double(frameCount) / Double(done)
      let room = max(1, Double(limit - start) * secondTryShare)
      let needed = (Double(stride) * promised / room).rounded(.up)
      stride = max(stride * 2, Int(min(Double(frameCount), needed)))
      text.cut(to: start)
    }
  }

  /// Where the packed numbers would end with the places of the chunks behind them, in bytes.
  private var poseEnd: Int { text.bytes.count + bytesOfChunkPlace * poses.chunks.count }

  /// Packs poses until they are all packed or take more than the limit; returns how many frames were.
  private mutating func packPoses(
    stride: Int, limit: Int, progress: (Double) -> Void
  ) throws -> Int {
    poses = PosePacking(stride: stride)
    var done = 0
    var fits = true
    let source = source
    try source.forEachFrame(from: Instant(nanoseconds: .min)) { frame in
      poses.append(frame, to: &text)
      done += 1
      if done.isMultiple(of: progressInterval) { progress(Double(done) / Double(frameCount)) }
      fits = poseEnd <= limit || stride >= frameCount
      return fits && done < frameCount
    }
    if fits { poses.finish(in: &text) }
    return done
  }

  /// Packs what belongs to whole frames.
  mutating func packStates() throws {
    var states: [FrameState] = []
    let source = source
    try source.forEachState { state in
      states.append(state)
      frameCount += 1
      if states.count == PageScale.blockRows { appendStates(&states) }
    }
    appendStates(&states)
  }

  private mutating func appendStates(_ states: inout [FrameState]) {
    guard !states.isEmpty else { return }
    var bits = BitWriter()
    bits.append(column: states.map { clock.ticks($0.time) })
    bits.append(column: states.map(\.phase.pageNumber))
    bits.append(column: states.map { $0.progress == nil ? 0 : 1 })
    bits.append(column: states.map { PageScale.steps($0.progress ?? 0, PageScale.progress) })
    for length in [
      \FrameState.contentOffset.x, \.contentOffset.y, \.contentSize.width, \.contentSize.height,
    ] {
      bits.append(column: states.map { PageScale.steps($0[keyPath: length], PageScale.length) })
    }
    frameBlocks.append(text.append(bits, rows: states.count))
    states.removeAll(keepingCapacity: true)
  }
}
