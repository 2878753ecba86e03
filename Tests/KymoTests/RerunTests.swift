// More than 400 lines: each way to run again, and each way to be refused, by the program itself.

import Foundation
import JSONText
import TestSupport
import Testing

/// Recorded gestures that are run again.
@Suite struct RerunTests {
  let place: Workplace
  let pinch: String

  init() throws {
    place = try Workplace()
    pinch = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo", "--name", "pinch")
  }

  private func rerun(_ words: String..., input: String = "") throws -> ProgramRun {
    try kymo(["rerun"] + words, input: Data(input.utf8))
  }

  /// Recorded hands that lie beside the package on some machines and are not part of it.
  private static let realHands = packageFolder.deletingLastPathComponent()
    .appendingPathComponent("shared/gestures")

  /// Every recorded gesture there is, by its path.
  static let gestures: [String] = {
    let ours = URL(fileURLWithPath: fixture("gestures"))
    let files = [ours, realHands].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        .map { folder.appendingPathComponent($0).path }
    }
    return files.filter { file in
      ![".md", ".desc", "devices.txt", "expected.csv"].contains { file.hasSuffix($0) }
    }
  }()

  @Test(arguments: gestures)
  func `a gesture that is run again unchanged is the same bit for bit`(gesture: String) throws {
    let isBytes = gesture.hasSuffix(".evdev64") || gesture.hasSuffix(".evdev32")
    for scenario in gesture.contains("pinch") ? [Scenarios.pinch] : [Scenarios.drag] {
      let recorded = try kymo(
        ["record", "--scenario", fixture("scenarios/\(scenario)"), "--gesture", gesture]
          + ["--into", place.path("a.kymo")]
          + (isBytes ? ["--abi", gesture.hasSuffix("64") ? "64" : "32"] : []))
      #expect([0, 3].contains(recorded.code), "\(recorded.errors)")
      let again = try rerun(place.path("a.kymo"), "--into", place.path("b.kymo"))
      #expect(again.code == 0, "\(again.errors)")
      let same = try kymo("compare", place.path("a.kymo"), place.path("b.kymo"), "--exact")
      #expect(same.code == 0, "\(same.output)")
    }
  }

  @Test func `of several sessions the last is taken, by name`() throws {
    _ = try place.record(
      Scenarios.pinch, gesture: "pinch-back.evemu", into: "pinch.kymo", "--name", "back")
    let last = try rerun(pinch, "--into", place.path("b.kymo"))
    #expect(last.code == 0)
    #expect(last.errors.contains("\(pinch) has 2 sessions; this is the last, #2 'back' ("))
    #expect(last.errors.contains("Name another with \(pinch)#NUMBER"))
    let named = try rerun(pinch + "#2", "--into", place.path("c.kymo"))
    #expect(named.code == 0)
    #expect(!named.errors.contains("has 2 sessions"))
    #expect(try rerun(place.path("c.kymo"), "--into", place.path("d.kymo")).errors == "")
  }

  @Test func `a script is run again, and a recording with rounded poses, too`() throws {
    let path = try place.record(Scenarios.script, into: "a.kymo", "--precision", "float32")
    #expect(try rerun(path, "--into", place.path("b.kymo")).code == 0)
    #expect(try kymo("compare", path, place.path("b.kymo"), "--exact").code == 0)
  }

  @Test
  func `labels are copied if the release is at the same time, and wrong decisions are counted`()
    throws
  {
    let again = place.path("again.kymo")
    #expect(try kymo("label", pinch, "cancel", "--note", "a slip").code == 0)
    let run = try rerun(pinch, "--set", "release.threshold=0.9", "--into", again)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(
      run.output.hasSuffix("1 label, decided wrongly: 1 as recorded, 0 again.\n"))
    let kept = try answers("sql", again, "SELECT label, note, at_ns FROM labels")
    #expect(kept == (try answers("sql", pinch, "SELECT label, note, at_ns FROM labels")))
    #expect(kept.count == 1)
    // A sheet beside the recording overrides it, a range counts each value, and rows have it, too.
    #expect(try kymo("label", pinch, "finish", "--csv", pinch + ".labels.csv").code == 0)
    let range = try rerun(pinch, "--set", "release.threshold=0.5:0.9:0.4")
    #expect(range.output.hasSuffix(": 0 as recorded, 0 at 0.5, 1 at 0.9.\n"), "\(range.output)")
    let rows = try answers("rerun", pinch, "--set", "release.threshold=0.5:0.9:0.4")
    #expect(rows.map { $0["label"].text } == ["finish", "finish", "finish"])
    #expect(rows.map { $0["wrong"] } == [.bool(false), .bool(false), .bool(true)])
    // Without a label nothing is said; one that finds no release, and a sheet that is none, end with 3.
    #expect(try kymo("label", pinch, "none", "--csv", pinch + ".labels.csv").code == 0)
    let bare = try rerun(pinch, "--into", place.path("bare.kymo"))
    #expect(bare.code == 0, "\(bare.output)")
    #expect(!bare.output.contains("label"), "\(bare.output)")
    let uuid = try #require(try answers("list sessions", pinch).first?["uuid"].text)
    _ = try place.file("pinch.kymo.labels.csv", "uuid,transition,label\n\(uuid),7,finish\n")
    #expect(try kymo("label", pinch, "none").code == 0)
    let lost = try rerun(pinch, "--into", place.path("lost.kymo"))
    #expect(lost.code == 3)
    #expect(lost.errors.contains("label left out: the new session has no such release"))
    _ = try place.file("pinch.kymo.labels.csv", "nonsense")
    let broken = try rerun(pinch, "--into", place.path("broken.kymo"))
    #expect(broken.code == 3, "\(broken.errors)")
    #expect(broken.errors.contains("labels.csv"), "\(broken.errors)")
    #expect(try answers("list sessions", place.path("broken.kymo")).count == 1)
  }

  @Test func `what a session came from is kept by merge, by lines and back, and shown`() throws {
    let again = place.path("again.kymo")
    let run = try rerun(
      pinch, "--set", "release.threshold=0.9", "--set", "layouts.grid.minimumLineSpacing=12",
      "--into",
      again)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    let uuid = try #require(try answers("list sessions", pinch).first?["uuid"].text)
    let merged = place.path("merged.kymo")
    #expect(try kymo("file merge", again, "--into", merged).code == 0)
    let lines = try kymo("export", "ndjson", merged)
    #expect(lines.code == 0)
    let back = place.path("back.kymo")
    #expect(
      try kymo("record", "--from-ndjson", "-", "--into", back, input: lines.output).code == 0)
    for path in [again, merged, back] {
      let origin = try #require(try answers("show", path).first?["origin"])
      #expect(origin["uuid"].text == uuid)
      #expect(origin["file"].text == pinch)
      #expect(origin["engine_version"].text == "2")
      #expect(
        origin["changes"].array.compactMap(\.text)
          == ["release.threshold=0.9", "layouts.grid.minimumLineSpacing=12"])
    }
    #expect(try kymo("show", again).output.contains("run again from \(pinch) (\(uuid.prefix(8)))"))
    #expect(try answers("show", pinch).first?["origin"] == .null)
  }

  @Test func `a redacted copy says neither the file nor the names that were changed`() throws {
    let again = place.path("again.kymo")
    _ = try rerun(pinch, "--set", "layouts.grid.minimumLineSpacing=12", "--into", again)
    let hidden = place.path("hidden.kymo")
    #expect(try kymo("file merge", again, "--into", hidden, "--hash-items").code == 0)
    let row = try #require(try answers("sql", hidden, "SELECT * FROM origins").first)
    #expect(row["file"].text?.count == 16)
    #expect(row["changes"].text?.contains("grid") == false)
  }

  @Test func `a changed value changes what the engine does with the same touches`() throws {
    let again = place.path("again.kymo")
    #expect(try rerun(pinch, "--set", "release.threshold=0.9", "--into", again).code == 0)
    #expect(try answers("list sessions", again).first?["outcome"].text == "cancelled")
    let touches = "SELECT * FROM touches ORDER BY sequence"
    #expect(try answers("sql", again, touches) == answers("sql", pinch, touches))
  }

  @Test func `a damping ratio takes the place of a damping and keeps mass and stiffness`() throws {
    let again = place.path("again.kymo")
    #expect(try rerun(pinch, "--set", "settle.dampingRatio=0.5", "--into", again).code == 0)
    let settle = try #require(
      try answers("sql", again, "SELECT settle FROM sessions").first?["settle"].text)
    let spring = try rows("[\(settle)]")[0]
    #expect(spring["mass"].number == 1)
    #expect(spring["stiffness"].number == 180)
    // Damping is twice the ratio times the root of stiffness times mass.
    #expect(abs((spring["damping"].number ?? 0) - 2 * 0.5 * 180.0.squareRoot()) < 1e-12)
  }

  @Test func `a merge patch changes, replaces and takes out`() throws {
    let patch = try place.file(
      "patch.json",
      #"{"settle": {"dampingRatio": 0.4}, "release": {"estimator": null, "threshold": 0.2}}"#)
    let again = place.path("again.kymo")
    let run = try rerun(pinch, "--patch", patch, "--into", again)
    #expect(run.code == 0, "\(run.errors)")
    let origin = try #require(try answers("show", again).first?["origin"])
    #expect(
      origin["changes"].array.compactMap(\.text)
        == ["release.estimator=null", "release.threshold=0.2", "settle.dampingRatio=0.4"])
  }

  @Test func `rows of a range equal single runs, and the recorded one stands first`() throws {
    let sweep = try answers("rerun", pinch, "--set", "settle.dampingRatio=0.3:0.9:0.3")
    #expect(sweep.count == 4)
    #expect(sweep[0]["run"].text == "recorded")
    // 24 / (2 √180), and what no field says is not known.
    #expect(abs((sweep[0]["value"].number ?? 0) - 0.894427190999916) < 1e-12)
    let unsaid = try answers("rerun", pinch, "--set", "release.minimumVelocity=0:1:1")
    #expect(unsaid.map { $0["value"].number } == [nil, 0, 1])
    let nested = try answers("rerun", pinch, "--set", "layouts.grid.itemSize.0=80:90:10")
    #expect(nested.map { $0["value"].number } == [80, 80, 90])
    #expect(sweep.dropFirst().map { $0["value"].number } == [0.3, 0.6, 0.9])
    for (place, row) in sweep.dropFirst().enumerated() {
      let again = self.place.path("\(place).kymo")
      let single = try answers(
        "rerun", pinch, "--set", "settle.dampingRatio=\(row["value"].number ?? 0)", "--into", again)
      for name in [
        "decision", "margin", "settle_time_s", "settle_2_ms", "overshoot_percent", "progress",
      ] {
        #expect(single[1][name] == row[name], "\(name)")
      }
    }
    // They are those that the other commands tell.
    let velocity = try answers("velocity", place.path("0.kymo"), "--key", "progress")[0]
    #expect(velocity["settle_time_s"] == sweep[1]["settle_time_s"])
    #expect(velocity["margin_progress"] == sweep[1]["margin"])
    #expect(
      (sweep[1]["overshoot_percent"].number ?? 0) > (sweep[3]["overshoot_percent"].number ?? 99))
    #expect(try place.names().contains { $0.hasPrefix("kymo-") } == false)
  }

  @Test func `a list of words, numbers or times runs the gesture once with each`() throws {
    let rules = try answers("rerun", pinch, "--set", "release.rule=progress,velocity")
    #expect(rules.map { $0["value"].text } == ["progress", "progress", "velocity"])
    #expect(rules.allSatisfy { $0["path"].text == "release.rule" })
    let out = place.path("out.kymo")
    let run = try rerun(pinch, "--set", "release.threshold=0.9,0.1", "--into", out)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      try answers("list sessions", out).map { $0["name"].text } == [
        "pinch, release.threshold=0.9", "pinch, release.threshold=0.1",
      ])
    // A unit makes seconds of a time.
    let windows = try answers("rerun", pinch, "--set", "release.window=40ms,0.08")
    #expect(windows.map { $0["value"].number } == [nil, 0.04, 0.08])
    let steps = try answers("rerun", pinch, "--set", "release.window=40ms:80ms:20ms")
    #expect(steps.map { $0["value"].number } == [nil, 0.04, 0.06, 0.08])
    // Commas in brackets and in quotes part nothing.
    let size = try answers("rerun", pinch, "--set", "layouts.grid.itemSize=[80,80],[90, 90]")
    #expect(size.map { $0["value"].text } == ["[80,80]", "[80,80]", "[90,90]"])
    let named = place.path("named.kymo")
    #expect(try rerun(pinch, "--set", #"name="a, b""#, "--into", named).code == 0)
  }

  @Test func `labels of a file that is named override those of the recording`() throws {
    #expect(try kymo("label", pinch, "finish").code == 0)
    let uuid = try #require(try answers("list sessions", pinch).first?["uuid"].text)
    let labels = try place.file("labels.csv", "uuid,transition,label\n\(uuid),0,cancel\n")
    let again = place.path("again.kymo")
    let run = try rerun(
      pinch, "--labels", labels, "--set", "release.threshold=0.9", "--into", again)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.hasSuffix("1 label, decided wrongly: 1 as recorded, 0 again.\n"))
    #expect(
      try answers("sql", again, "SELECT label FROM labels").map { $0["label"].text } == ["cancel"])
    #expect(
      try answers("sql", pinch, "SELECT label FROM labels").map { $0["label"].text } == ["finish"])
    let none = try rerun(pinch, "--labels", place.path("none.csv"), "--into", again)
    #expect(none.code == 4, "\(none.errors)")
    #expect(none.errors.contains("none.csv"), "\(none.errors)")
  }

  @Test func `a range writes a session for each value where it is told to, and a page of curves`()
    throws
  {
    let (all, page) = (place.path("all.kymo"), place.path("page.html"))
    let run = try rerun(
      pinch, "--set", "release.threshold=0.8:0.9:0.05", "--into", all, "--page", page)
    #expect(run.code == 0, "\(run.errors)")
    let sessions = try answers("list sessions", all)
    #expect(
      sessions.map { $0["name"].text }
        == ["0.8", "0.85", "0.9"].map {
          "pinch, release.threshold=\($0)"
        })
    #expect(sessions.map { $0["outcome"].text } == ["finished", "cancelled", "cancelled"])
    let html = String(decoding: try place.bytes("page.html"), as: UTF8.self)
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(html.components(separatedBy: "<tr class=").count == 5)
    #expect(html.contains("<title>release.threshold 0.85</title>"))
    #expect(!html.contains("<script"))
  }

  @Test func `a value is checked as in a scenario file, with its path`() throws {
    for (change, path, words) in [
      ("release.threshold=high", "$.release.threshold", "must be a number"),
      ("release.treshold=1", "$.release.treshold", "Did you mean threshold?"),
      ("relese.threshold=1", "$.relese", "Did you mean release?"),
      ("layouts.grud.itemSize.0=3", "$.layouts", "Did you mean grid?"),
      ("layouts.grid.itemSize.7=3", "$.layouts.grid.itemSize", "Known: 0 to 1"),
      ("settle.stiffness=-1", "$.settle.stiffness", "above 0"),
      ("settle.stiffness=NaN", "$.settle.stiffness", "must be a number"),
      ("release.rule.x=1", "$.release.rule", "must be an object"),
      ("release..rule=1", "release..rule", "empty part"),
      ("settle.response=0.3", "$.settle", "cannot be combined with"),
      ("gesture.keys.Positon.of=scale", "$.gesture.keys", "Did you mean PositionX?"),
      ("refreshRate=null.5", "$.refreshRate", "must be a number"),
      ("name=null", "", ""),
      ("device=null", "--set device=null", "unknown field 'device'"),
      ("sections=[{", "sections", "end of text"),
    ] {
      let run = try rerun(pinch, "--set", change, "--into", place.path("out.kymo"))
      guard !words.isEmpty else {
        #expect(run.code == 0, "\(change): \(run.errors)")
        try FileManager.default.removeItem(atPath: place.path("out.kymo"))
        continue
      }
      #expect(run.code == 2, "\(change): \(run.errors)")
      #expect(run.output == "", "\(change): \(run.errors)")
      #expect(run.errors.contains(path), "\(change): \(run.errors)")
      #expect(run.errors.contains(words), "\(change): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
    let unknown = try rerun(pinch, "--set", "zzz.a.b=null", "--into", place.path("out.kymo"))
    #expect(unknown.code == 2, "\(unknown.errors)")
    let layout = try rerun(
      pinch, "--set", "layouts.grit.itemSize=1", "--into", place.path("out.kymo"))
    #expect(layout.code == 2)
    #expect(layout.errors.contains("Did you mean grid?"))
    #expect(try place.names() == ["pinch.kymo"])
  }

  @Test
  func
    `another rule leaves the fields that it does not have, and says which, and decides as rule try`()
    throws
  {
    let scenario = try String(
      contentsOfFile: fixture("scenarios/\(Scenarios.pinch)"), encoding: .utf8)
    let recorded = try parseJSON(Array(scenario.utf8))["release"]
    #expect(recorded["rule"] == .null || recorded["rule"].text == "progress")
    let fast = place.path("fast.kymo")
    let made = try rerun(
      pinch, "--rule", "velocity", "--set", "release.velocityThreshold=2.5", "--set",
      "release.threshold=0.7", "--into", fast)
    #expect(made.code == 0, "\(made.errors)")
    let back = try rerun(fast, "--set", "release.rule=progress", "--into", place.path("back.kymo"))
    #expect(back.code == 0)
    #expect(
      back.errors.contains(
        "the rule 'progress' has no use for velocityThreshold 2.5, so it was left out"),
      "\(back.errors)")
    let decision = try answers("list decisions", place.path("back.kymo"))[0]
    #expect(decision["rule"].text == "progress")
    #expect(decision["threshold"].number == 0.7)
    // A speed in another unit is left out, and a field that is named with the rule is not.
    let compose = try rerun(fast, "--set", "release.rule=compose", "--into", place.path("c.kymo"))
    #expect(compose.errors.contains("velocityThreshold 2.5"), "\(compose.errors)")
    let asked = try rerun(
      fast, "--set", "release.velocityThreshold=3", "--rule", "progress", "--into",
      place.path("d.kymo"))
    #expect(asked.code == 2)
    #expect(asked.errors.contains("nknown field 'velocityThreshold'"))
    // The sweep through rules decides each as the question to a recording does.
    let rules = [
      ("progress", 0.5), ("velocity", 0.5), ("projection", 0.5), ("kwin", 0.25), ("niri", 0.5),
      ("hyprland", 0.5), ("wayfire", 0.35),
    ]
    for (rule, threshold) in rules {
      let run = try rerun(pinch, "--rule", rule, "--into", place.path("\(rule).kymo"))
      #expect([0, 3].contains(run.code), "\(rule): \(run.errors)")
      let tried = try answers("rule try", pinch, "--rule", rule).filter {
        $0["kind"].text == "gesture"
      }
      let again = try answers("list decisions", place.path("\(rule).kymo"))
      #expect(again.map { $0["outcome"].text } == tried.map { $0["decision"].text }, "\(rule)")
      #expect(again.map { $0["threshold"].number } == [threshold], "\(rule)")
    }
  }

  @Test func `a patch that is no object, or cut anywhere, is refused and writes nothing`() throws {
    let patch = #"{"settle": {"stiffness": 200}}"#
    for bad in ["[1]", "7", "null", "\"x\"", "", "{}}"]
      + (1..<patch.count).map({ String(patch.prefix($0)) })
    {
      let run = try rerun(pinch, "--patch", "-", "--into", place.path("out.kymo"), input: bad)
      #expect(run.code == 2, "\(bad): \(run.code) \(run.errors)")
      #expect(run.output == "", "\(bad): \(run.code) \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(bad): \(run.errors)")
    }
    #expect(try place.names() == ["pinch.kymo"])
    for (name, good) in [("out.kymo", "{}"), ("marked.kymo", "\u{feff}{}")] {
      #expect(try rerun(pinch, "--patch", "-", "--into", place.path(name), input: good).code == 0)
    }
  }

  @Test func `a range that has no end, no step or no number is refused`() throws {
    for range in [
      "0:1:0", "0:1:-1", "0:1:nan", "nan:1:0.1", "0:inf:1", "1:0:0.1", "0:1:0.000001", "0:1:x",
      "-1e308:1e308:1e300",
    ] {
      let run = try rerun(pinch, "--set", "release.threshold=\(range)")
      #expect(run.code == 2, "\(range): \(run.errors)")
      #expect(run.output == "", "\(range): \(run.errors)")
      #expect(run.errors.contains("--set release.threshold"), "\(range)")
      #expect(run.errors.contains(range), "\(range)")
    }
    let two = try rerun(
      pinch, "--set", "release.threshold=0.1:0.2:0.1", "--set", "settle.mass=1:2:1")
    #expect(two.code == 2)
    #expect(two.errors.contains("both have several values"))
    let many = try rerun(pinch, "--set", "release.threshold=0:1:0.0005")
    #expect(many.code == 2)
    #expect(many.errors.contains("more than 1000 values"))
    let open = try rerun(pinch, "--set", "settle.mass=1:2")
    #expect(open.code == 2)
    #expect(open.errors.contains("needs a step"))
    let same = try rerun(
      pinch, "--set", "settle.mass=1", "--set", "settle.mass=2", "--into", place.path("out.kymo"))
    #expect(same.code == 2)
    #expect(same.errors.contains("given twice"))
    // A value in the middle that cannot be is reported before any run.
    let below = try rerun(
      pinch, "--set", "settle.mass=-1:1:1", "--into", place.path("out.kymo"))
    #expect(below.code == 2)
    #expect(below.errors.contains("$.settle.mass"))
    #expect(try place.names() == ["pinch.kymo"])
  }

  @Test func `a recording that exists gets one more session, the input and other files stay`()
    throws
  {
    let other = try place.record(Scenarios.script, into: "other.kymo")
    #expect(try rerun(pinch, "--into", other).code == 0)
    #expect(try answers("list sessions", other).count == 2)
    let before = try place.bytes("pinch.kymo")
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link.kymo"), withDestinationPath: pinch)
    for path in [pinch, place.path("link.kymo")] {
      let run = try rerun(pinch, "--into", path)
      #expect(run.code == 2)
      #expect(run.errors.contains("at the same time"))
    }
    let text = try place.file("text.kymo", "no recording")
    #expect(try rerun(pinch, "--into", text).code == 4)
    #expect(try place.bytes("text.kymo") == Data("no recording".utf8))
    #expect(try place.bytes("pinch.kymo") == before)
    for path in ["-", "", place.path("no/folder.kymo"), place.folder.url.path] {
      #expect([2, 4].contains(try rerun(pinch, "--into", path).code), "\(path)")
    }
    #expect(try rerun(pinch).errors == "kymo rerun: missing --into OUT.kymo\n")
    for word in ["threshold", "=1"] {
      #expect(try rerun(pinch, "--set", word, "--into", place.path("o")).code == 2)
    }
  }

  @Test func `a script needs no touches, so that one without them is run again whole`() throws {
    let path = try place.record(Scenarios.script, into: "a.kymo")
    let copy = place.path("copy.kymo")
    #expect(try kymo("file merge", path, "--into", copy, "--no-touches").code == 0)
    let run = try rerun(copy, "--into", place.path("b.kymo"))
    #expect(run.code == 3)
    #expect(run.errors.contains("the new session uses the rest"))
    let same = try kymo(
      "compare", copy, place.path("b.kymo"), "--exact", "--ignore", "sessions.device")
    #expect(same.code == 0, "\(same.output)")
  }

  @Test func `what is trimmed, redacted, lossy or of another engine ends with 3 and a sentence`()
    throws
  {
    func expect3(_ sentence: String, _ change: (String) throws -> Void) throws {
      let path = place.path("doubtful.kymo")
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: pinch, toPath: path)
      try change(path)
      let out = place.path("out.kymo")
      try? FileManager.default.removeItem(atPath: out)
      let run = try rerun(path, "--into", out)
      #expect(run.code == 3, "\(run.code): \(run.errors)")
      #expect(run.errors.contains(sentence), "\(run.code): \(run.errors)")
      #expect(try answers("list sessions", out).first?["outcome"].text == "finished")
    }
    try expect3("the new session uses the touches that are left") { copy in
      let cut = try kymo("file trim", copy, "--to", "0.8")
      #expect(cut.code == 0)
    }
    try expect3("its first touches were removed, so only decisions") { copy in
      let cut = try kymo("file trim", copy, "--from", "0.2")
      #expect(cut.code == 0)
    }
    try expect3("lost 3 of touch, which are missing here as well") { copy in
      try LooseRecording.execute(
        "INSERT INTO loss VALUES (1, 0, 'touch', NULL, 5, 9, 3);", on: copy)
    }
    try expect3("version 0 of the engine and run again with version 2") { copy in
      try LooseRecording.execute("UPDATE session SET engine_version = '0';", on: copy)
    }
    for flag in ["--no-touches", "--hash-items"] {
      try expect3("it is redacted") { copy in
        let whole = copy + ".whole"
        try? FileManager.default.removeItem(atPath: whole)
        try FileManager.default.moveItem(atPath: copy, toPath: whole)
        #expect(try kymo("file merge", whole, "--into", copy, flag).code == 0)
      }
    }
  }
}
