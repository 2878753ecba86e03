import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo scenario layout` over every type of layout.
@Suite struct LayoutTypeTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// A scenario with four items in two sections and one layout, in a viewport of 300 by 400.
  private func scenario(_ layout: String) throws -> String {
    try place.file(
      "scenario.json",
      """
      { "scenario": 1, "viewport": [300, 400], "contentOffset": [0, 0],
        "sections": [{ "id": "a", "items": 1 }, { "id": "b", "items": ["x", "y", "z"] }],
        "layouts": { "it": \(layout), "grid": { "type": "flow" } }, "initialLayout": "it" }
      """)
  }

  private func centers(_ rows: [Row]) -> [[Double]?] { rows.map { $0["center"].numbers } }

  @Test func `circle stands round the middle of the viewport that is asked for`() throws {
    let path = try scenario(#"{ "type": "circle", "itemSize": [50, 60] }"#)
    let rows = try answers("scenario layout", path)
    #expect(centers(rows) == [[270, 200], [150, 320], [30, 200], [150, 80]])
    #expect(rows.map { $0["id"].text } == ["a/0", "x", "y", "z"])
    #expect(rows[1]["size"].numbers == [50, 60])
    #expect(
      centers(try answers("scenario layout", path, "--bounds", "100x500"))
        == [[90, 250], [50, 290], [10, 250], [50, 210]])
    #expect(
      try answers("scenario layout", path, "--bounds", "100x500", "--rect", "0,0,50,230")
        .map { $0["id"].text } == ["y", "z"])
    let fixed = try scenario(#"{ "type": "circle", "radius": 100 }"#)
    #expect(centers(try answers("scenario layout", fixed)).first == [250, 200])
  }

  @Test func `line zooms what is in the middle of where it is scrolled to`() throws {
    let path = try scenario(
      #"{ "type": "line", "itemSize": [100, 60], "spacing": 20, "inset": [0, 100, 0, 100] }"#)
    // Centers at 150, 270, 390, 510; the middle of the viewport at 150.
    let rows = try answers("scenario layout", path, "--content")
    #expect(centers(rows).dropLast() == [[150, 200], [270, 200], [390, 200], [510, 200]])
    #expect(rows.map { $0["z_index"].integer } == [1, 1, 0, 0, nil])
    #expect(rows[0]["transform"].numbers == [1.3, 0, 0, 1.3, 0, 0])
    #expect(rows[4]["content_size"].numbers == [660, 400])
    let scrolled = try answers("scenario layout", path, "--offset", "360,0", "--content")
    #expect(scrolled.map { $0["z_index"].integer } == [0, 0, 1, 1, nil])
    #expect(scrolled[3]["transform"].numbers == [1.3, 0, 0, 1.3, 0, 0])
    #expect(scrolled[4]["content_offset"].numbers == [360, 0])
    let back = try answers(
      "scenario layout", path, "--offset", "-1000,-0.5", "--rect", "0,0,300,400")
    #expect(back.map { $0["id"].text } == ["a/0", "x"])
    #expect(back.map { $0["frame"].numbers?[2] } == [100, 100])
    let plain = try scenario(
      #"{ "type": "line", "scrollDirection": "vertical", "zoomFactor": 0.5, "activeDistance": 10 }"#
    )
    #expect(
      centers(try answers("scenario layout", plain)) == [
        [150, 100], [150, 350], [150, 600], [150, 850],
      ])
  }

  @Test func `stack hides what lies deep, over its backdrop`() throws {
    let path = try scenario(
      #"{ "type": "stack", "itemSize": [80, 80], "angleStep": 0, "itemOffset": [5, 0], "visibleBelowTop": 1, "backdropMargin": 10 }"#
    )
    let rows = try answers("scenario layout", path)
    #expect(
      rows.map { $0["category"].text } == ["cell", "cell", "cell", "cell", "decoration"])
    #expect(rows[4]["element_kind"].text == "backdrop")
    #expect(rows[4]["id"].text == "a/backdrop")
    #expect(rows[4]["frame"].numbers == [100, 150, 100, 100])
    #expect(rows.map { $0["hidden"] } == [false, false, true, true, false].map(JSONValue.bool))
    #expect(rows.map { $0["z_index"].integer } == [3, 2, 1, 0, -1])
    #expect(centers(rows)[1] == [155, 200])
    // Half way to the grid the backdrop, which the grid has not, is half gone.
    let mixed = try answers("scenario layout", path, "--progress", "0.5", "--mix-with", "grid")
    let backdrop = try #require(mixed.first { $0["category"].text == "decoration" })
    #expect(backdrop["alpha"].number == 0.5)
    #expect(mixed.first { $0["id"].text == "a/0" }?["center"].numbers == [87.5, 112.5])
    let aside = try scenario(#"{ "type": "stack", "center": [40, 50] }"#)
    #expect(
      centers(try answers("scenario layout", aside, "--rect", "0,0,41,51")).first == [40, 50])
  }

  @Test func `enlarged is a flow with one item grown inside the content`() throws {
    let path = try scenario(
      #"{ "type": "enlarged", "itemSize": [100, 60], "minimumInteritemSpacing": 0, "enlargedItem": [1, 1], "factor": 2, "headerReferenceSize": [0, 10] }"#
    )
    // Rows of three: a/0 at 10, then a header at 70, x, y and z at 80.
    let rows = try answers("scenario layout", path)
    #expect(
      rows.map { $0["id"].text } == ["a/header", "a/0", "b/header", "x", "y", "z"])
    #expect(rows.map { $0["z_index"].integer } == [0, 0, 0, 0, 1, 0])
    #expect(rows[4]["frame"].numbers == [50, 20, 200, 120])
    #expect(rows[5]["frame"].numbers == [200, 80, 100, 60])
    #expect(
      try answers("scenario layout", path, "--rect", "240,20,5,5").map { $0["id"].text } == ["y"])
    // Two a row in this width, which the enlarged one then takes wholly.
    let narrow = try answers("scenario layout", path, "--bounds", "200x400")
    #expect(narrow[4]["frame"].numbers == [0, 50, 200, 120])
    let plain = try answers(
      "scenario layout", try scenario(#"{ "type": "enlarged" }"#), "--progress", "0.5",
      "--mix-with", "grid")
    #expect(plain.allSatisfy { $0["size"].numbers == [50, 50] })
  }

  @Test func `pinch is a flow with one item at the size of a pinch`() throws {
    let path = try scenario(
      #"{ "type": "pinch", "itemSize": [100, 60], "pinchedItem": [1, 2], "pinchedSize": [30, 500] }"#
    )
    // Two in a row at this width; z stands alone in the third row.
    let rows = try answers("scenario layout", path)
    let z = try #require(rows.last)
    #expect(z["id"].text == "z")
    #expect(z["center"].numbers == [50, 160])
    #expect(z["size"].numbers == [30, 500])
    #expect(z["z_index"].integer == 100)
    #expect(
      try answers("scenario layout", path, "--rect", "40,380,5,5").map { $0["id"].text } == ["z"])
    let mixed = try answers("scenario layout", path, "--progress", "0.5", "--mix-with", "grid")
    #expect(mixed.last?["size"].numbers == [40, 275])
  }

  @Test func `flyIn stands as the flow that it is, with all its fields`() throws {
    let fields = #""itemSize": [30, 30], "scrollDirection": "horizontal", "snap": true"#
    let flight = try answers(
      "scenario layout", try scenario(#"{ "type": "flyIn", "tracksUpdates": false, \#(fields) }"#))
    #expect(
      try flight == answers("scenario layout", try scenario(#"{ "type": "flow", \#(fields) }"#)))
  }

  @Test(arguments: ["flow", "flyIn", "enlarged", "pinch"])
  func `a flow's rows are shorter by the content inset when it is asked for`(type: String) throws {
    for (subtracts, x) in [(false, 50.0), (true, 30)] {
      let path = try place.file(
        "inset.json",
        """
        { "scenario": 1, "viewport": [100, 200], "contentInset": [1, 10, 2, 30],
          "sections": [{ "id": "a", "items": 1 }],
          "layouts": { "it": { "type": "\(type)", "subtractsContentInset": \(subtracts) } } }
        """)
      #expect(centers(try answers("scenario layout", path)) == [[x, 25]])
    }
  }

  @Test func `bounds and offset take only what they name, in one sentence`() throws {
    let path = try scenario(#"{ "type": "circle" }"#)
    for (flag, values) in [
      (
        "--bounds",
        ["", "300", "300x", "x400", "300x400x1", "-1x5", "nanx5", "infx5", "1e999x5", "a", "3,4"]
      ),
      ("--offset", ["", "1", "1,", "1,2,3", "nan,1", "inf,1", "1x2"]),
    ] {
      for value in values {
        let run = try kymo("scenario layout", path, flag, value)
        #expect(run.code == 2, "\(flag) \(value)")
        #expect(run.output == "", "\(flag) \(value)")
        #expect(run.errors.hasPrefix("kymo: \(flag) expects "), "\(flag) \(value)")
        #expect(run.errors.hasSuffix(", not '\(value)'\n"), "\(flag) \(value)")
      }
    }
    #expect(try kymo("scenario layout", path, "--bounds", "0x0").code == 0)
    #expect(try kymo("scenario layout", path, "--bounds", " 1e12 x 1e308 ").code == 0)
    #expect(try kymo("scenario layout", path, "--offset", "1e308,-1e308").code == 0)
  }

  @Test func `bounds and offset count in a mixture and its summary too`() throws {
    let path = try scenario(#"{ "type": "circle" }"#)
    let rows = try answers(
      "scenario layout", path, "--bounds", "100x100", "--offset", "1,2", "--progress", "0.5",
      "--mix-with", "grid",
      "--content")
    // From (90, 50) on the circle to (50, 25) in the grid, which has room for one a row.
    #expect(rows[0]["center"].numbers == [70, 37.5])
    #expect(rows.last?["content_offset"].numbers == [1, 2])
    #expect(rows.last?["content_size"].numbers?[0] == 100)
  }

  @Test func `a mixture begins where the layout is scrolled to and ends where the next one rests`()
    throws
  {
    let path = try scenario(#"{ "type": "line", "itemSize": [100, 60], "spacing": 20 }"#)
    func frames(_ rows: [Row]) -> [[Double]?] { rows.map { $0["frame"].numbers } }
    // Centers at 50, 170, 290 and 410; the middle of the viewport at 150.
    let start = try answers(
      "scenario layout", path, "--offset", "110,0", "--progress", "0", "--mix-with", "grid")
    #expect(try frames(start) == frames(answers("scenario layout", path, "--offset", "110,0")))
    let end = try answers(
      "scenario layout", path, "--layout", "grid", "--progress", "1", "--mix-with", "it")
    #expect(try frames(end) == frames(answers("scenario layout", path, "--offset", "20,0")))
    #expect(try frames(end) != frames(answers("scenario layout", path)))
  }

  @Test func `fields out of range are refused with their place`() throws {
    for (layout, field) in [
      (#"{ "type": "line", "zoomFactor": -1.5 }"#, "zoomFactor"),
      (#"{ "type": "line", "spacing": -1 }"#, "spacing"),
      (#"{ "type": "line", "activeDistance": -1 }"#, "activeDistance"),
      (#"{ "type": "line", "inset": [1] }"#, "inset"),
      (#"{ "type": "circle", "radius": -1 }"#, "radius"),
      (#"{ "type": "circle", "itemSize": [1, -1] }"#, "itemSize"),
      (#"{ "type": "stack", "visibleBelowTop": -1 }"#, "visibleBelowTop"),
      (#"{ "type": "stack", "visibleBelowTop": 1.5 }"#, "visibleBelowTop"),
      (#"{ "type": "stack", "backdropMargin": -1 }"#, "backdropMargin"),
      (#"{ "type": "stack", "center": 5 }"#, "center"),
      (#"{ "type": "enlarged", "enlargedItem": [1, 3] }"#, "enlargedItem"),
      (#"{ "type": "enlarged", "enlargedItem": 3 }"#, "enlargedItem"),
      (#"{ "type": "enlarged", "factor": -0.5 }"#, "factor"),
      (#"{ "type": "pinch", "pinchedItem": [2, 0], "pinchedSize": [1, 1] }"#, "pinchedItem"),
      (#"{ "type": "pinch", "pinchedSize": [-1, 1] }"#, "pinchedSize"),
      (#"{ "type": "flyIn", "tracksUpdates": 1 }"#, "tracksUpdates"),
      (#"{ "type": "flyIn", "itemSizes": [[], [], []] }"#, "itemSizes"),
      (#"{ "type": "flow", "subtractsContentInset": 0 }"#, "subtractsContentInset"),
    ] {
      let run = try kymo("scenario layout", try scenario(layout))
      #expect(run.code == 2, "\(layout)")
      #expect(run.errors.contains(": $.layouts.it.\(field): "), "\(layout): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a pinched item wants its size`() throws {
    let run = try kymo(
      "scenario layout", try scenario(#"{ "type": "pinch", "pinchedItem": [0, 0] }"#))
    #expect(run.code == 2)
    #expect(run.errors.contains("$.layouts.it: The field \"pinchedSize\" is missing."))
  }

  @Test func `a session names every layout's type`() throws {
    let steps = Scenarios.scripted(#"{ "at": 0, "do": "mark", "text": "here" }"#)
    let recording = try place.record(
      text: steps.replacingOccurrences(
        of: #""layouts": {"#, with: #""layouts": { "closer": { "type": "enlarged", "factor": 3 },"#),
      into: "run.kymo")
    let rows = try answers(
      "sql", recording, "SELECT name, type, parameters FROM layouts ORDER BY name")
    #expect(rows.map { $0["type"].text } == ["enlarged", "flow", "flow"])
    #expect(rows[0]["parameters"].text == #"{"factor":3,"type":"enlarged"}"#)
  }

  @Test func `an unknown type is answered with those that there are, and the nearest`() throws {
    let run = try kymo("scenario layout", try scenario(#"{ "type": "circel" }"#))
    #expect(run.code == 2)
    #expect(
      run.errors.contains("$.layouts.it.type: There is no layout type \"circel\"; there are "))
    #expect(run.errors.contains("Did you mean \"circle\"?"))
    let far = try kymo("scenario layout", try scenario(#"{ "type": "tornado" }"#))
    #expect(!far.errors.contains("Did you mean"))
  }
}
