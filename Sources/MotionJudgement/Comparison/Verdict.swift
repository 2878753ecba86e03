import MotionMeasures
import TimelineModel

/// A finding held against its limit.
public struct Verdict: Hashable, Sendable {
  /// What was found.
  public enum Grade: String, CaseIterable, Comparable, Sendable {
    /// Within its limits.
    case pass
    /// Above the limit for a warning, a failure that only warns, or a requirement that is too short to tell.
    case warn
    /// Above the limit.
    case fail

    /// From good to bad.
    public static func < (left: Grade, right: Grade) -> Bool {
      left.severity < right.severity
    }

    private var severity: Int {
      switch self {
      case .pass: 0
      case .warn: 1
      case .fail: 2
      }
    }
  }

  /// What sort of difference it is: what matters most comes first.
  public enum Kind: String, CaseIterable, Comparable, Sendable {
    /// What was decided at a release.
    case decision
    /// What the sessions were set up with and consist of, and what only one of them has.
    case structure
    /// What motion has to be, whatever a golden session was.
    case requirement
    /// How keys moved, and how evenly.
    case motion
    /// Where elements stood.
    case elements

    /// From what matters most to what matters least.
    public static func < (left: Kind, right: Kind) -> Bool { left.order < right.order }

    private var order: Int {
      switch self {
      case .decision: 0
      case .structure: 1
      case .requirement: 2
      case .motion: 3
      case .elements: 4
      }
    }
  }

  /// What was measured.
  package var finding: Finding
  /// The limit that decided. `nil`: something must be there and is not.
  public var limit: Double?
  /// The distance of a requirement's number from its limit. Below 0 it fails, unless it is undecided.
  package var margin: Double?
  /// Where the limit comes from.
  package var source = Source.usual
  /// What was found.
  public var grade: Grade
  /// Whether the interval holds the limit, so that the number is neither within it nor a failure.
  package var isUndecided = false
  /// Whether nothing was judged: the subject is not there, and need not be.
  package var isSkipped = false
  /// What differs in words: "the decision changed from finish to cancel", "progress settles in 804 instead of 346 ms".
  public var difference: String?
  /// How a number of the second session is off that of the first, up to the name of the first: "settles 94.7 ms later than".
  /// `nil`: the measure is not such a difference.
  package var offset: String?
  /// Whether the first session is a golden one.
  package var isOfGolden = false

  /// Where a limit comes from.
  package enum Source: Hashable, Sendable {
    /// What counts without a file.
    case usual
    /// A limit of a tolerance file.
    case tolerance(Tolerances.RuleReference)
    /// A requirement.
    case requirement(Requirement)
  }

  /// A requirement by its place in a file.
  package struct Requirement: Hashable, Sendable {
    /// The number in its file, counted from 0.
    package var index: Int
    package var kind: MotionExpectation.Kind
    /// What people call it. `nil`: nothing.
    package var id: String?

    package init(index: Int, kind: MotionExpectation.Kind, id: String?) {
      (self.index, self.kind, self.id) = (index, kind, id)
    }

    package init(_ rule: MotionExpectation, at index: Int) {
      (self.index, kind, id) = (index, rule.demand.kind, rule.id)
    }
  }

  /// The key, the element's value, or empty for the sessions.
  public var subject: String { finding.subject }
  /// The name of the number.
  package var measure: String { finding.measure }
  /// The number. `nil`: it cannot be told, which fails.
  public var value: Double? { finding.value }
  /// The limit of the tolerance file. `nil`: what counts without a file, and of a requirement.
  public var rule: Tolerances.RuleReference? {
    if case .tolerance(let rule) = source { rule } else { nil }
  }
  /// The requirement. `nil`: it is about tolerances.
  package var requirement: Requirement? {
    if case .requirement(let requirement) = source { requirement } else { nil }
  }
  /// Whether it is no failure.
  package var passes: Bool { grade != .fail }

  package init(
    subject: String, measure: String, value: Double? = nil, limit: Double? = nil,
    rule: Tolerances.RuleReference? = nil, grade: Grade, difference: String? = nil
  ) {
    finding = Finding(subject: subject, measure: measure, value: value)
    (self.limit, self.grade, self.difference) = (limit, grade, difference)
    if let rule { source = .tolerance(rule) }
  }

  /// A verdict as it was found elsewhere.
  package init(
    _ finding: Finding, limit: Double?, margin: Double?, source: Source, grade: Grade,
    isUndecided: Bool, isSkipped: Bool
  ) {
    (self.finding, self.limit, self.margin) = (finding, limit, margin)
    (self.source, self.grade) = (source, grade)
    (self.isUndecided, self.isSkipped) = (isUndecided, isSkipped)
  }

