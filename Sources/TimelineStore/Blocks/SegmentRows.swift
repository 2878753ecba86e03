/// The rows of a segment in columns, element after element, each element's frames in order: the order
/// of blocks.
package struct SegmentRows: Equatable, Sendable {
  /// The segment's key frame.
  package let firstFrame: Int64
  /// How many frames the segment has, with and without rows.
  package let frameCount: Int
  /// The elements that have rows, in the order of their numbers.
  package internal(set) var items: [Int32] = []
  /// How many rows each of them has.
  package internal(set) var rowCounts: [Int32] = []
  /// Each row's frame, counted from the segment's first.
  package internal(set) var frames: [Int32] = []
  /// What became of the element: 0 changed, 1 as before, 2 gone.
  package internal(set) var changes: [UInt8] = []
  /// The words of each property: of `ofPoses` where the element is not gone, of the others where the
  /// transform is of their kind, with no columns at all where no row has one.
  var poses: [[UInt64]] = []
  var flat: [[UInt64]] = []
  var spatial: [[UInt64]] = []

  /// The number of the last frame.
  package var lastFrame: Int64 { firstFrame + Int64(frameCount) - 1 }
  package var rowCount: Int { frames.count }

  /// More frames than this are in no segment. A recorder's have at most 600. This is what a decoder
  /// is ready to make room for.
  package static let mostFrames = 65_536
  /// More rows than this are in no segment: 10,000 elements that all move for a hundred frames. A
  /// decoder needs eight bytes for each row and property.
  package static let mostRows = 1_048_576

  init(firstFrame: Int64, frameCount: Int) {
    self.firstFrame = firstFrame
    self.frameCount = frameCount
  }

  /// Where `poses` has the flag of hidden elements.
  static let hiddenColumn = 8
  /// Where `poses` has the kind of the transform: one of the three below.
  static let kindColumn = 9
  static let identityKind: UInt64 = 0
  static let flatKind: UInt64 = 1
  static let spatialKind: UInt64 = 2
}

// MARK: - How many words each element has

extension SegmentRows {
  /// Rows of each element that have a pose.
  var poseCounts: [Int32] {
    counts { _, change in change != 2 }
  }

  /// Rows of each element whose transform is of a kind.
  func poseCounts(of kind: UInt64) -> [Int32] {
    var pose = 0
    return counts { _, change in
      guard change != 2 else { return false }
      defer { pose += 1 }
      return poses[SegmentRows.kindColumn][pose] == kind
    }
  }

  private func counts(_ passes: (Int, UInt8) -> Bool) -> [Int32] {
    var counts: [Int32] = []
    counts.reserveCapacity(items.count)
    var row = 0
    for length in rowCounts {
      var count: Int32 = 0
      for _ in 0..<length {
        if passes(row, changes[row]) { count += 1 }
        row += 1
      }
      counts.append(count)
    }
    return counts
  }
}

extension SegmentRows {
  /// Frames under one byte. More take a number after it.
  private static let shortRun = 63

  /// The block `rows`: the format's version, the sort of content, the number of elements, and for each
  /// the distance of its number from the one before and runs of frames that are alike until all frames
  /// are told. A run's byte has in its upper two bits what the frames are (0 no row, 1 changed, 2 as
  /// before, 3 gone) and in its lower six how many less one. 63: 64 plus a number that follows.
  func encodedRows() -> [UInt8] {
    var bytes: [UInt8] = [BlockCodec.formatVersion, BlockCodec.Words.rows.rawValue]
    bytes.reserveCapacity(16 + items.count * 12)
    bytes.append(number: UInt64(items.count))
    var row = 0
    var next: Int64 = 0
    for (item, count) in zip(items, rowCounts) {
      bytes.append(number: UInt64(Int64(item) - next))
      next = Int64(item) + 1
      var frame = 0
      let end = row + Int(count)
      while row < end {
        let index = Int(frames[row])
        if index > frame { SegmentRows.append(run: index - frame, of: 0, to: &bytes) }
        var stop = row + 1
        while stop < end, changes[stop] == changes[row], Int(frames[stop]) == index + stop - row {
          stop += 1
        }
        SegmentRows.append(run: stop - row, of: changes[row] + 1, to: &bytes)
        frame = index + stop - row
        row = stop
      }
      if frame < frameCount { SegmentRows.append(run: frameCount - frame, of: 0, to: &bytes) }
    }
    return bytes
  }

  private static func append(run: Int, of code: UInt8, to bytes: inout [UInt8]) {
    if run <= shortRun {
      bytes.append(code << 6 | UInt8(run - 1))
    } else {
      bytes.append(code << 6 | UInt8(shortRun))
      bytes.append(number: UInt64(run - shortRun - 1))
    }
  }

  /// Reads the block `rows`. Takes any bytes.
  mutating func decodeRows(_ bytes: [UInt8], rowCount: Int) throws(BlockError) {
    frames.reserveCapacity(rowCount)
    changes.reserveCapacity(rowCount)
    try bytes.inPlace { bytes throws(BlockError) in
      var input = ByteInput(bytes)
      guard try input.byte() == BlockCodec.formatVersion,
        try input.byte() == BlockCodec.Words.rows.rawValue
      else { throw .unknownFormat }
      let itemCount = try input.number()
      // Each element takes two bytes at least.
      guard itemCount <= UInt64(bytes.count) else { throw .wrongCount }
      items.reserveCapacity(Int(itemCount))
      rowCounts.reserveCapacity(Int(itemCount))
      var next: UInt64 = 0
      for _ in 0..<itemCount {
        let distance = try input.number()
        guard distance <= UInt64(Int32.max), next + distance <= UInt64(Int32.max) else {
          throw .wrongValue
        }
        items.append(Int32(next + distance))
        next += distance + 1
        rowCounts.append(try decodeRuns(&input, capacity: rowCount))
      }
      guard input.isAtEnd else { throw .surplus }
      guard frames.count == rowCount else { throw .wrongCount }
    }
  }

  /// Reads an element's runs.
  ///
  /// - Returns: how many rows it has.
  private mutating func decodeRuns(
    _ input: inout ByteInput, capacity: Int
  ) throws(BlockError) -> Int32 {
    var frame = 0
    let before = frames.count
    while frame < frameCount {
      let byte = try input.byte()
      var run = Int(byte & 63) + 1
      if run == SegmentRows.shortRun + 1 {
        let more = try input.number()
        guard more <= UInt64(frameCount) else { throw .wrongCount }
        run += Int(more)
      }
      guard run <= frameCount - frame else { throw .wrongCount }
      if byte >> 6 > 0 {
        guard run <= capacity - frames.count else { throw .wrongCount }
        for index in frame..<frame + run {
          frames.append(Int32(index))
          changes.append(byte >> 6 - 1)
        }
      }
      frame += run
    }
    guard frames.count > before else { throw .wrongCount }
    return Int32(frames.count - before)
  }
}

extension SegmentRecord {
  /// How many frames the segment has. `nil` when its numbers are none that a recorder writes, or are more
  /// than a reader makes room for.
  var frameCount: Int? {
    let (distance, overflow) = lastFrame.subtractingReportingOverflow(firstFrame)
    guard !overflow, firstFrame >= 0, lastFrame < Int64.max,
      (0..<Int64(SegmentRows.mostFrames)).contains(distance)
    else { return nil }
    return Int(distance) + 1
  }
}
