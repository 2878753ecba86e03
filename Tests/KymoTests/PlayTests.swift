import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The player in a terminal of ours; the screens themselves are tested where they are drawn.
@Suite struct PlayTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(text: ReplayTests.scenario, into: "run.kymo", "--name", "small")
  }

  private static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  private static let leave = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  @Test func `without a terminal it says in a sentence what to use instead`() throws {
    let run = try kymo("replay", path, "--loop")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("needs a terminal"))
    #expect(run.errors.contains("kymo plot"))
    #expect(run.errors.contains("--cast"))
    #expect(run.errors.split(separator: "\n").count == 1)
    // Without a flag of the player a pipe gets rows.
    #expect(try kymo("replay", path).output.contains("progress"))
    let dumb = try PseudoTerminal(["replay", path, "--loop"], environment: ["TERM": "dumb"])
    #expect(dumb.ended() == 2)
    #expect(dumb.errors.contains("needs a terminal"))
    #expect(dumb.received == "")
    // Nor does a terminal that cannot move its cursor start the player: it gets rows too.
    let bare = try PseudoTerminal(["replay", path], environment: ["TERM": "dumb"])
    #expect(bare.ended() == 0)
    #expect(bare.received.contains("progress"))
    #expect(!bare.received.contains("\u{1b}"))
    #expect(bare.errors == "")
  }

  @Test func `q ends it, and the terminal is as it was`() throws {
    let terminal = try PseudoTerminal(["replay", path, "--pause-at", "0"])
    let before = terminal.settings
    #expect(terminal.waits(for: "\u{1b}[?2026l"))
    #expect(terminal.received.hasPrefix(PlayTests.enter))
    #expect(terminal.settings != before)
    terminal.press("q")
    #expect(terminal.ended() == 0)
    #expect(terminal.received.hasSuffix(PlayTests.leave))
    #expect(terminal.settings == before)
    #expect(terminal.errors == "")
  }

  @Test func `control-C ends it with the code of an interrupt`() throws {
    let terminal = try PseudoTerminal(["replay", path])
    #expect(terminal.waits(for: "\u{1b}[?2026l"))
    terminal.press("\u{3}")
    #expect(terminal.ended() == 130)
    #expect(terminal.received.hasSuffix(PlayTests.leave))
  }

  @Test(arguments: [SIGTERM, SIGQUIT, SIGINT, SIGSEGV, SIGTRAP, SIGABRT])
  func `a signal ends it, also that of a crash, and the terminal is as it was`(
    signal: Int32
  ) throws {
    let terminal = try PseudoTerminal(["replay", path, "--loop", "--speed", "0.1"])
    let before = terminal.settings
    #expect(terminal.waits(for: "\u{1b}[?2026l"))
    #expect(terminal.settings != before)
    terminal.send(signal)
    #expect(terminal.ended() == (signal == SIGINT ? 130 : -signal))
    #expect(terminal.received.hasSuffix(PlayTests.leave))
    #expect(terminal.settings == before)
  }

  @Test func `a terminal that goes away ends it`() throws {
    let terminal = try PseudoTerminal(["replay", path, "--pause-at", "0"])
    #expect(terminal.waits(for: "\u{1b}[?2026l"))
    terminal.hangUp()
    // A process that was started with the signal held back ends with its number as shells count it.
    #expect([-SIGHUP, 128 + SIGHUP].contains(terminal.ended()))
  }

  @Test func `keys step, and another size draws anew`() throws {
    let terminal = try PseudoTerminal(["replay", path, "--pause-at", "0"])
    #expect(terminal.waits(for: "0.000 s of"))
    terminal.press("\u{1b}[C")
    #expect(terminal.waits(for: "\u{1b}[?2026l"))
    terminal.press("\u{c}")
    #expect(terminal.waits(for: "0.010 s of"))
    terminal.resize(columns: 40, rows: 10)
    #expect(terminal.waits(for: "\u{1b}[10;1H"))
    #expect(terminal.received.contains("0.010 s  1×") || terminal.waits(for: "0.010 s  1×"))
    terminal.press("q")
    #expect(terminal.ended() == 0)
  }

  @Test func `NO_COLOR sends no colour`() throws {
    for (value, isColored) in [("1", false), ("", true)] {
      let terminal = try PseudoTerminal(
        ["replay", path, "--pause-at", "0"], environment: ["NO_COLOR": value])
      #expect(terminal.waits(for: "\u{1b}[?2026l"))
      terminal.press("q")
      #expect(terminal.ended() == 0)
      #expect(terminal.received.contains(";36m") == isColored)
      #expect(terminal.received.contains(";1m"))
    }
  }

  @Test func `a transition that ran by time has no threshold and no margin`() throws {
    let timed = place.path("timed.kymo")
    let scenario = fixture("gallery/easing.json")
    #expect(try kymo("record", "--scenario", scenario, "--into", timed).code == 0)
    let cast = try kymo("replay", timed, "--cast", "-", "--size", "100x30").output
    #expect(cast.contains("finish at 0.75 s by time"))
    for output in [cast, try kymo("plot", timed).output] {
      #expect(!output.contains("threshold"))
      #expect(!output.contains("past 0.5"))
    }
  }

  @Test func `wrong flags and words are refused`() throws {
    for (words, said) in [
      (["--speed", "0"], "--speed must be"), (["--speed", "1e9"], "--speed must be"),
      (["--pause-on", "frames"], "markers"), (["--idle-limit", "-1s"], "--idle-limit"),
      (["--loop", "--from", "1", "--to", "0.5"], "later"), (["--align", "start"], "two sessions"),
      (["--size", "80x24"], "--cast"), (["--cast", "-", "--size", "80"], "80x24"),
      (["--cast", "-", "--size", "0x24"], "80x24"), (["--cast", "-", "--loop"], "--loop"),
      (["--cast", "-", "--follow"], "--follow"), (["--cast", path], "recording itself"),
      (["--cast", "-", "--key", "nothing"], "unknown key 'nothing'"),
    ] {
      let run = try kymo(["replay", path] + words)
      #expect(run.code == 2, "\(words)")
      #expect(run.errors.contains(said), "\(run.errors)")
    }
    let aligned = try kymo("replay", path, path, "--align", "soon", "--cast", "-")
    #expect(aligned.code == 2)
    #expect(aligned.errors.contains("manual=MS"))
    #expect(try kymo("replay", place.path("none.kymo"), "--cast", "-").code == 4)
  }
}
