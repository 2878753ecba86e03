import KymographCLibrary
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo play`: a run, or two on one clock, in the terminal.
func playCommand() -> Command {
  Command(
    name: "play", summary: "plays one or two runs in the terminal, both ways",
    arguments: "FILE [SESSION] [FILE SESSION]", argumentCount: 1...4,
    examples: [
      "kymo play pinch.kymo", "kymo play run.kymo --speed 0.1 --pause-on markers --key progress",
      "kymo play yesterday.kymo today.kymo --align release",
      "kymo play pinch.kymo --cast pinch.cast --size 100x30", "kymo play live.kymo --follow",
    ],
    discussion: """
      Space plays and pauses, the arrows step by recorded frames (with shift by ten), [ and ]
      go to the marker before and after, < and > change the speed, digits jump to tenths, a
      and b mark a selection and L loops it, Tab shows the next key, s swaps the runs, d and then
      f, c, u or n labels the release at the cursor (kymo label), ? lists all keys, q quits. The second run is shown on the first one's clock. --cast needs no
      terminal and writes an asciicast for asciinema.
      """,
    flags: [
      Flag("key", "NAME", "show this key; may be given again", repeats: true),
      Flag("at", "TIME", "begin there, paused (0.25, 250ms, …)"),
      Flag("from", "TIME", "nothing before this time"),
      Flag("to", "TIME", "nothing after this time"),
      Flag("speed", "S", "recorded seconds per second; 1"),
      Flag("loop", nil, "from the end back to the beginning"),
      Flag("idle-limit", "SECONDS", "at most this long where nothing happens"),
      Flag("pause-on", "WHAT", "markers: stop at each of them"),
      Flag("align", "HOW", "of two runs: none, start (default), release, manual=MS"),
      Flag("follow", nil, "play on while it is still being recorded"),
      Flag("cast", "OUT", "write an asciicast there instead of playing; - is standard output"),
      Flag("size", "COLSxROWS", "of the asciicast; 80x24"),
      Flag("force", nil, "replace an existing file"),
    ], run: runPlay)
}

private func runPlay(_ invocation: Invocation) throws -> ExitCode {
  let names = try RunName.runs(in: invocation.positionals, of: invocation.command)
  let wishes = try Playback.Wishes(invocation, runCount: names.count)
  var state = PlayerState(time: .zero)
  state.speed = try invocation.number("speed") ?? 1
  guard PlayerState.speedRange.contains(state.speed) else {
    throw Failure.usage("--speed expects a number from 0.0001 to 10000")
  }
  state.isLooping = invocation.has("loop")
  state.pausesOnMarkers = try invocation.choice("pause-on", among: ["markers"]) != nil
  state.runCount = names.count
  if invocation.has("cast") { return try writeCast(invocation, names, wishes, state) }
  for flag in ["size", "force"] where invocation.has(flag) {
    throw Failure.usage("--\(flag) is for --cast; a terminal has its own size")
  }
  let sources = try names.map {
    wishes.follows ? try $0.openGrowing(invocation.console) : try $0.open(invocation.console)
  }
  guard invocation.console.isTerminal, !invocation.console.isDumb else {
    throw Failure.usage(
      "play needs a terminal at both ends that can move its cursor; kymo plot and kymo replay print, "
        + "and --cast OUT writes a playback")
  }
  let playback = try Playback(sources, wishes)
  state.time = try playback.start(invocation)
  state.isPlaying = !invocation.has("at")
  var player = TerminalPlayer(playback, state, on: invocation.console)
  return try player.play()
}

private func writeCast(
  _ invocation: Invocation, _ names: [RunName], _ wishes: Playback.Wishes, _ state: PlayerState
) throws -> ExitCode {
  for flag in ["loop", "pause-on", "follow"] where invocation.has(flag) {
    throw Failure.usage("an asciicast is played by others; --\(flag) does not go with --cast")
  }
  let size = try invocation.screenSize("size") ?? Terminal.usualSize
  let sources = try names.map { try $0.open(invocation.console) }
  let output = try FileOutput(invocation, flag: "cast", beside: sources.map(\.reader.path))
  let playback = try Playback(sources, wishes)
  var state = state
  state.time = try playback.start(invocation)
  var cast = CastRecording(
    playback: playback, state: state, columns: size.columns, rows: size.rows)
  try output.finish(with: try cast.text())
  output.tell()
  return sources.allSatisfy(\.session.isClean) ? .yes : .loss
}

extension Playback {
  /// Where it begins: at the time that was asked for, which must be one of what is played.
  fileprivate func start(_ invocation: Invocation) throws -> Instant {
    let timeline = timeline(isSwapped: false)
    guard let time = try invocation.instant("at") else {
      return isGrowing ? timeline.end : timeline.start
    }
    if !isGrowing {
      try requireOverlap(
        time...time, with: timeline.start...timeline.end, flag: "at", of: "what is played")
    }
    return timeline.clamped(time)
  }
}

extension Playback.Wishes {
  init(_ invocation: Invocation, runCount: Int) throws {
    keys = invocation.texts("key")
    from = try invocation.instant("from")
    to = try invocation.instant("to")
    _ = try invocation.range("from", "to")
    follows = invocation.has("follow")
    if let text = invocation.text("align") {
      guard runCount > 1 else {
        throw Failure.usage("--align is for two runs; only one is named")
      }
      // The others look for what fits, which nobody sees who only watches.
      guard let found = RunComparison.Alignment(rawValue: text), found != .xcorr, found != .progress
      else {
        throw Failure.usage(
          "--align does not know '\(text)'; it takes none, start, release or manual=MS")
      }
      alignment = found
    }
    idleLimit = try invocation.nanoseconds("idle-limit")
    guard idleLimit ?? 0 >= 0 else { throw Failure.usage("--idle-limit is a time of 0 or more") }
  }
}

extension Invocation {
  /// An instant of a flag.
  func instant(_ name: String) throws -> Instant? {
    try nanoseconds(name).map(Instant.init(nanoseconds:))
  }

  /// Columns and lines, "80x24".
  fileprivate func screenSize(_ name: String) throws -> (columns: Int, rows: Int)? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1],
      (1...CellGrid.largestExtent).contains(columns), (1...CellGrid.largestExtent).contains(rows)
    else {
      throw Failure.usage(
        "--\(name) expects columns and lines such as 80x24, up to 1000 each, not '\(text)'")
    }
    return (columns, rows)
  }
}
