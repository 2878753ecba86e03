import MotionMeasures
import MotionPhysics
package import TimelineModel
import TimelineSession
import TimelineStore

extension RunComparison {
  /// Gives the rows that `kymo compare` prints, by what matters: decisions, settings, keys and elements, the verdict last.
  ///
  /// - Parameters:
  ///   - listsAll: Whether elements are among them of which nothing differs.
  ///   - hints: What the verdict says in sentences.
  ///   - more: Fields of the verdict behind its own.
  package func forEachRow(
    listsAll: Bool, hints: [String], endingWith more: [EventField], _ body: ([EventField]) -> Void
  ) {
    (releasePairs.rows + structure.rows).forEach(body)
    // One by one: those of many keys take much memory.
    keyRows.forEach(body)
    itemRows(listsAll: listsAll).forEach(body)
    body(RunComparison.verdictFields(hints).row(of: self) + more)
  }

  /// The row of each key, made when it is asked for.
  package var keyRows: LazyMapCollection<ComparedKeys, [EventField]> {
    let fields = Key.fields
    return keys.lazy.map { fields.row(of: $0) }
  }

  /// All columns of these rows.
  package static var columns: [ResultColumn] {
    let ofVerdict: [ResultColumn] = verdictFields([]).described()
    return
      (ofVerdict[..<2] + Key.fields.described() + ReleasePair.fields.described()
      + LayoutComparison.Item.fields.described() + StructureDifference.fields.described()
      + ofVerdict).distinct
  }

