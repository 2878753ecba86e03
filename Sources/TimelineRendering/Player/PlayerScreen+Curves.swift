import TimelineModel

extension PlayerScreen {
  /// Lines that a curve should have, heading included: below that more curves help less than height.
  private static let comfortableRows = 6

  /// Draws as many curves as have room, from the state's first key on.
  func drawCurves(_ scene: PlayerScene, in area: PlayerArea, on grid: inout CellGrid) {
    let names = scene.keyNames
    guard !names.isEmpty, !area.rows.isEmpty, area.columns.count > 1 else { return }
    let count = max(1, min(names.count, area.rows.count / PlayerScreen.comfortableRows))
    for position in 0..<count {
      let name = names[(scene.state.firstKey + position) % names.count]
      let first = area.rows.lowerBound + area.rows.count * position / count
      let last = area.rows.lowerBound + area.rows.count * (position + 1) / count
      draw(
        name, scene, in: PlayerArea(columns: area.columns, rows: first..<last), on: &grid)
    }
  }

  /// Draws one key: a heading with value and range, and below it the runs' curves over one another.
  private func draw(
    _ name: String, _ scene: PlayerScene, in area: PlayerArea, on grid: inout CellGrid
  ) {
    let lines = scene.order.compactMap { index in
      scene.runs[index].line(named: name).map { (run: index, line: $0) }
    }
    let drawn = lines.filter { !$0.line.outline.isEmpty }
    let lowest = drawn.map(\.line.lowest).min() ?? 0
    let highest = drawn.map(\.line.highest).max() ?? 0
    drawHeading(name, lines, lowest, highest, scene, in: area, on: &grid)
    let rows = area.rows.dropFirst()
    guard !rows.isEmpty else { return }
    let (width, height) = (area.columns.count, rows.count)
    var sheets: [(run: Int, dots: DotGrid)] = []
    for (position, entry) in drawn.enumerated() {
      var dots = DotGrid(width: width, height: height)
      dots.draw(
        entry.line.outline.map { sample in
          Point2D(
            x: scene.share(of: sample.time), y: 1 - share(of: sample.value, in: lowest...highest))
        }, isDashed: position > 0)
      sheets.append((entry.run, dots))
    }
    let (left, top) = (area.columns.lowerBound, rows.lowerBound)
    for row in 0..<height {
      for column in 0..<width {
        let patterns = sheets.map { (run: $0.run, dots: $0.dots.pattern(column: column, row: row)) }
        let all = patterns.reduce(0) { $0 | $1.dots }
        guard all != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(all)) else { continue }
        var style = ScreenStyle()
        if let run = patterns.first(where: { $0.dots != 0 })?.run {
          style.color = scene.color(of: run)
        }
        grid.mark(String(scalar), column: left + column, row: top + row, style: style)
      }
    }
    let borders = scene.order.flatMap { scene.runs[$0].releases.compactMap(\.border) }
    for border in borders where border.key == name && (lowest...highest).contains(border.value) {
      let dot = (1 - share(of: border.value, in: lowest...highest)) * Double(height * 4 - 1)
      let row = top + Int(dot.rounded()) / 4
      for column in left..<left + width where grid[column, row].text == " " {
        grid.mark("┄", column: column, row: row, style: .dim)
      }
      // Its name at the right end, where no curve is.
      let start = left + width - DisplayText.width(of: border.label)
      if start > left, (start..<left + width).allSatisfy({ grid[$0, row].text == "┄" }) {
        grid.write(border.label, column: start, row: row, style: .dim)
      }
    }
    for release in scene.order.flatMap({ scene.runs[$0].releases }) {
      let style = release.outcome.map { ScreenStyle(color: $0.color) } ?? .dim
      drawUpright(
        "┊", style, at: release.time, scene, left, width, top..<top + height, on: &grid)
    }
    drawUpright(
      "│", .bold, at: scene.state.time, scene, left, width, top..<top + height, on: &grid)
  }

  /// A line from top to bottom at an instant: in blank cells its sign. The cursor's turns dots round.
  private func drawUpright(
    _ sign: String, _ style: ScreenStyle, at time: Instant, _ scene: PlayerScene, _ left: Int,
    _ width: Int, _ rows: Range<Int>, on grid: inout CellGrid
  ) {
    guard time >= scene.timeline.start, time <= scene.timeline.end else { return }
    let isCursor = time == scene.state.time
    let column = left + cell(of: time, scene, width: width)
    for row in rows {
      let isBlank = [" ", "┊", "┄"].contains(grid[column, row].text)
      if isBlank {
        grid.mark(sign, column: column, row: row, style: style)
      } else if isCursor {
        grid.restyle(column: column, row: row) { $0.isReversed = true }
      }
    }
  }

  /// The column of an instant among so many: that of its dot.
  func cell(of time: Instant, _ scene: PlayerScene, width: Int) -> Int {
    let dot = Int((scene.share(of: time) * Double(width * 2 - 1)).rounded())
    return max(0, min(width - 1, dot / 2))
  }

  private func drawHeading(
    _ name: String, _ lines: [(run: Int, line: PlayerRun.Line)], _ lowest: Double,
    _ highest: Double, _ scene: PlayerScene, in area: PlayerArea, on grid: inout CellGrid
  ) {
    let row = area.rows.lowerBound
    var position = grid.write(
      name, column: area.columns.lowerBound, row: row, style: .bold, end: area.columns.upperBound)
    for (run, line) in lines {
      let value = line.curve.value(at: scene.state.time).map { NumberText.cell($0) } ?? "–"
      var style = ScreenStyle()
      var label = "  "
      if scene.runs.count > 1 {
        style.color = scene.color(of: run)
        label += run == 0 ? "A " : "B "
      }
      position = grid.write(
        label + value, column: position, row: row, style: style, end: area.columns.upperBound)
    }
    let unit = lines.first?.line.curve.unitSuffix ?? ""
    position = grid.write(unit, column: position, row: row, end: area.columns.upperBound)
    let range = "[\(NumberText.cell(lowest)) … \(NumberText.cell(highest))]"
    let start = area.columns.upperBound - DisplayText.width(of: range)
    if start > position + 1 { grid.write(range, column: start, row: row, style: .dim) }
  }
}
