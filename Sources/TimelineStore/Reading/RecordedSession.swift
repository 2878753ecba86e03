public import TimelineModel

extension RecordingReader {
  /// The sessions in the order of the file.
  ///
  /// - Throws: ``StoreError``: the file cannot be read.
  /// - Complexity: linear in the sessions, whose rows are not read.
  public func sessions() throws(StoreError) -> [RecordedSession] {
    try sessionRecords().map { RecordedSession($0, in: self) }
  }

  /// The session that began last.
  ///
  /// - Throws: ``StoreError`` of the code `noSuchSession` if the file has no session.
  public func lastSession() throws(StoreError) -> RecordedSession {
    guard let last = try lastSessionRecord() else { throw .noSession(path) }
    return RecordedSession(last, in: self)
  }

  /// The session at a position in the file, counted from 1.
  ///
  /// - Throws: ``StoreError`` of the code `noSuchSession` if the file has no such session.
  public func session(_ number: Int64) throws(StoreError) -> RecordedSession {
    RecordedSession(try sessionRecord(number), in: self)
  }

  /// The session with a name. If several sessions have the name, it is the session that began last.
  ///
  /// - Throws: ``StoreError`` of the code `noSuchSession` if the file has no session of the name.
  public func session(named name: String) throws(StoreError) -> RecordedSession {
    guard let found = try sessionRecords().last(where: { $0.description.name == name }) else {
      throw .noSession(path, named: name)
    }
    return RecordedSession(found, in: self)
  }
}

/// One session of a recording: its values, frames, touches and decisions, by the names of keys and elements.
///
/// ```swift
/// let session = try RecordingReader(path: "run.kymo").lastSession()
/// for frame in try session.frames {
///   for (element, pose) in frame { print(frame.time.seconds, element, pose.center) }
/// }
/// ```
///
/// Properties of ``SessionRecord``, such as `number`, `uuid` and `outcome`, are properties of the session, too. Not
/// Sendable: it reads through its reader's connection, which belongs to one thread at a time.
@dynamicMemberLookup
public struct RecordedSession {
  /// The description of the session, which needs none of its rows.
  public let record: SessionRecord
  /// The recording that it is in.
  public let reader: RecordingReader

  init(_ record: SessionRecord, in reader: RecordingReader) {
    (self.record, self.reader) = (record, reader)
  }

  /// A property of the session's record.
  public subscript<Value>(dynamicMember path: KeyPath<SessionRecord, Value>) -> Value {
    record[keyPath: path]
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension RecordedSession: Sendable {}

// MARK: - Values of keys

extension RecordedSession {
  /// The session's keys, in the order in which they were recorded first.
  public var keys: [KeyRecord] {
    get throws(StoreError) { try reader.keys(in: record.number) }
  }

  /// The value that a key had at an instant: the newest recorded at or before it, which holds until the next one.
  ///
  /// Counterpart of `valueForAnimatedKey(_:)` of UIKit's transition layout.
  ///
  /// - Parameters:
  ///   - name: The key's name. If keys of several roles have the name, the animated key counts.
  ///   - time: The instant, in the session's time.
  /// - Returns: The value in the key's unit, or nil before the first value.
  /// - Throws: ``StoreError`` of the code `noSuchKey` if the session has no such key.
  /// - Complexity: linear in the values of all keys between the value and the instant.
  public func value(
    forAnimatedKey name: String, at time: Instant
  ) throws(StoreError) -> Double? {
    try reader.newestSamples(
      of: try key(name).handle, in: record.number, upTo: time, limit: 1
    ).last?.value
  }

  /// Values of a key in the order of time, values of one instant in the order recorded.
  ///
  /// - Parameters:
  ///   - name: The key's name. If keys of several roles have the name, the animated key counts.
  ///   - range: The first and the last instant. Without it, the range is the whole session.
  /// - Throws: ``StoreError`` of the code `noSuchKey` if the session has no such key.
  /// - Complexity: linear in the values of all keys in the range. The memory is that of one value, or of ten
  ///   seconds of packed values.
  public func samples(
    of name: String, in range: ClosedRange<Instant>? = nil
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    try reader.samples(
      of: try key(name).handle, in: record.number, from: range ?? RecordingReader.allTime)
  }

  private func key(_ name: String) throws(StoreError) -> KeyRecord {
    let keys = try keys
    let named = keys.filter { $0.name == name }
    let order: [KeyRole] = [.animated, .progress, .custom]
    for role in order { if let key = named.first(where: { $0.role == role }) { return key } }
    throw .noKey(reader.path, session: record.number, name, known: keys.map(\.name))
  }
}

// MARK: - Rows

extension RecordedSession {
  /// Reports of contacts, in the order recorded.
  public var touches: RowCursor<TouchSample> {
    get throws(StoreError) { try reader.touches(in: record.number) }
  }

  /// Events, in the order recorded.
  public var events: RowCursor<EventRecord> {
    get throws(StoreError) { try reader.events(in: record.number) }
  }

  /// Transitions, in the order in which they began.
  public var transitions: [TransitionRecord] {
    get throws(StoreError) { try reader.transitions(in: record.number) }
  }

  /// Decisions to finish or to cancel, in the order recorded.
  public var decisions: [ReleaseDecision] {
    get throws(StoreError) { try reader.decisions(in: record.number) }
  }

  /// The velocity and more of each key at each release, in the order recorded.
  public var estimates: [ReleaseEstimate] {
    get throws(StoreError) { try reader.estimates(in: record.number) }
  }

  /// The session's elements, in the order in which they were first on the stage.
  public var elements: [ElementIdentity] {
    get throws(StoreError) { try reader.items(in: record.number).map(\.identity) }
  }
}
