package import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStatistics
public import TimelineStore

extension Calibration {
  /// The numbers that limits are made of, beside distances.
  private static let metrics: [Measure] = [
    .lag, .settle2, .overshoot, .peakVelocity, .releaseVelocity, .hitchRatio, .intervalP95,
    .decision, .margin,
  ]

  /// Learns from sessions, which may be more than can be open at once.
  ///
  /// - Parameters:
  ///   - runCount: How many there are, two or more.
  ///   - options: What is learned, and how.
  ///   - progress: Called with progress, 0 to 1.
  ///   - opening: Gives the session of a number, counted from 0, with its recording. Two at a time are in use, and each
  ///     is asked for again and again.
  /// - Throws: ``MotionMeasures/QueryError`` for fewer than two sessions of one name or sessions without anything in them, where two differ in
  ///   a decision, and where they cannot be aligned as asked. `StoreError` when a file cannot be read, and what `opening` throws.
  /// - Complexity: a comparison for each pair of sessions of one name, each way, up to ``Options/mostComparisons``.
  public static func learn(
    runCount: Int, options: Options = Options(), progress: (Double) -> Void = { _ in },
    opening: (Int) throws -> (session: SessionRecord, reader: RecordingReader)
  ) throws -> Calibration {
    let names = try (0..<runCount).map { try opening($0).session.description.name }
    let calibration = try learn(names: names, options: options) { pairs, add in
      for (place, pair) in pairs.enumerated() {
        progress(Double(place) / Double(pairs.count))
        let (a, b) = (try opening(pair.a), try opening(pair.b))
        add(
          try Differences.measure(
            a.session, in: a.reader, with: b.session, in: b.reader, options: options))
      }
    }
    guard calibration.flipped.isEmpty else {
      throw QueryError("The sessions \(calibration.flipped) differ in a decision.")
    }
    return calibration
  }

  /// Learns from comparisons that the caller makes, possibly in other processes.
  ///
  /// - Parameters:
  ///   - names: The sessions' names. Only sessions of one name, or without any, are compared.
  ///   - options: What is learned, and how.
  ///   - comparing: Compares each pair of sessions, which are counted from 0, and adds what it finds in the pairs' order.
  package static func learn(
    names: [String?], options: Options,
    comparing: (_ pairs: [(a: Int, b: Int)], _ add: (Differences) -> Void) throws -> Void
  ) throws -> Calibration {
    var pairs: [(a: Int, b: Int)] = []
    for (first, name) in names.enumerated() where names.firstIndex(of: name) == first {
      let alike = names.indices.filter { names[$0] == name }
      // Each session against as many of those that follow it, round and round.
      let reach = min(alike.count - 1, max(1, options.mostComparisons / names.count))
      for step in 0..<reach {
        for place in alike.indices {
          pairs.append((alike[place], alike[(place + step + 1) % alike.count]))
        }
      }
    }
    guard !pairs.isEmpty else {
      throw QueryError(
        "No two sessions have the same name. Tolerances are learned from the differences between such sessions."
      )
    }
    var gathered = GatheredNumbers()
    try comparing(pairs) { gathered.add($0) }
    guard gathered.isLearning else {
      throw QueryError(
        "No session has a key, a decision or an element, so there is nothing to learn from.")
    }
    let measurements = gathered.measurements(options)
    let flips = measurements.first { $0.measure == Measure.decision.rawValue }
    return Calibration(
      options: options, runCount: names.count, comparisonCount: pairs.count,
      outliers: gathered.outliers(measurements, pairs),
      flipped: flips?.values.firstIndex { $0 > 0 }.map { [pairs[$0].a, pairs[$0].b] } ?? [],
      measurements: measurements, unjudged: gathered.unjudged,
      tolerances: Tolerances(
        alignment: options.alignment, lagLimitSeconds: options.lagLimitSeconds,
        rules: rules(measurements, gathered)))
  }

