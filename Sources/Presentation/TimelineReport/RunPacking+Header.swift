import TimelineModel
import TimelineQuery
import TimelineStore

extension RunPacking {
  /// What the page knows beside the packed numbers.
  func header(file: String) -> FieldValue {
    let description = session.description
    let told = Dictionary(summaries.map { ($0.key, $0) }) { first, _ in first }
    let places = Dictionary(keys.enumerated().map { ($1.handle, $0) }) { first, _ in first }
    return .object(
      [
        Field("file", .text(file)), Field("number", .integer(session.number)),
        Field("name", FieldValue(description.name)), Field("uuid", .text(session.uuid)),
        Field("software", .text(description.software)), Field("clock", .text(description.clock)),
        Field(
          "wallClockStart", description.wallClockStartNanoseconds.map { .integer($0) } ?? .null),
        Field("refreshRate", FieldValue(description.refreshRate)),
        Field("viewport", description.viewport.map { FieldValue($0) } ?? .null),
        Field("expectedInterval", FieldValue(smoothness.expectedSeconds.map { $0 * 1e9 })),
        Field("hitchRatio", FieldValue(smoothness.hitchRatio)),
        Field("hitchBand", FieldValue(smoothness.band?.rawValue)),
        Field("lateFrames", .list(smoothness.lateFrames.map { .integer(Int64($0)) })),
        Field("outcome", FieldValue(session.outcome?.rawValue)),
        Field("endTime", FieldValue(end)), Field("gaps", .integer(Int64(overview.gaps.count))),
        Field("remarks", .list(overview.remarks.map(FieldValue.text))),
        Field("isThinned", .flag(!thinning.isEmpty)),
        Field("notes", .list(notes.map(FieldValue.text))),
        Field("tick", .integer(clock.tick)), Field("stride", .integer(Int64(poses.stride))),
      ] + scales + packedFields + [
        Field("itemRows", .list(items.map(RunPacking.row))),
        Field("keys", .list(keys.map { field(of: $0, told[$0.handle]) })),
        Field("recordedKeys", .integer(Int64(keys.count - viewport.count))),
        Field("decisions", .list(overview.releases.all.map(RunPacking.field(of:)))),
        Field("estimates", .list(estimates.compactMap { RunPacking.field(of: $0, places) })),
        Field("events", .list(events.map(\.field))),
      ])
  }

  private var scales: [Field] {
    [
      Field("lengthSteps", .number(PageScale.length)),
      Field("alphaSteps", .number(PageScale.alpha)),
      Field("turnSteps", .number(PageScale.turn)),
      Field("divisorSteps", .number(PageScale.divisor)),
      Field("valueSteps", .number(PageScale.value)),
      Field("progressSteps", .number(PageScale.progress)),
    ]
  }

  private var packedFields: [Field] {
    [
      Field("frameBlocks", .list(frameBlocks.map(\.field))),
      Field("touchBlocks", .list(touchBlocks.map(\.field))),
      Field(
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
    ])
  }

  private func field(of key: KeyRecord, _ summary: KeySummary?) -> FieldValue {
    .object([
      Field("name", .text(key.name)), Field("role", .text(key.role.rawValue)),
      Field("unit", .text(key.unit)), Field("holds", .flag(stepLevels[key.handle]?.isStep == true)),
      Field("low", .number(summary?.smallest ?? 0)),
      Field("high", .number(summary?.largest ?? 0)),
      Field("blocks", .list((keyBlocks[key.handle] ?? []).map(\.field))),
    ])
  }

  private static func field(of release: ReleaseRecord) -> FieldValue {
    let decision = release.recorded
    return .object([
      Field("t", FieldValue(release.time)),
      Field("transition", .integer(Int64(release.transition))),
      Field("outcome", .text(release.outcome.rawValue)), Field("by", .text(release.decidedBy)),
      Field("derived", FieldValue(release.derived?.rawValue)),
      Field("rule", FieldValue(decision?.rule)),
      Field("ruleOutcome", FieldValue(decision?.ruleOutcome.rawValue)),
      Field("threshold", FieldValue(decision?.threshold)),
      Field("progress", FieldValue(release.progress)),
      Field("velocity", FieldValue(decision?.progressVelocity)),
      Field("marginProgress", FieldValue(decision?.marginProgress)),
      Field("projected", FieldValue(decision?.projectedProgress)),
    ])
  }

  /// An estimate with its key's place in the list of keys; nil for a key that is not there.
  private static func field(
    of estimate: ReleaseEstimate, _ places: [KeyHandle: Int]
  ) -> FieldValue? {
    guard let key = places[estimate.key] else { return nil }
    return .object([
      Field("t", FieldValue(estimate.time)),
      Field("transition", .integer(Int64(estimate.transition))), Field("key", .integer(Int64(key))),
      Field("value", .number(estimate.value)),
      Field("velocity", FieldValue(estimate.estimate.velocity)),
      Field("low", FieldValue(estimate.estimate.low)),
      Field("high", FieldValue(estimate.estimate.high)),
    ])
  }
}
