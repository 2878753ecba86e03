import JSONText
import MotionPhysics
import TimelineModel
import TimelineStore

/// The parts of a session that requirements name, and by which they are judged. Each is read in one walk.
struct MotionSource {
  let session: SessionRecord
  /// The transitions, in the order of time; a session without any is one stretch.
  private(set) var stretches: [MotionStretch] = []
  /// Half of the display's time for a frame, in nanoseconds: the tolerance of limits of time.
  private(set) var halfFrame: Int64 = 0
  /// When the display was updated; empty where no requirement asks.
  private(set) var clock: FrameClock
  /// The frames that were read; empty if the page was told nothing of a finger that a requirement names.
  private(set) var frames = ReadFrames()
  private var tracks: [MotionSubject: [MotionTrack]] = [:]
  /// Keys of a long session by the names that match them, which are read one after the other; nil if all are in
  /// ``tracks``.
  private var apart: MotionKeysApart?
  private var eventTimes: [String: [Instant]] = [:]
  private var starts: [Instant] = []

  /// Reads what some requirements name.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the samples where a key is named, in frames and poses where an element or the frames
  ///   are, in the touches where a finger is or nothing was decided, in the events where one is. What nothing names
  ///   is not read. The values that are named are kept, and two of an element at rest. From `apartCount` sealed samples
  ///   on, the values of one key at a time are kept, and are read again for each requirement.
  init(
    _ session: SessionRecord, in reader: RecordingReader, for rules: [MotionExpectation],
    apartFrom apartCount: Int64 = SessionCurves.usualApartCount
  ) throws {
    try self.init(session, in: reader, for: AskedMotion(rules), apartFrom: apartCount)
  }

  /// Reads subjects that are one number each.
  init(_ session: SessionRecord, in reader: RecordingReader, for subjects: [MotionSubject]) throws {
    try self.init(session, in: reader, for: AskedMotion(subjects), apartFrom: .max)
  }

  private init(
    _ session: SessionRecord, in reader: RecordingReader, for asked: AskedMotion,
    apartFrom apartCount: Int64
  ) throws {
    self.session = session
    clock = FrameClock(
      source: .frames, times: [], isMoving: [], refreshRate: session.description.refreshRate)
    let keys = try reader.keys(in: session.number)
    var asked = asked
    asked.preferKeys(named: Set(keys.map(\.name)))
    let released = try reader.releases(in: session.number).all.map(\.time)
    starts = try reader.transitions(in: session.number).compactMap(\.start).sorted()
    var contacts: Contacts?
    if !asked.fingers.isEmpty || released.isEmpty {
      contacts = try Contacts(in: session.number, of: reader)
    }
    let decisions = released.isEmpty ? contacts?.pauses.map(\.lift) ?? [] : released
    stretches = MotionStretch.all(
      decisions: decisions, starts: starts,
      drives: released.isEmpty
        ? contacts?.pauses.map(\.next) ?? [] : Array(repeating: nil, count: released.count))
    if let contacts {
      let map = TouchMap(session.description)
      for subject in asked.fingers {
        guard case .finger(let axis, let contact) = subject else { continue }
        tracks[subject] = [contacts.track(of: axis, contact: contact, map)]
      }
      if asked.fingers.contains(where: { tracks[$0]?[0].runs.contains { $0.told != nil } == true })
      {
        frames = try ReadFrames(session, in: reader)
      }
    }
    if !asked.events.isEmpty { try readEvents(asked.events, reader) }
    try readSamples(asked.keys, keys, reader, apartFrom: apartCount)
    if !asked.items.isEmpty { try readPoses(asked, reader) }
    if asked.frames || asked.limitsTime && clock.refreshRate == nil {
      clock = try FrameClock.ofFramesOrSamples(session, in: reader)
    }
    if let seconds = clock.interval, seconds.isFinite {
      halfFrame = Int64(max(0, min(1, seconds)) * 5e8)
    }
  }

