import Foundation
import TestSupport
import Testing

/// How the pages of the manual hang together: the list of topics, the links, and the length of a page.
@Suite struct ManualStructureTests {
  private static let catalog = "Sources/Kymograph/Kymograph.docc"
  /// A reader takes one of four doors; each has few enough articles to read them all.
  private static let doors = ["Record it", "See it", "Decide it", "Guard it"]
  private static let mostBehindADoor = 9
  private static let groups = ["Start"] + doors + ["Reference", "Background", "Contribute"]
  /// The most words of prose in an article; pages of reference may be longer.
  private static let mostWords = 900

  private let articles = manualPages.filter { $0.path.contains("/Articles/") }

  /// The articles of each group of topics, by the group's heading.
  private func topics() throws -> [(group: String, articles: [String])] {
    let landing = try #require(manualPages.first { $0.name == "Kymograph.md" }).text
    let list = try #require(landing.components(separatedBy: "\n## Topics\n").dropFirst().first)
    return list.components(separatedBy: "\n### ").dropFirst().map { part in
      let lines = part.split(separator: "\n")
      return (
        group: String(lines[0]),
        articles: lines.dropFirst().compactMap { $0.firstMatch(of: /<doc:(\w+)>/) }.map {
          String($0.output.1)
        }
      )
    }
  }

  @Test func `the topics are four doors and what is around them, and each article is in one group`()
    throws
  {
    let topics = try topics()
    #expect(topics.map(\.group) == Self.groups)
    let listed = topics.flatMap(\.articles)
    #expect(listed.count > 40)
    #expect(Set(listed).count == listed.count)
    #expect(Set(listed) == Set(articles.map { String($0.name.dropLast(3)) }))
  }

  @Test(arguments: doors)
  func `behind a door are at most nine articles`(door: String) throws {
    let articles = try #require(topics().first { $0.group == door }).articles
    #expect(articles.count >= 5)
    #expect(articles.count <= Self.mostBehindADoor)
  }

  @Test func `the manual begins with how to install it and with its words`() throws {
    #expect(try topics().first?.articles.prefix(2) == ["Install", "Concepts"])
  }

  @Test func `README leads to the first page of the manual, which leads to every article`() throws {
    let readme = try #require(manualPages.first { $0.name == "README.md" }).text
    let first = try #require(manualPages.first { $0.name == "Kymograph.md" })
    #expect(readme.contains("](\(first.path))"))
    for article in articles {
      #expect(first.text.contains("<doc:\(article.name.dropLast(3))>"), "\(article)")
    }
  }

  @Test func `an article has at most 900 words of prose, unless it is reference`() throws {
    let reference = try #require(topics().first { $0.group == "Reference" }).articles
    let read = articles.filter { !reference.contains(String($0.name.dropLast(3))) }
    let script = packageFolder.appendingPathComponent("Tools/prose").path
    let counts = try shell("tool=$1; shift; \"$tool\" \"$@\"", [script] + read.map(\.path)).output
      .split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
      .filter { $0[0].hasSuffix(".md") }
    #expect(counts.count == read.count)
    for count in counts {
      let words = try #require(Int(count[1]))
      #expect(words <= Self.mostWords, "\(count[0]) has \(words) words")
    }
  }

  @Test func `each link to a page leads to one`() {
    let names = Set(articles.map { $0.name.dropLast(3) })
    for page in manualPages {
      for match in page.text.matches(of: /<doc:([^>\n]*)>/) {
        #expect(names.contains(match.output.1), "\(page): \(match.output.0)")
      }
    }
  }

  @Test func `no table is on two pages`() {
    var owners: [String: String] = [:]
    for page in articles {
      var isFenced = false
      for line in page.text.split(separator: "\n") {
        if line.hasPrefix("```") { isFenced.toggle() }
        // A row that says something: no heading, no rule, and more than a name and a number.
        guard !isFenced, line.hasPrefix("| "), line.count > 60, page.name != "Commands.md" else {
          continue
        }
        let owner = owners.updateValue(page.name, forKey: String(line))
        #expect(owner == nil || owner == page.name, "\(page.name) and \(owner ?? ""): \(line)")
      }
    }
  }

  @Test func `the manual and the changelog name the version that the program prints`() throws {
    let version = try #require(
      kymo("--version").output.firstMatch(of: #/^kymo (\d+\.\d+\.\d+) /#)?.output.1)
    var count = 0
    for page in manualPages {
      for match in page.text.matches(of: #/This is version ([\d.]+\d)/#) {
        #expect(match.output.1 == version, "\(page)")
        count += 1
      }
    }
    #expect(count >= 3)
    let changelog = try ManualPage(path: "CHANGELOG.md").text
    let newest = try #require(changelog.firstMatch(of: #/(?m)^## ([\d.]+)/#)?.output.1)
    #expect(newest == version)
  }
}
