import MotionPhysics
public import TimelineModel
import TimelineStore

extension RunComparison {
  /// The rows that `kymo compare` prints, by what matters: decisions, settings, keys and elements, the verdict last.
  ///
  /// - Parameter listsAll: Whether elements are among them of which nothing differs, and all hints.
  public func rows(listsAll: Bool = true) -> [[EventField]] {
    rows(listsAll: listsAll, hints: hints(listsAll: listsAll))
  }

  /// The rows with other hints, such as the same made harmless.
  package func rows(listsAll: Bool, hints: [String]) -> [[EventField]] {
    releasePairs.map(\.row) + structure.map(\.row) + keys.map(\.row)
      + itemRows(listsAll: listsAll) + [RunComparison.verdictFields(hints).row(of: self)]
  }

  /// The names of all fields of these rows.
  package static var columns: [String] {
    var seen: Set<String> = []
    return
      (["row", "same"] + Key.columns + ReleasePair.columns + LayoutComparison.Item.columns
      + StructureDifference.columns + verdictFields([]).names())
      .filter { seen.insert($0).inserted }
  }

  /// The releases of both runs, side by side.
  package var releasePairs: [ReleasePair] {
    (0..<max(outcomesOfA.count, outcomesOfB.count)).map { index in
      ReleasePair(
        transition: index, a: index < outcomesOfA.count ? outcomesOfA[index] : nil,
        b: index < outcomesOfB.count ? outcomesOfB[index] : nil)
    }
  }

  /// The elements of which anything differs, or all of them.
  package func itemRows(listsAll: Bool) -> [[EventField]] {
    let (ofOne, ofBoth) = (LayoutComparison.Item.ofOne, LayoutComparison.Item.ofBoth)
    return (layout?.items ?? []).filter { listsAll || !$0.isIdentical }.map { item in
      (item.onlyIn == nil ? ofBoth : ofOne).row(of: item)
    }
  }

  /// The figures of motion and the velocities at releases, those that differ or all of them.
  package func motionFigures(of keys: some Sequence<Key>, listsAll: Bool) -> [MotionFigure] {
    let several = max(outcomesOfA.count, outcomesOfB.count) > 1
    return keys.flatMap { key in
      let own = key.velocities.first?.estimator
      let figures = key.motions.flatMap { motion in
        MotionMetrics.fields.map { field in
          (
            motion.transition, field.name, motion.a.flatMap(field.number),
            motion.b.flatMap(field.number)
          )
        }
      }
      let velocities = key.velocities.filter { listsAll || $0.estimator == own }
        .map { ($0.transition, "velocity \($0.estimator)", $0.a, $0.b) }
      return (figures + velocities).filter { ($2 != nil || $3 != nil) && (listsAll || $2 != $3) }
        .map { transition, name, a, b in
          MotionFigure(
            key: key.name, figure: several ? "\(name) #\(transition)" : name, a: a, b: b)
        }
    }
  }

  /// A release of a number in both runs.
  package struct ReleasePair {
    let transition: Int
    let a: Outcome?
    let b: Outcome?

    /// Whether both were decided alike.
    var isEqual: Bool { a?.decision?.outcome == b?.decision?.outcome }
  }

  /// A figure of a key's motion in both runs.
  package struct MotionFigure {
    let key: String
    let figure: String
    let a: Double?
    let b: Double?
  }

  private func verdicts(_ grade: Verdict.Grade) -> [Verdict] {
    allVerdicts.filter { $0.grade == grade }
  }

  fileprivate static func sort<Record>(_ name: String) -> ResultField<Record> {
    ResultField("row", "Which sort of row it is.", inTable: false) { _ in name }
  }

