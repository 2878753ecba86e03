import Foundation
import PageBrowser
import TestSupport
import Testing

/// Which addresses are of this machine alone, and what becomes of a page that leaves it.
@Suite struct LoopbackAddressTests {
  @Test(arguments: [
    "http://localhost", "http://LOCALHOST:3000/a?b#c", "HTTPS://localhost/", "http://127.0.0.1",
    "http://127.255.0.9:80/x", "http://[::1]:5173/", "http://[::1]", "http://localhost:/",
    "file:///tmp/a%20b.html#c", "about:blank", "data:text/html,x", "blob:null/1",
    "http://localhost/@evil.example",
  ])
  func `hosts of the loopback interface and files are`(address: String) {
    #expect(LoopbackAddress.isOne(address))
  }

  @Test(arguments: [
    "", "localhost", "http:", "http://", "http:///evil.example", "http:localhost",
    "http://evil.example", "http://localhost.evil.example", "http://localhost@evil.example",
    "http://localhost:80@evil.example/", "http://evil.example\\@localhost",
    "http://evil.example#@localhost", "http://evil.example?localhost", "http://localhost\\.evil",
    "http://127.0.0.1.evil.example", "http://127.1", "http://127.0.0", "http://127.0.0.256",
    "http://127.0.0.01", "http://0177.0.0.1", "http://2130706433", "http://0x7f.0.0.1",
    "http://128.0.0.1", "http://10.0.0.1", "http://0.0.0.0", "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://localhost.", "http://localhost80", "http://127.0.0.٣", "http://local\thost",
    "file://server/a.html", "file:a.html", "ftp://localhost/", "javascript:1", "chrome://version",
    "view-source:http://localhost", " http://localhost",
  ])
  func `every other one is not, nor what could be read in two ways`(address: String) {
    #expect(!LoopbackAddress.isOne(address))
  }

  @Test(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
  func `a page that leaves the machine by a link stays, and it is told`() throws {
    let visit = try WatchedPage.watch(
      "leaves.html", [.click(ElementPlace("#out"))], isLoopbackOnly: true)
    #expect(visit.opened.isEmpty)
    #expect(
      visit.words
        == "click #out; refused to open \"http://kymograph.example/\", which is not on this machine"
    )
    let inside = try WatchedPage.watch(
      "leaves.html", [.click(ElementPlace("#in"))], clock: .real, isLoopbackOnly: true)
    #expect(inside.opened.count == 1 && inside.opened[0].hasSuffix("next.html"))
  }

  @Test(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
  func `a page is not opened if it leaves the machine as it loads`() throws {
    let page = URL(fileURLWithPath: fixture("pages/watch/leaves.html")).absoluteString
    let visit = try WatchedPage.watch(
      page + "#now", [.wait(10)], isLoopbackOnly: true)
    #expect(visit.opened.isEmpty)
    #expect(
      visit.words
        == "wait 10 ms; refused to open \"http://kymograph.example/\", which is not on this machine"
    )
    #expect(visit.text.contains(#""name":"Leaves""#))
  }
}
