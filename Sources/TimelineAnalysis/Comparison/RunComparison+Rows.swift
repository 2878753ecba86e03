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
    releasePairs.rows + structure.rows + keys.rows
      + itemRows(listsAll: listsAll) + [RunComparison.verdictFields(hints).row(of: self)]
  }

  /// All columns of these rows.
  package static var columns: [ResultColumn] {
    let ofVerdict: [ResultColumn] = verdictFields([]).described()
    return
      (ofVerdict[..<2] + Key.fields.described() + ReleasePair.fields.described()
      + LayoutComparison.Item.fields.described() + StructureDifference.fields.described()
      + ofVerdict).distinct
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
  package func motionRows(of keys: some Sequence<Key>, listsAll: Bool) -> [[EventField]] {
    let several = max(outcomesOfA.count, outcomesOfB.count) > 1
    return keys.flatMap { key in
      var rows: [[EventField]] = []
      func add(_ transition: Int, _ name: String, _ a: Double?, _ b: Double?) {
        guard a != nil || b != nil, listsAll || a != b else { return }
        rows.append(
          EventField.list([
            "key": key.name, "figure": several ? "\(name) #\(transition)" : name, "a": a, "b": b,
            "delta": a.flatMap { a in b.map { $0 - a } },
          ]))
      }
      for motion in key.motions {
        for field in MotionMetrics.fields {
          add(
            motion.transition, field.name, motion.a.flatMap(field.number),
            motion.b.flatMap(field.number))
        }
      }
      let own = key.velocities.first?.estimator
      for velocity in key.velocities where listsAll || velocity.estimator == own {
        add(velocity.transition, "velocity \(velocity.estimator)", velocity.a, velocity.b)
      }
      return rows
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
      ResultField("offset_range_ms", "From and to, if the clock is stretched.") { (run: Self) in
        let ends = [run.timeMap.offsets.lowerBound, run.timeMap.offsets.upperBound]
        return run.timeMap.isShift ? nil : ends.map { Double($0) / 1e6 }
      },
      ResultField("lag_limit_s", "The largest lag that is the same.", \.lagLimitSeconds),
      ResultField("coverage", "What both have, and what only one has.", coverageFields) { $0 },
      ResultField("smoothness_a", "A's updates.", JankMetrics.fields, \.smoothness.a),
      ResultField("smoothness_b", "B's updates.", JankMetrics.fields, \.smoothness.b),
      ResultField("layout", "The elements as a whole.", layoutFields) {
        $0.layout?.isEmpty == false ? $0 : nil
      }, ResultField("hints", "What explains the differences.") { _ in hints },
      ResultField(list: "failures", "What fails.", Verdict.ofComparison) { $0.verdicts(.fail) },
      ResultField(list: "warnings", "What warns.", Verdict.ofComparison) { $0.verdicts(.warn) },
    ]
  }

  private static var coverageFields: [ResultField<RunComparison>] {
    func field(
      _ name: String, _ help: String, _ count: @escaping @Sendable (Self) -> Int?
    ) -> ResultField<Self> { ResultField(name, help, count) }
    func sum(_ count: @escaping @Sendable (CurveComparison) -> Int) -> @Sendable (Self) -> Int? {
      { $0.keys.reduce(0) { $0 + ($1.comparison.map(count) ?? 0) } }
    }
    func items(_ side: String?) -> @Sendable (Self) -> Int? {
      { $0.layout?.items.count { $0.onlyIn == side } }
    }
    return [
      field("keys", "Keys of both.") { $0.keys.count { $0.comparison != nil } },
      field("keys_only_in_a", "Keys of A alone.") { $0.keys.count { $0.onlyIn == "A" } },
      field("keys_only_in_b", "Keys of B alone.") { $0.keys.count { $0.onlyIn == "B" } },
      field("items", "Elements of both.", items(nil)),
      field("items_only_in_a", "Elements of A alone.", items("A")),
      field("items_only_in_b", "Elements of B alone.", items("B")),
      field("samples", "Samples of A that were compared.", sum(\.matchedSampleCount)),
      field("samples_only_in_a", "Samples of A outside B's time.", sum(\.onlyInACount)),
      field("samples_only_in_b", "Samples of B outside A's time.", sum(\.onlyInBCount)),
      ResultField("overlap_s", "The longest time in common.") {
        $0.keys.compactMap(\.comparison?.overlapSeconds).max()
      },
    ]
  }

  private static var layoutFields: [ResultField<RunComparison>] {
    let fields: [ResultField<LayoutComparison>] = [
      ResultField("same", "Whether every element is within the tolerance.", \.isSame),
      ResultField("frames_a", "Frames of A.", \.frameCountOfA),
      ResultField("frames_b", "Frames of B.", \.frameCountOfB),
      ResultField("instants", "Instants that were compared.", \.instantCount),
      ResultField("overlap_s", "The time in common.", \.overlapSeconds),
      ResultField("order_swaps", "Pairs in another order, at the worst instant.", \.orderSwaps),
    ]
    return fields.of(\.layout) + [
      ResultField("judged_at_lag_ms", "How far B was moved for that.") {
        $0.layoutLagSeconds * 1000
      }
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
      ResultField("rate_hz_a", "Samples a second in A.", inTable: false, \.rateOfA),
      ResultField("rate_hz_b", "Samples a second in B.", inTable: false, \.rateOfB),
      ResultField(list: "motion", "How it moved.", motion, inTable: false, \.motions),
      ResultField(list: "velocity", "How fast it was.", velocity, inTable: false, \.velocities),
    ]
  }

  private static var motion: [ResultField<RunComparison.Motion>] {
    [ResultField("transition", "The number of the release.", \.transition)]
      + MotionMetrics.fields.sideBySide(\.a, \.b)
  }

  private static var velocity: [ResultField<RunComparison.ReleaseVelocity>] {
    [
      ResultField("transition", "The number of the release.", \.transition),
      ResultField("estimator", "The estimator that has it.", \.estimator),
      ResultField("a", "In A.", \.a), ResultField("b", "In B.", \.b),
    ]
  }

  private static let onlyIn = ResultField<Self>("only_in", "The only run that has it.", \.onlyIn)
  private static var judgements: ResultField<Self> {
    ResultField(
      list: "judgements", "What was judged.", Verdict.ofComparison, inTable: false, \.verdicts)
  }

  /// Without the figures of a comparison if only one run has the key.
  package static var fields: [ResultField<Self>] {
    head + [onlyIn.when { $0.comparison == nil }] + ofBoth.when { $0.comparison != nil }
      + [judgements]
  }
}

