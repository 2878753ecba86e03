public import MotionMeasures
package import TimelineModel
import TimelineSession

/// By how much two sessions may differ: what a tolerance file says.
///
/// ```json
/// {"version": 1, "measures": 2, "align": {"mode": "xcorr", "limit_ms": 50},
///  "rules": [
///   {"key": "progress", "max_abs": {"warn": 0.005, "fail": 0.02}, "over_percent": 1, "hard": 0.1},
///   {"key": "item.*.frame.*", "max_abs": {"fail": 0.5}, "ignore_ms": [[0, 16]]},
///   {"metric": "lag_ms", "fail": 17}, {"metric": "decision", "must": "match"},
///   {"key": "debug.*", "level": "off"}]}
/// ```
///
/// Of the limits that match a key, an element's value or a metric, the first counts. What no limit matches is
/// judged as it would be without a file. A last limit `{"key": "*", "level": "off"}` leaves it alone.
public struct Tolerances: Hashable, Sendable {
  /// How the clocks are laid on each other. `nil`: as the command says.
  public var alignment: RunComparison.Alignment?
  /// How far a lag is searched for, in seconds. `nil`: as the command says.
  public var lagLimitSeconds: Double?
  /// The limits. The first that matches counts.
  public var rules: [Rule] { didSet { index = RuleIndex(rules) } }
  private var index: RuleIndex
  /// The meaning of the numbers that the limits were made for. 1 of files that do not say it.
  package internal(set) var measures = Tolerances.currentMeasures

  /// The meaning of numbers today. In 2, the settling time of a session with a release is that of the way left at it.
  static let currentMeasures = 2
  /// The measures whose meaning another one than ``measures`` had.
  private static let changed: [Measure] = [.settle2, .settle5]

  /// The measures that a limit is about and whose meaning has changed since the file was made, in the order of limits.
  package var outdatedMeasures: [Measure] {
    guard measures < Tolerances.currentMeasures else { return [] }
    var found: [Measure] = []
    for rule in rules where rule.level != .off {
      if case .metric(let measure, _, _, _) = rule.subject, Tolerances.changed.contains(measure),
        !found.contains(measure)
      {
        found.append(measure)
      }
    }
    return found
  }

  /// Makes tolerances.
  public init(
    alignment: RunComparison.Alignment? = nil, lagLimitSeconds: Double? = nil, rules: [Rule] = []
  ) {
    self.alignment = alignment
    self.lagLimitSeconds = lagLimitSeconds
    self.rules = rules
    index = RuleIndex(rules)
  }

  /// What a limit's finding means.
  public enum Level: String, CaseIterable, Sendable {
    /// Nothing is judged.
    case off
    /// A failure is only a warning.
    case warn
    /// A failure is a failure.
    case error
  }

  /// How one number is made of those of many sessions, for whoever judges more than one. Of one session it is that session's.
  public enum Aggregate: String, CaseIterable, Sendable {
    /// The best session.
    case optimistic
    /// The middle one.
    case median
    /// The worst session.
    case pessimistic
  }

  /// Two limits. What is at a limit is within it.
  public struct Bound: Hashable, Sendable {
    /// Above it is a warning.
    public var warn: Double?
    /// Above it is a failure.
    public var fail: Double?

    /// Makes limits.
    public init(warn: Double? = nil, fail: Double? = nil) {
      self.warn = warn
      self.fail = fail
    }
  }

  /// What is allowed of a distance over time.
  public struct Ladder: Hashable, Sendable {
    /// The largest distance, in the key's unit.
    public var maxAbs: Bound?
    /// The root mean square of the distance over time, in the key's unit.
    public var rms: Bound?
    /// For how much of the time the distance may be above the limits of `maxAbs`, in percent. `nil`: never.
    public var overPercent: Bound?
    /// What no distance may be above, whatever else is allowed, in the key's unit.
    public var hard: Double?
    /// Stretches of the common clock, in seconds, that are left out.
    public var ignored: [ClosedRange<Double>] = []

    /// Allows everything.
    public init() {}
  }

  /// What a limit is about.
  public enum Subject: Hashable, Sendable {
    /// A key, or a value of an element as `item.ID.frame.center`, `item.ID.frame.size` (points) or
    /// `item.ID.alpha`. `*` stands for any text and `?` for any letter.
    case key(String, Ladder)
    /// All three values of the elements whose id matches.
    case item(String, Ladder)
    /// One number. Of keys or elements only those whose name matches, nil: of all.
    case metric(Measure, of: String?, Bound, mustMatch: Bool)
  }