  /// What a subject is in this session: nothing where there is none of that name or it has no value.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  func tracks(of subject: MotionSubject) throws -> [MotionTrack] {
    var found: [MotionTrack] = []
    try forEachTrack(of: [subject]) { found.append($0) }
    return found
  }

  /// Calls a body with what some subjects are, one track after the other: of a long session no more than one key is held.
  func forEachTrack(of subjects: [MotionSubject], _ body: (MotionTrack) throws -> Void) throws {
    for subject in subjects {
      for track in tracks[subject] ?? tracks[.key(subject.text)] ?? [] where !track.runs.isEmpty {
        try body(track)
      }
      for key in apart?.keys(named: subject.text) ?? [] {
        if let track = try apart?.track(of: key), !track.runs.isEmpty { try body(track) }
      }
    }
  }

  /// What is found of each track of some subjects.
  func findings(
    of subjects: [MotionSubject], _ find: (MotionTrack) throws -> [Verdict]
  ) throws -> [Verdict] {
    var found: [Verdict] = []
    try forEachTrack(of: subjects) { found += try find($0) }
    return found
  }

  /// Whether a subject has a value.
  func hasTrack(of subject: MotionSubject) throws -> Bool {
    if let keys = apart?.keys(named: subject.text), !keys.isEmpty {
      return try keys.contains { try apart?.hasValue($0) == true }
    }
    return try !tracks(of: subject).isEmpty
  }

  /// When events of a kind, or marks of a text, happened, in the order of time.
  func times(of event: String) -> [Instant] { eventTimes[event] ?? [] }

  private mutating func readEvents(_ names: Set<String>, _ reader: RecordingReader) throws {
    let events = try reader.events(in: session.number)
    while let event = try events.next() {
      var name = event.kind.rawValue
      if !names.contains(name), event.kind == .mark,
        let text = JSONFields(recorded: event.fieldsJSON)?.name("text")
      {
        name = text
      }
      if names.contains(name) { eventTimes[name, default: []].append(event.time) }
    }
    for name in names.sorted() { eventTimes[name]?.sort() }
  }

  private mutating func readSamples(
    _ names: [String], _ keys: [KeyRecord], _ reader: RecordingReader,
    apartFrom apartCount: Int64
  ) throws {
    var positions: [KeyHandle: Int] = [:]
    var found: [(key: KeyRecord, curve: Curve, levels: StepLevels)] = []
    var matching: [String: [Int]] = [:]
    for name in names {
      for key in keys.named(name, \.name) {
        let position = positions[key.handle] ?? found.count
        if position == found.count {
          positions[key.handle] = position
          found.append((key, Curve([]), StepLevels(of: key)))
        }
        matching[name, default: []].append(position)
      }
    }
    let handles = found.map(\.key.handle)
    apart = try MotionKeysApart(
      session, reader, matching.mapValues { $0.map { found[$0].key } }, handles, from: apartCount)
    if apart != nil {
      found = []
    } else if !found.isEmpty {
      try reader.requireHeld(session.number)
    }
    func add(_ position: Int, _ sample: Sample) {
      found[position].curve.append(sample)
      found[position].levels.add(sample.value)
    }
    if found.count == 1 {
      let rows = try reader.samples(of: found[0].key.handle, in: session.number)
      while let row = try rows.next() { add(0, row.sample) }
    } else if found.count > 1 {
      try reader.forEachSample(in: session.number) { key, time, value, _ in
        guard let position = positions[key] else { return }
        add(position, Sample(time: Instant(nanoseconds: time), value: value))
      }
    }
    for name in names where apart == nil {
      guard let positions = matching[name] else { continue }
      tracks[.key(name)] = positions.map {
        MotionTrack(found[$0].key, found[$0].curve, isStep: found[$0].levels.isStep)
      }
    }
    // What the frames say of the viewport has no rows of its own.
    let computed = names.filter { matching[$0] == nil && $0.hasPrefix(ViewportKeys.prefix) }
    guard !computed.isEmpty else { return }
    for key in try ViewportKeys.all(of: session, besides: keys, in: reader)
    where computed.contains(key.record.name) {
      tracks[.key(key.record.name)] = [MotionTrack(key.record, key.curve, isStep: false)]
    }
  }

  private mutating func readPoses(_ asked: AskedMotion, _ reader: RecordingReader) throws {
    let items = try reader.items(in: session.number)
    var trackings: [ItemTracking] = []
    var owners: [MotionSubject] = []
    for subject in asked.items {
      guard case .item(let id, let attribute) = subject else { continue }
      for item in items.named(id, \.identity.id) {
        trackings.append(
          ItemTracking(item, attribute, isDense: asked.denseItems.contains(subject)))
        owners.append(subject)
      }
    }
    guard !trackings.isEmpty else { return }
    let order = trackings.indices.sorted {
      (trackings[$0].item.rawValue, $0) < (trackings[$1].item.rawValue, $1)
    }
    let frames = try reader.foldedFrames(in: session.number)
    let viewport = session.description.viewport
    let sight = LayoutSight(
      try reader.lastViewport(of: session) == viewport ? viewport : nil, .init())
    var latest: Instant?
    while let frame = try frames.nextRead() {
      let time = frame.frame.state.time
      guard time >= latest ?? time else { continue }
      latest = time
      var position = 0
      for index in order {
        let number = trackings[index].item.rawValue
        while position < frame.elements.count, frame.elements[position].item.rawValue < number {
          position += 1
        }
        let isThere =
          position < frame.elements.count && frame.elements[position].item.rawValue == number
        let pose = isThere ? frame.elements[position].pose : nil
        trackings[index].take(
          pose, at: time,
          isSeen: pose.map { sight.holds($0.frame, offset: frame.frame.state.contentOffset) }
            ?? false)
      }
    }
    for (subject, tracking) in zip(owners, trackings) {
      tracks[subject, default: []].append(tracking.track)
    }
  }
}

