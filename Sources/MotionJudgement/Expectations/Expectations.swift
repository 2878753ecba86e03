package import JSONText
import TimelineModel
import TimelineSession

/// The requirements of a file, in its order.
///
/// ```json
/// {"requirements": 1, "rules": [
///   {"follows": "item.card.center.y", "lag_ms": 20}, {"settles_by": "blur", "by_ms": 400},
///   {"continuous": "item.*.center", "optional": true}]}
/// ```
///
/// A requirement names its kind and what it is about. Its numbers have their unit at the end of their name.
package struct Expectations: Hashable, Sendable {
  /// The requirements.
  package var rules: [MotionExpectation]

  /// Takes requirements.
  package init(_ rules: [MotionExpectation]) { self.rules = rules }

  /// Reads a file.
  ///
  /// - Parameter bytes: The text, UTF-8.
  /// - Throws: `JSONError` with the requirement's number, the path, and what was expected there.
  package init(json bytes: [UInt8]) throws(JSONError) {
    let root = JSONReader(try parseJSON(bytes))
    let fields = try root.object(allowing: ["requirements", "rules", "expectations"])
    // The name of before 0.2.0.
    let key = fields["expectations"] == nil ? "requirements" : "expectations"
    _ = try fields.required(key).integer(in: 1...1)
    let list = try fields.required("rules")
    let rules = try list.array()
    guard !rules.isEmpty else {
      throw list.failure("There is no requirement, so any session would pass.")
    }
    self.init([])
    var ids: Set<String> = []
    for (index, rule) in rules.enumerated() {
      do throws(JSONError) {
        self.rules.append(try MotionExpectation(rule))
        if let id = self.rules.last?.id, !ids.insert(id).inserted {
          throw rule.failure("Another requirement has the id \"\(id)\". Each has its own.")
        }
      } catch {
        throw JSONError(path: error.path, message: "Requirement \(index + 1): \(error.message)")
      }
    }
  }

  /// Everything that its answers depend on, as one text.
  package var identity: String { "\(rules)" }
}

extension MotionExpectation.Kind {
  /// The fields that a requirement of the kind may have beside its own and those of every requirement.
  fileprivate var fields: [String] {
    switch self {
    case .follows:
      ["source", "gain", "gain_tolerance", "dead_zone_pt", "lag_ms", "within_pt", "within_share"]
    case .handsOver: ["source", "gain", "share"]
    case .continuous: ["excess_pt", "excess_share"]
    case .monotone: ["direction", "slack"]
    case .overshoot: ["max_percent", "target"]
    case .settlesBy: ["by_ms", "within_percent", "target"]
    case .staysIn: ["rect", "slack_pt"]
    case .before: ["at_least_ms"]
    case .stagger: ["step_ms", "tolerance_ms", "moved_pt", "moved_share"]
    case .appearsBy: ["by_ms", "alpha"]
    case .apart: ["gap_pt"]
    case .hitch: ["longest_ms", "max_ms_per_s"]
    }
  }
}

/// The fields of every requirement.
private let commonFields = ["id", "optional", "from", "after"]

/// No instant is further from the session's start, in seconds: 64 bits of nanoseconds end there.
private let longestSeconds = 9e9

/// The longest time that a limit may be, in milliseconds: a day.
private let longestMilliseconds = 86_400_000.0

extension MotionExpectation {
  fileprivate init(_ rule: JSONReader) throws(JSONError) {
    let given = try rule.object()
    let names = Kind.allCases.map(\.rawValue)
    let kinds = Kind.allCases.filter { given[$0.rawValue] != nil }
    guard let kind = kinds.first, kinds.count == 1 else {
      if kinds.isEmpty, let name = given.names.first(where: { !isKnown($0) }) {
        let hint = nearestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
        throw (given[name] ?? rule).failure(
          "Unknown kind of requirement '\(name.prefix(40))'.\(hint) Known kinds: "
            + "\(names.joined(separator: ", ")).")
      }
      throw rule.failure(
        "A requirement is of one kind. Found "
          + (kinds.isEmpty
            ? "none of \(names.joined(separator: ", "))."
            : kinds.map(\.rawValue).joined(separator: " and ") + "."))
    }
    let allowed = [kind.rawValue] + kind.fields + commonFields
    for name in given.names where !allowed.contains(name) {
      let whole = allowed.filter { $0.hasPrefix(name + "_") }
      if !whole.isEmpty, let field = given[name] {
        throw field.failure(
          "A number has its unit in its name: "
            + whole.map { "\"\($0)\"" }.joined(separator: " or ") + ".")
      }
    }
    let fields = try rule.object(allowing: allowed)
    let subjects = try MotionExpectation.subjects(of: kind, try fields.required(kind.rawValue))
    self.init(
      try MotionExpectation.demand(kind, fields, of: subjects), of: subjects,
      from: try MotionExpectation.from(kind, fields))
    isOptional =
      try fields["optional"].map { (reader) throws(JSONError) in try reader.bool() } ?? false
    id = try fields["id"].map { (reader) throws(JSONError) in try reader.ruleID() }
  }

