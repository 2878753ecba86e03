import TimelineModel
import TimelineStore

/// The poses of some frames in a row, packed together: about a quarter of a second, so that a jump to any
/// time unpacks no more than that.
struct PoseChunk {
  /// Each frame's elements in the order of their numbers.
  private(set) var frames: [[ElementRecord]] = []

  mutating func append(_ elements: [ElementRecord]) { frames.append(elements) }

  /// One element in the frames of a chunk.
  private struct Track {
    /// In how many frames in a row it is, is not, is, …. The first is of frames without it.
    var runs = [0]
    /// The last frame that the sessions tell of.
    var lastFrame = -1
    /// Its poses in the frames that it is in.
    var poses: [Pose] = []

    mutating func append(_ pose: Pose, frame: Int) {
      if runs.count.isMultiple(of: 2), frame == lastFrame + 1 {
        runs[runs.count - 1] += 1
      } else {
        // Frames without it come before, perhaps none at the very start.
        if runs.count.isMultiple(of: 2) { runs.append(0) }
        runs[runs.count - 1] += frame - lastFrame - 1
        runs.append(1)
      }
      lastFrame = frame
      poses.append(pose)
    }
  }

  /// All of it as bits: for each element its number, the frames that it is in, and a column for each of
  /// its numbers.
  func packed() -> BitWriter {
    var tracks: [ItemHandle: Track] = [:]
    for (frame, elements) in frames.enumerated() {
      for element in elements {
        tracks[element.item, default: Track()].append(element.pose, frame: frame)
      }
    }
    var bits = BitWriter()
    let items = tracks.keys.sorted { $0.rawValue < $1.rawValue }
    bits.append(count: items.count)
    var before: Int32 = -1
    for item in items {
      guard var track = tracks[item] else { continue }
      bits.append(count: Int(item.rawValue) - Int(before) - 1)
      before = item.rawValue
      if track.poses.count == frames.count {
        bits.append(1, bits: 1)
      } else {
        bits.append(0, bits: 1)
        let rest = frames.count - 1 - track.lastFrame
        if rest > 0 { track.runs.append(rest) }
        for run in track.runs { bits.append(count: run) }
      }
      PoseChunk.append(track.poses, to: &bits)
    }
    return bits
  }

  private static func append(_ poses: [Pose], to bits: inout BitWriter) {
    bits.append(column: poses.map { PageScale.steps($0.center.x, PageScale.length) })
    bits.append(column: poses.map { PageScale.steps($0.center.y, PageScale.length) })
    bits.append(column: poses.map { PageScale.steps($0.size.width, PageScale.length) })
    bits.append(column: poses.map { PageScale.steps($0.size.height, PageScale.length) })
    bits.append(column: poses.map { PageScale.steps($0.alpha, PageScale.alpha) })
    bits.append(column: poses.map { PageScale.whole($0.zIndex) })
    bits.append(column: poses.map { $0.isHidden ? 1 : 0 })
    var isIdentity = true
    var isFlat = true
    for pose in poses where pose.transform != .identity {
      isIdentity = false
      if case .spatial = pose.transform { isFlat = false }
    }
    if isIdentity {
      bits.append(0, bits: 2)
    } else if isFlat {
      bits.append(1, bits: 2)
      appendFlat(poses.map(\.transform.spatial), to: &bits)
    } else {
      // What moves out of the plane leaves no trace on a flat element but in the divisor.
      bits.append(2, bits: 2)
      let transforms = poses.map(\.transform.spatial)
      appendFlat(transforms, to: &bits)
      bits.append(column: transforms.map { PageScale.steps($0.m14, PageScale.divisor) })
      bits.append(column: transforms.map { PageScale.steps($0.m24, PageScale.divisor) })
      bits.append(column: transforms.map { PageScale.steps($0.m44, PageScale.divisor) })
    }
  }

  private static func appendFlat(_ transforms: [Transform3D], to bits: inout BitWriter) {
    bits.append(column: transforms.map { PageScale.steps($0.m11, PageScale.turn) })
    bits.append(column: transforms.map { PageScale.steps($0.m12, PageScale.turn) })
    bits.append(column: transforms.map { PageScale.steps($0.m21, PageScale.turn) })
    bits.append(column: transforms.map { PageScale.steps($0.m22, PageScale.turn) })
    bits.append(column: transforms.map { PageScale.steps($0.m41, PageScale.length) })
    bits.append(column: transforms.map { PageScale.steps($0.m42, PageScale.length) })
  }
}
