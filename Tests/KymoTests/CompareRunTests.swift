import Foundation
import JSONText
import TestSupport
import Testing

@testable import KymoCommands

/// `kymo compare` beyond a key's error and lag.
@Suite struct CompareRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records lines of an app under a name.
  private func record(_ name: String, _ lines: [String], head: String = "\"refreshRate\": 100")
    throws -> String
  {
    // The lines of several keys, in the order of time.
    let sorted = try lines.map { (try rows("[\($0)]")[0]["t_ns"].number ?? 0, $0) }
      .enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
    let text = (["{\"kymograph\": 1, \(head)}"] + sorted.map(\.element.1)).joined(separator: "\n")
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("\(name).kymo"), input: text)
    #expect(run.code == 0, "\(run.errors)")
    return place.path("\(name).kymo")
  }

  private func ramp(_ key: String = "x", late: Int = 0, scale: Double = 1) -> [String] {
    (0..<100).map { step in
      let x = Double(step) / 100
      let value = x * x * (3 - 2 * x) * scale
      return "{\"t_ns\": \(step * 10_000_000 + late), \"key\": \"\(key)\", \"value\": \(value)}"
    }
  }

  private func frames(_ x: (Int) -> Double) -> [String] {
    (0..<30).map { step in
      "{\"t_ns\": \(step * 10_000_000), \"frame\": {\"items\": [{\"id\": \"a\", \"frame\": [\(x(step)), 0, 10, 10]}]}}"
    }
  }

  @Test func `every alignment prints its offset`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp(late: 30_000_000))
    for (name, offset) in [("none", 0.0), ("xcorr", -30), ("manual=-30", -30)] {
      let run = try kymo("compare", a, b, "--align", name, "--json")
      let verdict = try #require(try rows(run.output).last)
      #expect(verdict["align"].text == name)
      #expect(abs((verdict["offset_ms"].number ?? 99) - offset) < 0.1, "\(name)")
      #expect(run.code == (name == "none" ? 1 : 0))
    }
    #expect(
      try kymo("compare", a, b, "--align", "manual=-30").output.contains("moved by -30 ms"))
    let refused = try kymo("compare", a, b, "--align", "progress")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("no key of the progress"))
  }

  @Test func `rows of every format have the same figures`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp(scale: 1.1))
    let json = try rows(kymo("compare", a, b, "--json").output)
    let lines = try kymo("compare", a, b, "--format", "ndjson").output.split(separator: "\n")
    #expect(lines.count == json.count)
    #expect(abs((json[0]["gain"].number ?? 0) - 1.1) < 1e-6)
    let csv = try kymo("compare", a, b, "--format", "csv").output.split(separator: "\n")
    #expect(
      csv.count == json.count + 1 && csv[1].contains("key,no,x") || csv[1].hasPrefix("key,false,x"))
    let last = try kymo("compare", a, b).output.split(separator: "\n").last
    #expect(last == "x has the same shape but goes 1.1 times as far in B.")
    let markdown = try kymo("compare", a, b, "--format", "markdown")
    #expect(markdown.code == 1)
    #expect(markdown.output.contains("| key | same |"))
    #expect(markdown.output.contains("**Motion**"))
  }

  @Test func `keys are cut at twenty, worst first`() throws {
    let keys = (10..<35).flatMap { ramp("k\($0)") }
    let other = (10..<35).flatMap { ramp("k\($0)", scale: $0 == 33 ? 2 : 1) }
    let a = try record("a", keys)
    let b = try record("b", other)
    let cut = try kymo("compare", a, b).output
    #expect(cut.contains("… 5 more (--all)"))
    let all = try kymo("compare", a, b, "--all").output
    #expect(!all.contains("more (--all)"))
    let first = try #require(all.split(separator: "\n").first { $0.hasPrefix("k3") })
    #expect(first.hasPrefix("k33"))
  }

  @Test func `tolerances decide, and a file with mistakes is refused with their place`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp(scale: 1.02))
    #expect(try kymo("compare", a, b).code == 1)
    let wide = try place.file(
      "wide.json",
      "{\"version\": 1, \"rules\": [{\"key\": \"*\", \"max_abs\": {\"warn\": 0.01, \"fail\": 0.03}}]}"
    )
    let run = try kymo("compare", a, b, "--tolerances", wide)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("The same: 1 key within tolerance, 1 warning"))
    let narrow = try place.file(
      "narrow.json", "{\"version\": 1, \"rules\": [{\"key\": \"*\", \"max_abs\": 0.01}]}")
    #expect(try kymo("compare", a, b, "--tolerances", narrow).code == 1)
    let wrong = try place.file(
      "wrong.json", "{\"version\": 1, \"rules\": [{\"key\": \"*\", \"max_abz\": 0.01}]}")
    let refused = try kymo("compare", a, b, "--tolerances", wrong)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("wrong.json: $.rules[0].max_abz"))
    #expect(refused.errors.contains("Did you mean max_abs?"))
    let broken = try place.file("broken.json", "{\"version\": 1,\n \"rules\": [,]}")
    let unread = try kymo("compare", a, b, "--tolerances", broken)
    #expect(unread.code == 4)
    #expect(unread.errors.contains("broken.json:2:"))
  }

  @Test func `JUnit has a case for each key, and replaces its own kind alone`() throws {
    let a = try record("a", ramp() + ramp("<y>"))
    let b = try record("b", ramp(scale: 1.1) + ramp("<y>"))
    let path = place.path("out.xml")
    #expect(try kymo("compare", a, b, "--junit", path).code == 1)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("tests=\"2\" failures=\"1\""))
    #expect(text.contains("name=\"&lt;y&gt;\"/>"))
    #expect(text.contains("<failure message=\"x ends at"))
    #expect(XMLChecker.isWellFormed(text))
    #expect(try kymo("compare", a, b, "--junit", path).code == 1)
    let mine = try place.file("mine.xml", "<testsuites/>")
    #expect(try kymo("compare", a, b, "--junit", mine).code == 2)
    #expect(try kymo("compare", a, b, "--junit", mine, "--force").code == 1)
  }

  @Test func `neither page nor results take a recording's place or standard output`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp())
    let before = try Data(contentsOf: URL(fileURLWithPath: b))
    for flag in ["--junit", "--page"] {
      let run = try kymo("compare", a, b, flag, b, "--force")
      #expect(run.code == 2, "\(run.errors)")
      #expect(run.errors.contains("is the recording itself"), "\(run.errors)")
      #expect(try kymo("compare", a, b, flag, "-").code == 2)
      #expect(try kymo("compare", a, b, flag, place.path("no/out")).code == 4)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: b)) == before)
    #expect(!(try place.names()).contains { $0.contains(".part") })
  }

  @Test func `the page of both runs replaces its own kind alone`() throws {
    let a = try record("a", ramp() + frames { Double($0) })
    let b = try record("b", ramp(late: 4_000_000) + frames { Double($0) })
    let path = place.path("both.html")
    let run = try kymo("compare", a, b, "--align", "xcorr", "--page", path)
    #expect(run.code == 0, "\(run.errors)\(run.output)")
    #expect(try place.bytes("both.html").count > 10_000)
    #expect(try kymo("compare", a, b, "--align", "xcorr", "--page", path).code == 0)
    #expect(try kymo("compare", a, b, "--page", try place.file("my.html", "mine")).code == 2)
  }

  @Test func `exact asks for all bits but those of the run's identity`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp())
    let same = try kymo("compare", a, b, "--exact")
    #expect(same.code == 0)
    #expect(same.output.hasPrefix("The same, bit for bit."))
    // Sealing loses nothing.
    #expect(try kymo("file pack", b).code == 0)
    #expect(try kymo("compare", a, b, "--exact").code == 0)
    let c = try record("c", ramp(scale: 1.000001))
    let (code, found) = { ($0.code, try? rows($0.output)) }(
      try kymo("compare", a, c, "--exact", "--json"))
    let samples = try #require(found?.first { $0["table"].text == "samples" })
    #expect(code == 1)
    #expect(samples["column"].text == "value")
    #expect(samples["first_row"].integer == 1)
    let ignored = try kymo(
      "compare", a, c, "--exact", "--ignore", "samples.value,last_value,max_value")
    #expect(ignored.code == 0, "\(ignored.output)")
    let unknown = try kymo("compare", a, c, "--exact", "--ignore", "valu")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("Did you mean value?"))
    #expect(try kymo("compare", a, c, "--ignore", "value").code == 2)
    #expect(try kymo("compare", a, c, "--exact", "--align", "none").code == 2)
  }

  @Test func `recordings without keys are compared by their elements`() throws {
    let a = try record("a", frames { Double($0) })
    let b = try record("b", frames { Double($0 * 2) })
    let same = try kymo("compare", a, a)
    #expect(same.code == 0)
    #expect(same.output.hasPrefix("The same: 1 element within tolerance"))
    let other = try kymo("compare", a, b)
    #expect(other.code == 1)
    #expect(other.output.hasPrefix("Different: 1 of 1 element differs"))
    let row = try #require(
      try rows(kymo("compare", a, b, "--json").output).first { $0["row"].text == "item" })
    #expect(row["item"].text == "a")
    #expect(row["layout_distance_pt"].number == 29)
  }

  @Test func `the verdict says what only one run has, and how much is in both`() throws {
    let a = try record("a", ramp() + ramp("only"))
    let b = try record("b", Array(ramp().prefix(20)) + frames { Double($0) })
    let text = try kymo("compare", a, b).output
    #expect(
      text.hasPrefix(
        "Different: x ends at 0.09458 instead of 0.9997 and settles in 188 instead of 915 ms, 1 of 1 key differs, 1 key is only in A, 1 element is only in B (aligned"
      ))
    let row = try #require(
      rows(kymo("compare", a, b, "--json").output).first { $0["key"].text == "x" })
    #expect(row["overlap_s"].number == 0.19)
    let missing = row["judgements"].array.first { $0["measure"].text == "not_shared_s" }
    #expect(abs((missing?["value"].number ?? 0) - 0.8) < 1e-9)
    #expect(missing?["finding"].text == "fail")
    let hostile = try record("c", ramp("\\u001b[2J", late: 30_000_000))
    let other = try record("d", ramp("\\u001b[2J"))
    let late = try kymo("compare", other, hostile)
    // The name is printed, and without the letter that a terminal obeys.
    #expect(late.output.contains("[2J comes 30 ms later"))
    #expect(!late.output.contains("\u{1b}"))
  }

  @Test func `an alignment on a release that one run has not says so`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    let without = try record("without", ramp("progress"))
    let text = try kymo("compare", place.path("run.kymo"), without, "--align", "release").output
    #expect(
      text.hasPrefix("Different: the decision changed from finish to none, 1 of 1 key differs, "))
    #expect(text.contains("ms. B has no release, so its start is used."))
    #expect(
      !(try kymo("compare", place.path("run.kymo"), without)).output.contains("no release"))
  }

  @Test func `a run that is only faster is called so`() throws {
    let a = try record("a", ramp())
    let fast = ramp().enumerated().compactMap { step, line in
      line.replacingOccurrences(
        of: "\"t_ns\": \(step * 10_000_000),", with: "\"t_ns\": \(step * 8_000_000),")
    }
    let b = try record("b", fast)
    let last = try kymo("compare", a, b).output.split(separator: "\n").last
    #expect(last == "x has the same shape but takes 0.8 times as long in B.")
    let row = try #require(try rows(kymo("compare", a, b, "--json").output).first)
    #expect(abs((row["time_scale"].number ?? 0) - 0.8) < 1e-3)
  }

  @Test func `rules by which nothing is judged are named`() throws {
    let a = try record("a", ramp())
    let rules = try place.file(
      "rules.json",
      #"{"version": 1, "rules": [{"key": "x", "max_abs": 1}, {"key": "y", "max_abs": 1}, {"key": "z", "level": "off"}]}"#
    )
    let run = try kymo("compare", a, a, "--tolerances", rules)
    #expect(run.code == 0)
    #expect(
      run.errors
        == "kymo compare: unused limits: limit 2 'y'. Nothing has their names, or an earlier limit matches first\n"
    )
    #expect(
      try kymo("check", a, "--golden", a, "--tolerances", rules).errors.contains(
        "unused limits: limit 2 'y'."))
  }

  @Test func `an exported run that is recorded again is the same to the bit`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    let lines = try kymo("export", "ndjson", path).output
    let again = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("again.kymo"), input: lines)
    #expect(again.code == 0)
    let same = try kymo("compare", path, place.path("again.kymo"), "--exact")
    #expect(same.code == 0, "\(same.output)")
  }

  /// Frames in which one element is shown or not.
  private func shown(_ isThere: (Int) -> Bool, x: Double = 5, alpha: Double = 1) -> [String] {
    (0..<60).map { step in
      let item = "{\"id\": \"b\", \"frame\": [\(x), 5, 10, 10], \"alpha\": \(alpha)}"
      return
        "{\"t_ns\": \(step * 10_000_000), \"frame\": {\"items\": [\(isThere(step) ? item : "")]}}"
    }
  }

  @Test func `an element that only one run shows for a while differs`() throws {
    let head = "\"refreshRate\": 100, \"viewport\": [100, 100]"
    let a = try record("a", shown { _ in true }, head: head)
    let vanishing = try record("vanishing", shown { $0 < 20 }, head: head)
    let blinking = try record("blinking", shown { $0 % 10 < 5 }, head: head)
    for (b, seconds) in [(vanishing, 0.39), (blinking, 0.29)] {
      for words in [[a, b], [b, a]] {
        let run = try kymo(["compare"] + words + ["--json"])
        #expect(run.code == 1, "\(words)")
        let row = try #require(try rows(run.output).first { $0["row"].text == "item" })
        #expect(row["same"] == .bool(false))
        #expect(abs((row["alone_s"].number ?? 0) - seconds) < 0.011, "\(row["alone_s"])")
      }
    }
    // A frame later is the same, and so is what nobody sees: outside of the viewport, or transparent.
    let later = try record("later", shown { $0 > 0 }, head: head)
    #expect(try kymo("compare", a, later).code == 0)
    let outside = try record("outside", shown({ _ in true }, x: 99.7), head: head)
    let leaving = try record("leaving", shown({ $0 < 20 }, x: 99.7), head: head)
    #expect(try kymo("compare", outside, leaving).code == 0)
    let clear = try record("clear", shown({ _ in true }, alpha: 0.005), head: head)
    let cleared = try record("cleared", shown({ $0 < 20 }, alpha: 0.005), head: head)
    #expect(try kymo("compare", clear, cleared).code == 0)
  }

  @Test func `settings that differ are named`() throws {
    let a = try record("a", ramp())
    let b = try record("b", ramp(), head: "\"refreshRate\": 60")
    let found = try rows(kymo("compare", a, b, "--json").output).filter {
      $0["row"].text == "structure"
    }
    #expect(found.map { $0["name"].text } == ["refresh rate"])
    #expect(found.first?["b"].text == "60 Hz")
  }

  @Test func `a bar is drawn in full and in part`() {
    #expect(ProgressBar.line(label: "x", fraction: 0).hasPrefix("\rx ░"))
    #expect(ProgressBar.line(label: "x", fraction: 1).contains("█ 100 %"))
    #expect(ProgressBar.line(label: "comparing", fraction: 0.5).count < 80)
  }

  @Test func `two placements that end 140 points apart are not the same, anywhere`() throws {
    func record(_ placement: String) throws -> String {
      try place.record(
        text: """
          {"scenario": 1, "viewport": [320, 480], "sections": [{"id": "a", "items": 40}],
           "layouts": {"grid": {"type": "flow", "itemSize": [50, 50]},
            "detail": {"type": "flow", "itemSize": [300, 200]}},
           "initialLayout": "grid",
           "script": [
            {"at": 0.1, "do": "start", "to": "detail",
             "offset": {"items": [[0, 20]], "placement": "\(placement)"}},
            {"at": 0.2, "do": "progress", "value": 0.5}, {"at": 0.3, "do": "finish"}]}
          """, into: "\(placement).kymo")
    }
    let (a, b) = (try record("center"), try record("top"))
    let run = try kymo("compare", a, b)
    #expect(run.code == 1)
    let keys = try rows(kymo("compare", a, b, "--json").output).filter { $0["row"].text == "key" }
    #expect(keys.count == 2)
    #expect(
      keys.filter { $0["same"] == .bool(false) }.map { $0["key"].text } == [
        "viewport.contentOffset.y"
      ])
    for (limit, code) in [(100, 1), (150, 0)] as [(Int, Int32)] {
      let rules = try place.file(
        "rules.json",
        """
        {"version": 1, "rules": [
          {"key": "viewport.contentOffset.y", "max_abs": \(limit)},
          {"key": "viewport.contentInset.top", "max_abs": 1}]}
        """)
      let check = try kymo("check", b, "--golden", a, "--tolerances", rules)
      #expect(check.code == code, "\(check.errors)")
      #expect(!check.errors.contains("unused limits"))
    }
    let (one, both) = (try kymo("plot", a), try kymo("plot", a, b))
    #expect(one.code == 0)
    #expect(both.code == 0)
    #expect(both.output != one.output)
    #expect(both.output.contains("viewport.contentOffset.y\n⠒⠒ A "))
  }
}

/// Whether a text is XML that a strict reader takes.
private final class XMLChecker {
  /// Counts tags as a stack: enough for what is written here, where a comment and a declaration stand before the first tag alone.
  static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    for part in text.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: ">") else { return false }
      let tag = part[..<end]
      if tag.hasPrefix("?") || tag.hasPrefix("!--") { continue }
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0 == "-" }
      if tag.hasPrefix("/") {
        guard open.popLast() == name else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
    }
    return open.isEmpty && !text.contains("& ")
  }
}