  private static func demand(
    _ kind: Kind, _ fields: JSONFields, of subjects: [MotionSubject]
  ) throws(JSONError) -> Demand {
    switch kind {
    case .follows:
      let gain = try fields.real("gain") ?? 1
      guard gain != 0 else {
        throw try fields.required("gain").failure("A follower has a gain other than 0.")
      }
      return .follows(
        try source(fields, of: subjects), gain: gain,
        gainTolerance: try fields.size("gain_tolerance") ?? 0.05 * abs(gain),
        deadZone: try fields.size("dead_zone_pt") ?? 0, lag: try fields.time("lag_ms") ?? 0.02,
        within: try extent("within", fields))
    case .handsOver:
      return .handsOver(
        try source(fields, of: subjects), gain: try fields.real("gain"),
        share: try fields.size("share") ?? 0.2)
    case .continuous: return .continuous(try extent("excess", fields))
    case .monotone:
      let direction = try fields["direction"].map { (reader) throws(JSONError) in
        try reader.choice(Direction.self)
      }
      return .monotone(
        isRising: direction.map { $0 == .up }, slack: try fields.size("slack") ?? 0.005)
    case .overshoot:
      return .overshoot(
        percent: try fields.size("max_percent") ?? 8, target: try fields.real("target"))
    case .settlesBy:
      return .settlesBy(
        try fields.required("by_ms").milliseconds(),
        percent: try fields.size("within_percent") ?? 2, target: try fields.real("target"))
    case .staysIn:
      let rect = try fields.required("rect")
      let numbers = try rect.numbers(count: 4)
      guard numbers[2] >= 0, numbers[3] >= 0 else {
        throw rect.failure("A rectangle is x, y, width and height. No extent is below 0.")
      }
      return .staysIn(
        Rect2D(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
        slack: try fields.size("slack_pt") ?? 0.5)
    case .before:
      return .before(
        try fields.required("after").moment(), atLeast: try fields.time("at_least_ms") ?? 0)
    case .stagger:
      return .stagger(
        step: try fields.required("step_ms").milliseconds(),
        tolerance: try fields.time("tolerance_ms") ?? 0.01, moved: try extent("moved", fields))
    case .appearsBy:
      return .appearsBy(
        try fields.required("by_ms").milliseconds(), alpha: try fields.size("alpha") ?? 0.99)
    case .apart: return .apart(gap: try fields.real("gap_pt") ?? 0)
    case .hitch:
      return .hitch(
        longest: try fields.time("longest_ms") ?? 0.034, ratio: try fields.size("max_ms_per_s") ?? 5
      )
    }
  }

  private enum Direction: String, CaseIterable { case up, down }

  /// What is followed: the finger, along the axis of what follows it.
  private static func source(
    _ fields: JSONFields, of subjects: [MotionSubject]
  ) throws(JSONError) -> MotionSubject {
    guard let reader = fields["source"] else {
      if case .item(_, .centerX) = subjects[0] { return .finger(.x) }
      return .finger(.y)
    }
    let subject = try reader.subject()
    guard subject.isNumber else {
      throw reader.failure("A source is one number: a key, finger.y, item.ID.center.y.")
    }
    return subject
  }

  /// A length in points or as a share.
  private static func extent(_ name: String, _ fields: JSONFields) throws(JSONError) -> Extent? {
    let points = try fields.size("\(name)_pt")
    let share = try fields.size("\(name)_share")
    if points != nil, share != nil, let field = fields["\(name)_share"] {
      throw field.failure("Give \"\(name)_pt\" or \"\(name)_share\", not both.")
    }
    return points.map(Extent.points) ?? share.map(Extent.share)
  }

  /// From when on.
  private static func from(_ kind: Kind, _ fields: JSONFields) throws(JSONError) -> MotionMoment? {
    let from = try fields["from"].map { (reader) throws(JSONError) in try reader.moment() }
    guard kind != .before, let after = fields["after"] else { return from }
    guard from == nil else {
      throw after.failure("\"from\" and \"after\" mean the same here. Give one of them.")
    }
    return try after.moment()
  }

  /// What a requirement is about, as its kind takes it.
  private static func subjects(
    of kind: Kind, _ reader: JSONReader
  ) throws(JSONError) -> [MotionSubject] {
    var readers = [reader]
    if case .array = reader.value, kind == .stagger || kind == .apart {
      readers = try reader.array()
      guard !readers.isEmpty else {
        throw reader.failure("\"\(kind.rawValue)\" is about two things or more.")
      }
    }
    var subjects: [MotionSubject] = []
    for reader in readers {
      let subject = try reader.subject()
      let (fits, expected): (Bool, String) =
        switch kind {
        case .follows, .handsOver, .monotone, .overshoot, .settlesBy:
          (subject.isNumber, "one number: a key, finger.y, item.ID.center.y")
        case .continuous, .stagger:
          (subject.isPosition, "a number or a place: a key, item.ID.center, finger.y")
        case .staysIn:
          (
            subject.isItem && (!subject.isNumber),
            "elements by their frame or center: item.ID.frame"
          )
        case .before: (subject.isEvent, "an event: event.NAME")
        case .appearsBy: (subject.isItem, "elements: item.ID")
        case .apart: (subject.isItem && !subject.isNumber, "elements by their frame: item.ID.frame")
        case .hitch: (subject == .frames, "frames")
        }
      guard fits else {
        throw reader.failure(
          "\"\(kind.rawValue)\" is about \(expected). Found \"\(subject.text.prefix(80))\".")
      }
      subjects.append(subject)
    }
    if kind == .stagger || kind == .apart, subjects.count == 1, !subjects[0].text.contains("*"),
      !subjects[0].text.contains("?")
    {
      throw reader.failure("\"\(kind.rawValue)\" is about two things or more. Found one.")
    }
    return subjects
  }
}

/// Whether any requirement has a field of this name.
private func isKnown(_ name: String) -> Bool {
  commonFields.contains(name)
    || MotionExpectation.Kind.allCases.contains { $0.fields.contains(name) }
}

extension JSONFields {
  /// A number.
  fileprivate func real(_ name: String) throws(JSONError) -> Double? {
    guard let reader = self[name] else { return nil }
    return try reader.number()
  }

