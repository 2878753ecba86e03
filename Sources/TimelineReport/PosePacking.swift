import MotionPhysics
import TimelineModel
import TimelineStore

/// Packs a session's poses one chunk after the other. Of a session that is too long only every n-th
/// frame is kept, and what lies between is on the straight line.
struct PosePacking {
  /// One chunk in the text.
  struct Chunk {
    /// Where it lies.
    var block: PackedText.Block
    /// Number of its first frame, counted from 0.
    var firstFrame: Int
    /// How many frames it stands for.
    var frameCount: Int
  }

  /// Every so many-th frame of a chunk is kept, and its last one. 1: all are.
  let stride: Int
  private(set) var chunks: [Chunk] = []
  /// The farthest that a side of an upright element lies from its recorded place in a frame that is not
  /// kept, in points. 0 where all are.
  private(set) var largestError = 0.0

  /// A chunk is this long, times the stride, in nanoseconds.
  private static let chunkSpan: Int64 = 250_000_000
  /// A chunk keeps at most so many frames: half a second at 120 Hz.
  private static let chunkFrames = 60
  /// A chunk keeps at most so many poses, so that unpacking it stays within some milliseconds.
  private static let chunkPoses = 1 << 18

  private var chunk = PoseChunk()
  private var firstFrame = 0
  private var frameCount = 0
  private var poseCount = 0
  private var start = Instant.zero
  /// The frames since the last one that is kept.
  private var between: [[ElementRecord]] = []

  init(stride: Int) { self.stride = stride }

  /// Adds the next frame.
  mutating func append(_ frame: FoldedFrame, to text: inout PackedText) {
    let time = frame.frame.state.time
    if frameCount > 0,
      time.nanoseconds(since: start) / Int64(stride) >= PosePacking.chunkSpan
        || chunk.frames.count >= PosePacking.chunkFrames || poseCount >= PosePacking.chunkPoses
    {
      finishChunk(in: &text)
    }
    if frameCount == 0 { start = time }
    if frameCount.isMultiple(of: stride) {
      keep(frame.elements)
    } else {
      between.append(frame.elements)
    }
    frameCount += 1
  }

  /// Packs what is left.
  mutating func finish(in text: inout PackedText) {
    if frameCount > 0 { finishChunk(in: &text) }
  }

  private mutating func finishChunk(in text: inout PackedText) {
    if let last = between.popLast() { keep(last) }
    let block = text.append(chunk.packed(), rows: chunk.frames.count)
    chunks.append(Chunk(block: block, firstFrame: firstFrame, frameCount: frameCount))
    firstFrame += frameCount
    (chunk, frameCount, poseCount) = (PoseChunk(), 0, 0)
  }

  private mutating func keep(_ elements: [ElementRecord]) {
    if !between.isEmpty, let before = chunk.frames.last {
      measure(from: before, to: elements)
      between.removeAll(keepingCapacity: true)
    }
    chunk.append(elements)
    poseCount += elements.count
  }

  /// Compares the frames between two kept ones with the straight line.
  private mutating func measure(from before: [ElementRecord], to after: [ElementRecord]) {
    let ends = Dictionary(after.map { ($0.item, $0.pose) }) { first, _ in first }
    let starts = Dictionary(before.map { ($0.item, $0.pose) }) { first, _ in first }
    for (index, elements) in between.enumerated() {
      let share = Double(index + 1) / Double(between.count + 1)
      for element in elements {
        // An element that comes or goes in between is shown from one kept frame to the other.
        guard let start = starts[element.item], let end = ends[element.item] else { continue }
        let error = element.pose.distanceOfSides(from: start, to: end, share: share)
        if error > largestError { largestError = error }
      }
    }
  }
}

extension Pose {
  /// The farthest that a side lies from where the straight line between two poses has it, in points, the
  /// transform left aside.
  fileprivate func distanceOfSides(from start: Pose, to end: Pose, share: Double) -> Double {
    let x = abs(lerp(start.center.x, end.center.x, share) - center.x)
    let y = abs(lerp(start.center.y, end.center.y, share) - center.y)
    let width = abs(lerp(start.size.width, end.size.width, share) - size.width)
    let height = abs(lerp(start.size.height, end.size.height, share) - size.height)
    return max(x + width / 2, y + height / 2)
  }
}
