import TimelineModel
import TimelineStore

/// Frames in the order recorded, each with what became of elements in it.
final class FrameChangeCursor {
  private let reader: RecordingReader
  private let frames: RowCursor<FrameRecord>
  private let changes: RowCursor<(frame: Int64, change: AttributeChange)>
  private var pending: (frame: Int64, change: AttributeChange)?
  private var hasBegun = false

  init(_ session: Int64, in reader: RecordingReader) throws(StoreError) {
    self.reader = reader
    frames = try reader.frames(in: session)
    changes = try reader.changes(in: session)
  }

  /// The next frame. `nil` after the last one.
  func next() throws(StoreError) -> (frame: FrameRecord, changes: [AttributeChange])? {
    guard let frame = try frames.next() else { return nil }
    // After the first frame: both then see one state of a file that is being recorded.
    if !hasBegun {
      hasBegun = true
      pending = try changes.next()
    }
    var own: [AttributeChange] = []
    while let (number, change) = pending, number <= frame.number {
      guard number == frame.number else {
        throw .damaged(
          reader.path, "the table plain_attribute has rows of a frame \(number) that is missing")
      }
      own.append(change)
      pending = try changes.next()
    }
    return (frame, own)
  }
}
