package import TimelineModel

/// Curves over time as an SVG: a panel for each key, with axes, what was driven and what settled by
/// itself, markers and releases.
///
/// Deterministic: the same curves give the same bytes. Numbers that are not finite are left out.
package struct CurveDrawing: Sendable, Hashable {
  /// One run's curve of one key.
  package struct Series: Sendable, Hashable {
    /// The text of the legend.
    package var name: String
    /// Number of the run, from 0. It chooses the colour. A finger that is drawn over a run's curve has the number of the
    /// run and ``CurveDrawing/fingerRun``.
    package var run: Int
    /// Stretches that are drawn alike: points (seconds, value), and whether they settled by themselves.
    package var stretches: [Stretch]
    /// The errors of the values. Empty: they are exact.
    package var bands: [Band]

    package init(name: String, run: Int, stretches: [Stretch], bands: [Band] = []) {
      self.name = name
      self.run = run
      self.stretches = stretches
      self.bands = bands
    }
  }

  /// Between which values a part of a curve is in 90 of 100 cases.
  package struct Band: Sendable, Hashable {
    /// Seconds and value, of each point of the part.
    package var upper: [Point2D]
    package var lower: [Point2D]

    package init(upper: [Point2D], lower: [Point2D]) {
      self.upper = upper
      self.lower = lower
    }
  }

  /// A part of a curve.
  package struct Stretch: Sendable, Hashable {
    /// Seconds and value. Joined in this order.
    package var points: [Point2D]
    /// Whether nobody drove the value.
    package var isSettling: Bool

    package init(points: [Point2D], isSettling: Bool) {
      self.points = points
      self.isSettling = isSettling
    }
  }

  package struct Panel: Sendable, Hashable {
    /// The key's name.
    package var name: String
    /// The key's unit. "1" or nothing where it has none.
    package var unit: String
    /// The runs' curves.
    package var series: [Series]
    /// Levels that parted finish from cancel.
    package var borders: [ReleaseBorder]

    package init(
      name: String, unit: String, series: [Series], borders: [ReleaseBorder] = []
    ) {
      self.name = name
      self.unit = unit
      self.series = series
      self.borders = borders
    }
  }

  /// Something at an instant.
  package struct Marker: Sendable, Hashable {
    package var seconds: Double
    /// The words about it.
    package var label: String
    /// Whether it is a release, which stands out.
    package var isRelease: Bool

    package init(seconds: Double, label: String, isRelease: Bool) {
      self.seconds = seconds
      self.label = label
      self.isRelease = isRelease
    }
  }

  /// The number that is added to a run's number for its fingers.
  package static let fingerRun = 2

  /// The drawing's name.
  package var title: String
  package var panels: [Panel]
  /// The content of all panels.
  package var markers: [Marker]
  /// Width of the drawing, in CSS pixels.
  package var width: Double
  /// Height of one panel, in CSS pixels.
  package var panelHeight: Double
  /// A colour for each run, where there are more than two of them. Empty: those of one run or a pair.
  package var colors: [String] = []

  static let left = 64.0
  static let right = 16.0
  static let header = 44.0
  static let panelHeader = 22.0
  static let panelFooter = 30.0
  /// Pixels from one mark of an axis to the next, about.
  private static let tickDistance = 70.0

  /// Pixels of a letter, about, at the size of the drawing's texts.
  private static let letterWidth = 7.0
  /// Pixels of a line of text.
  private static let lineHeight = 12.0
  /// Pixels between two texts of a line.
  private static let nameGap = 10.0

  /// Makes a drawing. Width and height are held between 100 and 10,000.
  package init(
    title: String, panels: [Panel], markers: [Marker] = [], width: Double = 860,
    panelHeight: Double = 220
  ) {
    self.title = title
    self.panels = panels
    self.markers = markers
    self.width = max(100, min(10_000, width))
    self.panelHeight = max(100, min(10_000, panelHeight))
  }

  package var svg: String {
    let height =
      CurveDrawing.header + Double(panels.count) * panelHeight
    let points = panels.flatMap { $0.series.flatMap { $0.stretches.flatMap(\.points) } }
      .filter(\.isFinite)
    let times = CurveDrawing.range(points.map(\.x), orAround: 0)
    var svg = SVGText.opening(
      width: width, height: height, title: title, style: CurveDrawing.style + colorRules)
    svg += "<text x=\"\(px(CurveDrawing.left))\" y=\"18\" class=\"title\">"
    let room = (width - CurveDrawing.left) / CurveDrawing.letterWidth
    svg += xml(DisplayText.cut(title, toWidth: max(1, Int(room)))) + "</text>\n"
    svg += legend
    for (index, panel) in panels.enumerated() {
      let top = CurveDrawing.header + Double(index) * panelHeight
      svg += drawn(panel, times, top: top)
    }
    return svg + "</svg>\n"
  }

  /// Run colours: blue and orange, which most people tell apart (after Okabe and Ito, 2008).
  private static let style =
    SVGText.sharedStyle + """
      .name { font-weight: bold; }
      .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
      .run0 { stroke: #0072b2; }
      .run1 { stroke: #d55e00; }
      .settling { stroke-dasharray: 5 3; }
      .marker { stroke: #888; stroke-width: 1; stroke-dasharray: 2 3; }
      .border { stroke: #666; stroke-width: 1; stroke-dasharray: 6 4; fill: none; }
      @media (prefers-color-scheme: dark) {
        .run0 { stroke: #56b4e9; }
        .run1 { stroke: #e69f00; }
      }

      """

  /// The most runs that the legend names: of more, the first ones and the last.
  private static let mostNamed = 3

  /// The class of a run's curves.
  private func style(of run: Int) -> String {
    colors.isEmpty ? "run\(run % 4)" : "of\(run)"
  }

  private var colorRules: String {
    let hasFingers = panels.contains { $0.series.contains(where: isFinger) }
    let hasBands = panels.contains { $0.series.contains { !$0.bands.isEmpty } }
    return (hasFingers ? CurveDrawing.styleOfFingers : "")
      + (hasBands ? CurveDrawing.styleOfBands : "")
      + colors.enumerated().map { ".of\($0.offset) { stroke: \($0.element); }\n" }.joined()
  }

  /// Green and pink of the same palette.
  private static let styleOfFingers = """
    .run2 { stroke: #009e73; }
    .run3 { stroke: #cc79a7; }

    """

  /// The colours of the runs, so pale that the curve stands out.
  private static let styleOfBands = """
    .band { stroke: none; fill-opacity: 0.25; }
    .band0 { fill: #0072b2; }
    .band1 { fill: #d55e00; }

    """

  private func isFinger(_ series: Series) -> Bool {
    colors.isEmpty && series.run >= CurveDrawing.fingerRun
  }

  /// The names of the runs, where there are several, and how driven and settling look.
  private var legend: String {
    var entries: [(style: String, name: String)] = []
    var seen: Set<Int> = []
    for series in panels.flatMap(\.series).sorted(by: { $0.run < $1.run })
    where seen.insert(series.run).inserted {
      entries.append((style(of: series.run), series.name))
    }
    if entries.count > CurveDrawing.mostNamed {
      entries = entries.prefix(CurveDrawing.mostNamed - 1) + [entries[entries.count - 1]]
    }
    let runs = Set(panels.flatMap(\.series).filter { !isFinger($0) }.map(\.run))
    if runs.count == 1, !entries.isEmpty { entries[0].name = "driven" }
    let stretches = panels.flatMap { $0.series.flatMap(\.stretches) }
    if stretches.contains(where: \.isSettling) {
      entries.append(("\(entries.first?.style ?? "run0") settling", "settling"))
    }
    var text = ""
    var position = CurveDrawing.left
    for (style, name) in entries {
      text += "<path class=\"curve \(style)\" d=\"M\(px(position)) 32h22\"/>"
      text += "<text x=\"\(px(position + 28))\" y=\"36\">\(xml(name))</text>\n"
      position += 28 + CurveDrawing.width(of: name) + 2 * CurveDrawing.nameGap
    }
    return text
  }

  private func drawn(_ panel: Panel, _ times: ClosedRange<Double>, top: Double) -> String {
    let borders = panel.borders.filter(\.value.isFinite)
    let values = CurveDrawing.range(
      panel.series.flatMap { series in
        series.stretches.flatMap(\.points) + series.bands.flatMap { $0.upper + $0.lower }
      }.filter(\.isFinite).map(\.y)
        + borders.map(\.value), orAround: 0)
    let plot = PlotFrame(
      x: CurveDrawing.left, y: top + CurveDrawing.panelHeader,
      width: max(1, width - CurveDrawing.left - CurveDrawing.right),
      height: max(1, panelHeight - CurveDrawing.panelHeader - CurveDrawing.panelFooter),
      times: times, values: values)
    let unit = panel.unit.isEmpty || panel.unit == "1" ? "" : " (\(panel.unit))"
    var svg = "<g>\n<text class=\"name\" x=\"\(px(plot.x))\" "
    svg += "y=\"\(px(plot.y - 7))\">\(xml(panel.name + unit))</text>\n"
    svg += plot.axes(
      about: Int(plot.width / CurveDrawing.tickDistance),
      Int(plot.height / CurveDrawing.tickDistance * 2), timeUnit: " s")
    svg += releaseNames(
      plot, from: plot.x + CurveDrawing.width(of: panel.name + unit) + CurveDrawing.nameGap)
    for marker in markers where marker.seconds.isFinite && times.contains(marker.seconds) {
      svg += drawn(marker, plot)
    }
    svg += drawn(borders, plot)
    for series in panel.series {
      for band in series.bands {
        let path = plot.path(band.upper + band.lower.reversed())
        guard !path.isEmpty else { continue }
        svg += "<path class=\"band band\(series.run % 2)\" d=\"\(path)Z\"/>\n"
      }
      for stretch in series.stretches {
        let path = plot.path(stretch.points)
        guard !path.isEmpty else { continue }
        let style = "curve " + style(of: series.run) + (stretch.isSettling ? " settling" : "")
        svg += "<path class=\"\(style)\" d=\"\(path)\""
        svg += colors.isEmpty ? "/>\n" : "><title>\(xml(series.name))</title></path>\n"
      }
    }
    return svg + "</g>\n"
  }

  private func drawn(_ marker: Marker, _ plot: PlotFrame) -> String {
    let x = px(plot.x(marker.seconds))
    let style = marker.isRelease ? "release" + outcomeStyle(marker.label) : "marker"
    return "<path class=\"\(style)\" d=\"M\(x) \(px(plot.y))v"
      + "\(px(plot.height))\"><title>\(xml(marker.label))</title></path>\n"
  }

  /// Levels with their names at the right edge. A name stands to the left of one that it would cover.
  private func drawn(_ borders: [ReleaseBorder], _ plot: PlotFrame) -> String {
    var svg = ""
    var taken: [(y: Double, left: Double)] = []
    for border in borders {
      let y = plot.y(border.value)
      svg += "<path class=\"border\" d=\"M\(px(plot.x)) \(px(y))h\(px(plot.width))\"/>"
      let right =
        taken.filter { abs($0.y - y) < CurveDrawing.lineHeight }.map(\.left).min()
        ?? plot.x + plot.width - 4
      let left = right - CurveDrawing.width(of: border.label)
      guard left >= plot.x || taken.isEmpty else { continue }
      svg += "<text class=\"faint end\" x=\"\(px(right))\" y=\"\(px(y - 4))\">"
      svg += xml(border.label) + "</text>\n"
      taken.append((y, left - CurveDrawing.nameGap))
    }
    return svg
  }

  /// The releases, above the plot, as far as there is room beside the key's name. Those at one instant share a
  /// text.
  private func releaseNames(_ plot: PlotFrame, from start: Double) -> String {
    var groups: [(line: Double, names: [String])] = []
    let shown = markers.enumerated().filter { _, marker in
      marker.isRelease && marker.seconds.isFinite && plot.times.contains(marker.seconds)
    }
    for (_, marker) in shown.sorted(by: {
      ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
    }) {
      let name = String(marker.label.prefix { $0 != "," })
      let line = plot.x(marker.seconds)
      if let last = groups.last, line - last.line < CurveDrawing.letterWidth {
        if !last.names.contains(name) { groups[groups.count - 1].names.append(name) }
      } else {
        groups.append((line, [name]))
      }
    }
    var svg = ""
    var free = start
    for (line, names) in groups {
      let styles = Set(names.map(outcomeStyle))
      let style = styles.count == 1 ? styles.first ?? "" : ""
      svg +=
        "<path class=\"releaseSign\(style)\" d=\"M\(px(line)) \(px(plot.y))l-4 -7h8z\"/>"
      // Behind its sign, or before it at the right edge.
      let name = names.joined(separator: ", ")
      let length = CurveDrawing.width(of: name)
      let isBehind = line + 8 + length <= width
      let start = isBehind ? line + 8 : line - 8 - length
      guard start >= free else { continue }
      svg += "<text class=\"releaseText\(style)\(isBehind ? "" : " end")\" "
      svg +=
        "x=\"\(px(isBehind ? start : line - 8))\" y=\"\(px(plot.y - 2))\">\(xml(name))</text>\n"
      free = start + length + CurveDrawing.nameGap
    }
    return svg
  }

  /// About the width of a text of these sizes, in pixels: terminals' columns at the width of a letter.
  private static func width(of text: String) -> Double {
    Double(DisplayText.width(of: text)) * letterWidth
  }

  /// The range of numbers, made wider where they are all one.
  static func range(_ numbers: [Double], orAround middle: Double) -> ClosedRange<Double> {
    guard let lower = numbers.min(), let upper = numbers.max() else {
      return middle - 1...middle + 1
    }
    guard lower == upper else { return lower...upper }
    let room = max(0.5, abs(lower) * 0.1)
    return lower - room...upper + room
  }
}

extension [CurveDrawing.Stretch] {
  /// Draws a curve on to a point. Where settling begins or ends, a stretch begins at the point before.
  package mutating func draw(to point: Point2D, isSettling: Bool) {
    if let last, last.isSettling == isSettling {
      self[count - 1].points.append(point)
    } else {
      let joint = (last?.points.last).map { [$0] } ?? []
      append(CurveDrawing.Stretch(points: joint + [point], isSettling: isSettling))
    }
  }
}
