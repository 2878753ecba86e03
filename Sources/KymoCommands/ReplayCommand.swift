/// `kymo replay`: a session as it went, played in a terminal or as rows.
func replayCommand() -> Command {
  Command(
    name: "replay", summary: "Play one or two sessions in the terminal, or print rows",
    forms: [replayRowsForm(), replayPlayerForm()],
    examples: [
      "kymo replay pinch.kymo", "kymo replay pinch.kymo --at 0.25s --items",
      "kymo replay pinch.kymo --keys --rate 60 --format csv",
      "kymo replay pinch.kymo --key finger.y,progress --at 100ms,200ms",
      "kymo replay yesterday.kymo today.kymo --align release",
      "kymo replay pinch.kymo --cast pinch.cast --size 100x30", "kymo replay live.kymo --follow",
    ],
    exits: [.loss: "if a session that --cast writes was not closed"],
    discussion: """
      On a terminal it plays. In a pipe, or with --at, --rate, --items, --keys, --format or --json,
      it prints rows: one for each recorded frame. A FILE alone means its last session.

      --at shows the frame that was on the display at that time. With --keys or --key it shows the
      value of each key then, which holds until the next value. --rate interpolates between samples
      and frames. It does not interpolate an app's key of unit 1 with at most 16 whole numbers,
      because such a key moves in steps.

      \(Flags.texts)

      \(Flags.keyGrammar)

      In the player, space plays and pauses, and the arrows step by one frame, or with shift by ten.
      [ and ] go to the previous and the next marker, < and > change the speed, and ? lists all
      keys. d and then f, c, u or n labels the release at the cursor.

      The second session is shown on the clock of the first one. --cast writes an asciicast for
      asciinema and needs no terminal.
      """,
    columns: replayColumns(),
    choose: { invocation in
      if invocation.asks(forForm: 0) { return 0 }
      if invocation.asks(forForm: 1) { return 1 }
      return invocation.console.isTerminal && !invocation.console.isDumb ? 1 : 0
    })
}
