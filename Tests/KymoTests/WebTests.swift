import Foundation
import JSONText
import TestSupport
import Testing

/// The browser recorder: its files, and what `kymo` makes of the lines that it hands out.
@Suite struct WebTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let names = [
    "record-auto.js", "record-auto.min.js", "record.html", "record.js", "record.min.js",
  ]

  private func shipped(_ name: String) throws -> Data {
    try Data(contentsOf: packageFolder.appendingPathComponent("Tools/web/\(name)"))
  }

  @Test func `the recorder and the pad are written as they are in the project`() throws {
    let run = try kymo("web-recorder", "-o", place.path("public"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    for name in WebTests.names {
      #expect(try place.bytes("public/\(name)") == shipped(name))
      #expect(run.output.contains("Wrote \(place.path("public"))/\(name) ("))
    }
    #expect(run.output.split(separator: "\n").count == WebTests.names.count)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.path("public")).sorted()
        == WebTests.names)
  }

  @Test func `without a folder they are written where one stands`() throws {
    let run = try kymo(["web-recorder"], in: place.folder.url.path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.hasPrefix("Wrote record.js ("))
    #expect(try place.names() == WebTests.names)
  }

  @Test func `files that kymo made are made anew, and others only when that is asked for`() throws {
    let folder = place.folder.url.path
    #expect(try kymo("web-recorder", "-o", folder).code == 0)
    let old = try place.file("record.js", "/*! Made by kymo */\nolder();\n")
    #expect(try kymo("web-recorder", "-o", folder).code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == shipped("record.js"))
    _ = try place.file("record.min.js", "mine();\n")
    _ = try place.file("record.js", "/*! Made by kymo */\nolder();\n")
    let refused = try kymo("web-recorder", "-o", folder)
    #expect(refused.code == 2)
    #expect(refused.output == "")
    #expect(
      refused.errors
        == "kymo web-recorder: \(folder)/record.min.js is there already. Use --force to replace it\n"
    )
    #expect(
      String(decoding: try place.bytes("record.js"), as: UTF8.self).hasSuffix("older();\n"),
      "when one is in the way none is written")
    #expect(try place.names() == WebTests.names, "nothing half written is left")
    #expect(try kymo("web-recorder", "-o", folder, "--force").code == 0)
    #expect(try place.bytes("record.min.js") == shipped("record.min.js"))
  }

  @Test func `what is no folder is refused in a sentence`() throws {
    let file = try place.file("file", "mine")
    for (folder, code) in [(file, Int32(4)), (place.path("none/below"), 4), ("-", 2), ("", 2)] {
      let run = try kymo("web-recorder", "-o", folder)
      #expect(run.code == code, "\(folder)")
      #expect(run.output == "", "\(folder)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
    #expect(try place.names() == ["file"])
  }

  @Test func `the recorder fits into a bookmark, and no file needs anything from elsewhere`() throws
  {
    let script = try shipped("record.min.js")
    #expect(script.count <= 11 * 1024)
    #expect(try shipped("record-auto.min.js").count <= 24_000)
    // An address has no line ends, and a percent sign means something there.
    #expect(!script.dropLast().contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "%") })
    for name in WebTests.names {
      let text = String(decoding: try shipped(name), as: UTF8.self)
      #expect(text.prefix(128).contains("Made by kymo"))
      for word in ["import ", "require(", "src=", "http:", "https:"] {
        #expect(!text.contains(word), "\(name): \(word)")
      }
    }
  }

  private func recorded(_ name: String) throws -> String {
    let path = place.path("\(name).kymo")
    let run = try kymo(
      "record", "--from-ndjson", fixture("pages/sheet.\(name).ndjson"), "--into", path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    return path
  }

  @Test(arguments: ["finish", "cancel"])
  func `a sheet in a browser has one release, at the lift, that every command knows`(
    outcome: String
  ) throws {
    let path = try recorded(outcome)
    let releases = try answers("sql", path, "SELECT * FROM releases")
    #expect(releases.count == 1)
    let lift = try #require(answers("list touches", path).last)
    #expect(lift["phase"].text == "ended")
    #expect(releases[0]["outcome"].text == outcome)
    #expect(releases[0]["derived"].text == "lift")
    #expect(releases[0]["t_ns"] == lift["t_ns"])
    #expect(abs((releases[0]["progress"].number ?? 0) - 0.8025) < 1e-6)
    let velocity = try answers("velocity", path, "--key", "progress")[0]
    #expect(velocity["decision"].text == outcome)
    #expect(velocity["derived"].text == "lift")
    #expect(abs((velocity["velocity"].number ?? 0) - 5.955) < 0.05)
    let gesture = try #require(
      try answers("rule try", path, "--set", "release.threshold=0.7").first)
    #expect(gesture["recorded_decision"].text == outcome)
    #expect(gesture["derived"].text == "lift")
    #expect(try kymo("file doctor", path).code == 0)
  }

  @Test func `the finger of a drag is where it was sent, and lifts as fast`() throws {
    let path = try recorded("finish")
    let sent = try answers("list touches", fixture("gestures/drag-flick.getevent.txt"))
    let found = try answers("list touches", path)
    #expect(found.count == sent.count)
    let start = found[0]["t_ns"].integer ?? 0
    for (one, other) in zip(found, sent) {
      #expect(one["phase"] == other["phase"])
      for axis in ["x", "y"] {
        // The panel has three units a point, and a browser keeps places in single precision.
        let sent = Float((other[axis].number ?? 0) / 3)
        #expect(Float(one[axis].number ?? 0) == sent)
      }
      let delay = (one["t_ns"].integer ?? 0) - start - (other["t_ns"].integer ?? 0)
      #expect(abs(delay) <= 300_000, "a browser's clock has steps of a tenth of a millisecond")
    }
  }

  @Test func `a finger that the browser took is cancelled, with a warning, and has no velocity`()
    throws
  {
    let path = try recorded("taken")
    #expect(try answers("list touches", path).last?["phase"].text == "cancelled")
    let warning = try answers("list events", path).first { $0["event"].text == "warning" }
    #expect(warning?["code"].text == "pointercancel")
    let releases = try answers("sql", path, "SELECT * FROM releases")
    #expect(releases.map { $0["outcome"].text } == ["cancel"])
    #expect(try answers("velocity", path, "--key", "progress")[0]["velocity"] == .null)
  }

  @Test func `what a page had heard in each frame is in its recording, and comes out of it again`()
    throws
  {
    let (path, lines) = (place.path("auto.kymo"), fixture("pages/auto.drag.ndjson"))
    let run = try kymo("record", "--from-ndjson", lines, "--into", path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    let touches = try answers("list touches", path)
    #expect(touches.count == 28)
    for touch in touches {
      let (time, heard) = try (#require(touch["t_ns"].integer), #require(touch["heard_ns"].integer))
      #expect(heard >= time)
      if let told = touch["touch_heard_ns"].integer { #expect(told >= heard) }
    }
    let byTouchHandlers = touches.filter { $0["touch_heard_ns"].integer != nil }
    #expect((5..<28).contains(byTouchHandlers.count), "a browser keeps some moves from them")
    // The page moves its sheet to the newest place that it has heard of: each frame shows the one before it began.
    let shown = try answers(
      "sql", path,
      """
      SELECT f.began_ns, a.center_y - 430 AS shift FROM frames AS f
      JOIN attributes AS a ON a.session = f.session AND a.frame = f.frame
      WHERE a.id = 'div.sheet#1' AND f.unread = 0 AND a.change = 'changed' ORDER BY f.frame
      """)
    #expect(shown.count > 10)
    let landing = try #require(touches[0]["y"].number)
    for frame in shown {
      let began = try #require(frame["began_ns"].integer)
      let heard = touches.last {
        ($0["heard_ns"].integer ?? .max) <= began && $0["phase"].text != "ended"
      }
      let shift = (heard?["y"].number ?? landing) - landing
      #expect(abs((frame["shift"].number ?? .infinity) - shift) < 0.05)
    }
    let again = place.path("again.ndjson")
    #expect(try kymo("export", "ndjson", path, "-o", again).code == 0)
    let copy = place.path("copy.kymo")
    #expect(try kymo("record", "--from-ndjson", again, "--into", copy).code == 0)
    for view in ["touches", "frames"] {
      let rows = "SELECT * FROM \(view)"
      #expect(try answers("sql", copy, rows) == answers("sql", path, rows))
    }
    #expect(try kymo("file", "doctor", path).code == 0)
  }

  @Test func `a page without names has items that move by themselves, and says what rides on what`()
    throws
  {
    let path = place.path("auto.kymo")
    let lines = fixture("pages/auto.drag.ndjson")
    #expect(try kymo("record", "--from-ndjson", lines, "--into", path).code == 0)
    let items = try answers("sql", path, "SELECT id FROM items ORDER BY id").map { $0["id"].text }
    #expect(items == ["div.note#1", "div.scroller#1", "div.sheet#1", "div.sliding#1"])
    let events = try answers("list events", path)
    let carried = events.filter { $0["event"].text == "carried" }
    #expect(carried.map { $0["item"].text } == ["div.sliding#1"])
    #expect(carried.map { $0["by"].text } == ["div.sheet#1"])
    let declared = events.filter { $0["event"].text == "animation" }
    #expect(declared.map { $0["kind"].text } == ["CSSTransition"])
    #expect(declared.map { $0["duration_ms"].number } == [200])
    let offsets = try answers(
      "sql", path, "SELECT value, unit FROM samples WHERE key = 'scroll:y@div.scroller#1'")
    #expect(offsets.first?["value"].number == 0)
    #expect(offsets.last?["value"].number == 60)
    #expect(offsets.allSatisfy { $0["unit"].text == "px" })
  }

  @Test func `a browser's viewport and visibility are events like any other`() throws {
    let lines = """
      {"kymograph": 1, "clock": "performance.now"}
      {"t_ns": -5, "event": "viewport", "size": [390, 844], "dpr": 3}
      {"t_ns": 7, "event": "visibility", "state": "hidden"}
      """
    let path = place.path("page.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", path, input: lines)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    let events = try answers("list events", path)
    #expect(events.map { $0["event"].text } == ["viewport", "visibility"])
    #expect(events[0]["size"].numbers == [390, 844])
    #expect(events[0]["dpr"].number == 3)
    #expect(events[1]["state"].text == "hidden")
  }
}
