import SQLiteAccess
package import TimelineModel

/// A frame with every element that was present in it.
package struct FoldedFrame: Hashable, Sendable {
  /// The frame.
  package var frame: FrameRecord
  /// The elements in the order of their numbers.
  package var elements: [ElementRecord]

  /// Makes a frame with its elements.
  package init(frame: FrameRecord, elements: [ElementRecord]) {
    self.frame = frame
    self.elements = elements
  }
}

extension RecordingReader {
  /// All frame numbers there are.
  package static var allFrames: ClosedRange<Int64> { 0...Int64.max }

  /// Frames in the order recorded, without their elements.
  package func frames(
    in session: Int64, numbers: ClosedRange<Int64> = RecordingReader.allFrames
  ) throws(StoreError) -> RowCursor<FrameRecord> {
    try rows(
      of: FrameTable.self, FrameTable.inRange, [session, numbers.lowerBound, numbers.upperBound])
  }

  /// The frame that the display shows at an instant: the newest at or before it. Of frames with one
  /// time the one recorded last. nil before the first frame.
  package func frame(
    shownAt time: Instant, in session: Int64
  ) throws(StoreError) -> FrameRecord? {
    try rows(of: FrameTable.self, FrameTable.shownAt, [session, time.nanoseconds]).next()
  }

  /// Frames without their elements, from the one that the display shows at an instant back to the first.
  func frames(
    backwardsFrom time: Instant, in session: Int64
  ) throws(StoreError) -> RowCursor<FrameRecord> {
    try rows(of: FrameTable.self, FrameTable.backwards, [session, time.nanoseconds])
  }

  /// The newest key frame up to and including a frame.
  func keyFrame(upTo number: Int64, in session: Int64) throws(StoreError) -> FrameRecord? {
    try rows(of: FrameTable.self, FrameTable.keyFrameBefore, [session, number]).next()
  }

  /// Frames in the order recorded, each with every element present in it.
  package func foldedFrames(
    in session: Int64, numbers: ClosedRange<Int64> = RecordingReader.allFrames
  ) throws(StoreError) -> FoldedFrameCursor {
    if let before = try elements(before: numbers.lowerBound, in: session) {
      return FoldedFrameCursor(
        frames: try frames(in: session, numbers: numbers),
        changes: try changes(in: session, frames: numbers), first: numbers.lowerBound, path: path,
        elements: before)
    }
    let keyFrame = try keyFrame(upTo: numbers.lowerBound, in: session)
    let start = min(keyFrame?.number ?? numbers.lowerBound, numbers.lowerBound)
    return FoldedFrameCursor(
      frames: try frames(in: session, numbers: start...numbers.upperBound),
      changes: try changes(in: session, frames: start...numbers.upperBound),
      first: numbers.lowerBound, path: path)
  }

  /// What became of elements, in the order of frames and elements: blocks are unpacked here rather than
  /// through SQL, which would take each value twice through SQLite.
  package func changes(
    in session: Int64, frames: ClosedRange<Int64> = RecordingReader.allFrames
  ) throws(StoreError) -> RowCursor<(frame: Int64, change: AttributeChange)> {
    let plain = try rows(
      of: AttributeTable.self, AttributeTable.inRange(from: plainAttributes),
      [session, frames.lowerBound, frames.upperBound])
    let (source, path) = (sealedSegments, path)
    var sealed: SealedRowCursor?
    var pending: (frame: Int64, change: AttributeChange)?
    return RowCursor { () throws(StoreError) in
      if sealed == nil {
        // The first plain row comes before, so that both see one state of a file that is being recorded: a row is in the
        // table or in a block, never in both or in none.
        pending = try plain.next()
        sealed = try unsealing(
          path, try SealedRowCursor(source, session: session, frames: frames))
      }
      if let sealed, let frame = sealed.frame, let rows = sealed.rows,
        pending.map({ $0.frame >= frame }) ?? true
      {
        guard pending?.frame != frame else {
          throw .damaged(
            path, "the attributes of frame \(frame) are stored both as rows and in blocks")
        }
        let change = rows.change(at: sealed.position)
        try unsealing(path, try sealed.advance())
        return (frame, change)
      }
      let row = pending
      if row != nil { pending = try plain.next() }
      return row
    }
  }

