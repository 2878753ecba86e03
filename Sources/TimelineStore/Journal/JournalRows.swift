import SQLiteAccess
import TimelineModel
import TimelineSchema

/// Makes rows of a session out of the records of its crash journal, numbered on from those that are in
/// the tables.
struct JournalRows: ~Copyable {
  /// How many rows were made.
  private(set) var count: Int64 = 0

  private let session: Int64
  private var keys: Set<Int64>
  private var items: Set<Int64>
  private var frame: Int64 = -1
  /// The next number of the tables that count their rows, by their names.
  private var next: [String: Int64] = [:]
  private let key: Statement
  private let item: Statement
  private let ordinal: Statement
  private let lossesSoFar: Statement
  /// nil where the recording cannot have sealed samples.
  private let sealedSamples: SealedSamples?
  private let tables: SessionTables
}

extension JournalRows {
  /// Prepares for a session, in the transaction that the rows will be in.
  ///
  /// - Parameter version: The schema version that the recording is in.
  init(
    _ connection: borrowing Connection, session: Int64, version: Int64 = Int64(Schema.version)
  ) throws(SQLiteError) {
    var next: [String: Int64] = [:]
    for table in [
      TouchTable.name, EventTable.name, DecisionTable.name, EstimateTable.name, LossTable.name,
    ] {
      let row = try connection.prepare(RecoveryTexts.nextSequence(in: table), [session])
      next[table] = try row.step() ? row.int64(at: 0) : 0
    }
    // The memberwise one: an init that throws half-way cannot take back a part.
    self.init(
      session: session, keys: try Self.numbers(RecoveryTexts.keys, connection, session),
      items: try Self.numbers(RecoveryTexts.items, connection, session), next: next,
      key: try connection.prepare(RecoveryTexts.insertKey),
      item: try connection.prepare(RecoveryTexts.insertItem),
      ordinal: try connection.prepare(RecoveryTexts.nextOrdinal(in: version)),
      lossesSoFar: try connection.prepare(RecoveryTexts.lossesSoFar),
      sealedSamples: version >= 4 ? SealedSamples(StatementMaker(connection)) : nil,
      tables: try SessionTables(connection))
  }

  private static func numbers(
    _ text: String, _ connection: borrowing Connection, _ session: Int64
  ) throws(SQLiteError) -> Set<Int64> {
    var numbers: Set<Int64> = []
    let row = try connection.prepare(text, [session])
    while try row.step() { numbers.insert(row.int64(at: 0)) }
    return numbers
  }

  /// Whether the key or element of a record has a name. After a power cut the lane with the names may be gone.
  func knows(_ record: JournalRecord) -> Bool {
    switch record {
    case .sample(let key, _, _): keys.contains(Int64(key.rawValue))
    case .change(let change): items.contains(Int64(change.item.rawValue))
    default: true
    }
  }

  /// Takes the next number of a table that counts its rows.
  private mutating func sequence(of table: String) -> Int64 {
    let number = next[table] ?? 0
    next[table] = number &+ 1
    return number
  }

  /// Writes the names of keys and elements, which the rows of every lane may need.
  mutating func define(_ record: JournalRecord) throws(SQLiteError) {
    switch record {
    case .key(let record):
      try key.run(session, record.handle, record.name, record.role.rawValue, record.unit)
      keys.insert(Int64(record.handle.rawValue))
    case .item(let record):
      try item.run(
        session, record.handle, record.identity.category.rawValue, record.identity.elementKind,
        record.identity.id)
      items.insert(Int64(record.handle.rawValue))
    default: break
    }
  }

  /// Writes everything but names.
  mutating func add(_ record: JournalRecord) throws(SQLiteError) {
    switch record {
    case .key, .item: return
    case .sample(let key, let sample, let phase):
      let record = SampleRecord(
        key: key, sample: sample, phase: phase, ordinal: try nextOrdinal(of: key, at: sample.time))
      try tables.samples.insert(record, session: session)
    case .frame(let record, _):
      frame = record.number
      try tables.frames.insert(record, session: session)
    case .change(let change):
      try tables.attributes.insert(change, frame: frame, session: session)
    case .touch(let touch):
      try tables.touches.insert(touch, sequence: sequence(of: TouchTable.name), session: session)
    case .event(let event):
      try tables.events.insert(event, sequence: sequence(of: EventTable.name), session: session)
    case .decision(let decision):
      try tables.decisions.insert(
        decision, sequence: sequence(of: DecisionTable.name), session: session)
    case .estimate(let estimate):
      try tables.estimates.insert(
        estimate, sequence: sequence(of: EstimateTable.name), session: session)
    case .loss(let loss):
      try tables.losses.insert(loss, sequence: sequence(of: LossTable.name), session: session)
    }
    count += 1
  }

  /// Writes what of a count since the session's start is not in the tables.
  mutating func addUnwritten(_ total: LossRecord) throws(SQLiteError) {
    // Values of keys without a place of their own are counted together.
    let key = total.key.map { Int64($0.rawValue) }
    try lossesSoFar.bind(
      session, total.what.rawValue, key ?? Int64(JournalLosses.keys), key ?? Int64.max)
    defer { lossesSoFar.reset() }
    guard try lossesSoFar.step() else { return }
    let missing = total.count - lossesSoFar.int64(at: 0)
    guard missing > 0 else { return }
    var loss = total
    loss.count = missing
    if lossesSoFar.type(at: 1) == .integer {
      let written = Instant(nanoseconds: lossesSoFar.int64(at: 1))
      if written > loss.first, written <= loss.last { loss.first = written }
    }
    try tables.losses.insert(loss, sequence: sequence(of: LossTable.name), session: session)
    count += 1
  }

  private func nextOrdinal(of key: KeyHandle, at time: Instant) throws(SQLiteError) -> Int64 {
    try ordinal.bind(session, time, key)
    defer { ordinal.reset() }
    let next = try ordinal.step() ? ordinal.int64(at: 0) : 0
    // A segment that is damaged has no say. Recover takes it out.
    let sealed = try? sealedSamples?.nextOrdinal(
      of: key.rawValue, at: time.nanoseconds, session: session)
    return max(next, sealed ?? 0)
  }
}
