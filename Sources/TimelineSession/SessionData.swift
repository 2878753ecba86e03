import JSONText
package import TimelineModel
package import TimelineStore

/// The parts of a session that a question needs, as columns on the session's own clock. Each is read in one walk.
package struct SessionData: Sendable {
  /// From so many values on, keys are read one by one: all together would take 100 MB and more.
  package static let mostHeldValues: Int64 = 1 << 22
  /// A held key takes the memory of so many values besides its own.
  fileprivate static let valuesOfKey: Int64 = 512

  package var session: SessionRecord
  /// The releases: as recorded, and in the order of time if one is derived.
  package var releases: [ReleaseRecord]
  /// What is doubtful about the releases, a sentence each.
  package let releaseWarnings: [String]
  /// The transitions, in the order in which their starts were recorded.
  package let transitions: [TransitionRecord]
  /// The recorded keys, in the order of their numbers.
  package let keys: [KeyRecord]
  /// How often each kind of event occurs, in the order of the kinds' names. Empty unless all keys are read.
  package private(set) var eventCounts: [(kind: String, count: Int)] = []
  /// When the display was updated.
  package var frames: Frames
  /// The frames that were read. Empty unless they are needed, and without contacts.
  package private(set) var readFrames = ReadFrames()
  /// The transitions by which a motion is described, in the order of time. Never empty.
  ///
  /// A session
  /// without releases has a stretch for each pause between contacts, whose lift it counts from.
  package private(set) var stretches: [MotionStretch] = []
  /// The contacts. None unless they are needed.
  package private(set) var contacts = Contacts()
  package var tracks = Tracks([], readsApart: false)
  private var eventTimes: [String: [Instant]] = [:]

  /// Reads parts of a session.
  ///
  /// - Throws: `StoreError` when the recording cannot be read, or has more values than are held.
  /// - Complexity: linear in what is named: in the samples for keys, in frames and poses for elements, in touches for
  ///   fingers, in events. What nothing names is not read.
  package init(_ source: some SessionSource, reading parts: SessionParts) throws {
    session = source.session
    frames = Frames(refreshRate: source.session.description.refreshRate)
    let found = try source.releases(derives: parts.derivesReleases)
    (releases, releaseWarnings) = (found.all, found.warnings)
    transitions = try source.transitions()
    let starts = transitions.compactMap(\.start)
    let decisions = releases.map(\.time)
    let records = try source.keys()
    keys = records
    let readsAll = parts.keys == .all
    let asked = AskedTracks(parts, records)
    var viewport: ViewportKeys? =
      readsAll || !asked.viewport.isEmpty ? ViewportKeys(source.session) : nil
    if viewport != nil || !parts.events.isEmpty {
      var counts: [String: Int] = [:]
      try source.forEachEvent { event in
        if readsAll { counts[event.kind.rawValue, default: 0] += 1 }
        viewport?.add(event)
        note(event, among: parts.events)
      }
      eventCounts = counts.sorted { $0.key < $1.key }.map { (kind: $0.key, count: $0.value) }
      for name in parts.events.sorted() { eventTimes[name]?.sort() }
    }
    if parts.includesFrames || viewport != nil {
      frames = try Frames(source) { viewport?.add($0) }
    }
    let needsClock = parts.includesFrames && frames.times.isEmpty
    var drives: [Instant?] = Array(repeating: nil, count: decisions.count)
    if readsAll {
      let readsByKey = try source.canReadByKey(from: parts.mostHeldValues)
      let isSpilled = try !readsByKey && source.isLarge(parts, keys: records.count)
      var reading = SampleReading(
        records, keeping: readsByKey ? .nothing : isSpilled ? .spilled : .valuesAndPhases,
        decisions: decisions, needsClock: needsClock, expectedCount: session.counts?.samples)
      try reading.read(source)
      tracks = Tracks(
        reading.tracks, readsApart: readsByKey || isSpilled, spilled: try reading.takeSpilled())
      if needsClock { frames = reading.clock(like: frames) }
      drives = reading.drivesAfterDecisions
    } else {
      let readsApart = try asked.readsByKey(source, from: parts.mostHeldValues)
      var reading = SampleReading(
        asked.keys, keeping: readsApart ? .nothing : .values, needsClock: false)
      if !asked.keys.isEmpty { try reading.read(source) }
      tracks = Tracks(reading.tracks, readsApart: readsApart)
      if needsClock {
        var reading = SampleReading(records, keeping: .nothing, needsClock: true)
        try reading.read(source)
        frames = reading.clock(like: frames)
      }
    }
    stretches = MotionStretch.all(decisions: decisions, starts: starts, drives: drives)
    for key in viewport?.keys(besides: records) ?? []
    where readsAll || asked.viewport.contains(key.name) {
      tracks.add(key, named: .key(key.name))
    }
    if !readsAll { tracks.name(asked.subjects, as: asked.places) }
    switch parts.contacts {
    case .ends: contacts = try Contacts(source, endsAlone: true)
    case .all: contacts = try Contacts(source)
    case .asNeeded where !readsAll && releases.isEmpty || !asked.fingers.isEmpty:
      contacts = try Contacts(source)
    case .asNeeded: break
    }
    if releases.isEmpty {
      let isRead = !readsAll || parts.contacts != .asNeeded
      let pauses = try (isRead ? contacts : Contacts(source, endsAlone: true)).pauses
      stretches = MotionStretch.all(
        decisions: pauses.map(\.lift), starts: starts, drives: pauses.map(\.next))
    }
    for case .finger(let axis, let contact) in asked.fingers {
      tracks.add(
        contacts.track(of: axis, contact: contact), named: .finger(axis, contact: contact))
    }
    if parts.includesReadFrames, !contacts.all.isEmpty { readFrames = try ReadFrames(source) }
    if !asked.items.isEmpty {
      for track in try ElementReading(asked.items, dense: parts.denseItems).read(source) {
        tracks.add(track.track, named: track.subject)
      }
    }
  }

  private mutating func note(_ event: EventRecord, among names: Set<String>) {
    guard !names.isEmpty else { return }
    var name = event.kind.rawValue
    if !names.contains(name), event.kind == .mark,
      let text = JSONFields(recorded: event.fieldsJSON)?.name("text")
    {
      name = text
    }
    if names.contains(name) { eventTimes[name, default: []].append(event.time) }
  }

  /// When transitions started, in the order recorded.
  package var starts: [Instant] { transitions.compactMap(\.start) }

  /// When events of a kind, or marks of a text, happened, in the order of time.
  package func times(of event: String) -> [Instant] { eventTimes[event] ?? [] }

  /// The key of the transitions' progress. `nil` if the session has none.
  package var progressKey: Track? { tracks.all.first { $0.record.role == .progress } }

  /// The same session, the progress with its values.
  package func withProgress(from source: some SessionSource) throws -> SessionData {
    guard let index = tracks.all.firstIndex(where: { $0.record.role == .progress }) else {
      return self
    }
    var data = self
    var memory = Curve([])
    data.tracks.all[index] = try tracks.whole(
      tracks.all[index], from: source, keepsPhases: true, memory: &memory)
    return data
  }

  /// Forgets the instants of the frames if each key is read alone, since they take much memory then.
  package mutating func forgetClock() {
    guard tracks.readsApart else { return }
    (frames.times, frames.isMoving) = ([], [])
  }
}