  /// The releases of both sessions, side by side.
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
      for velocity in key.velocities {
        add(velocity.transition, "velocity \(velocity.estimator)", velocity.a, velocity.b)
      }
      return rows
    }
  }

  /// A release of a number in both sessions.
  package struct ReleasePair {
    let transition: Int
    let a: Outcome?
    let b: Outcome?

    /// Whether both were decided alike.
    var isEqual: Bool { a?.decision?.outcome == b?.decision?.outcome }
  }

  private func verdicts(_ grade: Verdict.Grade) -> [Verdict] {
    verdicts { $0.grade == grade }
  }

  fileprivate static func sort<Record>(_ name: String) -> ResultField<Record> {
    ResultField("row", "The kind of row, such as key or verdict.", inTable: false) { _ in name }
  }

  private static func verdictFields(_ hints: [String]) -> [ResultField<RunComparison>] {
    [
      sort("verdict"), ResultField("same", "Whether A and B are within the tolerance.", \.isSame),
      ResultField("align", "The method that aligned the clocks of A and B.", \.alignment.rawValue),
      ResultField("offset_ms", "The shift of B's clock.") {
        Double($0.timeMap.offsetNanoseconds) / 1e6
      },
      ResultField("offset_range_ms", "The range of shifts of a stretched clock.") { (run: Self) in
        let ends = [run.timeMap.offsets.lowerBound, run.timeMap.offsets.upperBound]
        return run.timeMap.isShift ? nil : ends.map { Double($0) / 1e6 }
      },
      ResultField("lag_limit_s", "The largest lag that counts as the same.", \.lagLimitSeconds),
      ResultField("coverage", "Counts of parts in both sessions or in one.", coverageFields) { $0 },
      ResultField("smoothness_a", "Update hitches in A.", FrameMetrics.fields, \.smoothness.a),
      ResultField("smoothness_b", "Update hitches in B.", FrameMetrics.fields, \.smoothness.b),
      ResultField("layout", "The comparison of all elements.", layoutFields) {
        $0.layout?.isEmpty == false ? $0 : nil
      }, ResultField("hints", "Explanations of the differences, in sentences.") { _ in hints },
      ResultField(list: "failures", "The failures.", Verdict.ofComparison) { $0.verdicts(.fail) },
      ResultField(list: "warnings", "The warnings.", Verdict.ofComparison) { $0.verdicts(.warn) },
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
      field("keys", "Number of keys in both.") { $0.keys.count { $0.comparison != nil } },
      field("keys_only_in_a", "Number of keys only in A.") { $0.keys.count { $0.onlyIn == "A" } },
      field("keys_only_in_b", "Number of keys only in B.") { $0.keys.count { $0.onlyIn == "B" } },
      field("items", "Number of elements in both.", items(nil)),
      field("items_only_in_a", "Number of elements only in A.", items("A")),
      field("items_only_in_b", "Number of elements only in B.", items("B")),
      field("samples", "Number of compared samples of A.", sum(\.matchedSampleCount)),
      field("samples_only_in_a", "Number of samples of A outside B's time.", sum(\.onlyInACount)),
      field("samples_only_in_b", "Number of samples of B outside A's time.", sum(\.onlyInBCount)),
      ResultField("overlap_s", "The longest time that both sessions have of a key.") {
        $0.keys.lazy.compactMap(\.comparison?.overlapSeconds).max()
      },
    ]
  }

  private static var layoutFields: [ResultField<RunComparison>] {
    let fields: [ResultField<LayoutComparison>] = [
      ResultField("same", "Whether every element is within the tolerance.", \.isSame),
      ResultField("frames_a", "The number of frames of session A.", \.frameCountOfA),
      ResultField("frames_b", "The number of frames of session B.", \.frameCountOfB),
      ResultField("instants", "The number of compared instants.", \.instantCount),
      ResultField("overlap_s", "The time in which both sessions have frames.", \.overlapSeconds),
      ResultField("order_swaps", "The most pairs of elements in another order.", \.orderSwaps),
    ]
    return fields.of(\.layout) + [
      ResultField("judged_at_lag_ms", "The shift of B at which elements were compared.") {
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
      ResultField("role", "The role: progress, animated or custom.", inTable: false, \.role),
      ResultField("unit", "The unit of the key's values.", \.unit),
    ]
  }

  private static var ofBoth: [ResultField<Self>] {
    CurveComparison.fields.of(\.comparison) + [
      ResultField("rate_hz_a", "The mean sample rate in A.", inTable: false, \.rateOfA),
      ResultField("rate_hz_b", "The mean sample rate in B.", inTable: false, \.rateOfB),
      ResultField(list: "motion", "The figures of each motion.", motion, inTable: false, \.motions),
      ResultField(list: "velocity", "Release velocities.", velocity, inTable: false, \.velocities),
    ]
  }

  private static var motion: [ResultField<RunComparison.Motion>] {
    [ResultField("transition", "The transition's number, counted from 0.", \.transition)]
      + MotionMetrics.fields.sideBySide(\.a, \.b)
  }

  private static var velocity: [ResultField<RunComparison.ReleaseVelocity>] {
    [
      ResultField("transition", "The transition's number, counted from 0.", \.transition),
      ResultField("estimator", "The estimator of the velocity.", \.estimator),
      ResultField("a", "The velocity in A.", \.a), ResultField("b", "The velocity in B.", \.b),
    ]
  }

  private static let onlyIn = ResultField<Self>("only_in", "A or B, if only one has it.", \.onlyIn)
  private static var judgements: ResultField<Self> {
    ResultField(
      list: "judgements", "The key's verdicts.", Verdict.ofComparison, inTable: false, \.verdicts)
  }

  /// Without the figures of a comparison if only one session has the key.
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
      hidden("matched", "Number of compared samples of A.", \.matchedSampleCount),
      hidden("only_in_a", "Number of samples of A outside B's time.", \.onlyInACount),
      hidden("only_in_b", "Number of samples of B outside A's time.", \.onlyInBCount),
      hidden("overlap_s", "The time that both sessions have of the key.", \.overlapSeconds),
      ResultField("max", "The largest distance between A and B.", \.aligned?.maximum),
      ResultField("p95", "95 % of the time the distance is no larger.", \.aligned?.percentile95),
      hidden("mean_abs", "The mean distance between A and B.", \.aligned?.meanAbsolute),
      ResultField("rmse", "The root mean square distance of A and B.", \.aligned?.rootMeanSquare),
      ResultField("bias", "The mean of B minus A.", \.aligned?.bias),
      hidden("max_percent", "The largest distance in % of A's range.", \.largestShare.percent),
      hidden("lag_s", "The time by which B is later than A.", \.lagSeconds),
      ResultField(.lag, "ms", "The time by which B is later than A.", \.lagSeconds.milliseconds),
      hidden("lag_at_limit", "Whether the lag is at the limit of the search.", \.lagIsAtLimit),
      hidden("residual", "The root mean square distance without the lag.", \.residual),
      ResultField(.residual, "%", "The residual over A's range.", \.residualShareOfRange.percent),
      hidden("gain", "The gain in B = offset + gain * A.", \.fit?.gain),
      hidden("offset", "The offset in B = offset + gain * A.", \.fit?.offset),
      hidden("residual_after_gain", "The distance that remains after the gain.", \.fit?.residual),
      hidden("time_scale", "The factor from A's duration to B's.", \.timeScale?.factor),
      hidden("residual_after_time_scale", "The distance after time_scale.", \.timeScale?.residual),
      hidden("frame_increment", "The difference of the changes in a frame.", \.frameIncrement),
      hidden("long_increment", "The difference of the changes in 100 ms.", \.longIncrement),
      hidden("warp_cost", "The mean distance after stretching time.", \.warp?.meanCost),
      ResultField(
        .warp, "ms", "Largest time shift.", inTable: false, \.warp?.largestSeconds.milliseconds),
      hidden("warp_step_ms", "The time step of the stretching.", \.warp?.stepSeconds.milliseconds),
      hidden("range", "A's largest value minus its smallest.", \.rangeOfA),
      hidden("interpolation", "Interpolation: linear or hold.") { $0.isStep ? "hold" : "linear" },
    ]
  }
}

