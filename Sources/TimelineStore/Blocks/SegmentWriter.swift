import SQLiteAccess

/// Puts segments into a recording and takes them out again, inside the caller's transaction.
struct SegmentWriter: ~Copyable {
  private let segments: SegmentTable
  private let blocks: BlockTable
  private let removal: Statement
  private let segmentRemoval: Statement
  private let blockRemoval: Statement
  private let partRemoval: Statement
  private let partBlockRemoval: Statement

  /// Fewer rows than this stay plain: a segment's blocks took pages of their own when pages had 4,096 bytes, about ten,
  /// in which a thousand rows of about 40 bytes fit as they are.
  static let minimumRows = 1_024
  /// The same of what one transaction brings, which does not stay.
  static let minimumPartRows = 256

}

extension SegmentWriter {
  // Here, so that it can use the memberwise one: an init that throws half-way cannot take back a part.
  init(_ connection: borrowing Connection) throws(SQLiteError) {
    self.init(
      segments: try SegmentTable(connection), blocks: try BlockTable(connection),
      removal: try connection.prepare(AttributeTable.removalText),
      segmentRemoval: try connection.prepare(SegmentTable.removalText),
      blockRemoval: try connection.prepare(BlockTable.removalText),
      partRemoval: try connection.prepare(SegmentTable.removeParts),
      partBlockRemoval: try connection.prepare(BlockTable.removeOfParts))
  }

  /// The blocks of rows that are worth sealing and come back from their blocks exactly. `nil` for others,
  /// which stay plain rows.
  static func blocks(of rows: SegmentRows, _ segment: SegmentRecord) -> [Block]? {
    guard rows.rowCount >= (segment.isPart ? minimumPartRows : minimumRows),
      rows.rowCount <= SegmentRows.mostRows,
      segment.frameCount == rows.frameCount
    else { return nil }
    let blocks = rows.blocks()
    var next = 0
    // The decoder asks for the blocks in the order in which they were made.
    let back = try? SegmentRows(segment) { property throws(SegmentError) in
      guard next < blocks.count, blocks[next].property == property else { return nil }
      defer { next += 1 }
      return blocks[next].data
    }
    return back == rows && next == blocks.count ? blocks : nil
  }

  /// Writes a segment and its blocks.
  ///
  /// - Returns: the bytes of the blocks.
  @discardableResult
  func insert(
    _ segment: SegmentRecord, _ contents: [Block], session: Int64
  ) throws(SQLiteError) -> Int {
    try segments.insert(segment, session: session)
    var bytes = 0
    for block in contents {
      let checksum = block.data.withUnsafeBytes {
        BlockChecksum.of($0, property: block.property, in: segment)
      }
      try blocks.insert(
        BlockTable.Row(property: block.property.rawValue, checksum: checksum, data: block.data),
        firstFrame: segment.firstFrame, session: session)
      bytes += block.data.count
    }
    return bytes
  }

  /// Takes plain rows out.
  func removeRows(of frames: ClosedRange<Int64>, session: Int64) throws(SQLiteError) {
    try removal.run(session, frames.lowerBound, frames.upperBound)
  }

  /// Takes out the parts that begin in a range of frames, with their blocks.
  func removeParts(_ frames: ClosedRange<Int64>, session: Int64) throws(SQLiteError) {
    try partBlockRemoval.run(session, frames.lowerBound, frames.upperBound)
    try partRemoval.run(session, frames.lowerBound, frames.upperBound)
  }

  /// Takes a segment and its blocks out.
  func remove(_ segment: SegmentRecord, session: Int64) throws(SQLiteError) {
    try blockRemoval.run(session, segment.firstFrame)
    try segmentRemoval.run(session, segment.firstFrame)
  }
}
