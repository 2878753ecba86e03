import TimelineModel
import TimelineRendering
import TimelineSession
import TimelineStore

/// The curves of one run for a page of many: the progress, and every key that settles.
struct RerunCurves {
  /// A key's curve.
  private struct Line {
    var key: KeyRecord
    var stretches: [CurveDrawing.Stretch]
  }

  private let run: Int
  private let name: String
  private var lines: [Line] = []
  private let borders: [ReleaseBorder]

  /// Reads a run.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - key: A key that is shown in any case.
  ///   - run: Its number in the drawing.
  ///   - name: What the legend calls it.
  init(_ source: SessionArgument, of key: String, run: Int, name: String) throws {
    (self.run, self.name) = (run, name)
    let data = try SessionData(
      FileSource(source.session, in: source.reader), reading: .allKeys())
    borders = data.releases.compactMap {
      $0.recorded.flatMap { ReleaseBorder($0, among: data.tracks.all.map(\.record)) }
    }
    for curve in data.tracks.all
    where curve.record.role == .progress || curve.record.name == key
      || curve.phases.contains(.settling) && curve.record.role == .animated
    {
      var stretches: [CurveDrawing.Stretch] = []
      for (index, phase) in curve.phases.enumerated() {
        stretches.draw(
          to: Point2D(x: curve.curve.times[index].seconds, y: curve.curve.values[index]),
          isSettling: phase == .settling)
      }
      lines.append(Line(key: curve.record, stretches: stretches))
    }
  }

  /// All runs over one another, a panel for each key; the first one, which was recorded, grey.
  static func drawing(_ runs: [RerunCurves], title: String) -> CurveDrawing {
    var panels: [CurveDrawing.Panel] = []
    for run in runs {
      for line in run.lines {
        let series = CurveDrawing.Series(name: run.name, run: run.run, stretches: line.stretches)
        if let index = panels.firstIndex(where: { $0.name == line.key.name }) {
          panels[index].series.append(series)
        } else {
          panels.append(
            CurveDrawing.Panel(
              name: line.key.name, unit: line.key.unit, series: [series],
              borders: run.borders.filter { $0.key == line.key.name }))
        }
      }
    }
    // The recorded run lies on top, as the others hide it where they are the same.
    for index in panels.indices { panels[index].series.sort { $0.run > $1.run } }
    var drawing = CurveDrawing(title: title, panels: panels)
    let last = max(1, runs.count - 2)
    drawing.colors =
      ["#888"]
      + runs.dropFirst().indices.map { index in
        // From blue to orange, by way of green: light and dark paper bear this lightness both.
        "hsl(\(215 - (index - 1) * 190 / last) 75% 48%)"
      }
    return drawing
  }
}
