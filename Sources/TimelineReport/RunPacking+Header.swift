import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineSession
import TimelineStore

extension RunPacking {
  /// What the report knows beside the packed numbers.
  var header: FieldValue {
    let description = session.description
    let told = Dictionary(summaries.map { ($0.key, $0) }) { first, _ in first }
    return .object(
      EventField.list([
        "file": file, "number": session.number, "name": description.name, "uuid": session.uuid,
        "software": description.software, "origin": description.origin?.words,
        "clock": description.clock, "wallClockStart": description.wallClockStartNanoseconds,
        "refreshRate": description.refreshRate, "viewport": description.viewport,
        "expectedInterval": smoothness.expectedSeconds.map { $0 * 1e9 },
        "hitchRatio": smoothness.hitchRatio, "hitchBand": smoothness.band?.rawValue,
        "lateFrames": smoothness.lateFrames, "outcome": session.outcome?.rawValue, "endTime": end,
        "gaps": overview.gaps.count, "remarks": overview.remarks, "isThinned": !thinning.isEmpty,
        "notes": notes, "tick": clock.tick, "stride": poses.stride,
      ]) + scales + packedFields
        + EventField.list([
          "itemRows": FieldValue.list(items.map(RunPacking.row)),
          "keys": FieldValue.list(keys.map { field(of: $0, told[$0.handle]) }),
          "recordedKeys": keys.count - viewport.count,
          "decisions": FieldValue.table(releaseRows),
          "estimates": FieldValue.table(estimateRows),
          "events": FieldValue.list(eventFields), "story": storyField,
        ]))
  }

  private var scales: [EventField] {
    EventField.list([
      "lengthSteps": PageScale.length, "alphaSteps": PageScale.alpha, "turnSteps": PageScale.turn,
      "divisorSteps": PageScale.divisor, "valueSteps": PageScale.value,
      "progressSteps": PageScale.progress,
    ])
  }

  private var packedFields: [EventField] {
    EventField.list([
      "frameBlocks": frameBlocks.map(\.field), "touchBlocks": touchBlocks.map(\.field),
      "chunks": FieldValue.list(
        poses.chunks.map { chunk in
          .list(
            [
              chunk.block.start, chunk.block.length, chunk.firstFrame, chunk.frameCount,
              chunk.block.rows,
            ].map { .integer(Int64($0)) })
        }),
    ])
  }

  /// What the report says about its own numbers.
  private var notes: [String] {
    [
      "Positions and sizes are rounded to 1/1024 point, alpha to 1/4096, transforms to 1/65536, and the values of a key "
        + "to a millionth of its range."
    ] + storyNotes + (clock.tick > 1 ? ["Times are rounded to \(clock.tick) ns."] : []) + thinning
  }

  /// The parts that were left out so that the report stays small.
  var thinning: [String] {
    var notes: [String] = []
    if poses.stride > 1 {
      let error = FieldValue.jsonNumber((poses.largestError * 1000).rounded(.up) / 1000)
      notes.append(
        "The session is long, so the report has the poses of every \(poses.stride)th frame and interpolates between them. "
          + "Sides of upright elements are off by at most \(error) pt. Elements appear and disappear up to "
          + "\(poses.stride - 1) frames early or late.")
    }
    if let sampleBucket {
      notes.append(
        !usesSeconds
          ? "The report has the smallest and the largest of every \(sampleBucket) values of a key."
          : "The report has the smallest and the largest of at least \(sampleBucket) values of a key, told by seconds: each "
            + "is drawn up to a second early or late.")
    }
    if leftOutTouches > 0 { notes.append("\(leftOutTouches) reports of touches are left out.") }
    if leftOutEvents > 0 { notes.append("\(leftOutEvents) events are left out.") }
    if let leftOutReleases {
      let from = FieldValue.jsonNumber((leftOutReleases.from.seconds * 1000).rounded() / 1000)
      let all = overview.releases.all.count
      notes.append(
        "The releases from \(from) s on, \(leftOutReleases.count) of \(all), are left out.")
    }
    if excess > 0 {
      notes.append(
        "The session takes \(excess) bytes more than its limit, because names and the times of frames cannot be left out."
      )
    }
    return notes
  }

  /// Notes by how much the session is larger than its limit, which is told like what was left out.
  mutating func measureExcess(over byteLimit: Int) {
    excess = max(0, text.bytes.count + header.json.utf8.count - byteLimit)
  }

  private static func row(_ item: ItemRecord) -> FieldValue {
    .list([
      .integer(Int64(item.handle.rawValue)), .text(item.identity.id),
      .text(item.identity.category.rawValue), FieldValue(item.identity.elementKind),
      .text(ItemPalette.hexadecimal(of: item.identity)),
    ])
  }

  private func field(of key: KeyRecord, _ summary: KeySummary?) -> FieldValue {
    .object(named: [
      "name": key.name, "role": key.role.rawValue, "unit": key.unit,
      "holds": stepLevels[key.handle]?.isStep == true, "low": summary?.smallest ?? 0,
      "high": summary?.largest ?? 0, "blocks": (keyBlocks[key.handle] ?? []).map(\.field),
    ])
  }

  func row(
    of release: ReleaseRecord, _ fingerSpeeds: [Double], _ fingerUnit: String,
    _ label: ReleaseLabel?
  ) -> [EventField] {
    let decision = release.recorded
    // A rule that nobody can decide by again says nothing of its question.
    let rule = decision.flatMap(ReleaseRule.init(of:))
    let again = decision.flatMap {
      rule?.decide(progress: $0.progress, velocity: $0.progressVelocity)
    }
    return EventField.list([
      "t": release.time, "transition": release.transition, "outcome": release.outcome.rawValue,
      "by": release.decidedBy, "derived": release.derived?.rawValue, "rule": decision?.rule,
      "ruleOutcome": decision?.ruleOutcome.rawValue, "threshold": decision?.threshold,
      "thresholdKey": decision?.thresholdKey(among: keys), "progress": release.progress,
      "velocity": decision?.progressVelocity, "marginProgress": decision?.marginProgress,
      "projected": decision?.projectedProgress, "criterion": again?.criterion.rawValue,
      "velocityThreshold": rule?.velocityThreshold,
      "velocityThresholdUnit": rule?.kind.definition.usual.speed?.unit.rawValue,
      "marginVelocity": decision?.marginVelocity,
      // An app need not record it, and the threshold is not always it.
      "flipProgress": decision?.flipProgress ?? again?.flipProgress, "fingerSpeeds": fingerSpeeds,
      "fingerUnit": fingerUnit, "fingersBy": estimator.rawValue, "label": label?.meaning.rawValue,
      "note": label?.note,
      "labelAt": label.map { UTCText.text($0.wallClockNanoseconds) },
    ])
  }

  /// An estimate with its key's place in the list of keys. `nil` for a key that is not there.
  static func row(
    of estimate: ReleaseEstimate, _ indices: [KeyHandle: Int]
  ) -> [EventField]? {
    guard let key = indices[estimate.key] else { return nil }
    let estimator = estimate.estimate.estimator.estimator
    return EventField.list([
      "t": estimate.time, "transition": estimate.transition, "key": key, "value": estimate.value,
      "velocity": estimate.estimate.velocity, "low": estimate.estimate.low,
      "high": estimate.estimate.high, "estimator": estimate.estimate.estimator.description,
      "by": estimator.flatMap {
        $0.definition.measure.isByReports ? $0.definition.measure.unit(of: "") : nil
      },
    ])
  }
}