  /// A number of 0 or more.
  fileprivate func size(_ name: String) throws(JSONError) -> Double? {
    guard let reader = self[name] else { return nil }
    let number = try reader.number()
    guard number >= 0 else { throw reader.failure("Found \(number). Expected 0 or more.") }
    return number
  }

  /// Milliseconds, as seconds.
  fileprivate func time(_ name: String) throws(JSONError) -> Double? {
    guard let reader = self[name] else { return nil }
    return try reader.milliseconds()
  }
}

extension JSONReader {
  /// Milliseconds, as seconds.
  fileprivate func milliseconds() throws(JSONError) -> Double {
    try number(in: 0...longestMilliseconds) / 1000
  }

  fileprivate func subject() throws(JSONError) -> MotionSubject {
    let text = try string()
    guard let subject = MotionSubject(text) else {
      throw failure(
        text.isEmpty
          ? "The name is empty."
          : "Unknown subject '\(text.prefix(40))'. Name a key, item.ID, item.ID.center.y, "
            + "finger.x, finger.y, event.NAME or frames.")
    }
    return subject
  }

  fileprivate func moment() throws(JSONError) -> MotionMoment {
    switch value {
    case .integer, .number: return .seconds(try number(in: -longestSeconds...longestSeconds))
    case .string: break
    default:
      throw failure(
        "An instant is \"start\", \"release\", \"event.NAME\" or seconds since the session's start."
      )
    }
    let text = try string()
    guard let moment = MotionMoment(text) else {
      throw failure(
        "An instant must be start, release, event.NAME or a number of seconds (got '\(text.prefix(40))')."
      )
    }
    return moment
  }
}
