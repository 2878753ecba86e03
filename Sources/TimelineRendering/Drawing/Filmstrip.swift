package import TimelineModel

/// The stage at some instants, side by side, as an SVG.
///
/// Deterministic: the same pictures give the same bytes.
package struct Filmstrip: Sendable, Hashable {
  /// An element of a picture.
  package struct Item: Sendable, Hashable {
    package var name: String
    /// Where it stands, its center in the viewport's coordinates.
    package var pose: Pose
    /// Its colour, as `#rrggbb`.
    package var fill: String

    package init(name: String, pose: Pose, fill: String) {
      self.name = name
      self.pose = pose
      self.fill = fill
    }
  }

  /// The stage at an instant.
  package struct Picture: Sendable, Hashable {
    /// When, in seconds.
    package var seconds: Double
    /// The words under it beside the time ("driving 42 %").
    package var words: String
    /// The decision at this instant. `nil`: nothing.
    package var release: String?
    /// The viewport's extent, in points.
    package var viewport: Size2D
    package var items: [Item]
    /// Where contacts are down, in the viewport's coordinates.
    package var touches: [Point2D]

    package init(
      seconds: Double, words: String, release: String? = nil, viewport: Size2D, items: [Item],
      touches: [Point2D] = []
    ) {
      self.seconds = seconds
      self.words = words
      self.release = release
      self.viewport = viewport
      self.items = items
      self.touches = touches
    }
  }

  /// The strip's name.
  package var title: String
  /// The pictures in the order of time.
  package var pictures: [Picture]
  /// The releases of the whole run, in seconds, for the time line below.
  package var releases: [Double]
  /// The ends of the time line, in seconds.
  package var times: ClosedRange<Double>
  /// How many pictures stand side by side. `nil`: all of them.
  package var across: Int?

  private static let pictureWidth = 170.0
  private static let gap = 16.0
  private static let header = 36.0
  private static let caption = 42.0
  private static let footer = 44.0
  /// A picture is at most so many times higher than wide, or wider than high.
  private static let largestAspect = 4.0
  /// An element smaller than this, in pixels each way, gets no name.
  private static let smallestNamed = 28.0

  package init(
    title: String, pictures: [Picture], releases: [Double] = [], times: ClosedRange<Double>,
    across: Int? = nil
  ) {
    self.title = title
    self.pictures = pictures
    self.releases = releases
    self.times = times
    self.across = across
  }

  package var svg: String {
    let across = max(1, min(across ?? pictures.count, pictures.count))
    let lines = (pictures.count + across - 1) / across
    let height = pictures.map { pictureHeight($0.viewport) }.max() ?? Filmstrip.pictureWidth
    let width = Double(across) * (Filmstrip.pictureWidth + Filmstrip.gap) + Filmstrip.gap
    let lineHeight = height + Filmstrip.caption
    let bottom = Filmstrip.header + Double(lines) * lineHeight
    var svg = SVGText.opening(
      width: width, height: bottom + Filmstrip.footer, title: title, style: Filmstrip.style)
    svg += "<text class=\"title\" x=\"\(px(Filmstrip.gap))\" y=\"22\">"
    svg += xml(title) + "</text>\n"
    for (index, picture) in pictures.enumerated() {
      let x = Filmstrip.gap + Double(index % across) * (Filmstrip.pictureWidth + Filmstrip.gap)
      let y = Filmstrip.header + Double(index / across) * lineHeight
      svg += drawn(picture, x: x, y: y, height: height)
    }
    return svg + timeLine(y: bottom + 10, width: width) + "</svg>\n"
  }

  private static let style =
    SVGText.sharedStyle + """
      .view { stroke: #888; stroke-width: 1; fill: none; }
      .released { stroke: currentColor; stroke-width: 2; fill: none; }
      .item { stroke: #000; stroke-opacity: 0.5; vector-effect: non-scaling-stroke; }
      .on { fill: #000; text-anchor: middle; dominant-baseline: middle; pointer-events: none; }
      .touch { fill: #333; fill-opacity: 0.7; stroke: #fff; }
      .instant { fill: #666; }
      @media (prefers-color-scheme: dark) {
        .item { stroke: #fff; }
        .instant { fill: #999; }
      }

      """

  private func pictureHeight(_ viewport: Size2D) -> Double {
    guard viewport.isFinite, viewport.width > 0, viewport.height > 0 else {
      return Filmstrip.pictureWidth
    }
    let aspect = viewport.height / viewport.width
    return Filmstrip.pictureWidth
      * max(1 / Filmstrip.largestAspect, min(Filmstrip.largestAspect, aspect))
  }

  private func drawn(_ picture: Picture, x: Double, y: Double, height: Double) -> String {
    var svg = "<g class=\"picture\">\n"
    let hasView =
      picture.viewport.isFinite && picture.viewport.width > 0 && picture.viewport.height > 0
    let place =
      "x=\"\(px(x))\" y=\"\(px(y))\" "
      + "width=\"\(px(Filmstrip.pictureWidth))\" "
    let own = pictureHeight(picture.viewport)
    let box = place + "height=\"\(px(own))\""
    if hasView {
      let size = picture.viewport
      svg +=
        "<svg \(box) viewBox=\"0 0 \(exact(size.width)) \(exact(size.height))\">\n"
      let scale = Filmstrip.pictureWidth / size.width
      let order = picture.items.indices.sorted {
        (picture.items[$0].pose.zIndex, $0) < (picture.items[$1].pose.zIndex, $1)
      }
      for index in order { svg += drawn(picture.items[index], scale: scale) }
      for touch in picture.touches where touch.isFinite {
        svg += "<circle class=\"touch\" cx=\"\(exact(touch.x))\" "
        svg += "cy=\"\(exact(touch.y))\" r=\"\(px(7 / scale))\" "
        svg += "stroke-width=\"\(px(1.5 / scale))\"/>\n"
      }
      svg += "</svg>\n"
    }
    svg +=
      "<rect class=\"\(picture.release.map { "released" + outcomeStyle($0) } ?? "view")\" \(box)/>\n"
    let middle = px(x + Filmstrip.pictureWidth / 2)
    svg += "<text class=\"middle\" x=\"\(middle)\" y=\"\(px(y + height + 16))\">"
    svg += NumberText.cell((picture.seconds * 1e6).rounded() / 1e6) + " s</text>\n"
    let below = picture.release.map { "▲ " + $0 } ?? picture.words
    let style = picture.release.map { "middle releaseText" + outcomeStyle($0) } ?? "middle faint"
    svg += "<text class=\"\(style)\" x=\"\(middle)\" y=\"\(px(y + height + 31))\">"
    return svg + xml(below) + "</text>\n</g>\n"
  }

  private func drawn(_ item: Item, scale: Double) -> String {
    let pose = item.pose
    guard pose.isFinite, !pose.isHidden, pose.alpha > 0 else { return "" }
    let alpha = exact(min(1, pose.alpha))
    var svg = "<g opacity=\"\(alpha)\">"
    let (halfWidth, halfHeight) = (pose.size.width / 2, pose.size.height / 2)
    let shape = "class=\"item\" fill=\"\(item.fill)\" stroke-width=\"1\""
    switch pose.transform {
    case .flat(let flat):
      let matrix = [
        flat.a, flat.b, flat.c, flat.d, pose.center.x + flat.tx, pose.center.y + flat.ty,
      ].map(exact).joined(separator: " ")
      // A size below 0, as an overshoot makes it, is mirrored about the center.
      svg += "<rect \(shape) x=\"\(exact(-abs(halfWidth)))\" y=\"\(exact(-abs(halfHeight)))\" "
      svg += "width=\"\(exact(abs(pose.size.width)))\" "
      svg += "height=\"\(exact(abs(pose.size.height)))\" transform=\"matrix(\(matrix))\">"
      svg += "<title>\(xml(item.name))</title></rect>"
    case .spatial:
      // No matrix of six numbers has a perspective: the corners are put where they go.
      let corners = [
        Point2D(x: -halfWidth, y: -halfHeight), Point2D(x: halfWidth, y: -halfHeight),
        Point2D(x: halfWidth, y: halfHeight), Point2D(x: -halfWidth, y: halfHeight),
      ].map { corner in
        let moved = pose.transform.applied(to: corner)
        return exact(pose.center.x + moved.x) + ","
          + exact(pose.center.y + moved.y)
      }.joined(separator: " ")
      svg += "<polygon \(shape) points=\"\(corners)\"><title>\(xml(item.name))</title></polygon>"
    }
    return svg + label(item, scale: scale) + "</g>\n"
  }

  /// The name in the middle of an element that has room for it.
  private func label(_ item: Item, scale: Double) -> String {
    let frame = item.pose.frame
    let room = frame.size.width * scale
    guard room.isFinite, room >= Filmstrip.smallestNamed,
      frame.size.height * scale >= Filmstrip.smallestNamed / 2
    else { return "" }
    // About 6 pixels a letter at 10 pixels. An element may be far wider than its picture.
    let name = DisplayText.cut(
      DisplayText.harmless(item.name), toWidth: max(1, Int(min(room, Filmstrip.pictureWidth) / 6)))
    return "<text class=\"on\" style=\"font-size:\(px(10 / scale))px\" "
      + "x=\"\(exact(frame.midX))\" y=\"\(exact(frame.midY))\">"
      + xml(name) + "</text>"
  }

  /// Where in the run the pictures stand, and where its releases are.
  private func timeLine(y: Double, width: Double) -> String {
    let plot = PlotFrame(
      x: Filmstrip.gap, y: y, width: width - 2 * Filmstrip.gap, height: 1, times: times,
      values: 0...1)
    var svg = "<path class=\"edge\" d=\"M\(px(plot.x)) \(px(y))h"
    svg += "\(px(plot.width))\"/>\n"
    for picture in pictures where picture.seconds.isFinite {
      svg += "<circle class=\"instant\" cx=\"\(px(plot.x(picture.seconds)))\" "
      svg += "cy=\"\(px(y))\" r=\"4\"/>\n"
    }
    for release in releases where release.isFinite && times.contains(release) {
      svg += "<path class=\"release\" d=\"M\(px(plot.x(release))) "
      svg += "\(px(y - 8))v16\"><title>release</title></path>\n"
    }
    let low = NumberText.cell(times.lowerBound)
    let high = NumberText.cell(times.upperBound)
    svg += "<text class=\"faint\" x=\"\(px(plot.x))\" y=\"\(px(y + 22))\">\(low) s</text>\n"
    svg += "<text class=\"faint\" style=\"text-anchor:end\" x=\"\(px(plot.x + plot.width))\" "
    return svg + "y=\"\(px(y + 22))\">\(high) s</text>\n"
  }
}