extension CurveComparison: ResultRow {
  private var largestShare: Double? { aligned.flatMap { shareOfRange($0.maximum) } }

  package static var fields: [ResultField<Self>] {
    func hidden<Value: FieldConvertible>(
      _ name: String, _ help: String, _ read: @escaping @Sendable (Self) -> Value
    ) -> ResultField<Self> { ResultField(name, help, inTable: false, read) }
    return [
      hidden("matched", "Samples of A that were compared.", \.matchedSampleCount),
      hidden("only_in_a", "Samples of A outside B's time.", \.onlyInACount),
      hidden("only_in_b", "Samples of B outside A's time.", \.onlyInBCount),
      hidden("overlap_s", "The time in common.", \.overlapSeconds),
      ResultField("max", "The largest distance.", \.aligned?.maximum),
      ResultField("p95", "95 % of the distances are no larger.", \.aligned?.percentile95),
      hidden("mean_abs", "The mean distance.", \.aligned?.meanAbsolute),
      ResultField("rmse", "The root mean square of the distance.", \.aligned?.rootMeanSquare),
      ResultField("bias", "The mean of B minus A.", \.aligned?.bias),
      hidden("max_percent", "The largest distance, of the range.", \.largestShare.percent),
      hidden("lag_s", "By how much B is later.", \.lagSeconds),
      ResultField(.lag, "ms", "The same.", \.lagSeconds.milliseconds),
      hidden("lag_at_limit", "Whether it is at the end of the search.", \.lagIsAtLimit),
      hidden("residual", "The distance that the lag leaves.", \.residual),
      ResultField(.residual, "%", "The same, of the range.", \.residualShareOfRange.percent),
      hidden("gain", "How many times as far B goes.", \.fit?.gain),
      hidden("offset", "What is added then.", \.fit?.offset),
      hidden("residual_after_gain", "The distance that this leaves.", \.fit?.residual),
      hidden("time_scale", "How many times as long B takes.", \.timeScale?.factor),
      hidden("residual_after_time_scale", "The distance that this leaves.", \.timeScale?.residual),
      hidden("frame_increment", "How differently they change in a frame.", \.frameIncrement),
      hidden("long_increment", "The same in 100 ms.", \.longIncrement),
      hidden("warp_cost", "The distance that stretching leaves.", \.warp?.meanCost),
      ResultField(
        .warp, "ms", "The largest stretch.", inTable: false, \.warp?.largestSeconds.milliseconds),
      hidden("warp_step_ms", "The smallest stretch.", \.warp?.stepSeconds.milliseconds),
      hidden("range", "A's largest value minus its smallest.", \.rangeOfA),
      hidden("interpolation", "Between samples.") { $0.isStep ? "hold" : "linear" },
    ]
  }
}

