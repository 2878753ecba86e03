import JSONText
package import TimelineModel
package import TimelineStore

/// What the rows of one session are read from. It keeps nothing: each function reads anew.
///
/// Every function throws `StoreError` if the recording cannot be read.
package protocol SessionSource {
  /// The session, with all that was known at its start.
  var session: SessionRecord { get }

  /// The recorded keys, in the order of their numbers.
  func keys() throws -> [KeyRecord]

  /// The elements, in the order of their numbers.
  func items() throws -> [ItemRecord]

  /// The transitions, in the order in which their starts were recorded.
  func transitions() throws -> [TransitionRecord]

  /// The releases, as recorded, and in the order of time if one is derived.
  func releases(derives: Bool) throws -> SessionReleases

  /// The count, the ends and the range of each key's values, in the order of their numbers.
  func summaries() throws -> [KeySummary]

  /// Whether the session has this many values, of which a key can be read without reading over the others.
  func canReadByKey(from count: Int64) throws -> Bool

  /// Whether the session has this many values, plain and sealed ones together.
  func hasSamples(_ count: Int64) throws -> Bool

  /// Refuses a session of more values than are held at a time.
  func requireHeld() throws

  /// Gives each value of all keys in the order of time. At one instant as recorded, then by key.
  ///
  /// - Parameter body: Takes a value. Its time is in nanoseconds.
  func forEachSample(
    _ body: (_ key: KeyHandle, _ time: Int64, _ value: Double, _ phase: MotionPhase) -> Void
  ) throws

  /// Gives the values of a key, or of all keys, in columns: stretch after stretch in the order of time, in each stretch key
  /// after key.
  ///
  /// - Parameters:
  ///   - range: Values beyond it may be given as well.
  ///   - body: Returns false if it needs no more.
  func forEachSample(
    of key: KeyHandle?, in range: ClosedRange<Instant>,
    _ body: ([SampleColumns.Series]) -> Bool
  ) throws

  /// Gives what each key did in each second: stretch after stretch in the order of time, in each stretch key after key.
  func forEachSecond(_ body: (SampleSecond) throws -> Void) throws

  /// Gives the state of each frame, in the order recorded.
  func forEachState(_ body: (FrameState) throws -> Void) throws

  /// Gives each frame with all of its elements, in the order recorded. A frame that was over before it could be read has
  /// those of a later one.
  ///
  /// - Parameters:
  ///   - start: The frame that was shown then is the first.
  ///   - body: Returns false if it needs no more.
  func forEachFrame(from start: Instant, _ body: (FoldedFrame) throws -> Bool) throws

  /// Gives the reports of contacts in the order recorded, in the session's unit (``TouchMap``).
  ///
  /// - Parameter endsAlone: Whether only landings and lifts are given.
  func forEachTouch(endsAlone: Bool, _ body: (TouchSample) throws -> Void) throws

  /// Gives the events in the order recorded.
  func forEachEvent(_ body: (EventRecord) throws -> Void) throws

  /// The events at the instant of the first one, in the order recorded. No other is read.
  func firstEvents() throws -> [EventRecord]
}

extension SessionSource {
  /// Gives the poses of elements in each frame, in the order recorded. `nil` for an element that is not in the frame.
  ///
  /// - Parameters:
  ///   - start: The frame that was shown then is the first.
  ///   - includesUnread: Whether frames are given whose poses are not their own.
  ///   - body: Returns false if it needs no more.
  package func forEachPose(
    of items: [ItemRecord], from start: Instant = Instant(nanoseconds: .min),
    includesUnread: Bool = false, _ body: (FrameState, [Pose?]) throws -> Bool
  ) throws {
    let positions = IndexByNumber(items.enumerated().map { ($1.handle.rawValue, $0) })
    var poses: [Pose?] = Array(repeating: nil, count: items.count)
    try forEachFrame(from: start) { frame in
      guard includesUnread || !frame.frame.state.isUnread else { return true }
      for index in poses.indices { poses[index] = nil }
      for element in frame.elements {
        let index = positions[element.item.rawValue]
        if index >= 0 { poses[index] = element.pose }
      }
      return try body(frame.frame.state, poses)
    }
  }

