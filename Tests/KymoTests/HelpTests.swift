import Foundation
import TestSupport
import Testing

@testable import MotionJudgement

@Suite struct HelpTests {
  /// Every command, by its name.
  static let verbs = [
    "record", "watch", "export", "replay", "show", "list sessions", "list keys", "list events",
    "list touches", "list transitions", "list decisions", "list estimates", "list labels",
    "list losses", "report", "plot", "sql", "velocity", "fit", "rerun", "label", "rule try",
    "rule tune", "compare", "check", "golden accept", "golden learn", "rows", "file doctor",
    "file recover", "file pack", "file unpack", "file merge", "file trim", "file delete",
    "file migrate", "scenario check", "scenario schema", "scenario layout", "curve ease",
    "curve settle", "web-recorder", "mcp",
  ]
  /// First words that several commands share.
  static let families = ["list", "file", "scenario", "curve"]
  /// First words whose commands have a line each in the overview.
  static let unlisted = ["rule", "golden"]

  private static func words(_ name: String) -> [String] {
    name.split(separator: " ").map(String.init)
  }

  @Test func `a family of commands has a help, by the flag too`() throws {
    for family in Self.families + Self.unlisted {
      let help = try kymo("help", family)
      #expect(help.code == 0)
      #expect(help.output.hasPrefix("kymo \(family): "))
      for flag in ["--help", "-h"] {
        let run = try kymo(family, flag)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output == help.output, "\(run.output)\(run.errors)")
      }
    }
  }

  @Test func `help lists five groups of commands in under sixty lines, on standard output`() throws
  {
    for words in [["help"], ["--help"], ["-h"]] {
      let run = try kymo(words)
      #expect(run.code == 0)
      #expect(run.errors == "")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count < 60)
      #expect(
        lines.filter { ["Record", "Replay", "Velocity", "Compare", "More"].contains($0) }.count == 5
      )
      let listed = Self.verbs.filter { !Self.families.contains(Self.words($0)[0]) } + Self.families
      for verb in listed { #expect(run.output.contains("\n  \(verb) "), "\(verb)") }
    }
    #expect(try Set(ExampleTests.commandNames()) == Set(Self.verbs))
  }

  @Test(arguments: families + unlisted)
  func `the first word of a family explains the others`(family: String) throws {
    let help = try kymo("help", family)
    #expect(help.code == 0)
    let members = Self.verbs.filter { $0.hasPrefix(family + " ") }
    for verb in members { #expect(help.output.contains("\n  kymo \(verb) ")) }
    let bare = try kymo(family)
    #expect(bare.code == 2)
    #expect(bare.errors.hasPrefix("kymo: missing word. Usage: kymo \(family) "))
    let wrong = try kymo(family, "frobnicate")
    #expect(wrong.code == 2)
    #expect(wrong.errors.hasPrefix("kymo: unknown command '\(family) frobnicate'. Known: "))
    #expect(wrong.errors.contains(Self.words(members[0])[1]))
  }

  @Test func `the program alone prints help on standard error and is wrong usage`() throws {
    let run = try kymo()
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors == (try kymo("help")).output)
  }

  @Test(arguments: verbs)
  func `each command's help fits 80 columns, and has usage, examples and exit codes`(
    verb: String
  ) throws {
    let run = try kymo(verb, "--help")
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("kymo \(verb): "))
    for heading in ["\nUsage: kymo \(verb)", "\nExamples:\n", "\nExits with\n  0  "] {
      #expect(run.output.contains(heading), "\(heading)")
    }
    for line in run.output.split(separator: "\n") {
      #expect(line.count <= 80, "\(line.count) letters: \(line)")
    }
    for paragraph in run.output.components(separatedBy: "\n\n")
    where !paragraph.contains("\n  ") && !paragraph.hasPrefix("{") {
      let words = paragraph.split(whereSeparator: \.isWhitespace).count
      #expect(words <= 60, "\(words) words: \(paragraph)")
    }
    #expect(try kymo(["help"] + Self.words(verb)).output == run.output)
    #expect(try kymo(verb, "x", "-h").output == run.output)
  }

  @Test(arguments: ["concepts", "columns", "exit-codes", "faults", "formats"])
  func `help explains words and exit codes`(topic: String) throws {
    let run = try kymo("help", topic)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("kymo help \(topic): "))
    for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `the faults are rows with their ids`() throws {
    let faults = try rows(try kymo("help", "faults", "--json").output)
    #expect(faults.map { $0["id"].text } == MotionFault.all.map(\.id))
    #expect(Set(MotionFault.all.map(\.id)).count == MotionFault.all.count)
    let lag = try #require(faults.first)
    #expect(lag["id"].text == "lag")
    #expect(lag["name"].text == "late")
    #expect(lag["act"].text == "swipe")
    #expect(try kymo("help", "faults", "--csv").code == 2)
  }

  /// Names that are read without being offered, by the commands and the flag or argument of which they are values.
  static let unoffered: [(commands: [String], value: String, names: [String])] = [
    (
      ["velocity", "rule try", "compare"], "--estimator",
      ["int1", "int2", "legacy", "impulse-2017"]
    ), (["curve settle"], "--definition", ["rebound", "pop", "wave", "fluid"]),
    (["curve ease"], "NAME", ["quadraticIn", "cubicInOut", "bounceOut"]),
    (["curve settle"], "--timing", ["sineIn"]), (["fit"], "--model", ["elasticOut"]),
  ]

  @Test(arguments: unoffered)
  func `help leaves out names that nobody asks for, and lists them if all are wanted`(
    commands: [String], value: String, names: [String]
  ) throws {
    for command in commands {
      let help = try kymo("help \(command)").output
      #expect(help.contains("\nMore names: kymo help \(command) --all\n"))
      for name in names {
        let listed = try Regex("(,\\s+\(name)\\b|\\b\(name),)")
        #expect(help.firstRange(of: listed) == nil, "\(name)")
      }
      let whole = try kymo("help \(command)", "--all")
      #expect(whole.code == 0)
      #expect(!whole.output.contains("More names"))
      let list = try #require(
        whole.output.components(separatedBy: "\nAlso read as \(value):\n").last?
          .components(separatedBy: "\n\n").first)
      let listed = list.split { ", \n".contains($0) }.map(String.init)
      #expect(Set(names).isSubset(of: listed), "\(listed)")
      #expect(names.count < 4 || listed == names)
      #expect(whole.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test func `help with all names takes no further word, and other commands have no such names`()
    throws
  {
    let run = try kymo("help velocity", "--all", "x")
    #expect(run.code == 2)
    #expect(run.errors.contains("Usage: kymo help COMMAND [--all]"), "\(run.errors)")
    #expect(try kymo("help show", "--all").output == (try kymo("help show")).output)
  }

  @Test func `an error about a name lists only what is offered`() throws {
    let definitions = "Known: core-animation, swiftui, compose, flutter, motion, libadwaita\n"
    let settle = try kymo("curve settle", "--definition", "xyzzy")
    #expect(settle.code == 2)
    #expect(settle.errors.hasSuffix("unknown value 'xyzzy'. \(definitions)"), "\(settle.errors)")
    let estimator = try kymo("velocity", "f", "--estimator", "xyzzy")
    #expect(estimator.code == 2)
    // Twenty-two estimators and all, of which eight are named.
    #expect(estimator.errors.contains(", and 15 more"), "\(estimator.errors)")
    let set = try kymo("velocity", "f", "--set", "release.estimator=xyzzy")
    #expect(set.code == 2)
    #expect(set.errors.contains(", and 14 more"), "\(set.errors)")
    let curve = try kymo("curve ease", "wobble")
    #expect(curve.errors.contains("Known: linear, ease, ease-in, "), "\(curve.errors)")
  }

  @Test func `each word of the article Concepts is in help`() throws {
    let article = try ManualPage(
      path: "Sources/Kymograph/Kymograph.docc/Articles/Concepts.md"
    ).text
    let help = try kymo("help", "concepts").output
    let terms = article.components(separatedBy: "**").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element != "frame" }.map(\.element)
    #expect(terms.count > 20)
    for term in terms where term != "threshold" {
      #expect(help.contains("\n  \(term) "), "\(term)")
    }
  }

  @Test(
    arguments: verbs.filter { !["web-recorder", "scenario schema", "mcp"].contains($0) })
  func `each command without a word is wrong usage, and names the missing one`(verb: String) throws
  {
    let run = try kymo(verb)
    #expect(run.code == 2)
    #expect(run.output == "")
    // Nothing is missing if everything has a default, or comes from standard input.
    guard !["curve settle", "rows"].contains(verb) else {
      return #expect(run.errors == (try kymo(verb, "--help")).output)
    }
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("kymo \(verb): missing "), "\(run.errors)")
  }

  @Test(arguments: verbs)
  func `each command refuses a flag that it does not have`(verb: String) throws {
    let run = try kymo(verb, "a", "b", "--formt", "json")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("kymo \(verb): unknown flag --formt. "), "\(run.errors)")
    let takesFormat = try kymo(verb, "--help").output.contains("--format")
    #expect(!takesFormat || run.errors.hasSuffix("Did you mean --format?\n"), "\(run.errors)")
    let other = try kymo(verb, "--completely-different")
    #expect(other.code == 2)
    #expect(other.errors.contains("See kymo help \(verb)"))
  }

  /// These take as many recordings as there are.
  static let gluttons = [
    "show", "list labels", "rule try", "rule tune", "compare", "golden learn", "check",
    "file merge", "file migrate", "file doctor",
  ]

  @Test(arguments: verbs.filter { !gluttons.contains($0) })
  func `each command refuses a word too many`(verb: String) throws {
    let run = try kymo(verb, "a", "b", "c", "d", "e")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("unexpected argument '"), "\(run.errors)")
  }

  @Test func `help and version take no word too many either`() throws {
    #expect(try kymo("help", "record", "keys").code == 2)
    #expect(try kymo("--version", "please").code == 2)
  }

  @Test func `a mistyped command is answered with the one that was meant`() throws {
    let run = try kymo("replya", "f")
    #expect(run.code == 2)
    #expect(run.errors == "kymo: unknown command 'replya'. Did you mean replay?\n")
    #expect(try kymo("help", "replya").errors.contains("Did you mean replay?"))
    // Two neighbours exchanged are one edit.
    for (typed, meant) in [("plto", "plot"), ("shwo", "show"), ("repaly", "replay")] {
      #expect(try kymo(typed).errors.contains("'\(typed)'. Did you mean \(meant)?"))
    }
    #expect(try kymo("frobnicate").errors.contains("See kymo help"))
  }

  @Test func `an unknown flag ends with 2 and names the nearest`() throws {
    let run = try kymo("compare", "a", "b", "--max-lga", "5ms")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("unknown flag --max-lga. Did you mean --max-lag?"))
    // A flag that few other commands have is named with them, however near another one is.
    let salt = try kymo("compare", "a", "b", "--salt", "x")
    #expect(salt.errors.contains("unknown flag --salt. kymo record and kymo file merge have it"))
  }

  @Test func `a flag of another form of the command is refused with that form`() throws {
    for (words, form) in [
      (["compare", "a", "b", "--paired"], "compare BASE… -- NEW…"),
      (["compare", "a", "--", "b", "--exact"], "compare A B"),
      (["plot", "a", "--film", "--width", "9"], "plot A [B]"),
    ] {
      let run = try kymo(words)
      #expect(run.code == 2)
      #expect(run.errors.contains("belongs to another form. Usage: kymo \(form)"), "\(run.errors)")
    }
  }

  @Test func `a flag is refused twice, without its value, and with one that it does not take`()
    throws
  {
    let twice = try kymo("list events", "f", "--every", "1", "--every", "2")
    #expect(twice.code == 2)
    #expect(twice.errors.contains("--every is given twice"))
    let bare = try kymo("list keys", "f", "--key")
    #expect(bare.code == 2)
    #expect(bare.errors.contains("missing value: --key"))
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
    for part in ["engine", "schema", "SQLite", " build"] { #expect(run.output.contains(part)) }
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
      ["scenario check", scenario], ["scenario schema"],
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
      let run = try ProgramRun.shell("\"$kymo\" \"$@\" 2>&-", ProgramRun.commandWords(words))
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
      try ProgramRun.shell("\"$kymo\" list keys \"$1\" --key x 2>&-", [place.path("none.kymo")])
        .code
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
        "{ \"$kymo\" \"$@\"; echo \"code $?\" >&2; } | head -1",
        ProgramRun.commandWords(words))
      #expect(run.errors == "code 0\n", "\(words)")
      #expect(run.output.split(separator: "\n").count == 1, "\(words)")
    }
  }
}
