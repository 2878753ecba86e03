import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `kymo plot` and `kymo plot --film`, their SVGs read by a parser of XML that is not ours.
@Suite struct DrawingTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(text: ReplayTests.scenario, into: "run.kymo", "--name", "a<b>&\"c\"")
  }

  /// The elements of an XML text with their attributes; nil where it is none.
  private final class Elements: NSObject, XMLParserDelegate {
    var found: [(name: String, attributes: [String: String])] = []
    var words = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      found.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { words += text }
  }

  private func parsed(_ svg: String) -> Elements? {
    let elements = Elements()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = elements
    return parser.parse() ? elements : nil
  }

  private func count(_ elements: Elements, _ name: String, class style: String) -> Int {
    elements.found.filter {
      $0.name == name && ($0.attributes["class"] ?? "").split(separator: " ").contains(style[...])
    }.count
  }

  @Test func `curves are printed for each key, or for those named`() throws {
    let run = try kymo("plot", path, "--width", "40", "--height", "6")
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("progress\n⠒⠒ driven   ⠂⠂ settling   ┊ release"))
    #expect(run.output.contains("\n\nk\n"))
    let one = try kymo("plot", path, "--key", "k", "--width", "40", "--height", "6")
    #expect(run.output.hasSuffix("\n\n" + one.output))
    let both = try kymo("plot", path, "--key", "k", "--key", "progress")
    #expect(both.output.hasPrefix("progress\n"))
    let twice = try kymo("plot", path, path, "--key", "k")
    #expect(twice.output.contains("⠒⠒ A run.kymo"))
    #expect(twice.output.contains("⠂⠂ B run.kymo"))
    #expect(try kymo("plot", path, "--key", "none").code == 2)
    #expect(try kymo("plot", path, "--from", "100").code == 2)
    #expect(try kymo("plot", path, "--width", "0").code == 2)
  }

  @Test func `a gesture file and an app's lines give a curve and a velocity at once`() throws {
    let gesture = fixture("gestures/swipe.pointer.ndjson")
    let curves = try kymo("plot", gesture)
    #expect(curves.code == 0)
    #expect(curves.output.hasPrefix("finger.0.x\n┊ release "))
    #expect(curves.output.contains("\n\nfinger.0.y\n"))
    let told = try rows(kymo("velocity", gesture, "--json").output)
    let asked = try rows(
      kymo("velocity", gesture, "--estimator", "lsq-span", "--json").output)
    #expect(told == asked)
    #expect(told.count == 2)
    // The same events in one JSON array.
    let events = try String(contentsOfFile: gesture, encoding: .utf8).split(separator: "\n")
    let array = try place.file("swipe.json", "[\n" + events.joined(separator: ",\n") + "\n]\n")
    #expect(try rows(kymo("velocity", array, "--json").output) == told)
    let cut = try kymo("velocity", try place.file("cut.json", "[" + events[0] + ","))
    #expect(cut.code == 4)
    #expect(cut.errors.contains("JSON"))
    let lines = try place.file(
      "drag.ndjson",
      #"{"kymograph": 1}"# + "\n"
        + (0..<20).map { #"{"t_ns": \#($0 * 8_000_000), "key": "x", "value": \#($0 * 4)}"# + "\n" }
        .joined())
    let velocity = try rows(kymo("velocity", lines, "--json").output)
    #expect(velocity.first?["velocity"].number.map { abs($0 - 500) < 1e-6 } == true)
    #expect(try kymo("plot", lines).output.hasPrefix("x\n"))
    let pair = try kymo("plot", lines, lines, "-o", "-")
    let again = try kymo("plot", lines, lines, "-o", "-")
    #expect(pair.code == 0, "\(pair.errors)")
    #expect(pair.output == again.output, "\(pair.errors)")
    #expect(try kymo("plot", gesture, "--key", "x").code == 0)
    #expect(try kymo("velocity", gesture, "--at", "1").code == 2)
    let none = try kymo("velocity", place.path("none.csv"))
    #expect(none.code == 4)
    #expect(none.errors.contains("there is no file"))
  }

  @Test func `an SVG of curves has a panel for each key, its stretches, markers and names`() throws
  {
    let svg = try kymo("plot", path, "-o", "-").output
    #expect(svg == (try kymo("plot", path, "-o", "-")).output)
    let elements = try #require(parsed(svg))
    #expect(count(elements, "rect", class: "edge") == 2)
    // The legend has one of each besides.
    #expect(count(elements, "path", class: "run0") == 6)
    #expect(count(elements, "path", class: "settling") == 3)
    #expect(count(elements, "path", class: "release") == 2)
    #expect(elements.words.contains("a<b>&\"c\""))
    #expect(svg.contains("prefers-color-scheme: dark"))
    let two = try #require(
      parsed(try kymo("plot", path, path, "-o", "-", "--key", "k").output))
    #expect(count(two, "path", class: "run1") >= 2)
  }

  @Test func `a finger is drawn over an element, and its curve breaks between contacts`() throws {
    var lines = #"{"kymograph": 1, "viewport": [300, 300]}"# + "\n"
    for (contact, start) in [(0, 0), (1, 500)] {
      for step in 0...10 {
        let (time, y) = ((start + step * 10) * 1_000_000, 40 + 5 * step)
        let phase = step == 0 ? "began" : step == 10 ? "ended" : "moved"
        let touch = #""contact": \#(contact), "phase": "\#(phase)", "x": 9, "y": \#(y)"#
        let item = #""id": "card", "frame": [0, \#(y), 90, 80], "alpha": 1, "zIndex": 0"#
        let content = #""contentOffset": [0, 0], "contentSize": [300, 300]"#
        lines += """
          {"t_ns": \(time), "touch": {\(touch)}}
          {"t_ns": \(time), "frame": {\(content), "items": [{\(item), "hidden": false}]}}

          """
      }
    }
    let file = try place.file("two-contacts.ndjson", lines)
    let svg = try kymo("plot", file, "--key", "finger.y,item.card.center.y", "-o", "-")
    let elements = try #require(parsed(svg.output), "\(svg.errors)")
    #expect(count(elements, "rect", class: "edge") == 1)
    // The legend has one of each besides.
    #expect(count(elements, "path", class: "run2") == 3)
    #expect(count(elements, "path", class: "run0") == 2)
    let alone = try #require(parsed(try kymo("plot", file, "--key", "finger.y", "-o", "-").output))
    #expect(count(alone, "path", class: "run0") == 3)
    // As text, no dots join the contacts.
    let text = try kymo("plot", file, "--key", "finger.y", "--width", "60", "--height", "4").output
    let rows = text.split(separator: "\n").filter { $0.contains("┤") || $0.contains("│") }
    let middle = rows.map { row in Array(row.drop { $0 != "┤" && $0 != "│" }.dropFirst())[30] }
    #expect(rows.count == 4, "\(text)")
    #expect(middle.allSatisfy { $0 == "\u{2800}" }, "\(text)")
  }

  @Test func `a filmstrip has a picture for each instant, with matrices in drawing order`() throws {
    let svg = try kymo("plot --film", path, "--at", "0,0.01,30ms", "-o", "-").output
    let elements = try #require(parsed(svg))
    #expect(count(elements, "g", class: "picture") == 3)
    #expect(count(elements, "rect", class: "released") == 1)
    let items = elements.found.filter { $0.attributes["class"] == "item" }
    #expect(items.count == 9)
    #expect(items.first?.attributes["transform"] == "matrix(1 0 0 1 10 10)")
    #expect(items.first?.attributes["width"] == "20")
    #expect(elements.words.contains("0.03 s"))
    #expect(elements.words.contains("finish"))
    // Between the layouts by a quarter: 20 + (100 - 20) / 4 across.
    #expect(items[3].attributes["width"] == "40")
  }

  @Test func `contacts stand where the scenario's map puts them`() throws {
    let pinch = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let elements = try #require(
      parsed(try kymo("plot --film", pinch, "--at", "1ms", "-o", "-").output))
    let touches = elements.found.filter { $0.attributes["class"] == "touch" }
    // The first contact lands at (624, 1064) of the device, whose pixels are thirds of points.
    let first = try #require(touches.first)
    #expect(first.attributes["cx"] == "208")
    let y = try #require(first.attributes["cy"].flatMap(Double.init))
    #expect(abs(y - 1064.0 / 3) < 1e-9)
  }

  @Test func `pictures are where something moves, in one row unless that is asked for`() throws {
    let strip = try place.record(
      text: """
        {"scenario": 1, "viewport": [100, 100], "refreshRate": 100, "sections": [{"id": "a", "items": 1}],
         "layouts": {"one": {"type": "flow", "itemSize": [20, 20]},
          "two": {"type": "flow", "itemSize": [80, 80]}},
         "initialLayout": "one",
         "script": [{"at": 5, "do": "animate", "to": "two", "duration": 0.5, "easing": "linear"},
          {"at": 9, "do": "mark", "text": "end"}]}
        """, into: "still.kymo")
    let svg = try kymo("plot --film", strip, "--frames", "5", "-o", "-").output
    let times: [Double] = svg.matches(of: /class="middle"[^>]*>([0-9.]+) s</)
      .compactMap { Double($0.1) }
    #expect(times.count == 5, "\(times)")
    #expect(times.allSatisfy { 4.98 <= $0 && $0 <= 5.52 }, "\(times)")
    for (one, next) in zip(times, times.dropFirst()) { #expect(abs(next - one - 0.125) < 0.02) }
    func width(_ svg: String) throws -> Double {
      try #require(parsed(svg)?.found.first?.attributes["width"].flatMap(Double.init))
    }
    let folded = try kymo("plot --film", strip, "--frames", "5", "--across", "2", "-o", "-").output
    #expect(try width(svg) > 2 * width(folded))
    #expect(try kymo("plot --film", strip, "--across", "0", "-o", "-").code == 2)
  }

  @Test func `even instants reach from the first frame to the last, and one is the release`() throws
  {
    let output = place.path("strip.svg")
    #expect(try kymo("plot --film", path, "--frames", "4", "-o", output).code == 0)
    let svg = String(decoding: try place.bytes("strip.svg"), as: UTF8.self)
    let elements = try #require(parsed(svg))
    #expect(count(elements, "g", class: "picture") == 4)
    #expect(count(elements, "rect", class: "released") == 1)
    #expect(elements.words.contains("0 s"))
    let again = try kymo("plot --film", path, "-o", output)
    #expect(again.code == 0)
    #expect(again.output.hasPrefix("Wrote \(output) ("))
    let mine = try place.file("mine.svg", "<svg/>")
    #expect(try kymo("plot --film", path, "-o", mine).code == 2)
    #expect(try kymo("plot --film", path, "-o", path, "--force").code == 2)
    #expect(try kymo("plot --film", path).code == 2)
    for wrong in [
      ["--frames", "0"], ["--frames", "x"], ["--at", "soon"], ["--at", "0", "--frames", "2"],
    ] {
      #expect(try kymo(["plot --film", path, "-o", "-"] + wrong).code == 2, "\(wrong)")
    }
    let early = try kymo("plot --film", path, "--at=-1,0", "-o", "-")
    #expect(early.code == 3)
    #expect(try kymo("plot --film", path, "--at=-1", "-o", "-").code == 2)
  }
}
