import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore

/// The parts of a session that requirements name, and by which they are judged.
struct MotionSource {
  let data: SessionData
  /// Half of the display's time for a frame, in nanoseconds: the tolerance of limits of time.
  private(set) var halfFrame: Int64 = 0
  /// How exactly elements were seen in pictures.
  let errors: ElementErrors
  private let isOfPictures: Bool
  private let source: any SessionSource
  private let starts: [Instant]

  /// Reads what some requirements name.
  ///
  /// - Parameter apartCount: From so many sealed samples on, the values of one key at a time are kept, and are read again for
  ///   each requirement.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: as for ``SessionData``. The values that are named are kept, and two of an element at rest.
  init(
    _ source: any SessionSource, for rules: [MotionExpectation],
    apartFrom apartCount: Int64 = SessionData.mostHeldValues
  ) throws {
    let frames = Frames(refreshRate: source.session.description.refreshRate)
    var parts = SessionParts(rules, hasRefreshRate: frames.refreshRate != nil)
    parts.mostHeldValues = apartCount
    self.source = source
    errors = try ElementErrors(source)
    isOfPictures = try source.isOfPictures()
    data = try SessionData(source, reading: parts)
    starts = data.starts.sorted()
    if let seconds = data.frames.interval, seconds.isFinite {
      halfFrame = Int64(max(0, min(1, seconds)) * 5e8)
    }
  }

  /// The transitions, in the order of time. A session without any is one stretch.
  var stretches: [MotionStretch] { data.stretches }

  /// What a subject is in this session: nothing if there is none of that name or it has no value.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  func tracks(of subject: MotionSubject) throws -> [Track] {
    var found: [Track] = []
    try forEachTrack(of: [subject]) { found.append($0) }
    return found
  }

  /// Calls a body with what some subjects are, one track after the other: of a long session no more than one key is held.
  func forEachTrack(of subjects: [MotionSubject], _ body: (Track) throws -> Void) throws {
    try data.tracks.forEach(of: subjects, from: source, body)
  }

  /// What is found of each track of some subjects.
  func findings(
    of subjects: [MotionSubject], _ find: (Track) throws -> [Verdict]
  ) throws -> [Verdict] {
    var found: [Verdict] = []
    try forEachTrack(of: subjects) { found += try find($0) }
    return found
  }

  /// Whether a subject has a value.
  func hasTrack(of subject: MotionSubject) throws -> Bool {
    try data.tracks.has(subject, in: source)
  }

  /// How long before an instant a finger may have lifted whose lift is recorded then, in seconds: it was seen in pictures.
  func unseenSeconds(before lift: Instant) -> Double {
    data.contacts.all.lazy.filter { $0.lift == lift }
      .compactMap { $0.earliestLift.map(lift.seconds(since:)) }.max() ?? 0
  }

  /// When events of a kind, or marks of a text, happened, in the order of time.
  func times(of event: String) -> [Instant] { data.times(of: event) }
}

