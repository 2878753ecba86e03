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
    let finding: Judgement.Finding = match?.rule.level == .warn ? .warn : .fail
    key.isSame = finding != .fail
    key.judgements = [
      Judgement(
        subject: key.name, measure: "only in \(key.onlyIn ?? "one run")", value: nil, limit: nil,
        rule: match?.number, finding: finding)
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
      if let pair, let sides = AssociatedCurves(pair, shift: 0) {
        sides.add(to: &measure, of: pair)
      }
      let isNeverSet =
        comparison.matchedSampleCount + comparison.onlyInACount + comparison.onlyInBCount == 0
      key.judgements =
        isNeverSet
        ? [] : measure.judgements(of: key.name, rule: match.number, level: match.rule.level)
    } else {
      key.judgements = defaultJudgements(key.name, comparison, longer: longer)
    }
    key.judgements += keyMetrics(key, tolerances)
    key.isSame = key.judgements.allSatisfy { $0.finding != .fail }
  }

  /// What counts without a file: residual, lag and overlap. A key that neither run ever set is the same; one
  /// that only one of them set is not.
  private func defaultJudgements(
    _ name: String, _ comparison: CurveComparison, longer: Double
  ) -> [Judgement] {
    if comparison.matchedSampleCount + comparison.onlyInACount + comparison.onlyInBCount == 0 {
      return []
    }
    func judge(_ measure: String, _ value: Double?, limit: Double, isMet: Bool) -> Judgement {
      Judgement(
        subject: name, measure: measure, value: value, limit: limit, rule: nil,
        finding: isMet ? .pass : .fail)
    }
    let share = comparison.residualShareOfRange
    let missing = longer > 0 ? longer - comparison.overlapSeconds : 0
    return [
      judge(
        "residual_percent", share.map { $0 * 100 }, limit: tolerance.residualShare * 100,
        isMet: share.map { $0 <= tolerance.residualShare } ?? false),
      judge(
        "lag_ms", abs(comparison.lagSeconds) * 1000, limit: lagLimitSeconds * 1000,
        isMet: abs(comparison.lagSeconds) <= lagLimitSeconds),
      judge(
        "not_shared_s", missing, limit: (1 - tolerance.overlapShare) * longer,
        isMet: comparison.overlapSeconds >= tolerance.overlapShare * longer),
    ]
  }

  /// What rules about metrics say of a key.
  private func keyMetrics(_ key: Key, _ tolerances: Tolerances?) -> [Judgement] {
    guard let tolerances else { return [] }
    return Tolerances.Metric.allCases.filter { $0.scope == .keys }.compactMap { metric in
      guard let match = tolerances.bound(for: metric, of: key.name), match.rule.level != .off
      else { return nil }
      guard let value = key.value(of: metric) else { return nil }
      let bound = match.mustMatch ? Tolerances.Bound(fail: 0) : match.bound
      return Judgement(
        key.name, metric.rawValue, value, within: bound, rule: match.number,
        level: match.rule.level)
    }
  }

  /// Judges an element by the rules that match it, or else as it was judged without one.
  mutating func judge(_ item: inout LayoutComparison.Item, _ measures: LayoutMeasures) {
    let name = "item.\(item.identity.id)"
    if let found = measures.judgements(of: item.identity) {
      let isMissing = item.onlyIn != nil && !found.isEmpty
      judgements += isMissing ? [] : found
      item.isSame = !isMissing && found.allSatisfy { $0.finding != .fail }
      if !isMissing { return }
    }
    guard !item.isSame else { return }
    if let onlyIn = item.onlyIn {
      judgements.append(
        Judgement(
          subject: name, measure: "only in \(onlyIn)", value: nil, limit: nil, rule: nil,
          finding: .fail))
      return
    }
    let layout = tolerance.layout
    let allowed = layout.distance + layout.shareOfExtent * item.extentInA
    for (measure, value, limit) in [
      ("rms_distance", item.rmsDistance, allowed), ("rms_size", item.rmsSizeError, allowed),
      ("rms_alpha", item.rmsAlphaError, layout.alpha),
      ("order_swapped_s", item.swappedSeconds, layout.swappedSeconds),
      ("alone_s", item.aloneSeconds, item.allowedAlone(layout)),
    ] where value > limit {
      judgements.append(
        Judgement(
          subject: name, measure: measure, value: value, limit: limit, rule: nil, finding: .fail))
    }
    if item.minIoU == nil {
      judgements.append(
        Judgement(
          subject: name, measure: "never shown together", value: nil, limit: nil, rule: nil,
          finding: .fail))
    }
  }

  /// Judges the runs as a whole, and what rules about metrics say of elements.
  mutating func judge(_ options: Options) {
    let flips = RunComparison.flips(outcomesOfA, outcomesOfB)
    let match = options.tolerances?.bound(for: .decision)
    decisionsAreJudgedByRule = match != nil
    if match == nil, !outcomesOfA.isEmpty || !outcomesOfB.isEmpty {
      judgements.append(
        Judgement(
          subject: "", measure: "decision", value: Double(flips), limit: 0, rule: nil,
          finding: decisionsAreEqual ? .pass : .fail))
    }
    guard let tolerances = options.tolerances else { return }
    for metric in Tolerances.Metric.allCases where metric.scope == .runs {
      guard let match = tolerances.bound(for: metric), match.rule.level != .off,
        let value = value(of: metric)
      else { continue }
      let bound = match.mustMatch ? Tolerances.Bound(fail: 0) : match.bound
      judgements.append(
        Judgement(
          "", metric.rawValue, value, within: bound, rule: match.number, level: match.rule.level))
    }
    for item in layout?.items ?? [] {
      for metric in Tolerances.Metric.allCases where metric.scope == .items {
        guard let match = tolerances.bound(for: metric, of: item.identity.id),
          match.rule.level != .off, let value = item.value(of: metric)
        else { continue }
        let bound = match.mustMatch ? Tolerances.Bound(fail: 0) : match.bound
        judgements.append(
          Judgement(
            "item.\(item.identity.id)", metric.rawValue, value, within: bound, rule: match.number,
            level: match.rule.level))
      }
    }
  }

  /// How many releases were decided otherwise, those included that only one run has.
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
    case .lag: return comparison.map { abs($0.lagSeconds) * 1000 }
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

extension AssociatedCurves {
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
