import TestSupport
import Testing
import TimelineModel

@testable import TimelineRendering

@Suite struct PlayerScreenTests {
  private func grid(
    _ columns: Int, _ rows: Int, runs: [PlayerRun]? = nil,
    _ change: (inout PlayerState) -> Void = { _ in }
  ) -> CellGrid {
    let runs = runs ?? [SmallRun.run()]
    var state = PlayerState(time: SmallRun.at(300))
    state.keyCount = 2
    state.runCount = runs.count
    change(&state)
    return PlayerScreen(columns: columns, rows: rows).grid(
      state, SmallRun.timeline(), runs, runs.map { _ in SmallRun.moment(4) })
  }

  private func text(_ grid: CellGrid) -> String { grid.lines.joined(separator: "\n") }

  @Test func `every size is filled without a trap`() {
    var sizes: [(Int, Int)] = []
    for columns in 1...26 { for rows in 1...18 { sizes.append((columns, rows)) } }
    for columns in [40, 63, 64, 65, 80, 132, 300] {
      for rows in [1, 2, 8, 13, 14, 15, 24, 25, 40, 100] { sizes.append((columns, rows)) }
    }
    let two = [SmallRun.run(), SmallRun.run(title: "other.kymo #2", key: "y")]
    for (columns, rows) in sizes {
      for runs in [[SmallRun.run()], two] {
        for view in PlayerState.View.allCases {
          let grid = grid(columns, rows, runs: runs) {
            $0.view = view
            $0.selectionStart = SmallRun.at(900)
            $0.selectionEnd = SmallRun.at(200)
            $0.helpPage = view == .stage ? 0 : nil
          }
          #expect(grid.columns == columns)
          #expect(grid.rows == rows)
        }
      }
    }
  }

  @Test func `names that are wide, joined or hostile keep every line in its columns`() {
    let names = [
      "\u{1b}]0;title\u{7}\u{1b}[2J", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
      "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "\u{202e}abc\u{2028}\r\n",
    ]
    for name in names {
      for (columns, rows) in [(20, 8), (33, 12), (80, 24)] {
        let grid = grid(columns, rows, runs: [SmallRun.run(title: name, key: name)])
        for (row, line) in grid.lines.enumerated() {
          #expect(DisplayText.width(of: line) <= columns, "line \(row) of \(columns)x\(rows)")
          #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
        }
        var terminal = TinyTerminal(columns: columns, rows: rows)
        terminal.receive(ScreenUpdate.text(from: nil, to: grid, inColor: true))
        #expect(terminal.complaints == [])
        #expect(terminal.lines == grid.lines)
      }
    }
  }

