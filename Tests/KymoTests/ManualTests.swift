import Foundation
import TestSupport
import Testing
import TimelineInterchange

/// README and the articles are the manual; what they say about commands, files and names must be so.
@Suite struct ManualTests {
  private let manual = manualPages.map(\.text).joined(separator: "\n")

  private static let pictures =
    (try? FileManager.default.contentsOfDirectory(
      atPath: packageFolder.appendingPathComponent(
        "Sources/Kymograph/Kymograph.docc/Resources"
      ).path)) ?? []

  /// The pages of folders, which describe their code.
  private var folderPages: [String] {
    ["Migrations", "Sources", "Tests/Oracles", "Tools"].flatMap { folder in
      let path = packageFolder.appendingPathComponent(folder).path
      let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return files.filter { $0.hasSuffix("README.md") }.map { "\(folder)/\($0)" }
    }
  }

  private func page(_ name: String) throws -> ManualPage {
    try #require(manualPages.first { $0.name == name })
  }

  @Test func `README has at most 110 lines and 16 links`() throws {
    let readme = try page("README.md").text
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 111)
    #expect(readme.components(separatedBy: "](").count - 1 <= 16)
  }

  @Test func `each block of README is run, but for the two commands of a stranger`() throws {
    let readme = try page("README.md")
    #expect(Set(readme.blocks.map(\.language)) == ["console", "sh", "swift"])
    let steps = readme.blocks.filter { $0.language != "swift" }.flatMap {
      ManualStep.steps(of: String(readme.text[$0.body]), isSession: $0.language == "console")
    }
    // `Tools/demo` has tests of its own, and `Tools/test` is what runs this one.
    let others = steps.filter { !$0.isRun }.compactMap { $0.command.split(separator: " ").first }
    #expect(others == ["Tools/demo", "export", "Tools/test"])
  }

  @Test func `the pictures of README show what the command above them makes`() throws {
    let readme = try page("README.md").text
    let script = try ManualPage(path: "Tools/pictures").text
    // The page that is watched is the one of the moving picture, and the report names its session.
    let watched = "sheet-speed.html --swipe '#sheet' up"
    let shown = try #require(readme.range(of: "sheet-speed.svg)"))
    #expect(readme[..<shown.lowerBound].contains(watched))
    #expect(script.contains(watched))
    let report = "report pinch.kymo#pinch-open -o pinch"
    let page = try #require(readme.range(of: "pinch-page.png)"))
    #expect(readme[..<page.lowerBound].contains("kymo \(report)"))
    #expect(script.contains("run \(report)"))
  }

  @Test func `every documented way to the program leaves its symbols out`() throws {
    #expect(try page("Install.md").text.contains("-static-executable -Xlinker -s --product kymo"))
    for script in ["Tools/demo", "Tools/gate"] {
      #expect(try ManualPage(path: script).text.contains("flags+=(-Xlinker -s)"), "\(script)")
    }
  }

  @Test func `every flag that the manual shows belongs to a command`() throws {
    let helps = try HelpTests.verbs.map { try kymo($0, "--help").output }
    for line in manual.split(separator: "\n") where line.contains("kymo ") {
      for word in line.split(whereSeparator: { " `,;|)(".contains($0) }) where word.hasPrefix("--")
      {
        let flag = word.prefix { $0 == "-" || $0.isLetter }
        guard !["--help", "--version", "--long"].contains(flag) else { continue }
        #expect(helps.contains { $0.contains("\(flag) ") }, "\(flag) in: \(line)")
      }
    }
  }

  @Test func `every file and folder that a page names is there`() throws {
    let others = try
      (["ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/Fixtures/gallery/README.md"]
      + folderPages).map { try ManualPage(path: $0) }
    for page in manualPages + others {
      let links = page.text.components(separatedBy: "](").dropFirst()
        .map { String($0.prefix { $0 != ")" }) }
      let roots = ["Sources/", "Tools/", "Tests/", "Migrations/"]
      let named = page.codeSpans.filter { span in roots.contains { span.hasPrefix($0) } }
      for path in named + links where !path.contains("://") {
        let file = String(path.prefix { $0 != " " })
        guard !file.contains(where: { "*…NX".contains($0) }) else { continue }
        if ManualTests.pictures.contains("\(file).svg")
          || ManualTests.pictures.contains("\(file).png")
        {
          continue  // as DocC names a picture
        }
        #expect(
          FileManager.default.fileExists(atPath: packageFolder.appendingPathComponent(file).path),
          "\(page): \(file)")
      }
    }
  }

  @Test func `CONTRIBUTING answers where each thing is, by a file that is there`() throws {
    let text = try ManualPage(path: "CONTRIBUTING.md").text
    for (heading, least) in [("## Where is what", 8), ("## How to add something", 18)] {
      let start = try #require(text.range(of: heading))
      let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
      let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      #expect(rows.count >= least)
      for row in rows { #expect(row.contains("`Sources/") || row.contains("`Tools/"), "\(row)") }
    }
  }

  @Test(arguments: [true, false])
  func `an app's whole gesture can be pasted from the article and from the help`(
    isHelp: Bool
  ) throws {
    let text = isHelp ? try kymo("help", "record").output : try page("RecordAnApp.md").text
    let start = try #require(text.range(of: "{\"kymograph\": 1"))
    let lines = text[start.lowerBound...].prefix { $0 != "`" }.components(separatedBy: "\n\n")[0]
    let place = try Workplace()
    let path = place.path("app.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", path, input: lines + "\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(try answers("list touches", path).count == 4)
    let velocity = try answers("velocity", path, "--key", "progress")[0]
    #expect(velocity["derived"].text == "lift")
    #expect(abs((velocity["velocity"].number ?? 0) - 12.5) < 1e-9)
  }

  @Test func `the article lists every field of a decision line`() throws {
    let article = try page("NDJSONLines.md").text
    for field in NDJSONReader.decisionFields {
      #expect(article.contains("`\(field)`"), "\(field)")
    }
  }

  @Test func `the articles list the formats, layouts and steps that there are`() throws {
    let refused = try kymo("export", "nothing", "x.kymo").errors
    for row in try page("Export.md").text.split(separator: "\n") where row.hasPrefix("| `") {
      let format = row.split(separator: "`")[1]
      #expect(refused.contains(format), "\(format): \(refused)")
    }
    let schema = try kymo("scenario", "schema").output
    let scenarios = try page("ScenarioFiles.md").codeSpans
    for match in schema.matches(of: /"(type|do)": ?\{\s*"const": ?"([a-zA-Z]+)"/) {
      #expect(scenarios.contains(String(match.output.2)), "\(match.output.2)")
    }
  }
}
