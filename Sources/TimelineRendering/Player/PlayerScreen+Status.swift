import TimelineModel

extension PlayerScreen {
  /// So near to a release, in seconds, its velocity is shown: two frames of most displays, and a reaction
  /// of the eye's.
  private static let releaseSeconds = 0.1

  /// Time, frame, phase, speed and what else holds, in this order of importance.
  func drawStatus(_ scene: PlayerScene, row: Int, on grid: inout CellGrid) {
    let state = scene.state
    let moment = scene.moments[scene.front]
    var parts = [
      (state.isPlaying ? "▶ " : "‖ ") + PlayerText.seconds(state.time) + " s",
      PlayerText.speed(state.speed), "\(moment.frame)/\(moment.frameCount)",
    ]
    let roomy = grid.columns >= 60
    if roomy {
      parts[0] += " of " + PlayerText.seconds(scene.timeline.end) + " s"
      parts[2] = "frame \(moment.frame) of \(moment.frameCount)"
    }
    if let phase = moment.phase { parts.append(phase.rawValue) }
    if scene.timeline.isGrowing { parts.append("recording") }
    switch scene.timeline.recorderEnd {
    case .finished: parts.append("recorder finished")
    case .ended: parts.append("recorder was ended")
    case nil: break
    }
    if state.isLooping {
      let range = state.loopRange(in: scene.timeline)
      let isWhole = range == scene.timeline.start...scene.timeline.end
      parts.append(
        isWhole
          ? "loop"
          : "loop " + PlayerText.seconds(range.lowerBound) + "–"
            + PlayerText.seconds(range.upperBound))
    }
    if state.pausesOnMarkers { parts.append("stops at markers") }
    if scene.runs.count > 1 { parts.append(scene.front == 0 ? "A in front" : "B in front") }
    grid.clear(columns: 0..<grid.columns, row: row)
    grid.writeCut(
      parts.joined(separator: "  "), column: 0, row: row, width: grid.columns, style: .reversed)
    for column in 0..<grid.columns { grid.restyle(column: column, row: row) { $0 = .reversed } }
    let hint = " ? help  q quit "
    let used = DisplayText.width(of: parts.joined(separator: "  "))
    let start = grid.columns - DisplayText.width(of: hint)
    if used + 2 <= start { grid.write(hint, column: start, row: row, style: .reversed) }
  }

  /// The release that is near, with its velocity. Else the marker that was passed last. Else the values.
  func drawValues(_ scene: PlayerScene, row: Int, on grid: inout CellGrid) {
    if scene.state.isLabelling || scene.state.notice != nil {
      let words =
        scene.state.notice ?? "What was meant?  f finish  c cancel  u unsure  n no label"
      grid.writeCut(words, column: 0, row: row, width: grid.columns, style: .bold)
      return
    }
    let time = scene.state.time
    let near = scene.order.flatMap { index in
      scene.runs[index].releases.filter {
        abs($0.time.seconds(since: time)) <= PlayerScreen.releaseSeconds
      }.map { (run: index, release: $0) }
    }
    var position = 0
    for (run, release) in near {
      if scene.runs.count > 1 {
        let style = ScreenStyle(color: scene.color(of: run), isBold: true)
        position = grid.write(run == 0 ? "A " : "B ", column: position, row: row, style: style)
      }
      let sign = release.outcome?.sign ?? PlayerMarker.Kind.release.sign
      let style = ScreenStyle(color: release.outcome?.color, isBold: true)
      position =
        grid.write(sign + " " + release.words, column: position, row: row, style: style) + 2
    }
    guard near.isEmpty else { return }
    let passed = scene.timeline.marker(before: time.advanced(byNanoseconds: 1))
    if let passed {
      position =
        grid.write(
          "\(passed.sign) \(passed.label), \(PlayerText.seconds(passed.time)) s", column: 0,
          row: row, style: ScreenStyle(color: passed.color)) + 2
    }
    let frontLines = scene.runs[scene.front].lines
    for line in frontLines {
      guard let value = line.curve.value(at: time) else { continue }
      let words = line.curve.name + " " + NumberText.cell(value) + line.curve.unitSuffix
      guard position + DisplayText.width(of: words) <= grid.columns else { break }
      position = grid.write(words, column: position, row: row, style: .dim) + 2
    }
  }

  /// The whole time as a line, with markers, selection and cursor.
  func drawLane(_ scene: PlayerScene, row: Int, on grid: inout CellGrid) {
    let width = grid.columns
    func column(_ time: Instant) -> Int { cell(of: time, scene, width: width) }
    grid.write(String(repeating: "─", count: width), column: 0, row: row, style: .dim)
    let selection = [scene.state.selectionStart, scene.state.selectionEnd].compactMap { $0 }
    if selection.count == 2 {
      let first = column(min(selection[0], selection[1]))
      let last = column(max(selection[0], selection[1]))
      for position in first...last { grid.mark("━", column: position, row: row, style: .plain) }
    }
    for skip in scene.timeline.skips where column(skip.upperBound) > column(skip.lowerBound) {
      for position in column(skip.lowerBound)..<column(skip.upperBound) {
        grid.mark("·", column: position, row: row, style: .dim)
      }
    }
    // A release hides events at the same time, and not the other way round.
    let markers = scene.timeline.markers
    for marker in markers.filter({ $0.kind != .release }) + markers.filter({ $0.kind == .release })
    {
      let color = marker.color ?? (scene.runs.count > 1 ? scene.color(of: marker.run) : nil)
      grid.mark(
        marker.sign, column: column(marker.time), row: row, style: ScreenStyle(color: color))
    }
    for (name, time) in [("a", scene.state.selectionStart), ("b", scene.state.selectionEnd)] {
      if let time {
        grid.mark(name, column: column(time), row: row, style: .bold)
      }
    }
    let cursor = column(scene.state.time)
    if grid[cursor, row].text == "─" || grid[cursor, row].text == "━" {
      grid.mark("┃", column: cursor, row: row, style: .bold)
    } else {
      grid.restyle(column: cursor, row: row) { $0.isReversed = true }
    }
  }
}
