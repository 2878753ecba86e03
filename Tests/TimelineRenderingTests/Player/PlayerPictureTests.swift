import Testing
import TimelineModel

@testable import TimelineRendering

/// Whole screens, read by eye before they were kept.
@Suite struct PlayerPictureTests {
  private func picture(
    _ columns: Int, _ rows: Int, _ runs: [PlayerRun] = [SmallRun.run()],
    _ change: (inout PlayerState) -> Void = { _ in }
  ) -> String {
    var state = PlayerState(time: SmallRun.at(300))
    state.keyCount = 2
    state.runCount = runs.count
    change(&state)
    return PlayerScreen(columns: columns, rows: rows).grid(
      state, SmallRun.timeline(), runs, runs.map { _ in SmallRun.moment(4) }
    ).lines.joined(separator: "\n")
  }

  @Test func `one run: stage beside curves, markers, the marker passed last, status`() {
    #expect(
      picture(70, 16) == """
        run.kymo #1  finish at 0.5 s by rule
        ╭────────────────────╮ progress  0.3                           [0 … 1]
        │┌────────┐          │               │        ┊              ⢀⣀⣀⠤⠤⠔⠒⠊⠉
        ││apple███│          │               │        ┊     ⢀⣀⡠⠤⠤⠒⠒⠉⠉⠁
        ││████████│          │               │  ⢀⣀⣀⣀⠤⠤⠤⠤⠒⠒⠉⠉⠁
        ││███████┌────────┐  │         ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁     ┊
        │└───────│plum░░░░│  │ ⣀⡠⠤⠔⠒⠒⠉⠉⠁     │        ┊
        │        │░░░░░░░░│  │ x  91 pt                              [0 … 100]
        │        │░░░░░░░░│  │ ⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠤⠤⠤⠤⢄⣀⣀⣀   ┊
        │        └────────┘  │               │     ⠉⠉⠑⠒⠒⠤⠤⣀⣀⡀
        │  ●                 │               │        ┊     ⠈⠉⠑⠒⠢⠤⣀⡀
        │                    │               │        ┊            ⠈⠉⠒⠢⠤⢄⣀
        ╰────────────────────╯               │        ┊                   ⠉⠒⠤⣀
        ───────▷─────────────┃─────────────◆──────────────────────────□───────
        ▷ start small → large, 0.100 s  progress 0.3  x 91 pt
        ‖ 0.300 s of 1.000 s  1×  frame 4 of 11  driving       ? help  q quit
        """)
  }

  @Test func `the smallest terminal: one curve, markers, status`() {
    #expect(
      picture(20, 8) == """
        run.kymo #1  finish…
        progress  0.3
              │   ┊    ⣀⠤⠒⠊⠉
              │   ⢀⡠⠔⠒⠉
             ⣀⡠⠔⠒⠉⠁
        ⣀⠤⠔⠊⠉ │   ┊
        ──▷───┃───◆──────□──
        ‖ 0.300 s  1×  4/11…
        """)
  }

  @Test func `two runs: both stages, the one in front first, and a selection`() {
    let two = picture(64, 20, [SmallRun.run(), SmallRun.run(title: "other.kymo #2")]) {
      $0.isSwapped = true
      $0.selectionStart = SmallRun.at(200)
      $0.selectionEnd = SmallRun.at(700)
    }
    #expect(
      two == """
        A run.kymo #1  finish at 0.5 s by rule
        B other.kymo #2  finish at 0.5 s by rule
        ╭B────────────╮ ╭A────────────╮  progress  B 0.3  A 0.3  [0 … 1]
        │┌─────┐      │ │┌─────┐      │           │     ┊          ⣀⠤⠔⠒⠉
        ││apple│      │ ││apple│      │           │     ┊     ⣀⡠⠤⠒⠉
        ││████┌────┐  │ ││████┌────┐  │           │     ┊⣀⠤⠒⠊⠉
        │└────│plum│  │ │└────│plum│  │           │⣀⡠⠤⠒⠒⠉
        │     └────┘  │ │     └────┘  │      ⢀⡠⠤⠒⠊⠉     ┊
        │             │ │             │  ⣀⠤⠔⠊⠁    │     ┊
        │ ●           │ │ ●           │  x  B 91  A 91 pt      [0 … 100]
        ╰─────────────╯ ╰─────────────╯  ⠉⠉⠉⠉⠑⠒⠒⠢⠤⠤⣀⡀   ┊
                                                  │ ⠈⠉⠒⠤⣀
                                                  │     ┊⠉⠒⠤⣀
                                                  │     ┊    ⠉⠒⠤⡀
                                                  │     ┊       ⠈⠑⢄
                                                  │     ┊          ⠉⠢⡀
                                                  │     ┊            ⠈⠒⢄
        ──────▷─────a━━━━━━┃━━━━━━━━━━━━◆━━━━━━━━━━━b────────────□──────
        ▷ start small → large, 0.100 s  progress 0.3  x 91 pt
        ‖ 0.300 s of 1.000 s  1×  frame 4 of 11  driving  B in front
        """)
  }
}
