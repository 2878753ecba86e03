import TimelineModel

extension PlayerScreen {
  /// How many times higher than wide a terminal's character is, about. No unit.
  private static let characterAspect = 2.0
  /// The fewest columns that each of two stages needs. With less only the one in front is shown.
  private static let fewestStageColumns = 12

  /// How many columns the stages would fill at a height, borders and gaps included.
  func stageColumns(_ scene: PlayerScene, rows: Int) -> Int {
    let widths = scene.order.map { index -> Int in
      guard let stage = scene.moments[index].stage, stage.viewport.height > 0,
        stage.viewport.isFinite
      else { return PlayerScreen.fewestStageColumns }
      let exact =
        Double(max(1, rows - 2)) * PlayerScreen.characterAspect * stage.viewport.width
        / stage.viewport.height
      return Int(max(1, min(Double(CellGrid.largestExtent), exact.rounded()))) + 2
    }
    return widths.reduce(0, +) + widths.count - 1
  }

  /// Draws the stages side by side, or the one in front where there is no room for two.
  func drawStages(_ scene: PlayerScene, in area: PlayerArea, on grid: inout CellGrid) {
    let room = area.columns.count
    let shown =
      scene.runs.count > 1 && room >= 2 * PlayerScreen.fewestStageColumns + 1
      ? scene.order : [scene.front]
    let width = (room - (shown.count - 1)) / shown.count
    for (position, index) in shown.enumerated() {
      let left = area.columns.lowerBound + position * (width + 1)
      let name = scene.runs.count > 1 ? (index == 0 ? "A" : "B") : nil
      draw(
        scene.moments[index], named: name, color: scene.color(of: index),
        in: PlayerArea(columns: left..<left + width, rows: area.rows), on: &grid)
    }
  }

  /// Draws one stage as large as it fits, with its border.
  private func draw(
    _ moment: PlayerMoment, named name: String?, color: ScreenStyle.Color, in area: PlayerArea,
    on grid: inout CellGrid
  ) {
    let (left, top) = (area.columns.lowerBound, area.rows.lowerBound)
    let (roomAcross, roomDown) = (area.columns.count - 2, area.rows.count - 2)
    guard roomAcross > 0, roomDown > 0 else { return }
    guard let stage = moment.stage, stage.viewport.isFinite, stage.viewport.width > 0,
      stage.viewport.height > 0
    else {
      grid.writeCut("no stage", column: left, row: top, width: area.columns.count, style: .dim)
      return
    }
    // As wide as the height allows, or as high as the width allows.
    let aspect = stage.viewport.width / stage.viewport.height * PlayerScreen.characterAspect
    let columns = Int(max(1, min(Double(roomAcross), (Double(roomDown) * aspect).rounded())))
    let rows = Int(max(1, min(Double(roomDown), (Double(columns) / aspect).rounded())))
    let edge = String(repeating: "─", count: columns)
    let border = ScreenStyle.dim
    grid.write("╭" + edge + "╮", column: left, row: top, style: border)
    for (row, line) in stage.lines(columns: columns, rows: rows).enumerated() {
      grid.write("│", column: left, row: top + 1 + row, style: border)
      grid.write(line, column: left + 1, row: top + 1 + row)
      grid.write("│", column: left + columns + 1, row: top + 1 + row, style: border)
    }
    grid.write("╰" + edge + "╯", column: left, row: top + rows + 1, style: border)
    if let name {
      grid.write(
        name, column: left + 1, row: top, style: ScreenStyle(color: color, isBold: true))
    }
    for touch in moment.touches where touch.isFinite {
      let across = touch.x / stage.viewport.width
      let down = touch.y / stage.viewport.height
      guard (0..<1).contains(across), (0..<1).contains(down) else { continue }
      grid.write(
        "●", column: left + 1 + Int(across * Double(columns)),
        row: top + 1 + Int(down * Double(rows)), style: .bold)
    }
  }
}
