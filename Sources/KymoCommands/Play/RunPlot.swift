import TimelineModel
import TimelineRendering
import TimelineSession

/// The curves of one or two runs on one clock, ready to be drawn as text or as SVG.
struct RunPlot {
  /// Everything that an SVG shows.
  let drawing: CurveDrawing

  /// Takes the curves from a playback.
  ///
  /// - Throws: ``Failure`` where there is nothing to plot.
  init(_ playback: Playback, _ sources: [SessionArgument]) throws {
    let timeline = playback.timeline(isSwapped: false)
    let errors = try sources.map { try ElementErrors(FileSource($0.session, in: $0.reader)) }
    let runs = playback.runs
    let settlings = runs.indices.map(playback.settlings(ofRun:))
    let borders = RunPlot.borders(runs)
    var panels: [CurveDrawing.Panel] = []
    var places: [String: Int] = [:]
    let lines = runs.enumerated().flatMap { index, run in
      run.lines.filter { !$0.outline.isEmpty }.map { (index, run, $0) }
    }
    let centers = Centers(of: lines.map(\.2.curve))
    for (index, run, line) in lines where centers.names(below: line.curve).isEmpty {
      let letter = runs.count > 1 ? (index == 0 ? "A " : "B ") : ""
      let stretches = RunPlot.stretches(line, settlings[index])
      let halfWidths = errors[index].halfWidths(ofKey: line.curve.name)?
        .shifted(byNanoseconds: playback.shift(ofRun: index))
      let series = CurveDrawing.Series(
        name: letter + run.title, run: index, stretches: stretches,
        bands: halfWidths.map { RunPlot.bands(of: stretches, $0) } ?? [])
      if let panel = places[line.curve.name] {
        panels[panel].series.append(series)
      } else {
        places[line.curve.name] = panels.count
        panels.append(
          CurveDrawing.Panel(
            name: line.curve.name, unit: line.curve.unit, series: [series],
            borders: borders[line.curve.name] ?? []))
      }
    }
    for (index, _, line) in lines {
      let below = centers.names(below: line.curve)
      guard !below.isEmpty else { continue }
      for panel in panels.indices where below.contains(panels[panel].name) {
        panels[panel].series.append(
          CurveDrawing.Series(
            name: (runs.count > 1 ? (index == 0 ? "A " : "B ") : "") + line.curve.name,
            run: CurveDrawing.fingerRun + index,
            stretches: RunPlot.stretches(line, [])))
      }
    }
    guard !panels.isEmpty else {
      throw Failure.usage("no values to plot in that time. kymo list keys shows the times of keys")
    }
    // Two runs are named in the legend. One has no other place.
    var titles = [runs[0].title + (runs[0].headline.isEmpty ? "" : ": " + runs[0].headline)]
    if runs.count > 1 {
      titles = zip(["A", "B"], runs).map { letter, run in
        letter + " " + (run.headline.isEmpty ? "without a release" : run.headline)
      }
    }
    drawing = CurveDrawing(
      title: titles.joined(separator: "  ·  "), panels: panels,
      markers: timeline.markers.map { marker in
        CurveDrawing.Marker(
          seconds: marker.time.seconds,
          label: (runs.count > 1 ? (marker.run == 0 ? "A " : "B ") : "") + marker.label,
          isRelease: marker.kind == .release)
      })
  }

  /// Takes the columns of a table, or the places of contacts.
  ///
  /// - Throws: ``Failure`` where there is nothing to plot.
  init(_ file: SampleFile, in range: ClosedRange<Instant>) throws {
    var markers: [CurveDrawing.Marker] = []
    let panels = file.tracks.compactMap { track -> CurveDrawing.Panel? in
      // A contact is where it was until it lifts.
      let end = track.samples.last.map { Sample(time: track.lift, value: $0.value) }
      let samples = track.samples + (track.pointer == nil ? [] : [end].compactMap { $0 })
      let points = samples.filter { range.contains($0.time) }
        .map { Point2D(x: $0.time.seconds, y: $0.value) }
      guard !points.isEmpty else { return nil }
      let lift = CurveDrawing.Marker(
        seconds: track.lift.seconds, label: track.isCancelled ? "cancelled" : "lift",
        isRelease: true)
      if track.pointer != nil, range.contains(track.lift), !markers.contains(lift) {
        markers.append(lift)
      }
      return CurveDrawing.Panel(
        name: track.name, unit: "",
        series: [
          CurveDrawing.Series(
            name: track.name, run: 0, stretches: [.init(points: points, isSettling: false)])
        ])
    }
    guard !panels.isEmpty else { throw Failure.usage("no values to plot in that time") }
    drawing = CurveDrawing(title: file.name, panels: panels, markers: markers)
  }

  /// The curves of the centers of elements, over which a finger's curve along the same axis is drawn.
  private struct Centers {
    private struct Direction: Hashable {
      let axis: FingerAxis
      let unit: String
    }

    private var names: [Direction: Set<String>] = [:]

    init(of curves: [PlayerCurve]) {
      for curve in curves {
        guard case .item(_, let attribute) = MotionSubject(curve.name),
          attribute == .centerX || attribute == .centerY
        else { continue }
        let axis = attribute == .centerX ? FingerAxis.x : .y
        names[Direction(axis: axis, unit: curve.unit), default: []].insert(curve.name)
      }
    }

