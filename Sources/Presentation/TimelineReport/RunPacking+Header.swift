import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

extension RunPacking {
  /// What the page knows beside the packed numbers.
  func header(file: String) -> FieldValue {
    let description = session.description
    let told = Dictionary(summaries.map { ($0.key, $0) }) { first, _ in first }
    let indices = Dictionary(keys.enumerated().map { ($1.handle, $0) }) { first, _ in first }
    return .object(
      [
        EventField("file", .text(file)), EventField("number", .integer(session.number)),
        EventField("name", FieldValue(description.name)), EventField("uuid", .text(session.uuid)),
        EventField("software", .text(description.software)),
        EventField("origin", FieldValue(description.origin?.words)),
        EventField("clock", .text(description.clock)),
        EventField(
          "wallClockStart", description.wallClockStartNanoseconds.map { .integer($0) } ?? .null),
        EventField("refreshRate", FieldValue(description.refreshRate)),
        EventField("viewport", description.viewport.map { FieldValue($0) } ?? .null),
        EventField("expectedInterval", FieldValue(smoothness.expectedSeconds.map { $0 * 1e9 })),
        EventField("hitchRatio", FieldValue(smoothness.hitchRatio)),
        EventField("hitchBand", FieldValue(smoothness.band?.rawValue)),
        EventField("lateFrames", .list(smoothness.lateFrames.map { .integer(Int64($0)) })),
        EventField("outcome", FieldValue(session.outcome?.rawValue)),
        EventField("endTime", FieldValue(end)),
        EventField("gaps", .integer(Int64(overview.gaps.count))),
        EventField("remarks", .list(overview.remarks.map(FieldValue.text))),
        EventField("isThinned", .flag(!thinning.isEmpty)),
        EventField("notes", .list(notes.map(FieldValue.text))),
        EventField("tick", .integer(clock.tick)),
        EventField("stride", .integer(Int64(poses.stride))),
      ] + scales + packedFields + [
        EventField("itemRows", .list(items.map(RunPacking.row))),
        EventField("keys", .list(keys.map { field(of: $0, told[$0.handle]) })),
        EventField("recordedKeys", .integer(Int64(keys.count - viewport.count))),
        EventField(
          "decisions",
          .list(
            zip(overview.releases.all, fingerSpeeds).map {
              field(of: $0, $1, touchMap.unit, overview.labels[$0.transition])
            })),
        EventField("estimates", .list(estimates.compactMap { RunPacking.field(of: $0, indices) })),
        EventField("events", .list(events.map(\.field))),
      ])
  }

  private var scales: [EventField] {
    [
      EventField("lengthSteps", .number(PageScale.length)),
      EventField("alphaSteps", .number(PageScale.alpha)),
      EventField("turnSteps", .number(PageScale.turn)),
      EventField("divisorSteps", .number(PageScale.divisor)),
      EventField("valueSteps", .number(PageScale.value)),
      EventField("progressSteps", .number(PageScale.progress)),
    ]
  }

  private var packedFields: [EventField] {
    [
      EventField("frameBlocks", .list(frameBlocks.map(\.field))),
      EventField("touchBlocks", .list(touchBlocks.map(\.field))),
      EventField(
        "chunks",
        .list(
          poses.chunks.map { chunk in
            .list(
              [
                chunk.block.start, chunk.block.length, chunk.firstFrame, chunk.frameCount,
                chunk.block.rows,
              ].map { .integer(Int64($0)) })
          })),
    ]
  }

  /// What the page says about its own numbers.
  private var notes: [String] {
    [
      "Positions and sizes are held at 1/1024 point, alpha at 1/4096, transforms at 1/65536; a key's "
        + "values at a millionth of its range."
    ] + (clock.tick > 1 ? ["Times are held at \(clock.tick) ns."] : []) + thinning
  }

  /// What was left out so that the page stays small.
  var thinning: [String] {
    var notes: [String] = []
    if poses.stride > 1 {
      let error = FieldValue.jsonNumber((poses.largestError * 1000).rounded(.up) / 1000)
      notes.append(
        "The session is long: poses are kept of every \(poses.stride)th frame, and lie on the straight "
          + "line between; no side of an upright element is off by more than \(error) pt, and one that "
          + "comes or goes does so up to \(poses.stride - 1) frames early or late.")
    }
    if let sampleBucket {
      notes.append(
        "Of every \(sampleBucket) values of a key the smallest and the largest are kept.")
    }
    if leftOutTouches > 0 { notes.append("\(leftOutTouches) reports of touches are left out.") }
    if leftOutEvents > 0 { notes.append("\(leftOutEvents) events are left out.") }
    return notes
  }

