import TimelineStore

/// A place in a lane between the records in the tables and the newest ones.
struct LaneCursor {
  let lane: JournalLane
  /// Where it began.
  let start: UInt64
  /// The next record.
  var position: UInt64
  /// Where the records end.
  let end: UInt64
  private let words: UnsafePointer<UInt64>
  private let mask: UInt64
  private var isStopped = false

  init(_ lane: JournalLane, from start: UInt64, to end: UInt64) {
    self.lane = lane
    self.start = start
    position = start
    self.end = end
    words = UnsafePointer(lane.words)
    mask = lane.capacity - 1
  }

  /// Goes through records that lie outside of a ring.
  init(passing words: UnsafePointer<UInt64>, count: Int, like lane: JournalLane) {
    self.lane = lane
    start = 0
    position = 0
    end = UInt64(count)
    self.words = words
    mask = .max
  }

  /// The next record's words.
  @inline(__always)
  var record: UnsafePointer<UInt64> { words + Int(truncatingIfNeeded: position & mask) }

  /// Whether there is nothing more to be had now.
  var isAtEnd: Bool { isStopped || position == end }

  /// How many words are left.
  var left: Int { Int(truncatingIfNeeded: end &- position) }

  /// The session's time of the next record. The earliest for names, which have none.
  var time: Int64 {
    switch JournalFormat.kind(of: record[0]) {
    case .sample, .touch, .event, .decision, .estimate: Int64(bitPattern: record[1])
    case .frame: Int64(bitPattern: record[2])
    default: .min
    }
  }

  /// Leaves the rest for another time.
  mutating func stop() { isStopped = true }
}

/// A record, with all that belongs to it, that was too long for a ring and is written past it.
struct PassingRecord: @unchecked Sendable {
  // The words belong to the caller that waits until they are written.

  let start: UnsafePointer<UInt64>
  let count: Int
}
