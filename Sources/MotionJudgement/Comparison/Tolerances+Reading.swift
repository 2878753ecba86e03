package import JSONText
import MotionMeasures
import TimelineModel

extension Tolerances {
  /// The version of the file's form.
  private static let version: Int64 = 1
  fileprivate static let metricNames = Bound.columns + ["must"]

  /// Reads a tolerance file.
  ///
  /// - Parameter bytes: The text, UTF-8.
  /// - Throws: `JSONError` with the place and what was expected there. A misspelt field is told with the one
  ///   that was likely meant.
  package init(json bytes: [UInt8]) throws(JSONError) {
    let root = JSONReader(try parseJSON(bytes))
    let fields = try root.object(allowing: ["version", "measures", "align", "rules"])
    _ = try fields.required("version").integer(in: Tolerances.version...Tolerances.version)
    self.init()
    let measures = try fields["measures"].map { (reader) throws(JSONError) in
      try reader.integer(in: 1...Int64(Tolerances.currentMeasures))
    }
    self.measures = Int(measures ?? 1)
    if let align = fields["align"] { try readAlignment(align) }
    try readRules(fields.required("rules"))
  }

  private mutating func readRules(_ reader: JSONReader) throws(JSONError) {
    var (found, ids): ([Rule], Set<String>) = ([], [])
    for rule in try reader.array() {
      found.append(try Rule(rule))
      if let id = found.last?.id, !ids.insert(id).inserted {
        throw rule.failure("Another limit has the id \"\(id)\". Each has its own.")
      }
    }
    rules = found
  }

  private mutating func readAlignment(_ reader: JSONReader) throws(JSONError) {
    let fields = try reader.object(allowing: ["mode", "limit_ms"])
    if let mode = fields["mode"] {
      let name = try mode.string()
      guard let found = RunComparison.Alignment(rawValue: name) else {
        throw mode.failure(
          "Unknown alignment '\(name)'. " + remedy(for: name, among: RunComparison.Alignment.names))
      }
      alignment = found
    }
    if let limit = fields["limit_ms"] {
      lagLimitSeconds = try limit.number(in: 0...60_000) / 1000
    }
  }
}

extension Tolerances.Rule {
  fileprivate init(_ reader: JSONReader) throws(JSONError) {
    let kinds = ["key", "item", "metric"]
    let fields = try reader.object(
      allowing: kinds + Tolerances.Ladder.columns + Tolerances.metricNames
        + ["id", "level", "aggregate"])
    let given = kinds.filter { fields[$0] != nil }
    if let metric = fields["metric"] {
      let name = try metric.choice(Measure.self, among: Measure.judged.map(\.measure))
      try Tolerances.refuse(Tolerances.Ladder.columns, in: fields, "A limit of a metric")
      let glob = try Tolerances.Rule.glob(of: name, fields)
      var bound = Tolerances.Bound()
      bound.warn = try fields.limit("warn")
      bound.fail = try fields.limit("fail")
      let mustMatch = try fields["must"].map { (reader) throws(JSONError) in try reader.must() }
      try bound.checkOrder(reader)
      if mustMatch == true, bound.warn != nil || bound.fail != nil {
        throw reader.failure(
          "A limit with \"must\" has no number. Give \"must\", or \"warn\" and \"fail\".")
      }
      subject = .metric(name, of: glob, bound, mustMatch: mustMatch ?? false)
    } else {
      guard given.count == 1 else {
        throw reader.failure(
          "A limit is about one thing: a \"key\", an \"item\" or a \"metric\". Found "
            + (given.isEmpty ? "none of them." : given.joined(separator: " and ") + "."))
      }
      try Tolerances.refuse(
        Tolerances.metricNames, in: fields, "A limit of \(withArticle(given[0]))")
      let ladder = try Tolerances.Ladder(fields)
      let name = try fields.required(given[0]).string()
      subject = given[0] == "key" ? .key(name, ladder) : .item(name, ladder)
    }
    id = try fields["id"].map { (reader) throws(JSONError) in try reader.ruleID() }
    level =
      try fields["level"].map { (reader) throws(JSONError) in
        try reader.choice(Tolerances.Level.self)
      } ?? .error
    aggregate = try fields["aggregate"].map { (reader) throws(JSONError) in
      try reader.choice(Tolerances.Aggregate.self)
    }
    guard level != .off, !judgesAnything else { return }
    throw reader.failure(
      "The limit is empty. Give it one of \(limitNames), or \"level\": \"off\" to leave its subject alone."
    )
  }

