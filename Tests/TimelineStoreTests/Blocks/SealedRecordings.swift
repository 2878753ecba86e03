import KymographCSQLite
import TestSupport
import TimelineModel

@testable import TimelineStore

/// Recordings with enough attributes to be sealed, and their content as text.
enum SealedRecordings {
  static let uuid = "00000000-0000-4000-8000-000000000001"

  /// A finished recording of random segments with key frames between them.
  ///
  /// - Parameters:
  ///   - segments: How many segments; the last but one is too small to be sealed.
  ///   - isFinished: Whether the recorder finished.
  @discardableResult
  static func make(
    _ path: String, seed: UInt64 = 1, segments: Int = 4,
    shape: RandomSegments.Shape = RandomSegments.Shape(items: 40, frames: 60),
    isFinished: Bool = true
  ) throws -> RecordingStore? {
    var generator = SplitMix(seed: seed)
    let store = try RecordingStore(
      path: path, description: Recordings.description(uuid), uuid: uuid)
    try store.begin(isDurable: false)
    for item in 0..<shape.items {
      try store.insert(
        ItemRecord(
          handle: ItemHandle(rawValue: Int32(item * 3)),
          identity: ElementIdentity(category: .cell, id: "item \(item)")))
    }
    var first: Int64 = 0
    for segment in 0..<segments {
      var shape = shape
      shape.firstFrame = first
      if segment == segments - 2 { shape.frames = 2 }
      let changes = RandomSegments.changes(&generator, shape)
      for frame in 0..<Int64(shape.frames) {
        try insert(first + frame, isKey: frame == 0, into: store)
      }
      for row in changes { try store.insert(row.change, frame: row.frame) }
      first += Int64(shape.frames)
    }
    if isFinished {
      try store.close(
        at: Instant(nanoseconds: first * 8_333_333), outcome: .none, counts: RecordCounts(),
        summaries: [])
    }
    try store.commit()
    guard isFinished else { return store }
    try store.settleIntoOneFile()
    return nil
  }

  private static func insert(
    _ number: Int64, isKey: Bool, into store: RecordingStore
  ) throws {
    try store.insert(
      FrameRecord(
        number: number,
        state: FrameState(
          time: Instant(nanoseconds: number * 8_333_333), phase: .driving, progress: nil,
          contentOffset: .zero, contentSize: .zero), isKeyFrame: isKey))
  }

  /// Every row of every table as SQL literals, in the order of the tables' keys.
  static func dump(_ path: String) throws -> [String] {
    try strings("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", path).flatMap {
      table in
      let columns = try strings("SELECT name FROM pragma_table_info('\(table)')", path)
      let literals = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      let order = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      return try strings("SELECT \(literals) FROM \"\(table)\" ORDER BY \(order)", path).map {
        "\(table): \($0)"
      }
    }
  }

  /// The first column of every row of a question, asked without any of the project's own code.
  static func strings(_ sql: String, _ path: String) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    var statement: OpaquePointer?
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
    else { throw Recordings.RawError(message: String(cString: sqlite3_errmsg(database))) }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    return rows
  }

  /// Every frame with its elements, all bits of them.
  static func frames(
    _ path: String, _ numbers: ClosedRange<Int64> = RecordingReader.allFrames
  ) throws -> [String] {
    try RecordingReader(path: path).foldedFrames(in: 1, numbers: numbers).rest().map { frame in
      "\(frame.frame.number) "
        + frame.elements.map { element in
          let pose = element.pose
          let numbers =
            [pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha]
            + pose.transform.components
          return "\(element.item.rawValue) \(element.indexPath) \(pose.zIndex) \(pose.isHidden) "
            + numbers.map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
        }.joined(separator: "; ")
    }
  }
}