  /// Whether it says more than that something is within its limits.
  var isWorthKnowing: Bool {
    grade != .pass || requirement != nil && (isSkipped || finding.note != nil)
  }

  /// Whether it says no more than that something is not there: a session, key or element, or a requirement's subject.
  package var isAbsence: Bool {
    value == nil && limit == nil && grade != .pass && measure != "never shown together"
      && measure != Measure.structure.rawValue && !isUndecided
  }

  /// What sort of difference it is.
  public var kind: Kind {
    if requirement != nil { return .requirement }
    return switch measure {
    case Measure.decision.rawValue, Measure.margin.rawValue: .decision
    case Measure.structure.rawValue: .structure
    case "never shown together": .elements
    case _ where value == nil && limit == nil: .structure
    case _ where subject.hasPrefix("item."): .elements
    default: .motion
    }
  }
}

// MARK: - Judging

extension Verdict {
  /// What is rounded must not be taken for more than a limit. A share of it, no unit.
  private static let slack = 1e-9

  /// Holds a finding against a requirement's limit: it fails or passes only if the whole interval does, and an exact
  /// number is an interval of width 0. A number that is not known fails.
  ///
  /// - Parameter limit: The numbers that pass, their tolerance included.
  package init(_ finding: Finding, _ limit: Limit) {
    self.init(
      finding, limit: nil, margin: nil, source: .usual, grade: .fail, isUndecided: false,
      isSkipped: false)
    guard let number = finding.estimate, number.value.isFinite else {
      self.limit = limit.range.upperBound.isFinite ? limit.range.upperBound : limit.range.lowerBound
      self.finding.value = nil
      self.finding.note = "it is too large to tell"
      return
    }
    let (nearest, margin) = (limit.nearest(to: number.value), limit.margin(of: number.value))
    (self.limit, self.margin) = (nearest, margin)
    isUndecided = finding.interval != nil && limit.side(of: number) == .undecided
    if isUndecided {
      grade = .warn
    } else if margin >= -Verdict.slack * max(1, abs(nearest)) {
      grade = .pass
    }
  }

  /// A number that may be at most so large.
  ///
  /// - Parameters:
  ///   - tolerance: By how much more it may be, in its unit.
  ///   - bounds: What it may be by the errors of pictures. `nil`, or without a width: it is exact.
  init(
    _ subject: String, _ measure: String, _ number: Double, atMost limit: Double,
    tolerance: Double = 0, bounds: ClosedRange<Double>? = nil, at instant: Instant? = nil,
    note: String? = nil
  ) {
    self.init(
      Finding(subject: subject, measure: measure, value: number, instant: instant, note: note)
        .seen(within: bounds), .atMost(limit + tolerance))
  }

  /// A number that has to be at least so large.
  init(
    _ subject: String, _ measure: String, _ number: Double, atLeast limit: Double,
    tolerance: Double = 0, bounds: ClosedRange<Double>? = nil, at instant: Instant? = nil,
    note: String? = nil
  ) {
    self.init(
      Finding(subject: subject, measure: measure, value: number, instant: instant, note: note)
        .seen(within: bounds), .atLeast(limit - tolerance))
  }

  /// A number with an interval, which has to be within limits. They decide nothing if one of them is inside of it.
  init(
    _ subject: String, _ measure: String, _ estimate: Estimated,
    within limits: ClosedRange<Double>, at instant: Instant? = nil, note: String? = nil
  ) {
    guard estimate.value.isFinite, estimate.low <= estimate.high else {
      self.init(
        subject, measure, undecided: TooShortToTell.outOfRange.rawValue, limit: nil, at: instant)
      return
    }
    self.init(
      Finding(
        subject: subject, measure: measure, value: estimate.value,
        interval: estimate.low...estimate.high, instant: instant, note: note), .within(limits))
  }

  /// What is not known, and why. That fails.
  init(_ subject: String, _ measure: String, unknown note: String, limit: Double? = nil) {
    self.init(
      Finding(subject: subject, measure: measure, note: note), limit: limit, margin: nil,
      source: .usual, grade: .fail, isUndecided: false, isSkipped: false)
  }

  /// What cannot be told of so short a recording, and why.
  init(
    _ subject: String, _ measure: String, undecided note: String, limit: Double?,
    at instant: Instant? = nil
  ) {
    self.init(
      Finding(subject: subject, measure: measure, instant: instant, note: note), limit: limit,
      margin: nil, source: .usual, grade: .warn, isUndecided: true, isSkipped: false)
  }

