package import MotionMeasures
public import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore

/// Two recorded sessions held against each other: every key's error, delay and shape, how each moved and was
/// released, how evenly they were updated, where every element stood, and what they were set up with.
public struct RunComparison: Hashable, Sendable {
  /// When two sessions count as the same.
  public struct Tolerance: Hashable, Sendable {
    /// The largest residual after the lag, as a share of the key's range in A. 0.005 is half a percent.
    public var residualShare = 0.005
    /// The largest lag, in seconds. `nil`: one frame of A.
    public var lagSeconds: Double?
    /// The smallest part of the longer curve's time that both must have for a key to be the same. Half
    /// of it, ours: a session that was cut off early is not like the whole one.
    public var overlapShare = 0.5
    /// When elements stand in the same places.
    package var layout = LayoutComparison.Tolerance()

    /// The tolerance that `kymo compare` uses unless told otherwise.
    public init() {}
  }

  /// Whose velocities at the releases are told. Each estimator is asked about each key of each release, `auto` for
  /// milliseconds.
  public enum Velocities: Hashable, Sendable {
    /// Nobody's, but for keys that a rule about `release_velocity_per_s` judges: the session's own estimator's.
    /// Nothing is decided again.
    case judged
    /// The session's own estimator's.
    case own
    /// The session's own estimator's, and then another one's.
    case also(Estimator)
    /// Every estimator's, the session's own first.
    case all
  }

  /// Which figures of a key are computed that no rule judges.
  public enum KeyFigures: Sendable {
    /// None.
    case judged
    /// The time scale and the fit of a key whose shape differs, as hints name them.
    case hints
    /// All: those of each key, the increments, and the warp.
    case all
  }

  /// What is compared, and by what.
  public struct Options: Hashable, Sendable {
    /// How the clocks are laid on each other.
    public var alignment = Alignment.start
    /// What counts as the same where ``tolerances`` say nothing.
    public var tolerance = Tolerance()
    /// Rules of a tolerance file. Their alignment and lag limit are the caller's to take over.
    public var tolerances: Tolerances?
    /// How far a lag is searched for each way, and how far time may be stretched, in seconds.
    public var lagLimitSeconds = defaultLagLimitSeconds
    /// Only keys of these names, and the layout of no element. `nil`: everything. A name may also be that of an element's
    /// number or of a finger, such as `item.card.center.y` and `finger.y`.
    public var keyNames: Set<String>?
    /// Whether elements are compared.
    public var comparesLayout = true
    /// Whether releases are derived where no decision was recorded.
    public var derivesReleases = true
    /// How many expected intervals are jank when exceeded.
    public var jankMultiple = FrameMetrics.usualJankMultiple
    /// Whose velocities at the releases are told.
    public var velocities = Velocities.own
    /// Which figures of the keys are computed that no rule judges.
    public var keyFigures = KeyFigures.all
    /// If a session has at least this many sealed samples, its keys are read and compared one after the other.
    package var apartCount = SessionData.mostHeldValues
    /// What is read of each session. Keys are never read alone if all are laid on each other at once.
    var parts: SessionParts {
      var parts = SessionParts.allKeys(
        derivesReleases: derivesReleases, apartFrom: alignment == .xcorr ? .max : apartCount)
      if keyNames?.contains(where: MotionSubject.isComputed) ?? false {
        // The frames that a finger drives an element in are known by its contact.
        (parts.contacts, parts.includesReadFrames) = (.all, true)
      }
      return parts
    }

    /// Time scale and fit are those of a key whose residual is more than this share of the range.
    var leastExplainedShare: Double {
      switch keyFigures {
      case .judged: .infinity
      case .hints: tolerance.residualShare
      case .all: -1
      }
    }

    /// What `kymo compare` does unless told otherwise.
    public init() {}
  }

  /// One key in both sessions.
  package struct Key: Hashable, Sendable {
    /// The key's name.
    package var name: String
    /// What sort of key it is.
    package var role = KeyRole.custom
    /// The key's unit.
    package var unit: String
    /// Whether it is what the frames say of the viewport, and no key that was recorded.
    package var isOfViewport = false
    /// What was found. `nil` where only one session has the key.
    package var comparison: CurveComparison?
    /// Whether only A or only B has it. `nil` where both do.
    package var onlyIn: String?
    /// By how much the two may differ at an instant by what their intervals allow, in the key's unit. 0: they are exact.
    var noise = 0.0
    /// Samples a second in A. `nil` where it cannot be told.
    package var rateOfA: Double?
    /// Samples a second in B.
    package var rateOfB: Double?
    /// How it moved, once for each release, or once.
    package var motions: [Motion] = []
    /// How fast it was at each release, by each estimator that was asked (``Options/velocities``).
    package var velocities: [ReleaseVelocity] = []
    /// What it was held against.
    package var verdicts: [Verdict] = []
    /// Whether it is within the tolerance.
    package var isSame: Bool
  }

