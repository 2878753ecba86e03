import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineStore

/// A comparison as rows: one list for programs, and the same rows in sections for people.
struct ComparisonReport {
  let comparison: RunComparison
  let a: SessionArgument
  let b: SessionArgument
  /// Whether rows are printed of what is the same, and however many there are.
  let listsAll: Bool

  /// By what matters: decisions, settings, keys and elements, and the verdict last.
  var rows: [[EventField]] {
    decisionRows + structureRows + comparison.keys.map(keyRow) + itemRows + [verdictRow]
  }

  /// Everything that a row can have, for formats with one header.
  static var columns: [String] {
    ["row", "same"] + keyFields + decisionFields + itemFields + structureFields + verdictFields
  }

  private static var keyFields: [String] {
    [
      "key", "role", "unit", "onlyIn", "matched", "onlyInA", "onlyInB", "overlap_s", "max", "p95",
      "meanAbs", "rmse", "bias", "maxPercent", "lag_s", "lag_ms", "lagAtLimit", "residual",
      "residualPercent",
      "gain", "offset", "residualAfterGain", "timeScale", "residualAfterTimeScale",
      "frameIncrement",
      "increment100ms", "warpCost",
      "warp_ms", "warpStep_ms", "range", "interpolation", "rateA_hz", "rateB_hz", "motion",
      "velocity", "judgements",
    ]
  }

  private static var decisionFields: [String] {
    [
      "transition", "decisionA", "decisionB", "derivedA", "derivedB", "recomputedA", "recomputedB",
      "flip", "thresholdA",
      "thresholdB", "progressA", "progressB", "marginA", "marginB", "settleTimeA_s",
      "settleTimeB_s",
    ]
  }

  private static var itemFields: [String] {
    [
      "item", "category", "kind", "shared_s", "distance", "distanceAt_ns", "rmsDistance",
      "sizeError", "iou", "alphaError", "orderSwaps", "alone_s", "changesA", "changesB",
      "changeShift_ms",
    ]
  }

  private static var structureFields: [String] {
    ["part", "name", "a", "b"]
  }

  private static var verdictFields: [String] {
    [
      "align", "offset_ms", "offsetRange_ms", "lagLimit_s", "coverage", "smoothnessA",
      "smoothnessB", "layout", "hints", "failures", "warnings",
    ]
  }

  func keyRow(_ key: RunComparison.Key) -> [EventField] {
    var fields = [
      EventField("row", .text("key")), EventField("key", .text(key.name)),
      EventField("same", .flag(key.isSame)),
      EventField("role", .text(key.role.rawValue)), EventField("unit", .text(key.unit)),
    ]
    let verdicts = EventField("judgements", .list(key.verdicts.map(verdictObject)))
    guard let comparison = key.comparison else {
      return fields + [EventField("onlyIn", FieldValue(key.onlyIn)), verdicts]
    }
    fields += curveFields(comparison)
    fields += [
      EventField("interpolation", .text(comparison.isStep ? "hold" : "linear")),
      EventField("rateA_hz", FieldValue(key.rateOfA)),
      EventField("rateB_hz", FieldValue(key.rateOfB)),
      EventField("motion", .list(key.motions.map(motionObject))),
      EventField("velocity", .list(key.velocities.map(velocityObject))), verdicts,
    ]
    return fields
  }