  private static func row(_ item: ItemRecord) -> FieldValue {
    .list([
      .integer(Int64(item.handle.rawValue)), .text(item.identity.id),
      .text(item.identity.category.rawValue), FieldValue(item.identity.elementKind),
      .text(ItemPalette.hexadecimal(of: item.identity)),
    ])
  }

  private func field(of key: KeyRecord, _ summary: KeySummary?) -> FieldValue {
    .object([
      EventField("name", .text(key.name)), EventField("role", .text(key.role.rawValue)),
      EventField("unit", .text(key.unit)),
      EventField("holds", .flag(stepLevels[key.handle]?.isStep == true)),
      EventField("low", .number(summary?.smallest ?? 0)),
      EventField("high", .number(summary?.largest ?? 0)),
      EventField("blocks", .list((keyBlocks[key.handle] ?? []).map(\.field))),
    ])
  }

  private func field(
    of release: ReleaseRecord, _ fingerSpeeds: [Double], _ fingerUnit: String,
    _ label: ReleaseLabel?
  ) -> FieldValue {
    let decision = release.recorded
    // A rule that nobody can decide by again says nothing of its question.
    let rule = decision.flatMap(ReleaseRule.init(of:))
    let again = decision.flatMap {
      rule?.decide(progress: $0.progress, velocity: $0.progressVelocity)
    }
    return .object([
      EventField("t", FieldValue(release.time)),
      EventField("transition", .integer(Int64(release.transition))),
      EventField("outcome", .text(release.outcome.rawValue)),
      EventField("by", .text(release.decidedBy)),
      EventField("derived", FieldValue(release.derived?.rawValue)),
      EventField("rule", FieldValue(decision?.rule)),
      EventField("ruleOutcome", FieldValue(decision?.ruleOutcome.rawValue)),
      EventField("threshold", FieldValue(decision?.threshold)),
      EventField("thresholdKey", FieldValue(decision?.thresholdKey(among: keys))),
      EventField("progress", FieldValue(release.progress)),
      EventField("velocity", FieldValue(decision?.progressVelocity)),
      EventField("marginProgress", FieldValue(decision?.marginProgress)),
      EventField("projected", FieldValue(decision?.projectedProgress)),
      EventField("criterion", FieldValue(again?.criterion.rawValue)),
      EventField("velocityThreshold", FieldValue(rule?.velocityThreshold)),
      EventField("velocityThresholdUnit", FieldValue(rule?.kind.velocityThresholdUnit)),
      EventField("marginVelocity", FieldValue(decision?.marginVelocity)),
      // An app need not record it, and the threshold is not always it.
      EventField("flipProgress", FieldValue(decision?.flipProgress ?? again?.flipProgress)),
      EventField("fingerSpeeds", .list(fingerSpeeds.map { .number($0) })),
      EventField("fingerUnit", .text(fingerUnit)),
      EventField("label", FieldValue(label?.meaning.rawValue)),
      EventField("note", FieldValue(label?.note)),
      EventField("labelAt", FieldValue(label.map { UTCText.text($0.wallClockNanoseconds) })),
    ])
  }

  /// An estimate with its key's place in the list of keys; nil for a key that is not there.
  private static func field(
    of estimate: ReleaseEstimate, _ indices: [KeyHandle: Int]
  ) -> FieldValue? {
    guard let key = indices[estimate.key] else { return nil }
    let estimator = Estimator(rawValue: estimate.estimate.estimator)
    let by =
      estimator.flatMap { $0.isPerReport ? $0.velocityUnit(of: "") : nil }.map {
        [EventField("by", .text($0))]
      } ?? []
    return .object(
      [
        EventField("t", FieldValue(estimate.time)),
        EventField("transition", .integer(Int64(estimate.transition))),
        EventField("key", .integer(Int64(key))),
        EventField("value", .number(estimate.value)),
        EventField("velocity", FieldValue(estimate.estimate.velocity)),
        EventField("low", FieldValue(estimate.estimate.low)),
        EventField("high", FieldValue(estimate.estimate.high)),
      ] + by)
  }
}
