package import TimelineModel

/// One number held against its limits.
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
    /// What the runs were set up with and consist of, and what only one of them has.
    case structure
    /// What motion has to be, whatever a golden run was.
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

  /// What it is about: a key, an element's value (`item.ID.frame.center`), or empty for the runs.
  public var subject: String
  /// Which number (`max_abs`, `lag_ms`, `decision`).
  package var measure: String
  /// The number; nil where it cannot be told, which fails.
  public var value: Double?
  /// The limit that decided; nil where something must be there and is not.
  public var limit: Double?
  /// The rule of the tolerance file; nil: what counts without a file, and of a requirement.
  public var rule: Tolerances.RuleReference?
  /// What was found.
  public var grade: Grade
  /// What differs in words: "the decision changed from finish to cancel", "progress settles in 804 instead of 346 ms".
  public var difference: String?
  /// How a number of the second run is off that of the first, up to the name of the first: "settles 94.7 ms later than";
  /// nil: the measure is not such a difference.
  package var offset: String?
  /// Whether the first run is a golden one.
  package var isOfGolden = false
  /// The requirement whose number it is; nil: it is about tolerances.
  package var requirement: ExpectationVerdict? { requirements.first }
  // None or one. An array needs one word of a verdict, and most verdicts have no requirement.
  private var requirements: [ExpectationVerdict] = []

  /// A number of a requirement.
  package init(_ requirement: ExpectationVerdict) {
    self.init(
      subject: requirement.subject, measure: requirement.measure, value: requirement.number,
      limit: requirement.limit,
      grade: !requirement.passes ? .fail : requirement.isUndecided ? .warn : .pass)
    requirements = [requirement]
  }

  package init(
    subject: String, measure: String, value: Double? = nil, limit: Double? = nil,
    rule: Tolerances.RuleReference? = nil, grade: Grade, difference: String? = nil
  ) {
    (self.subject, self.measure, self.value) = (subject, measure, value)
    (self.limit, self.rule, self.grade) = (limit, rule, grade)
    self.difference = difference
  }

  /// Whether it says more than that something is within its limits.
  var isWorthKnowing: Bool {
    grade != .pass || requirements.contains { $0.isSkipped || $0.isUndecided || $0.note != nil }
  }

  /// Whether it says no more than that something is not there: a session, key or element, or a requirement's subject.
  package var isAbsence: Bool {
    value == nil && limit == nil && grade != .pass && measure != "never shown together"
      && measure != Measure.structure.rawValue && requirement?.isUndecided != true
  }

  /// What sort of difference it is.
  public var kind: Kind {
    if !requirements.isEmpty { return .requirement }
    return switch measure {
    case Measure.decision.rawValue, Measure.margin.rawValue: .decision
    case Measure.structure.rawValue: .structure
    case "never shown together": .elements
    case _ where value == nil && limit == nil: .structure
    case _ where subject.hasPrefix("item."): .elements
    default: .motion
    }
  }

  /// The verdict in a sentence without an end, what moved differently first and the figures behind it: "progress
  /// settles in 804 instead of 346 ms: max_abs 0.03 is above 0.02 (rule 1 'progress')".
  public var sentence: String {
    if let requirement { return requirement.sentence }
    let place = rule.map { " (\($0))" } ?? ""
    guard let difference, grade != .pass else { return figures(of: subject) + place }
    // What comes late is told once.
    let isTold = measure == Measure.lag.rawValue && difference.contains(" comes ")
    if isTold, let limit {
      return "\(difference) (limit \(NumberText.short(limit, digits: 6)))\(place)"
    }
    return kind < .motion ? difference + place : "\(difference): \(figures(of: ""))\(place)"
  }

  private func figures(of subject: String) -> String {
    let name = subject.isEmpty ? measure : "\(subject): \(measure)"
    guard let value else {
      // Something that should be in both runs is not; the measure says it.
      return limit == nil ? "\(subject) is \(measure)" : "\(name) is not known"
    }
    guard let limit else { return "\(name) is \(NumberText.short(value, digits: 6))" }
    if grade != .pass, let offset {
      return (subject.isEmpty ? "" : "\(subject) ")
        + "\(offset) \(isOfGolden ? "golden" : "A") (limit \(NumberText.short(limit, digits: 6)))"
    }
    let relation = grade == .pass ? "is within" : value < 0 ? "is beyond" : "is above"
    return
      "\(name) \(NumberText.short(value, digits: 6)) \(relation) \(NumberText.short(limit, digits: 6))"
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

extension Verdict: ResultRow {
  package static var fields: [ResultField<Verdict>] {
    [
      finding,
      ResultField("kind", "The kind, such as decision or motion.", inTable: false, \.kind),
      ResultField("subject", "The key, the element's value, or runs.") {
        $0.subject.isEmpty ? "runs" : $0.subject
      },
    ] + numbers + ofRequirement + reference + [
      ResultField(
        "skipped", "Whether an optional requirement has nothing to judge.", inTable: false
      ) {
        $0.requirement?.isSkipped ?? false
      }, says,
    ]
  }

  /// The fields as `kymo compare` has them in its objects: the finding behind the numbers, an empty subject as it is.
  package static var ofComparison: [ResultField<Verdict>] {
    [ResultField("subject", "The key or the element's value.", \.subject)] + numbers + [finding]
      + reference + [says]
  }

  private static var finding: ResultField<Verdict> {
    ResultField("finding", "The finding: pass, warn or fail.", \.grade)
  }

  private static var numbers: [ResultField<Verdict>] {
    [
      ResultField("measure", "The name of the judged number.", \.measure),
      ResultField("value", "The judged number.", \.value),
      ResultField("limit", "The number's limit.", \.limit),
    ]
  }

  private static var reference: [ResultField<Verdict>] {
    [
      ResultField("rule", "The rule's number in its file, counted from 1.") { verdict in
        (verdict.requirement?.rule ?? verdict.rule?.index).map { $0 + 1 }
      },
      ResultField("rule_name", "The rule's subject, or the requirement's kind.") {
        $0.requirement?.kind ?? $0.rule?.name
      },
      ResultField("rule_id", "The rule's id.", inTable: false) {
        $0.requirement?.id ?? $0.rule?.id
      },
    ]
  }

  private static var says: ResultField<Verdict> {
    ResultField("says", "The verdict in a sentence.", inTable: false, \.sentence)
  }

  /// What only requirements have.
  package static var ofRequirement: [ResultField<Verdict>] {
    [
      ResultField(
        "margin", "The distance from the limit. Below 0 it fails, unless undecided."
      ) {
        $0.requirement?.margin
      },
      ResultField("instant_s", "The worst value's instant.") { $0.requirement?.instant?.seconds },
      ResultField("low", "Lower end of the number's 90 % interval.", inTable: false) {
        $0.requirement?.interval?.lowerBound
      },
      ResultField("high", "Upper end of the number's 90 % interval.", inTable: false) {
        $0.requirement?.interval?.upperBound
      },
      ResultField(
        "undecided", "Whether the number is too uncertain for a verdict.",
        inTable: false
      ) { $0.requirement?.isUndecided ?? false },
    ]
  }
}

extension Verdict {
  /// Whether it comes before another: failures first, of them what moved otherwise before what is missing, then what
  /// matters most, and of requirements that by which most is missing.
  static func isMoreImportant(_ one: Verdict, than other: Verdict) -> Bool {
    let (mine, others) = (one.isAbsence ? 1 : 0, other.isAbsence ? 1 : 0)
    return (other.grade, mine, one.kind, one.requirement?.rank ?? 0)
      < (one.grade, others, other.kind, other.requirement?.rank ?? 0)
  }
}

extension [Verdict] {
  /// The failures first, then the warnings, and of each what matters most; what is equal stays in its order.
  package var byImportance: [Verdict] { sorted(by: Verdict.isMoreImportant) }
}
