import KymographCLibrary
import TimelineModel
import TimelineRendering
import TimelineStore

/// The form of `kymo replay` that plays a session, or two on one clock, in the terminal.
func replayPlayerForm() -> CommandForm {
  CommandForm(
    arguments: "A [B]", argumentCount: 1...2,
    flags: [
      Flags.keys.described("these values, with commas between"),
      PlayFlags.pauseAt,
      Flags.from.described("nothing before this time (0.25, 250ms, …)"),
      Flags.to.described("nothing after this time"),
      Flags.speed, PlayFlags.loop, PlayFlags.idleLimit, PlayFlags.pauseOn,
      Flags.alignOfDrawing, PlayFlags.follow, PlayFlags.cast, PlayFlags.size,
      Flags.force.inSection(.output), Flags.gestureReading,
    ], run: runPlay)
}

/// The flags of the player alone.
enum PlayFlags {
  static var pauseAt: Flag<Int64> {
    .time("pause-at", "TIME", "start paused at this time (0.25, 250ms, …)")
  }
  static var loop: Flag<Bool> {
    .toggle("loop", "start again at the end")
  }
  static var idleLimit: Flag<Int64> {
    .time("idle-limit", "TIME", "cut stretches without motion to this length")
  }
  static var pauseOn: Flag<PauseOccasion> {
    .choice("pause-on", "WHAT", "markers: pause at each marker")
  }
  static var follow: Flag<Bool> {
    .toggle("follow", "follow a session that is being recorded")
  }
  static var cast: Flag<String> {
    Flag<String>.text(
      "cast", "OUT", "write an asciicast to this file, or - for standard output, instead of playing"
    ).inSection(.output)
  }
  static var size: Flag<(columns: Int, rows: Int)> {
    Flag.screen("size", "COLSxROWS", "size of the asciicast").standard("80x24").inSection(.output)
  }
}

/// Where a playback pauses by itself.
enum PauseOccasion: String, CaseIterable {
  case markers
}

private func runPlay(_ invocation: Invocation) throws -> ExitCode {
  let names = invocation.positionals
  let wishes = try Playback.Wishes(invocation, runCount: names.count)
  var state = PlayerState(time: .zero)
  state.speed = try invocation.value(Flags.speed) ?? 1
  guard PlayerState.speedRange.contains(state.speed) else {
    throw Failure.usage(
      "--speed must be a number from 0.0001 to 10000 (got '\(invocation.text(of: "speed") ?? "")')")
  }
  state.isLooping = invocation.has(PlayFlags.loop)
  state.pausesOnMarkers = try invocation.value(PlayFlags.pauseOn) == .markers
  state.runCount = names.count
  if invocation.has(PlayFlags.cast) { return try writeCast(invocation, names, wishes, state) }
  for flag in invocation.given(PlayFlags.size, Flags.force) {
    throw Failure.usage("--\(flag) needs --cast. A terminal has its own size")
  }
  let sources = try names.map {
    wishes.follows
      ? try SessionArgument(growing: $0, invocation.console)
      : try SessionArgument(invocation, $0)
  }
  guard invocation.console.isTerminal, !invocation.console.isDumb else {
    throw Failure.usage(
      "the player needs a terminal that can move its cursor. Write the playback with --cast OUT, or "
        + "use kymo plot")
  }
  let playback = try Playback(sources, wishes)
  state.time = try playback.start(invocation)
  state.isPlaying = !invocation.has(PlayFlags.pauseAt)
  invocation.console.letGoOfStates()
  var player = TerminalPlayer(playback, state, on: invocation.console)
  return try player.play()
}

private func writeCast(
  _ invocation: Invocation, _ names: [String], _ wishes: Playback.Wishes, _ state: PlayerState
) throws -> ExitCode {
  for flag in invocation.given(PlayFlags.loop, PlayFlags.pauseOn, PlayFlags.follow) {
    throw Failure.usage("--\(flag) and --cast exclude each other")
  }
  let size = try invocation.value(PlayFlags.size) ?? Terminal.usualSize
  let sources = try names.map { try SessionArgument(invocation, $0) }
  let output = try FileOutput(invocation, flag: PlayFlags.cast, beside: sources.map(\.reader.path))
  let playback = try Playback(sources, wishes)
  var state = state
  state.time = try playback.start(invocation)
  var cast = CastRecording(
    playback: playback, state: state, columns: size.columns, rows: size.rows)
  try output.finish(with: try cast.text())
  output.announce()
  return sources.allSatisfy(\.session.isClean) ? .yes : .loss
}

extension Playback {
  /// Where it begins: at the time that was asked for, which must be one of what is played.
  fileprivate func start(_ invocation: Invocation) throws -> Instant {
    let timeline = timeline(isSwapped: false)
    guard let time = try invocation.instant(PlayFlags.pauseAt) else {
      return isGrowing ? timeline.end : timeline.start
    }
    if !isGrowing {
      try requireOverlap(
        time...time, with: timeline.start...timeline.end, flag: "pause-at", of: "the playback")
    }
    return timeline.clamped(time)
  }
}

extension Playback.Wishes {
  init(_ invocation: Invocation, runCount: Int) throws {
    keys = invocation.texts(Flags.keys)
    findsElements = !invocation.has(PlotFlags.film)
    from = try invocation.instant(Flags.from)
    to = try invocation.instant(Flags.to)
    _ = try invocation.range(Flags.from, Flags.to)
    follows = invocation.has(PlayFlags.follow)
    guard runCount > 1 || !invocation.has(Flags.alignOfDrawing) else {
      throw Failure.usage("--align needs two sessions. Name a second one")
    }
    alignment = try invocation.value(Flags.alignOfDrawing) ?? alignment
    idleLimit = try invocation.value(PlayFlags.idleLimit)
    if let limit = idleLimit, limit < 0 {
      throw Failure.usage(
        "--idle-limit must be a time of 0 or more (got '\(invocation.text(of: "idle-limit") ?? "")')"
      )
    }
  }
}

extension Invocation {
  func instant(_ flag: Flag<Int64>) throws -> Instant? {
    try value(flag).map(Instant.init(nanoseconds:))
  }
}

extension Flag<(columns: Int, rows: Int)> {
  /// Columns and lines, "80x24".
  static func screen(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let columns = parts[0], let rows = parts[1],
        (1...CellGrid.largestExtent).contains(columns), (1...CellGrid.largestExtent).contains(rows)
      else {
        throw Failure.usage(
          "--\(name) must be columns and lines up to 1000, such as 80x24 (got '\(text)')")
      }
      return (columns, rows)
    }
  }
}