// MARK: - Stretches of time

/// What is judged at once: a stretch of time, and the instant in it that counts.
struct MotionWindow {
  /// The transition that it belongs to.
  var stretch: MotionStretch
  /// From when on.
  var anchor: Instant

  var end: Instant { stretch.end }
}

extension MotionSource {
  /// The stretches that begin at an instant: one for each transition that has it.
  ///
  /// - Parameter moment: nil: each transition from its beginning.
  /// - Returns: nothing where there is no such instant.
  func windows(from moment: MotionMoment?) -> [MotionWindow] {
    func containing(_ time: Instant) -> MotionStretch {
      let behind = stretches.partitioningIndex { $0.start > time }
      guard behind > 0, time <= stretches[behind - 1].end else { return .everything }
      return stretches[behind - 1]
    }
    switch moment {
    case nil: return stretches.map { MotionWindow(stretch: $0, anchor: $0.start) }
    case .start:
      return stretches.map { MotionWindow(stretch: $0, anchor: beginning(of: $0)) }
    case .release:
      return stretches.compactMap { stretch in
        stretch.release.map { MotionWindow(stretch: stretch, anchor: $0) }
      }
    case .seconds(let seconds):
      guard let time = Instant(seconds: seconds) else { return [] }
      return [MotionWindow(stretch: containing(time), anchor: time)]
    case .event(let name):
      var windows: [MotionWindow] = []
      for time in times(of: name) {
        let stretch = containing(time)
        if windows.last?.stretch != stretch {
          windows.append(MotionWindow(stretch: stretch, anchor: time))
        }
      }
      return windows
    }
  }

  /// One stretch from an instant to the session's end; nil where there is no such instant.
  func rest(from moment: MotionMoment?) -> MotionWindow? {
    guard moment != nil else {
      return MotionWindow(stretch: .everything, anchor: MotionStretch.everything.start)
    }
    return windows(from: moment).map(\.anchor).min().map {
      MotionWindow(stretch: .everything, anchor: $0)
    }
  }

  /// When a transition began; the session's own start where nothing says that.
  func beginning(of stretch: MotionStretch) -> Instant {
    if stretch.start != MotionStretch.everything.start { return stretch.start }
    return starts.first { $0 <= stretch.end } ?? .zero
  }
}

extension MotionTrack {
  init(_ key: KeyRecord, _ curve: Curve, isStep: Bool) {
    (name, unit, self.isStep) = (key.name, key.unit, isStep)
    isOfTransition = key.role != .custom
    if curve.count > 0 { runs = [Run(times: curve.times, columns: [curve.values])] }
  }
}

extension Array {
  /// Those of a name, or, where there is none, those that match it as a pattern.
  fileprivate func named(_ name: String, _ path: (Element) -> String) -> [Element] {
    let exact = filter { path($0) == name }
    guard exact.isEmpty, name.contains("*") || name.contains("?") else { return exact }
    // How long the display gives a frame is a setting.
    return filter {
      TimelineAnalysis.matches(name, path($0)) && path($0) != FrameClock.displayIntervalKey
    }
  }
}

// MARK: - Fingers

extension Contacts {
  /// When the last contact lifted, each time, and when the next one landed after that.
  fileprivate var pauses: [(lift: Instant, next: Instant?)] {
    let ordered = all.filter { $0.landing != nil }.sorted {
      ($0.landing ?? .zero) < ($1.landing ?? .zero)
    }
    var pauses: [(lift: Instant, next: Instant?)] = []
    var latest: Instant?
    for contact in ordered {
      guard let landing = contact.landing else { continue }
      if let lift = latest, landing > lift { pauses.append((lift, landing)) }
      latest = max(latest ?? landing, contact.lift ?? Instant(nanoseconds: .max))
    }
    if let latest, latest < Instant(nanoseconds: .max) { pauses.append((latest, nil)) }
    return pauses
  }

  /// The positions of a finger, in points; each contact is a stretch of its own.
  fileprivate func track(of axis: FingerAxis, contact: Int?, _ map: TouchMap) -> MotionTrack {
    var track = MotionTrack(name: MotionSubject.finger(axis, contact: contact).text, unit: "pt")
    for (touch, start) in turns(of: contact) {
      guard let positions = touch.track(at: touch.lift ?? Instant(nanoseconds: .max)) else {
        continue
      }
      var curve = Curve([])
      for (x, y) in zip(positions.x, positions.y) where start.map({ x.time > $0 }) ?? true {
        let point = map.point(of: Point2D(x: x.value, y: y.value))
        curve.append(Sample(time: x.time, value: axis == .x ? point.x : point.y))
      }
      guard curve.count > 0 else { continue }
      track.runs.append(
        .init(
          times: curve.times, columns: [curve.values],
          resampled: Set(zip(positions.x, positions.resampled).filter(\.1).map(\.0.time)),
          told: ToldContact(touch.told, map), lift: touch.lift))
    }
    return track
  }
}
