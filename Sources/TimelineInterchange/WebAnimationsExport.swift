import TimelineModel
import TimelineRendering
import TimelineStore

/// The stage as keyframes of the Web Animations API, one list for each item.
///
/// An element lies at the stage's left upper corner, and its keyframes move it: `translate` to its place, then
/// `rotate`, `skewX` and `scale`, or `matrix3d` in space, about its own middle. `step-end` stands where nothing
/// moves until the next keyframe.
struct WebAnimationsExport: StageFormat {
  static let name = "waapi"
  static let title = "a list of keyframes"
  static let fileEnding = "waapi.json"

  let work: ExportWork
  let motion: StageMotion

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

  /// How the file is played. It stands in the file.
  private static let usage =
    "for (const item of data.items) { const e = stage.appendChild(document.createElement('div')); "
    + "Object.assign(e.style, item.style); e.animate(item.keyframes, item.options); } "
    + "where stage is an element as large as data.stage, with position: relative and overflow: hidden"

  func write() {
    let stage = motion.stage(of: export.session)
    let known = export.session.description
    text.put(#"{"format":"kymograph keyframes","version":1,"session":"#)
    text.quote(known.name ?? "session \(export.session.number)")
    text.put(#","usage":\#(json(WebAnimationsExport.usage)),"stage":"#)
    text.pair(stage.width, stage.height)
    text.put(
      #","duration":\#(milliseconds(motion.duration)),"start_ns":\#(motion.origin?.nanoseconds ?? 0)"#
    )
    text.put(
      #","tolerance":\#(json(export.options.tolerance)),"transformOrigin":"50% 50%","markers":["#)
    for (index, marker) in motion.markers.enumerated() {
      text.put(index == 0 ? "" : ",")
      text.put(#"{"time":\#(milliseconds(marker.time)),"name":\#(json(marker.name))}"#)
    }
    text.put(#"],"items":["#)
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

  private func milliseconds(_ time: Int64) -> String { json(Double(time) / 1e6) }

  private func write(_ item: ItemRecord, _ segments: [StageSegment]) {
    let orders = Set(segments.map(\.zIndex))
    text.put(
      #"{"id":\#(json(item.identity.id)),"kind":\#(json(item.identity.category.rawValue))"#)
    if let kind = item.identity.elementKind { text.put(#","elementKind":\#(json(kind))"#) }
    text.put(
      #","style":{"position":"absolute","left":"0","top":"0","margin":"0","boxSizing":"border-box","#
    )
    let color = ItemPalette.hexadecimal(of: item.identity)
    text.put(#""transformOrigin":"50% 50%","background":"\#(color)""#)
    if orders.count == 1, let order = orders.first { text.put(#","zIndex":\#(order)"#) }
    text.put(#"},"keyframes":["#)
    var writer = Writer(
      work: work, duration: motion.duration,
      hasOrder: orders.count > 1,
      isTurned: segments.contains { segment in
        let curve = segment.curves[0]
        return !segment.isSpatial
          && (0..<curve.count).contains {
            curve.value(at: $0).suffix(4) != WebAnimationsExport.plain[...]
          }
      })
    writer.write(segments)
    text.put(#"],"options":{"duration":\#(milliseconds(motion.duration)),"fill":"both"}}"#)
  }

  /// Writes the keyframes of one item.
  private struct Writer: ExportWriter {
    let work: ExportWork
    let duration: Int64
    let hasOrder: Bool
    let isTurned: Bool
    var isFirst = true

    mutating func write(_ segments: [StageSegment]) {
      guard let first = segments.first, let last = segments.last else { return }
      if first.start > 0 { put(0, first, at: 0, isThere: false, isHeld: true) }
      for (position, segment) in segments.enumerated() {
        let curve = segment.curves[0]
        for index in 0..<curve.count {
          let isLast = index + 1 == curve.count
          put(
            curve.times[index], segment, at: index, isHeld: isLast || curve.isHeld[index])
        }
        let next = position + 1 < segments.count ? segments[position + 1].start : duration
        if segment.end < next {
          put(segment.end, segment, at: curve.count - 1, isThere: false, isHeld: true)
        }
      }
      put(
        duration, last, at: last.curves[0].count - 1, isThere: last.end >= duration, isHeld: false)
    }

    private mutating func put(
      _ time: Int64, _ segment: StageSegment, at index: Int, isThere: Bool = true, isHeld: Bool
    ) {
      let curve = segment.curves[0]
      let tolerance = segment.isSpatial ? 0 : export.options.tolerance
      let numbers = curve.value(at: index).map { StageNumber.rounded($0, tolerance: tolerance) }
      let parts = numbers.map(json)
      text.put(isFirst ? "" : ",")
      isFirst = false
      text.put(#"{"offset":\#(json(Double(time) / Double(duration))),"transform":"#)
      text.put(#""translate(\#(parts[0])px,\#(parts[1])px)"#)
      if segment.isSpatial {
        text.put(" matrix3d(\(parts[5...].joined(separator: ",")))")
      } else if isTurned {
        text.put(" rotate(\(parts[5])deg) skewX(\(parts[6])deg) ")
        text.put("scale(\(json(numbers[7] / 100)),\(json(numbers[8] / 100)))")
      }
      text.put(#"","width":"\#(parts[2])px","height":"\#(parts[3])px","opacity":"#)
      text.put(isThere ? numbers[4] / 100 : 0)
      if hasOrder { text.put(#","zIndex":\#(segment.zIndex)"#) }
      if isHeld { text.put(#","easing":"step-end""#) }
      text.put("}")
    }
  }
}
