import SQLiteAccess
import TimelineModel

extension RecordingReader {
  /// A frame with every element present in it. `nil` when there is no such frame.
  ///
  /// Looks through the changes since the key frame before, at most a second of them, from the newest
  /// back, and reads one row for each element. Of sealed frames a segment or its parts are unpacked.
  package func foldedFrame(_ number: Int64, in session: Int64) throws(StoreError) -> FoldedFrame? {
    // Its statement stays open to the end, so that all that is read belongs to one state of a file that
    // is being recorded.
    let open = try frames(in: session, numbers: number...number)
    defer { withExtendedLifetime(open) {} }
    guard let frame = try open.next() else { return nil }
    let keyFrame = frame.isKeyFrame ? frame : try keyFrame(upTo: number, in: session)
    let start = keyFrame?.number ?? number
    // Rows behind the key frame may lie in blocks, all or a part of them.
    var newest: [NewestChange] = []
    if start < number {
      guard let found = try newestInParts(in: session, frames: start + 1...number) else {
        return try foldedFrames(in: session, numbers: number...number).next()
      }
      newest = found
    }
    newest += try newestChanges(in: session, frames: min(start, number)...number)
    newest.sort { ($0.item.rawValue, $0.frame) < ($1.item.rawValue, $1.frame) }
    let last = newest.indices.filter {
      $0 + 1 == newest.count || newest[$0 + 1].item != newest[$0].item
    }
    return FoldedFrame(
      frame: frame, elements: try elements(last.map { newest[$0] }, in: session))
  }

  /// When an element changed last, and what it became.
  private struct NewestChange {
    var item: ItemHandle
    var frame: Int64
    /// nil: what the plain row of the frame says.
    var change: AttributeChange?
  }

  /// What the parts of a segment say each element became in some frames of it. `nil` where the frames are in a whole
  /// segment.
  private func newestInParts(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [NewestChange]? {
    var newest: [NewestChange] = []
    let segments = try unsealing(path, try sealedSegments.segments(of: session, frames: frames))
    while let segment = try unsealing(path, try SealedSegments.next(of: segments)) {
      guard segment.record.isPart else { return nil }
      newest += try unsealing(path, try sealedSegments.rows(of: segment)).newestChanges(
        upTo: Int(frames.upperBound - segment.record.firstFrame)
      ).map { NewestChange(item: $0.change.item, frame: $0.frame, change: $0.change) }
    }
    return newest
  }

  /// The frame in which each element changed last by the plain rows.
  private func newestChanges(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [NewestChange] {
    let rows = try rows(
      of: AttributeTable.self, AttributeTable.newestFirst(from: plainAttributes),
      [session, frames.lowerBound, frames.upperBound], AttributeTable.readItemChange)
    var seen: Set<ItemHandle> = []
    var newest: [NewestChange] = []
    while let row = try rows.next() {
      guard seen.insert(row.item).inserted else { continue }
      newest.append(
        NewestChange(
          item: row.item, frame: row.frame, change: row.isGone ? .gone(row.item) : nil))
    }
    return newest
  }

  /// The elements that changes left, in their order.
  private func elements(
    _ changes: [NewestChange], in session: Int64
  ) throws(StoreError) -> [ElementRecord] {
    let statement = try prepare(AttributeTable.one(from: plainAttributes))
    var elements: [ElementRecord] = []
    elements.reserveCapacity(changes.count)
    for newest in changes {
      if let change = newest.change {
        if let element = change.element { elements.append(element) }
        continue
      }
      statement.reset()
      try naming(path, try statement.bind(session, newest.frame, newest.item))
      guard try naming(path, try statement.step()) else { continue }
      let row = try reading(AttributeTable.name, path, try AttributeTable.read(statement))
      if let element = row.change.element { elements.append(element) }
    }
    return elements
  }
}
