import Foundation
import TestSupport
import Testing

@Suite struct HelpTests {
  static let verbs = [
    "record", "info", "sessions", "keys", "events", "touches", "replay", "rerun", "play", "plot",
    "filmstrip", "velocity", "fit", "whatif", "tune",
    "compare", "bench", "calibrate", "check", "accept", "label", "work",
    "report", "describe",
    "layout", "ease", "settle", "scenario", "sql", "seal", "expand", "compact",
    "merge", "export", "trim", "delete", "migrate",
    "doctor", "recover", "web",
  ]

  @Test func `help lists every command, on standard output`() throws {
    for words in [["help"], ["--help"], ["-h"]] {
      let run = try kymo(words)
      #expect(run.code == 0)
      #expect(run.errors == "")
      for verb in HelpTests.verbs { #expect(run.output.contains("\n  \(verb) ")) }
    }
  }

  @Test func `the program alone prints help on standard error and is wrong usage`() throws {
    let run = try kymo()
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors == (try kymo("help")).output)
  }

  @Test(arguments: verbs)
  func `each command's help is on standard output, fits 80 columns and shows examples`(
    verb: String
  ) throws {
    let run = try kymo(verb, "--help")
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("kymo \(verb): "))
    #expect(run.output.components(separatedBy: "\n  kymo \(verb) ").count >= 2 || verb == "record")
    for line in run.output.split(separator: "\n") {
      #expect(line.count <= 80, "\(line.count) letters: \(line)")
    }
    #expect(try kymo("help", verb).output == run.output)
    #expect(try kymo(verb, "x", "-h").output == run.output)
  }

  @Test(arguments: verbs.filter { $0 != "web" })
  func `each command without a word is wrong usage, and names what is missing`(
    verb: String
  ) throws {
    let run = try kymo(verb)
    #expect(run.code == 2)
    #expect(run.output == "")
    // Nothing is missing where everything has a default, or comes by standard input.
    guard !["curve settle", "work"].contains(verb) else {
      return #expect(run.errors == (try kymo(verb, "--help")).output)
    }
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    let sentences = ["curve ease": "expects a name", "record": "needs --into FILE"]
    let others = ["scenario": "takes check FILE, or schema", "velocity": "expects a recording"]
    let named = sentences[verb] ?? others[verb] ?? " is missing: kymo \(verb) "
    #expect(run.errors.hasPrefix("kymo: ") && run.errors.contains(named), "\(run.errors)")
  }

  /// These draw or write a file, and print no rows.
  static let silent = ["rows", "report", "play", "plot", "filmstrip", "export", "web"]

  @Test(arguments: verbs)
  func `each command refuses a flag that it does not have`(verb: String) throws {
    let run = try kymo(verb, "a", "b", "--formt", "json")
    #expect(run.code == 2)
    #expect(run.output == "")
    // Both are two edits away.
    let meant = HelpTests.silent.contains(verb) ? ["force", "from"] : ["format"]
    #expect(
      meant.contains {
        run.errors == "kymo: kymo \(verb) has no flag --formt; did you mean --\($0)?\n"
      })
    let other = try kymo(verb, "--completely-different")
    #expect(other.code == 2)
    #expect(other.errors.contains("see kymo help \(verb)"))
    #expect(!other.errors.contains("did you mean"))
  }

  /// These take as many recordings as there are.
  static let gluttons = [
    "rule try", "tune", "bench", "calibrate", "check", "merge", "migrate",
    "doctor",
  ]

  @Test(arguments: verbs.filter { !gluttons.contains($0) })
  func `each command refuses a word too many`(verb: String) throws {
    let run = try kymo(verb, "a", "b", "c", "d", "e")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("is too much"))
  }

  @Test func `help and version take no word too many either`() throws {
    #expect(try kymo("help", "record", "keys").code == 2)
    #expect(try kymo("--version", "please").code == 2)
  }

  @Test func `a mistyped command is answered with the one that was meant`() throws {
    let run = try kymo("replya", "f")
    #expect(run.code == 2)
    #expect(run.errors == "kymo: there is no command 'replya'; did you mean replay?\n")
    #expect(try kymo("help", "replya").errors.contains("did you mean replay?"))
    // Two neighbours exchanged are one edit, so that play, which is two away, is not meant.
    for (typed, meant) in [("plto", "plot"), ("palyt", "play"), ("repaly", "replay")] {
      #expect(try kymo(typed).errors.contains("'\(typed)'; did you mean \(meant)?"))
    }
    #expect(try kymo("frobnicate").errors.contains("see kymo help"))
  }

  @Test func `a flag is refused twice, without its value, and with one that it does not take`()
    throws
  {
    let twice = try kymo("list keys", "f", "--key", "a", "--key", "b")
    #expect(twice.code == 2)
    #expect(twice.errors == "kymo: --key is given twice\n")
    let bare = try kymo("list keys", "f", "--key")
    #expect(bare.code == 2)
    #expect(bare.errors.contains("--key expects a value"))
    let full = try kymo("list keys", "f", "--json=yes")
    #expect(full.code == 2)
    #expect(full.errors.contains("--json takes no value"))
    let both = try kymo(
      "scenario layout", fixture("scenarios/\(Scenarios.script)"), "--json", "--format", "csv")
    #expect(both.code == 2)
    let unknown = try kymo(
      "scenario layout", fixture("scenarios/\(Scenarios.script)"), "--format", "xml")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("table, json, ndjson, csv"))
  }

  @Test func `the version tells what a report of a fault needs`() throws {
    let run = try kymo("--version")
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("kymo "))
    for part in ["engine", "schema", "SQLite"] { #expect(run.output.contains(part)) }
  }
}