  private func curveFields(_ comparison: CurveComparison) -> [EventField] {
    let aligned = comparison.aligned
    let warp = comparison.warp
    return [
      EventField("matched", FieldValue(comparison.matchedSampleCount)),
      EventField("onlyInA", FieldValue(comparison.onlyInACount)),
      EventField("onlyInB", FieldValue(comparison.onlyInBCount)),
      EventField("overlap_s", .number(comparison.overlapSeconds)),
      EventField("max", FieldValue(aligned?.maximum)),
      EventField("p95", FieldValue(aligned?.percentile95)),
      EventField("meanAbs", FieldValue(aligned?.meanAbsolute)),
      EventField("rmse", FieldValue(aligned?.rootMeanSquare)),
      EventField("bias", FieldValue(aligned?.bias)),
      EventField(
        "maxPercent",
        FieldValue(aligned.flatMap { comparison.shareOfRange($0.maximum) }.map { $0 * 100 })),
      EventField("lag_s", .number(comparison.lagSeconds)),
      EventField("lag_ms", .number(comparison.lagSeconds * 1000)),
      EventField("lagAtLimit", .flag(comparison.lagIsAtLimit)),
      EventField("residual", FieldValue(comparison.residual)),
      EventField("residualPercent", FieldValue(comparison.residualShareOfRange.map { $0 * 100 })),
      EventField("gain", FieldValue(comparison.fit?.gain)),
      EventField("offset", FieldValue(comparison.fit?.offset)),
      EventField("residualAfterGain", FieldValue(comparison.fit?.residual)),
      EventField("timeScale", FieldValue(comparison.timeScale?.factor)),
      EventField("residualAfterTimeScale", FieldValue(comparison.timeScale?.residual)),
      EventField("frameIncrement", FieldValue(comparison.frameIncrement)),
      EventField("increment100ms", FieldValue(comparison.longIncrement)),
      EventField("warpCost", FieldValue(warp?.meanCost)),
      EventField("warp_ms", FieldValue(warp.map { $0.largestSeconds * 1000 })),
      EventField("warpStep_ms", FieldValue(warp.map { $0.stepSeconds * 1000 })),
      EventField("range", .number(comparison.rangeOfA)),
    ]
  }

  /// The releases, side by side.
  var decisionRows: [[EventField]] {
    let count = max(comparison.outcomesOfA.count, comparison.outcomesOfB.count)
    return (0..<count).map { index in
      let a = comparison.outcomesOfA.indices.contains(index) ? comparison.outcomesOfA[index] : nil
      let b = comparison.outcomesOfB.indices.contains(index) ? comparison.outcomesOfB[index] : nil
      let isEqual = a?.decision?.outcome == b?.decision?.outcome
      return [
        EventField("row", .text("decision")), EventField("same", .flag(isEqual)),
        EventField("transition", .integer(Int64(index))),
        EventField("decisionA", FieldValue(a?.decision?.outcome.rawValue)),
        EventField("decisionB", FieldValue(b?.decision?.outcome.rawValue)),
        EventField("derivedA", FieldValue(a?.decision?.derived?.rawValue)),
        EventField("derivedB", FieldValue(b?.decision?.derived?.rawValue)),
        EventField("recomputedA", FieldValue(a?.recomputed?.outcome.rawValue)),
        EventField("recomputedB", FieldValue(b?.recomputed?.outcome.rawValue)),
        EventField("flip", .flag(!isEqual)),
        EventField("thresholdA", FieldValue(a?.decision?.recorded?.threshold)),
        EventField("thresholdB", FieldValue(b?.decision?.recorded?.threshold)),
        EventField("progressA", FieldValue(a?.decision?.progress)),
        EventField("progressB", FieldValue(b?.decision?.progress)),
        EventField("marginA", FieldValue(a?.decision?.recorded?.marginProgress)),
        EventField("marginB", FieldValue(b?.decision?.recorded?.marginProgress)),
        EventField("settleTimeA_s", FieldValue(a?.settleTimeSeconds)),
        EventField("settleTimeB_s", FieldValue(b?.settleTimeSeconds)),
      ]
    }
  }

  /// The elements of which anything differs, or all of them.
  var itemRows: [[EventField]] {
    (comparison.layout?.items ?? []).filter { listsAll || !$0.isIdentical }.map { item in
      let head = [
        EventField("row", .text("item")), EventField("item", .text(item.identity.id)),
        EventField("same", .flag(item.isSame)),
        EventField("category", .text(item.identity.category.rawValue)),
        EventField("kind", FieldValue(item.identity.elementKind)),
      ]
      if let onlyIn = item.onlyIn { return head + [EventField("onlyIn", .text(onlyIn))] }
      return head + [
        EventField("shared_s", .number(item.sharedSeconds)),
        EventField("distance", .number(item.maxDistance)),
        EventField("distanceAt_ns", FieldValue(item.timeOfMaxDistance)),
        EventField("rmsDistance", .number(item.rmsDistance)),
        EventField("sizeError", .number(item.maxSizeError)),
        EventField("iou", FieldValue(item.minIoU)),
        EventField("alphaError", .number(item.maxAlphaError)),
        EventField("orderSwaps", FieldValue(item.orderSwaps)),
        EventField("alone_s", .number(item.aloneSeconds)),
        EventField("changesA", FieldValue(item.changesInA)),
        EventField("changesB", FieldValue(item.changesInB)),
        EventField("changeShift_ms", FieldValue(item.changeSeconds.map { $0 * 1000 })),
      ]
    }
  }

