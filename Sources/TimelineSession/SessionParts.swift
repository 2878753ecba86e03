import TimelineModel

/// The parts of a session that a question needs. What is not named is not read.
package struct SessionParts: Sendable {
  /// Which recorded keys are read, those of the viewport among them.
  package enum Keys: Sendable, Hashable {
    /// Those that ``SessionParts/subjects`` name.
    case named
    /// Each, with what the session was doing at each value.
    case all
  }

  /// Which reports of contacts are read.
  package enum Contacts: Sendable, Hashable {
    /// All if a finger is named, or if nothing was released and not all keys are read.
    case asNeeded
    /// Landings and lifts.
    case ends
    case all
  }

  package var keys = Keys.named
  /// What is read of keys, elements and fingers by their names, each once.
  package private(set) var subjects: [MotionSubject] = []
  /// The elements of which every frame counts. Of others that rest only both ends of the rest are kept.
  package private(set) var denseItems: Set<MotionSubject> = []
  /// The events whose instants are read: kinds, or texts of marks.
  package private(set) var events: Set<String> = []
  /// Whether the instants of frames are read, or in a session without frames those of values.
  package var includesFrames = false
  /// Whether frames are read one by one, with the instants of their callbacks: by these a finger drives an element.
  package var includesReadFrames = false
  package var contacts = Contacts.asNeeded
  /// Whether releases are derived that were not recorded.
  package var derivesReleases = true
  /// From so many values on each recorded key is read alone.
  package var mostHeldValues = Int64.max

  /// Names nothing.
  package init() {}

  /// All keys, and the instants of frames.
  ///
  /// - Parameters:
  ///   - derivesReleases: Whether releases are derived that were not recorded.
  ///   - count: From so many values on each recorded key is read alone.
  package static func allKeys(
    derivesReleases: Bool = true, apartFrom count: Int64 = .max
  ) -> SessionParts {
    var parts = SessionParts()
    (parts.keys, parts.includesFrames) = (.all, true)
    (parts.derivesReleases, parts.mostHeldValues) = (derivesReleases, count)
    return parts
  }

  /// Names a subject.
  ///
  /// - Parameter isDense: Whether every frame counts of an element that rests.
  package mutating func add(_ subject: MotionSubject, isDense: Bool) {
    switch subject {
    case .event(let name): events.insert(name)
    case .frames: includesFrames = true
    case .key, .item, .finger:
      if !subjects.contains(subject) { subjects.append(subject) }
      if isDense { denseItems.insert(subject) }
    }
  }

  /// Names the events that an instant is counted from.
  package mutating func add(_ moment: MotionMoment) {
    if case .event(let name) = moment { events.insert(name) }
  }
}
