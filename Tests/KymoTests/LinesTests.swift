// More than 400 lines: each kind of line that an app writes, and what becomes of one that is wrong.

import Foundation
import JSONText
import TestSupport
import Testing

/// An app's own lines.
@Suite struct LinesTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func record(
    _ lines: String, code: Int32 = 0, _ more: String...
  ) throws -> (path: String, run: ProgramRun) {
    let run = try kymo(
      ["record", "--from-ndjson", "-", "--into", place.path("app.kymo"), "--json"] + more,
      input: Data(lines.utf8))
    #expect(run.code == code, "\(run.errors)")
    return (place.path("app.kymo"), run)
  }

  private static let example = """
    {"kymograph": 1, "name": "sheet", "refreshRate": 60, "viewport": [390, 844], "clock": "app", "device": "a phone", "software": "sheets 2.1"}
    {"t_ns": 0, "event": "start", "to": "open"}
    {"t_ns": 0, "touch": {"contact": 0, "phase": "began", "x": 195, "y": 700.5, "slot": 1, "trackingID": 44}}
    {"t_ns": 0, "key": "progress", "value": 0}
    {"t_ns": 0, "key": "height", "value": 120, "unit": "pt"}
    {"t_ns": 0, "frame": {"progress": 0, "contentOffset": [0, 5], "contentSize": [390, 900], "items": [{"id": "sheet", "frame": [0, 724, 390, 120]}, {"id": "title", "kind": "supplementary", "elementKind": "header", "indexPath": [2, 3], "center": [195, 30], "size": [100, 40], "alpha": 0.5, "zIndex": 4, "hidden": true, "transform": [0, 1, -1, 0, 3, 4]}]}}
    {"t_ns": 16666667, "key": "progress", "value": 0.25}
    {"t_ns": 16666667, "key": "height", "value": 300.125}
    {"t_ns": 16666667, "frame": {"progress": 0.25, "items": [{"id": "sheet", "frame": [0, 544, 390, 300]}]}}
    {"t_ns": 20000000, "touch": {"contact": 0, "phase": "ended", "x": 195, "y": 500, "resampled": true}}
    {"t_ns": 20000000, "event": "finish", "velocity": 12.5, "why": ["fast", 1, null]}
    {"t_ns": 33333333, "key": "progress", "value": 1, "phase": "settling"}
    {"t_ns": 33333333, "frame": {"phase": "settling", "progress": 1, "items": []}}
    """

  @Test func `half of a character in a name costs that character and no frame`() throws {
    let (path, run) = try record(
      #"{"kymograph": 1, "name": "cut \ud83d"}"# + "\n"
        + (0..<5).map {
          #"{"t_ns": \#($0 * 16_000_000), "frame": {"items": [{"id": "a\ud83d", "frame": [0, 0, 1, 1]}]}}"#
            + "\n"
        }.joined() + #"{"t_ns": 1, "event": "tap", "on": "\udc00 b\ud83d\u0041"}"# + "\n")
    #expect(run.errors == "")
    let items = try answers("replay", path, "--items")
    #expect(items.map { $0["id"].text } == Array(repeating: "a\u{FFFD}", count: 5))
    #expect(try answers("list sessions", path)[0]["name"].text == "cut \u{FFFD}")
    #expect(try answers("list events", path)[0]["on"].text == "\u{FFFD} b\u{FFFD}A")
  }

  /// The lines of a pinch that is let go: a name for the progress, its values, and what else is there.
  private func pinch(
    key: String = "progress", step: Int = 16_000_000, _ more: (Int) -> String
  ) -> String {
    "{\"kymograph\": 1}\n{\"t_ns\": 0, \"event\": \"start\"}\n"
      + (0..<6).map {
        "{\"t_ns\": \($0 * step), \"key\": \"\(key)\", \"value\": \(Double($0) / 10)}\n"
      }.joined() + more(5 * step)
  }

  private func decision(_ progress: Double) -> String {
    pinch {
      #"{"t_ns": \#($0), "decision": {"outcome": "finish", "rule": "progress", "threshold": 0.3, "progress": \#(progress)}}"#
        + "\n"
    }
  }

  @Test(arguments: [
    "finished", "Finish", "finishes", "finsh", "cancelled", "canceled", "cancle", "started",
    "Start",
  ])
  func `an event that was meant to begin or end a transition is named`(name: String) throws {
    let verb =
      name.lowercased().hasPrefix("f") ? "finish" : name.hasPrefix("c") ? "cancel" : "start"
    let event = "\", \"event\": \"\(name)\"}\n".dropFirst()
    let (_, run) = try record(
      pinch { "{\"t_ns\": \($0)\(event){\"t_ns\": \($0)\(event)" }, code: 3)
    #expect(
      run.errors
        == "kymo record: standard input:9: the event '\(name)' neither begins nor ends a transition. "
        + "Did you mean \(verb)?\n")
  }

  @Test func `events of an app's own are not doubted`() throws {
    for name in ["state", "stage", "startup", "finishLine", "cancelButton", "panel", "tap", "end"] {
      #expect(try record(pinch { "{\"t_ns\": \($0), \"event\": \"\(name)\"}\n" }).run.errors == "")
    }
  }

  @Test func `a progress of another name, and an outcome of another name, are named`() throws {
    #expect(
      try record(pinch(key: "Progress") { _ in "" }, code: 3).run.errors
        == "kymo record: standard input:3: the key 'Progress' is not treated as the progress. Name it "
        + "'progress'\n")
    let both = pinch(key: "Progress") { "{\"t_ns\": \($0), \"key\": \"progress\", \"value\": 1}\n" }
    #expect(try record(both).run.errors == "")
    let outcome = decision(0.5).replacing("\"finish\"", with: "\"finished\"")
    #expect(
      try record(outcome, code: 3).run.errors.contains(
        "unknown value 'finished'. Did you mean finish?"))
  }

  @Test(arguments: [(16_000, "microseconds"), (16, "milliseconds"), (99_999, "microseconds")])
  func `times in another unit are named`(step: Int, unit: String) throws {
    #expect(
      try record(pinch(step: step) { _ in "" }, code: 3).run.errors
        == "kymo record: standard input: values are \(step) ns apart on average, so t_ns seems to be in "
        + "\(unit). It must be in nanoseconds\n")
  }

  @Test func `values that are near to each other between even frames are no other unit`() throws {
    let near = pinch { time in
      (0..<50).map { "{\"t_ns\": \(time + $0 * 1_000), \"key\": \"x\", \"value\": \($0)}\n" }
        .joined()
    }
    #expect(try record(near).run.errors == "")
    #expect(try record(pinch(step: 100_000) { _ in "" }).run.errors == "")
  }

  @Test func `a decision whose progress is not that of the key is named`() throws {
    for progress in [0.36, 0.5, 0.6, 0.64] {
      #expect(try record(decision(progress)).run.errors == "", "\(progress)")
    }
    for progress in [0.1, 0.34, 0.66, 0.9] {
      #expect(
        try record(decision(progress), code: 3).run.errors
          == "kymo record: standard input:9: the decision has the progress \(progress), but the key "
          + "'progress' is 0.5 then\n")
    }
    // The value behind the decision counts as long as it is driven.
    let next = #"{"t_ns": 96000000, "key": "progress", "value": 0.9}"# + "\n"
    #expect(try record(decision(0.9) + next).run.errors == "")
    let settled = next.replacing("}", with: #", "phase": "settling"}"#)
    #expect(try record(decision(0.9) + settled, code: 3).run.errors.contains("is 0.5 then"))
  }

  @Test func `an export is recorded again without a doubt`() throws {
    let (path, _) = try record(
      pinch(step: 16_000) { "{\"t_ns\": \($0), \"event\": \"finished\"}\n" }, code: 3)
    let lines = try kymo("export", "ndjson", path).output
    let again = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("b.kymo"), input: lines)
    #expect(again.code == 0)
    #expect(again.errors == "")
  }

  @Test func `everything that an app sends can be asked for again`() throws {
    let (path, run) = try record(Self.example + "\n")
    #expect(run.errors == "")
    let row = try rows(run.output)[0]
    #expect(row["outcome"].text == "finished")
    #expect(row["duration_s"].number == 0.033333333)
    let session = try answers("list sessions", path)[0]
    #expect(session["name"].text == "sheet")
    #expect(session["clock"].text == "app")
    #expect(session["device"].text == "a phone")
    #expect(session["software"].text == "sheets 2.1")
    #expect(session["refresh_rate"].number == 60)
    #expect(session["viewport"].numbers == [390, 844])
    #expect(session["clean"] == .bool(true))

    let keys = try answers("replay", path, "--keys")
    #expect(
      keys.map { $0["key"].text } == ["progress", "height", "progress", "height", "progress"])
    #expect(keys.map { $0["value"].number } == [0, 120, 0.25, 300.125, 1])
    #expect(keys[1]["unit"].text == "pt")
    #expect(keys[4]["phase"].text == "settling")
    #expect(try answers("list keys", path)[0]["role"].text == "progress")

    let items = try answers("replay", path, "--items")
    #expect(items.map { $0["id"].text } == ["sheet", "title", "sheet"])
    #expect(items[0]["frame"].numbers == [0, 724, 390, 120])
    #expect(items[0]["content_offset"].numbers == [0, 5])
    #expect(items[1]["category"].text == "supplementary")
    #expect(items[1]["element_kind"].text == "header")
    #expect(items[1]["index_path"].numbers == [2, 3])
    #expect(items[1]["alpha"].number == 0.5)
    #expect(items[1]["z_index"].integer == 4)
    #expect(items[1]["hidden"] == .bool(true))
    #expect(items[1]["transform"].numbers == [0, 1, -1, 0, 3, 4])
    // A quarter turn about the center swaps width and height, then the shift is added.
    #expect(items[1]["frame"].numbers == [178, -16, 40, 100])
    let frames = try answers("replay", path)
    #expect(frames.map { $0["phase"].text } == ["driving", "driving", "settling"])
    #expect(frames.map { $0["progress"].number } == [0, 0.25, 1])

    let touches = try answers("list touches", path)
    #expect(touches.map { $0["phase"].text } == ["began", "ended"])
    #expect(touches[0]["tracking_id"].integer == 44)
    #expect(touches.map { $0["resampled"] } == [.bool(false), .bool(true)])
    #expect(touches[1]["slot"] == .null)
    let events = try answers("list events", path)
    #expect(events.map { $0["event"].text } == ["start", "finish"])
    #expect(events[1]["velocity"].number == 12.5)
    #expect(events[1]["why"] == .array([.string("fast"), .integer(1), .null]))
  }

  @Test func `the flag's name comes before the header's`() throws {
    let (path, _) = try record("{\"kymograph\": 1, \"name\": \"a\"}\n", "--name", "b")
    #expect(try answers("list sessions", path)[0]["name"].text == "b")
    #expect(try answers("list sessions", path)[0]["outcome"].text == "none")
  }

  @Test func `blank lines, line ends of Windows and a last line without an end are understood`()
    throws
  {
    let (path, _) = try record(
      "{\"kymograph\": 1}\r\n\r\n   \n{\"t_ns\": 5, \"key\": \"a\", \"value\": 1}\r\n"
        + "{\"t_ns\": 6, \"key\": \"a\", \"value\": 2}")
    #expect(try answers("replay", path, "--keys").map { $0["value"].number } == [1, 2])
  }

  @Test func `a bad line is left out and counted, and the rest is kept`() throws {
    let bad = [
      "{", "[1]", "{\"key\": \"a\", \"value\": 1}", "{\"t_ns\": 1}",
      "{\"t_ns\": 1.5, \"key\": \"a\", \"value\": 1}", "{\"t_ns\": 1, \"key\": \"a\"}",
      "{\"t_ns\": 1, \"key\": \"a\", \"value\": \"1\"}",
      "{\"t_ns\": 1, \"key\": \"a\", \"value\": 1e999}",
      "{\"t_ns\": 1, \"key\": \"a\", \"value\": 1, \"colour\": 2}",
      "{\"t_ns\": 1, \"key\": \"a\", \"value\": 1, \"phase\": \"asleep\"}",
      "{\"t_ns\": 1, \"frame\": {\"items\": [{\"id\": \"x\"}]}}",
      "{\"t_ns\": 1, \"frame\": {\"items\": [{\"id\": \"x\", \"frame\": [0,0,1,1]}, {\"id\": \"x\", \"frame\": [0,0,1,1]}]}}",
      "{\"t_ns\": 1, \"touch\": {\"contact\": 0, \"phase\": \"began\", \"x\": 1}}",
      "{\"t_ns\": 1, \"touch\": {\"contact\": 99999999999, \"phase\": \"began\", \"x\": 1, \"y\": 1}}",
      "{\"t_ns\": 1, \"event\": 7}",
    ]
    for line in bad {
      let path = place.path("app.kymo")
      try? FileManager.default.removeItem(atPath: path)
      let (_, run) = try record(
        "{\"kymograph\": 1}\n{\"t_ns\": 0, \"key\": \"a\", \"value\": 1}\n\(line)\n"
          + "{\"t_ns\": 2, \"key\": \"a\", \"value\": 2}\n", code: 3)
      #expect(
        run.errors.wholeMatch(of: #/kymo record: standard input:3:(\d+:)? left out: .*[^.]\n/#)
          != nil,
        "\(line): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(line)")
      #expect(
        try answers("replay", path, "--keys").map { $0["value"].number } == [1, 2], "\(line)")
      #expect(try answers("replay", path) == [], "\(line)")
      #expect(try answers("list touches", path) == [], "\(line)")
    }
    let (_, many) = try record(
      "{\"kymograph\": 1}\n" + String(repeating: "?\n", count: 1000), code: 3)
    #expect(many.errors.split(separator: "\n").count == 6)
    #expect(many.errors.contains("995 more lines are left out"))
  }

  @Test func `lines that are left out are named in their order`() throws {
    // The second one is JSON, so it is looked at when lines are sorted by time.
    let (_, run) = try record(
      "{\"kymograph\": 1}\n{\"t_ns\": 1, \"key\": \"a\"}\nno line\n[\n", code: 3)
    #expect(
      run.errors == """
        kymo record: standard input:2: left out: missing field 'value'
        kymo record: standard input:3:1: left out: unexpected 'n'. Expected a value
        kymo record: standard input:4:2: left out: unexpected end of text. Expected a value

        """)
  }

  @Test func `a first line that is no header is refused, and no file is made`() throws {
    for header in [
      "", "\n", "hello", "{\"t_ns\": 0, \"key\": \"a\", \"value\": 1}", "{\"kymograph\": 2}",
      "{\"kymograph\": 1, \"viewport\": [1]}", "{\"kymograph\": 1, \"refreshRate\": 0}",
      "{\"kymograph\": 1, \"viewprt\": [1, 2]}", "{\"kymograph\": \"1\"}",
    ] {
      let (_, run) = try record(header, code: 4)
      #expect(run.errors.hasPrefix("kymo record: standard input"), "\(header)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(header)")
      #expect(run.output == "")
    }
    #expect(try place.names() == [])
  }

  @Test func `an event's own fields may have any name`() throws {
    let (path, _) = try record(
      """
      {"kymograph": 1}
      {"t_ns": 1, "event": "bound", "key": "height", "frame": 3, "touch": null, "value": 2}
      """)
    let event = try #require(try answers("list events", path).first)
    #expect(event["event"].text == "bound")
    #expect(event["key"].text == "height")
    #expect(event["frame"].integer == 3)
    #expect(try answers("list keys", path) == [])
  }

  @Test func `times may repeat, run backwards and be absurd`() throws {
    let times: [Int64] = [5, 5, 3, -7, .max, .min, 0]
    let (path, _) = try record(
      "{\"kymograph\": 1}\n"
        + times.enumerated().map {
          "{\"t_ns\": \($0.element), \"key\": \"a\", \"value\": \($0.offset)}\n"
        }.joined(), code: 3)
    let values = try answers("replay", path, "--keys").map { $0["value"].number }
    #expect(values == [5, 3, 6, 2, 0, 1, 4])
    for command in ["show", "list sessions", "list keys", "replay", "velocity"] {
      #expect(try kymo(command, path).code == 0, "\(command)")
    }
    #expect(try kymo("compare", path, path).code == 0)
    let endless = try kymo("replay", path, "--keys", "--rate", "1000000")
    #expect(endless.code == 2)
    #expect(endless.errors.contains("--rate"))
  }

  @Test func `touches with a pressure and a type are kept`() throws {
    let (path, run) = try record(
      """
      {"kymograph": 1}
      {"t_ns": 1, "touch": {"contact": 0, "phase": "began", "x": 1, "y": 2, "pressure": 0.5, "type": "pen"}}
      {"t_ns": 2, "touch": {"contact": 0, "phase": "ended", "x": 1, "y": 2, "pressure": null, "type": "touch"}}
      """)
    #expect(run.errors == "")
    #expect(try answers("list touches", path).map { $0["phase"].text } == ["began", "ended"])
  }

  /// Touches every ten milliseconds, and each second one that comes so much later than it is stamped.
  private func late(_ milliseconds: Int) -> String {
    var lines: [(at: Int, text: String)] = []
    for step in 0..<200 {
      let time = step * 10
      let phase = step == 0 ? "began" : step == 199 ? "ended" : "moved"
      lines.append(
        (
          at: time + (step % 2 == 1 ? milliseconds : 0),
          text:
            "{\"t_ns\": \(time * 1_000_000), \"touch\": {\"contact\": 0, \"phase\": \"\(phase)\", "
            + "\"x\": \(step), \"y\": 0}}"
        ))
    }
    let sorted = lines.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    return (["{\"kymograph\": 1}"] + sorted.map(\.element.text)).joined(separator: "\n") + "\n"
  }

  @Test func `lines out of the order of time are sorted, and told where they come too late`() throws
  {
    let (sorted, run) = try record(late(195))
    #expect(run.errors == "")
    let touches = try answers("list touches", sorted)
    #expect(touches.map { $0["x"].number } == (0..<200).map { Double($0) })
    let velocity = try answers("velocity", sorted, "--key", "finger.0.x,finger.0.y")
    #expect(abs((velocity[0]["velocity"].number ?? 0) - 100) < 1e-6)
    try FileManager.default.removeItem(atPath: sorted)
    let (path, told) = try record(late(800), code: 3)
    #expect(told.errors.contains("out of the order of t_ns by more than 200 ms"))
    #expect(told.errors.split(separator: "\n").count == 1)
    #expect(try answers("list touches", path).count == 200, "each is kept")
  }

  @Test func `an app's own gesture has a release in every command, named as derived`() throws {
    let (path, _) = try record(Self.example + "\n")
    let release = try #require(try answers("show", path)[0]["releases"].array.first)
    #expect(release["derived"].text == "lift")
    #expect(release["t_ns"].integer == 20_000_000)
    #expect(release["progress"].number == 0.25)
    #expect(try kymo("show", path).output.contains("finish at 0.02 s (derived from the lift)"))
    let session = try answers("list sessions", path)[0]
    #expect(session["releases"].integer == 1)
    #expect(session["derived"].integer == 1)
    let velocity = try answers("velocity", path, "--key", "progress")[0]
    #expect(velocity["decision"].text == "finish")
    #expect(velocity["derived"].text == "lift")
    #expect(velocity["rule"] == .null)
    #expect(velocity["margin"] == .null)
    #expect(try kymo("velocity", path).output.contains("At 0.02 s: finish, derived from the lift."))
    let gesture = try answers("rule try", path, "--set", "release.threshold=0.2")[0]
    #expect(gesture["derived"].text == "lift")
    #expect(gesture["decision"].text == "finish")
    let table = try kymo("rule try", path).output
    #expect(table.contains("1 gesture decided again, 1 flips."))
    #expect(table.contains("derived from the lift"))
    let compared = try answers("compare", path, path).first { $0["row"].text == "decision" }
    #expect(compared?["derived_a"].text == "lift")
    #expect(
      try answers("sql", path, "SELECT derived, progress FROM releases")[0]["derived"].text
        == "lift")
    #expect(try answers("sql", path, "SELECT * FROM decisions") == [])
    #expect(
      try kymo("export", "csv", path, "--table", "decisions").output.split(separator: "\r\n").count
        == 1)
    let cast = place.path("run.cast")
    #expect(try kymo("replay", path, "--cast", cast).code == 0)
    #expect(try String(contentsOfFile: cast, encoding: .utf8).contains("derived from the lift"))
  }

  @Test func `an interrupt ends the recording as the end of the input does`() throws {
    // The recording shows up as soon as its first quarter of a second is committed.
    let script = """
      mkfifo "$1.pipe"
      "$program" record --from-ndjson "$1.pipe" --into "$1" >/dev/null &
      child=$!
      exec 3>"$1.pipe"
      echo '{"kymograph": 1}' >&3
      echo '{"t_ns": 0, "key": "a", "value": 1}' >&3
      echo '{"t_ns": 1000000000, "key": "a", "value": 2}' >&3
      echo '{"t_ns": 2000000000, "key": "a", "value": 3}' >&3
      tries=0
      until kymo list keys "$1" 2>/dev/null | grep -q '^a ' || [ $((tries += 1)) -gt 1000 ]; do :; done
      kymo record --scenario "$2" --into "$1" 2>/dev/null
      echo "second recorder $?"
      kill -INT $child
      wait $child
      echo "code $?"
      """
    let run = try shell(
      script, [place.path("live.kymo"), fixture("scenarios/\(Scenarios.script)")])
    #expect(run.output == "second recorder 4\ncode 0\n", "\(run.errors)")
    #expect(try answers("list sessions", place.path("live.kymo"))[0]["clean"] == .bool(true))
    #expect(
      try answers("replay", place.path("live.kymo"), "--keys").map { $0["value"].number } == [
        1, 2, 3,
      ])
  }
}
