import Foundation
import JSONText
import TestSupport
import Testing

/// Answers about a recording that has no keys, only elements, such as that of a watched page.
@Suite struct PageRecordingTests {
  let place: Workplace
  private let page: String

  /// A sheet follows a finger for 100 ms. After the lift it rests at 200 by a critical spring of 20 rad/s, and a scrim
  /// before it in the document appears. Ten rows move alike by 30 pt.
  init() throws {
    place = try Workplace()
    var lines = [
      #"{"kymograph": 1, "name": "page", "refreshRate": 100, "viewport": [400, 800]}"#,
      #"{"t_ns": 0, "event": "action", "kind": "drag"}"#,
      #"{"t_ns": 0, "touch": {"contact": 0, "phase": "began", "x": 100, "y": 700}}"#,
    ]
    for frame in 0...120 {
      let time = frame * 10_000_000
      let t = Double(frame - 10) / 100
      let way = 300 + (20 * 300) * t
      let y = frame <= 10 ? 700 - 20 * Double(frame) : 200 + way * exp(-20 * t)
      let alpha = frame <= 10 ? 0 : 0.5 - 0.5 * exp(-10 * t)
      let rows = (0..<10).map { row in
        #"{"id": "row\#(row)", "center": [50, \#(Double(row) * 40 + min(30, Double(frame)))], "size": [80, 30]}"#
      }
      let items =
        [#"{"id": "sheet", "center": [200, \#(y)], "size": [400, 300]}"#]
        + [#"{"id": "scrim", "center": [200, 400], "size": [400, 800], "alpha": \#(alpha)}"#] + rows
      let phase = frame <= 10 ? "driving" : "settling"
      lines.append(
        #"{"t_ns": \#(time), "frame": {"phase": "\#(phase)", "items": [\#(items.joined(separator: ", "))]}}"#
      )
      if frame == 10 {
        lines.append(
          #"{"t_ns": \#(time), "touch": {"contact": 0, "phase": "ended", "x": 100, "y": 500}}"#)
      }
    }
    page = place.path("page.kymo")
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", page, input: lines.joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `a fit finds the elements that move after the lift, and those that move alike once`()
    throws
  {
    let run = try kymo("fit", page, "--json")
    let fits = try parseJSON(Array(run.output.utf8))["fits"].array
    let subjects = fits.compactMap { $0["subject"].text }
    // The rows rest 200 ms after the lift; one of the ten is fitted.
    #expect(
      subjects == ["item.sheet.center.y", "item.scrim.alpha", "item.row0.center.y"], "\(run.output)"
    )
    let named = try kymo("fit", page, "--key", "item.sheet.center.y", "--json")
    let spring = try parseJSON(Array(named.output.utf8))["fits"].array
    #expect(spring.first == fits.first)
    let still = try kymo("fit", page, "--key", "item.sheet.center.x")
    #expect(still.code == 1, "\(still.output)")
  }

  @Test func `a plot and the player show the elements that move most`() throws {
    let plot = try kymo("plot", page)
    #expect(plot.code == 0, "\(plot.errors)")
    #expect(plot.errors == "", "\(plot.errors)")
    for name in ["item.sheet.center.y", "item.scrim.alpha", "item.row0.center.y"] {
      #expect(plot.output.contains("\(name)\n"), "\(plot.output)")
    }
    #expect(!plot.output.contains("row1"))
    #expect(!plot.output.contains("center.x"))
    let cast = place.path("page.cast")
    #expect(try kymo("replay", page, "--cast", cast, "--size", "100x30").code == 0)
    let shown = try String(contentsOfFile: cast, encoding: .utf8)
    #expect(shown.contains("item.sheet.center.y"))
    // No decision was recorded, so the headline is that of the story.
    #expect(shown.contains("fault"))
  }

  @Test func `more curves than are shown are counted, and a name shows each`() throws {
    var lines = [#"{"kymograph": 1, "name": "many"}"#]
    for frame in 0...20 {
      let items = (0..<11).map {
        #"{"id": "e\#($0)", "center": [\#(frame * ($0 + 1)), 0], "size": [4, 4]}"#
      }
      lines.append(
        #"{"t_ns": \#(frame * 10_000_000), "frame": {"items": [\#(items.joined(separator: ", "))]}}"#
      )
    }
    let many = place.path("many.kymo")
    #expect(
      try kymo(
        "record", "--from-ndjson", "-", "--into", many, input: lines.joined(separator: "\n")
      ).code == 0)
    let plot = try kymo("plot", many)
    #expect(plot.output.contains("item.e10.center.x\n"))
    #expect(!plot.output.contains("item.e2.center.x"))
    #expect(plot.errors.contains("3 more values of elements change. Name them with --key"))
    #expect(try kymo("plot", many, "--key", "item.e2.center.x").output.contains("item.e2.center.x"))
  }

  @Test
  func `elements of a page are drawn in the document's order, also if the later one moves first`()
    throws
  {
    let lines = [
      #"{"kymograph": 1, "name": "page", "viewport": [100, 100]}"#,
      #"{"declare": "item", "id": "scrim"}"#, #"{"declare": "item", "id": "sheet"}"#,
      #"{"t_ns": 0, "frame": {"items": [{"id": "sheet", "frame": [0, 50, 100, 50]}]}}"#,
      #"{"t_ns": 10000000, "frame": {"changed": [{"id": "sheet", "frame": [0, 40, 100, 50]}, {"id": "scrim", "frame": [0, 0, 100, 100], "alpha": 0.5}]}}"#,
    ]
    let path = place.path("order.kymo")
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path, input: lines.joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
    let items = try answers("sql", path, "SELECT id FROM items ORDER BY item")
    #expect(items.map { $0["id"].text } == ["scrim", "sheet"])
    let drawn = try answers("replay", path, "--at", "0.01", "--items")
    #expect(drawn.map { $0["id"].text } == ["scrim", "sheet"])
  }

  @Test(.enabled(if: BrowserOnMachine.hasShell))
  func `a scrim before a sheet is behind it, if the sheet moves first`() throws {
    let html = try place.file(
      "order.html",
      """
      <!doctype html><style>
      #scrim, #sheet { position: fixed; left: 0; width: 300px; height: 300px }
      #scrim { top: 0; pointer-events: none; background: black; opacity: 0; transition: opacity 100ms }
      #sheet { top: 400px; background: teal; transition: top 300ms }
      </style><button id="go">go</button><div id="scrim"></div><div id="sheet"></div><script>
      go.onclick = () => {
        sheet.style.top = "100px";
        setTimeout(() => { scrim.style.opacity = "0.5"; }, 150);
      };
      </script>
      """)
    let path = place.path("watched.kymo")
    let run = try kymo(
      "watch", html, "--viewport", "400x800", "--click", "#go", "--wait", "600", "--into", path)
    #expect([0, 1].contains(run.code), "\(run.errors)")
    let items = try answers("sql", path, "SELECT id FROM items ORDER BY item")
    #expect(items.compactMap { $0["id"].text }.filter { $0 != "go" } == ["scrim", "sheet"])
  }
}

/// What a story says of scrolls that a link begins.
@Suite(.enabled(if: BrowserOnMachine.hasShell)) struct LinkScrollTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test(arguments: [("smooth", 250.0...), ("auto", 0.0...)])
  func `a link to a place of the page is a scroll that has a rest`(
    behavior: String, waits: PartialRangeFrom<Double>
  ) throws {
    let html = try place.file(
      "anchor.html",
      """
      <!doctype html><style>html { scroll-behavior: \(behavior) } p { height: 900px }</style>
      <a id="jump" href="#end">to the end</a><p>a</p><p id="end">b</p><p>c</p>
      """)
    let run = try kymo("watch", html, "--click", "#jump")
    #expect(run.code == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("page: scrolls by") })
    let wait = try #require(
      line.split(separator: " ms after the click").first?.split(separator: " ").last.flatMap {
        Double($0)
      })
    #expect(waits.contains(wait), "\(line)")
  }
}

/// The session that a command takes from a file with several.
@Suite struct LastSessionTests {
  @Test
  func
    `a command that takes one session of several says which, and says nothing of one that is named`()
    throws
  {
    let place = try Workplace()
    let path = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "two.kymo", "--name", "open")
    let calls: [[String]] = [
      ["report", path, "-o", place.path("page.html"), "--force"], ["velocity", path],
      ["replay", path, "--json"], ["plot", path, "--key", "progress"],
      ["fit", path, "--key", "progress"],
      ["list", "decisions", path], ["list", "keys", path], ["list", "events", path],
      ["list", "touches", path], ["export", "csv", path, "--out", place.path("folder")],
    ]
    for call in calls {
      let one = try kymo(call)
      #expect(!one.errors.contains("sessions"), "\(call): \(one.errors)")
    }
    try FileManager.default.removeItem(atPath: place.path("folder"))
    _ = try place.record(
      Scenarios.pinch, gesture: "pinch-back.evemu", into: "two.kymo", "--name", "back")
    for call in calls {
      let run = try kymo(call)
      let notes = run.errors.split(separator: "\n").filter { $0.contains("has 2 sessions") }
      #expect(notes.count == 1, "\(call): \(run.errors)")
      #expect(notes.first?.contains("two.kymo has 2 sessions; this is the last, #2 'back'") == true)
      try? FileManager.default.removeItem(atPath: place.path("folder"))
      let named = try kymo(call.map { $0 == path ? "\(path)#2" : $0 })
      #expect(named.code == run.code, "\(call)")
      #expect(named.output == run.output, "\(call)")
      #expect(!named.errors.contains("sessions"), "\(call): \(named.errors)")
      try? FileManager.default.removeItem(atPath: place.path("folder"))
    }
  }
}
