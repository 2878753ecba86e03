import SQLiteAccess
import TimelineModel

/// Makes rows of a session out of the records of its crash journal, numbered on from those that are in
/// the tables.
struct JournalRows: ~Copyable {
  /// How many rows were made.
  private(set) var count: Int64 = 0

  private let session: Int64
  private var keys: Set<Int64>
  private var items: Set<Int64>
  private var frame: Int64 = -1
  private var nextTouch: Int64
  private var nextEvent: Int64
  private var nextDecision: Int64
  private var nextEstimate: Int64
  private var nextLoss: Int64

  private let key: Statement
  private let item: Statement
  private let ordinal: Statement
  private let samples: SampleTable
  private let frames: FrameTable
  private let attributes: AttributeTable
  private let touches: TouchTable
  private let event: Statement
  private let decisions: DecisionTable
  private let estimates: EstimateTable
  private let losses: LossTable
  private let lossesSoFar: Statement

  /// Prepares for a session, in the transaction that the rows will be in.
  init(_ connection: borrowing Connection, session: Int64) throws(SQLiteError) {
    // All of them are there before any is kept: an init that throws half-way cannot take back a part.
    let key = try connection.prepare(RecoveryTexts.insertKey)
    let item = try connection.prepare(RecoveryTexts.insertItem)
    let ordinal = try connection.prepare(RecoveryTexts.nextOrdinal)
    let event = try connection.prepare(EventTable.insertText)
    let samples = try SampleTable(connection)
    let frames = try FrameTable(connection)
    let attributes = try AttributeTable(connection)
    let touches = try TouchTable(connection)
    let decisions = try DecisionTable(connection)
    let estimates = try EstimateTable(connection)
    let losses = try LossTable(connection)
    let lossesSoFar = try connection.prepare(RecoveryTexts.lossesSoFar)
    let touch = try Self.next(TouchTable.name, connection, session)
    let sequence = try Self.next(EventTable.name, connection, session)
    let decision = try Self.next(DecisionTable.name, connection, session)
    let estimate = try Self.next(EstimateTable.name, connection, session)
    let loss = try Self.next(LossTable.name, connection, session)
    let keys = try Self.numbers(RecoveryTexts.keys, connection, session)
    let items = try Self.numbers(RecoveryTexts.items, connection, session)
    self.session = session
    self.keys = keys
    self.items = items
    nextTouch = touch
    nextEvent = sequence
    nextDecision = decision
    nextEstimate = estimate
    nextLoss = loss
    self.key = key
    self.item = item
    self.ordinal = ordinal
    self.event = event
    self.samples = samples
    self.frames = frames
    self.attributes = attributes
    self.touches = touches
    self.decisions = decisions
    self.estimates = estimates
    self.losses = losses
    self.lossesSoFar = lossesSoFar
  }

  private static func numbers(
    _ text: String, _ connection: borrowing Connection, _ session: Int64
  ) throws(SQLiteError) -> Set<Int64> {
    var numbers: Set<Int64> = []
    let row = try connection.prepare(text)
    row.bind(session, at: 1)
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

  private static func next(
    _ table: String, _ connection: borrowing Connection, _ session: Int64
  ) throws(SQLiteError) -> Int64 {
    let row = try connection.prepare(RecoveryTexts.nextSequence(in: table))
    row.bind(session, at: 1)
    return try row.step() ? row.int64(at: 0) : 0
  }

  /// Writes the names of keys and elements, which the rows of every lane may need.
  mutating func define(_ record: JournalRecord) throws(SQLiteError) {
    switch record {
    case .key(let record):
      key.bind(session, at: 1)
      key.bind(Int64(record.handle.rawValue), at: 2)
      try key.bind(record.name, at: 3)
      try key.bind(record.role.rawValue, at: 4)
      try key.bind(record.unit, at: 5)
      try key.run()
      keys.insert(Int64(record.handle.rawValue))
    case .item(let record):
      item.bind(session, at: 1)
      item.bind(Int64(record.handle.rawValue), at: 2)
      try item.bind(record.identity.category.rawValue, at: 3)
      try item.bind(record.identity.elementKind, at: 4)
      try item.bind(record.identity.id, at: 5)
      try item.run()
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
      try samples.insert(record, session: session)
    case .frame(let record, _):
      frame = record.number
      try frames.insert(record, session: session)
    case .change(let change): try attributes.insert(change, frame: frame, session: session)
    case .touch(let touch):
      try touches.insert(touch, sequence: nextTouch, session: session)
      nextTouch &+= 1
    case .event(let record):
      event.bind(session, at: 1)
      event.bind(nextEvent, at: 2)
      event.bind(record.time.nanoseconds, at: 3)
      try event.bind(record.kind.rawValue, at: 4)
      try event.bind(record.fieldsJSON, at: 5)
      try event.run()
      nextEvent &+= 1
    case .decision(let decision):
      try decisions.insert(decision, sequence: nextDecision, session: session)
      nextDecision &+= 1
    case .estimate(let estimate):
      try estimates.insert(estimate, sequence: nextEstimate, session: session)
      nextEstimate &+= 1
    case .loss(let loss):
      try losses.insert(loss, sequence: nextLoss, session: session)
      nextLoss &+= 1
    }
    count += 1
  }

  /// Writes what of a count since the session's start is not in the tables.
  mutating func addUnwritten(_ total: LossRecord) throws(SQLiteError) {
    lossesSoFar.bind(session, at: 1)
    try lossesSoFar.bind(total.what.rawValue, at: 2)
    // Values of keys without a place of their own are counted together.
    let key = total.key.map { Int64($0.rawValue) }
    lossesSoFar.bind(key ?? Int64(JournalLosses.keys), at: 3)
    lossesSoFar.bind(key ?? Int64.max, at: 4)
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
    try losses.insert(loss, sequence: nextLoss, session: session)
    nextLoss &+= 1
    count += 1
  }

  private func nextOrdinal(of key: KeyHandle, at time: Instant) throws(SQLiteError) -> Int64 {
    ordinal.bind(session, at: 1)
    ordinal.bind(time.nanoseconds, at: 2)
    ordinal.bind(Int64(key.rawValue), at: 3)
    defer { ordinal.reset() }
    return try ordinal.step() ? ordinal.int64(at: 0) : 0
  }
}