  /// What pictures do not say.
  init(_ subject: String, _ measure: String, unseen note: String, limit: Double?) {
    self.init(subject, measure, undecided: note, limit: limit)
    finding.isOfPictures = true
  }

  /// What need not be there.
  init(skipping subject: String, _ measure: String, because note: String) {
    self.init(
      Finding(subject: subject, measure: measure, note: note), limit: nil, margin: nil,
      source: .usual, grade: .pass, isUndecided: false, isSkipped: true)
  }

  /// The verdict if what is undecided fails.
  package var strict: Verdict {
    var verdict = self
    if isUndecided { verdict.grade = .fail }
    return verdict
  }

  /// The verdict as one of a requirement.
  func of(_ requirement: Requirement) -> Verdict {
    var verdict = self
    verdict.source = .requirement(requirement)
    return verdict
  }
}

extension [Verdict] {
  /// Of each subject's numbers, found in several stretches, the one that fails, is undecided or passes, in this order, and
  /// of these the one that is nearest to its limit or furthest beyond it. In the order in which they came.
  var worstOfEach: [Verdict] {
    var indices: [[String]: Int] = [:]
    var worst: [Verdict] = []
    for verdict in self {
      let name = [verdict.subject, verdict.measure]
      guard let index = indices[name] else {
        indices[name] = worst.count
        worst.append(verdict)
        continue
      }
      if verdict.severity < worst[index].severity { worst[index] = verdict }
    }
    return worst
  }

  /// The failures first, those by which most is missing at their head. What passes stays in its order behind them.
  package var byMargin: [Verdict] {
    enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(
      \.element)
  }
}

extension Verdict {
  /// By what the worst is chosen: the less, the worse.
  fileprivate var severity: (Int, Double) {
    (passes ? isUndecided ? 1 : 2 : 0, margin ?? -.infinity)
  }

  /// By what verdicts of requirements are ordered: what has no number first, then by how many limits are missing. 0 of
  /// others.
  package var rank: Double {
    guard requirement != nil else { return 0 }
    guard !passes else { return isUndecided ? 0.5 : 1 }
    guard let margin, let limit else { return -.infinity }
    let rank = margin / Swift.max(abs(limit), 1e-9)
    return rank.isNaN ? -.infinity : rank
  }
}

extension Verdict {
  /// Holds a number against two limits, whatever its sign. A number that is missing fails, and so does a decision that
  /// differs, whatever only warns.
  init(
    _ subject: String, _ measure: String, _ value: Double?, within bound: Tolerances.Bound,
    rule: Tolerances.RuleReference?, level: Tolerances.Level
  ) {
    var grade = Grade.pass
    var limit = bound.fail ?? bound.warn
    if let size = value.map(abs) {
      if let fail = bound.fail, size > fail {
        grade = .fail
      } else if let warn = bound.warn, size > warn {
        (grade, limit) = (.warn, warn)
      }
    } else {
      grade = bound.fail == nil ? .warn : .fail
    }
    if level == .warn { grade = min(grade, .warn) }
    if grade == .warn, measure == Measure.decision.rawValue { grade = .fail }
    self.init(
      subject: subject, measure: measure, value: value, limit: limit, rule: rule,
      grade: grade)
  }
}

extension Verdict {
  /// Whether it comes before another: failures first, of them what moved otherwise before what is missing, then what
  /// matters most, and of requirements that by which most is missing.
  static func isMoreImportant(_ one: Verdict, than other: Verdict) -> Bool {
    let (mine, others) = (one.isAbsence ? 1 : 0, other.isAbsence ? 1 : 0)
    return (other.grade, mine, one.kind, one.rank)
      < (one.grade, others, other.kind, other.rank)
  }
}

extension [Verdict] {
  /// The failures first, then the warnings, and of each what matters most. What is equal stays in its order.
  package var byImportance: [Verdict] { sorted(by: Verdict.isMoreImportant) }
}

extension Verdict {
  /// How often its value has its limit. Infinite where the limit is 0 or the value is not known.
  package var ratio: Double {
    // The same for a number that may be at most so large, and the right way round for one that has to be at least so.
    if requirement != nil { return limit == 0 ? .infinity : 1 - rank }
    guard let value, let limit, limit > 0 else { return .infinity }
    return abs(value) / limit
  }
}

extension [Verdict] {
  /// The first by importance. `nil` where nothing is beyond its limit.
  package var worst: Verdict? { byImportance.first { $0.grade != .pass } }
}
