import SQLiteAccess
package import TimelineModel

extension RecordingReader {
  /// The session's releases: its recorded decisions, and for every transition that has none and exactly one
  /// event `finish` or `cancel` the release that is derived from that event, the contacts and the progress.
  ///
  /// A transition is one of ``transitions(in:)``, up to the start of the next one. It was released at the last
  /// lift of the contacts that had landed by the event (the lift's instant, where the event came up to 100 ms
  /// later or 1 ms earlier, else the event's), without contacts at the last driving value of the progress
  /// before the first settling one, if that is not later than the event. Its progress is the last value at or before
  /// its instant, whatever its phase. At a lift that is dated later, the last driving one up to the event. Nothing
  /// derived is ever stored. Where an event says another outcome than the decision, that holds, and a warning says so.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - derives: Whether releases are derived. Otherwise only the recorded ones are there.
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Complexity: a walk over events, and where a release is derived over touches, and over the samples of
  ///   such transitions up to their event and their first settling value.
  package func releases(
    in session: Int64, derives: Bool = true
  ) throws(StoreError) -> SessionReleases {
    let decisions = try decisions(in: session)
    var releases = SessionReleases(all: decisions.map { ReleaseRecord($0) })
    for index in decisions.indices where releases.all[index].wasTakenAway {
      releases.all[index].wasTakenAway = try touchEnds(in: session).rest().contains {
        $0.phase == .cancelled
          && ContactLifts.span ~= decisions[index].time.nanoseconds(since: $0.time)
      }
    }
    guard derives else { return releases }
    let stretches = try stretches(in: session)
    for stretch in stretches where stretch.endCount > 0 {
      let decided = decisions.last { $0.time == stretch.release }
      guard let decided, decided.outcome != stretch.outcome else { continue }
      releases.warnings.append(
        "transition \(stretch.number): \(decided.outcome.rawValue) was decided at \(decided.time.seconds) s, and an "
          + "event says \(stretch.outcome.rawValue) at \(stretch.asked.seconds) s, and the decision holds"
      )
    }
    let open = stretches.filter { $0.release == nil && $0.endCount == 1 }
    guard !open.isEmpty else { return releases }
    var contacts = ContactLifts(try touchEnds(in: session).rest())
    let progress = try keys(in: session).first { $0.role == .progress }
    for stretch in open {
      let asked = stretch.asked
      contacts.admit(landedBy: asked.advanced(byNanoseconds: -ContactLifts.span.lowerBound))
      let lift = contacts.last(since: stretch.start)
      let wait = lift.map { asked.nanoseconds(since: $0.time) }
      if stretch.outcome == .finish, let lift, lift.isCancelled,
        wait ?? 0 >= ContactLifts.span.lowerBound
      {
        releases.warnings.append(
          "transition \(stretch.number): its last contact was cancelled at \(lift.time.seconds) s, and finish "
            + "was asked for at \(asked.seconds) s, so no release is derived")
        continue
      }
      var release = ReleaseRecord(
        transition: stretch.number, time: asked, outcome: stretch.outcome,
        wasTakenAway: lift?.isCancelled ?? false)
      release.derived = .event
      if let lift, let wait, ContactLifts.span ~= wait {
        (release.time, release.derived) = (lift.time, .lift)
      }
      if let progress {
        let found = try values(of: progress.handle, in: session, stretch, release)
        release.progress = found.last?.value
        if lift == nil, !contacts.isAnyDown, let driven = found.driven {
          (release.time, release.derived, release.progress) = (driven.time, .phase, driven.value)
        }
      }
      releases.all.append(release)
    }
    releases.all = releases.all.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    return releases
  }

  /// The transitions in the order of time, with the events that asked for their end.
  private func stretches(in session: Int64) throws(StoreError) -> [Stretch] {
    let first = Instant(nanoseconds: .min)
    let transitions = try transitions(in: session).sorted {
      ($0.start ?? first, $0.sequence) < ($1.start ?? first, $1.sequence)
    }
    let ends = try rows(of: EventTable.self, EventTable.ends, [session], EventTable.read).rest()
    var next = 0
    return transitions.indices.map { index in
      let (transition, start) = (transitions[index], transitions[index].start ?? first)
      var stretch = Stretch(number: transition.number, start: start, release: transition.release)
      let behind = index + 1 < transitions.count ? transitions[index + 1] : nil
      while next < ends.count,
        behind.map({ (ends[next].time, ends[next].sequence) < ($0.start ?? first, $0.sequence) })
          ?? true
      {
        (stretch.asked, stretch.outcome) = (
          ends[next].time, ends[next].kind == .finish ? .finish : .cancel
        )
        stretch.endCount += 1
        next += 1
      }
      if let time = behind?.start { stretch.last = time.advanced(byNanoseconds: -1) }
      return stretch
    }
  }

