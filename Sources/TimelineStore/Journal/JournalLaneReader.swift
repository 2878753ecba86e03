/// Goes through the records of one lane of a file that may hold anything.
///
/// A record counts when its check says that it was written at its position in this session, and when the
/// lane's head says that it was finished. Whatever was left in the ring from an earlier lap fails the
/// check.
struct JournalLaneReader {
  private(set) var lane: JournalScan.Lane
  private let salt: UInt64
  private let ringOffset: Int
  private let ringWords: UInt64
  /// The position up to which records may count.
  private let limit: UInt64
  private var window: [UInt64] = []
  private var windowStart: UInt64 = 0

  /// So many words are read at once: a megabyte.
  private static let windowWords = 1 << 17

  init(_ file: borrowing PlainFile, _ header: JournalHeader, lane: Int, start: UInt64) {
    salt = header.salt
    ringWords = UInt64(header.laneWords)
    let offset = header.offset(ofLane: lane)
    ringOffset = offset + header.pageBytes
    let head = file.words(at: offset + JournalFormat.headWord * 8, count: 1)?.first ?? start
    // A head behind the tables is older than they are, as after a power cut: nothing is left to read.
    // One that is more than a lap ahead is none that a recorder writes. The checks alone decide then.
    let ahead = head > start ? head - start : 0
    limit = start &+ min(ahead, ringWords)
    self.lane = JournalScan.Lane(number: lane, start: start, end: start, unread: 0)
    if ahead > ringWords { self.lane.unread = ahead }
  }

  /// The next record, a frame with its changes behind it. `nil` at the end or before damage.
  mutating func next(
    _ file: borrowing PlainFile, while isReadable: (JournalRecord) -> Bool
  ) -> [JournalRecord]? {
    var wordPosition = lane.end
    guard let first = record(&wordPosition, file) else { return stop() }
    var group = [first]
    if case .frame(_, let changes) = first {
      // No more changes than words are left can follow.
      guard UInt64(changes) <= limit &- wordPosition else { return stop() }
      for _ in 0..<changes {
        guard let change = record(&wordPosition, file), case .change = change else { return stop() }
        group.append(change)
      }
    } else if case .change = first {
      return stop()
    }
    guard group.allSatisfy(isReadable) else { return stop() }
    lane.end = wordPosition
    return group
  }

  private mutating func stop() -> [JournalRecord]? {
    if lane.unread == 0 { lane.unread = limit &- lane.end }
    return nil
  }

  /// Reads the record at a place and moves the place behind it.
  private mutating func record(_ wordPosition: inout UInt64, _ file: borrowing PlainFile)
    -> JournalRecord?
  {
    guard wordPosition < limit, let first = words(at: wordPosition, count: 1, file)?.first,
      let count = JournalRecord.length(first), UInt64(count) <= limit - wordPosition,
      let words = words(at: wordPosition, count: count, file)
    else { return nil }
    let position = wordPosition
    let record = words.withUnsafeBufferPointer { words -> JournalRecord? in
      guard JournalRecord.isIntact(words, at: position, salt: salt) else { return nil }
      return JournalRecord(words)
    }
    if record != nil { wordPosition += UInt64(count) }
    return record
  }

  /// Words of the lane from a position on, over the ring's end where need be. `nil` when they cannot be
  /// read.
  private mutating func words(
    at wordPosition: UInt64, count: Int, _ file: borrowing PlainFile
  ) -> ArraySlice<UInt64>? {
    let end = windowStart + UInt64(window.count)
    if wordPosition < windowStart || wordPosition + UInt64(count) > end {
      window = []
      windowStart = wordPosition
      let wanted = min(UInt64(max(count, Self.windowWords)), limit - wordPosition)
      while UInt64(window.count) < wanted {
        let index = (wordPosition + UInt64(window.count)) % ringWords
        let piece = min(wanted - UInt64(window.count), ringWords - index)
        guard let read = file.words(at: ringOffset + Int(index) * 8, count: Int(piece)),
          UInt64(read.count) == piece
        else { break }
        window += read
      }
    }
    let start = Int(wordPosition - windowStart)
    return start + count <= window.count ? window[start..<start + count] : nil
  }
}
