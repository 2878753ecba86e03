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
  /// How many rows there are.
  package var rowCount: Int { frames.count }

  /// More frames than this are in no segment. A recorder's have at most 600; this is what a decoder
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
