import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import TimelineReport

@Suite struct ReportPageTests {
  let made: HandMadeRun

  init() throws { made = try HandMadeRun() }

  /// A name that would end a script, a comment or an attribute, and letters that turn a line or end it.
  static let hostile =
    "</script><script>alert(1)</script><!-- ]]> \" ' ` & \u{202e}\u{2028}\u{0} {{SCRIPT}} {{DATA}}"

  @Test func `the same session gives the same bytes`() throws {
    try made.record { $0.recordArcs(items: 20, frames: 200) }
    let first = ReportPage(try made.run()).bytes
    #expect(ReportPage(try made.run()).bytes == first)
  }

  @Test func `hostile names stay data`() throws {
    let hostile = ReportPageTests.hostile
    try made.record(named: hostile) { recorder in
      let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: hostile))
      recorder.record(
        1, for: recorder.keyHandle(for: hostile, role: .custom, unit: hostile), at: .zero,
        phase: .idle)
      recorder.record(
        TimelineEvent(time: .zero, kind: .mark, fields: EventField.list(["text": hostile])))
      recorder.beginFrame(
        FrameState(
          time: .zero, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero))
      recorder.record(
        Pose(frame: Rect2D(x: 0, y: 0, width: 9, height: 9)), of: item,
        at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
    }
    let run = try made.run()
    let page = PageReader(ReportPage(run, verdict: hostile))
    let header = try page.json("run-A")
    #expect(try header.required("name").string() == run.session.description.name)
    #expect(try page.json("page").required("verdict").string() == hostile)
    for id in ["run-A", "page"] {
      #expect(!(try page.element(id)).contains { $0 == "<" || $0 == ">" || $0 == "&" })
    }
    let plain = PageReader(ReportPage(try otherRun()))
    func tags(_ page: PageReader) -> Int { page.text.components(separatedBy: "<script").count }
    #expect(tags(page) == tags(plain))
    #expect(page.text.components(separatedBy: "\"use strict\"").count == 2)
  }

  private func otherRun() throws -> ReportRun {
    let other = try HandMadeRun("other.kymo")
    try other.record { $0.recordArcs(items: 1, frames: 2) }
    return try other.run()
  }

  @Test func `the policy allows only the page's own script and style`() throws {
    try made.record { _ in }
    let page = PageReader(ReportPage(try made.run()))
    let policy = try #require(
      page.text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)
    ).1
    #expect(policy.hasPrefix("default-src 'none'; img-src data:; script-src 'sha256-"))
    #expect(!policy.contains("unsafe"))
    #expect(!page.text.contains("http://"))
    #expect(!page.text.contains("https://"))
    let start = try #require(page.text.range(of: "<script>"))
    let rest = page.text[start.upperBound...]
    let script = rest[..<(try #require(rest.range(of: "</script>"))).lowerBound]
    var hash: [UInt8] = []
    appendBase64(SHA256.digest(Array(script.utf8)), to: &hash)
    #expect(policy.contains("'sha256-\(String(decoding: hash, as: UTF8.self))'"))
  }

  @Test func `a page has its scripts without their comments`() throws {
    try made.record { _ in }
    let page = PageReader(ReportPage(try made.run()))
    let script = try #require(page.text.components(separatedBy: "<script>").last)
    let lines = script.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.count { $0.hasPrefix("class ") } > 10)
    #expect(lines.filter { $0.hasPrefix("//") || $0.hasPrefix("/*") || $0.hasPrefix("* ") } == [])
  }

  @Test func `two runs lie on one clock by their comparison, or by their starts`() throws {
    try made.record { recorder in
      recorder.record(TimelineEvent(time: frameTime(3), kind: .start))
      recorder.recordArcs(items: 1, frames: 20)
    }
    let (a, b) = (try made.run(), try otherRun())
    #expect(ReportPage(a, b).anchorOfA == frameTime(3))
    #expect(ReportPage(a, b).anchorOfB == .zero)
    #expect(ReportPage(a, b, lagSeconds: .nan).lagSeconds == 0)
    let page = try PageReader(ReportPage(a, b, verdict: "Different.", lagSeconds: 0.025)).json(
      "page")
    #expect(try page.required("lag").number() == 0.025)
    #expect(try page.required("bestLag").isNull)
    #expect(try page.required("anchorA").integer(in: 0...Int64.max) == 25_000_000)
    #expect(try page.required("verdict").string() == "Different.")
  }

  @Test func `a page is written whole, and over another one only where that is said`() throws {
    try made.record { $0.recordArcs(items: 1, frames: 2) }
    let page = ReportPage(try made.run())
    let path = made.folder.path("page.html")
    try page.write(to: path)
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == page.bytes)
    #expect(throws: ReportError.self) { try page.write(to: path) }
    try page.write(to: path, replacing: true)
    #expect(throws: ReportError.self) {
      try page.write(to: made.folder.path("no/such/folder.html"))
    }
    #expect(throws: ReportError.self) { try page.write(to: made.folder.url.path, replacing: true) }
    let names = try FileManager.default.contentsOfDirectory(atPath: made.folder.url.path)
    #expect(!names.contains { $0.hasSuffix(".part") })
  }
}
