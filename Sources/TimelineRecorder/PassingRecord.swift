/// A record, with all that belongs to it, that was too long for a ring and is written past it.
struct PassingRecord: @unchecked Sendable {
  // The words belong to the caller that waits until they are written.

  let start: UnsafePointer<UInt64>
  let count: Int
}
