import TimelineModel
import TimelineStore

extension RingWriter {
  /// Writes a lane's records as far as a time.
  ///
  /// - Returns: whether it wrote any.
  mutating func insert(
    _ cursor: inout LaneCursor, until time: Int64, into store: RecordingStore
  ) throws(StoreError) -> Bool {
    let start = cursor.position
    while !cursor.isAtEnd {
      let record = cursor.record
      let first = record[0]
      if JournalCheck.isSample(first), cursor.left >= Int(JournalCheck.sampleWords) {
        let nanoseconds = Int64(bitPattern: record[1])
        if nanoseconds > time { break }
        try insertSample(
          UInt32(truncatingIfNeeded: first & 0x0fff_ffff), at: nanoseconds, record[2], into: store)
        cursor.position &+= JournalCheck.sampleWords
        continue
      }
      guard let kind = JournalFormat.kind(of: first), let count = JournalRecord.length(first),
        count <= cursor.left
      else { throw .changedJournal(store.path) }
      if kind == .frame {
        if Int64(bitPattern: record[2]) > time { break }
        guard let words = try insertFrame(record, left: cursor.left, into: store) else { break }
        cursor.position &+= UInt64(words)
        continue
      } else {
        if cursor.position != start, cursor.time > time { break }
        guard let read = JournalRecord(UnsafeBufferPointer(start: record, count: count)) else {
          throw .changedJournal(store.path)
        }
        try insert(read, into: store)
      }
      cursor.position &+= UInt64(count)
    }
    return cursor.position != start
  }

  @inline(__always)
  private mutating func insertSample(
    _ packed: UInt32, at nanoseconds: Int64, _ bits: UInt64, into store: RecordingStore
  ) throws(StoreError) {
    let key = Int(packed >> 2)
    let value = Double(bitPattern: bits)
    var ordinal = progress.count(key, at: nanoseconds, value)
    if ordinal < 0 {
      ordinal = max(
        try store.nextOrdinal(
          of: KeyHandle(rawValue: Int32(key)), at: Instant(nanoseconds: nanoseconds)),
        sampleSealer?.nextOrdinal(of: Int32(key), at: nanoseconds) ?? 0)
    }
    let slot = ordinal << 32 | Int64(packed)
    if sampleSealer == nil {
      try store.insertSample(at: nanoseconds, slot: slot, value)
    } else {
      try sampleSealer?.take(nanoseconds, slot, value, in: store)
    }
  }

  /// Writes a frame and the changes that follow it.
  ///
  /// - Returns: how many words they take. `nil` when the frame before it is still to come.
  private mutating func insertFrame(
    _ record: UnsafePointer<UInt64>, left: Int, into store: RecordingStore
  ) throws(StoreError) -> Int? {
    let count = JournalRecord.length(record[0]) ?? left
    guard
      case .frame(let frame, let changes) = JournalRecord(
        UnsafeBufferPointer(start: record, count: count))
    else { throw .changedJournal(store.path) }
    guard frame.number <= progress.counts.frames else { return nil }
    try store.insert(frame)
    try sealer.begin(frame, after: progress.looseRows, in: store)
    progress.beginFrame(frame)
    var offset = count
    for _ in 0..<changes {
      let change = record + offset
      guard offset < left, let length = JournalRecord.length(change[0]), length <= left - offset,
        JournalFormat.kind(of: change[0]) == .change
      else { throw .changedJournal(store.path) }
      let words = UnsafeBufferPointer(start: change, count: length)
      try sealer.take(words, in: store)
      if let rounded = sealer.rounded(words) {
        rounded.withUnsafeBufferPointer { progress.count(change: $0) }
      } else {
        progress.count(change: words)
      }
      offset += length
    }
    progress.endFrame(changes: changes)
    if !frame.isKeyFrame { progress.looseRows += Int64(changes) }
    return offset
  }

  private mutating func insert(
    _ record: JournalRecord, into store: RecordingStore
  ) throws(StoreError) {
    switch record {
    // They were handed over beside the lanes as well. In the lane they are for a reader after a crash.
    case .key, .item: break
    case .touch(let touch):
      try store.insert(touch, sequence: progress.counts.touches)
      progress.counts.touches += 1
      progress.note(touch.time)
    case .event(let event):
      try store.insert(event, sequence: progress.counts.events)
      progress.counts.events += 1
      progress.note(event.time)
    case .decision(let decision):
      try store.insert(decision, sequence: progress.decisions)
      progress.decisions += 1
      progress.note(decision.time)
    case .estimate(let estimate):
      try store.insert(estimate, sequence: progress.estimates)
      progress.estimates += 1
      progress.note(estimate.time)
    case .loss(let loss):
      try store.insert(loss, sequence: progress.losses)
      progress.losses += 1
      progress.counts.lost += loss.count
    case .sample, .frame, .change: throw .changedJournal(store.path)
    }
  }
}
