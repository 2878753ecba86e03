import TimelineModel

/// Draws a player: header, stage, curves, marker lane and status on a grid of cells.
///
/// A pure function of what it is given. It fits any size: what has no room is left out, the status line
/// last.
package struct PlayerScreen: Sendable {
  /// Cells across.
  package var columns: Int
  package var rows: Int

  /// From so many columns on, stage and curves stand side by side. Each then has half of a small terminal.
  private static let sideBySideColumns = 64
  /// From so many lines on, stage and curves stand one above the other.
  private static let stackedRows = 16
  /// Fewer lines than this have no marker lane.
  private static let laneRows = 8
  /// From so many lines on, the values at the cursor have a line of their own.
  private static let valueRows = 10
  /// From so many lines on, each of two runs has its header.
  private static let secondHeaderRows = 14

  /// Makes a screen of a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Draws.
  ///
  /// - Parameters:
  ///   - state: Where the player is.
  ///   - timeline: The time that it moves in.
  ///   - runs: One or two runs.
  ///   - moments: The content of each run at the state's instant.
  package func grid(
    _ state: PlayerState, _ timeline: PlayerTimeline, _ runs: [PlayerRun],
    _ moments: [PlayerMoment]
  ) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: rows)
    let scene = PlayerScene(state: state, timeline: timeline, runs: runs, moments: moments)
    var top = 0
    var bottom = grid.rows
    if grid.rows > 1 { top = drawHeaders(scene, on: &grid) }
    bottom -= 1
    drawStatus(scene, row: bottom, on: &grid)
    if grid.rows >= PlayerScreen.valueRows {
      bottom -= 1
      drawValues(scene, row: bottom, on: &grid)
    }
    if grid.rows >= PlayerScreen.laneRows {
      bottom -= 1
      drawLane(scene, row: bottom, on: &grid)
    }
    drawMiddle(scene, rows: top..<max(top, bottom), on: &grid)
    if let page = state.helpPage { drawHelp(page: page, on: &grid) }
    return grid
  }

  private func drawHeaders(_ scene: PlayerScene, on grid: inout CellGrid) -> Int {
    let both = scene.runs.count > 1 && grid.rows >= PlayerScreen.secondHeaderRows
    let shown = both ? [0, 1] : [scene.front]
    for (row, index) in shown.enumerated() {
      let run = scene.runs[index]
      let name = scene.runs.count > 1 ? (index == 0 ? "A " : "B ") : ""
      var style = ScreenStyle.bold
      if scene.runs.count > 1 { style.color = scene.color(of: index) }
      grid.writeCut(name + run.title, column: 0, row: row, width: grid.columns, style: style)
      let used = DisplayText.width(of: DisplayText.harmless(name + run.title)) + 2
      guard !run.headline.isEmpty, used < grid.columns else { continue }
      let outcomes = Set(run.releases.map(\.outcome))
      grid.writeCut(
        run.headline, column: used, row: row, width: grid.columns - used,
        style: ScreenStyle(color: outcomes.count == 1 ? outcomes.first??.color : nil))
    }
    return shown.count
  }

  private func drawMiddle(_ scene: PlayerScene, rows: Range<Int>, on grid: inout CellGrid) {
    guard !rows.isEmpty else { return }
    let whole = PlayerArea(columns: 0..<grid.columns, rows: rows)
    let hasCurves = !scene.keyNames.isEmpty
    let hasStage = scene.moments.contains { $0.stage != nil }
    var view = scene.state.view
    if !hasCurves { view = .stage } else if !hasStage { view = .curves }
    let isWide = grid.columns >= PlayerScreen.sideBySideColumns
    if view == .both, !isWide, rows.count < PlayerScreen.stackedRows { view = .curves }
    switch view {
    case .curves: drawCurves(scene, in: whole, on: &grid)
    case .stage: drawStages(scene, in: whole, on: &grid)
    case .both where isWide:
      // The stage takes what it needs at this height, at most half. Curves gain from width.
      let wanted = stageColumns(scene, rows: rows.count)
      let middle = min(grid.columns / 2, wanted)
      drawStages(
        scene, in: PlayerArea(columns: 0..<middle, rows: rows), on: &grid)
      drawCurves(
        scene, in: PlayerArea(columns: middle + 1..<grid.columns, rows: rows), on: &grid)
    case .both:
      let middle = rows.lowerBound + rows.count / 2
      drawStages(
        scene, in: PlayerArea(columns: whole.columns, rows: rows.lowerBound..<middle), on: &grid)
      drawCurves(
        scene, in: PlayerArea(columns: whole.columns, rows: middle..<rows.upperBound), on: &grid)
    }
  }
}

/// Everything that is drawn.
struct PlayerScene {
  let state: PlayerState
  let timeline: PlayerTimeline
  let runs: [PlayerRun]
  let moments: [PlayerMoment]

  /// Number of the run in front.
  var front: Int { runs.count > 1 && state.isSwapped ? 1 : 0 }

  /// The runs' numbers, the one in front first.
  var order: [Int] { runs.count > 1 ? [front, 1 - front] : [0] }

  /// The keys of all runs, in the order of the first run and then of the second.
  var keyNames: [String] {
    var names = runs[0].lines.map(\.curve.name)
    guard runs.count > 1 else { return names }
    var known = Set(names)
    for line in runs.dropFirst().flatMap(\.lines) where known.insert(line.curve.name).inserted {
      names.append(line.curve.name)
    }
    return names
  }

  func color(of run: Int) -> ScreenStyle.Color { run == 0 ? .cyan : .gold }

  /// Where an instant lies between the ends, 0 to 1.
  func share(of time: Instant) -> Double {
    let whole = timeline.end.nanoseconds(since: timeline.start)
    guard whole > 0 else { return 0 }
    return max(0, min(1, Double(time.nanoseconds(since: timeline.start)) / Double(whole)))
  }
}

/// A rectangle of cells.
struct PlayerArea {
  var columns: Range<Int>
  var rows: Range<Int>
}

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
