import TimelineModel
import TimelineStore

extension RunComparison {
  /// Judges a key that only one run has.
  func judgeMissing(_ key: inout Key, _ tolerances: Tolerances?) {
    let match = tolerances?.ladder(for: key.name)
    if match?.rule.level == .off {
      key.isSame = true
      return
    }
    let grade: Verdict.Grade = match?.rule.level == .warn ? .warn : .fail
    key.isSame = grade != .fail
    key.verdicts = [
      Verdict(
        subject: key.name, measure: "only in \(key.onlyIn ?? "one run")",
        rule: match?.number, grade: grade)
    ]
  }

  /// Judges a key by the rule that matches it, or else by what counts without one.
  ///
  /// - Parameters:
  ///   - key: The key, compared.
  ///   - pair: Its curves on the common clock; nil where one has no sample.
  ///   - longer: The longer curve's duration, in seconds.
  ///   - tolerances: The rules.
  func judge(_ key: inout Key, _ pair: CurvePair?, longer: Double, _ tolerances: Tolerances?) {
    guard let comparison = key.comparison else { return }
    if let match = tolerances?.ladder(for: key.name) {
      guard match.rule.level != .off else { return }
      var measure = LadderMeasure(match.ladder)
      if let pair, let sides = CurveDistances(pair, shift: 0) {
        sides.add(to: &measure, of: pair)
      }
      let isNeverSet =
        comparison.matchedSampleCount + comparison.onlyInACount + comparison.onlyInBCount == 0
      key.verdicts =
        isNeverSet
        ? [] : measure.verdicts(of: key.name, rule: match.number, level: match.rule.level)
    } else {
      key.verdicts = defaultVerdicts(key, comparison, longer: longer)
      if key.isOfViewport, let rest = pair?.distanceAtRest {
        let limit = tolerance.layout.distance
        key.verdicts.append(
          Verdict(
            subject: key.name, measure: "final_value", value: rest, limit: limit,
            grade: rest <= limit ? .pass : .fail))
      }
    }
    key.verdicts += keyMetrics(key, tolerances)
    key.isSame = key.verdicts.allSatisfy { $0.grade != .fail }
  }

  /// What counts without a file: residual, lag and overlap. A key that neither run ever set is the same; one
  /// that only one of them set is not. What the frames say of the viewport is judged in points, as elements are,
  /// and where it rests at the end besides.
  private func defaultVerdicts(
    _ key: Key, _ comparison: CurveComparison, longer: Double
  ) -> [Verdict] {
    let name = key.name
    if comparison.matchedSampleCount + comparison.onlyInACount + comparison.onlyInBCount == 0 {
      return []
    }
    func judge(_ measure: String, _ value: Double?, limit: Double, isMet: Bool) -> Verdict {
      Verdict(
        subject: name, measure: measure, value: value, limit: limit,
        grade: isMet ? .pass : .fail)
    }
    let share = comparison.residualShareOfRange
    let allowed = tolerance.layout.distance + tolerance.layout.shareOfExtent * comparison.rangeOfA
    let isNear = key.isOfViewport && comparison.aligned?.rootMeanSquare ?? .infinity <= allowed
    let missing = longer > 0 ? longer - comparison.overlapSeconds : 0
    return [
      key.isOfViewport
        ? judge(
          "residual", comparison.residual, limit: allowed,
          isMet: comparison.residual ?? .infinity <= allowed)
        : judge(
          "residual_percent", share.map { $0 * 100 }, limit: tolerance.residualShare * 100,
          isMet: share.map { $0 <= tolerance.residualShare } ?? false),
      judge(
        "lag_ms", comparison.lagSeconds * 1000, limit: lagLimitSeconds * 1000,
        isMet: isNear || abs(comparison.lagSeconds) <= lagLimitSeconds),
      judge(
        "not_shared_s", missing, limit: (1 - tolerance.overlapShare) * longer,
        isMet: comparison.overlapSeconds >= tolerance.overlapShare * longer),
    ]
  }

  /// What rules about metrics say of a key.
  private func keyMetrics(_ key: Key, _ tolerances: Tolerances?) -> [Verdict] {
    Tolerances.Metric.allCases.filter { $0.scope == .keys }.compactMap { metric in
      tolerances?.verdict(metric, key.value(of: metric), of: key.name, named: key.name)
    }
  }