  /// Why these are no limits for sessions that are alike. `nil`: they are.
  ///
  /// - Parameter names: What the sessions are called.
  package func refusal(names: [String], allowsWide: Bool) -> String? {
    if !flipped.isEmpty {
      return flipped.map { names[$0] }.joined(separator: " and ")
        + " differ in a decision, so they are not alike. Leave one of them out"
    }
    guard !allowsWide, let wide = measurements.first(where: \.isWide) else { return nil }
    return
      "the limit of \(wide.subject) \(wide.measure) is above a tenth of the key's range, so a different motion would "
      + "pass. Leave sessions out, or use --allow-wide"
  }

  /// Limits that measure everything and allow everything.
  fileprivate static var everything: Tolerances {
    let anything = Tolerances.Bound(fail: .greatestFiniteMagnitude)
    var ladder = Tolerances.Ladder()
    ladder.maxAbs = anything
    ladder.rms = anything
    return Tolerances(
      rules: metrics.map { Tolerances.Rule(.metric($0, of: nil, anything, mustMatch: false)) }
        + [Tolerances.Rule(.key("*", ladder))])
  }

  /// The limits of a file: what is left alone, distances by key, then metrics.
  private static func rules(
    _ measurements: [Measurement], _ gathered: GatheredNumbers
  ) -> [Tolerances.Rule] {
    var rules =
      gathered.missingKeys.map { Tolerances.Rule(.key($0, Tolerances.Ladder()), level: .off) }
      + gathered.missingItems.map { Tolerances.Rule(.item($0, Tolerances.Ladder()), level: .off) }
    var ladders: [String: Tolerances.Ladder] = [:]
    for measurement in measurements {
      let name = measurement.subject
      if measurement.measure == "max_abs" {
        ladders[name, default: Tolerances.Ladder()].maxAbs = measurement.bound
      } else if measurement.measure == "rms" {
        ladders[name, default: Tolerances.Ladder()].rms = measurement.bound
      }
    }
    var seen: Set<String> = []
    for measurement in measurements
    where !measurement.isMetric && seen.insert(measurement.subject).inserted {
      let ladder = ladders[measurement.subject] ?? Tolerances.Ladder()
      rules.append(Tolerances.Rule(.key(measurement.subject, ladder)))
    }
    for measurement in measurements {
      guard let metric = Measure(rawValue: measurement.measure) else { continue }
      let mustMatch = metric == .decision
      rules.append(
        Tolerances.Rule(
          .metric(
            metric, of: measurement.subject.isEmpty ? nil : measurement.subject,
            mustMatch ? Tolerances.Bound() : measurement.bound, mustMatch: mustMatch)))
    }
    return rules
  }
}

extension Calibration.Measurement {
  /// Whether it is one number, and not a distance over time.
  fileprivate var isMetric: Bool { Measure(rawValue: measure) != nil }
}

extension Calibration {
  /// What is learned from one comparison of two sessions.
  package struct Differences: Sendable {
    /// The measures of a key.
    package struct Key: Sendable {
      package var name = ""
      /// Its range in the first session. `nil` if the sessions do not share it.
      package var range: Double?
      package var measured: [Finding] = []

      package init() {}
    }

    /// Whether neither session has a key, a decision or an element.
    package var isEmpty = true
    package var keys: [Key] = []
    /// Elements that only one of the sessions has.
    package var missingItems: [String] = []
    /// The measures of elements and sessions. Of many elements the one that differs most stands for all.
    package var measured: [Finding] = []

    package init() {}
  }
}

