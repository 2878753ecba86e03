import Foundation
import TestSupport
import Testing

/// The pictures of the manual: each is shown, and the drawings are those that the program draws today.
/// `Tests/Oracles/pictures.py` compares the others, which need a browser.
@Suite struct ManualPictureTests {
  private static let folder = "Sources/Kymograph/Kymograph.docc/Resources"
  /// It is drawn from a page that is watched, and needs a headless shell.
  private static let moving = "sheet-speed.svg"

  /// A picture in a page, `![description](target)`.
  private struct Shown {
    var page: String
    var description: String
    var target: String
  }

  private let shown = manualPages.flatMap { page in
    page.text.matches(of: /!\[([^\]]*)\]\(([^)]*)\)/).map {
      Shown(page: page.path, description: String($0.output.1), target: String($0.output.2))
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: packageFolder.appendingPathComponent(Self.folder).path
    ).sorted()
  }

  @Test func `each picture is shown, and ten or more of them in articles`() throws {
    let names = try names()
    // DocC names a picture without the end of its file's name.
    let inArticles = shown.filter { $0.page.contains("/Articles/") }
    for picture in inArticles {
      let files = names.filter { $0.hasPrefix("\(picture.target).") }
      #expect(files.count == 1, "\(picture.page): \(picture.target)")
    }
    let targets = Set(shown.map(\.target))
    for name in names {
      let base = String(name.prefix { $0 != "." })
      #expect(targets.contains(base) || targets.contains("\(Self.folder)/\(name)"), "\(name)")
    }
    #expect(Set(inArticles.map(\.target)).count >= 10)
  }

  @Test func `each picture has a description of at least six words`() {
    for picture in shown {
      #expect(picture.description.split(separator: " ").count >= 6, "\(picture)")
    }
  }

  @Test func `the moving picture has ten seconds, both colour schemes, no script and few bytes`()
    throws
  {
    let path = packageFolder.appendingPathComponent("\(Self.folder)/\(Self.moving)").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.utf8.count < 500_000)
    #expect(text.contains("animation: 10s linear infinite"))
    #expect(text.contains("(prefers-color-scheme: dark)"))
    #expect(text.contains("(prefers-reduced-motion: no-preference)"))
    // GitHub shows it as an image, in which no script runs and nothing is loaded.
    #expect(!text.contains("<script"))
    #expect(!text.contains("href"))
    #expect(!text.contains("url(http"))
  }

  @Test func `the drawings of the manual are those that Tools slash pictures makes`() throws {
    let place = try Workplace()
    let script = packageFolder.appendingPathComponent("Tools/pictures").path
    let drawings = try names().filter {
      $0.hasSuffix(".svg") && ($0 != Self.moving || BrowserOnMachine.hasShell)
    }
    let run = try shell(
      "tool=$1; into=$2; shift 2; \"$tool\" \"$@\" --into \"$into\"",
      [script, place.folder.url.path] + drawings)
    #expect(run.code == 0, "\(run.errors)")
    for name in drawings {
      let file = packageFolder.appendingPathComponent("\(Self.folder)/\(name)")
      let isSame = try place.bytes(name) == Data(contentsOf: file)
      #expect(isSame, "\(name) is out of date; make it again with Tools/pictures \(name)")
    }
  }
}
