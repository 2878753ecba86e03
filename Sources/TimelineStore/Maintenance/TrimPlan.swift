import SQLiteAccess
import TimelineModel

/// What becomes of a session's frames when it is cut: which stay, and the rows of attributes that are
/// written anew at both edges.
struct TrimPlan {
  /// The frames that stay. `nil`: none does.
  let frames: ClosedRange<Int64>?
  /// What each element does in them.
  let items: [ItemSummary]
  /// Rows of the segments at the edges that do not stay.
  private(set) var cutRowCount: Int64 = 0
  /// Runs of frames whose rows are written anew, with those rows.
  private var rewritten: [(frames: ClosedRange<Int64>, rows: [Row])] = []

  private struct Row {
    var frame: Int64
    var change: AttributeChange
  }

  /// Reads what is needed of a session, before anything of it is changed.
  init(
    _ session: Int64, to range: ClosedRange<Instant>,
    _ connection: borrowing Connection
  ) throws(StoreError) {
    let edges = try naming(connection) { () throws(SQLiteError) in
      let rows = SessionEraser(session: session)
      let values = [range.lowerBound.nanoseconds, range.upperBound.nanoseconds]
      return (
        try rows.number(MaintenanceTexts.firstFrameFrom, values, connection),
        try rows.number(MaintenanceTexts.lastFrameUpTo, values, connection)
      )
    }
    guard let first = edges.0, let last = edges.1 else {
      frames = nil
      items = []
      return
    }
    frames = first...last
    let reader = try RecordingReader(path: connection.path)
    items = try reader.itemSummaries(of: session, frames: first...last)
    let segments = try reader.segments(in: session, frames: first...last)
    for segment in segments where segment.firstFrame < first || segment.lastFrame > last {
      let kept = max(first, segment.firstFrame)...min(last, segment.lastFrame)
      let changes = try reader.changes(in: session, frames: segment.firstFrame...segment.lastFrame)
      while let row = try changes.next() {
        if !kept.contains(row.frame) { cutRowCount += 1 }
      }
      rewritten.append(
        (
          segment.firstFrame...segment.lastFrame,
          segment.isPart && !kept.contains(first)
            ? try TrimPlan.rowsAsTheyAre(of: kept, in: session, reader)
            : try TrimPlan.rows(of: kept, in: session, asKeyFrame: first, reader)
        ))
    }
    if !rewritten.contains(where: { $0.frames.contains(first) }) {
      rewritten.insert(
        (
          first...first,
          try TrimPlan.rows(of: first...first, in: session, asKeyFrame: first, reader)
        ),
        at: 0)
    }
  }

  /// The rows of some frames within a second.
  private static func rowsAsTheyAre(
    of frames: ClosedRange<Int64>, in session: Int64, _ reader: RecordingReader
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    let changes = try reader.changes(in: session, frames: frames)
    while let (frame, change) = try changes.next() {
      rows.append(Row(frame: frame, change: change))
    }
    return rows
  }

  /// The rows of some frames, as a recorder writes them: each element of a key frame, then what changed.
  private static func rows(
    of frames: ClosedRange<Int64>, in session: Int64, asKeyFrame first: Int64,
    _ reader: RecordingReader
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    var before: [ElementRecord] = []
    let cursor = try reader.foldedFrames(in: session, numbers: frames)
    while let folded = try cursor.next() {
      let number = folded.frame.number
      let isKey = folded.frame.isKeyFrame || number == first
      var old = 0
      for element in folded.elements {
        while old < before.count, before[old].item.rawValue < element.item.rawValue {
          rows.append(Row(frame: number, change: .gone(before[old].item)))
          old += 1
        }
        let wasThere = old < before.count && before[old].item == element.item
        let isSame =
          wasThere && before[old].indexPath == element.indexPath
          && before[old].pose.hasSameBits(as: element.pose)
        if wasThere { old += 1 }
        if !isSame {
          rows.append(Row(frame: number, change: .changed(element)))
        } else if isKey {
          rows.append(Row(frame: number, change: .same(element)))
        }
      }
      for element in before[old...] {
        rows.append(Row(frame: number, change: .gone(element.item)))
      }
      before = folded.elements
    }
    return rows
  }

  /// Makes plain rows of the edges, and a key frame of the first frame that stays.
  func rewriteEdges(
    in session: Int64, _ eraser: SessionEraser, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let frames else { return }
    let attributes = try AttributeTable(connection)
    for run in rewritten {
      let edges = [run.frames.lowerBound, run.frames.upperBound]
      try eraser.run(AttributeTable.removalText, edges, connection)
      try eraser.run(BlockTable.removalText, [run.frames.lowerBound], connection)
      try eraser.run(SegmentTable.removalText, [run.frames.lowerBound], connection)
      for row in run.rows {
        try attributes.insert(row.change, frame: row.frame, session: session)
      }
    }
    try eraser.run(MaintenanceTexts.makeKeyFrame, [frames.lowerBound], connection)
  }
}