  /// How a key moved in each session.
  package struct Motion: Hashable, Sendable {
    /// The number of the release, counted from 0.
    package var transition: Int
    /// In A. `nil` where it has no sample there.
    package var a: MotionMetrics?
    /// In B.
    package var b: MotionMetrics?
  }

  /// How fast a key was at a release.
  package struct ReleaseVelocity: Hashable, Sendable {
    /// The number of the release, counted from 0.
    package var transition: Int
    /// Who tells it.
    package var estimator: String
    /// In A, units per second. `nil` where none can be told.
    package var a: Double?
    /// In B.
    package var b: Double?
  }

  /// A session's release, for the comparison of decisions.
  package struct Outcome: Hashable, Sendable {
    /// The release as it was recorded or derived. `nil` where nothing was released.
    package var decision: ReleaseRecord?
    /// Seconds until the recorded spring of the progress is over, or else until its last settling sample. `nil` where
    /// neither is known.
    package var settleTimeSeconds: Double?
    /// What the session's own rule and estimator say when they are asked again. `nil` where nobody is to be
    /// asked.
    package var recomputed: ReleaseRule.Decision?
    /// How far the progress was from the other outcome, recorded or as the rule says. `nil` if nobody knows or asks.
    package var margin: Double?
  }

  /// How even each session's updates were.
  package struct Smoothness: Hashable, Sendable {
    /// A's.
    package var a: FrameMetrics
    /// B's.
    package var b: FrameMetrics
  }

  /// How the clocks were laid on each other.
  public var alignment: Alignment
  /// The instant of A that is 0 on the common clock.
  package var anchorOfA: Instant
  /// The instant of B that is laid on ``anchorOfA``, as far as one is.
  package var anchorOfB: Instant
  /// Where B's clock lies on A's.
  package var timeMap: TimeMap
  /// The keys, those that differ most first.
  package var keys = ComparedKeys()
  /// The releases of A, in order.
  package var outcomesOfA: [Outcome] = []
  /// The releases of B, in order.
  package var outcomesOfB: [Outcome] = []
  /// How even the updates were.
  package var smoothness: Smoothness
  /// The elements. `nil` where they were not compared.
  package var layout: LayoutComparison?
  /// By how many seconds B was moved for judging the elements: the keys' common lag. 0 where there is none.
  package var layoutLagSeconds = 0.0
  /// What the sessions were set up with and how often each kind of event occurs, as far as it differs.
  package var structure: [StructureDifference] = []
  /// What was judged of the sessions as a whole and of elements.
  public var verdicts: [Verdict] = []
  /// The largest lag that counts as the same, in seconds.
  package var lagLimitSeconds: Double
  /// What counted as the same.
  public var tolerance: Tolerance
  /// Whether all decisions are equal, one by one.
  package var decisionsAreEqual = true
  /// How many answers of estimators it took.
  var estimateCount = 0
  /// Whether a rule of the tolerances says what becomes of the decisions.
  package var decisionsAreJudgedByRule = false

  /// Whether neither session has a key, a decision or an element, so that nothing was compared.
  package var isEmpty: Bool {
    keys.isEmpty && outcomesOfA.isEmpty && outcomesOfB.isEmpty && layout?.isEmpty ?? true
  }

  /// Whether everything that was judged is within the tolerance. A warning is.
  public var isSame: Bool {
    (decisionsAreEqual || decisionsAreJudgedByRule) && keys.allSatisfy(\.isSame)
      && layout?.isSame ?? true && verdicts.allSatisfy { $0.grade != .fail }
  }

  /// Everything that was judged, by what matters (`byImportance`). Of equal ones keys come first, the progress before
  /// the others and what the frames say of the viewport last.
  public var allVerdicts: [Verdict] { verdicts { _ in true } }

  /// The verdicts of which a condition holds, in the order of ``allVerdicts``. Those of many keys take much memory.
  package func verdicts(where isWanted: (Verdict) -> Bool) -> [Verdict] {
    var ofKeys: [[Verdict]] = [[], [], []]
    for key in keys { ofKeys[key.rank] += key.verdicts.filter(isWanted) }
    return (ofKeys.flatMap { $0 } + verdicts.filter(isWanted)).byImportance
  }