@Suite struct StreamTests {
  let place: Workplace
  let recording: String

  init() throws {
    place = try Workplace()
    recording = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
  }

  /// Every command with good input.
  private var goodCalls: [[String]] {
    let scenario = fixture("scenarios/\(Scenarios.pinch)")
    return [
      [
        "record", "--scenario", scenario, "--gesture", fixture("gestures/pinch-back.evemu"),
        "--into", place.path("other.kymo"),
      ],
      ["show", recording], ["list sessions", recording], ["list keys", recording],
      ["list events", recording],
      ["list touches", recording], ["replay", recording], ["replay", recording, "--items"],
      ["replay", recording, "--keys"], ["velocity", recording],
      ["plot", recording], ["plot", recording, recording, "-o", "-"],
      ["plot --film", recording, "-o", "-"],
      ["replay", recording, "--cast", "-", "--size", "40x12"],
      ["compare", recording, recording], ["scenario layout", scenario],
      ["curve ease", "cubicInOut"],
      ["curve settle", "--bounce", "0.3", "--duration", "0.5"],
      ["curve settle", "--settling-times"],
      ["scenario", "check", scenario], ["scenario", "schema"],
      ["sql", recording, "SELECT * FROM sessions"],
    ]
  }

  @Test func `good input is answered on standard output alone`() throws {
    for words in goodCalls {
      let run = try kymo(words)
      #expect(run.code == 0, "\(words)")
      #expect(run.errors == "", "\(words)")
      #expect(run.output != "", "\(words)")
    }
  }

  @Test func `a closed standard error changes nothing`() throws {
    for words in goodCalls where words[0] != "record" {
      let run = try ProgramRun.shell("\"$kymo\" \"$@\" 2>&-", words)
      #expect(run.code == 0, "\(words)")
      #expect(run.output == (try kymo(words)).output, "\(words)")
    }
    // What would have been said must not land in a file that was opened in its place.
    let words = [
      "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into",
      place.path("quiet.kymo"), "--uuid", "123e4567-e89b-42d3-a456-426614174000", "--wall-clock",
      "0",
    ]
    #expect(try ProgramRun.shell("\"$kymo\" \"$@\" 2>&- </dev/null", words).code == 0)
    var loud = words
    loud[4] = place.path("loud.kymo")
    #expect(try kymo(loud).code == 0)
    #expect(try place.bytes("quiet.kymo") == place.bytes("loud.kymo"))
    #expect(
      try ProgramRun.shell("\"$kymo\" keys \"$1\" --key x 2>&-", [place.path("none.kymo")]).code
        == 4)
  }

  @Test func `a reader that has seen enough ends the program quietly`() throws {
    let scenario = fixture("scenarios/\(Scenarios.pinch)")
    for words in [
      ["replay", recording, "--items"], ["replay", recording, "--items", "--format", "ndjson"],
      ["list touches", recording],
      ["sql", recording, "SELECT * FROM samples a, samples b LIMIT 50000"],
      ["scenario layout", scenario],
    ] {
      let run = try ProgramRun.shell(
        "{ \"$kymo\" \"$@\"; echo \"code $?\" >&2; } | head -1", words)
      #expect(run.errors == "code 0\n", "\(words)")
      #expect(run.output.split(separator: "\n").count == 1, "\(words)")
    }
  }
}