  /// One limit.
  public struct Rule: Hashable, Sendable {
    /// What it is about, and what is allowed.
    public var subject: Subject
    /// What its finding means.
    public var level: Level
    /// How many sessions are made one. `nil`: each counts.
    public var aggregate: Aggregate?
    /// What people call it, once in a file: 1 to 64 letters, digits, `.`, `_` and `-`. `nil`: nothing.
    public var id: String?

    /// Makes a limit.
    public init(
      _ subject: Subject, level: Level = .error, aggregate: Aggregate? = nil, id: String? = nil
    ) {
      self.id = id
      self.subject = subject
      self.level = level
      self.aggregate = aggregate
    }
  }
}

extension Tolerances {
  /// Which limit of a file it is.
  public struct RuleReference: Hashable, Sendable, CustomStringConvertible {
    /// Its place in ``Tolerances/rules``, counted from 0.
    public var index: Int
    /// What it is about: its key, its item, or its metric.
    public var name: String
    /// What people call it. `nil`: nothing.
    public var id: String?

    package init(index: Int, name: String, id: String?) {
      (self.index, self.name, self.id) = (index, name, id)
    }

    /// The limit as people find it: by its id, "limit 'no-lag'", or else counted from 1 as in the file, "limit 2 'lag_ms'".
    public var description: String { id.map { "limit '\($0)'" } ?? "limit \(index + 1) '\(name)'" }
  }

  /// Whether a limit is about a key of the viewport by more than a `*` for all keys.
  func names(viewport name: String) -> Bool {
    rules.contains { rule in
      switch rule.subject {
      case .key(let glob, _), .metric(_, of: .some(let glob), _, _):
        glob.hasPrefix(ViewportKeys.prefix) && matches(glob, name)
      default: false
      }
    }
  }

  /// The limit at a place, counted from 0.
  package func reference(_ index: Int) -> RuleReference {
    let name =
      switch rules[index].subject {
      case .key(let glob, _): glob
      case .item(let glob, _): "item.\(glob)"
      case .metric(let metric, let glob, _, _):
        glob.map { "\(metric.rawValue) of \($0)" } ?? metric.rawValue
      }
    return RuleReference(index: index, name: name, id: rules[index].id)
  }

  /// The limits by which nothing was judged though they are not empty: their names match nothing, or limits before them
  /// match all of it.
  public func idleRules(_ verdicts: [Verdict]) -> [RuleReference] {
    idleRules(Set(verdicts.compactMap(\.rule?.index)))
  }

  /// The limits that are not among those by which something was judged.
  func idleRules(_ used: Set<Int>) -> [RuleReference] {
    rules.indices.filter { rules[$0].level != .off && !used.contains($0) }.map(reference)
  }

  /// The limit that judges a key or an element's value. `nil`: none does.
  func ladder(
    for name: String, item: String? = nil
  ) -> (number: RuleReference, rule: Rule, ladder: Ladder)? {
    let numbers = [index.keys.first(of: name), item.flatMap { index.items.first(of: $0) }]
    guard let number = numbers.compactMap({ $0 }).min(), let ladder = rules[number].ladder else {
      return nil
    }
    return (reference(number), rules[number], ladder)
  }

  /// What the limit about a metric says of a number. `nil` where none does or the number cannot be told.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - name: The key or element that limits may name. `nil`: the sessions.
  ///   - subject: What the verdict is about.
  func verdict(
    _ metric: Measure, _ value: @autoclosure () -> Double?, of name: String? = nil,
    named subject: String
  ) -> Verdict? {
    guard let match = bound(for: metric, of: name), match.rule.level != .off, let value = value()
    else { return nil }
    return Verdict(
      subject, metric.rawValue, value, within: match.bound, rule: match.number,
      level: match.rule.level)
  }

  /// The limit that judges a metric of a key, an element or the sessions. `nil`: none does.
  func bound(
    for metric: Measure, of name: String? = nil
  ) -> (number: RuleReference, rule: Rule, bound: Bound)? {
    guard let number = index.metrics[metric]?.first(of: name),
      let found = rules[number].metric
    else { return nil }
    return (reference(number), rules[number], found.mustMatch ? Bound(fail: 0) : found.bound)
  }
}

/// The limits by their names, since a file that was learned has some for each key.
private struct RuleIndex: Hashable {
  /// Limits of one sort, by their places in the file.
  struct Sort {
    private struct Pattern {
      /// `nil` matches every name.
      let text: String?
      let number: Int
    }

    private var first: Int?
    /// The first limit of each name without `*` and `?`, by the bytes of the name.
    private var named: [[UInt8]: Int] = [:]
    private var patterns: [Pattern] = []

