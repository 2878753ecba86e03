import SQLiteAccess
import TimelineModel

extension RecordingReader {
  /// A frame with every element present in it; nil when there is no such frame.
  ///
  /// Looks through the changes since the key frame before, at most a second of them, from the newest
  /// back, and reads one row for each element; of sealed frames one segment is unpacked.
  public func foldedFrame(_ number: Int64, in session: Int64) throws(StoreError) -> FoldedFrame? {
    // Its statement stays open to the end, so that all that is read belongs to one state of a file that
    // is being recorded.
    let open = try frames(in: session, numbers: number...number)
    defer { withExtendedLifetime(open) {} }
    guard let frame = try open.next() else { return nil }
    let keyFrame = frame.isKeyFrame ? frame : try keyFrame(upTo: number, in: session)
    let start = keyFrame?.number ?? number
    // Rows behind the key frame may lie in blocks, all or a part of them.
    if start < number, try sealedSegment(in: start + 1...number, of: session) != nil {
      return try foldedFrames(in: session, numbers: number...number).next()
    }
    let newest = try newestChanges(in: session, frames: min(start, number)...number)
    return FoldedFrame(frame: frame, elements: try elements(newest, in: session))
  }

  /// The frame in which each element changed last, in the order of the elements' numbers; without those
  /// that are gone.
  private func newestChanges(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [(item: ItemHandle, frame: Int64)] {
    let rows = try rows(
      of: AttributeTable.self, AttributeTable.newestFirst(from: plainAttributes),
      [session, frames.lowerBound, frames.upperBound], AttributeTable.readPlace)
    var seen: Set<ItemHandle> = []
    var newest: [(item: ItemHandle, frame: Int64)] = []
    while let row = try rows.next() {
      guard seen.insert(row.item).inserted, !row.isGone else { continue }
      newest.append((row.item, row.frame))
    }
    newest.sort { $0.item.rawValue < $1.item.rawValue }
    return newest
  }

  /// The elements by the rows in which they changed last.
  private func elements(
    _ changes: [(item: ItemHandle, frame: Int64)], in session: Int64
  ) throws(StoreError) -> [ElementRecord] {
    let statement = try prepare(AttributeTable.one(from: plainAttributes))
    var elements: [ElementRecord] = []
    elements.reserveCapacity(changes.count)
    for change in changes {
      statement.reset()
      try naming(path, try statement.bind(session, change.frame, change.item))
      guard try naming(path, try statement.step()) else { continue }
      switch try reading(AttributeTable.name, path, try AttributeTable.read(statement)).change {
      case .changed(let element), .same(let element): elements.append(element)
      case .gone: break
      }
    }
    return elements
  }
}