  /// Which keys or elements a metric's limit is about.
  private static func glob(
    of metric: Measure, _ fields: JSONFields
  ) throws(JSONError) -> String? {
    let allowed = metric.subjectName
    for name in ["key", "item"] where name != allowed {
      if let field = fields[name] {
        throw field.failure("The metric \(metric.rawValue) is not defined for a single \(name).")
      }
    }
    return try allowed.flatMap { fields[$0] }.map { (reader) throws(JSONError) in
      try reader.string()
    }
  }

  private var judgesAnything: Bool {
    switch subject {
    case .key(_, let ladder), .item(_, let ladder):
      ladder.maxAbs != nil || ladder.rms != nil || ladder.hard != nil
    case .metric(_, _, let bound, let mustMatch):
      bound.warn != nil || bound.fail != nil || mustMatch
    }
  }

  private var limitNames: String {
    if case .metric = subject { return "warn, fail, must" }
    return "max_abs, rms, hard"
  }
}

extension Tolerances.Ladder {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    self.init()
    maxAbs = try fields.bound("max_abs")
    rms = try fields.bound("rms")
    overPercent = try fields.bound("over_percent", both: true)
    hard = try fields.limit("hard")
    if let over = fields["over_percent"], maxAbs == nil {
      throw over.failure(
        "over_percent needs max_abs, which is missing.")
    }
    if let over = fields["over_percent"],
      let largest = [overPercent?.warn, overPercent?.fail].compactMap({ $0 }).max(),
      largest > 100
    {
      throw over.failure("over_percent is a share of the time, 0 to 100.")
    }
    guard let windows = fields["ignore_ms"] else { return }
    for window in try windows.array() {
      let ends = try window.numbers(count: 2)
      guard ends[0] <= ends[1] else {
        throw window.failure("The stretch ends before it begins.")
      }
      ignored.append(ends[0] / 1000...ends[1] / 1000)
    }
    ignored.sort { $0.lowerBound < $1.lowerBound }
  }
}

extension Tolerances {
  fileprivate static func refuse(
    _ names: [String], in fields: JSONFields, _ subject: String
  ) throws(JSONError) {
    for name in names {
      if let field = fields[name] { throw field.failure("\(subject) has no \"\(name)\".") }
    }
  }
}

extension Tolerances.Bound {
  /// Refuses a warning that nothing but a failure could give.
  fileprivate func checkOrder(_ reader: JSONReader) throws(JSONError) {
    guard let warn, let fail, warn > fail else { return }
    throw reader.failure(
      "The limit of a warning is above that of a failure, so it would never be reported.")
  }
}

extension JSONFields {
  /// A limit that need not be there.
  fileprivate func limit(_ name: String) throws(JSONError) -> Double? {
    guard let reader = self[name] else { return nil }
    return try reader.limit()
  }

  /// Limits that need not be there.
  fileprivate func bound(
    _ name: String, both: Bool = false
  ) throws(JSONError) -> Tolerances.Bound? {
    guard let reader = self[name] else { return nil }
    return try reader.bound(both: both)
  }
}

extension JSONReader {
  /// The id of a limit: 1 to 64 letters, digits, `.`, `_` and `-`.
  func ruleID() throws(JSONError) -> String {
    let id = try string()
    let isPlain = id.unicodeScalars.allSatisfy { letter in
      "a"..."z" ~= letter || "A"..."Z" ~= letter || "0"..."9" ~= letter
        || "._-".unicodeScalars.contains(letter)
    }
    guard isPlain, 1...64 ~= id.utf8.count else {
      throw failure("An id has 1 to 64 letters, digits, dots, hyphens and underscores.")
    }
    return id
  }

  /// A limit: a finite number of 0 or more.
  fileprivate func limit() throws(JSONError) -> Double {
    try number(in: 0...Double.greatestFiniteMagnitude)
  }

  /// Warn and fail limits, or a number that is the limit of failure (of both, where `both` is so).
  fileprivate func bound(both: Bool = false) throws(JSONError) -> Tolerances.Bound {
    guard case .object = value else {
      let limit = try limit()
      return Tolerances.Bound(warn: both ? limit : nil, fail: limit)
    }
    let fields = try object(allowing: Tolerances.Bound.columns)
    let bound = Tolerances.Bound(
      warn: try fields.limit("warn"),
      fail: try fields.limit("fail"))
    if bound.warn == nil, bound.fail == nil {
      throw failure("Neither \"warn\" nor \"fail\" is given.")
    }
    try bound.checkOrder(self)
    return bound
  }

  /// The only thing that must be so: the two match.
  fileprivate func must() throws(JSONError) -> Bool {
    let word = try string()
    guard word == "match" else {
      throw failure("Found \"\(word)\". The only thing that must be is \"match\".")
    }
    return true
  }
}
