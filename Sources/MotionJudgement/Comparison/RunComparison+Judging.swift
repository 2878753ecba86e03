package import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

extension RunComparison {
  /// Judges a key that only one session has.
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
        subject: key.name, measure: "only in \(key.onlyIn ?? "one session")",
        rule: match?.number, grade: grade)
    ]
  }

  /// Judges a key by the limit that matches it, or else by what counts without one.
  ///
  /// - Parameters:
  ///   - key: The key, compared.
  ///   - pair: Its curves on the common clock. `nil` where one has no sample.
  ///   - longer: The longer curve's duration, in seconds.
  ///   - tolerances: The limits.
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
            subject: key.name, measure: Measure.finalValue.rawValue, value: rest, limit: limit,
            grade: rest <= limit ? .pass : .fail))
      }
    }
    key.verdicts = (key.verdicts + keyMetrics(key, tolerances)).map { inWords($0, of: key) }
    key.isSame = key.verdicts.allSatisfy { $0.grade != .fail }
  }

  /// What counts without a file: residual, lag and overlap. A key that neither session ever set is the same. One
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
    // A difference that the intervals of both allow is none.
    let noise = comparison.rangeOfA > 0 ? key.noise / comparison.rangeOfA : 0
    let most = max(tolerance.residualShare, noise)
    let missing = longer > 0 ? longer - comparison.overlapSeconds : 0
    return [
      key.isOfViewport
        ? judge(
          "residual", comparison.residual, limit: allowed,
          isMet: comparison.residual ?? .infinity <= allowed)
        : judge(
          Measure.residual.rawValue, share.map { $0 * 100 }, limit: most * 100,
          isMet: share.map { $0 <= most } ?? false),
      judge(
        Measure.lag.rawValue, comparison.lagSeconds * 1000, limit: lagLimitSeconds * 1000,
        isMet: isNear || abs(comparison.lagSeconds) <= lagLimitSeconds),
      judge(
        RunComparison.notShared, missing, limit: (1 - tolerance.overlapShare) * longer,
        isMet: comparison.overlapSeconds >= tolerance.overlapShare * longer),
    ]
  }

  /// What limits about metrics say of a key.
  private func keyMetrics(_ key: Key, _ tolerances: Tolerances?) -> [Verdict] {
    guard let tolerances else { return [] }
    return tolerances.verdicts(Key.judged, of: key, named: key.name, key.name)
  }

  /// Puts into words what a verdict about a figure of a key found.
  private func inWords(_ verdict: Verdict, of key: Key) -> Verdict {
    guard let measure = Measure(rawValue: verdict.measure), verdict.grade != .pass else {
      return verdict
    }
    var verdict = verdict
    if measure == .lag, let curve = key.comparison, curve.lagIsAtLimit {
      verdict.offset = Measure.lagBeyond(curve.lagSeconds * 1000)
    } else {
      verdict.offset = key.change(of: measure).flatMap { measure.offset($0, limit: verdict.limit) }
    }
    return verdict
  }

  /// Judges an element by the limits that match it, or else as it was judged without one.
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
      (LayoutComparison.Item.rms.name, item.rmsDistance, allowed, "is elsewhere"),
      ("rms_size_pt", item.rmsSizeError, allowed, "has another size"),
      ("rms_alpha", item.rmsAlphaError, layout.alpha, "has another opacity"),
      ("order_swapped_s", item.swappedSeconds, layout.swappedSeconds, "is in another order"),
      (
        LayoutComparison.Item.alone.name, item.aloneSeconds, item.allowedAlone(layout),
        "is shown by one session alone"
      ),
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

  /// Judges the sessions as a whole, and what limits about metrics say of elements.
  mutating func judge(_ options: Options) {
    defer { nameMovements() }
    let flips = RunComparison.flips(outcomesOfA, outcomesOfB)
    let match = options.tolerances?.bound(for: .decision)
    decisionsAreJudgedByRule = match != nil
    if match == nil, !outcomesOfA.isEmpty || !outcomesOfB.isEmpty {
      var verdict = Verdict(
        subject: "", measure: Measure.decision.rawValue, value: Double(flips), limit: 0,
        grade: decisionsAreEqual ? .pass : .fail)
      verdict.difference = differenceInWords(.decision)
      verdicts.append(verdict)
    }
    guard let tolerances = options.tolerances else { return }
    verdicts += tolerances.verdicts(RunComparison.judged, of: self, named: "").map { verdict in
      var verdict = verdict
      verdict.difference = Measure(rawValue: verdict.measure).flatMap(differenceInWords)
      return verdict
    }
    for item in layout?.items ?? [] {
      let id = item.identity.id
      verdicts += tolerances.verdicts(
        LayoutComparison.Item.judged, of: item, named: "item.\(id)", id)
    }
  }

  /// What differs where a count does not say it, the first of it by name. `nil` where nothing does.
  private func differenceInWords(_ metric: Measure) -> String? {
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

  /// What was decided by, where that differs at a release, in brackets. Empty where it does not.
  private func changeOfRule(at position: Int) -> String {
    guard position < min(outcomesOfA.count, outcomesOfB.count),
      let a = outcomesOfA[position].decision?.recorded,
      let b = outcomesOfB[position].decision?.recorded
    else { return "" }
    if a.rule != b.rule { return " (rule \(a.rule), now \(b.rule))" }
    return a.threshold == b.threshold ? "" : " (threshold \(a.threshold), now \(b.threshold))"
  }

  /// How many releases flipped, those included that only one session has.
  static func flips(_ a: [Outcome], _ b: [Outcome]) -> Int {
    let flipped = zip(a, b).filter { $0.decision?.outcome != $1.decision?.outcome }.count
    return flipped + abs(a.count - b.count)
  }

  /// The measure of a key whose time is not in both sessions, in seconds.
  static let notShared = "not_shared_s"

  /// A number of the sessions as a whole. `nil` where it cannot be told.
  package func value(of measure: Measure) -> Double? {
    RunComparison.judged.field(of: measure)?.number(of: self)
  }

  /// The numbers of the sessions as a whole that limits may judge, in the order of verdicts.
  static let judged: [ResultField<RunComparison>] =
    FrameMetrics.fields.judged().leading(with: [.hitchRatio, .jank]).of(\.smoothness.b) + [
      ResultField(.decision, "1", "Releases that flipped.") {
        RunComparison.flips($0.outcomesOfA, $0.outcomesOfB)
      },
      ResultField(.margin, "1", "The largest difference of margins.") {
        Measure.largestDifference(
          zip($0.outcomesOfA, $0.outcomesOfB).map {
            ($0.margin, $1.margin)
          })
      },
      ResultField(.structure, "1", "Parts that differ or are missing.") {
        $0.structure.count + $0.keys.count { $0.onlyIn != nil }
          + ($0.layout?.items.count { $0.onlyIn != nil } ?? 0)
      },
    ]
}

