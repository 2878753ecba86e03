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

  @Test func `the README's lines of an app are understood`() throws {
    let start = try #require(manual.range(of: "{\"kymograph\": 1"))
    let block = manual[start.lowerBound...]
    let end = try #require(block.range(of: "```"))
    // The README breaks one line in two to fit its page.
    let lines = block[..<end.lowerBound].replacingOccurrences(of: "\n  ", with: " ")
    let place = try Workplace()
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("app.kymo"), input: lines)
    #expect(run.code == 0, "\(run.errors)")
  }
}
