import KymographCLibrary
import TimelineModel
import TimelineRecorder
import TimelineRendering

/// Plays in a terminal: keys and the clock move the state, and what differs on the screen is sent.
struct TerminalPlayer {
  private let playback: Playback
  private var state: PlayerState
  private let console: Console
  private var shown: CellGrid?
  private var failedRefreshes = 0

  /// Milliseconds between two pictures while playing: 60 a second, as most displays have.
  private static let pictureInterval: Int32 = 16
  /// Milliseconds after which an escape is alone and no beginning of a sequence. A terminal far away sends
  /// a sequence in one piece all the same.
  private static let escapeWait: Int32 = 50
  /// Nanoseconds between two looks at a recording that grows.
  private static let refreshInterval: Int64 = 100_000_000
  /// A look may take this share of the time, so that keys are answered in a long session too.
  private static let refreshShare: Int64 = 4
  /// So many looks in a row may fail: a recorder that is just closing is in the way for a moment.
  private static let mostFailedRefreshes = 50

  /// Makes a player.
  ///
  /// - Parameters:
  ///   - playback: What is played.
  ///   - state: Where it begins.
  ///   - console: The terminal.
  init(_ playback: Playback, _ state: PlayerState, on console: Console) {
    self.playback = playback
    self.state = state
    self.console = console
  }

  /// Plays until somebody ends it.
  mutating func play() throws -> ExitCode {
    // Nothing else writes to the screen from here on.
    console.busyIndicator?.end()
    let terminal = try Terminal(console, enter: ScreenUpdate.enter, leave: ScreenUpdate.leave)
    defer { terminal.close() }
    var reader = PlayerKeyReader()
    var before = MonotonicClock.nanoseconds
    var nextRefresh = before
    var size = terminal.size
    while true {
      if playback.isGrowing, MonotonicClock.nanoseconds >= nextRefresh {
        let start = MonotonicClock.nanoseconds
        try refresh()
        let end = MonotonicClock.nanoseconds
        nextRefresh =
          end + max(TerminalPlayer.refreshInterval, (end - start) * TerminalPlayer.refreshShare)
      }
      terminal.write(try picture(size))
      let events = terminal.wait(milliseconds: waitingTime(reader))
      let now = MonotonicClock.nanoseconds
      state.advance(byNanoseconds: now - before, in: timeline)
      before = now
      var keys: [PlayerKey] = events.isEmpty && reader.isWaiting ? reader.flush() : []
      for event in events {
        switch event {
        case .bytes(let bytes): keys += reader.read(bytes)
        case .closed: terminal.end(by: SIGHUP)
        case .signal(SIGINT): return .interrupted
        case .signal(let signal) where [SIGTERM, SIGHUP, SIGQUIT].contains(signal):
          terminal.end(by: signal)
        case .signal(SIGTSTP): keys.append(.suspend)
        case .signal(SIGCONT):
          terminal.resume()
          shown = nil
        case .signal: break
        }
      }
      for key in keys {
        switch key {
        case .interrupt: return .interrupted
        case .suspend:
          terminal.stop()
          before = MonotonicClock.nanoseconds
          shown = nil
        case .redraw: shown = nil
        default: state.press(key, in: timeline)
        }
        if let request = state.labelRequest {
          state.labelRequest = nil
          state.notice = playback.label(request, at: state.time, ofRun: state.isSwapped ? 1 : 0)
        }
        if state.isDone { return .yes }
      }
      size = terminal.size
    }
  }

  private var timeline: PlayerTimeline { playback.timeline(isSwapped: state.isSwapped) }

  /// What to send for the state as it is.
  private mutating func picture(_ size: (columns: Int, rows: Int)) throws -> String {
    state.helpPageCount = PlayerScreen.helpPageCount(rows: size.rows)
    if let page = state.helpPage { state.helpPage = min(page, state.helpPageCount - 1) }
    state.keyCount = playback.keyCount
    let grid = PlayerScreen(columns: size.columns, rows: size.rows).grid(
      state, timeline, playback.runs, try playback.moments(at: state.time))
    defer { shown = grid }
    return ScreenUpdate.text(from: shown, to: grid, inColor: console.allowsColor)
  }

  private func waitingTime(_ reader: PlayerKeyReader) -> Int32? {
    if state.isPlaying { return TerminalPlayer.pictureInterval }
    if reader.isWaiting { return TerminalPlayer.escapeWait }
    return playback.isGrowing ? Int32(TerminalPlayer.refreshInterval / 1_000_000) : nil
  }

  private mutating func refresh() throws {
    do {
      try playback.refresh()
      failedRefreshes = 0
    } catch {
      failedRefreshes += 1
      if failedRefreshes > TerminalPlayer.mostFailedRefreshes { throw error }
    }
  }
}