  private static func verdictFields(_ hints: [String]) -> [ResultField<RunComparison>] {
    [
      sort("verdict"), ResultField("same", "Whether the runs move alike.", \.isSame),
      ResultField("align", "How the clocks are laid on each other.", \.alignment.rawValue),
      ResultField("offset_ms", "How far B's clock is moved.") {
        Double($0.timeMap.offsetNanoseconds) / 1e6
      },
      ResultField("offsetRange_ms", "From and to, if the clock is stretched.") {
        let offsets = $0.timeMap.offsets
        return $0.timeMap.isShift
          ? nil : [Double(offsets.lowerBound) / 1e6, Double(offsets.upperBound) / 1e6]
      }, ResultField("lagLimit_s", "The largest lag that is the same.", \.lagLimitSeconds),
      ResultField("coverage", "What both have, and what only one has.", coverageFields) { $0 },
      ResultField("smoothnessA", "How even A's updates were.", JankMetrics.fields) {
        $0.smoothness.a
      },
      ResultField("smoothnessB", "How even B's updates were.", JankMetrics.fields) {
        $0.smoothness.b
      },
      ResultField("layout", "The elements as a whole.", layoutFields) {
        $0.layout?.isEmpty == false ? $0 : nil
      }, ResultField("hints", "What explains the differences.") { _ in hints },
      ResultField(list: "failures", "What failed, by what matters.", Verdict.ofComparison) {
        $0.verdicts(.fail)
      },
      ResultField(list: "warnings", "What warns, by what matters.", Verdict.ofComparison) {
        $0.verdicts(.warn)
      },
    ]
  }

  private static var coverageFields: [ResultField<RunComparison>] {
    func keys(_ name: String, onlyIn side: String) -> ResultField<RunComparison> {
      ResultField(name, "Keys of \(side) alone.") { $0.keys.count { $0.onlyIn == side } }
    }
    func items(_ name: String, onlyIn side: String?) -> ResultField<RunComparison> {
      ResultField(name, "Elements of \(side ?? "both").") {
        $0.layout?.items.count { $0.onlyIn == side }
      }
    }
    func sum(
      _ name: String, _ help: String, _ count: @escaping @Sendable (CurveComparison) -> Int
    ) -> ResultField<RunComparison> {
      ResultField(name, help) {
        $0.keys.reduce(0) { $0 + ($1.comparison.map(count) ?? 0) }
      }
    }
    return [
      ResultField("keys", "Keys of both.") { $0.keys.count { $0.comparison != nil } },
      keys("keysOnlyInA", onlyIn: "A"), keys("keysOnlyInB", onlyIn: "B"),
      items("items", onlyIn: nil), items("itemsOnlyInA", onlyIn: "A"),
      items("itemsOnlyInB", onlyIn: "B"),
      sum("samples", "Samples of A that were compared.", \.matchedSampleCount),
      sum("samplesOnlyInA", "Samples of A outside B's time.", \.onlyInACount),
      sum("samplesOnlyInB", "Samples of B outside A's time.", \.onlyInBCount),
      ResultField("overlap_s", "The longest time in common.") {
        $0.keys.compactMap(\.comparison?.overlapSeconds).max()
      },
    ]
  }

  private static var layoutFields: [ResultField<RunComparison>] {
    let fields: [ResultField<LayoutComparison>] = [
      ResultField("same", "Whether every element is within the tolerance.", \.isSame),
      ResultField("framesA", "Frames of A.", \.frameCountOfA),
      ResultField("framesB", "Frames of B.", \.frameCountOfB),
      ResultField("instants", "Instants that were compared.", \.instantCount),
      ResultField("overlap_s", "The time in common.", \.overlapSeconds),
      ResultField("orderSwaps", "Pairs in another order, at the worst instant.", \.orderSwaps),
    ]
    return fields.of(\.layout) + [
      ResultField("judgedAtLag_ms", "How far B was moved for that.") { $0.layoutLagSeconds * 1000 }
    ]
  }
}

extension RunComparison.Key: ResultRow {
  private static var head: [ResultField<Self>] {
    [
      RunComparison.sort("key"), ResultField("key", "The key's name.", \.name),
      ResultField("same", "Whether it is within the tolerance.", \.isSame),
      ResultField("role", "What sort of key it is.", inTable: false, \.role),
      ResultField("unit", "The unit of its values.", \.unit),
    ]
  }

  private static var ofBoth: [ResultField<Self>] {
    CurveComparison.fields.of(\.comparison) + [
      ResultField("rateA_hz", "Samples a second in A.", inTable: false, \.rateOfA),
      ResultField("rateB_hz", "Samples a second in B.", inTable: false, \.rateOfB),
      ResultField(
        list: "motion", "How it moved.", RunComparison.Motion.fields, inTable: false, \.motions),
      ResultField(
        list: "velocity", "How fast it was.", RunComparison.ReleaseVelocity.fields, inTable: false,
        \.velocities),
    ]
  }