    mutating func add(_ pattern: String?, _ number: Int) {
      first = first ?? number
      if let pattern, !pattern.contains("*"), !pattern.contains("?") {
        named[Array(pattern.utf8)] = named[Array(pattern.utf8)] ?? number
      } else {
        patterns.append(Pattern(text: pattern, number: number))
      }
    }

    /// The first limit that matches a name. Without a name all limits match.
    func first(of name: String?) -> Int? {
      guard let name else { return first }
      let exact = named[Array(name.utf8)]
      let open = patterns.first { pattern in
        pattern.number > exact ?? .max || pattern.text.map { matches($0, name) } ?? true
      }
      return [exact, open?.number].compactMap { $0 }.min()
    }
  }

  private(set) var (keys, items) = (Sort(), Sort())
  private(set) var metrics: [Measure: Sort] = [:]

  init(_ rules: [Tolerances.Rule]) {
    for (number, rule) in rules.enumerated() {
      switch rule.subject {
      case .key(let name, _): keys.add(name, number)
      case .item(let name, _): items.add(name, number)
      case .metric(let metric, let name, _, _):
        metrics[metric, default: Sort()].add(name, number)
      }
    }
  }

  // It follows from the limits.
  static func == (_: RuleIndex, _: RuleIndex) -> Bool { true }
  func hash(into _: inout Hasher) {}
}

extension Tolerances {
  /// The file's text: one limit a line, fields in a fixed order, so that a change to one limit is a change to
  /// one line.
  public var json: String {
    let align = EventField.list([
      "mode": alignment?.rawValue, "limit_ms": lagLimitSeconds.milliseconds,
    ]).filled
    var text = "{\"version\": 1, \"measures\": \(measures),\n"
    if !align.isEmpty { text += " \"align\": \(FieldValue.object(align).json),\n" }
    text += " \"rules\": [\n"
    text += rules.map { "  " + FieldValue.object($0.row.filled).json }.joined(separator: ",\n")
    return text + "\n]}\n"
  }
}

extension Tolerances.Rule: ResultRow {
  /// What a limit of a file can have, in the order in which it is written.
  package static var fields: [ResultField<Self>] {
    [
      ResultField("id", "What people call it.", \.id),
      ResultField("metric", "The number that it is about.") { $0.metric?.measure },
      ResultField("key", "The keys that it is about.") { $0.name(as: "key") },
      ResultField("item", "The elements that it is about.") { $0.name(as: "item") },
    ] + Tolerances.Ladder.fields.of(\.ladder) + Tolerances.Bound.fields.of(\.metric?.bound) + [
      ResultField("must", "\"match\": nothing may differ.") {
        $0.metric?.mustMatch == true ? "match" : nil
      },
      ResultField("level", "What its finding means.") { $0.level == .error ? nil : $0.level },
      ResultField("aggregate", "How many sessions are judged as one.", \.aggregate),
    ]
  }

  fileprivate var metric: (measure: Measure, bound: Tolerances.Bound, mustMatch: Bool)? {
    guard case .metric(let measure, _, let bound, let mustMatch) = subject else { return nil }
    return (measure, bound, mustMatch)
  }

  fileprivate var ladder: Tolerances.Ladder? {
    switch subject {
    case .key(_, let ladder), .item(_, let ladder): ladder
    case .metric: nil
    }
  }

  private func name(as kind: String) -> String? {
    switch subject {
    case .key(let glob, _): kind == "key" ? glob : nil
    case .item(let glob, _): kind == "item" ? glob : nil
    case .metric(let measure, let glob, _, _): kind == measure.subjectName ? glob : nil
    }
  }
}

extension Tolerances.Bound: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("warn", "Above it is a warning.", \.warn),
      ResultField("fail", "Above it is a failure.", \.fail),
    ]
  }

  fileprivate var object: FieldValue { .object(row.filled) }
}

extension Tolerances.Ladder: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("max_abs", "The largest distance.") { $0.maxAbs?.object },
      ResultField("rms", "Its root mean square over time.") { $0.rms?.object },
      ResultField("over_percent", "How long max_abs may be passed.") { $0.overPercent?.object },
      ResultField("hard", "What no distance may be above.", \.hard),
      ResultField("ignore_ms", "Stretches that are left out.") {
        $0.ignored.isEmpty ? nil : $0.ignored.map { [$0.lowerBound * 1000, $0.upperBound * 1000] }
      },
    ]
  }
}

extension [EventField] {
  /// Those that have a value.
  fileprivate var filled: [EventField] { filter { $0.value != .null } }
}