extension Calibration.Differences {
  /// Compares two sessions.
  ///
  /// - Parameter options: What is learned.
  /// - Throws: ``MotionMeasures/QueryError`` where they cannot be aligned as asked. `StoreError` when a file cannot be read.
  package static func measure(
    _ a: SessionRecord, in readerA: RecordingReader, with b: SessionRecord,
    in readerB: RecordingReader, options: Calibration.Options
  ) throws -> Calibration.Differences {
    var asked = RunComparison.Options()
    asked.alignment = options.alignment
    asked.lagLimitSeconds = options.lagLimitSeconds
    asked.tolerances = Calibration.everything
    asked.velocities = .judged
    let comparison = try RunComparison.compare(a, in: readerA, with: b, in: readerB, options: asked)
    var differences = Calibration.Differences()
    differences.isEmpty = comparison.isEmpty
    differences.keys = comparison.keys.map { compared in
      var key = Key()
      (key.name, key.range) = (compared.name, compared.comparison?.rangeOfA)
      key.measured = compared.verdicts.map {
        Finding(subject: key.name, measure: $0.measure, value: $0.value.map(abs))
      }
      return key
    }
    differences.missingItems = (comparison.layout?.items ?? []).filter { $0.onlyIn != nil }
      .map(\.identity.id)
    struct Subject: Hashable {
      var name: String
      var measure: String
    }
    var largest: [Subject: Double] = [:]
    for verdict in comparison.verdicts {
      guard let value = verdict.value else { continue }
      let place = LayoutErrors.names.first { verdict.subject.hasSuffix(".\($0)") }
      guard verdict.subject.isEmpty || place != nil else { continue }
      let subject = Subject(name: place.map { "item.*.\($0)" } ?? "", measure: verdict.measure)
      largest[subject] = max(largest[subject] ?? 0, value)
    }
    differences.measured = largest.sorted {
      ($0.key.name, $0.key.measure) < ($1.key.name, $1.key.measure)
    }
    .map { Finding(subject: $0.key.name, measure: $0.key.measure, value: $0.value) }
    return differences
  }
}

/// Names in the order in which they came, each once.
private struct DistinctNames {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  mutating func insert(_ name: String) {
    if known.insert(name).inserted { names.append(name) }
  }

  func contains(_ name: String) -> Bool { known.contains(name) }
}

/// What the comparisons told, sorted by what it is about.
private struct GatheredNumbers {
  private struct Subject: Hashable {
    var name: String
    var measure: String
  }

  /// Whether anything was there to be compared.
  private(set) var isLearning = false
  /// Keys that a comparison found on one side only, or never at the same time.
  var missingKeys: [String] { leftOutKeys.names }
  /// Elements that a comparison found on one side only.
  var missingItems: [String] { leftOutItems.names }
  private var (leftOutKeys, leftOutItems) = (DistinctNames(), DistinctNames())
  private var subjects: [Subject] = []
  private var numbers: [Subject: [(comparison: Int, value: Double)]] = [:]
  /// The largest range of each key.
  private var ranges: [String: Double] = [:]
  private var keyNames: Set<String> = []
  private var count = 0

  var unjudged: [String] { missingKeys + missingItems.map { "item.\($0)" } }

  mutating func add(_ differences: Calibration.Differences) {
    isLearning = isLearning || !differences.isEmpty
    for key in differences.keys {
      keyNames.insert(key.name)
      guard let range = key.range else {
        leftOutKeys.insert(key.name)
        continue
      }
      ranges[key.name] = max(ranges[key.name] ?? 0, range)
      for found in key.measured {
        if let value = found.value {
          add(key.name, found.measure, value)
        } else {
          leftOutKeys.insert(key.name)
        }
      }
    }
    for id in differences.missingItems { leftOutItems.insert(id) }
    for found in differences.measured {
      if let value = found.value { add(found.subject, found.measure, value) }
    }
    count += 1
  }

  private mutating func add(_ name: String, _ measure: String, _ value: Double) {
    let subject = Subject(name: name, measure: measure)
    if numbers[subject] == nil { subjects.append(subject) }
    numbers[subject, default: []].append((count, value))
  }