  /// Whether all values of a key hold until the next one (``StepLevels``).
  ///
  /// - Complexity: reads until a value says that they do not.
  package func isStep(_ key: KeyRecord) throws -> Bool {
    var levels = StepLevels(of: key)
    guard levels.mayBeStep else { return false }
    try forEachSample(of: key.handle, in: RecordingReader.allTime) { all in
      for series in all {
        for index in series.times.indices { levels.add(series.value(index)) }
      }
      return levels.mayBeStep
    }
    return levels.isStep
  }

  /// Whether all of it was read from the pictures of a clip, which say nothing of what an app did between them.
  ///
  /// - Complexity: reads the first events.
  package func isOfPictures() throws -> Bool {
    try firstEvents().contains { $0.kind.rawValue == "video" }
  }

  /// The viewport at the session's end: as its last `bounds` event says, else as it began.
  package func lastViewport() throws -> Size2D? {
    var viewport = session.description.viewport
    try forEachEvent { event in
      guard event.kind == .bounds,
        let extent = try? JSONFields(recorded: event.fieldsJSON)?["to"]?.numbers(count: 2)
      else { return }
      viewport = Size2D(width: extent[0], height: extent[1])
    }
    return viewport
  }
}

/// A session of a recording.
package struct FileSource: SessionSource {
  package let session: SessionRecord
  package let reader: RecordingReader

  package init(_ session: SessionRecord, in reader: RecordingReader) {
    (self.session, self.reader) = (session, reader)
  }

  package func keys() throws -> [KeyRecord] { try reader.keys(in: session.number) }

  package func items() throws -> [ItemRecord] { try reader.items(in: session.number) }

  package func transitions() throws -> [TransitionRecord] {
    try reader.transitions(in: session.number)
  }

  package func releases(derives: Bool) throws -> SessionReleases {
    try reader.releases(in: session.number, derives: derives)
  }

  package func summaries() throws -> [KeySummary] { try reader.keySummaries(in: session.number) }

  package func canReadByKey(from count: Int64) throws -> Bool {
    try reader.canReadByKey(session, from: count)
  }

  package func hasSamples(_ count: Int64) throws -> Bool {
    try reader.hasSamples(session, count)
  }

  package func requireHeld() throws { try reader.requireHeld(session.number) }

  package func forEachSample(
    _ body: (_ key: KeyHandle, _ time: Int64, _ value: Double, _ phase: MotionPhase) -> Void
  ) throws {
    try reader.forEachSample(in: session.number, body)
  }

  package func forEachSample(
    of key: KeyHandle?, in range: ClosedRange<Instant>,
    _ body: ([SampleColumns.Series]) -> Bool
  ) throws {
    try reader.forEachSample(of: key, in: session.number, from: range, body)
  }

  package func forEachSecond(_ body: (SampleSecond) throws -> Void) throws {
    let seconds = try reader.seconds(in: session.number)
    while let second = try seconds.next() { try body(second) }
  }

  package func forEachState(_ body: (FrameState) throws -> Void) throws {
    let frames = try reader.frames(in: session.number)
    while let frame = try frames.next() { try body(frame.state) }
  }

  package func forEachFrame(from start: Instant, _ body: (FoldedFrame) throws -> Bool) throws {
    let first = try reader.frame(shownAt: start, in: session.number)?.number ?? 0
    let frames = try reader.foldedFrames(in: session.number, numbers: first...Int64.max)
    while let frame = try frames.next(), try body(frame) {}
  }

  package func forEachTouch(endsAlone: Bool, _ body: (TouchSample) throws -> Void) throws {
    let map = TouchMap(session.description)
    let touches =
      endsAlone
      ? try reader.touchEnds(in: session.number) : try reader.touches(in: session.number)
    while var touch = try touches.next() {
      touch.position = map.point(of: touch.position)
      try body(touch)
    }
  }

  package func forEachEvent(_ body: (EventRecord) throws -> Void) throws {
    let events = try reader.events(in: session.number)
    while let event = try events.next() { try body(event) }
  }

  package func firstEvents() throws -> [EventRecord] {
    var found: [EventRecord] = []
    let events = try reader.events(in: session.number)
    while let event = try events.next(), event.time == found.first?.time ?? event.time {
      found.append(event)
    }
    return found
  }
}

/// Not Sendable: its recording's connection belongs to one thread at a time.
@available(*, unavailable)
extension FileSource: Sendable {}
