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
  var rows: [[Field]] {
    decisionRows + structureRows + comparison.keys.map(keyRow) + itemRows + [verdictRow]
  }

  /// Everything that a row can have, for formats with one header.
  static let columns =
    ["row", "same"] + keyFields + decisionFields + itemFields + structureFields + verdictFields

  private static let keyFields = [
    "key", "role", "unit", "onlyIn", "matched", "onlyInA", "onlyInB", "overlap_s", "max", "p95",
    "meanAbs", "rmse", "bias", "maxPercent", "lag_s", "lag_ms", "lagAtLimit", "residual",
    "residualPercent",
    "gain", "offset", "residualAfterGain", "timeScale", "residualAfterTimeScale", "frameIncrement",
    "increment100ms", "warpCost",
    "warp_ms", "warpStep_ms", "range", "interpolation", "rateA_hz", "rateB_hz", "motion",
    "velocity", "judgements",
  ]

  private static let decisionFields = [
    "transition", "decisionA", "decisionB", "derivedA", "derivedB", "recomputedA", "recomputedB",
    "flip", "thresholdA",
    "thresholdB", "progressA", "progressB", "marginA", "marginB", "settleTimeA_s",
    "settleTimeB_s",
  ]

  private static let itemFields = [
    "item", "category", "kind", "shared_s", "distance", "distanceAt_ns", "rmsDistance",
    "sizeError", "iou", "alphaError", "orderSwaps", "alone_s", "changesA", "changesB",
    "changeShift_ms",
  ]

  private static let structureFields = ["part", "name", "a", "b"]

  private static let verdictFields = [
    "align", "offset_ms", "offsetRange_ms", "lagLimit_s", "coverage", "smoothnessA",
    "smoothnessB", "layout", "hints", "failures", "warnings",
  ]

  /// One key.
  func keyRow(_ key: RunComparison.Key) -> [Field] {
    var fields = [
      Field("row", .text("key")), Field("key", .text(key.name)), Field("same", .flag(key.isSame)),
      Field("role", .text(key.role.rawValue)), Field("unit", .text(key.unit)),
    ]
    let judgements = Field("judgements", .list(key.judgements.map(judgementObject)))
    guard let comparison = key.comparison else {
      return fields + [Field("onlyIn", FieldValue(key.onlyIn)), judgements]
    }
    fields += curveFields(comparison)
    fields += [
      Field("interpolation", .text(comparison.isStep ? "hold" : "linear")),
      Field("rateA_hz", FieldValue(key.rateOfA)), Field("rateB_hz", FieldValue(key.rateOfB)),
      Field("motion", .list(key.motions.map(motionObject))),
      Field("velocity", .list(key.velocities.map(velocityObject))), judgements,
    ]
    return fields
  }

  private func curveFields(_ comparison: CurveComparison) -> [Field] {
    let aligned = comparison.aligned
    let warp = comparison.warp
    return [
      Field("matched", FieldValue(comparison.matchedSampleCount)),
      Field("onlyInA", FieldValue(comparison.onlyInACount)),
      Field("onlyInB", FieldValue(comparison.onlyInBCount)),
      Field("overlap_s", .number(comparison.overlapSeconds)),
      Field("max", FieldValue(aligned?.maximum)), Field("p95", FieldValue(aligned?.percentile95)),
      Field("meanAbs", FieldValue(aligned?.meanAbsolute)),
      Field("rmse", FieldValue(aligned?.rootMeanSquare)), Field("bias", FieldValue(aligned?.bias)),
      Field(
        "maxPercent",
        FieldValue(aligned.flatMap { comparison.shareOfRange($0.maximum) }.map { $0 * 100 })),
      Field("lag_s", .number(comparison.lagSeconds)),
      Field("lag_ms", .number(comparison.lagSeconds * 1000)),
      Field("lagAtLimit", .flag(comparison.lagIsAtLimit)),
      Field("residual", FieldValue(comparison.residual)),
      Field("residualPercent", FieldValue(comparison.residualShareOfRange.map { $0 * 100 })),
      Field("gain", FieldValue(comparison.fit?.gain)),
      Field("offset", FieldValue(comparison.fit?.offset)),
      Field("residualAfterGain", FieldValue(comparison.fit?.residual)),
      Field("timeScale", FieldValue(comparison.timeScale?.factor)),
      Field("residualAfterTimeScale", FieldValue(comparison.timeScale?.residual)),
      Field("frameIncrement", FieldValue(comparison.frameIncrement)),
      Field("increment100ms", FieldValue(comparison.longIncrement)),
      Field("warpCost", FieldValue(warp?.meanCost)),
      Field("warp_ms", FieldValue(warp.map { $0.largestSeconds * 1000 })),
      Field("warpStep_ms", FieldValue(warp.map { $0.stepSeconds * 1000 })),
      Field("range", .number(comparison.rangeOfA)),
    ]
  }

  /// The releases, side by side.
  var decisionRows: [[Field]] {
    let count = max(comparison.outcomesOfA.count, comparison.outcomesOfB.count)
    return (0..<count).map { index in
      let a = comparison.outcomesOfA.indices.contains(index) ? comparison.outcomesOfA[index] : nil
      let b = comparison.outcomesOfB.indices.contains(index) ? comparison.outcomesOfB[index] : nil
      let isEqual = a?.decision?.outcome == b?.decision?.outcome
      return [
        Field("row", .text("decision")), Field("same", .flag(isEqual)),
        Field("transition", .integer(Int64(index))),
        Field("decisionA", FieldValue(a?.decision?.outcome.rawValue)),
        Field("decisionB", FieldValue(b?.decision?.outcome.rawValue)),
        Field("derivedA", FieldValue(a?.decision?.derived?.rawValue)),
        Field("derivedB", FieldValue(b?.decision?.derived?.rawValue)),
        Field("recomputedA", FieldValue(a?.recomputed?.outcome.rawValue)),
        Field("recomputedB", FieldValue(b?.recomputed?.outcome.rawValue)),
        Field("flip", .flag(!isEqual)),
        Field("thresholdA", FieldValue(a?.decision?.recorded?.threshold)),
        Field("thresholdB", FieldValue(b?.decision?.recorded?.threshold)),
        Field("progressA", FieldValue(a?.decision?.progress)),
        Field("progressB", FieldValue(b?.decision?.progress)),
        Field("marginA", FieldValue(a?.decision?.recorded?.marginProgress)),
        Field("marginB", FieldValue(b?.decision?.recorded?.marginProgress)),
        Field("settleTimeA_s", FieldValue(a?.settleTimeSeconds)),
        Field("settleTimeB_s", FieldValue(b?.settleTimeSeconds)),
      ]
    }
  }

  /// The elements of which anything differs, or all of them.
  var itemRows: [[Field]] {
    (comparison.layout?.items ?? []).filter { listsAll || !$0.isIdentical }.map { item in
      let head = [
        Field("row", .text("item")), Field("item", .text(item.identity.id)),
        Field("same", .flag(item.isSame)),
        Field("category", .text(item.identity.category.rawValue)),
        Field("kind", FieldValue(item.identity.elementKind)),
      ]
      if let onlyIn = item.onlyIn { return head + [Field("onlyIn", .text(onlyIn))] }
      return head + [
        Field("shared_s", .number(item.sharedSeconds)),
        Field("distance", .number(item.maxDistance)),
        Field("distanceAt_ns", FieldValue(item.timeOfMaxDistance)),
        Field("rmsDistance", .number(item.rmsDistance)),
        Field("sizeError", .number(item.maxSizeError)), Field("iou", FieldValue(item.minIoU)),
        Field("alphaError", .number(item.maxAlphaError)),
        Field("orderSwaps", FieldValue(item.orderSwaps)),
        Field("alone_s", .number(item.aloneSeconds)),
        Field("changesA", FieldValue(item.changesInA)),
        Field("changesB", FieldValue(item.changesInB)),
        Field("changeShift_ms", FieldValue(item.changeSeconds.map { $0 * 1000 })),
      ]
    }
  }

  /// What the runs were set up with, as far as it differs.
  var structureRows: [[Field]] {
    comparison.structure.map { difference in
      [
        Field("row", .text("structure")), Field("same", .flag(false)),
        Field("part", .text(difference.part.rawValue)), Field("name", .text(difference.name)),
        Field("a", FieldValue(difference.a)), Field("b", FieldValue(difference.b)),
      ]
    }
  }

  private var verdictRow: [Field] {
    let map = comparison.timeMap
    return [
      Field("row", .text("verdict")), Field("same", .flag(comparison.isSame)),
      Field("align", .text(comparison.alignment.rawValue)),
      Field("offset_ms", .number(Double(map.offsetNanoseconds) / 1e6)),
      Field(
        "offsetRange_ms",
        map.isShift
          ? .null
          : .list([
            .number(Double(map.offsets.lowerBound) / 1e6),
            .number(Double(map.offsets.upperBound) / 1e6),
          ])), Field("lagLimit_s", .number(comparison.lagLimitSeconds)),
      Field("coverage", .object(coverageFields)),
      Field("smoothnessA", .object(smoothnessFields(comparison.smoothness.a))),
      Field("smoothnessB", .object(smoothnessFields(comparison.smoothness.b))),
      Field("layout", layoutObject), Field("hints", .list(hints.map(FieldValue.text))),
      Field("failures", judgementList(.fail)), Field("warnings", judgementList(.warn)),
    ]
  }

  /// What was found so, by what matters.
  private func judgementList(_ finding: Judgement.Finding) -> FieldValue {
    .list(comparison.allJudgements.filter { $0.finding == finding }.map(judgementObject))
  }

  /// What both runs have, and what only one of them has.
  var coverageFields: [Field] {
    let pairs = comparison.keys.compactMap(\.comparison)
    func count(_ name: String) -> FieldValue {
      FieldValue(comparison.keys.filter { $0.onlyIn == name }.count)
    }
    let items = comparison.layout?.items
    return [
      Field("keys", FieldValue(pairs.count)), Field("keysOnlyInA", count("A")),
      Field("keysOnlyInB", count("B")),
      Field("items", FieldValue(items?.filter { $0.onlyIn == nil }.count)),
      Field("itemsOnlyInA", FieldValue(items?.filter { $0.onlyIn == "A" }.count)),
      Field("itemsOnlyInB", FieldValue(items?.filter { $0.onlyIn == "B" }.count)),
      Field("samples", FieldValue(pairs.reduce(0) { $0 + $1.matchedSampleCount })),
      Field("samplesOnlyInA", FieldValue(pairs.reduce(0) { $0 + $1.onlyInACount })),
      Field("samplesOnlyInB", FieldValue(pairs.reduce(0) { $0 + $1.onlyInBCount })),
      Field("overlap_s", FieldValue(pairs.map(\.overlapSeconds).max())),
    ]
  }

  private var layoutObject: FieldValue {
    guard let layout = comparison.layout, !layout.isEmpty else { return .null }
    return .object([
      Field("same", .flag(layout.isSame)), Field("framesA", FieldValue(layout.frameCountOfA)),
      Field("framesB", FieldValue(layout.frameCountOfB)),
      Field("instants", FieldValue(layout.instantCount)),
      Field("overlap_s", .number(layout.overlapSeconds)),
      Field("orderSwaps", FieldValue(layout.orderSwaps)),
      Field("judgedAtLag_ms", .number(comparison.layoutLagSeconds * 1000)),
    ])
  }
}