extension Measure {
  /// The largest distance of pairs that are whole. `nil` without one.
  fileprivate static func largestDifference(_ pairs: [(a: Double?, b: Double?)]) -> Double? {
    pairs.compactMap { a, b in a.flatMap { a in b.map { abs($0 - a) } } }.max()
  }
}

extension Tolerances {
  /// What the limits find of the measures of a result.
  ///
  /// - Parameters:
  ///   - subject: The subject of the verdicts.
  ///   - name: The key or element that limits may name. `nil`: the sessions.
  fileprivate func verdicts<Record>(
    _ measures: [ResultField<Record>], of record: Record, named subject: String,
    _ name: String? = nil
  ) -> [Verdict] {
    measures.compactMap { field in
      field.measure.flatMap(Measure.init(rawValue:)).flatMap {
        verdict($0, field.number(of: record), of: name, named: subject)
      }
    }
  }
}

extension [RunComparison.Outcome] {
  /// What the release of a number came to. "none" where there is no such release.
  fileprivate func outcome(_ position: Int) -> String {
    indices.contains(position) ? self[position].decision?.outcome.rawValue ?? "none" : "none"
  }
}

extension RunComparison.Key {
  /// B's figure minus A's, of several releases or motions the largest change. `nil` for what is not a figure of both.
  func change(of measure: Measure) -> Double? {
    func largest(_ pairs: [(a: Double?, b: Double?)]) -> Double? {
      pairs.compactMap { a, b in a.flatMap { a in b.map { $0 - a } } }.max { abs($0) < abs($1) }
    }
    if measure == .lag { return comparison.map { $0.lagSeconds * 1000 } }
    if measure == .releaseVelocity {
      return largest(
        velocities.filter { $0.estimator == velocities.first?.estimator }.map { ($0.a, $0.b) })
    }
    guard let figure = MotionMetrics.fields.judged().field(of: measure) else { return nil }
    return largest(motions.map { ($0.a.flatMap(figure.number), $0.b.flatMap(figure.number)) })
  }