    /// Empty for a curve that is not a finger's, and for a finger that has a plot of its own.
    func names(below curve: PlayerCurve) -> Set<String> {
      guard !names.isEmpty, case .finger(let axis, _) = MotionSubject(curve.name) else { return [] }
      return names[Direction(axis: axis, unit: curve.unit)] ?? []
    }
  }

  /// The borders of each key's releases, each once.
  private static func borders(_ runs: [PlayerRun]) -> [String: [ReleaseBorder]] {
    var known: Set<ReleaseBorder> = []
    return Dictionary(
      grouping: runs.flatMap(\.releases).compactMap(\.border).filter {
        known.insert($0).inserted
      }, by: \.key)
  }

  /// Cuts a curve where settling begins and ends. Neighbours share the sample between them. Where it begins anew, it is cut
  /// without one.
  private static func stretches(
    _ line: PlayerRun.Line, _ settlings: [ClosedRange<Instant>]
  ) -> [CurveDrawing.Stretch] {
    var stretches: [CurveDrawing.Stretch] = []
    var next = 0
    var breaks = line.curve.breaks[...]
    for sample in line.outline {
      let point = Point2D(x: sample.time.seconds, y: sample.value)
      while next < settlings.count, settlings[next].upperBound < sample.time { next += 1 }
      // The sample at the lift itself still belongs to the hand.
      let isSettling = next < settlings.count && settlings[next].lowerBound < sample.time
      let known = breaks.count
      breaks = breaks.drop { $0 <= sample.time }
      if breaks.count < known {
        stretches.append(.init(points: [point], isSettling: isSettling))
      } else {
        stretches.draw(to: point, isSettling: isSettling)
      }
    }
    return stretches
  }

  /// The points of the edges of a curve's errors, stretch by stretch.
  private static func bands(
    of stretches: [CurveDrawing.Stretch], _ halfWidths: Curve
  ) -> [CurveDrawing.Band] {
    stretches.map { stretch in
      let widths = stretch.points.map { point in
        Instant(seconds: point.x).flatMap { halfWidths.heldValue(at: $0) }
          ?? halfWidths.values.first ?? 0
      }
      return CurveDrawing.Band(
        upper: zip(stretch.points, widths).map { Point2D(x: $0.x, y: $0.y + $1) },
        lower: zip(stretch.points, widths).map { Point2D(x: $0.x, y: $0.y - $1) })
    }
  }

  /// The edges of a panel's bands as text, if they are apart from their curve by a dot and more.
  private static func edges(of panel: CurveDrawing.Panel, height: Int) -> [BrailleCurve.Curve] {
    let bands = panel.series.flatMap(\.bands)
    let values = bands.flatMap { $0.upper + $0.lower }.map(\.y)
    let width = bands.flatMap { zip($0.upper, $0.lower).map { $0.y - $1.y } }.max() ?? 0
    guard width / 2 * Double(4 * height) >= values.extent, width > 0 else { return [] }
    return bands.flatMap { [$0.upper, $0.lower] }.enumerated().map { number, points in
      BrailleCurve.Curve(
        name: number == 0 ? "90 % interval" : "", points: points, isDashed: true)
    }
  }

  /// A series as curves of which each is joined in itself. The first has the name.
  private static func curves(of series: CurveDrawing.Series, isDashed: Bool) -> [BrailleCurve.Curve]
  {
    var parts: [[Point2D]] = []
    for stretch in series.stretches {
      if let last = parts.last?.last, last == stretch.points.first {
        parts[parts.count - 1] += stretch.points.dropFirst()
      } else {
        parts.append(stretch.points)
      }
    }
    return parts.enumerated().map { number, points in
      BrailleCurve.Curve(name: number == 0 ? series.name : "", points: points, isDashed: isDashed)
    }
  }

  /// The plots as texts, each of lines: one below the other. Each is made when it is asked for.
  func texts(width: Int, height: Int) -> some Sequence<String> {
    let hasTwoRuns = drawing.panels.contains { $0.series.contains { $0.run == 1 } }
    return drawing.panels.lazy.enumerated().lazy.map { index, panel in
      var curves: [BrailleCurve.Curve] = []
      if hasTwoRuns {
        curves = panel.series.enumerated().flatMap { number, series in
          RunPlot.curves(of: series, isDashed: number > 0)
        }
      } else {
        // A curve of its own for each stretch, so that no line joins two stretches.
        for isSettling in [false, true] {
          let stretches = panel.series.filter { $0.run == 0 }.flatMap(\.stretches)
            .filter { $0.isSettling == isSettling }
          for (number, stretch) in stretches.enumerated() {
            let name = number == 0 ? (isSettling ? "settling" : "driven") : ""
            curves.append(
              BrailleCurve.Curve(name: name, points: stretch.points, isDashed: isSettling))
          }
        }
        for series in panel.series where series.run >= CurveDrawing.fingerRun {
          curves += RunPlot.curves(of: series, isDashed: true)
        }
      }
      curves += RunPlot.edges(of: panel, height: height)
      return (index > 0 ? "\n" : "") + DisplayText.harmless(panel.name) + "\n"
        + BrailleCurve(width: width, height: height).text(
          curves, xUnit: "s", yUnit: panel.unit == "1" ? "" : panel.unit,
          marks: BrailleCurve.Marks(
            releases: drawing.markers.filter(\.isRelease).map(\.seconds), borders: panel.borders))
    }
  }
}
