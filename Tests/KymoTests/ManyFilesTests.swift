import Foundation
import JSONText
import TestSupport
import Testing

/// What commands over many files do with those that cannot be read.
@Suite struct ManyFilesTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func sound(_ name: String) throws -> String {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: name)
  }

  private func rules() throws -> String {
    try place.file(
      "rules.json",
      #"{"version": 1, "rules": [{"metric": "decision", "must": "match"}, {"metric": "jank_percent", "fail": 100}]}"#
    )
  }

  /// A recording with pages that open, and samples that do not.
  private func damaged(_ name: String) throws -> String {
    let path = try sound(name)
    let root = try #require(
      try rows(
        kymo(
          "sql", path, "SELECT rootpage AS n FROM sqlite_schema WHERE name = 'plain_sample'",
          "--json"
        )
        .output
      ).first?["n"].integer, "There is no such table.")
    var bytes = try place.bytes(name)
    for index in Int(root - 1) * 1_024..<Int(root) * 1_024 { bytes[index] = 0xee }
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a file that cannot be read is named, the others are worked on, and 3 says so`() throws
  {
    let (a, b) = (try sound("a.kymo"), try sound("b.kymo"))
    let junk = try place.file("junk.kymo", String(repeating: "junk ", count: 2_000))
    let none = place.path("none.kymo")
    let broken = try damaged("broken.kymo")
    let rules = try rules()
    for bad in [junk, none, broken] {
      for (words, isSaid) in [
        (["check", a, bad, b, "--tolerances", rules, "--golden", a], "Passed: 2 sessions"),
        (["check", bad, b, "--tolerances", rules], "Passed: 1 session"),
        (["compare", a, bad, "--", b, bad], "Identical: base and new"),
        (["rule try", bad, a, b], "2 gestures decided again"),
        (["golden learn", a, bad, b], "\"version\": 1"),
      ] {
        let run = try kymo(words)
        #expect(run.code == 3, "\(words): \(run.code) \(run.errors)")
        #expect(run.errors.contains("left out: "), "\(words)")
        #expect(run.errors.contains(bad), "\(words)")
        #expect(run.output.contains(isSaid), "\(words): \(run.output)")
      }
      for words in [
        ["check", bad, "--tolerances", rules], ["compare", a, "--", bad], ["rule try", bad, bad],
        ["check", a, "--tolerances", rules, "--golden", bad],
        ["compare", a, bad], ["file merge", bad, "--into", place.path("merged.kymo")],
      ] {
        let run = try kymo(words)
        #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
        #expect(run.errors.contains(bad), "\(words): \(run.errors)")
      }
    }
    #expect(try kymo("report", a, junk, "-o", place.path("page.html")).code == 4)
    for bad in [junk, none] {
      #expect(try kymo("golden learn", bad).code == 4)
      #expect(try kymo("file doctor", a, bad, b).code == 3)
      #expect(try kymo("file doctor", bad, bad).code == 4)
      // Damage that is found counts for more than a file that cannot be looked at.
      #expect(try kymo("file doctor", bad, broken, "--deep").code == 1)
    }
  }

  @Test func `no is worse than unreadable, wrong usage is worse than both`() throws {
    let a = try sound("a.kymo")
    let other = try place.record(
      Scenarios.pinch, gesture: "pinch-back.evemu", into: "other.kymo")
    let junk = try place.file("junk.kymo", "junk")
    let rules = try rules()
    let junit = place.path("out.xml")
    let failed = try kymo(
      "check", junk, other, "--golden", a, "--tolerances", rules, "--junit", junit)
    #expect(failed.code == 1)
    var text = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(text.contains("tests=\"2\" failures=\"1\" errors=\"1\""))
    #expect(text.contains("classname=\"a.kymo\" name=\"reading junk.kymo\""))
    #expect(text.contains("<error message="))
    #expect(text.contains("<failure message=\"the decision"))
    let unread = try kymo(
      "check", junk, "--golden", a, "--tolerances", rules, "--junit", junit, "--force")
    #expect(unread.code == 4)
    #expect(unread.output == "Failed: no file could be read.\n")
    text = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(
      try kymo("check", junk, a + "#nope", "--golden", a, "--tolerances", rules).code == 2)
    #expect(
      try kymo("check", junk, a, "--golden", a, "--tolerances", rules, "--junit", a).code == 2)
    #expect(
      try kymo(
        "check", junk, a, "--golden", a, "--tolerances", rules, "--junit", place.path("no/x")
      ).code == 4)
    #expect(try kymo("golden learn", junk, a + "#nope").code == 2)
    #expect(try kymo("rule try", junk, a, "--rule", "none").code == 2)
    #expect(try kymo("compare", junk, a, "--", a, "--key", "nope").code == 2)
  }
}
