import SQLiteAccess

extension RecordingStore {
  /// Writes a segment and takes those of its rows out that stand in the table, but the key frame's.
  ///
  /// - Parameter writtenThrough: The newest frame with rows in the table; nil when only the key frame has.
  func seal(
    _ segment: SegmentRecord, _ blocks: [Block], writtenThrough: Int64?
  ) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      if let writtenThrough {
        try segments.removeRows(of: segment.firstFrame + 1...writtenThrough, session: session)
      }
      try segments.insert(segment, blocks, session: session)
    }
  }
}