extension SessionParts {
  /// What some requirements need of a recording.
  ///
  /// - Parameter hasRefreshRate: Whether the session says how long a frame takes, which a limit of time has to bear half of.
  fileprivate init(_ rules: [MotionExpectation], hasRefreshRate: Bool) {
    self.init()
    for rule in rules {
      var isDense = false
      var subjects = rule.subjects
      switch rule.demand {
      case .follows(let source, _, _, _, _, _), .handsOver(let source, _, _):
        subjects.append(source)
        (isDense, includesReadFrames) = (true, true)
      case .before(let moment, _): add(moment)
      case .continuous:
        // A finger's drive explains the step behind its lift, and of an element a missing frame explains one.
        (contacts, includesReadFrames) = (.all, true)
        if subjects.contains(where: \.isPlaced) { includesFrames = true }
      case .settlesBy where subjects.contains(where: \.isPlaced),
        .overshoot where subjects.contains(where: \.isPlaced):
        // The frames that a finger drives are known by its contact.
        (contacts, includesReadFrames) = (.all, true)
      case .appearsBy:
        subjects = subjects.map { subject in
          if case .item(let id, _) = subject { .item(id, .alpha) } else { subject }
        }
      default: break
      }
      switch rule.demand {
      case .follows, .settlesBy, .stagger, .appearsBy, .before:
        if !hasRefreshRate { includesFrames = true }
      default: break
      }
      if let from = rule.from { add(from) }
      for subject in subjects { add(subject, isDense: isDense) }
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

  /// One stretch from an instant to the session's end. `nil` where there is no such instant.
  func rest(from moment: MotionMoment?) -> MotionWindow? {
    guard moment != nil else {
      return MotionWindow(stretch: .everything, anchor: MotionStretch.everything.start)
    }
    return windows(from: moment).map(\.anchor).min().map {
      MotionWindow(stretch: .everything, anchor: $0)
    }
  }

  /// When a transition began. The session's own start where nothing says that.
  func beginning(of stretch: MotionStretch) -> Instant {
    if stretch.start != MotionStretch.everything.start { return stretch.start }
    return starts.first { $0 <= stretch.end } ?? .zero
  }
}

extension MotionSubject {
  /// Whether it is a place of an element, which a finger may drive.
  fileprivate var isPlaced: Bool {
    if case .item(_, let attribute) = self { !attribute.axes.isEmpty } else { false }
  }
}

extension MotionSource {
  /// How long after one event another instant comes, the first of each.
  func order(_ rule: MotionExpectation, _ moment: MotionMoment, _ least: Double) -> [Verdict] {
    guard case .event(let name) = rule.subjects.first, let window = rest(from: rule.from) else {
      return []
    }
    let text = MotionSubject.event(name).text
    let measure = "between_ms"
    guard let first = times(of: name).first(where: { $0 >= window.anchor }),
      let second = windows(from: moment).map(\.anchor).filter({ $0 >= window.anchor }).min()
    else {
      return [
        Verdict(
          text, measure, unknown: "it or \(moment.text) does not come in the time that counts")
      ]
    }
    return [
      Verdict(
        text, measure, second.seconds(since: first) * 1000, atLeast: least * 1000,
        // Half of a frame never lets the other order pass.
        tolerance: min(Double(halfFrame) / 1e6, max(0, least * 1000)), at: second,
        note: "until \(moment.text)")
    ]
  }

  /// How evenly frames come.
  func hitches(_ rule: MotionExpectation, _ longest: Double, _ ratio: Double) -> [Verdict] {
    guard let window = rest(from: rule.from) else { return [] }
    let clock = data.frames
    let judged = clock.keeping(clock.times.indices.filter { clock.times[$0] >= window.anchor })
    let metrics = FrameMetrics(judged)
    let name = MotionSubject.frames.text
    guard !isOfPictures else {
      return [
        Verdict(
          name, "longest_ms",
          unseen:
            "pictures do not tell a late frame from one that the recorder left out",
          limit: longest * 1000)
      ]
    }
    guard let intervals = metrics.intervals, let hitches = metrics.hitchRatio else {
      return [
        Verdict(name, "longest_ms", unknown: "there are no two frames in the time that counts")
      ]
    }
    let judgesAll = !judged.isMoving.contains(true)
    let worst = judged.times.indices.dropFirst().first { index in
      (judgesAll || judged.isMoving[index - 1])
        && judged.times[index].seconds(since: judged.times[index - 1]) == intervals.longest
    }
    return [
      Verdict(
        name, "longest_ms", intervals.longest * 1000, atMost: longest * 1000,
        at: worst.map { judged.times[$0] }),
      Verdict(
        name, Measure.hitchRatio.rawValue, hitches, atMost: ratio,
        at: metrics.lateFrames.first.map { judged.times[$0] }),
    ]
  }
}
