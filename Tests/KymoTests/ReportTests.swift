import Foundation
import TestSupport
import Testing
import TimelineModel

@Suite struct ReportTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(
      "grid-to-detail.pinch.json", gesture: "pinch-open.evemu", into: "run.kymo")
  }

  @Test func `a page of one session holds its release, and what was written is said`() throws {
    let run = try kymo("report", path, "-o", place.path("page.html"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("Wrote \(place.path("page.html")) ("))
    #expect(run.output.hasSuffix(" kB).\n"))
    #expect(run.errors == "")
    let page = String(decoding: try place.bytes("page.html"), as: UTF8.self)
    #expect(page.hasPrefix("<!doctype html>\n\(OriginMark.text)\n"))
    #expect(page.contains("\"decisions\":{\"columns\":[\"t\",\"transition\",\"outcome\",\"by\","))
    #expect(page.contains(",0,\"finish\",\"rule\","))
    #expect(try kymo("report", path, "--out", place.path("again.html")).code == 0)
    #expect(try place.bytes("again.html") == place.bytes("page.html"))
    #expect(!(try place.names()).contains { $0.hasSuffix(".part") })
  }

  @Test func `a page of ours is made anew, any other file stays unless that is said`() throws {
    let page = place.path("page.html")
    for _ in 0..<2 { #expect(try kymo("report", path, "-o", page).code == 0) }
    _ = try place.file("page.html", "mine")
    let refused = try kymo("report", path, "-o", page)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("is there already"))
    #expect(try kymo("report", path, "-o", page, "--force").code == 0)
    let before = try place.bytes("run.kymo")
    #expect(try kymo("report", path, "-o", path, "--force").code == 2)
    #expect(try place.bytes("run.kymo") == before)
    #expect(try kymo("report", path, "-o", place.path("no/page.html")).code == 4)
  }

  @Test func `two sessions are named in every way that a session is`() throws {
    let other = try place.record(
      "grid-to-detail.pinch.json", gesture: "pinch-back.evemu", into: "other.kymo")
    try place.record("grid-to-detail.pinch.json", gesture: "pinch-back.evemu", into: "run.kymo")
    for words in [
      [path, other], ["\(path)#1", other], [path, "\(other)#last"], ["\(path)#1", "\(other)#1"],
      ["\(path)#1", "\(path)#2"], ["\(path)#2"],
    ] {
      let run = try kymo(["report"] + words + ["-o", place.path("page.html"), "--force"])
      #expect(run.code == 0, "\(words): \(run.errors)")
      let page = String(decoding: try place.bytes("page.html"), as: UTF8.self)
      #expect(page.contains("id=\"run-B\"") == (words.count == 2), "\(words)")
    }
    let page = place.path("aligned.html")
    #expect(
      try kymo("report", path, other, "-o", page, "--align", "release", "--shift", "5ms").code == 0)
    #expect(
      String(decoding: try place.bytes("aligned.html"), as: UTF8.self).contains("\"lag\":0.005"))
  }

  @Test func `two runs are judged in the words of compare, on standard output and in the page`()
    throws
  {
    let other = try place.record(
      "grid-to-detail.pinch.json", gesture: "pinch-back.evemu", into: "other.kymo")
    let page = place.path("page.html")
    let alignments = ["none", "start", "release", "xcorr", "progress", "manual=12.5"]
    let help = try kymo("report", "--help").output
    #expect(alignments.dropLast().allSatisfy { help.contains($0) })
    #expect(help.contains("manual=MS"))
    for align in alignments {
      let judged = try kymo("compare", path, other, "--align", align)
      let sentence = try #require(judged.output.components(separatedBy: "\n").first)
      let run = try kymo("report", path, other, "-o", page, "--align", align, "--force")
      #expect(run.code == 0, "\(align): \(run.errors)")
      #expect(judged.code == 1, "\(align): \(run.errors)")
      #expect(run.output.hasPrefix(sentence), "\(align): \(run.output)")
      #expect(run.output.contains("\nWrote "))
      #expect(run.output.filter { $0 == "\n" }.count == 2)
      #expect(sentence.hasPrefix("Different: the decision changed from finish to cancel"))
      #expect(run.errors.contains("stretched") == (align == "progress"), "\(run.errors)")
      let text = String(decoding: try place.bytes("page.html"), as: UTF8.self)
      #expect(text.contains("\"verdict\":\"\(sentence)"))
    }
    let same = try kymo("report", path, path, "-o", page, "--force")
    #expect(same.code == 0)
    #expect(same.output.hasPrefix("The same: 3 keys within tolerance"))
    let empty = try place.file("empty.ndjson", "{\"kymograph\":1}\n")
    let none = place.path("none.kymo")
    #expect(try kymo("record", "--from-ndjson", empty, "--into", none).code == 0)
    let nothing = try kymo("report", none, none, "-o", page, "--force")
    #expect(nothing.code == 0)
    #expect(nothing.output.hasPrefix("Nothing to compare: neither session"))
  }

  @Test func `wrong words and files that are no recordings are told apart`() throws {
    let page = place.path("page.html")
    #expect(try kymo("report", path).code == 2)
    #expect(try kymo("report", path, "-o", "-").code == 2)
    #expect(try kymo("report", "\(path)#9", "-o", page).code == 2)
    #expect(try kymo("report", path, "-o", page, "--align", "start").code == 2)
    #expect(try kymo("report", path, "-o", page, "--page-size", "1kB").code == 2)
    #expect(try kymo("report", path, "-o", page, "--page-size", "much").code == 2)
    #expect(try kymo("report", path, path, "-o", page, "--align", "sideways").code == 2)
    #expect(try kymo("report", place.path("none.kymo"), "-o", page).code == 4)
    #expect(try kymo("report", try place.file("text.kymo", "no recording"), "-o", page).code == 4)
    #expect(!(try place.names()).contains("page.html"))
  }
}