  /// A number of the key: of several releases the one that differs most. `nil` where it cannot be told.
  package func value(of measure: Measure) -> Double? {
    Self.judged.field(of: measure)?.number(of: self)
  }

  /// The numbers of a key that limits may judge, in the order of verdicts. Of its motion the difference of each figure.
  static let judged: [ResultField<Self>] =
    CurveComparison.fields.judged().of(\.comparison)
    + MotionMetrics.fields.judged().map { figure in
      figure.measured {
        Measure.largestDifference(
          $0.motions.map { ($0.a.flatMap(figure.number), $0.b.flatMap(figure.number)) })
      }
    } + [
      ResultField(.releaseVelocity, "/s", "The largest difference.") { key in
        let own = key.velocities.filter { $0.estimator == key.velocities.first?.estimator }
        return Measure.largestDifference(own.map { ($0.a, $0.b) })
      }
    ]
}

extension LayoutComparison.Item {
  /// A number of the element. `nil` where it cannot be told.
  package func value(of measure: Measure) -> Double? {
    Self.judged.field(of: measure)?.number(of: self)
  }

  /// The numbers of an element that limits may judge, in the order of verdicts. None of one that only one session has.
  static let judged: [ResultField<Self>] = [
    ResultField<Self>(.layoutDistance, "pt", "The largest distance.", \.maxDistance),
    ResultField(.layoutMiss, "1", "How little frames overlap.") { $0.minIoU.map { 1 - $0 } },
    ResultField(.orderSwaps, "1", "Elements in another order.", \.orderSwaps),
    ResultField(.appearance, "ms", "How much later or earlier.") {
      $0.changeSeconds.milliseconds ?? .infinity
    },
  ].of { $0.onlyIn == nil ? $0 : nil }
}

extension CurvePair {
  /// How far the last values are apart, in the key's unit, where both curves stand still at their ends.
  fileprivate var distanceAtRest: Double? {
    guard let last = a.values.last, let other = b.values.last else { return nil }
    guard a.values.suffix(2).allSatisfy({ $0 == last }),
      b.values.suffix(2).allSatisfy({ $0 == other })
    else { return nil }
    return unscaled(abs(other - last))
  }
}

extension CurveDistances {
  /// Adds the distance between the curves to what a limit asks for, on the common clock.
  func add(to measure: inout LadderMeasure, of pair: CurvePair) {
    let zero = pair.origin.seconds
    func separation(_ distance: Double) -> Separation { Separation(x: pair.unscaled(distance)) }
    let first = separation(distance(0))
    if count == 1 { measure.add(from: zero + times[0], first, to: zero + times[0], first) }
    for index in 0..<count - 1 {
      measure.add(
        from: zero + times[index], separation(distance(index)), to: zero + times[index + 1],
        separation(distanceAtEnd(of: index)))
    }
    if isStep, count > 1 {
      let last = separation(distance(count - 1))
      measure.add(from: zero + times[count - 1], last, to: zero + times[count - 1], last)
    }
  }
}
