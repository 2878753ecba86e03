extension SegmentRows {
  /// The blocks that hold the rows: always those of poses, those of transforms where there are any.
  package func blocks() -> [Block] {
    var blocks = [Block(property: .rows, data: encodedRows())]
    encode(BlockProperty.ofPoses, poses, poseCounts, into: &blocks)
    let kinds = poses[SegmentRows.kindColumn]
    if kinds.contains(SegmentRows.flatKind) {
      encode(BlockProperty.ofFlat, flat, poseCounts(of: SegmentRows.flatKind), into: &blocks)
    }
    if kinds.contains(SegmentRows.spatialKind) {
      encode(
        BlockProperty.ofSpatial, spatial, poseCounts(of: SegmentRows.spatialKind), into: &blocks)
    }
    return blocks
  }

  private func encode(
    _ properties: [BlockProperty], _ columns: [[UInt64]], _ series: [Int32],
    into blocks: inout [Block]
  ) {
    for (property, words) in zip(properties, columns) {
      let data = BlockCodec.encode(words, series: series, isInteger: property.isInteger)
      blocks.append(Block(property: property, data: data))
    }
  }

  /// Decodes a segment's rows. Takes any bytes and any counts.
  ///
  /// Needs at most 300 bytes for each row that the segment is said to have, and as much as the blocks
  /// themselves. A segment said to be beyond ``mostRows`` or ``mostFrames`` is refused first.
  ///
  /// - Parameters:
  ///   - segment: The segment's row.
  ///   - block: Gives the bytes of a property's block. `nil` where there is none.
  /// - Throws: ``SegmentError``: the block that is wrong, and why.
  package init(
    _ segment: SegmentRecord,
    block: (BlockProperty) throws(SegmentError) -> [UInt8]?
  ) throws(SegmentError) {
    guard let frameCount = segment.frameCount,
      (0...Int64(SegmentRows.mostRows)).contains(segment.rowCount)
    else { throw SegmentError(property: .rows, reason: .wrongCount) }
    self.init(firstFrame: segment.firstFrame, frameCount: frameCount)
    let rows = try SegmentRows.bytes(of: .rows, block)
    try naming(.rows) { () throws(BlockError) in
      try decodeRows(rows, rowCount: Int(segment.rowCount))
    }
    poses = try SegmentRows.columns(BlockProperty.ofPoses, poseCounts, block)
    try checkPoses()
    let kinds = poses[SegmentRows.kindColumn]
    if kinds.contains(SegmentRows.flatKind) {
      flat = try SegmentRows.columns(
        BlockProperty.ofFlat, poseCounts(of: SegmentRows.flatKind), block)
    }
    if kinds.contains(SegmentRows.spatialKind) {
      spatial = try SegmentRows.columns(
        BlockProperty.ofSpatial, poseCounts(of: SegmentRows.spatialKind), block)
    }
  }

  private static func bytes(
    of property: BlockProperty, _ block: (BlockProperty) throws(SegmentError) -> [UInt8]?
  ) throws(SegmentError) -> [UInt8] {
    guard let bytes = try block(property) else {
      throw SegmentError(property: property, reason: .missing)
    }
    return bytes
  }

  private static func columns(
    _ properties: [BlockProperty], _ series: [Int32],
    _ block: (BlockProperty) throws(SegmentError) -> [UInt8]?
  ) throws(SegmentError) -> [[UInt64]] {
    var columns: [[UInt64]] = []
    for property in properties {
      let data = try bytes(of: property, block)
      columns.append(
        try naming(property) { () throws(BlockError) in
          try data.inPlace { bytes throws(BlockError) in
            try BlockCodec.decode(bytes, series: series, isInteger: property.isInteger)
          }
        })
    }
    return columns
  }

  /// Refuses words that are bits of nothing: a recorder writes no other kinds and flags.
  private func checkPoses() throws(SegmentError) {
    for kind in poses[SegmentRows.kindColumn] where kind > SegmentRows.spatialKind {
      throw SegmentError(property: .transform, reason: .wrongValue)
    }
    for flag in poses[SegmentRows.hiddenColumn] where flag > 1 {
      throw SegmentError(property: .hidden, reason: .wrongValue)
    }
  }
}

/// Runs a piece of work and gives its error the block's name.
private func naming<Value>(
  _ property: BlockProperty, _ work: () throws(BlockError) -> Value
) throws(SegmentError) -> Value {
  do {
    return try work()
  } catch {
    throw SegmentError(property: property, reason: error)
  }
}

/// A block of a segment on its way to or from its row.
package struct Block: Equatable, Sendable {
  /// What it holds.
  package var property: BlockProperty
  /// Its bytes.
  package var data: [UInt8]
}

/// Why a segment's rows could not be read, and in which block.
package struct SegmentError: Error, Equatable, Sendable {
  /// The block.
  package var property: BlockProperty
  /// What is wrong with it.
  package var reason: BlockError
}