  private static let onlyIn = ResultField<Self>("onlyIn", "The only run that has it.", \.onlyIn)
  private static var judgements: ResultField<Self> {
    ResultField(
      list: "judgements", "What was judged.", Verdict.ofComparison, inTable: false, \.verdicts)
  }

  package static var fields: [ResultField<Self>] { head + [onlyIn] + ofBoth + [judgements] }

  /// Without the figures of a comparison if only one run has the key.
  package var row: [EventField] {
    (Self.head + (comparison == nil ? [Self.onlyIn] : Self.ofBoth) + [Self.judgements])
      .row(of: self)
  }
}

extension CurveComparison: ResultRow {
  package static var fields: [ResultField<Self>] {
    func hidden<Value: FieldConvertible>(
      _ name: String, _ help: String, _ read: @escaping @Sendable (Self) -> Value
    ) -> ResultField<Self> { ResultField(name, help, inTable: false, read) }
    return [
      hidden("matched", "Samples of A that were compared.", \.matchedSampleCount),
      hidden("onlyInA", "Samples of A outside B's time.", \.onlyInACount),
      hidden("onlyInB", "Samples of B outside A's time.", \.onlyInBCount),
      hidden("overlap_s", "The time in common.", \.overlapSeconds),
      ResultField("max", "The largest distance.", \.aligned?.maximum),
      ResultField("p95", "95 % of the distances are no larger.", \.aligned?.percentile95),
      hidden("meanAbs", "The mean distance.", \.aligned?.meanAbsolute),
      ResultField("rmse", "The root mean square of the distance.", \.aligned?.rootMeanSquare),
      ResultField("bias", "The mean of B minus A.", \.aligned?.bias),
      hidden("maxPercent", "The largest distance, of the range.") { curve in
        curve.aligned.flatMap { curve.shareOfRange($0.maximum) }.percent
      },
      hidden("lag_s", "By how much B is later.", \.lagSeconds),
      ResultField(.lag, unit: "ms", "The same.", isJudged: true) { $0.lagSeconds * 1000 },
      hidden("lagAtLimit", "Whether it is at the end of the search.", \.lagIsAtLimit),
      hidden("residual", "The distance that the lag leaves.", \.residual),
      ResultField(
        .residual, as: "residualPercent", unit: "%", "The same, of the range.", isJudged: true,
        \.residualShareOfRange.percent),
      hidden("gain", "How many times as far B goes.", \.fit?.gain),
      hidden("offset", "What is added then.", \.fit?.offset),
      hidden("residualAfterGain", "The distance that this leaves.", \.fit?.residual),
      hidden("timeScale", "How many times as long B takes.", \.timeScale?.factor),
      hidden("residualAfterTimeScale", "The distance that this leaves.", \.timeScale?.residual),
      hidden("frameIncrement", "How differently they change in a frame.", \.frameIncrement),
      hidden("increment100ms", "The same in 100 ms.", \.longIncrement),
      hidden("warpCost", "The distance that stretching leaves.", \.warp?.meanCost),
      ResultField(.warp, unit: "ms", "The largest stretch.", inTable: false, isJudged: true) {
        ($0.warp?.largestSeconds).milliseconds
      },
      hidden("warpStep_ms", "The smallest stretch.") { ($0.warp?.stepSeconds).milliseconds },
      hidden("range", "A's largest value minus its smallest.", \.rangeOfA),
      hidden("interpolation", "How values go on between samples.") {
        $0.isStep ? "hold" : "linear"
      },
    ]
  }
}

extension RunComparison.Motion: ResultRow {
  package static var fields: [ResultField<Self>] {
    [ResultField("transition", "The number of the release.", \.transition)]
      + MotionMetrics.fields.sideBySide(\.a, \.b)
  }
}

extension RunComparison.ReleaseVelocity: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("transition", "The number of the release.", \.transition),
      ResultField("estimator", "The estimator that tells it.", \.estimator),
      ResultField("a", "In A.", \.a), ResultField("b", "In B.", \.b),
    ]
  }
}

