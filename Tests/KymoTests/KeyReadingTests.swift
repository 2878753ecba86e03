import Foundation
import JSONText
import TestSupport
import Testing

/// What `--key` names, alike in every command that has it.
@Suite struct KeyReadingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func pinch(_ gesture: String = "pinch-open", into name: String = "pinch.kymo") throws
    -> String
  {
    try place.record(Scenarios.pinch, gesture: "\(gesture).evemu", into: name)
  }

  /// An app's session with odd names: keys with commas and with names that elements and fingers could have, elements
  /// with dots in their IDs and with one that ends like an attribute.
  private func odd() throws -> String {
    var lines = [#"{"kymograph": 1, "viewport": [100, 100], "refreshRate": 100}"#]
    for step in 0..<12 {
      let time = step * 10_000_000
      for (key, value) in [("a,b", 1), ("a", 2), ("b", 3), ("finger.x", 4), ("item.card.alpha", 5)]
      {
        lines.append(
          #"{"t_ns": \#(time), "key": "\#(key)", "value": \#(value * step), "unit": "pt"}"#)
      }
      let items = ["card", "a.b.c", "box.width", "x,y"].map {
        #"{"id": "\#($0)", "center": [50, \#(10 + step)], "size": [20, 20]}"#
      }
      lines.append(#"{"t_ns": \#(time), "frame": {"items": [\#(items.joined(separator: ","))]}}"#)
      let phase = step == 0 ? "began" : step == 11 ? "ended" : "moved"
      let position = #""x": \#(step), "y": \#(90 - step)"#
      lines.append(
        #"{"t_ns": \#(time), "touch": {"contact": 7, "phase": "\#(phase)", \#(position)}}"#)
    }
    let path = place.path("odd.kymo")
    let run = try kymo(
      ["record", "--from-ndjson", "-", "--into", path],
      input: Data((lines.joined(separator: "\n") + "\n").utf8))
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  /// The names and last values that `replay --key` prints.
  private func last(_ path: String, _ key: String...) throws -> [String: Double] {
    var values: [String: Double] = [:]
    for row in try answers(["replay", path] + key.flatMap { ["--key", $0] }) {
      values[row["key"].text ?? ""] = row["value"].number
    }
    return values
  }

  private func answers(_ words: [String]) throws -> [Row] {
    let run = try kymo(words + ["--json"], input: Data())
    #expect(run.code == 0, "\(run.errors)")
    return try rows(run.output)
  }

  @Test func `a recorded key wins over an element's and a finger's name`() throws {
    let path = try odd()
    #expect(try last(path, "finger.x") == ["finger.x": 44])
    #expect(try last(path, "finger.y") == ["finger.y": 79])
    #expect(try last(path, "finger.7.x") == ["finger.7.x": 11])
    #expect(try last(path, "item.card.alpha") == ["item.card.alpha": 55])
    #expect(try last(path, "item.card.center.y") == ["item.card.center.y": 21])
  }

  @Test func `commas part names, but a name that has one is taken whole`() throws {
    let path = try odd()
    #expect(try last(path, "a,b") == ["a,b": 11])
    #expect(try last(path, "b,a") == ["a": 22, "b": 33])
    #expect(try last(path, "b,a,b") == ["a,b": 11, "b": 33])
    #expect(try last(path, "a", "b") == ["a": 22, "b": 33])
    #expect(try last(path, "a, finger.7.y") == ["a": 22, "finger.7.y": 79])
    #expect(try last(path, "item.x,y.center.x,a") == ["item.x,y.center.x": 50, "a": 22])
  }

  @Test func `an element's name is read from its end`() throws {
    let path = try odd()
    #expect(try last(path, "item.a.b.c.center.y") == ["item.a.b.c.center.y": 21])
    #expect(try last(path, "item.box.width.center.x") == ["item.box.width.center.x": 50])
    #expect(try last(path, "item.box.width.width") == ["item.box.width.width": 20])
    // Of an element as a whole all attributes, and of a center both axes.
    #expect(
      Set(try last(path, "item.box.width").keys)
        == Set(["center.x", "center.y", "width", "height", "alpha"].map { "item.box.width.\($0)" }))
    #expect(
      try last(path, "item.a.b.c.center")
        == ["item.a.b.c.center.x": 50, "item.a.b.c.center.y": 21])
  }

  @Test func `every command reads keys, elements, fingers and the viewport`() throws {
    let path = try pinch()
    let names = [
      "progress", "item.apple.center.y", "finger.y", "finger.0.x", "viewport.contentOffset.y",
    ]
    for name in names {
      let replayed = try answers(["replay", path, "--key", name])
      #expect(!replayed.isEmpty, "\(name)")
      #expect(replayed.allSatisfy { $0["key"].text == name }, "\(name)")
      let velocities = try answers(["velocity", path, "--key", name])
      #expect(velocities.count == 1, "\(name)")
      let plotted = try kymo("plot", path, "--key", name)
      #expect(plotted.code == 0, "\(plotted.errors)")
      #expect(plotted.output.hasPrefix("\(name)\n"), "\(plotted.errors)")
      let compared = try answers(["compare", path, path, "--key", name])
      #expect(
        compared.contains { $0["key"].text == name || $0["name"].text == name }
          || compared.contains { "\($0)".contains(name) }, "\(name)")
      let csv = try kymo("export", "csv", path, "--key", name)
      #expect(
        csv.output.split(separator: "\r\n").dropFirst().allSatisfy { $0.contains(",\(name),") })
      #expect(csv.output.split(separator: "\r\n").count > 1, "\(name)")
    }
    let fit = try kymo("fit", path, "--key", "item.apple.center.y", "--json")
    #expect(fit.code == 0, "\(fit.errors)")
    let found = try parseJSON(Array(fit.output.utf8))["fits"].array
    #expect(found.map { $0["subject"].text } == ["item.apple.center.y"])
    #expect(found.map { $0["model"].text } == ["spring"])
    let finger = try kymo("fit", path, "--key", "finger.y", "--from", "0", "--json")
    let moved = try parseJSON(Array(finger.output.utf8))["fits"].array
    #expect(moved.map { $0["subject"].text } == ["finger.y"], "\(finger.errors)")
  }

  @Test func `an unknown name is refused alike in every command, with one that is near`() throws {
    let path = try pinch()
    for words in [
      ["replay", path], ["plot", path], ["velocity", path], ["fit", path], ["compare", path, path],
      ["compare", path, "--", path], ["export", "csv", path], ["replay", path, "--cast", "-"],
    ] {
      let run = try kymo(words + ["--key", "progres"], input: Data())
      #expect(run.code == 2, "\(words)")
      #expect(run.output == "", "\(words)")
      #expect(
        run.errors.contains("unknown key 'progres'. Did you mean progress?"),
        "\(words): \(run.errors)")
    }
    let far = try kymo("replay", path, "--key", "zzzzzzzzzzzz")
    #expect(far.errors.contains(", and 3 more (kymo list keys)"), "\(far.errors)")
    #expect(far.errors.components(separatedBy: ", ").count == 9, "\(far.errors)")
    let element = try kymo("replay", path, "--key", "item.aple.center.y")
    #expect(element.errors.contains("Did you mean item.apple.center.y?"), "\(element.errors)")
    let attribute = try kymo("replay", path, "--key", "item.apple.centre.y")
    #expect(attribute.errors.contains("Did you mean item.apple.center.y?"), "\(attribute.errors)")
    for name in ["event.mark", "frames", "", "viewport.nothing", "item.", "finger."] {
      #expect(try kymo("replay", path, "--key", name).code == 2, "\(name)")
    }
  }

  @Test func `elements are named with commas between, and those that are unknown are refused`()
    throws
  {
    let path = try odd()
    func ids(_ words: String...) throws -> Set<String> {
      Set(try answers(["replay", path] + words).compactMap { $0["id"].text })
    }
    #expect(try ids("--items", "card,a.b.c") == ["card", "a.b.c"])
    #expect(try ids("--items", "x,y,card") == ["x,y", "card"])
    #expect(try ids("--items", "card", "--items", "x,y") == ["x,y", "card"])
    #expect(try ids("--items") == ["card", "a.b.c", "box.width", "x,y"])
    for words in [["replay", path], ["export", "svg", path]] {
      let run = try kymo(words + ["--items", "crad"], input: Data())
      #expect(run.code == 2)
      #expect(run.errors.contains("unknown element 'crad'. Did you mean card?"))
    }
  }

  @Test func `computed values are exported in the order of time, and recorded again`() throws {
    let path = try pinch()
    let names = "progress,finger.y,item.apple.center.y"
    let csv = try kymo("export", "csv", path, "--key", names)
    let times = csv.output.split(separator: "\r\n").dropFirst().compactMap {
      Int64($0.split(separator: ",")[1])
    }
    #expect(times == times.sorted())
    #expect(times.count > 100)
    let wide = try kymo("export", "csv", path, "--key", names, "--wide").output
    #expect(wide.hasPrefix("session,t_ns,progress,finger.y,item.apple.center.y\r\n"))
    let lines = try kymo("export", "ndjson", path, "--key", names)
    let again = place.path("again.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", again, input: lines.output)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      try answers(["replay", again, "--key", names]).map { $0["value"] }
        == answers(["replay", path, "--key", names]).map { $0["value"] })
    let trace = try kymo("export", "chrome", path, "--key", "finger.y").output
    #expect(trace.contains("\"finger.y (pt)\""))
    #expect(!trace.contains("\"name\":\"progress\""))
  }

  @Test func `two sessions are compared by the values of elements and fingers`() throws {
    let open = try pinch()
    let back = try pinch("pinch-back", into: "back.kymo")
    let run = try kymo("compare", open, back, "--key", "finger.y", "--key", "item.apple.center.y")
    #expect(run.code == 1)
    func keys(_ words: String...) throws -> [Row] {
      try rows(kymo(["compare"] + words + ["--json"]).output).filter { $0["row"].text == "key" }
    }
    let two = try keys(open, back, "--key", "finger.y", "--key", "item.apple.center.y")
    #expect(Set(two.compactMap { $0["key"].text }) == ["finger.y", "item.apple.center.y"])
    #expect(two.count == 2)
    #expect(two.allSatisfy { $0["same"] == .bool(false) })
    let alike = try keys(open, open, "--key", "item.apple")
    #expect(alike.count == 5)
    #expect(alike.allSatisfy { $0["same"] == .bool(true) })
    // What only one session has is named as such.
    let other = try odd()
    let apart = try keys(open, other, "--key", "item.apple.center.y")
    #expect(apart.map { $0["only_in"].text } == ["A"], "\(apart)")
  }

  @Test func `groups are compared by the metrics of several keys`() throws {
    let open = try pinch()
    let back = try pinch("pinch-back", into: "back.kymo")
    let run = try kymo("compare", open, "--", back, "--key", "progress,PositionX", "--json")
    let keys = Set(
      try parseJSON(Array(run.output.utf8))["rows"].array.compactMap { $0["key"].text })
    #expect(keys == ["progress", "PositionX"])
  }

  @Test func `a finger is drawn over an element's center along its axis`() throws {
    let path = try pinch()
    let text = try kymo("plot", path, "--key", "finger.y,item.apple.center.y").output
    #expect(text.hasPrefix("item.apple.center.y\n"))
    #expect(text.contains(" finger.y "))
    #expect(!text.contains("\nfinger.y\n"))
    let apart = try kymo("plot", path, "--key", "finger.x,item.apple.center.y").output
    #expect(apart.contains("\nfinger.x\n") || apart.hasPrefix("finger.x\n"))
    let svg = try kymo("plot", path, "--key", "finger.y,item.apple.center.y", "-o", "-").output
    #expect(svg.contains("class=\"curve run2\""))
    #expect(svg.contains(">finger.y</text>"))
    #expect(svg.components(separatedBy: "class=\"name\"").count == 2)
    let pair = try kymo("plot", path, path, "--key", "finger.y,item.apple.center.y", "-o", "-")
      .output
    #expect(pair.contains("class=\"curve run3\""))
    #expect(pair.contains(">B finger.y</text>"))
  }

  @Test func `gesture files have fingers, and tables their columns`() throws {
    let gesture = fixture("gestures/pinch-open.evemu")
    let rows = try answers(["velocity", gesture, "--key", "finger.1.y"])
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { $0["pointer"].integer == 1 && $0["axis"].text == "y" })
    #expect(
      try answers(["velocity", gesture, "--key", "finger.x"]).allSatisfy { $0["axis"].text == "x" })
    let plot = try kymo("plot", gesture, "--key", "finger.0.x")
    #expect(plot.output.hasPrefix("finger.0.x\n"))
    #expect(!plot.output.contains("finger.1"))
    let table = try place.file("t.csv", "t_ns,x,y\n0,1,2\n10000000,2,3\n20000000,3,4\n")
    #expect(try answers(["velocity", table, "--key", "y"]).allSatisfy { $0["axis"].text == "y" })
    for (path, name) in [(gesture, "finger.9.x"), (gesture, "progress"), (table, "z")] {
      let run = try kymo("velocity", path, "--key", name)
      #expect(run.code == 2, "\(run.errors)")
      #expect(run.errors.contains("unknown key '\(name)'"), "\(run.errors)")
    }
  }

  @Test func `several moments are shown in the order of time`() throws {
    let path = try pinch()
    #expect(
      try answers(["replay", path, "--at", "0.2,100ms"]).map { $0["t_ns"].integer }.count == 2)
    let values = try answers(["replay", path, "--key", "progress,finger.y", "--at", "0.2,100ms"])
    #expect(
      values.map { $0["t_ns"].integer } == [100_000_000, 100_000_000, 200_000_000, 200_000_000])
    let velocities = try answers(["velocity", path, "--key", "progress", "--at", "0.2,0.1"])
    #expect(velocities.map { $0["t_ns"].integer } == [100_000_000, 200_000_000])
    #expect(try answers(["velocity", path, "--key", "progress", "--at", "0.2"]) == [velocities[1]])
    for wrong in ["", "0.1,", "soon", "0.1,99"] {
      #expect(try kymo("replay", path, "--at", wrong).code == 2, "\(wrong)")
      #expect(try kymo("velocity", path, "--at", wrong).code == 2, "\(wrong)")
    }
  }

  @Test func `values at a steady rate are those of computed ones too`() throws {
    let path = try pinch()
    let rows = try answers(
      ["replay", path, "--key", "progress,item.apple.center.y", "--rate", "50"])
    let count = rows.count { $0["key"].text == "progress" }
    #expect(count > 20)
    #expect(rows.count { $0["key"].text == "item.apple.center.y" } >= count)
  }

  @Test func `identical groups are not advised to have more sessions`() throws {
    let path = try pinch()
    _ = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "pinch.kymo")
    let run = try kymo("compare", path, "--", path)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("Identical"), "\(run.output)")
    #expect(!run.output.contains("more sessions"), "\(run.output)")
  }
}
