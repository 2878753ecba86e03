import Foundation
import TestSupport
import Testing

/// The README is the manual; what it says about commands must be so.
@Suite struct ManualTests {
  private let manual: String

  init() throws {
    manual = try String(
      contentsOf: packageFolder.appendingPathComponent("README.md"), encoding: .utf8)
  }

  @Test func `every command that help lists is in the README`() throws {
    let help = try kymo("help").output
    let start = try #require(help.range(of: "Commands:\n"))
    let verbs = help[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(verbs.count == HelpTests.verbs.count)
    for verb in verbs {
      #expect(
        manual.contains("`kymo \(verb)") || manual.contains("`\(verb)`"), "\(verb) is missing")
    }
  }

  @Test func `every flag that the README shows belongs to a command`() throws {
    let helps = try HelpTests.verbs.map { try kymo("help", $0).output }
    for line in manual.split(separator: "\n") where line.contains("kymo ") {
      for word in line.split(whereSeparator: { " `,;|)(".contains($0) }) where word.hasPrefix("--")
      {
        let flag = word.prefix { $0 == "-" || $0.isLetter }
        guard !["--help", "--version", "--oracles", "--long"].contains(flag) else { continue }
        #expect(helps.contains { $0.contains("\(flag) ") }, "\(flag) in: \(line)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `an app's whole gesture can be pasted from the README and from the help`(
    isHelp: Bool
  ) throws {
    let text = isHelp ? try kymo("help", "record").output : manual
    let start = try #require(text.range(of: "{\"kymograph\": 1"))
    let lines = text[start.lowerBound...].prefix { $0 != "`" }.components(separatedBy: "\n\n")[0]
    let place = try Workplace()
    let path = place.path("app.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", path, input: lines + "\n")
    #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    #expect(try answers("touches", path).count == 4)
    let velocity = try answers("velocity", path, "--key", "progress")[0]
    #expect(velocity["derived"].text == "lift")
    #expect(abs((velocity["velocity"].number ?? 0) - 12.5) < 1e-9)
  }

  @Test func `README and help list every field of a decision line`() throws {
    let help = try kymo("help", "record").output
    let place = try Workplace()
    let refused = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("app.kymo"),
      input: "{\"kymograph\": 1}\n{\"t_ns\": 0, \"decision\": {\"x\": 1}}\n")
    // The error lists what is known.
    let known = try #require(refused.errors.components(separatedBy: "Known fields: ").last)
    let fields = known.split { !$0.isLetter }.prefix(17)
    #expect(fields.last == "projectedProgress")
    for field in fields {
      #expect(help.contains(field) && manual.contains(field), "\(field)")
    }
  }
}
