import TimelineModel

extension SegmentRows {
  /// The rows in the order of frames, then elements, as the table `plain_attribute` has them.
  package func inFrameOrder() -> SegmentRowsInFrameOrder { SegmentRowsInFrameOrder(self) }
}

/// A segment's rows in the order of frames, then elements.
///
/// Needs 16 bytes a row beside the rows.
package struct SegmentRowsInFrameOrder: Sendable {
  /// The rows, element after element.
  package let rows: SegmentRows
  /// Where each frame's rows begin in `order`. One more than there are frames.
  private let starts: [Int32]
  /// The rows' places in the order of frames.
  private let order: [Int32]
  /// Each row's element.
  private let items: [Int32]
  /// Each row's place among the poses, and that pose's among those with a transform of its kind.
  private let poses: [Int32]
  private let transforms: [Int32]

  init(_ rows: SegmentRows) {
    self.rows = rows
    var items: [Int32] = []
    items.reserveCapacity(rows.rowCount)
    for (item, count) in zip(rows.items, rows.rowCounts) {
      for _ in 0..<count { items.append(item) }
    }
    self.items = items
    var poses: [Int32] = []
    var transforms: [Int32] = []
    poses.reserveCapacity(rows.rowCount)
    transforms.reserveCapacity(rows.rowCount)
    let kinds = rows.poses[SegmentRows.kindColumn]
    var pose: Int32 = 0
    var counts: [Int32] = [0, 0, 0]
    for change in rows.changes {
      poses.append(pose)
      guard change != 2 else {
        transforms.append(0)
        continue
      }
      let kind = Int(kinds[Int(pose)])
      transforms.append(counts[kind])
      counts[kind] += 1
      pose += 1
    }
    self.poses = poses
    self.transforms = transforms
    var starts = [Int32](repeating: 0, count: rows.frameCount + 1)
    for frame in rows.frames { starts[Int(frame) + 1] += 1 }
    for frame in 0..<rows.frameCount { starts[frame + 1] += starts[frame] }
    var next = starts
    var order = [Int32](repeating: 0, count: rows.rowCount)
    for (row, frame) in rows.frames.enumerated() {
      order[Int(next[Int(frame)])] = Int32(row)
      next[Int(frame)] += 1
    }
    self.starts = starts
    self.order = order
  }

  /// The places of rows from a frame on, which counts from the segment's first: an index to
  /// ``frame(at:)`` and ``change(at:)``.
  func position(ofFrame frame: Int) -> Int { Int(starts[min(max(frame, 0), rows.frameCount)]) }

  /// The number of a place's frame.
  func frame(at position: Int) -> Int64 {
    rows.firstFrame + Int64(rows.frames[Int(order[position])])
  }

  /// The number of a place's element.
  func item(at position: Int) -> Int32 { items[Int(order[position])] }

  /// What became of the element at a place: 0 changed, 1 as before, 2 gone.
  func changeCode(at position: Int) -> UInt8 { rows.changes[Int(order[position])] }

  /// A word of a place's pose, by its position in `BlockProperty.ofPoses`. `nil` when the element is gone.
  func poseWord(_ property: Int, at position: Int) -> UInt64? {
    let row = Int(order[position])
    return rows.changes[row] == 2 ? nil : rows.poses[property][Int(poses[row])]
  }

  /// A word of a place's flat transform, by its position in `BlockProperty.ofFlat`. `nil` where there is
  /// none but the identity.
  func flatWord(_ property: Int, at position: Int) -> UInt64? {
    guard poseWord(SegmentRows.kindColumn, at: position) == SegmentRows.flatKind else { return nil }
    return rows.flat[property][Int(transforms[Int(order[position])])]
  }

  /// The sixteen numbers of a place's transform in space. `nil` where there is none.
  func spatialNumbers(at position: Int) -> [Double]? {
    guard poseWord(SegmentRows.kindColumn, at: position) == SegmentRows.spatialKind else {
      return nil
    }
    let transform = Int(transforms[Int(order[position])])
    return rows.spatial.map { Double(bitPattern: $0[transform]) }
  }

  /// What became of the element at a place.
  func change(at position: Int) -> AttributeChange {
    let row = Int(order[position])
    return change(ItemHandle(rawValue: items[row]), row)
  }

  private func change(_ item: ItemHandle, _ row: Int) -> AttributeChange {
    switch rows.changes[row] {
    case 0: return .changed(element(item, row))
    case 1: return .same(element(item, row))
    default: return .gone(item)
    }
  }

  /// The elements that are there in a frame, which counts from the segment's first.
  func elements(inFrame frame: Int) -> [ElementRecord] {
    newestChanges(upTo: frame).compactMap(\.change.element)
  }

  /// What each element that changed up to a frame, which counts from the segment's first, became last, in the order
  /// of the elements' numbers.
  func newestChanges(upTo frame: Int) -> [(frame: Int64, change: AttributeChange)] {
    var newest: [(frame: Int64, change: AttributeChange)] = []
    newest.reserveCapacity(rows.items.count)
    var start = 0
    for (item, count) in zip(rows.items, rows.rowCounts) {
      let end = start + Int(count)
      var row = start
      while row < end, Int(rows.frames[row]) <= frame { row += 1 }
      if row > start {
        newest.append(
          (
            rows.firstFrame + Int64(rows.frames[row - 1]),
            change(ItemHandle(rawValue: item), row - 1)
          ))
      }
      start = end
    }
    return newest
  }

  private func element(_ item: ItemHandle, _ row: Int) -> ElementRecord {
    let pose = Int(poses[row])
    let columns = rows.poses
    func integer(_ column: Int) -> Int { Int(Int64(bitPattern: columns[column][pose])) }
    func number(_ column: Int) -> Double { Double(bitPattern: columns[column][pose]) }
    return ElementRecord(
      item: item, indexPath: ItemIndexPath(section: integer(0), item: integer(1)),
      pose: Pose(
        center: Point2D(x: number(2), y: number(3)),
        size: Size2D(width: number(4), height: number(5)),
        transform: transform(columns[SegmentRows.kindColumn][pose], Int(transforms[row])),
        alpha: number(6), zIndex: integer(7),
        isHidden: columns[SegmentRows.hiddenColumn][pose] == 1))
  }

  private func transform(_ kind: UInt64, _ position: Int) -> ElementTransform {
    switch kind {
    case SegmentRows.flatKind:
      let columns = rows.flat
      func number(_ column: Int) -> Double { Double(bitPattern: columns[column][position]) }
      return .flat(
        Transform2D(
          a: number(0), b: number(1), c: number(2), d: number(3), tx: number(4), ty: number(5)))
    case SegmentRows.spatialKind:
      let numbers = rows.spatial.map { Double(bitPattern: $0[position]) }
      return Transform3D(components: numbers).map(ElementTransform.spatial) ?? .identity
    default: return .identity
    }
  }
}