  /// Judges an element by the rules that match it, or else as it was judged without one.
  mutating func judge(_ item: inout LayoutComparison.Item, _ measures: LayoutMeasures) {
    let name = "item.\(item.identity.id)"
    if let found = measures.verdicts(of: item.identity) {
      let isMissing = item.onlyIn != nil && !found.isEmpty
      verdicts += isMissing ? [] : found
      item.isSame = !isMissing && found.allSatisfy { $0.grade != .fail }
      if !isMissing { return }
    }
    guard !item.isSame else { return }
    if let onlyIn = item.onlyIn {
      verdicts.append(
        Verdict(
          subject: name, measure: "only in \(onlyIn)",
          grade: .fail))
      return
    }
    let layout = tolerance.layout
    let allowed = layout.distance + layout.shareOfExtent * item.extentInA
    for (measure, value, limit, words) in [
      ("rms_distance", item.rmsDistance, allowed, "is elsewhere"),
      ("rms_size", item.rmsSizeError, allowed, "has another size"),
      ("rms_alpha", item.rmsAlphaError, layout.alpha, "has another opacity"),
      ("order_swapped_s", item.swappedSeconds, layout.swappedSeconds, "is in another order"),
      ("alone_s", item.aloneSeconds, item.allowedAlone(layout), "is shown by one run alone"),
    ] where value > limit {
      verdicts.append(
        Verdict(
          subject: name, measure: measure, value: value, limit: limit, grade: .fail,
          difference: "\(item.identity.id) \(words)"))
    }
    if item.minIoU == nil {
      verdicts.append(
        Verdict(
          subject: name, measure: "never shown together",
          grade: .fail))
    }
  }

  /// Judges the runs as a whole, and what rules about metrics say of elements.
  mutating func judge(_ options: Options) {
    defer { nameMovements() }
    let flips = RunComparison.flips(outcomesOfA, outcomesOfB)
    let match = options.tolerances?.bound(for: .decision)
    decisionsAreJudgedByRule = match != nil
    if match == nil, !outcomesOfA.isEmpty || !outcomesOfB.isEmpty {
      var verdict = Verdict(
        subject: "", measure: "decision", value: Double(flips), limit: 0,
        grade: decisionsAreEqual ? .pass : .fail)
      verdict.difference = differenceInWords(.decision)
      verdicts.append(verdict)
    }
    guard let tolerances = options.tolerances else { return }
    for metric in Tolerances.Metric.allCases where metric.scope == .runs {
      guard var verdict = tolerances.verdict(metric, value(of: metric), named: "") else {
        continue
      }
      verdict.difference = differenceInWords(metric)
      verdicts.append(verdict)
    }
    for item in layout?.items ?? [] {
      let id = item.identity.id
      verdicts += Tolerances.Metric.allCases.filter { $0.scope == .items }.compactMap { metric in
        tolerances.verdict(metric, item.value(of: metric), of: id, named: "item.\(id)")
      }
    }
  }

  /// What differs where a count does not say it, the first of it by name; nil where nothing does.
  private func differenceInWords(_ metric: Tolerances.Metric) -> String? {
    var found: [String] = []
    if metric == .decision {
      let count = max(outcomesOfA.count, outcomesOfB.count)
      found = (0..<count).compactMap { position in
        let (a, b) = (outcomesOfA.outcome(position), outcomesOfB.outcome(position))
        let name = count == 1 ? "the decision" : "decision #\(position)"
        return a == b ? nil : "\(name) changed from \(a) to \(b)" + changeOfRule(at: position)
      }
    } else if metric == .structure {
      found = structure.map { "\($0.name) changed from \($0.a ?? "none") to \($0.b ?? "none")" }
      func add(_ name: String, onlyIn side: String?) {
        if let side { found.append("\(name) is \(side == "A" ? "gone" : "new")") }
      }
      for key in keys { add(key.name, onlyIn: key.onlyIn) }
      for item in layout?.items ?? [] { add("item.\(item.identity.id)", onlyIn: item.onlyIn) }
    }
    return found.first.map { found.count == 1 ? $0 : "\($0), and \(found.count - 1) more" }
  }

  /// What was decided by, where that differs at a release, in brackets; empty where it does not.
  private func changeOfRule(at position: Int) -> String {
    guard position < min(outcomesOfA.count, outcomesOfB.count),
      let a = outcomesOfA[position].decision?.recorded,
      let b = outcomesOfB[position].decision?.recorded
    else { return "" }
    if a.rule != b.rule { return " (rule \(a.rule), now \(b.rule))" }
    return a.threshold == b.threshold ? "" : " (threshold \(a.threshold), now \(b.threshold))"
  }