extension RunComparison.ReleasePair: ResultRow {
  package static var fields: [ResultField<Self>] {
    let decisions: [ResultField<RunComparison.Outcome>] = [
      ResultField("decision", "Finish or cancel.", \.decision?.outcome),
      ResultField("derived", "By what a release was derived.", \.decision?.derived),
      ResultField("recomputed", "What its own rule says now.", \.recomputed?.outcome),
    ]
    func hidden(
      _ name: String, _ help: String,
      _ read: @escaping @Sendable (RunComparison.Outcome) -> Double?
    ) -> ResultField<RunComparison.Outcome> { ResultField(name, help, inTable: false, read) }
    let numbers: [ResultField<RunComparison.Outcome>] = [
      hidden("threshold", "The rule's threshold.", \.decision?.recorded?.threshold),
      hidden("progress", "The progress at the release.", \.decision?.progress),
      ResultField("margin", "How far from flipping.", \.margin),
      hidden(
        ReleaseEstimate.settleTime.column, "Seconds until the settle was over.",
        \.settleTimeSeconds),
    ]
    return [
      RunComparison.sort("decision"),
      ResultField("same", "Whether both were decided alike.", inTable: false, \.isEqual),
      ResultField("transition", "The number of the release.", \.transition),
    ] + decisions.sideBySide(\.a, \.b)
      + [ResultField("flip", "Whether they were not.", inTable: false) { !$0.isEqual }]
      + numbers.sideBySide(\.a, \.b)
  }
}

extension LayoutComparison.Item: ResultRow {
  private static var head: [ResultField<Self>] {
    [
      RunComparison.sort("item"), ResultField("item", "The element's id.", \.identity.id),
      ResultField("same", "Whether it is within the tolerance.", \.isSame),
      ResultField("category", "Its category.", inTable: false, \.identity.category),
      ResultField("element_kind", "Its kind.", inTable: false, \.identity.elementKind),
    ]
  }

  /// How far it is away over all the time of both.
  static let rms = ResultField<Self>(
    "rms_distance_pt", "The root mean square of the distance.", \.rmsDistance)

  /// The time in which only one run shows it.
  static let alone = ResultField<Self>("alone_s", "The time of one run alone.", \.aloneSeconds)

  fileprivate static var ofOne: [ResultField<Self>] {
    head + [ResultField("only_in", "The only run that has it.", \.onlyIn)]
  }

  fileprivate static var ofBoth: [ResultField<Self>] { head + figures }

  private static var figures: [ResultField<Self>] {
    [
      ResultField("shared_s", "The time of both.", inTable: false, \.sharedSeconds),
      ResultField(
        .layoutDistance, "pt", "The largest distance.", isJudged: false, \.maxDistance),
      ResultField("layout_distance_at_ns", "When that was.", inTable: false, \.timeOfMaxDistance),
      rms,
      ResultField("size_error_pt", "The largest difference of size.", \.maxSizeError),
      ResultField("iou", "The smallest intersection over union.", \.minIoU),
      ResultField("alpha_error", "The largest difference of alpha.", \.maxAlphaError),
      ResultField(
        .orderSwaps, "1", "Elements in another order.", isJudged: false, \.orderSwaps), alone,
      ResultField("changes_a", "Changes of presence in A.", inTable: false, \.changesInA),
      ResultField("changes_b", "Changes of presence in B.", inTable: false, \.changesInB),
      ResultField(
        .appearance, "ms", "How far these are apart.", isJudged: false,
        \.changeSeconds.milliseconds),
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
