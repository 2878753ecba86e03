import TimelineModel
import TimelineRendering
import TimelineStore

/// The stage as an SVG picture that moves by itself (SMIL), again and again.
///
/// A stretch of an item is a square of one point that is scaled to its size, skewed, turned and moved by groups
/// around it. Later elements are painted over earlier ones, so stretches stand in rising drawing order.
struct SVGExport: StageFormat {
  static let name = "svg"
  static let title = "SVG"

  let work: ExportWork
  let motion: StageMotion

  /// Opacity. center. turn. skew. Size with its scale.
  static let tracks = StageTracks { pose in
    [
      [pose.opacity], [pose.x, pose.y], [pose.angle], [pose.isSkewed ? pose.skew : 0],
      [pose.width * pose.scaleX / 100, pose.height * pose.scaleY / 100],
    ]
  }

  /// The most stretches that get their names written on them. More of them would only hide each other.
  private static let mostLabels = 200
  /// The most letters of a written name.
  private static let longestLabel = 14
  /// The most releases that are shown.
  private static let mostReleases = 1000
  /// How long a release is shown, in nanoseconds.
  private static let shownAfterRelease: Int64 = 400_000_000

  func write() {
    let stage = motion.stage(of: export.session)
    let (width, height) = (json(stage.width), json(stage.height))
    let known = export.session.description
    text.put(OriginMark.text + "\n")
    text.put(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" "#)
    text.put(#"width="\#(width)" height="\#(height)">\#n<title>"#)
    escape(known.name ?? "session \(export.session.number)")
    text.put("</title>\n<desc>Recorded motion of \(export.session.uuid), first frame at ")
    text.put("\(motion.origin?.nanoseconds ?? 0) ns; keyframes thinned to ")
    text.put("\(json(export.options.tolerance)).</desc>\n")
    text.put(
      "<style>.stage{fill:#fff}.name{font:9px sans-serif;fill:#111;text-anchor:middle;"
        + "dominant-baseline:central}@media(prefers-color-scheme:dark){.stage{fill:#15171a}}"
        + ".viewport{fill:none;stroke:#888}.release{font:bold 12px sans-serif}"
        + ".release rect{fill:none;stroke-width:3}.finish{fill:#007f6e}.finish rect{stroke:#007f6e}"
        + ".cancel{fill:#c0259f}.cancel rect{stroke:#c0259f}</style>\n")
    text.put("<rect class=\"stage\" width=\"\(width)\" height=\"\(height)\"/>\n")
    let names = export.writtenItems
    let segments = motion.painted
    for segment in segments {
      write(
        segment, names[segment.item] ?? ElementIdentity(category: .cell, id: ""),
        isLabelled: segments.count <= SVGExport.mostLabels)
    }
    // The viewport, and for a while after each release what was decided.
    text.put("<rect class=\"viewport\" width=\"\(width)\" height=\"\(height)\"/>\n")
    for release in motion.releases.prefix(SVGExport.mostReleases) {
      // The sum of a time near the largest of all is none.
      let (end, isBeyond) = release.time.addingReportingOverflow(SVGExport.shownAfterRelease)
      text.put("<g class=\"release \(release.outcome.rawValue)\"")
      writePresence(
        from: release.time, to: isBeyond ? motion.duration : min(motion.duration, end))
      text.put("<rect width=\"\(width)\" height=\"\(height)\"/><text x=\"6\" y=\"16\">")
      text.put(release.outcome.rawValue + "</text></g>\n")
    }
    text.put("</svg>\n")
  }

  private func write(_ segment: StageSegment, _ item: ElementIdentity, isLabelled: Bool) {
    let name = item.id
    text.put("<g class=\"item\" data-z=\"\(segment.zIndex)\" data-id=\"")
    escape(name, of: segment.item)
    text.put("\"")
    writePresence(segment)
    text.put("<title>")
    escape(name)
    text.put("</title>")
    let curves = segment.curves
    open("opacity", nil, curves[0]) { json($0[0] / 100) }
    open("transform", "translate", curves[1], pair)
    var depth = 2
    for (curve, kind) in [(curves[2], "rotate"), (curves[3], "skewX")]
    where !(curve.isConstant && curve.values[0] == 0) {
      open("transform", kind, curve) { json($0[0]) }
      depth += 1
    }
    open("transform", "scale", curves[4], pair)
    let fill = ItemPalette.hexadecimal(of: item)
    text.put(#"<rect x="-.5" y="-.5" width="1" height="1" fill="\#(fill)"/></g>"#)
    // Not inside the scale: letters keep their shape.
    for _ in 2..<depth { text.put("</g>") }
    if isLabelled {
      text.put("<text class=\"name\">")
      escape(
        name.count > SVGExport.longestLabel
          ? name.prefix(SVGExport.longestLabel - 1) + "…" : name[...])
      text.put("</text>")
    }
    text.put("</g></g></g>\n")
  }

  private func pair(_ numbers: [Double]) -> String {
    numbers.map(json).joined(separator: " ")
  }

  private func share(_ time: Int64) -> Double { Double(time) / Double(motion.duration) }

  private var seconds: String { json(Double(motion.duration) / 1e9) }

  /// Ends the opening tag of a stretch. One that is not there all the time comes and goes.
  private func writePresence(_ segment: StageSegment) {
    writePresence(from: segment.start, to: segment.end)
  }

  private func writePresence(from start: Int64, to end: Int64) {
    let begins = start > 0
    let ends = end < motion.duration
    guard begins || ends else { return text.put(">") }
    let values = (begins ? ["none"] : []) + ["inline"] + (ends ? ["none"] : [])
    let times = [0] + (begins ? [share(start)] : []) + (ends ? [share(end)] : [])
    text.put(
      (begins ? " display=\"none\"" : "")
        + "><animate attributeName=\"display\" calcMode=\"discrete\" dur=\"\(seconds)s\" "
        + "repeatCount=\"indefinite\" values=\"\(values.joined(separator: ";"))\" keyTimes=\""
        + times.map(json).joined(separator: ";") + "\"/>")
  }

  /// Opens a group with an attribute that stands still or moves.
  private func open(
    _ attribute: StaticString, _ kind: String?, _ curve: CurveThinning,
    _ value: ([Double]) -> String
  ) {
    func text(at index: Int) -> String {
      value(
        curve.value(at: index).map {
          StageNumber.rounded($0, tolerance: export.options.tolerance)
        })
    }
    let first = text(at: 0)
    self.text.put("<g \(attribute)=\"" + (kind.map { "\($0)(\(first))" } ?? first) + "\">")
    guard !curve.isConstant else { return }
    var points: [(value: String, time: Double)] = curve.times[0] > 0 ? [(first, 0)] : []
    for index in 0..<curve.count {
      let value = text(at: index)
      points.append((value, share(curve.times[index])))
      if curve.isHeld[index], index + 1 < curve.count {
        points.append((value, share(curve.times[index + 1])))
      }
    }
    if curve.times[curve.count - 1] < motion.duration {
      points.append((text(at: curve.count - 1), 1))
    }
    if let kind {
      self.text.put("<animateTransform attributeName=\"transform\" type=\"\(kind)\"")
    } else {
      self.text.put("<animate attributeName=\"\(attribute)\"")
    }
    self.text.put(#" dur="\#(seconds)s" repeatCount="indefinite" values=""#)
    self.text.put(points.map(\.value).joined(separator: ";"))
    self.text.put(#"" keyTimes="\#(points.map { json($0.time) }.joined(separator: ";"))"/>"#)
  }

  /// Text that XML takes for nothing but text. What XML has no way to write becomes U+FFFD.
  private func escape(_ string: some StringProtocol, of item: ItemHandle? = nil) {
    let (escaped, isReplaced) = escapedXML(string, keeping: "\t\n\r")
    if isReplaced, let item { losses.add(.characters, item) }
    text.put(escaped)
  }
}