  /// The last value of the progress at or before a release, of driving ones the last up to the event, and the last
  /// driving one before the first settling one, nil where that is later than the event or nothing settles.
  private func values(
    of key: KeyHandle, in session: Int64, _ stretch: Stretch, _ release: ReleaseRecord
  ) throws(StoreError) -> (last: Sample?, driven: Sample?) {
    var (last, driving, driven): (Sample?, Sample?, Sample?)
    guard stretch.start <= stretch.last else { return (nil, nil) }
    let values = try samples(of: key, in: session, from: stretch.start...stretch.last)
    while let value = try values.next() {
      if value.phase == .settling, driven == nil { driven = driving }
      guard value.sample.time <= stretch.asked else {
        if value.phase == .idle { continue }
        break
      }
      if value.phase == .driving { driving = value.sample }
      if value.phase == .driving || value.sample.time <= release.time { last = value.sample }
    }
    return (last, driven)
  }
}

/// A transition, and the event that asked for its end.
private struct Stretch {
  var number: Int
  /// Its start. The beginning of all time for what comes before the first one.
  var start: Instant
  /// When it was decided. `nil` where no decision was recorded.
  var release: Instant?
  /// The last instant that belongs to it.
  var last = Instant(nanoseconds: .max)
  /// How often its end was asked for, when the last time, and which.
  var endCount = 0
  var asked = Instant.zero
  var outcome = ReleaseOutcome.finish
}

/// The contacts of a session, asked about in the order of time.
private struct ContactLifts {
  /// How much later than the lift an app may ask for the end, in nanoseconds, or a little earlier: handlers run some
  /// milliseconds after what the lift is stamped with.
  static let span: ClosedRange<Int64> = -1_000_000...100_000_000

  private var contacts: [(landing: Instant, lift: Instant?, isCancelled: Bool)] = []
  private var admitted = 0
  private var newest: (time: Instant, isCancelled: Bool)?
  /// Whether one of those admitted never lifts.
  private(set) var isAnyDown = false

  init(_ touches: [TouchSample]) {
    var down: [Int: Int] = [:]
    for touch in touches {
      if touch.phase == .began {
        down[touch.contact] = contacts.count
        contacts.append((touch.time, nil, false))
      } else {
        let index = down.removeValue(forKey: touch.contact) ?? contacts.count
        // Of a contact that landed before the recording only the lift is known.
        if index == contacts.count { contacts.append((Instant(nanoseconds: .min), nil, false)) }
        (contacts[index].lift, contacts[index].isCancelled) = (
          touch.time, touch.phase == .cancelled
        )
      }
    }
    contacts.sort { $0.landing < $1.landing }
  }

  mutating func admit(landedBy time: Instant) {
    while admitted < contacts.count, contacts[admitted].landing <= time {
      let contact = contacts[admitted]
      admitted += 1
      guard let lift = contact.lift else {
        isAnyDown = true
        continue
      }
      if lift >= newest?.time ?? lift { newest = (lift, contact.isCancelled) }
    }
  }

  /// The last lift of those admitted, if one was down at an instant or later.
  func last(since start: Instant) -> (time: Instant, isCancelled: Bool)? {
    newest.flatMap { $0.time >= start ? $0 : nil }
  }
}

/// A release as a reader sees it: decided and recorded, or derived where no decision was recorded.
package struct ReleaseRecord: Hashable, Sendable {
  /// What the instant of a derived release is.
  package enum Derivation: String, Hashable, Sendable {
    /// The lift of the last contact.
    case lift
    /// The event that asked for finish or cancel.
    case event
    /// The last driving value of the progress.
    case phase
  }

  /// Number of the transition in its session. Of a derived one that no event numbers, its place among
  /// the session's transitions, counted from 0.
  package var transition: Int
  package var time: Instant
  /// What was done.
  package var outcome: ReleaseOutcome
  /// Who decided: as recorded, "app" where it is derived.
  package var decidedBy: DecisionSource
  /// The progress at the release, no unit. `nil` where none was recorded.
  package var progress: Double?
  /// By what the release was derived. `nil`: it was recorded.
  package var derived: Derivation?
  /// Whether the system took the last contact away, so that it was not lifted.
  package var wasTakenAway: Bool
  /// The decision as it was recorded. `nil` where the release is derived.
  package var recorded: ReleaseDecision?

  package init(_ decision: ReleaseDecision) {
    (transition, time, outcome) = (decision.transition, decision.time, decision.outcome)
    (decidedBy, progress, recorded) = (decision.decidedBy, decision.progress, decision)
    wasTakenAway = decision.decidedBy == .touch
  }

  package init(transition: Int, time: Instant, outcome: ReleaseOutcome, wasTakenAway: Bool) {
    (self.transition, self.time, self.outcome) = (transition, time, outcome)
    (decidedBy, self.wasTakenAway) = (.app, wasTakenAway)
  }

  /// Whether somebody decided: it was neither the time nor the system.
  package var isJudged: Bool { !wasTakenAway && decidedBy.isJudgement }

  /// Who decided, or by what it was derived: "decided by rule", "derived from the lift".
  package var origin: String {
    derived.map { "derived from the \($0.rawValue)" } ?? "decided by \(decidedBy.words)"
  }
}

package struct SessionReleases: Hashable, Sendable {
  /// All of them: as recorded, and in the order of time where one is derived.
  package internal(set) var all: [ReleaseRecord]
  /// Why a transition that was finished has no release, a sentence each.
  package internal(set) var warnings: [String] = []
}
