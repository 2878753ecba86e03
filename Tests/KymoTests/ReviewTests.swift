import Foundation
import TestSupport
import Testing

/// `kymo check --review` beside what a browser shows, which an oracle looks at.
@Suite struct ReviewTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records a session of one key that goes from 0 to a value.
  private func record(_ file: String, name: String, to value: Double = 1) throws -> String {
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path(file),
      input: "{\"kymograph\": 1, \"name\": \"\(name)\"}\n"
        + "{\"t_ns\": 0, \"key\": \"x\", \"value\": 0}\n"
        + "{\"t_ns\": 100000000, \"key\": \"x\", \"value\": \(value)}\n")
    #expect(run.code == 0, "\(run.errors)")
    return place.path(file)
  }

  /// The rows of a page: state, file, page.
  private func rows(_ page: String) throws -> [[String?]] {
    let text = try String(contentsOfFile: page, encoding: .utf8)
    let json = try #require(
      text.firstMatch(of: #/<script type="application\/json" id="review">(.*?)<\/script>/#)
    ).1
    let content = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    return try #require(content["rows"] as? [[Any]]).map { row in
      [row[0] as? String, row[1] as? String, row.count > 16 ? row[16] as? String : nil]
    }
  }

  @Test func `the head names the worst of the first row`() throws {
    let golden = try record("golden.kymo", name: "open")
    let (near, far) = (
      try record("near.kymo", name: "open", to: 1.1), try record("far.kymo", name: "open", to: 3)
    )
    let page = place.path("review.html")
    let run = try kymo("check", near, far, "--golden", golden, "--review", page)
    #expect(run.output.hasPrefix("Failed: 2 of 2 sessions against"))
    let text = try String(contentsOfFile: page, encoding: .utf8)
    // In the head and in the first row, and nowhere else.
    #expect(text.components(separatedBy: "x ends at 3 instead of 1: ").count == 3)
  }

  @Test func `the worst come first, and what fails ends with 1`() throws {
    let golden = try record("golden.kymo", name: "open")
    #expect(try record("golden.kymo", name: "close") == golden)
    let (near, far) = (
      try record("near.kymo", name: "open", to: 1.1), try record("far.kymo", name: "open", to: 3)
    )
    let (same, other) = (
      try record("same.kymo", name: "open"), try record("other.kymo", name: "else")
    )
    let garbage = try place.file("garbage.kymo", "no recording")
    let page = place.path("review.html")
    let run = try kymo(
      "check", same, near, garbage, other, far, "--golden", golden, "--review", page, "-j", "2")
    #expect(run.code == 1, "\(run.errors)")
    #expect(
      run.output.hasPrefix(
        "Incomplete: \(garbage) cannot be read. Failed: 2 of 3 sessions and 1 missing session against "
      )
    )
    #expect(
      try rows(page).map { $0.prefix(2).map { $0 ?? "" } } == [
        ["missing", golden], ["unreadable", garbage], ["failed", far], ["failed", near],
        ["warned", other], ["passed", same],
      ])
    #expect(
      try rows(page).map { $0[2] } == [
        nil, nil, "./review-pages/run-00001.html", "./review-pages/run-00002.html",
        "./review-pages/run-00003.html", "./review-pages/run-00004.html",
      ])
    let full = try String(
      contentsOfFile: place.path("review-pages/run-00001.html"), encoding: .utf8)
    #expect(full.contains("id=\"run-B\""))
    #expect(full.contains("x: "))
  }

  @Test func `the exit code is that of every command of many files`() throws {
    let golden = try record("golden.kymo", name: "open")
    let same = try record("same.kymo", name: "open")
    let garbage = try place.file("garbage.kymo", "no recording")
    let page = place.path("review.html")
    func code(_ files: String...) throws -> Int32 {
      try kymo(["check", "--golden", golden, "--review", page] + files).code
    }
    #expect(try code(same) == 0)
    #expect(try code(same, garbage) == 3)
    try FileManager.default.removeItem(atPath: page)
    #expect(try code(garbage) == 4)
    #expect(!FileManager.default.fileExists(atPath: page))
    #expect(try code() == 2)
    #expect(try kymo("check", same, "--review", page).code == 2)
    #expect(try kymo("check", same, "--golden", golden, "--pages", "1").code == 2)
    #expect(try kymo("check", same, "--golden", golden, "--review", "-").code == 2)
    #expect(try kymo("check", same, "--golden", garbage, "--review", page).code == 4)
    for pages in ["-1", "some", "1.5", ""] {
      #expect(
        try kymo("check", same, "--golden", golden, "--review", page, "--pages", pages).code == 2)
    }
  }

  @Test func `requirements or limits alone make a page, without a golden session`() throws {
    let (near, far) = (
      try record("near.kymo", name: "open"), try record("far.kymo", name: "open", to: 3)
    )
    let rules = try place.file(
      "rules.json",
      #"{"requirements": 1, "rules": [{"overshoot": "x", "target": 1}]}"#
    )
    let page = place.path("review.html")
    let run = try kymo("check", near, far, "--requirements", rules, "--review", page)
    #expect(run.code == 1, "\(run.errors)")
    #expect(
      try rows(page).map { $0.prefix(2).map { $0 ?? "" } } == [["failed", far], ["passed", near]])
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("\"golden\":null"))
    #expect(text.contains("x: overshoot_percent 200"))
    let full = try String(
      contentsOfFile: place.path("review-pages/run-00001.html"), encoding: .utf8)
    #expect(full.contains("\"marks\":[{"))
    #expect(!full.contains("id=\"run-B\""))
    let limits = try place.file(
      "limits.json", #"{"version": 1, "rules": [{"metric": "hitch_ms_per_s", "fail": 10}]}"#)
    #expect(try kymo("check", near, "--tolerances", limits, "--review", page).code == 0)
    #expect(try rows(page).map { $0[0] } == ["passed"])
    let neither = try kymo("check", near, "--review", page)
    #expect(neither.code == 2)
    #expect(neither.errors.contains("missing --golden FILE"))
  }

  @Test func `full reports are for the worst, for what fails, or for all`() throws {
    let golden = try record("golden.kymo", name: "open")
    let files = try (0..<4).map { place in
      try record("\(place).kymo", name: "open", to: place == 2 ? 2 : 1)
    }
    let page = place.path("a #1.html")
    func pages(_ wanted: String) throws -> [String?] {
      _ = try kymo(
        ["check", "--golden", golden, "--review", page, "--pages", wanted] + files)
      return try rows(page).map { $0[2] }
    }
    let names = (1...4).map { "./a%20%231-pages/run-0000\($0).html" }
    #expect(try pages("0") == [nil, nil, nil, nil])
    #expect(!FileManager.default.fileExists(atPath: place.path("a #1-pages")))
    #expect(try pages("failed") == [names[0], nil, nil, nil])
    #expect(try pages("3") == [names[0], names[1], names[2], nil])
    #expect(try pages("all") == names)
  }

  @Test func `nothing is replaced that is not ours`() throws {
    let golden = try record("golden.kymo", name: "open")
    let same = try record("same.kymo", name: "open")
    let page = place.path("review.html")
    for file in [golden, same] {
      let run = try kymo("check", same, "--golden", golden, "--review", file, "--force")
      #expect(run.code == 2, "\(run.errors)")
      #expect(run.errors.contains("is the recording itself"), "\(run.errors)")
    }
    try FileManager.default.createDirectory(
      atPath: place.path("review-pages"), withIntermediateDirectories: true)
    let theirs = try place.file("review-pages/run-00001.html", "somebody's")
    let run = try kymo("check", same, "--golden", golden, "--review", page)
    #expect(run.code == 2, "\(run.errors)")
    #expect(run.errors.contains("is there already"), "\(run.errors)")
    #expect(try String(contentsOfFile: theirs, encoding: .utf8) == "somebody's")
    #expect(!FileManager.default.fileExists(atPath: page))
    #expect(try kymo("check", same, "--golden", golden, "--review", page, "--force").code == 0)
    #expect(try kymo("check", same, "--golden", golden, "--review", page).code == 0)
  }
}
