import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct TuneTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let labels = fixture("labels/forty-swipes.csv")

  /// Forty labelled swipes; the labels stand beside them, as far as a closure keeps them.
  private func swipes(
    _ name: String = "swipes.kymo", labels keep: (String) -> String? = { $0 }
  ) throws -> String {
    let path = place.path(name)
    let labels = try String(contentsOfFile: Self.labels, encoding: .utf8)
    let rows = labels.split(separator: "\n").map(String.init)
    let uuid = String(try #require(rows.last?.prefix { $0 != "," }))
    let run = try kymo(Gallery.words("swipes", into: path) + ["--uuid", uuid])
    #expect(run.code == 0, "\(run.errors)")
    let kept = [rows[0]] + rows.dropFirst().compactMap(keep)
    _ = try place.file("\(name).labels.csv", kept.joined(separator: "\n") + "\n")
    return path
  }

  private static let speedFirst = [
    "--set", "release.rule=progress,velocity", "--set", "release.threshold=0.1:0.9", "--set",
    "release.velocityThreshold=0.2:3",
  ]

  private func tuned(_ words: [String]) throws -> (run: ProgramRun, answer: Row) {
    let run = try kymo(["rule tune", "--json"] + words)
    return (run, try parseJSON(Array(run.output.utf8)))
  }

  @Test(
    "forty labelled swipes: a rule that asks for the speed first is better, and one label is doubted"
  )
  func better() throws {
    let path = try swipes()
    let (run, answer) = try tuned([path] + Self.speedFirst)
    #expect(run.code == 0, "\(run.errors)")
    #expect(answer["version"].integer == 1)
    #expect(answer["labels"]["finish"].integer == 17)
    #expect(answer["labels"]["unsure"].integer == 1)
    #expect(answer["best"]["release"]["rule"].text == "velocity")
    #expect(answer["best"]["cost"].number ?? 9 < answer["current"]["cost"].number ?? 0)
    #expect(answer["better"]["claim"] == .bool(true))
    #expect(answer["expected"]["method"].text == "leave-one-out")
    let doubted = answer["perhaps_mislabelled"].array
    #expect(doubted.map { $0["transition"].integer } == [23])
    let region = answer["region"]["threshold"].array.compactMap(\.number)
    #expect(region.count == 2)
    #expect(region[0] < 0.42)
    #expect(region[1] > 0.38)
    let text = try kymo(["rule tune", path] + Self.speedFirst)
    #expect(text.code == 0)
    #expect(text.output.contains("Better than the current setting"))
    #expect(text.output.contains("perhaps mislabelled"))
    let hint = "--set release.rule=progress,velocity"
    #expect(!text.output.contains(hint))
    let alone = try kymo("rule tune", path).output.replacing("\n", with: " ")
    #expect(alone.contains("Only the threshold was searched."))
    #expect(alone.contains(hint))
    // The same input gives the same bytes, also from several processes.
    #expect(try kymo(["rule tune", "--json", path] + Self.speedFirst).output == run.output)
  }

  @Test(
    "what is emitted for a scenario decides as the search says, and other systems refuse what is not theirs"
  )
  func emitted() throws {
    let path = try swipes()
    let run = try kymo(["rule tune", path, "--emit", "scenario"] + Self.speedFirst)
    #expect(run.code == 0, "\(run.errors)")
    let release = try parseJSON(Array(run.output.utf8))["release"]
    #expect(release["rule"].text == "velocity")
    let (threshold, speed) = (release["threshold"], release["velocityThreshold"])
    let gestures = try answers(
      "rule try", path, "--rule", "velocity", "--set",
      "release.threshold=\(threshold.number ?? -1)", "--set",
      "release.velocityThreshold=\(speed.number ?? -1)")
    let (_, answer) = try tuned([path] + Self.speedFirst)
    let wrong = Set(
      (answer["best"]["wrong_finish"].array + answer["best"]["wrong_cancel"].array)
        .compactMap { $0["transition"].integer })
    let labels = try String(contentsOfFile: Self.labels, encoding: .utf8)
      .split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    let against = labels.filter { label in
      label[2] != "unsure"
        && gestures.contains {
          $0["transition"].integer == Int64(label[1]) && $0["decision"].text != label[2]
        }
    }.compactMap { Int64($0[1]) }
    #expect(Set(against) == wrong)
    #expect(!wrong.isEmpty)
    // A scenario with this release is one.
    let scenario = place.path("tuned.json")
    var text = try String(
      contentsOfFile: packageFolder.appendingPathComponent(
        "Tests/Fixtures/scenarios/\(Scenarios.pinch)"
      ).path, encoding: .utf8)
    text = try withRelease(release, in: text)
    try text.write(toFile: scenario, atomically: true, encoding: .utf8)
    #expect(try kymo("scenario", "check", scenario).code == 0)
    let swift = try kymo(["rule tune", path, "--emit", "uikit"] + Self.speedFirst)
    #expect(swift.code == 0)
    #expect(swift.output.contains("func finishes(progress: Double"))
    for system in ["flutter", "compose", "hyprland", "niri", "gnome"] {
      let refused = try kymo(["rule tune", path, "--emit", system] + Self.speedFirst)
      #expect(refused.code == 2)
      #expect(refused.output == "")
      #expect(refused.errors.contains("rule"))
    }
    let flutter = try kymo(
      "rule tune", path, "--emit", "flutter", "--set", "release.rule=flutter-dismissible", "--set",
      "release.threshold=0.1:0.9")
    #expect(flutter.output.contains("dismissThresholds: const {") || flutter.output == "")
    #expect(flutter.code != 2, "\(flutter.errors)")
    // A compositor's rule is searched with its own measure of the recorded reports.
    let hyprland = try kymo(
      "rule tune", path, "--set", "release.rule=hyprland,kwin", "--set",
      "release.threshold=0.1:0.9", "--set",
      "release.velocityThreshold=0:60:1", "--json")
    #expect(hyprland.code != 2, "\(hyprland.errors)")
    #expect(hyprland.code != 4, "\(hyprland.errors)")
    let best = try parseJSON(Array(hyprland.output.utf8))["best"]["release"]
    #expect(["hyprland", "kwin"].contains(best["rule"].text ?? ""))
    #expect(best["rule"].text != "hyprland" || best["estimator"].text == "step-mean")
    let emitted = try kymo(
      "rule tune", path, "--set", "release.rule=hyprland", "--set",
      "release.velocityThreshold=0:60:1", "--emit",
      "hyprland")
    #expect(emitted.code != 2, "\(emitted.errors)")
    #expect(emitted.code != 4, "\(emitted.errors)")
  }

  @Test("a number that the labels hardly determine is emitted as the middle of its region")
  func emittedMiddle() throws {
    let bare = try swipes("bare.kymo") { _ in nil }
    let asked = ["--rule", "progress", "--set", "release.threshold=0.5", "--json"]
    let gestures = try rows(try kymo(["rule try", bare] + asked).output)
      .filter { $0["kind"].text == "gesture" }
    let progress = gestures.compactMap { $0["progress"].number }
    let low = try #require(progress.filter { $0 <= 0.5 }.max())
    let high = try #require(progress.filter { $0 > 0.5 }.min())
    // Each label is the decision of the threshold 0.5, so that each threshold from low to high decides all as labelled.
    let path = try swipes("clear.kymo") { row in
      let parts = row.split(separator: ",").map(String.init)
      let gesture = gestures.first { $0["transition"].integer == Int64(parts[1]) }
      return gesture?["decision"].text.map { "\(parts[0]),\(parts[1]),\($0)" }
    }
    let way = high - low
    let range = "release.threshold=\(low + way / 8):\(high - way / 8)"
    let search = ["rule tune", path, "--set", "release.rule=progress", "--set", range]
    let middle = (low + high) / 2
    let swift = try kymo(search + ["--emit", "uikit"])
    #expect(swift.code == 1, "\(swift.errors)")
    let found = try #require(swift.output.firstMatch(of: /progress > ([0-9.]+)/)?.output.1)
    let threshold = try #require(Double(found))
    #expect(abs(threshold - middle) < 1e-3)
    #expect(low < threshold)
    #expect(threshold < high)
    #expect(swift.output.hasPrefix("// threshold is the middle of "), "\(swift.output)")
    #expect(swift.errors.contains("do not determine threshold"))
    // A scenario file has no comments: the range is on standard error.
    let scenario = try kymo(search + ["--emit", "scenario"])
    let release = try parseJSON(Array(scenario.output.utf8))["release"]
    #expect(scenario.code == 1)
    #expect(release["threshold"].number == threshold)
    #expect(scenario.errors.contains("threshold is the middle of "))
    // Below that nothing can be searched, and a sentence says that nothing is printed.
    let few = try swipes("few.kymo") { $0.contains(",3,") ? $0 : nil }
    let none = try kymo("rule tune", few, "--emit", "uikit")
    #expect(none.code == 1)
    #expect(none.output == "")
    #expect(none.errors.contains("No setting is printed"))
  }

  private func withRelease(_ release: Row, in scenario: String) throws -> String {
    var object =
      try JSONSerialization.jsonObject(with: Data(scenario.utf8)) as? [String: Any] ?? [:]
    object["release"] = [
      "rule": release["rule"].text ?? "", "threshold": release["threshold"].number ?? -1,
      "velocityThreshold": release["velocityThreshold"].number ?? -1,
      "estimator": release["estimator"].text ?? "", "preset": release["preset"].text ?? "",
    ]
    let data = try JSONSerialization.data(withJSONObject: object)
    return String(decoding: data, as: UTF8.self)
  }

  @Test("a report has the costs, the region, and each wrong gesture with a link to its picture")
  func page() throws {
    let (path, page) = (try swipes(), place.path("tuned.html"))
    let run = try kymo(["rule tune", path, "--page", page] + Self.speedFirst)
    #expect(run.code == 0)
    #expect(run.output.contains("Wrote "))
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("Cost over threshold"))
    #expect(text.contains("Cost over velocityThreshold"))
    #expect(text.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
    #expect(!text.contains("<script"))
    #expect(!text.contains("http:"))
    #expect(!text.contains("https:"))
    let links = text.matches(of: /href="#(gesture-\d+)"/).map { String($0.output.1) }
    #expect(links.count == 1)
    for link in links { #expect(text.contains("id=\"\(link)\"")) }
    // A page that kymo made is replaced, another file is not.
    #expect(try kymo("rule tune", path, "--page", page).code == 0)
    _ = try place.file("mine.txt", "mine")
    let refused = try kymo("rule tune", path, "--page", place.path("mine.txt"))
    #expect(refused.code == 2)
    #expect(refused.errors.contains("--force"))
  }

  @Test(
    "no labels, labels of other sessions, too few, and no release are each said, and end with 1")
  func refusals() throws {
    let bare = try swipes("bare.kymo") { _ in nil }
    let none = try kymo("rule tune", bare)
    #expect(none.code == 1)
    #expect(none.errors.contains("no gesture has a label"))
    #expect(none.output.contains("Too few labels: 0 meant to finish"))
    let few = try swipes("few.kymo") { row in
      ["0", "1", "2"].contains(String(row.split(separator: ",")[1])) ? row : nil
    }
    let (run, answer) = try tuned([few])
    #expect(run.code == 1)
    #expect(answer["refused"].array.count == 1)
    #expect(answer["best"] == .null)
    #expect(try kymo("rule tune", few, "--emit", "scenario").output == "")
    _ = try place.file("bare.kymo.labels.csv", "uuid,transition,label\nelsewhere,0,finish\n")
    let other = try kymo("rule tune", bare)
    #expect(other.code == 1)
    #expect(other.errors.contains("of other sessions"))
    let still = place.path("still.kymo")
    _ = try place.file(
      "still.ndjson", "{\"kymograph\":1}\n{\"t_ns\":0,\"key\":\"progress\",\"value\":1}\n")
    #expect(
      try kymo("record", "--from-ndjson", place.path("still.ndjson"), "--into", still).code == 0)
    let empty = try kymo("rule tune", still)
    #expect(empty.code == 1)
    #expect(empty.errors.contains("have no release"))
    _ = try place.file("junk.kymo", "junk")
    #expect(try kymo("rule tune", place.path("junk.kymo")).code == 4)
    #expect(
      try kymo(
        "rule tune", place.path("junk.kymo"), try swipes(), "--set", "release.threshold=0.1:0.9"
      )
      .code
        != 0)
    _ = try place.file("few.kymo.labels.csv", "nonsense")
    let broken = try kymo("rule tune", few)
    #expect(broken.code == 4)
    #expect(broken.errors.contains("labels.csv"))
  }

  @Test(
    "what cannot be searched is refused with one sentence",
    arguments: [
      ("release.theshold=0.1:0.9", "Did you mean release.threshold?"),
      ("zzzzzzzz=1", "Known: release.threshold"),
      ("threshold=0.1", "Did you mean release.threshold?"),
      ("release.crossVelocity=1:2:1", "unknown path"), ("settle.mass=1,2", "unknown path"),
      ("release.threshold=0.9:0.1", "runs backwards"), ("release.threshold=nan:1", "FROM:TO:STEP"),
      ("release.threshold=10:90", "within 0 and 1"), ("release.threshold=", "missing value"),
      ("release.threshold", "must be PATH=VALUE"), ("release.threshold=0.1:0.9:0", "step above 0"),
      ("release.threshold=0.1:0.2:0.3:0.4", "FROM:TO:STEP"),
      ("release.threshold=0:1:1e-9", "larger step"),
      ("release.decelerationRate=0.99:0.999", "needs a step"),
      ("release.decelerationRate=1", "below 1"),
      ("release.velocityThreshold=-1:1", "a speed"), ("release.window=0", "time above 0"),
      ("release.window=40ms:100ms", "needs a step"), ("release.window=soon", "such as 60ms"),
      ("release.rule=progres", "Did you mean progress?"),
      ("release.rule=progress,progress", "twice"), ("release.estimator=all", "unknown value 'all'"),
      ("release.velocityThreshold=0.1:2", "with --set release.rule="),
      ("release.distance=inf", "must be a number other than 0"),
    ])
  func badRanges(setting: String, message: String) throws {
    let run = try kymo("rule tune", try swipes(), "--set", setting)
    #expect(run.code == 2, "\(setting)")
    #expect(run.output == "", "\(setting)")
    #expect(run.errors.contains(message), "\(setting): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test("times are searched as a list and as a range, and numbers without a range")
  func lists() throws {
    let path = try swipes()
    let (_, list) = try tuned([path, "--set", "release.window=60ms,0.08,100ms"])
    let (_, range) = try tuned([path, "--set", "release.window=60ms:100ms:20ms"])
    #expect(list["best"] == range["best"])
    #expect(list["best"] != .null)
    let (_, some) = try tuned([
      path, "--set", "release.rule=velocity", "--set", "release.velocityThreshold=0.8,1.2",
    ])
    let speed = some["best"]["release"]["velocityThreshold"].number
    #expect(speed == 0.8 || speed == 1.2, "\(some["best"])")
  }

  @Test("labels of a file that is named count as those of the recording, and override them")
  func namedLabels() throws {
    let beside = try tuned([try swipes()] + Self.speedFirst)
    let bare = try swipes("bare.kymo") { _ in nil }
    let named = try tuned([bare, "--labels", Self.labels] + Self.speedFirst)
    #expect(named.run.code == 0, "\(named.run.errors)")
    #expect(named.run.errors == "", "\(named.run.errors)")
    #expect(named.answer["labels"] == beside.answer["labels"])
    #expect(named.answer["current"]["cost"] == beside.answer["current"]["cost"])
    #expect(named.answer["best"]["release"] == beside.answer["best"]["release"])
    // Beside the recording every label is the opposite.
    let wrong = try swipes("wrong.kymo") {
      $0.contains(",finish")
        ? $0.replacing(",finish", with: ",cancel")
        : $0.replacing(",cancel", with: ",finish")
    }
    let over = try tuned([wrong, "--labels", Self.labels] + Self.speedFirst)
    #expect(over.answer["current"]["cost"] == beside.answer["current"]["cost"])
    // Several processes read it as well.
    let many = try tuned([bare, wrong, "--labels", Self.labels, "-j", "2"] + Self.speedFirst)
    #expect(many.answer["current"]["cost"] == beside.answer["current"]["cost"])
    let piped = try kymo("rule tune", bare, "--labels", "-")
    #expect(piped.code == 2)
    #expect(piped.errors.contains("--labels must be a file"))
    let none = try kymo("rule tune", bare, "--labels", place.path("none.csv"))
    #expect(none.code == 4, "\(none.errors)")
    #expect(none.errors.contains("none.csv"), "\(none.errors)")
  }

  @Test("a session that is given twice counts once, as a file that cannot be read is left out")
  func givenTwice() throws {
    let path = try swipes()
    let copy = place.path("copy.kymo")
    for end in ["", ".labels.csv"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
    }
    let (_, once) = try tuned([path] + Self.speedFirst)
    let (twice, answer) = try tuned([path, copy] + Self.speedFirst)
    for part in ["current", "best", "expected", "better"] { #expect(answer[part] == once[part]) }
    #expect(twice.errors.contains("39 gestures of sessions that are given twice"))
    let junk = try place.file("junk.kymo", "junk")
    let run = try kymo(["rule tune", "--json", path, junk] + Self.speedFirst)
    #expect(run.code == 3)
    #expect(run.errors.contains("left out"))
  }

  @Test("other flags are checked, too")
  func badFlags() throws {
    let path = try swipes()
    for words in [
      ["--wrong-finish", "0"], ["--wrong-cancel", "-1"], ["--wrong-finish", "nan"],
      ["--seed", "x"],
      ["--group", "colour"], ["--emit", "sway"], ["--emit", "scenario", "--json"],
      ["--set", "release.estimator=step-mean"],
      ["--format", "csv"], ["--set", "release.threshold=0.1", "--set", "release.threshold=0.2"],
      ["--set", "release.rule=velocity,compose", "--set", "release.velocityThreshold=0:1"],
      ["--set", "release.rule=progress", "--set", "release.velocityThreshold=0:1"],
      ["--page", "-"],
    ] {
      let run = try kymo(["rule tune", path] + words)
      #expect(run.code == 2, "\(words) \(run.errors)")
      #expect(run.output == "", "\(words) \(run.errors)")
    }
    #expect(try kymo("rule tune", path, "--group", "file").errors == "")
    #expect(try kymo("rule tune", path, "--group", "file").output.contains("one group"))
  }
}
