import MotionJudgement
import TimelineModel

/// The story's curves take at most this share of what a session may take. No unit.
private let storyShare = 0.1

/// So many lines of a story are in a report.
private let mostLines = 200

/// A curve of a story, packed as a key's values are.
struct PackedCurve {
  let curve: StoryCurve
  let scale: ValueScale
  var blocks: [PackedText.Block] = []
}

extension RunPacking {
  /// Packs the curves of the story, the most important first, until they have their share of the limit.
  mutating func packStory(byteLimit: Int) {
    let start = text.bytes.count
    for curve in story?.curves ?? [] {
      let before = text.bytes.count
      let packed = pack(curve)
      guard Double(text.bytes.count - start) <= storyShare * Double(byteLimit) else {
        text.cut(to: before)
        return
      }
      if !packed.blocks.isEmpty { storyCurves.append(packed) }
    }
  }

  private mutating func pack(_ curve: StoryCurve) -> PackedCurve {
    let rows = zip(curve.times, curve.values).compactMap { seconds, value in
      Instant(seconds: seconds).flatMap { time in
        value.isFinite && clock.reaches(time) ? (time: time, seconds: seconds, value: value) : nil
      }
    }
    let values = rows.map(\.value)
    var packed = PackedCurve(
      curve: curve, scale: ValueScale(low: values.min() ?? 0, high: values.max() ?? 0))
    for first in stride(from: 0, to: rows.count, by: PageScale.blockRows) {
      let block = rows[first..<min(rows.count, first + PageScale.blockRows)]
      var bits = BitWriter()
      bits.append(column: block.map { clock.ticks($0.time) })
      bits.append(column: block.map { packed.scale.steps($0.value) })
      bits.append(column: block.map { curve.phase(at: $0.seconds).pageNumber })
      packed.blocks.append(text.append(bits, rows: block.count))
    }
    return packed
  }

  /// The story for the report. Null where there is none.
  var storyField: FieldValue {
    guard let story else { return .null }
    let lines = story.lines.filter { $0.fact.rank != .silent }.prefix(mostLines)
    return .object(named: [
      "did": story.did, "verdict": story.verdict,
      "lines": FieldValue.list(lines.map(RunPacking.field)),
      "curves": FieldValue.list(storyCurves.map(RunPacking.field)),
    ])
  }

  /// What the report says of a story that it has not, or not all of.
  var storyNotes: [String] {
    if MotionStory.isTooLong(overview) {
      return [
        "The session has more than \(MotionStory.mostPoses) poses, or \(MotionStory.mostCells) elements in all frames, "
          + "which is too long for a story of its motion."
      ]
    }
    let missing = (story?.curves.count ?? 0) - storyCurves.count
    return missing > 0
      ? ["The report is too small for \(missing) of the curves of the story."] : []
  }

  private static func field(of line: MotionStory.Line) -> FieldValue {
    .object(named: [
      "t": line.fact.time.flatMap { Instant(seconds: $0) }, "text": line.told,
      "isFault": line.fact.isFault,
    ])
  }

  private static func field(of packed: PackedCurve) -> FieldValue {
    let curve = packed.curve
    return .object(named: [
      "item": curve.name, "role": curve.role.rawValue, "attribute": curve.attribute,
      "unit": curve.unit, "low": packed.scale.low, "high": packed.scale.high,
      "blocks": packed.blocks.map(\.field), "drags": FieldValue.list(curve.drags.map(field)),
    ])
  }

  private static func field(of drag: StoryDrag) -> FieldValue {
    func instant(_ seconds: Double) -> Instant? { Instant(seconds: seconds) }
    return .object(named: [
      "contact": drag.contact, "isAcross": drag.isAcross, "start": instant(drag.start),
      "lift": instant(drag.lift), "home": drag.home, "last": instant(drag.last),
      "place": drag.place, "middle": instant(drag.middle.time), "middleValue": drag.middle.value,
      "lag": field(of: drag.lag), "lagWords": drag.lagInWords, "letGo": field(of: drag.letGo),
      "goesOn": field(of: drag.goesOn), "speedWords": drag.speedsInWords,
      "spring": drag.spring.map(field) ?? .null,
    ])
  }

  private static func field(of spring: StorySpring) -> FieldValue {
    .object(named: [
      "start": Instant(seconds: spring.start), "end": Instant(seconds: spring.end),
      "target": spring.target, "distance": spring.distance, "velocity": spring.velocity,
      "stiffness": spring.stiffness, "damping": spring.damping, "words": spring.words,
    ])
  }

  /// Value, lower and upper bound.
  private static func field(of estimate: Estimated?) -> FieldValue {
    guard let estimate else { return .null }
    return .list([estimate.value, estimate.low, estimate.high].map { .number($0) })
  }
}

extension StoryCurve {
  /// What the finger or the settle did with a subject at an instant, in seconds of the session.
  fileprivate func phase(at seconds: Double) -> MotionPhase {
    guard let drag = drags.last(where: { $0.first <= seconds }) else { return .idle }
    if seconds <= drag.last { return .driving }
    return drag.rest.map { seconds <= $0 } == true ? .settling : .idle
  }
}
