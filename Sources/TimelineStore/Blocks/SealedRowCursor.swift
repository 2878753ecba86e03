import SQLiteAccess

/// Sealed rows of a range of frames in the order of the table `plain_attribute`, without those of key frames,
/// which stand in the table itself.
final class SealedRowCursor {
  private let source: SealedSegments
  private let segments: KeptStatement
  private let frames: ClosedRange<Int64>
  private var current: SegmentRowsInFrameOrder?
  private var end = 0
  private(set) var session: Int64 = 0
  /// Where the row stands among its segment's.
  private(set) var position = 0

  /// Looks for the first row.
  ///
  /// - Parameters:
  ///   - source: Unpacks segments.
  ///   - session: The session. `nil`: all.
  ///   - frames: The frames.
  init(
    _ source: SealedSegments, session: Int64?, frames: ClosedRange<Int64>
  ) throws(SealedRowsError) {
    self.source = source
    self.frames = frames
    segments = try source.segments(of: session, frames: frames)
    try skipToRow()
  }

  /// The segment of the row. `nil` behind the last row.
  var rows: SegmentRowsInFrameOrder? { current }

  /// The number of the row's frame. `nil` behind the last row.
  var frame: Int64? { current?.frame(at: position) }

  /// Goes to the next row.
  func advance() throws(SealedRowsError) {
    position += 1
    try skipToRow()
  }

  private func skipToRow() throws(SealedRowsError) {
    while current == nil || position >= end {
      current = nil
      guard let segment = try SealedSegments.next(of: segments) else { return }
      let first = segment.record.firstFrame
      // The key frame's rows need no block, so a damaged one leaves them readable.
      let low = max(frames.lowerBound, segment.record.firstOwnFrame)
      let high = min(frames.upperBound, segment.record.lastFrame)
      guard low <= high else { continue }
      let rows = try source.rows(of: segment)
      session = segment.session
      position = rows.position(ofFrame: Int(low - first))
      end = rows.position(ofFrame: Int(high - first) + 1)
      current = rows
    }
  }
}
