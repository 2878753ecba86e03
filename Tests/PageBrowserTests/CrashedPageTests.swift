import Foundation
import TestSupport
import Testing

@testable import PageBrowser

/// A page whose process ends.
@Suite(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
struct CrashedPageTests {
  @Test func `a page that crashes is told as the page's, and so is each question after that`()
    throws
  {
    let folder = try TemporaryFolder()
    let browser = try Browser(
      Browser.Settings(
        path: try #require(WatchedPage.browser(for: .steady)), profile: folder.url.path,
        environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
        isSteady: false))
    defer { browser.end() }
    let page = try PageSession(
      in: browser, PageSettings(hasTouch: true, items: "[id]"), isSteady: false)
    try page.navigate(
      to: URL(fileURLWithPath: fixture("pages/watch/sheet.html")).absoluteString)
    for ask in [
      { try page.call("Page.crash") }, { try page.evaluate("1") },
      { try page.call("Page.getFrameTree") },
    ] {
      let error = #expect(throws: BrowserError.self) { _ = try ask() }
      #expect(error?.kind == .page)
      #expect(
        error?.message.hasPrefix("the page crashed. ") == true, "\(String(describing: error))")
    }
  }
}
