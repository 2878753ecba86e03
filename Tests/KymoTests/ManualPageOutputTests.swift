import Foundation
import TestSupport
import Testing

/// The manual pages that the program prints from its commands.
@Suite struct ManualPageOutputTests {
  /// The pages by the names of their files.
  private func pages() throws -> [String: String] {
    let run = try kymo(".manual-pages", "November 26, 2026")
    #expect(run.code == 0)
    var pages: [String: String] = [:]
    for part in run.output.components(separatedBy: ".\\\" FILE ").dropFirst() {
      let name = String(part.prefix { $0 != "\n" })
      #expect(pages[name] == nil)
      pages[name] = String(part.dropFirst(name.count + 1))
    }
    return pages
  }

  @Test func `there is a page for the program and for each command`() throws {
    let names = HelpTests.verbs.map { "kymo-\($0.replacing(" ", with: "-")).1" }
    #expect(try Set(pages().keys) == Set(names + ["kymo.1"]))
  }

  @Test func `a page has the date, the flags, the examples and the exit codes of the command`()
    throws
  {
    let page = try #require(try pages()["kymo-compare.1"])
    #expect(page.hasPrefix(".Dd November 26, 2026\n.Dt KYMO-COMPARE 1\n.Os\n.Sh NAME\n"))
    for text in [
      ".It Fl \\-max\\-lag Ar \"TIME\"\n", "kymo compare yesterday.kymo today.kymo\n",
      ".It 3\nif a file of a group was left out, or a part of a text could not be read.\n",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `no text of a command is taken for a request, and pages are ASCII`() throws {
    let requests: Set = [
      "Dd", "Dt", "Os", "Sh", "Ss", "Nm", "Nd", "Ar", "Cm", "Op", "Pp", "Bl", "El", "It", "Bd",
      "Ed",
      "Xr",
    ]
    for (name, page) in try pages() {
      #expect(page.utf8.allSatisfy { $0 < 128 }, "\(name)")
      for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        let request = String(line.dropFirst().prefix { $0 != " " })
        #expect(requests.contains(request), "\(name): \(line)")
      }
    }
  }
}
