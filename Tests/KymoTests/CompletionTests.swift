import Foundation
import TestSupport
import Testing

/// The words that the shells' completions get from the program.
@Suite struct CompletionTests {
  let place: Workplace
  /// A recording with the sessions `open` and `two words`.
  let path: String

  init() throws {
    place = try Workplace()
    for name in ["open", "two words"] {
      try place.record(
        Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo", "--name", name)
    }
    path = place.path("run.kymo")
  }

  /// The words that may take the place of the last one, without their meanings.
  private func words(_ words: String...) throws -> [String] {
    let run = try kymo([".complete"] + words)
    #expect(run.code == 0)
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map { $0.components(separatedBy: "\t")[0] }
  }

  @Test func `the first word is that of a command, or help`() throws {
    let all = try words("")
    #expect(all.count == Set(all).count)
    #expect(Set(all) == Set(HelpTests.verbs.map { $0.components(separatedBy: " ")[0] } + ["help"]))
    #expect(try words("rep") == ["replay", "report"])
    #expect(try words("-") == ["--help", "--version"])
  }

  @Test func `no hidden verb and no member of a family alone is offered`() throws {
    let hidden = [".complete", ".manual-pages", ".worker", "list-columns"]
    let others = ["play", "info", "describe", "tune", "expect", "settle", "doctor"]
    for word in hidden + others { #expect(try !words(word).contains(word), "\(word)") }
    #expect(try words("check", path, "--exp") == [])
  }

  @Test func `every word of every command's name is offered after the words before it`() throws {
    for verb in HelpTests.verbs {
      let parts = verb.components(separatedBy: " ")
      guard parts.count == 2 else { continue }
      #expect(try words(parts[0], "").contains(parts[1]), "\(verb)")
      #expect(try words("help", parts[0], "").contains(parts[1]), "\(verb)")
    }
    #expect(try words("help", "con") == ["concepts"])
  }

  @Test(arguments: HelpTests.verbs)
  func `the flags of a command are those of its help`(verb: String) throws {
    let help = try kymo(["help"] + verb.components(separatedBy: " ")).output
    let listed = help.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("Rows: ") { return ["--format", "--json", "--all-digits"] }
      let label = line.hasPrefix("  -") ? line.dropFirst(line.hasPrefix("  --") ? 2 : 6) : ""
      return label.hasPrefix("--") ? [String(label.prefix { $0 != " " })] : []
    }
    let run = try kymo([".complete"] + verb.components(separatedBy: " ") + ["--"])
    let offered = run.output.split(separator: "\n").map { $0.components(separatedBy: "\t")[0] }
    #expect(Set(offered) == Set(listed + ["--help"]))
    #expect(offered.count == Set(offered).count)
  }

  @Test func `a flag is offered once, and those of another form not at all`() throws {
    #expect(try !words("replay", path, "--items", "apple", "--form").isEmpty)
    #expect(try !words("compare", "a", "b", "--all", "--").contains("--all"))
    #expect(try words("replay", path, "--key", "progress", "--ke") == ["--keys", "--key"])
    let groups = try words("compare", "--paired", "--")
    #expect(groups.contains("--metric"))
    #expect(!groups.contains("--exact"))
  }

  @Test func `a value is one of its names`() throws {
    #expect(try words("velocity", path, "--preset", "co") == ["compose", "cosmic"])
    #expect(try words("compare", "--format=m") == ["--format=markdown"])
    #expect(try words("export", "w") == ["waapi"])
    #expect(try words("label", path, "") == ["finish", "cancel", "unsure", "none"])
    #expect(try words("curve", "ease", "ease-in") == ["ease-in", "ease-in-out"])
    #expect(
      try words("compare", "--metric", "duration,dur").allSatisfy { $0.hasPrefix("duration,") })
    #expect(try words("compare", "--residual", "") == [])
  }

  @Test func `a name that is read without being offered completes no line`() throws {
    #expect(
      try words("curve", "settle", "--definition", "")
        == ["core-animation", "swiftui", "compose", "flutter", "motion", "libadwaita"])
    #expect(try words("curve", "ease", "cubicI") == [])
    #expect(try words("curve", "ease", "").count == 12)
    #expect(try words("curve", "settle", "--timing", "sine") == [])
    #expect(try words("fit", path, "--model", "elastic") == [])
    for start in ["int", "leg", "impulse-"] {
      #expect(try words("velocity", path, "--estimator", start) == [], "\(start)")
    }
    #expect(try words("velocity", path, "--estimator", "impulse") == ["impulse"])
  }

  @Test func `files and folders are left to the shell`() throws {
    #expect(try words("show", "") == [":files"])
    #expect(try words("no-command") == [":files"])
    #expect(try words("compare", path, "--page", "") == [":files"])
    #expect(try words("compare", "--", path, "--", "") == [":files"])
    #expect(try words("rows", "--export-dir", "") == [":folders"])
    #expect(try words("web-recorder", "-o", "") == [":folders"])
    #expect(try words("watch", "--swipe", "#card", "") == [])
    #expect(try words("no-command", "") == [])
  }

  @Test func `a recording's sessions follow its hash`() throws {
    let all = ["1", "2", "last", "open", "two words"].map { "\(path)#\($0)" }
    #expect(try words("show", path + "#") == all)
    #expect(try words("show", path + "#o") == ["\(path)#open"])
    #expect(try words("\(path)#t") == ["\(path)#two words"])
    #expect(try words("check", "x.kymo", "--golden=\(path)#l") == ["--golden=\(path)#last"])
    #expect(try words("show", place.path("missing.kymo#")) == [])
  }

  @Test func `the keys and elements are those of the recording that the line names`() throws {
    let keys = try words("list", "keys", path, "--key", "")
    #expect(try keys == answers("list keys", path).compactMap { $0["key"].text })
    #expect(try words("compare", path + "#1", "x", "--key", "fin").contains("finger.y"))
    #expect(try words("compare", path, "x", "--key", "ite").contains("item.apple"))
    #expect(try words("replay", path, "--key=finger.y,pro") == ["--key=finger.y,progress"])
    #expect(try words("replay", path, "--key", "progress,prog") == [])
    #expect(try words("replay", path, "--key", "item.apple.al") == ["item.apple.alpha"])
    #expect(try words("replay", path, "--items", "ap") == ["apple"])
    #expect(try words("replay", path, "--items", "--fo") == ["--format"])
    #expect(try words("replay", "--key", "") == [])
  }

  @Test func `names that would forge lines are left out`() throws {
    let lines = [
      #"{"kymograph": 1, "name": "a\nb"}"#, #"{"t_ns": 0, "key": "x\ty", "value": 1}"#,
      #"{"t_ns": 0, "key": "plain", "value": 1}"#,
    ]
    let odd = place.path("odd.kymo")
    let run = try kymo(
      ["record", "--from-ndjson", "-", "--into", odd],
      input: Data((lines.joined(separator: "\n") + "\n").utf8))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try words("show", odd + "#") == ["\(odd)#1", "\(odd)#last"])
    #expect(try words("list", "keys", odd, "--key", "") == ["plain"])
  }
}