  /// The findings, with limits.
  func measurements(_ options: Calibration.Options) -> [Calibration.Measurement] {
    func order(_ subject: Subject) -> (Int, String, Int) {
      let group = keyNames.contains(subject.name) ? 0 : subject.name.isEmpty ? 2 : 1
      let measures = ["max_abs", "rms"] + Measure.judged.map(\.measure.rawValue)
      return (group, subject.name, measures.firstIndex(of: subject.measure) ?? measures.count)
    }
    let places = subjects.filter { !leftOutKeys.contains($0.name) }
      .map { (subject: $0, order: order($0)) }
    return places.sorted { $0.order < $1.order }.map(\.subject)
      .compactMap { subject in
        let values = (numbers[subject] ?? []).map(\.value)
        guard let quantile = SortedValues(values).quantile(options.quantile) else { return nil }
        let least = self.least(subject)
        let warn = roundedUp(max(quantile, least))
        let usual = roundedUp(max(quantile, least) * options.safety)
        // What taught the limit passes it.
        let fail = max(usual, roundedUp(values.max() ?? 0))
        let isDistance = Measure(rawValue: subject.measure) == nil
        let widest = max(5 * least, Calibration.widestShare * (ranges[subject.name] ?? .infinity))
        return Calibration.Measurement(
          subject: subject.name, measure: subject.measure, values: values, quantile: quantile,
          least: least, bound: Tolerances.Bound(warn: warn, fail: max(warn, fail)),
          usual: usual, isWide: isDistance && fail > widest)
      }
  }

  /// The sessions that outliers are about: a number of one session is the second's of its comparison, and of two sessions it is the one
  /// with more outliers.
  func outliers(
    _ measurements: [Calibration.Measurement], _ pairs: [(a: Int, b: Int)]
  ) -> [Calibration.Outlier] {
    var measures: [Int: [String]] = [:]
    for measurement in measurements {
      let found = numbers[Subject(name: measurement.subject, measure: measurement.measure)] ?? []
      let beyond = found.filter { $0.value > measurement.usual }.map { pairs[$0.comparison] }
      var counts: [Int: Int] = [:]
      for pair in beyond {
        counts[pair.b, default: 0] += 1
        if measurement.isDifference { counts[pair.a, default: 0] += 1 }
      }
      let runs = Set(
        beyond.map { pair in
          guard measurement.isDifference else { return pair.b }
          return (counts[pair.a] ?? 0, pair.b) > (counts[pair.b] ?? 0, pair.a) ? pair.a : pair.b
        })
      let name =
        measurement.subject.isEmpty
        ? measurement.measure : "\(measurement.subject) \(measurement.measure)"
      for run in runs { measures[run, default: []].append(name) }
    }
    return measures.sorted { $0.key < $1.key }.map {
      Calibration.Outlier(run: $0.key, measures: $0.value)
    }
  }

  /// A difference that is too little to be judged, so that sessions that are alike to the bit do not make a file
  /// that nothing else passes.
  private func least(_ subject: Subject) -> Double {
    let range = ranges[subject.name] ?? 0
    switch Measure.judged.first(where: { $0.measure.rawValue == subject.measure })?.unit {
    case nil:
      if keyNames.contains(subject.name) {
        let isOfViewport = subject.name.hasPrefix(ViewportKeys.prefix)
        return max(isOfViewport ? Least.points : 0, Least.shareOfRange * range)
      }
      return subject.name.hasSuffix("alpha") ? Least.alpha : Least.points
    case "ms": return Least.milliseconds
    case "%": return Least.percent
    case "/s": return Least.shareOfRangePerSecond * range
    case "ms/s": return Least.hitch
    default: return subject.measure == Measure.margin.rawValue ? Least.shareOfRange : 0
    }
  }
}

/// What is too little to be judged. Each ours.
private enum Least {
  /// A thousandth of a key's range: a fifth of what `kymo compare` lets pass.
  static let shareOfRange = 0.001
  /// A hundredth of a key's range a second.
  static let shareOfRangePerSecond = 0.01
  /// A tenth of a point: less than a third of a pixel of the finest displays.
  static let points = 0.1
  /// Less than half of one of 256 levels.
  static let alpha = 0.001
  /// An eighth of a frame at 120 Hz.
  static let milliseconds = 1.0
  /// A tenth of a percentage point.
  static let percent = 0.1
  /// A fiftieth of where Apple's warning begins, in ms/s.
  static let hitch = 0.1
}

/// A limit in three digits, never below what it was made of, so that a file can be read and compared.
private func roundedUp(_ number: Double) -> Double {
  guard number > 0, number < 1e15 else { return number }
  var scale = 1.0
  while number * scale < 100, scale < 1e15 { scale *= 10 }
  let rounded = (number * scale).rounded(.up) / scale
  return rounded >= number ? rounded : number
}
