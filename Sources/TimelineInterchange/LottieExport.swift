import TimelineModel
import TimelineRendering
import TimelineStore

/// The stage as a Lottie animation.
///
/// A stretch of an item is a shape layer: a rectangle of 100 by 100 in the layer's own color, whose layer moves,
/// scales (percent are points then), turns and fades. Layers stand in falling drawing order. A change of the order
/// begins a new layer. Keyframes have handles of straight lines and times in fractions of a frame.
struct LottieExport: StageFormat {
  static let name = "lottie"
  static let title = "Lottie"
  static let fileEnding = "lottie.json"

  let work: ExportWork
  let motion: StageMotion

  /// Center. Size with its scale. turn. Opacity.
  static let tracks = StageTracks(carriesSkew: false) { pose in
    [
      [pose.x, pose.y],
      [pose.width * pose.scaleX / 100, pose.height * pose.scaleY / 100],
      [pose.angle], [pose.opacity],
    ]
  }

  /// Nanoseconds since the first frame as frames.
  private func frame(_ time: Int64) -> Double { Double(time) * motion.frameRate / 1e9 }

  func write() {
    let stage = motion.stage(of: export.session)
    let known = export.session.description
    let thinning = "\(known.software); keyframes thinned to \(json(export.options.tolerance))"
    text.put(
      #"{"v":"5.7.0","fr":\#(json(motion.frameRate)),"ip":0,"op":\#(json(frame(motion.duration)))"#)
    // Players want whole numbers here.
    text.put(
      #","w":\#(Int64(clamping: stage.width)),"h":\#(Int64(clamping: stage.height)),"ddd":0,"nm":"#)
    text.quote(known.name ?? "session \(export.session.number)")
    text.put(#","meta":{"g":\#(json(thinning))},"assets":[],"layers":["#)
    let names = export.writtenItems
    for (index, segment) in motion.painted.reversed().enumerated() {
      text.put(index == 0 ? "\n" : ",\n")
      write(
        segment, number: index + 1, names[segment.item] ?? ElementIdentity(category: .cell, id: ""))
    }
    text.put("\n],\"markers\":[")
    writeMarkers()
    text.put("]}\n")
  }

  private func write(_ segment: StageSegment, number: Int, _ item: ElementIdentity) {
    text.put(
      #"{"ty":4,"nm":\#(json(item.id)),"ind":\#(number),"ip":\#(json(frame(segment.start))),"op":"#)
    text.put(json(frame(segment.end)))
    text.put(#","st":0,"sr":1,"bm":0,"ddd":0,"ks":{"a":{"a":0,"k":[0,0,0]},"p":"#)
    put(segment.curves[0], third: 0)
    text.put(",\"s\":")
    put(segment.curves[1], third: 100)
    text.put(",\"r\":")
    put(segment.curves[2])
    text.put(",\"o\":")
    put(segment.curves[3])
    let color = ItemPalette.color(of: item)
    let parts = [color >> 16, color >> 8 & 0xff, color & 0xff].map {
      FieldValue.jsonNumber((Double($0) / 255 * 1000).rounded() / 1000)
    }.joined(separator: ",")
    text.put(
      """
      },"shapes":[{"ty":"gr","nm":"box","it":[\
      {"ty":"rc","d":1,"p":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0}},\
      {"ty":"fl","c":{"a":0,"k":[\(parts),1]},"o":{"a":0,"k":100},"r":1},\
      {"ty":"tr","p":{"a":0,"k":[0,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},\
      "r":{"a":0,"k":0},"o":{"a":0,"k":100}}]}]}
      """)
  }

  /// A property that stands still, or one with keyframes. The last one has only time and value.
  private func put(_ curve: CurveThinning, third: Double? = nil) {
    guard !curve.isConstant else {
      let value = curve.width == 1 ? number(curve.values[0]) : list(curve.value(at: 0), third)
      return text.put(#"{"a":0,"k":\#(value)}"#)
    }
    text.put(#"{"a":1,"k":["#)
    for index in 0..<curve.count {
      text.put(index == 0 ? #"{"t":"# : #",{"t":"#)
      text.put(#"\#(json(frame(curve.times[index]))),"s":\#(list(curve.value(at: index), third))"#)
      if index + 1 < curve.count {
        text.put(
          curve.isHeld[index] ? #","h":1"# : #","o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}"#)
      }
      text.put("}")
    }
    text.put("]}")
  }

  private func list(_ numbers: ArraySlice<Double>, _ third: Double?) -> String {
    "[" + (numbers.map(number) + (third.map { [json($0)] } ?? [])).joined(separator: ",") + "]"
  }

  private func number(_ value: Double) -> String {
    json(StageNumber.rounded(value, tolerance: export.options.tolerance))
  }

  /// Decisions and the events that people look for, as points in time.
  private func writeMarkers() {
    for (index, marker) in motion.markers.enumerated() {
      text.put(index == 0 ? "\n" : ",\n")
      text.put(#"{"tm":\#(json(frame(marker.time))),"dr":0,"cm":\#(json(marker.name))}"#)
    }
  }
}
