import Foundation
import TestSupport
import Testing

/// The pages of reference contain what the program has: commands, views, names and keys.
@Suite struct ManualReferenceTests {
  private func page(_ name: String) throws -> ManualPage {
    try #require(manualPages.first { $0.name == name })
  }

  @Test func `the page of commands is the one that the program prints`() throws {
    let printed = try kymo(".manual-pages", "--markdown")
    #expect(printed.code == 0)
    let path = "Sources/Kymograph/Kymograph.docc/Articles/Commands.md"
    if writesManual {
      try printed.output.write(
        to: packageFolder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    #expect(try ManualPage(path: path).text == printed.output)
    for verb in HelpTests.verbs {
      #expect(printed.output.contains("\n## kymo \(verb)\n"))
      #expect(printed.output.contains("\n| `kymo \(verb)` | "))
    }
    let help = try kymo("help", "compare").output
    let part = try #require(
      printed.output.components(separatedBy: "\n## kymo compare\n").last?
        .components(separatedBy: "\n## ").first)
    for match in help.matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/) {
      #expect(part.contains("\(match.output.1)"), "\(match.output.1)")
    }
  }

  @Test func `the page of formats is the one that the program prints, and help has each of them`()
    throws
  {
    let printed = try kymo(".manual-pages", "--formats")
    #expect(printed.code == 0)
    let path = "Sources/Kymograph/Kymograph.docc/Articles/TouchFormats.md"
    if writesManual {
      try printed.output.write(
        to: packageFolder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    #expect(try ManualPage(path: path).text == printed.output)
    let help = try kymo("help", "formats").output
    for format in try completions(of: ["velocity"], "--gesture-format") {
      #expect(printed.output.contains("\n| `\(format)` | "), "\(format)")
      #expect(help.contains("\n  \(format) "), "\(format)")
    }
  }

  @Test func `the page of views lists the columns of each view in their order`() throws {
    let place = try Workplace()
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let path = place.path("pinch.kymo")
    let views =
      try answers(
        "sql", path, "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"
      ).compactMap { $0["name"].text }.filter { !$0.hasPrefix("sealed_") } + ["releases"]
    let sections = try page("Views.md").text.components(separatedBy: "\n## ").dropFirst()
    #expect(Set(sections.map { String($0.prefix { $0 != "\n" }) }) == Set(views))
    for section in sections {
      let view = section.prefix { $0 != "\n" }
      let listed = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
        row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
      }
      let columns = try kymo("sql", path, "SELECT * FROM \(view) LIMIT 0", "--format", "csv")
        .output.prefix { $0 != "\n" && $0 != "\r" }.split(separator: ",").map(String.init)
      #expect(listed == columns, "\(view)")
    }
  }

  @Test(arguments: [
    ("ReleaseRules.md", ["velocity"], "--rule"), ("EstimatorsAndRest.md", ["velocity"], "--preset"),
    ("EstimatorsAndRest.md", ["velocity"], "--estimator"),
    ("EstimatorsAndRest.md", ["curve", "settle"], "--definition"),
  ])
  func `a page of names has a row for each name of the flag`(
    name: String, command: [String], flag: String
  ) throws {
    let help = try kymo(["help"] + command + ["--all"]).output
    let others = help.components(separatedBy: "\nAlso read as \(flag):\n").dropFirst().first?
      .components(separatedBy: "\n\n")[0].split { ", \n".contains($0) }.map(String.init)
    let known = try completions(of: command, flag) + (others ?? [])
    #expect(known.count >= 10, "\(known)")
    let rows = try page(name).text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let names = Set(
      rows.flatMap { row in
        row.split(separator: "|")[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.output.1) }
      })
    for name in known where name != "all" { #expect(names.contains(name), "\(name)") }
  }

  /// The values that completions offer for a flag.
  private func completions(of command: [String], _ flag: String) throws -> [String] {
    try kymo([".complete"] + command + [flag, ""]).output.split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
  }

  @Test func `the article has every key that the report, the review and the player explain`() throws
  {
    let text = try page("ReportAndPlayer.md").text
    let parts = text.components(separatedBy: "\n### Keys of the ")
    #expect(parts.count == 4)
    let folder = "Sources/TimelineReport/page"
    let review = try ManualPage(path: "\(folder)/review.html").text
    for match in review.matches(of: /<kbd>([^<]+)<\/kbd>/) {
      #expect(parts[2].contains(match.output.1), "\(match.output.1)")
    }
    let controls = try ManualPage(path: "\(folder)/controls.js").text
    let table = try #require(
      controls.components(separatedBy: "const keyTable = [").last?.components(separatedBy: "\n];")
        .first)
    let player = try ManualPage(
      path: "Sources/TimelineRendering/Player/PlayerHelp.swift"
    ).text.components(separatedBy: "entries:")[1].components(separatedBy: "\n  ]\n")[0]
    let pairs =
      table.matches(of: /\["([^"]+)", "/).map { (parts[1], $0.output.1) }
      + player.matches(of: /\("([^"]+)", "/).map { (parts[3], $0.output.1) }
    #expect(pairs.count > 30)
    for (part, keys) in pairs {
      for key in keys.split(separator: " ") where key != "0…9" {
        #expect(part.contains(key), "\(key)")
      }
    }
  }
}
