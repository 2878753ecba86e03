import JSONText
import MotionPhysics
import TimelineModel
import TimelineStore

/// What requirements are judged by: of a session only what they name, each read in one walk.
struct MotionSource {
  let session: SessionRecord
  /// The transitions, in the order of time; a session without any is one stretch.
  private(set) var stretches: [MotionStretch] = []
  /// Half of what the display gives a frame, in nanoseconds: what limits of time bear.
  private(set) var halfFrame: Int64 = 0
  /// When the display was updated; empty where no requirement asks.
  private(set) var clock = FrameClock(source: .frames, times: [], isMoving: [], refreshRate: nil)
  /// The frames that were read; empty where nothing was told of a finger that a requirement names.
  private(set) var frames = ReadFrames()
  private var tracks: [MotionSubject: [MotionTrack]] = [:]
  private var eventTimes: [String: [Instant]] = [:]
  private var starts: [Instant] = []

  /// Reads what some requirements name.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the samples where a key is named, in frames and poses where an element or the frames
  ///   are, in the touches where a finger is or nothing was decided, in the events where one is. What nothing names
  ///   is not read. Kept are the values that are named; of an element at rest two.
  init(_ session: SessionRecord, in reader: RecordingReader, for rules: [MotionExpectation]) throws
  {
    try self.init(session, in: reader, for: AskedMotion(rules))
  }

  /// Reads subjects that are one number each.
  init(_ session: SessionRecord, in reader: RecordingReader, for subjects: [MotionSubject]) throws {
    try self.init(session, in: reader, for: AskedMotion(subjects))
  }

  private init(
    _ session: SessionRecord, in reader: RecordingReader, for asked: AskedMotion
  ) throws {
    self.session = session
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
    try readSamples(asked.keys, keys, reader)
    if !asked.items.isEmpty { try readPoses(asked, reader) }
    if asked.frames || asked.limitsTime && !((session.description.refreshRate ?? 0) > 0) {
      clock = try FrameClock(session, in: reader)
      if clock.times.isEmpty {
        let samples = try SessionCurves(session, in: reader, derivesReleases: false).clock
        (clock.source, clock.times, clock.isMoving) = (
          samples.source, samples.times, samples.isMoving
        )
      }
    }
    let rate = session.description.refreshRate.flatMap { $0 > 0 ? 1 / $0 : nil }
    let seconds = rate ?? (clock.times.isEmpty ? nil : JankMetrics(clock).expectedSeconds)
    if let seconds, seconds.isFinite { halfFrame = Int64(max(0, min(1, seconds)) * 5e8) }
  }

  /// What a subject is in this session: nothing where there is none of that name or it has no value.
  func tracks(of subject: MotionSubject) -> [MotionTrack] {
    (tracks[subject] ?? tracks[.key(subject.text)] ?? []).filter { !$0.runs.isEmpty }
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
    _ names: [String], _ keys: [KeyRecord], _ reader: RecordingReader
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
    for name in names {
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
  fileprivate init(_ key: KeyRecord, _ curve: Curve, isStep: Bool) {
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
      TimelineQuery.matches(name, path($0)) && path($0) != FrameClock.displayIntervalKey
    }
  }
}

/// What some requirements need of a recording.
private struct AskedMotion {
  var keys: [String] = []
  var items: [MotionSubject] = []
  /// The elements of which every frame counts.
  var denseItems: Set<MotionSubject> = []
  var fingers: [MotionSubject] = []
  var events: Set<String> = []
  var frames = false
  /// Whether a limit of time has to bear half a frame.
  var limitsTime = false

  init(_ rules: [MotionExpectation]) {
    for rule in rules {
      var isDense = false
      var subjects = rule.subjects
      switch rule.demand {
      case .follows(let source, _, _, _, _, _), .handsOver(let source, _, _):
        subjects.append(source)
        isDense = true
      case .before(let moment, _): add(moment)
      case .appearsBy:
        subjects = subjects.map { subject in
          if case .item(let id, _) = subject { .item(id, .alpha) } else { subject }
        }
      default: break
      }
      switch rule.demand {
      case .follows, .settlesBy, .stagger, .appearsBy, .before: limitsTime = true
      default: break
      }
      if let from = rule.from { add(from) }
      for subject in subjects { add(subject, isDense: isDense) }
    }
  }

  /// Asks about subjects that are one number each.
  init(_ subjects: [MotionSubject]) {
    for subject in subjects { add(subject, isDense: true) }
  }

  /// Reads a recorded key in place of an element's or a finger's number of the same name.
  mutating func preferKeys(named names: Set<String>) {
    let isKey = { (subject: MotionSubject) in subject.isNumber && names.contains(subject.text) }
    for subject in items + fingers where isKey(subject) && !keys.contains(subject.text) {
      keys.append(subject.text)
    }
    items.removeAll(where: isKey)
    fingers.removeAll(where: isKey)
  }

  private mutating func add(_ moment: MotionMoment) {
    if case .event(let name) = moment { events.insert(name) }
  }

  private mutating func add(_ subject: MotionSubject, isDense: Bool) {
    switch subject {
    case .key(let name): if !keys.contains(name) { keys.append(name) }
    case .item:
      if !items.contains(subject) { items.append(subject) }
      if isDense { denseItems.insert(subject) }
    case .finger: if !fingers.contains(subject) { fingers.append(subject) }
    case .event(let name): events.insert(name)
    case .frames: frames = true
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
          times: curve.times, columns: [curve.values], told: ToldContact(touch.told, map)))
    }
    return track
  }
}
