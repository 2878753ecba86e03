import SQLiteAccess
import TimelineModel

extension RecordingReader {
  /// A frame with every element present in it; nil when there is no such frame.
  ///
  /// Looks through the changes since the key frame before, at most a second of them, from the newest
  /// back, and reads one row for each element; of sealed frames a segment or its parts are unpacked.
  public func foldedFrame(_ number: Int64, in session: Int64) throws(StoreError) -> FoldedFrame? {
    // Its statement stays open to the end, so that all that is read belongs to one state of a file that
    // is being recorded.
    let open = try frames(in: session, numbers: number...number)
    defer { withExtendedLifetime(open) {} }
    guard let frame = try open.next() else { return nil }
    let keyFrame = frame.isKeyFrame ? frame : try keyFrame(upTo: number, in: session)
    let start = keyFrame?.number ?? number
    // Rows behind the key frame may lie in blocks, all or a part of them.
    var inParts: [(frame: Int64, change: AttributeChange)] = []
    if start < number {
      guard let found = try newestInParts(in: session, frames: start + 1...number) else {
        return try foldedFrames(in: session, numbers: number...number).next()
      }
      inParts = found
    }
    let newest = try newestChanges(in: session, frames: min(start, number)...number)
    var (plain, sealed) = (newest[...], inParts[...])
    var rows: [(item: ItemHandle, frame: Int64, isGone: Bool)] = []
    var elements: [ElementRecord] = []
    while let next = [plain.first?.item, sealed.first?.change.item].compactMap(\.self).min(
      by: { $0.rawValue < $1.rawValue })
    {
      let row = plain.first?.item == next ? plain.removeFirst() : nil
      let part = sealed.first?.change.item == next ? sealed.removeFirst() : nil
      if let row, row.frame > part?.frame ?? .min {
        rows.append(row)
      } else if let element = part?.change.element {
        elements.append(element)
      }
    }
    elements += try self.elements(rows, in: session)
    if !inParts.isEmpty { elements.sort { $0.item.rawValue < $1.item.rawValue } }
    return FoldedFrame(frame: frame, elements: elements)
  }

  /// What the parts of a segment say each element became last in some frames of it, in the order of the elements'
  /// numbers; nil where the frames are in a whole segment.
  private func newestInParts(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [(frame: Int64, change: AttributeChange)]? {
    var newest: [(frame: Int64, change: AttributeChange)] = []
    let segments = try unsealing(path, try sealedSegments.segments(of: session, frames: frames))
    while let segment = try unsealing(path, try segments.next()) {
      guard segment.record.isPart else { return nil }
      newest += try unsealing(path, try sealedSegments.rows(of: segment)).newestChanges(
        upTo: Int(frames.upperBound - segment.record.firstFrame))
    }
    newest.sort { ($0.change.item.rawValue, $0.frame) < ($1.change.item.rawValue, $1.frame) }
    return newest.indices.filter {
      $0 + 1 == newest.count || newest[$0 + 1].change.item != newest[$0].change.item
    }.map { newest[$0] }
  }

  /// The frame in which each element changed last by the plain rows, in the order of the elements' numbers.
  private func newestChanges(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [(item: ItemHandle, frame: Int64, isGone: Bool)] {
    let rows = try rows(
      of: AttributeTable.self, AttributeTable.newestFirst(from: plainAttributes),
      [session, frames.lowerBound, frames.upperBound], AttributeTable.readPlace)
    var seen: Set<ItemHandle> = []
    var newest: [(item: ItemHandle, frame: Int64, isGone: Bool)] = []
    while let row = try rows.next() {
      if seen.insert(row.item).inserted { newest.append((row.item, row.frame, row.isGone)) }
    }
    newest.sort { $0.item.rawValue < $1.item.rawValue }
    return newest
  }

  /// The elements by the rows in which they changed last.
  private func elements(
    _ changes: [(item: ItemHandle, frame: Int64, isGone: Bool)], in session: Int64
  ) throws(StoreError) -> [ElementRecord] {
    let statement = try prepare(AttributeTable.one(from: plainAttributes))
    var elements: [ElementRecord] = []
    elements.reserveCapacity(changes.count)
    for change in changes where !change.isGone {
      statement.reset()
      try naming(path, try statement.bind(session, change.frame, change.item))
      guard try naming(path, try statement.step()) else { continue }
      let row = try reading(AttributeTable.name, path, try AttributeTable.read(statement))
      if let element = row.change.element { elements.append(element) }
    }
    return elements
  }
}
