import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo label`, and labels on their way through the other commands.
struct LabelTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  /// A session of an app's with so many released transitions; those of even number finish.
  private func record(_ file: String, _ name: String, transitions: Int = 1) throws -> String {
    var lines = ["{\"kymograph\": 1, \"name\": \"\(name)\"}"]
    for number in 0..<transitions {
      let start = number * 1_000
      lines.append("{\"t_ns\":\(start * 1_000_000),\"event\":\"start\",\"transition\":\(number)}")
      for step in 0..<5 {
        lines.append(
          "{\"t_ns\":\((start + step * 10) * 1_000_000),\"key\":\"progress\",\"role\":\"progress\",\"value\":0.\(step)1}"
        )
      }
      let outcome = number.isMultiple(of: 2) ? "finish" : "cancel"
      lines.append(
        "{\"t_ns\":\((start + 50) * 1_000_000),\"decision\":{\"transition\":\(number),\"outcome\":\"\(outcome)\","
          + "\"rule\":\"progress\",\"threshold\":0.5,\"progress\":0.41}}")
      lines.append(
        "{\"t_ns\":\((start + 50) * 1_000_000),\"event\":\"\(outcome)\",\"transition\":\(number)}")
    }
    let path = place.path(file)
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path, input: lines.joined(separator: "\n") + "\n")
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  private func flag(_ value: JSONValue) -> String {
    if case .bool(let flag) = value { "\(flag)" } else { "-" }
  }

  private func uuid(_ path: String) throws -> String {
    try #require(try answers("list sessions", path)[0]["uuid"].text)
  }

  private func labels(_ words: String...) throws -> [String] {
    let run = try kymo(["list labels", "--json"] + words)
    return try rows(run.output).map {
      "\($0["transition"].integer ?? -1) \($0["decision"].text ?? "-") \($0["label"].text ?? "-") "
        + "\(flag($0["wrong"])) \($0["note"].text ?? "-")"
    }
  }

  @Test func `a label is written, shown wherever the release is, replaced and removed`() throws {
    let path = try record("run.kymo", "drag")
    let run = try kymo("label", path, "cancel", "--note", "a \"slip\", <script>\n=1")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.contains("cancel"))
    #expect(try labels(path) == ["0 finish cancel true a \"slip\", <script>\n=1"])
    #expect(try answers("list sessions", path)[0]["labels"].integer == 1)
    #expect(try kymo("show", path).output.contains("finish at 0.05 s (meant: cancel)"))
    #expect(
      try kymo("sql", path, "SELECT label FROM decisions", "--format", "csv").output
        == "label\ncancel\n")
    let rows = try answers("rule try", path)
    #expect(rows[0]["label"].text == "cancel")
    #expect(rows[0]["recorded_wrong"] == .bool(true))
    #expect(rows[0]["wrong"] == .bool(false))
    #expect(rows[0]["decision"].text == "cancel")
    #expect(
      try kymo("rule try", path).output.contains(
        "1 label: 1 decided wrongly as recorded, 0 now"))
    #expect(try kymo("label", "\(path)#1", "finish").code == 0)
    #expect(try labels(path) == ["0 finish finish false -"])
    #expect(try kymo("label", path + "#drag", "none").code == 0)
    #expect(try labels(path) == ["0 finish - - -"])
    #expect(try place.names() == ["run.kymo"])
  }

  @Test func `of several transitions one is named, or the error lists them`() throws {
    let path = try record("run.kymo", "drag", transitions: 2)
    let before = try place.bytes("run.kymo")
    let run = try kymo("label", path, "finish")
    #expect(run.code == 2)
    #expect(
      run.errors.contains(
        "2 transitions: 0 (finish at 0.05 s), 1 (cancel at 1.05 s). Choose one with --transition"
      ),
      "\(run.errors)")
    for (words, part) in [
      (["finish", "--transition", "2"], "unknown transition 2 of #1 'drag' "),
      (["finish", "--transition", "x"], "whole number"),
      (["perhaps"], "unknown label 'perhaps'. Known: finish, cancel, unsure, none"),
      (["finsh"], "unknown label 'finsh'. Did you mean finish?"),
      (
        ["none", "--transition", "0", "--note", "x"],
        "--note cannot be combined with the label none"
      ),
      (
        ["finish", "--transition", "0", "--csv", "-"], "--csv must be the name of a file (got '-')"
      ),
      (
        ["finish", "--transition", "0", "--csv", path],
        "--csv must be another file than the recording"
      ),
      (["finish", "--list"], "unknown flag --list"),
      (["finish", "--import", "x.csv", "--note", "x"], "--note belongs to another form"),
      (["finish", "--transition", "0", "--note", String(repeating: "x", count: 4097)], "4096"),
    ] {
      let refused = try kymo(["label", path] + words)
      #expect(
        refused.code == 2,
        "\(refused.errors)")
      #expect(
        refused.errors.contains(part),
        "\(refused.errors)")
    }
    #expect(try place.bytes("run.kymo") == before)
    #expect(try kymo("label", path, "finish", "--transition", "1").code == 0)
    #expect(try labels(path) == ["0 finish - - -", "1 cancel finish true -"])
  }

  @Test func `a recording that cannot be written keeps its bytes, and its labels stand beside it`()
    throws
  {
    let path = try record("run.kymo", "drag", transitions: 2)
    #expect(chmod(path, 0o444) == 0)
    let before = try place.bytes("run.kymo")
    let run = try kymo("label", path, "unsure", "--transition", "0", "--note", "=1+1")
    #expect(run.code == 0)
    #expect(run.errors.contains("cannot be written, so its labels are in \(path).labels.csv"))
    #expect(try labels(path) == ["0 finish unsure - =1+1", "1 cancel - - -"])
    #expect(try place.bytes("run.kymo") == before)
    let text = try String(contentsOfFile: path + ".labels.csv", encoding: .utf8)
    #expect(text.hasPrefix("uuid,transition,label,note,at\n\(try uuid(path)),0,unsure,'=1+1,20"))
    // Its labels come along into a recording that can be written, and others go beside it again.
    let merged = place.path("merged.kymo")
    #expect(try kymo("file merge", path, "--into", merged).code == 0)
    #expect(try labels(merged) == ["0 finish unsure - =1+1", "1 cancel - - -"])
    #expect(
      try kymo(
        "label", merged, "finish", "--transition", "1", "--csv", merged + ".labels.csv"
      ).code == 0)
    #expect(try kymo("label", merged, "none", "--transition", "0").code == 0)
    #expect(try labels(merged) == ["0 finish - - -", "1 cancel finish true -"])
    #expect(try kymo("label", merged, "--import", merged + ".labels.csv").code == 0)
    #expect(
      try kymo("sql", merged, "SELECT label FROM decisions ORDER BY transition", "--format", "csv")
        .output
        == "label\n\"\"\nfinish\n".replacing("\"\"", with: ""))
  }

  @Test func `labels go through NDJSON and back, hashed where names are`() throws {
    let path = try record("run.kymo", "drag", transitions: 2)
    #expect(
      try kymo("label", path, "cancel", "--transition", "0", "--note", "two\nlines").code == 0)
    let lines = try kymo("export", "ndjson", path).output
    #expect(
      lines.contains(
        "{\"t_ns\":50000000,\"label\":{\"transition\":0,\"label\":\"cancel\",\"note\":\"two\\nlines\",\"at_ns\":"
      ))
    let again = place.path("again.kymo")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", again, input: lines).code == 0)
    #expect(try labels(again) == ["0 finish cancel true two\nlines", "1 cancel - - -"])
    #expect(try kymo("export", "ndjson", again).output.contains("\"note\":\"two\\nlines\""))
    let hashed = place.path("hashed.kymo")
    #expect(try kymo("file merge", path, "--into", hashed, "--hash-items").code == 0)
    let kept = try labels(hashed)
    #expect(kept[0].hasPrefix("0 finish cancel true "))
    #expect(!kept[0].contains("two"))
    // A line that is no label is left out, the rest is kept.
    let odd = try kymo(
      "record", "--from-ndjson", "-", "--into", again,
      input: lines + "{\"t_ns\":1,\"label\":{\"transition\":1,\"label\":\"maybe\"}}\n")
    #expect(odd.code == 3)
    #expect(odd.errors.contains("left out: $.label.label: unknown value 'maybe'"))
  }

  @Test func `trim keeps a label while its transition stays`() throws {
    let path = try record("run.kymo", "drag", transitions: 2)
    for number in ["0", "1"] {
      #expect(try kymo("label", path, "finish", "--transition", number).code == 0)
    }
    #expect(try kymo("file trim", path, "--from", "0.9").code == 0)
    #expect(try labels(path) == ["1 cancel finish true -"])
  }

  @Test func `a session may be named in a list of labels if its name is its own`() throws {
    let one = try record("one.kymo", "one")
    let two = try record("two.kymo", "two")
    let third = try record("third.kymo", "two")
    let list = try place.file(
      "l.csv", "uuid,transition,label,note\none,0,cancel,by name\ntwo,0,unsure,\n")
    let run = try kymo("label", one, two, "--import", list)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(try labels(one, two) == ["0 finish cancel true by name", "0 finish unsure - -"])
    let both = try kymo("label", one, two, third, "--import", list)
    #expect(both.code == 3)
    #expect(
      both.errors.contains(
        "l.csv:3: left out: 2 sessions have the name two. Write the uuid of one of them"),
      "\(both.errors)")
    #expect(try labels(third) == ["0 finish - - -"])
    // What is said of the uuid goes before.
    let twice = try place.file(
      "t.csv", "uuid,transition,label\n\(try uuid(one)),0,finish\none,0,cancel\n")
    #expect(try kymo("label", one, "--import", twice).code == 3)
    #expect(try labels(one).first?.hasPrefix("0 finish finish") == true)
  }

  @Test func `many labels are imported at once, and what fits nothing is named`() throws {
    let one = try record("one.kymo", "one")
    let two = try record("two.kymo", "two", transitions: 2)
    let (first, second) = (try uuid(one), try uuid(two))
    let list = try place.file(
      "l.csv",
      "\u{feff}uuid,transition,label,note,at\r\n\(first),0,cancel,\"a,b\",2026-05-04T12:30:00Z\r\n"
        + "\(second),1,unsure,,\r\ngone,0,finish,,\r\n\(second),7,finish,,\r\n")
    let run = try kymo("label", one, two, "--import", list)
    #expect(run.code == 3)
    #expect(
      run.errors.contains(
        "l.csv:4: left out: no recording has transition 0 of the session gone"))
    #expect(run.errors.contains("l.csv:5: left out: "))
    #expect(
      try labels(one, two) == ["0 finish cancel true a,b", "0 finish - - -", "1 cancel unsure - -"])
    let before = try place.bytes("one.kymo")
    for text in [
      "", "uuid,transition,label\n\(first),0,finish\n\(first),0,cancel\n",
      "uuid,transition,label\n\(first),0\n",
      "a,b\n", "uuid,transition,label,note\n\(first),0,finish,\"\n",
    ] {
      let refused = try kymo("label", one, "--import", "-", input: text)
      #expect(
        refused.code == 4,
        "\(refused.errors)")
      #expect(
        refused.errors.hasPrefix("kymo label: standard input:"),
        "\(refused.errors)")
    }
    #expect(try place.bytes("one.kymo") == before)
    // What is said elsewhere goes before, for those who ask for it.
    let other = try place.file("o.csv", "uuid,transition,label\n\(first),0,finish\n")
    #expect(try labels(one, "--labels", other) == ["0 finish finish false -"])
    #expect(try answers("rule try", one, "--labels", other)[0]["wrong"] == .bool(true))
    let work = try kymo("rows", "--labels", other, "--try", "--rule progress", input: one + "\n")
    let row = try parseJSON(Array(work.output.utf8))
    #expect(work.code == 0)
    #expect(
      work.output.contains(
        "\"labels\":[{\"transition\":0,\"t_ns\":50000000,\"decision\":\"finish\",\"label\":\"finish\",\"wrong\":false,"
      ))
    #expect(row["whatif"].array.first?["label"].text == "finish")
  }

  @Test
  func `labels beside a recording that cannot be read are told, and stop what judges by them`()
    throws
  {
    let path = try record("run.kymo", "drag")
    _ = try place.file("run.kymo.labels.csv", "uuid,transition,label\nx,0\n")
    for words in [["show", path], ["list sessions", path]] {
      let run = try kymo(words)
      #expect(run.code == 0)
      #expect(
        (run.output + run.errors).contains(
          "run.kymo.labels.csv:2: the line must have 3 fields (got 2)"))
    }
    for words in [["list labels", path], ["label", path, "finish"], ["rule try", path]] {
      let run = try kymo(words)
      #expect(
        run.code == 4,
        "\(words): \(run.code) \(run.errors)")
      #expect(
        run.errors.contains("labels.csv:2: "),
        "\(words): \(run.code) \(run.errors)")
    }
  }
}
