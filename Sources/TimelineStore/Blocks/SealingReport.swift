package import TimelineModel

/// What sealing or expanding a session came to.
package struct SealingReport: Equatable, Sendable {
  /// The session's number.
  package var session: Int64
  /// How many segments were packed or unpacked by this call.
  package var segments: Int64 = 0
  /// How many rows went into blocks, or came out of them.
  package var rows: Int64 = 0
  /// The bytes of the blocks.
  package var bytes: Int64 = 0
  /// How many samples, and rows outside of key frames, stay plain: runs that are too short, or that a block
  /// cannot give back exactly.
  package var plainRows: Int64 = 0
  /// By how much the most changed length was rounded, in points. `nil` when nothing was rounded.
  package var largestRounding: Double?
}

extension SealingReport: ResultRow {
  package static var fields: [ResultField<SealingReport>] {
    expandedFields + [
      ResultField("bytes", "The size of the blocks, in bytes.", \.bytes),
      ResultField("plain", "The number of rows that are not packed.", \.plainRows),
    ]
  }

  /// The fields of a session that was unpacked.
  package static var expandedFields: [ResultField<SealingReport>] {
    [
      ResultField("session", "The session's number.", \.session),
      ResultField("segments", "The number of packed or unpacked segments.", \.segments),
      ResultField("rows", "The number of rows that were packed or unpacked.", \.rows),
    ]
  }
}
