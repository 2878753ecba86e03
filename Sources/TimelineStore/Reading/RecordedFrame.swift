public import TimelineModel

/// A frame of the display, with every element that was on the stage in it. It is a sequence of pairs of a
/// name and a pose, in the order in which the elements first appeared.
public struct RecordedFrame: Sequence, Sendable {
  /// Instant, phase, progress, content offset and content size.
  public let state: FrameState
  private let elements: [ElementRecord]
  private let names: ElementNames

  init(_ frame: FoldedFrame, _ names: ElementNames) {
    (state, elements, self.names) = (frame.frame.state, frame.elements, names)
  }

  /// When the frame was shown.
  public var time: Instant { state.time }

  /// The pose of an element, or nil if it was not on the stage. If two elements have the name, the first one
  /// counts.
  ///
  /// - Complexity: linear in the elements of the frame.
  public subscript(element: String) -> Pose? {
    elements.first { names[$0.item] == element }?.pose
  }

  /// The elements from the first on.
  public func makeIterator() -> Iterator { Iterator(rows: elements.makeIterator(), names: names) }

  /// The elements of a frame, one at a time.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var rows: IndexingIterator<[ElementRecord]>
    fileprivate let names: ElementNames

    /// The name and the pose of the next element, or nil after the last one.
    public mutating func next() -> (element: String, pose: Pose)? {
      rows.next().map { (names[$0.item], $0.pose) }
    }
  }
}

extension RecordedSession {
  /// The session's frames in the order recorded, each with every element that was on the stage.
  ///
  /// A frame that ended before it could be read is left out, because its elements are those of a later frame.
  ///
  /// - Complexity: linear in the elements of the frames. The memory is that of one frame, or of one second of
  ///   packed frames.
  public var frames: RowCursor<RecordedFrame> {
    get throws(StoreError) { try frames(in: RecordingReader.allTime) }
  }

  /// The frames of a stretch of time, as ``frames`` gives them.
  ///
  /// - Parameter range: The first and the last instant, in the session's time.
  public func frames(
    in range: ClosedRange<Instant>
  ) throws(StoreError) -> RowCursor<RecordedFrame> {
    let number = record.number
    let before = try reader.frame(shownAt: range.lowerBound, in: number)?.number ?? 0
    var names = ElementNames()
    let rows = try reader.foldedFrames(in: number, numbers: before...Int64.max)
    let reader = reader
    return RowCursor { () throws(StoreError) in
      while let row = try rows.nextRead(), row.frame.state.time <= range.upperBound {
        guard row.frame.state.time >= range.lowerBound else { continue }
        try names.add(row.elements, reader, number)
        return RecordedFrame(row, names)
      }
      return nil
    }
  }

  /// The frame that the display showed at an instant: the newest readable frame at or before it. Nil before
  /// the first frame.
  ///
  /// - Complexity: linear in the elements, in the changes of the second before, and in the frames since then that nobody
  ///   read.
  public func frame(at time: Instant) throws(StoreError) -> RecordedFrame? {
    let frames = try reader.frames(backwardsFrom: time, in: record.number)
    var shown = try frames.next()
    while shown?.state.isUnread == true { shown = try frames.next() }
    guard let shown, let row = try reader.foldedFrame(shown.number, in: record.number) else {
      return nil
    }
    var names = ElementNames()
    try names.add(row.elements, reader, record.number)
    return RecordedFrame(row, names)
  }
}

/// The names of a session's elements by their numbers. A session that is being recorded gets more of them.
struct ElementNames: Sendable {
  private var names: [ItemHandle: String] = [:]

  subscript(item: ItemHandle) -> String { names[item] ?? "" }

  /// Looks for names if an element of a frame has none.
  fileprivate mutating func add(
    _ elements: [ElementRecord], _ reader: RecordingReader, _ session: Int64
  ) throws(StoreError) {
    guard elements.contains(where: { names[$0.item] == nil }) else { return }
    for item in try reader.items(in: session) { names[item.handle] = item.identity.id }
    for element in elements where names[element.item] == nil {
      throw .damaged(
        reader.path, "its frames have an element \(element.item.rawValue) without a name")
    }
  }
}
