import KymographCLibrary
import ProcessSpawning

/// Finds a browser that is there. Nothing is ever downloaded.
package struct BrowserSearch {
  /// Which of the two clocks it is for: the steady one needs the headless shell, the real one a whole browser.
  package enum Purpose: Hashable, Sendable {
    case steady
    case real
  }

  /// The value of an environment variable. `nil` if it is not set.
  private let variable: (String) -> String?

  package init(variable: @escaping (String) -> String?) { self.variable = variable }

  private var search: ProgramSearch { ProgramSearch(variable: variable) }

  package static let variableName = "KYMO_BROWSER"

  /// Names in the search path that are a headless shell.
  private static let shells = ["chromium-headless-shell", "chrome-headless-shell"]
  /// Names in the search path that are a whole browser.
  private static let browsers = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
  ]
  /// Where macOS has them.
  private static let applications = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ]

  /// The path of a browser. `nil` if there is none.
  ///
  /// A named browser has precedence over `KYMO_BROWSER`, and that before the search path and the caches of Playwright and
  /// Puppeteer. One that is named serves the steady clock if its name says that it is a headless shell.
  ///
  /// - Throws: ``BrowserError``: one is named and is not there.
  package func path(named name: String?, for purpose: Purpose) throws(BrowserError) -> String? {
    if let name = name ?? variable(Self.variableName), !name.isEmpty {
      guard let path = search.find(name) else {
        throw BrowserError(
          .browser,
          "no browser: \(name) is not a program that can be run. Name one with --browser")
      }
      return purpose == .real || Self.isShell(path) ? path : nil
    }
    switch purpose {
    case .steady: return Self.shells.lazy.compactMap(search.find).first ?? cachedShell()
    case .real: return (Self.browsers + Self.applications).lazy.compactMap(search.find).first
    }
  }

  /// The path of a browser that must be there.
  package func requiredPath(
    named name: String?, for purpose: Purpose
  ) throws(BrowserError) -> String {
    if let path = try path(named: name, for: purpose) { return path }
    switch purpose {
    case .steady:
      throw BrowserError(
        .browser,
        "no headless shell: install \(Self.shells[0]), name it with --browser, or use --clock real"
      )
    case .real:
      throw BrowserError(
        .browser,
        "no browser: install Chromium, or name one with --browser (looked for "
          + "\(Self.browsers.joined(separator: ", ")))")
    }
  }

  /// Whether a path's last part says that it is a headless shell.
  package static func isShell(_ path: String) -> Bool {
    path.split(separator: "/").last.map { $0.contains("headless-shell") || $0 == "headless_shell" }
      ?? false
  }

  /// The newest headless shell that Playwright or Puppeteer has in the user's cache.
  private func cachedShell() -> String? {
    guard let home = variable("HOME"), !home.isEmpty else { return nil }
    let playwright = ["\(home)/.cache/ms-playwright", "\(home)/Library/Caches/ms-playwright"]
    for cache in playwright {
      for version in Self.names(in: cache, from: "chromium_headless_shell") {
        for build in Self.names(in: "\(cache)/\(version)", from: "chrome-") {
          let folder = "\(cache)/\(version)/\(build)"
          let programs = ["chrome-headless-shell", "headless_shell"].map { "\(folder)/\($0)" }
          if let path = programs.first(where: ProgramSearch.isProgram) { return path }
        }
      }
    }
    let puppeteer = "\(home)/.cache/puppeteer/chrome-headless-shell"
    for version in Self.names(in: puppeteer, from: "") {
      for build in Self.names(in: "\(puppeteer)/\(version)", from: "chrome-headless-shell") {
        let path = "\(puppeteer)/\(version)/\(build)/chrome-headless-shell"
        if ProgramSearch.isProgram(path) { return path }
      }
    }
    return nil
  }

  /// The names in a folder that begin in a way, the last of the alphabet first.
  private static func names(in folder: String, from beginning: String) -> [String] {
    (readFolder(folder) ?? []).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasPrefix(beginning) && $0 != "." && $0 != ".." }.sorted(by: >)
  }
}
