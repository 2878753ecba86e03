import Foundation
import PageBrowser
import TestSupport
import Testing

@Suite struct BrowserSearchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Puts a program into a folder below the test's own.
  private func install(_ path: String) throws -> String {
    let file = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = FileManager.default.createFile(
      atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o755])
    return file.path
  }

  private func search(_ variables: [String: String] = [:]) -> BrowserSearch {
    let own = ["PATH": folder.path("bin"), "HOME": folder.path("home")]
    return BrowserSearch { variables[$0] ?? own[$0] }
  }

  @Test func `the search path is gone through in the order of the names`() throws {
    let chrome = try install("bin/google-chrome")
    #expect(try search().path(named: nil, for: .real) == chrome)
    let chromium = try install("bin/chromium")
    #expect(try search().path(named: nil, for: .real) == chromium)
    #expect(try search().path(named: nil, for: .steady) == nil)
    let shell = try install("bin/chrome-headless-shell")
    #expect(try search().path(named: nil, for: .steady) == shell)
  }

  @Test func `the newest shell of a cache serves when the search path has none`() throws {
    let cache = "home/.cache/ms-playwright/chromium_headless_shell"
    _ = try install("\(cache)-1100/chrome-linux/headless_shell")
    let newest = try install("\(cache)-1200/chrome-linux/headless_shell")
    #expect(try search().path(named: nil, for: .steady) == newest)
  }

  @Test func `a browser that is named goes before all others, the flag before the variable`() throws
  {
    _ = try install("bin/chromium")
    let named = try install("mine")
    let other = try install("other-headless-shell")
    let search = search(["KYMO_BROWSER": other])
    #expect(try search.path(named: named, for: .real) == named)
    #expect(try search.path(named: named, for: .steady) == nil, "it is not a headless shell")
    #expect(try search.path(named: nil, for: .steady) == other)
  }

  @Test func `errors name what was looked for, and what to do`() throws {
    #expect(throws: BrowserError.self) { try search().path(named: "/none", for: .real) }
    do {
      _ = try search().requiredPath(named: nil, for: .real)
      Issue.record("there is a browser")
    } catch {
      #expect(
        error.message
          == "no browser: install Chromium, or name one with --browser (looked for chromium, "
          + "chromium-browser, google-chrome, google-chrome-stable, microsoft-edge)")
    }
  }
}