  /// How many releases flipped, those included that only one run has.
  static func flips(_ a: [Outcome], _ b: [Outcome]) -> Int {
    let flipped = zip(a, b).filter { $0.decision?.outcome != $1.decision?.outcome }.count
    return flipped + abs(a.count - b.count)
  }

  /// A number of the runs as a whole; nil where it cannot be told.
  public func value(of metric: Tolerances.Metric) -> Double? {
    switch metric {
    case .hitchRatio: smoothness.b.hitchRatio
    case .jank: smoothness.b.jankPercent
    case .intervalP95: smoothness.b.intervals.map { $0.p95 * 1000 }
    case .decision: Double(RunComparison.flips(outcomesOfA, outcomesOfB))
    case .margin:
      zip(outcomesOfA, outcomesOfB).compactMap { a, b -> Double? in
        guard let first = a.decision?.recorded?.marginProgress,
          let second = b.decision?.recorded?.marginProgress
        else { return nil }
        return abs(second - first)
      }.max()
    case .structure:
      Double(
        structure.count + keys.filter { $0.onlyIn != nil }.count
          + (layout?.items.filter { $0.onlyIn != nil }.count ?? 0))
    default: nil
    }
  }
}

extension [RunComparison.Outcome] {
  /// What the release of a number came to; "none" where there is no such release.
  fileprivate func outcome(_ position: Int) -> String {
    indices.contains(position) ? self[position].decision?.outcome.rawValue ?? "none" : "none"
  }
}

extension RunComparison.Key {
  /// A number of the key: of several releases the one that differs most; nil where it cannot be told.
  public func value(of metric: Tolerances.Metric) -> Double? {
    func largest(_ value: (MotionMetrics) -> Double?) -> Double? {
      motions.compactMap { motion -> Double? in
        guard let a = motion.a.flatMap(value), let b = motion.b.flatMap(value) else { return nil }
        return abs(b - a)
      }.max()
    }
    switch metric {
    case .lag: return comparison.map { $0.lagSeconds * 1000 }
    case .residual: return comparison?.residualShareOfRange.map { $0 * 100 }
    case .warp: return comparison?.warp.map { $0.largestSeconds * 1000 }
    case .rise: return largest { $0.riseSeconds.map { $0 * 1000 } }
    case .settle2: return largest { $0.settle2Seconds.map { $0 * 1000 } }
    case .settle5: return largest { $0.settle5Seconds.map { $0 * 1000 } }
    case .overshoot: return largest(\.overshootPercent)
    case .turns: return largest { Double($0.turnCount) }
    case .finalValue: return largest { $0.finalValue }
    case .peakVelocity: return largest(\.peakVelocity)
    case .releaseVelocity:
      let own = velocities.first?.estimator
      return velocities.filter { $0.estimator == own }.compactMap { velocity -> Double? in
        guard let a = velocity.a, let b = velocity.b else { return nil }
        return abs(b - a)
      }.max()
    default: return nil
    }
  }
}

extension LayoutComparison.Item {
  /// A number of the element; nil where it cannot be told.
  public func value(of metric: Tolerances.Metric) -> Double? {
    guard onlyIn == nil else { return nil }
    return switch metric {
    case .layoutDistance: maxDistance
    case .layoutMiss: minIoU.map { 1 - $0 }
    case .orderSwaps: Double(orderSwaps)
    case .appearance: changeSeconds.map { $0 * 1000 } ?? .infinity
    default: nil
    }
  }
}

extension CurvePair {
  /// How far the last values are apart, in the key's unit, where both curves stand still at their ends.
  fileprivate var distanceAtRest: Double? {
    guard let last = a.values.last, let other = b.values.last,
      a.values.suffix(2).allSatisfy({ $0 == last }), b.values.suffix(2).allSatisfy({ $0 == other })
    else { return nil }
    return unscaled(abs(other - last))
  }
}

extension CurveDistances {
  /// Adds the distance between the curves to what a rule asks for, on the common clock.
  func add(to measure: inout LadderMeasure, of pair: CurvePair) {
    let zero = pair.origin.seconds
    let first = pair.unscaled(distance(0))
    if count == 1 { measure.add(from: zero + times[0], first, to: zero + times[0], first) }
    for index in 0..<count - 1 {
      measure.add(
        from: zero + times[index], pair.unscaled(distance(index)), to: zero + times[index + 1],
        pair.unscaled(distanceAtEnd(of: index)))
    }
    if isStep, count > 1 {
      let last = pair.unscaled(distance(count - 1))
      measure.add(from: zero + times[count - 1], last, to: zero + times[count - 1], last)
    }
  }
}
