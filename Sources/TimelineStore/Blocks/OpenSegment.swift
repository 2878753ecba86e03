import TimelineModel

/// The rows of a segment that is not complete, in columns, in the order in which they come: frame after
/// frame, elements in the order of their numbers.
struct OpenSegment: Sendable {
  /// The key frame with which it begins.
  let firstFrame: Int64
  /// The newest frame that it has.
  private(set) var lastFrame: Int64
  private(set) var items: [Int32] = []
  private var frames: [Int32] = []
  private var changes: [UInt8] = []
  private var poses: ContiguousArray<PoseWords> = []
  /// Six words for each flat transform other than the identity.
  private var flat: [UInt64] = []
  /// Sixteen words for each transform in space.
  private var spatial: [UInt64] = []

  var rowCount: Int { items.count }

  /// How many of them are not the key frame's.
  var rowsOutsideOfKeyFrame: Int { frames.count { $0 > 0 } }

  /// Begins with a key frame.
  ///
  /// - Parameter expected: For how many rows room is made at once.
  init(firstFrame: Int64, expected: Int = 0) {
    self.firstFrame = firstFrame
    lastFrame = firstFrame
    items.reserveCapacity(expected)
    frames.reserveCapacity(expected)
    changes.reserveCapacity(expected)
    poses.reserveCapacity(expected)
  }

  /// Takes a frame, which may have no rows.
  mutating func add(frame: Int64) { lastFrame = frame }

  /// Takes a row of the newest frame as a crash journal holds it.
  ///
  /// - Parameter words: A whole change, as ``JournalRecord`` writes it.
  mutating func add(_ words: UnsafeBufferPointer<UInt64>) {
    let flags = words[1]
    items.append(Int32(truncatingIfNeeded: flags))
    frames.append(Int32(truncatingIfNeeded: lastFrame - firstFrame))
    changes.append(UInt8(flags >> 32 & 3))
    guard words.count >= Self.poseEnd else { return }
    let transform = UnsafeBufferPointer(rebasing: words[Self.poseEnd...])
    let kind: UInt64
    switch transform.count {
    case 0: kind = SegmentRows.identityKind
    case BlockProperty.ofFlat.count:
      kind = SegmentRows.flatKind
      flat.append(contentsOf: transform)
    default:
      kind = SegmentRows.spatialKind
      spatial.append(contentsOf: transform)
    }
    poses.append(PoseWords(words, isHidden: flags >> 34 & 1, kind: kind))
  }

  /// Words of a change before those of its transform.
  private static let poseEnd = 10
}

/// A pose as words, in the order of `BlockProperty.ofPoses`.
private struct PoseWords: Sendable {
  let section: UInt64
  let item: UInt64
  let centerX: UInt64
  let centerY: UInt64
  let width: UInt64
  let height: UInt64
  let alpha: UInt64
  let zIndex: UInt64
  let hidden: UInt64
  let kind: UInt64

  /// From a crash journal's words.
  init(_ words: UnsafeBufferPointer<UInt64>, isHidden: UInt64, kind: UInt64) {
    section = words[2]
    item = words[3]
    centerX = words[4]
    centerY = words[5]
    width = words[6]
    height = words[7]
    alpha = words[8]
    zIndex = words[9]
    hidden = isHidden
    self.kind = kind
  }
}

// MARK: - Element after element

extension OpenSegment {
  /// The rows element after element, each element's frames in order.
  func sorted() -> SegmentRows {
    let positions = indicesByItem()
    var rows = SegmentRows(
      firstFrame: firstFrame, frameCount: Int(lastFrame - firstFrame) + 1)
    rows.frames.reserveCapacity(rowCount)
    rows.changes.reserveCapacity(rowCount)
    for index in positions {
      let row = Int(index)
      let item = items[row]
      if rows.items.last == item {
        rows.rowCounts[rows.rowCounts.count - 1] += 1
      } else {
        rows.items.append(item)
        rows.rowCounts.append(1)
      }
      rows.frames.append(frames[row])
      rows.changes.append(changes[row])
    }
    sortColumns(positions, into: &rows)
    return rows
  }

  /// The rows' places in the order of elements, those of an element as they came: a radix sort over
  /// the elements' numbers.
  private func indicesByItem() -> [Int32] {
    var positions = (0..<Int32(truncatingIfNeeded: rowCount)).map { $0 }
    var sorted = positions
    let highest = UInt32(bitPattern: items.max() ?? 0)
    var shift: UInt32 = 0
    while shift < 32, highest >> shift > 0 {
      var starts = [Int32](repeating: 0, count: 1 << OpenSegment.digitBits + 1)
      let mask = UInt32(1 << OpenSegment.digitBits - 1)
      for item in items { starts[Int(UInt32(bitPattern: item) >> shift & mask) + 1] += 1 }
      for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
      for index in positions {
        let digit = Int(UInt32(bitPattern: items[Int(index)]) >> shift & mask)
        sorted[Int(starts[digit])] = index
        starts[digit] += 1
      }
      swap(&positions, &sorted)
      shift += OpenSegment.digitBits
    }
    return positions
  }

  /// Bits that one pass of the sort looks at: 2,048 elements take one pass, whose counts fit the
  /// processor's first cache.
  private static let digitBits: UInt32 = 11

  private func sortColumns(_ positions: [Int32], into rows: inout SegmentRows) {
    var poseOfRow = [Int32](repeating: 0, count: rowCount)
    var nextPose: Int32 = 0
    for row in changes.indices where changes[row] != 2 {
      poseOfRow[row] = nextPose
      nextPose += 1
    }
    var order: [Int32] = []
    order.reserveCapacity(poses.count)
    for index in positions where changes[Int(index)] != 2 { order.append(poseOfRow[Int(index)]) }
    rows.poses = poses.withUnsafeBytes { words in
      OpenSegment.columns(
        of: words.bindMemory(to: UInt64.self), count: BlockProperty.ofPoses.count, order)
    }
    if !flat.isEmpty {
      rows.flat = flat.withUnsafeBufferPointer {
        OpenSegment.columns(
          of: $0, count: BlockProperty.ofFlat.count, transforms(of: SegmentRows.flatKind, order))
      }
    }
    if !spatial.isEmpty {
      rows.spatial = spatial.withUnsafeBufferPointer {
        OpenSegment.columns(
          of: $0, count: BlockProperty.ofSpatial.count,
          transforms(of: SegmentRows.spatialKind, order))
      }
    }
  }

  /// Where the transforms of a kind stand as they came, in the order of the poses.
  private func transforms(of kind: UInt64, _ order: [Int32]) -> [Int32] {
    var indexOfPose: [Int32] = []
    indexOfPose.reserveCapacity(poses.count)
    var next: Int32 = 0
    for pose in poses {
      indexOfPose.append(next)
      if pose.kind == kind { next += 1 }
    }
    return order.filter { poses[Int($0)].kind == kind }.map { indexOfPose[Int($0)] }
  }

  /// Columns of rows of words, the rows in another order.
  private static func columns(
    of words: UnsafeBufferPointer<UInt64>, count: Int, _ order: [Int32]
  ) -> [[UInt64]] {
    (0..<count).map { column in
      [UInt64](unsafeUninitializedCapacity: order.count) { room, written in
        for (index, row) in order.enumerated() { room[index] = words[Int(row) * count + column] }
        written = order.count
      }
    }
  }
}