extension RunComparison.MotionFigure: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("key", "The key's name.", \.key),
      ResultField("figure", "The figure's name, with the number of the release.", \.figure),
      ResultField("a", "In A.", \.a), ResultField("b", "In B.", \.b),
      ResultField("delta", "B minus A.") { figure in
        figure.a.flatMap { a in figure.b.map { $0 - a } }
      },
    ]
  }
}

extension RunComparison.ReleasePair: ResultRow {
  package static var fields: [ResultField<Self>] {
    let decisions: [ResultField<RunComparison.Outcome>] = [
      ResultField("decision", "Finish or cancel.") { $0.decision?.outcome },
      ResultField("derived", "By what a release was derived.") { $0.decision?.derived },
      ResultField("recomputed", "What its own rule says now.") { $0.recomputed?.outcome },
    ]
    let numbers: [ResultField<RunComparison.Outcome>] = [
      ResultField("threshold", "The rule's threshold.", inTable: false) {
        $0.decision?.recorded?.threshold
      },
      ResultField("progress", "The progress at the release.", inTable: false) {
        $0.decision?.progress
      },
      ResultField("margin", "How far it was from flipping.") {
        $0.decision?.recorded?.marginProgress
      },
    ]
    let settleTime = ResultField<RunComparison.Outcome>(
      "settleTime_s", "How long the rest took.", inTable: false, \.settleTimeSeconds)
    return [
      RunComparison.sort("decision"),
      ResultField("same", "Whether both were decided alike.", inTable: false, \.isEqual),
      ResultField("transition", "The number of the release.", \.transition),
    ] + decisions.sideBySide(\.a, \.b)
      + [ResultField("flip", "Whether they were not.", inTable: false) { !$0.isEqual }]
      + numbers.sideBySide(\.a, \.b) + [
        settleTime.of(\.a).named("settleTimeA_s"), settleTime.of(\.b).named("settleTimeB_s"),
      ]
  }
}

extension LayoutComparison.Item: ResultRow {
  private static var head: [ResultField<Self>] {
    [
      RunComparison.sort("item"), ResultField("item", "The element's id.", \.identity.id),
      ResultField("same", "Whether it is within the tolerance.", \.isSame),
      ResultField("category", "Its category.", inTable: false, \.identity.category),
      ResultField("kind", "Its kind.", inTable: false, \.identity.elementKind),
    ]
  }

  /// The time in which only one run shows it.
  static let alone = ResultField<Self>("alone_s", "The time of one run alone.", \.aloneSeconds)

  fileprivate static var ofOne: [ResultField<Self>] {
    head + [ResultField("onlyIn", "The only run that has it.", \.onlyIn)]
  }

  fileprivate static var ofBoth: [ResultField<Self>] { head + figures }

  private static var figures: [ResultField<Self>] {
    [
      ResultField("shared_s", "The time of both.", inTable: false, \.sharedSeconds),
      ResultField("distance", "The largest distance.", \.maxDistance),
      ResultField("distanceAt_ns", "When that was.", inTable: false, \.timeOfMaxDistance),
      ResultField("rmsDistance", "The root mean square of the distance.", \.rmsDistance),
      ResultField("sizeError", "The largest difference of size.", \.maxSizeError),
      ResultField("iou", "The smallest intersection over union.", \.minIoU),
      ResultField("alphaError", "The largest difference of alpha.", \.maxAlphaError),
      ResultField("orderSwaps", "Elements in another order.", \.orderSwaps), alone,
      ResultField("changesA", "Changes of presence in A.", inTable: false, \.changesInA),
      ResultField("changesB", "Changes of presence in B.", inTable: false, \.changesInB),
      ResultField("changeShift_ms", "How far these are apart.", \.changeSeconds.milliseconds),
    ]
  }

  package static var fields: [ResultField<Self>] { ofOne + figures }
}

extension StructureDifference: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      RunComparison.sort("structure"),
      ResultField("same", "Never.", inTable: false) { _ in false },
      ResultField("part", "What sort of thing it is.", \.part),
      ResultField("name", "Which one.", \.name),
      ResultField("a", "In A.", \.a), ResultField("b", "In B.", \.b),
    ]
  }
}