  /// The first of ``allVerdicts`` of which a condition holds. `nil` without one.
  func first(where isWanted: (Verdict) -> Bool) -> Verdict? {
    var first: (rank: Int, verdict: Verdict)?
    func consider(_ verdicts: [Verdict], _ rank: Int) {
      for verdict in verdicts where isWanted(verdict) {
        let isFirst = first.map {
          Verdict.isMoreImportant(verdict, than: $0.verdict)
            || rank < $0.rank && !Verdict.isMoreImportant($0.verdict, than: verdict)
        }
        if isFirst ?? true { first = (rank, verdict) }
      }
    }
    for key in keys { consider(key.verdicts, key.rank) }
    consider(verdicts, 3)
    return first?.verdict
  }

  /// How many verdicts have a grade.
  func count(of grade: Verdict.Grade) -> Int {
    keys.reduce(verdicts.count { $0.grade == grade }) { sum, key in
      sum + key.verdicts.count { $0.grade == grade }
    }
  }
}

extension RunComparison.Key {
  /// Its place among the causes: what drives the transition, what was recorded, what follows from both.
  var rank: Int { isOfViewport ? 2 : role == .progress ? 0 : 1 }

  /// How different the key is, for the order: a missing key is worst.
  var badness: Double {
    guard let comparison else { return .infinity }
    return comparison.residualShareOfRange ?? .greatestFiniteMagnitude
  }
}

extension RunComparison {
  /// Puts into words how B moved differently, in what fails first of each key: the progress first, what the frames say
  /// of the viewport last, and once what several did alike. Where something was decided otherwise, that is the reason.
  mutating func nameMovements() {
    guard decisionsAreEqual else { return }
    var places: [[Int]] = [[], [], []]
    var counts: [String: Int] = [:]
    for (place, key) in zip(keys.indices, keys) where !key.isSame {
      guard let said = movement(of: key) else { continue }
      counts[said, default: 0] += 1
      places[key.rank].append(place)
    }
    for place in places.joined() {
      var key = keys[place]
      guard let said = movement(of: key), let count = counts.removeValue(forKey: said),
        let verdict = key.verdicts.firstIndex(where: { $0.grade == .fail })
      else { continue }
      key.verdicts[verdict].difference = "\(key.name) \(said)" + RunComparison.so(count - 1)
      keys[place] = key
    }
  }

  /// That others do the same, in brackets. Empty for none.
  static func so(_ others: Int) -> String {
    others == 0 ? "" : " (so \(others == 1 ? "does" : "do") \(others) more)"
  }

  /// How a key of B moved otherwise than A's, without its name. `nil` where the two have no time in common.
  private func movement(of key: Key) -> String? {
    guard let curve = key.comparison else { return nil }
    func text(_ value: Double) -> String { NumberText.short(value) }
    if isOnlyLate(key) {
      let lag = text((abs(curve.lagSeconds) * 10_000).rounded() / 10)
      let word = curve.lagSeconds > 0 ? "later" : "earlier"
      return curve.lagIsAtLimit
        ? "comes \(word) by a lag beyond \(lag) ms" : "comes \(lag) ms \(word)"
    }
    let unit = ["", "1"].contains(key.unit) ? "" : " \(key.unit)"
    func change(
      _ verb: String, _ before: Double, _ now: Double, _ unit: String, above least: Double
    ) -> String? {
      abs(now - before) > least ? "\(verb) \(text(now)) instead of \(text(before))\(unit)" : nil
    }
    for motion in key.motions {
      guard let a = motion.a, let b = motion.b else { continue }
      let (before, now) = (a.overshootPercent ?? 0, b.overshootPercent ?? 0)
      let past = " % past \(text(b.finalValue))\(unit)"
      let settles = [a, b].map { (($0.settle2Seconds ?? 0) * 1000).rounded() }
      let least = tolerance.residualShare * max(a.extent, b.extent)
      let parts = [
        change("ends at", a.finalValue, b.finalValue, unit, above: least),
        before < 0.5
          ? now < 0.5 ? nil : "swings \(text(now.rounded()))\(past)"
          : change("swings", before.rounded(), now.rounded(), past, above: 0),
        change("settles in", settles[0], settles[1], " ms", above: lagLimitSeconds * 1000),
      ].compactMap { $0 }
      guard !parts.isEmpty else { continue }
      let place = key.motions.count > 1 ? " in transition #\(motion.transition)" : ""
      return parts.joined(separator: " and ") + place
    }
    return curve.aligned.map {
      "is up to \(text($0.maximum))\(unit) off, at \(text($0.timeOfMaximum.seconds)) s"
    }
  }
}