  /// What the runs were set up with, as far as it differs.
  var structureRows: [[EventField]] {
    comparison.structure.map { difference in
      [
        EventField("row", .text("structure")), EventField("same", .flag(false)),
        EventField("part", .text(difference.part.rawValue)),
        EventField("name", .text(difference.name)),
        EventField("a", FieldValue(difference.a)), EventField("b", FieldValue(difference.b)),
      ]
    }
  }

  private var verdictRow: [EventField] {
    let map = comparison.timeMap
    return [
      EventField("row", .text("verdict")), EventField("same", .flag(comparison.isSame)),
      EventField("align", .text(comparison.alignment.rawValue)),
      EventField("offset_ms", .number(Double(map.offsetNanoseconds) / 1e6)),
      EventField(
        "offsetRange_ms",
        map.isShift
          ? .null
          : .list([
            .number(Double(map.offsets.lowerBound) / 1e6),
            .number(Double(map.offsets.upperBound) / 1e6),
          ])), EventField("lagLimit_s", .number(comparison.lagLimitSeconds)),
      EventField("coverage", .object(coverageFields)),
      EventField("smoothnessA", .object(smoothnessFields(comparison.smoothness.a))),
      EventField("smoothnessB", .object(smoothnessFields(comparison.smoothness.b))),
      EventField("layout", layoutObject), EventField("hints", .list(hints.map(FieldValue.text))),
      EventField("failures", verdictList(.fail)), EventField("warnings", verdictList(.warn)),
    ]
  }

  /// What was found so, by what matters.
  private func verdictList(_ grade: Verdict.Grade) -> FieldValue {
    .list(comparison.allVerdicts.filter { $0.grade == grade }.map(verdictObject))
  }

  /// What both runs have, and what only one of them has.
  var coverageFields: [EventField] {
    let pairs = comparison.keys.compactMap(\.comparison)
    func count(_ name: String) -> FieldValue {
      FieldValue(comparison.keys.filter { $0.onlyIn == name }.count)
    }
    let items = comparison.layout?.items
    return [
      EventField("keys", FieldValue(pairs.count)), EventField("keysOnlyInA", count("A")),
      EventField("keysOnlyInB", count("B")),
      EventField("items", FieldValue(items?.filter { $0.onlyIn == nil }.count)),
      EventField("itemsOnlyInA", FieldValue(items?.filter { $0.onlyIn == "A" }.count)),
      EventField("itemsOnlyInB", FieldValue(items?.filter { $0.onlyIn == "B" }.count)),
      EventField("samples", FieldValue(pairs.reduce(0) { $0 + $1.matchedSampleCount })),
      EventField("samplesOnlyInA", FieldValue(pairs.reduce(0) { $0 + $1.onlyInACount })),
      EventField("samplesOnlyInB", FieldValue(pairs.reduce(0) { $0 + $1.onlyInBCount })),
      EventField("overlap_s", FieldValue(pairs.map(\.overlapSeconds).max())),
    ]
  }

  private var layoutObject: FieldValue {
    guard let layout = comparison.layout, !layout.isEmpty else { return .null }
    return .object([
      EventField("same", .flag(layout.isSame)),
      EventField("framesA", FieldValue(layout.frameCountOfA)),
      EventField("framesB", FieldValue(layout.frameCountOfB)),
      EventField("instants", FieldValue(layout.instantCount)),
      EventField("overlap_s", .number(layout.overlapSeconds)),
      EventField("orderSwaps", FieldValue(layout.orderSwaps)),
      EventField("judgedAtLag_ms", .number(comparison.layoutLagSeconds * 1000)),
    ])
  }
}
