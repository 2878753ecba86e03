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
    #expect(inside.opened.count == 1)
    #expect(inside.opened[0].hasSuffix("next.html"))
  }

  @Test(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
  func `frames, windows, scripts, pictures and sockets of other machines are refused and counted`()
    throws
  {
    let folder = try TemporaryFolder()
    let page = folder.path("far.html")
    let html = """
      <!doctype html><script src="http://kymograph.example/a.js"></script>
      <img src="http://169.254.169.254/a"><img src="http://169.254.169.254/b"><img src="http://[fe80::1]/c">
      <iframe src="http://192.0.2.1/frame"></iframe><iframe src="file:///etc/hostname"></iframe>
      <button id="b" style="position: fixed; left: 0; transition: left 100ms">b</button><script>
      b.onclick = () => {
        b.style.left = "90px";
        new WebSocket("ws://192.0.2.2/"); window.open("http://192.0.2.3/");
      };
      </script>
      """
    try Data(html.utf8).write(to: URL(fileURLWithPath: page))
    let visit = try WatchedPage.watch(
      URL(fileURLWithPath: page).absoluteString, [.click(ElementPlace("#b")), .wait(300)],
      isLoopbackOnly: true, files: FolderLimit(folder.url.path))
    #expect(visit.notes.contains { $0.contains("is laid out 980 px wide on 390") })
    let refusals = visit.notes.filter { !$0.contains("viewport meta") }
    let hosts = refusals.map { $0.prefix { $0 != "," } }.sorted()
    #expect(
      hosts == [
        "refused 1 request to \"192.0.2.1\"", "refused 1 request to \"192.0.2.2\"",
        "refused 1 request to \"192.0.2.3\"", "refused 1 request to \"[fe80::1]\"",
        "refused 1 request to \"kymograph.example\"", "refused 2 requests to \"169.254.169.254\"",
      ], "\(visit.notes)")
    #expect(refusals.allSatisfy { $0.contains("kymo mcp --any-address") })
    #expect(visit.words.contains("refused to open \"file:///etc/hostname\", which is not below"))
    // The motion is recorded as before.
    #expect(visit.text.contains(#""id":"b""#))
    let free = try WatchedPage.watch("leaves.html", [.wait(10)])
    #expect(free.notes.allSatisfy { $0.contains("viewport meta") })
  }

  @Test func `a file below a folder is told from others, also where a link leads out`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inside")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: path + "/a b.html"))
    try Data().write(to: URL(fileURLWithPath: folder.path("out.html")))
    try FileManager.default.createSymbolicLink(
      atPath: path + "/link.html", withDestinationPath: folder.path("out.html"))
    let limit = FolderLimit(path)
    for inside in ["a b.html", "./a b.html", path + "/a b.html", path, "new.html", "x/../a b.html"]
    {
      // A folder that is not there cannot be left again.
      #expect(limit.contains(inside) == !inside.hasPrefix("x/"), "\(inside)")
    }
    for outside in ["../out.html", "link.html", folder.path("out.html"), path + "x", "", "/"] {
      #expect(limit.contains(outside) == (outside == ""), "\(outside)")
    }
    #expect(limit.contains(address: "file://\(path)/a%20b.html#x?y"))
    for address in [
      "file://\(path)/..%2fout.html", "file://\(path)/../out.html", "file://host\(path)/a%20b.html",
      "file://\(path)/%00", "file://\(path)/%", "http://localhost/", "file://\(path)\\..\\out.html",
    ] {
      #expect(!limit.contains(address: address), "\(address)")
    }
    #expect(FolderLimit("/").contains("/etc"))
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