  /// The elements of the frame before a sealed one. `nil` when the frame is not sealed. A second's blocks
  /// then need no folding.
  private func elements(
    before number: Int64, in session: Int64
  ) throws(StoreError) -> [ElementRecord]? {
    guard number > 0 else { return nil }
    guard let segment = try sealedSegment(in: number...number, of: session),
      segment.record.firstFrame < number, !segment.record.isPart
    else { return nil }
    return try unsealing(path, try sealedSegments.rows(of: segment)).elements(
      inFrame: Int(number - 1 - segment.record.firstFrame))
  }

  /// The first segment that has one of some frames.
  func sealedSegment(
    in frames: ClosedRange<Int64>, of session: Int64
  ) throws(StoreError) -> SealedSegment? {
    let segments = try unsealing(
      path, try sealedSegments.segments(of: session, frames: frames))
    return try unsealing(path, try SealedSegments.next(of: segments))
  }
}

/// Frames with their elements, one at a time: the changes of each frame are laid over the frame
/// before.
package final class FoldedFrameCursor {
  private let frames: RowCursor<FrameRecord>
  private let changes: RowCursor<(frame: Int64, change: AttributeChange)>
  private let first: Int64
  private let path: String
  private var pending: (frame: Int64, change: AttributeChange)?
  private var hasBegun = false
  private var elements: [ElementRecord]

  init(
    frames: RowCursor<FrameRecord>, changes: RowCursor<(frame: Int64, change: AttributeChange)>,
    first: Int64, path: String,
    elements: [ElementRecord] = []
  ) {
    self.frames = frames
    self.changes = changes
    self.first = first
    self.path = path
    self.elements = elements
  }

  /// The next frame. `nil` after the last one.
  ///
  /// - Throws: ``StoreError``: the file cannot be read, or its rows contradict each other.
  package func next() throws(StoreError) -> FoldedFrame? {
    while let frame = try frames.next() {
      // After the first frame: both then see one state of a file that is being recorded.
      if !hasBegun {
        hasBegun = true
        pending = try changes.next()
      }
      try fold(frame)
      if frame.number >= first { return FoldedFrame(frame: frame, elements: elements) }
    }
    return nil
  }

  /// The next frame whose elements are its own: one that was over before it could be read is left out.
  package func nextRead() throws(StoreError) -> FoldedFrame? {
    while let row = try next() {
      if !row.frame.state.isUnread { return row }
    }
    return nil
  }

  /// All frames that are left.
  package func rest() throws(StoreError) -> [FoldedFrame] {
    var rows: [FoldedFrame] = []
    while let row = try next() { rows.append(row) }
    return rows
  }

  /// Both lists are in the order of the elements' numbers, so one pass merges them.
  private func fold(_ frame: FrameRecord) throws(StoreError) {
    if let pending, pending.frame < frame.number {
      throw .damaged(
        path, "the table plain_attribute has rows of a frame \(pending.frame) that is missing")
    }
    let before = frame.isKeyFrame ? [] : elements
    guard frame.isKeyFrame || pending?.frame == frame.number else { return }
    var merged: [ElementRecord] = []
    merged.reserveCapacity(elements.count)
    var old = 0
    while let (number, change) = pending, number == frame.number {
      while old < before.count, before[old].item.rawValue < change.item.rawValue {
        merged.append(before[old])
        old += 1
      }
      if old < before.count, before[old].item == change.item { old += 1 }
      switch change {
      case .changed(let element), .same(let element): merged.append(element)
      case .gone: break
      }
      pending = try changes.next()
    }
    merged.append(contentsOf: before[old...])
    elements = merged
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension FoldedFrameCursor: Sendable {}