extension SessionSource {
  /// Whether a session has more values than are held, each of its keys counted as some hundred values.
  fileprivate func isLarge(_ parts: SessionParts, keys: Int) throws -> Bool {
    guard parts.mostHeldValues < .max else { return false }
    return try hasSamples(max(0, parts.mostHeldValues - Int64(keys) * SessionData.valuesOfKey))
  }
}

/// What parts of a session name, in that session.
private struct AskedTracks {
  /// The recorded keys that are named, each once.
  private(set) var keys: [KeyRecord] = []
  /// The subjects that are recorded keys, and the places of these in ``keys``.
  private(set) var subjects: [MotionSubject] = []
  private(set) var places: [[Int]] = []
  /// The names of keys of the viewport.
  private(set) var viewport: Set<String> = []
  private(set) var items: [MotionSubject] = []
  private(set) var fingers: [MotionSubject] = []

  /// A recorded key overrides an element's or a finger's number of the same name.
  init(_ parts: SessionParts, _ records: [KeyRecord]) {
    let known = Set(records.map(\.name))
    for subject in parts.subjects {
      switch subject {
      case .item where !(subject.isNumber && known.contains(subject.text)): items.append(subject)
      case .finger where !known.contains(subject.text): fingers.append(subject)
      case .key, .item, .finger: add(subject, records.named(subject.text, \.name))
      case .event, .frames: break
      }
    }
  }

  private mutating func add(_ subject: MotionSubject, _ found: [KeyRecord]) {
    // What the frames say of the viewport has no rows of its own.
    if found.isEmpty, subject.text.hasPrefix(ViewportKeys.prefix) { viewport.insert(subject.text) }
    subjects.append(subject)
    places.append(
      found.map { key in
        if let place = keys.firstIndex(where: { $0.handle == key.handle }) { return place }
        keys.append(key)
        return keys.count - 1
      })
  }

  /// Whether the keys have so many values that each is read alone.
  func readsByKey(_ source: some SessionSource, from count: Int64) throws -> Bool {
    guard !keys.isEmpty, try source.canReadByKey(from: count) else { return false }
    let asked = Set(keys.map(\.handle))
    return try source.summaries().reduce(Int64(0)) { sum, summary in
      asked.contains(summary.key) ? sum + min(summary.sampleCount, 1 << 32) : sum
    } >= count
  }
}
