import TimelineModel
import TimelineStore

/// A recording compared with the acknowledged records.
struct Comparison {
  var acknowledged: UInt64 = 0
  /// Rows that are there, acknowledged or being written when the kill came.
  var found: UInt64 = 0
  /// Acknowledged and not there.
  var missing: UInt64 = 0
  /// There more than once.
  var duplicated: UInt64 = 0
  /// Frames without all of their poses, rows out of order, and pages that SQLite calls damaged.
  var torn: UInt64 = 0
  /// Acknowledged, and counted as lost because the ring was full.
  var dropped: UInt64 = 0

  /// Whether something is wrong.
  var isBad: Bool { missing + duplicated + torn > 0 }

  mutating func add(_ other: Comparison) {
    acknowledged += other.acknowledged
    found += other.found
    missing += other.missing
    duplicated += other.duplicated
    torn += other.torn
    dropped += other.dropped
  }

  /// Compares a file with the promises of one child.
  init(_ path: String, _ acknowledgements: Acknowledgements) throws {
    let reader = try RecordingReader(path: path)
    if try reader.query("PRAGMA integrity_check").rest() != [[.text("ok")]] { torn += 1 }
    for session in 0..<Acknowledgements.sessions {
      let number = Int64(acknowledgements.load(.number, session: session))
      guard number > 0 else { break }
      try compare(number, sessionIndex: session, acknowledgements, reader)
    }
  }

  init() {}

  private mutating func compare(
    _ session: Int64, sessionIndex: Int, _ acknowledgements: Acknowledgements,
    _ reader: RecordingReader
  ) throws {
    let isFinished = acknowledgements.load(.finished, session: sessionIndex) == 1
    if isFinished, try !reader.sessionRecord(session).isClean { torn += 1 }
    for loss in try reader.losses(in: session) { dropped += UInt64(loss.count) }
    let keys = try reader.keys(in: session)
    for thread in 0..<Load.threads {
      let promised = acknowledgements.load(.values, session: sessionIndex, thread: thread)
      var sequence = Sequence(promised: promised)
      if let key = keys.first(where: { $0.name == "thread \(thread)" }) {
        let samples = try reader.samples(of: key.handle, in: session)
        while let row = try samples.next() {
          sequence.take(row.sample.value / 0.5)
          if row.sample.time != Load.time(UInt64(max(0, row.sample.value / 0.5))) { torn += 1 }
        }
      }
      add(sequence)
    }
    try compareFrames(session, acknowledgements.load(.frames, session: sessionIndex), reader)
    var touches = Sequence(promised: acknowledgements.load(.touches, session: sessionIndex))
    let touchRows = try reader.touches(in: session)
    while let row = try touchRows.next() { touches.take(row.position.x) }
    add(touches)
    var events = Sequence(promised: acknowledgements.load(.events, session: sessionIndex))
    let eventRows = try reader.events(in: session)
    while let row = try eventRows.next() {
      guard row.kind == .mark else { continue }
      let digits = row.fieldsJSON.filter(\.isNumber)
      events.take(Double(digits) ?? -1)
    }
    add(events)
  }

  private mutating func compareFrames(
    _ session: Int64, _ promised: UInt64, _ reader: RecordingReader
  ) throws {
    var frames = Sequence(promised: promised)
    let rows = try reader.foldedFrames(in: session)
    while let row = try rows.next() {
      let index = row.frame.state.progress ?? -1
      frames.take(index)
      guard index >= 0 else { continue }
      let poses = row.elements.map(\.pose)
      if poses != (0..<Load.items).map({ Load.pose($0, in: UInt64(index)) }) { torn += 1 }
    }
    add(frames)
  }

  private mutating func add(_ sequence: Sequence) {
    acknowledged += sequence.promised
    found += sequence.found
    duplicated += sequence.duplicated
    torn += sequence.outOfOrder
    missing += sequence.missing
  }
}

/// Numbers that must come as 0, 1, 2, …, so many at least.
private struct Sequence {
  let promised: UInt64
  private(set) var found: UInt64 = 0
  private(set) var duplicated: UInt64 = 0
  private(set) var outOfOrder: UInt64 = 0
  private var next: UInt64 = 0
  private var skipped: UInt64 = 0

  init(promised: UInt64) { self.promised = promised }

  /// Those that were promised and did not come.
  var missing: UInt64 { skipped + (promised > next ? promised - next : 0) }

  mutating func take(_ number: Double) {
    guard let number = UInt64(exactly: number) else {
      outOfOrder += 1
      return
    }
    found += 1
    if number < next {
      duplicated += 1
    } else {
      skipped += min(number, max(promised, next)) - next
      next = number + 1
    }
  }
}