  @Test func `the status tells time, speed, frame, phase, loop and what is still recorded`() {
    let status = grid(100, 20) {
      $0.isPlaying = true
      $0.speed = 0.25
      $0.isLooping = true
      $0.pausesOnMarkers = true
    }.lines[19]
    #expect(
      status.hasPrefix(
        "▶ 0.300 s of 1.000 s  1/4×  frame 4 of 11  driving  loop  stops at markers"))
    let part = grid(100, 20) {
      $0.isLooping = true
      $0.selectionStart = SmallRun.at(400)
      $0.selectionEnd = SmallRun.at(200)
    }.lines[19]
    #expect(part.hasPrefix("‖ 0.300 s of 1.000 s  1×  frame 4 of 11  driving  loop 0.200–0.400"))
    let live = PlayerScreen(columns: 80, rows: 10).grid(
      PlayerState(time: .zero), SmallRun.timeline(isGrowing: true), [SmallRun.run()],
      [SmallRun.moment(1)])
    #expect(live.lines[9].contains("recording"))
    for (end, words) in [
      (PlayerTimeline.RecorderEnd.finished, "recorder finished"), (.ended, "recorder was ended"),
    ] {
      var timeline = SmallRun.timeline()
      timeline.recorderEnd = end
      let over = PlayerScreen(columns: 80, rows: 10).grid(
        PlayerState(time: .zero), timeline, [SmallRun.run()], [SmallRun.moment(1)])
      #expect(over.lines[9].contains(words))
    }
  }

  @Test func `near a release its velocity is told, elsewhere the marker that was passed`() {
    let far = grid(80, 20).lines[18]
    #expect(far.hasPrefix("▷ start small → large, 0.100 s"))
    #expect(far.contains("progress 0.3"))
    for milliseconds: Int64 in [400, 500, 600] {
      let near = grid(80, 20) { $0.time = SmallRun.at(milliseconds) }.lines[18]
      #expect(near == "◆ finish, progress 1/s (0.9 to 1.1)")
    }
    #expect(!grid(80, 20) { $0.time = SmallRun.at(601) }.lines[18].contains("0.9 to 1.1"))
  }

  @Test
  func `finish and cancel have the page's signs and hues, errors red, and nothing else has these`()
  {
    for (outcome, sign, color) in [
      (ReleaseOutcome.finish, "◆", ScreenStyle.Color.green), (.cancel, "◇", .magenta),
    ] {
      for count in [1, 2] {
        var run = SmallRun.run()
        run.releases[0].outcome = outcome
        var timeline = SmallRun.timeline()
        timeline = PlayerTimeline(
          timeline.start...timeline.end, frames: timeline.frames,
          markers: timeline.markers.map { marker in
            var marker = marker
            if marker.kind == .release { marker.outcome = outcome }
            return marker
          } + [PlayerMarker(time: SmallRun.at(700), kind: .trouble, label: "error: no")])
        var state = PlayerState(time: SmallRun.at(500))
        state.runCount = count
        let runs = Array(repeating: run, count: count)
        func draw(_ milliseconds: Int64) -> CellGrid {
          state.time = SmallRun.at(milliseconds)
          return PlayerScreen(columns: 90, rows: 24).grid(
            state, timeline, runs, runs.map { _ in SmallRun.moment(4) })
        }
        let near = draw(450)
        func cells(_ grid: CellGrid, _ color: ScreenStyle.Color) -> [CellGrid.Cell] {
          grid.cells.filter { $0.style.color == color }
        }
        let signs = cells(near, color).filter { $0.text == sign }
        #expect(signs.count == count + 1, "of the lane, and of the words of each run")
        #expect(cells(near, color).contains { $0.text == "┊" })
        #expect(near.lines[22].contains(sign + " finish, progress 1/s"))
        #expect(cells(near, .red).map(\.text) == ["!"])
        #expect(cells(near, color == .green ? .magenta : .green).isEmpty)
        let later = draw(750)
        #expect(cells(later, .red).map(\.text).joined().contains("! error: no, 0.700 s"))
      }
    }
  }

  @Test func `Tab brings the next key up, and s the other run to the front`() {
    #expect(grid(30, 8).lines[1].hasPrefix("progress  0.3"))
    #expect(grid(30, 8) { $0.firstKey = 1 }.lines[1].hasPrefix("x  91 pt"))
    let runs = [SmallRun.run(title: "a.kymo"), SmallRun.run(title: "b.kymo")]
    #expect(grid(40, 8, runs: runs).lines[0].hasPrefix("A a.kymo"))
    #expect(grid(40, 8, runs: runs) { $0.isSwapped = true }.lines[0].hasPrefix("B b.kymo"))
    let both = grid(80, 20, runs: runs)
    #expect(both.lines[0].hasPrefix("A a.kymo"))
    #expect(both.lines[1].hasPrefix("B b.kymo"))
    #expect(both.lines[2].hasPrefix("╭A"))
    #expect(both.lines[2].contains("╭B"))
  }

  @Test func `every line of the help can be seen on a small screen`() {
    for rows in [3, 8, 24] {
      var seen = ""
      for page in 0..<PlayerScreen.helpPageCount(rows: rows) {
        seen += text(grid(60, rows) { $0.helpPage = page })
      }
      for line in PlayerHelp.lines { #expect(seen.contains(line)) }
    }
  }
}