extension RunComparison.ReleasePair: ResultRow {
  package static var fields: [ResultField<Self>] {
    let decisions: [ResultField<RunComparison.Outcome>] = [
      ResultField("decision", "The outcome: finish or cancel.", \.decision?.outcome),
      ResultField("derived", "The source of a derived release, such as lift.", \.decision?.derived),
      ResultField("recomputed", "The outcome with the session's rule now.", \.recomputed?.outcome),
    ]
    func hidden(
      _ name: String, _ help: String,
      _ read: @escaping @Sendable (RunComparison.Outcome) -> Double?
    ) -> ResultField<RunComparison.Outcome> { ResultField(name, help, inTable: false, read) }
    let numbers: [ResultField<RunComparison.Outcome>] = [
      hidden("threshold", "The threshold of the release rule.", \.decision?.recorded?.threshold),
      hidden("progress", "The progress at the release.", \.decision?.progress),
      ResultField("margin", "The margin of the decision.", \.margin),
      hidden(
        ReleaseEstimate.settleTime.column, "The time until the motion settles.",
        \.settleTimeSeconds),
    ]
    return [
      RunComparison.sort("decision"),
      ResultField("same", "Whether the decisions are the same.", inTable: false, \.isEqual),
      ResultField("transition", "The transition's number, counted from 0.", \.transition),
    ] + decisions.sideBySide(\.a, \.b)
      + [ResultField("flip", "Whether the decisions differ.", inTable: false) { !$0.isEqual }]
      + numbers.sideBySide(\.a, \.b)
  }
}

extension LayoutComparison.Item: ResultRow {
  private static var head: [ResultField<Self>] {
    [
      RunComparison.sort("item"), ResultField("item", "The element's id.", \.identity.id),
      ResultField("same", "Whether it is within the tolerance.", \.isSame),
      ResultField("category", "The element's category.", inTable: false, \.identity.category),
      ResultField("element_kind", "The element's kind.", inTable: false, \.identity.elementKind),
    ]
  }

  /// How far it is away over all the time of both.
  static let rms = ResultField<Self>(
    "rms_distance_pt", "The root mean square distance of the element's centers.", \.rmsDistance)

  /// The time in which only one session shows it.
  static let alone = ResultField<Self>("alone_s", "The time in one session alone.", \.aloneSeconds)

  fileprivate static var ofOne: [ResultField<Self>] {
    head + [ResultField("only_in", "A or B, if only one session has the element.", \.onlyIn)]
  }

  fileprivate static var ofBoth: [ResultField<Self>] { head + figures }

  private static var figures: [ResultField<Self>] {
    [
      ResultField("shared_s", "The time shown in both sessions.", inTable: false, \.sharedSeconds),
      ResultField(
        .layoutDistance, "pt", "The largest distance of centers.", isJudged: false, \.maxDistance),
      ResultField(
        "layout_distance_at_ns", "The instant of the largest distance.", inTable: false,
        \.timeOfMaxDistance),
      rms,
      ResultField("size_error_pt", "The largest difference of width or height.", \.maxSizeError),
      ResultField("iou", "The smallest intersection over union of the frames.", \.minIoU),
      ResultField("alpha_error", "The largest difference of opacity.", \.maxAlphaError),
      ResultField(
        .orderSwaps, "1", "Elements drawn in another order.", isJudged: false, \.orderSwaps), alone,
      ResultField("changes_a", "Times it appears or leaves, in A.", inTable: false, \.changesInA),
      ResultField("changes_b", "Times it appears or leaves, in B.", inTable: false, \.changesInB),
      ResultField(
        .appearance, "ms", "Largest time between an appearance or exit in A and B.",
        isJudged: false,
        \.changeSeconds.milliseconds),
    ]
  }

  package static var fields: [ResultField<Self>] { ofOne + figures }
}

extension StructureDifference: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      RunComparison.sort("structure"),
      ResultField("same", "Never: the part differs.", inTable: false) { _ in false },
      ResultField("part", "The kind of part: session, layout, key or event.", \.part),
      ResultField("name", "The name of what differs, such as settle.stiffness.", \.name),
      ResultField("a", "The value in A.", \.a), ResultField("b", "The value in B.", \.b),
    ]
  }
}
