import TimelineModel
import TimelineStore

/// The stage as keyframes of the Web Animations API, one list for each item.
///
/// An element lies at the stage's left upper corner, and its keyframes move it: `translate` to its place, then
/// `rotate`, `skewX` and `scale`, or `matrix3d` in space, about its own middle. `step-end` stands where nothing
/// moves until the next keyframe.
struct KeyframesExport {
  private let export: SessionExport
  private let motion: StageMotion
  private let text: ExportText

  /// All numbers of a pose together: left and top, size, opacity, and then turn, skew and scales, or the 16 numbers of
  /// a transform in space.
  static let tracks = StageTracks(carriesDepth: true) { pose in
    let box = [
      pose.x - pose.width / 2, pose.y - pose.height / 2, pose.width, pose.height, pose.opacity,
    ]
    if let spatial = pose.spatial { return [box + spatial] }
    return [box + [pose.angle, pose.isSkewed ? pose.skew : 0, pose.scaleX, pose.scaleY]]
  }

  /// What turn, skew and scales are where there is no transform.
  private static let plain = [0.0, 0, 100, 100]

  /// How the file is played; it stands in the file.
  private static let usage =
    "for (const item of data.items) { const e = stage.appendChild(document.createElement('div')); "
    + "Object.assign(e.style, item.style); e.animate(item.keyframes, item.options); } "
    + "where stage is an element as large as data.stage, with position: relative and overflow: hidden"

  init(_ export: SessionExport, _ motion: StageMotion, _ text: ExportText) {
    self.export = export
    self.motion = motion
    self.text = text
  }

  func write() {
    let stage = motion.stage(of: export.session)
    let known = export.session.description
    text.put("{\"format\":\"kymograph keyframes\",\"version\":1,\"session\":")
    text.quote(known.name ?? "session \(export.session.number)")
    text.name("usage")
    text.quote(KeyframesExport.usage)
    text.name("stage")
    text.pair(stage.width, stage.height)
    text.name("duration")
    text.put(milliseconds(motion.duration))
    text.put(",\"start_ns\":\(motion.origin?.nanoseconds ?? 0),\"tolerance\":")
    text.put(export.options.tolerance)
    text.put(",\"transformOrigin\":\"50% 50%\",\"markers\":[")
    for (index, marker) in motion.markers.enumerated() {
      text.put(index == 0 ? "{\"time\":" : ",{\"time\":")
      text.put(milliseconds(marker.time))
      text.name("name")
      text.quote(marker.name)
      text.put("}")
    }
    text.put("],\"items\":[")
    var byItem: [ItemHandle: [StageSegment]] = [:]
    for segment in motion.segments { byItem[segment.item, default: []].append(segment) }
    var isFirst = true
    for item in export.items {
      guard let segments = byItem[item.handle]?.sorted(by: { $0.start < $1.start }) else {
        continue
      }
      text.put(isFirst ? "\n" : ",\n")
      isFirst = false
      write(item, segments)
    }
    text.put("\n]}\n")
  }

  private func milliseconds(_ time: Int64) -> Double { Double(time) / 1e6 }

  private func write(_ item: ItemRecord, _ segments: [StageSegment]) {
    let orders = Set(segments.map(\.zIndex))
    text.put("{\"id\":")
    text.quote(item.identity.id)
    text.name("kind")
    text.quote(item.identity.category.rawValue)
    if let kind = item.identity.elementKind {
      text.name("elementKind")
      text.quote(kind)
    }
    text.put(
      ",\"style\":{\"position\":\"absolute\",\"left\":\"0\",\"top\":\"0\",\"margin\":\"0\","
        + "\"boxSizing\":\"border-box\",\"transformOrigin\":\"50% 50%\",\"background\":\""
        + StagePalette.hexadecimal(of: item.handle) + "\"")
    if orders.count == 1, let order = orders.first { text.put(",\"zIndex\":\(order)") }
    text.put("},\"keyframes\":[")
    let writer = Writer(
      text: text, duration: motion.duration, tolerance: export.options.tolerance,
      hasOrder: orders.count > 1,
      isTurned: segments.contains { segment in
        let curve = segment.curves[0]
        return !segment.isSpatial
          && (0..<curve.count).contains {
            curve.value(at: $0).suffix(4) != KeyframesExport.plain[...]
          }
      })
    writer.write(segments)
    text.put("],\"options\":{\"duration\":")
    text.put(milliseconds(motion.duration))
    text.put(",\"fill\":\"both\"}}")
  }

  /// Writes the keyframes of one item.
  private final class Writer {
    let text: ExportText
    let duration: Int64
    let tolerance: Double
    let hasOrder: Bool
    let isTurned: Bool
    private var isFirst = true

    init(text: ExportText, duration: Int64, tolerance: Double, hasOrder: Bool, isTurned: Bool) {
      self.text = text
      self.duration = duration
      self.tolerance = tolerance
      self.hasOrder = hasOrder
      self.isTurned = isTurned
    }

    func write(_ segments: [StageSegment]) {
      guard let first = segments.first, let last = segments.last else { return }
      if first.start > 0 { put(0, first, at: 0, isThere: false, isHeld: true) }
      for (place, segment) in segments.enumerated() {
        let curve = segment.curves[0]
        for index in 0..<curve.count {
          let isLast = index + 1 == curve.count
          put(
            curve.times[index], segment, at: index, isHeld: isLast || curve.isHeld[index])
        }
        let next = place + 1 < segments.count ? segments[place + 1].start : duration
        if segment.end < next {
          put(segment.end, segment, at: curve.count - 1, isThere: false, isHeld: true)
        }
      }
      put(
        duration, last, at: last.curves[0].count - 1, isThere: last.end >= duration, isHeld: false)
    }

    private func put(
      _ time: Int64, _ segment: StageSegment, at index: Int, isThere: Bool = true, isHeld: Bool
    ) {
      let curve = segment.curves[0]
      let numbers = Array(curve.value(at: index)).map {
        StageNumber.rounded($0, tolerance: segment.isSpatial ? 0 : tolerance)
      }
      text.put(isFirst ? "{\"offset\":" : ",{\"offset\":")
      isFirst = false
      text.put(Double(time) / Double(duration))
      text.put(",\"transform\":\"translate(")
      text.put(numbers[0])
      text.put("px,")
      text.put(numbers[1])
      text.put("px)")
      if segment.isSpatial {
        text.put(
          " matrix3d(" + numbers[5...].map(FieldValue.jsonNumber).joined(separator: ",") + ")")
      } else if isTurned {
        let parts = numbers[5...].map(FieldValue.jsonNumber)
        text.put(" rotate(\(parts[0])deg) skewX(\(parts[1])deg) scale(")
        text.put(numbers[7] / 100)
        text.put(",")
        text.put(numbers[8] / 100)
        text.put(")")
      }
      text.put("\",\"width\":\"")
      text.put(numbers[2])
      text.put("px\",\"height\":\"")
      text.put(numbers[3])
      text.put("px\",\"opacity\":")
      text.put(isThere ? numbers[4] / 100 : 0)
      if hasOrder { text.put(",\"zIndex\":\(segment.zIndex)") }
      if isHeld { text.put(",\"easing\":\"step-end\"") }
      text.put("}")
    }
  }
}
