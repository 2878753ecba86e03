public import TimelineModel

/// A release as a reader sees it: decided and recorded, or derived where no decision was recorded.
public struct ReleaseRecord: Hashable, Sendable {
  /// What the instant of a derived release is.
  public enum Derivation: String, Hashable, Sendable {
    /// The lift of the last contact.
    case lift
    /// The event that asked for finish or cancel.
    case event
    /// The last driving value of the progress.
    case phase
  }

  /// Number of the transition in its session; of a derived one that no event numbers, its place among
  /// the session's transitions, counted from 0.
  public var transition: Int
  /// The instant of the release.
  public var time: Instant
  /// What was done.
  public var outcome: ReleaseOutcome
  /// Who decided: as recorded, "app" where it is derived.
  public var decidedBy: String
  /// The progress at the release, no unit; nil where none was recorded.
  public var progress: Double?
  /// By what the release was derived; nil: it was recorded.
  public var derived: Derivation?
  /// Whether the system took the last contact away, so that nobody lifted it.
  public var wasTakenAway: Bool
  /// The decision as it was recorded; nil where the release is derived.
  public var recorded: ReleaseDecision?

  /// What was recorded.
  public init(_ decision: ReleaseDecision) {
    (transition, time, outcome) = (decision.transition, decision.time, decision.outcome)
    (decidedBy, progress, recorded) = (decision.decidedBy, decision.progress, decision)
    wasTakenAway = decision.decidedBy == "touch"
  }

  init(transition: Int, time: Instant, outcome: ReleaseOutcome, wasTakenAway: Bool) {
    (self.transition, self.time, self.outcome) = (transition, time, outcome)
    (decidedBy, self.wasTakenAway) = ("app", wasTakenAway)
  }

  /// Who decided, or by what it was derived: "decided by rule", "derived from the lift".
  public var origin: String {
    derived.map { "derived from the \($0.rawValue)" } ?? "decided by \(decidedBy)"
  }
}

/// A session's releases.
public struct SessionReleases: Hashable, Sendable {
  /// All of them: as recorded, and in the order of time where one is derived.
  public internal(set) var all: [ReleaseRecord]
  /// Why a transition that was finished has no release, a sentence each.
  public internal(set) var warnings: [String] = []
}
