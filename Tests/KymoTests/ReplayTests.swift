import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct ReplayTests {
  let place: Workplace
  /// Driven at 100 Hz: progress 0 at 0 ms, 0.25 at 10 ms, 0.5 at 25 ms, finished at 30 ms.
  let path: String
  static let scenario = Scenarios.scripted(
    """
    {"at": 0, "do": "start", "to": "large"},
    {"at": 0.01, "do": "progress", "value": 0.25},
    {"at": 0.01, "do": "value", "key": "k", "value": 8},
    {"at": 0.025, "do": "progress", "value": 0.5},
    {"at": 0.025, "do": "value", "key": "k", "value": 4},
    {"at": 0.03, "do": "finish"}
    """)

  init() throws {
    place = try Workplace()
    path = try place.record(text: ReplayTests.scenario, into: "run.kymo")
  }

  private func frame(at time: String) throws -> Row? {
    try answers("replay", path, "--at", time).first
  }

  @Test
  func `what the frames say of the viewport is no recorded key, and the answer says where it is`()
    throws
  {
    let listed = try kymo("list keys", path, "--key", "viewport.contentOffset.y")
    #expect(listed.code == 2)
    #expect(listed.errors.contains("The frames of kymo replay have it"))
    // As a value it is computed from the frames.
    let rows = try answers("replay", path, "--key", "viewport.contentOffset.y")
    #expect(!rows.isEmpty)
    for words in [["help", "list", "keys"], ["help", "replay"]] {
      #expect(try kymo(words).output.contains("contentOffset"))
    }
  }

  @Test func `a moment shows the newest frame at or before it`() throws {
    #expect(try frame(at: "0")?["progress"].number == 0)
    #expect(try frame(at: "0.01")?["progress"].number == 0.25)
    #expect(try frame(at: "9999999ns")?["progress"].number == 0)
    #expect(try frame(at: "19.9ms")?["t_ns"].integer == 10_000_000)
    #expect(try frame(at: "29999us")?["progress"].number == 0.25)
    #expect(try frame(at: "0.03s")?["progress"].number == 0.5)
    let last = try #require(try answers("list sessions", path).first?["duration_s"].number)
    let end = try #require(try frame(at: "\(last)"))
    #expect(end["progress"].number == 1)
    #expect(end["phase"].text == "settling")
    // A printed time is rounded, perhaps upwards.
    #expect(try frame(at: "\(last + 0.0005)") == end)
    for wrong in ["soon", "", "1h", "nan", "1e300"] {
      #expect(try kymo("replay", path, "--at", wrong).code == 2, "\(wrong)")
    }
  }

  @Test func `frames stand at the display's instants, with their state`() throws {
    let frames = try answers("replay", path)
    for (number, frame) in frames.enumerated() {
      #expect(frame["t_ns"].integer == Int64(number) * 10_000_000)
      #expect(
        frame.names == [
          "t_ns", "phase", "progress", "content_offset", "content_size", "began_ns", "unread",
        ])
    }
    #expect(
      frames.prefix(4).map { $0["phase"].text } == ["driving", "driving", "driving", "settling"])
    #expect(frames.last?["progress"].number == 1)
  }

  @Test func `items start as the old layout places them and end as the new one does`() throws {
    let scenario = try place.file("scenario.json", ReplayTests.scenario)
    func poses(_ rows: [Row]) -> [[JSONValue]] {
      rows.map { row in
        [
          "category", "element_kind", "id", "index_path", "frame", "center", "size", "alpha",
          "z_index",
          "hidden", "transform",
        ].map { row[$0] }
      }
    }
    let items = try answers("replay", path, "--items")
    let first = items.filter { $0["t_ns"].integer == 0 }
    let last = items.filter { $0["t_ns"] == items.last?["t_ns"] }
    #expect(first.count == 3)
    #expect(poses(first) == poses(try answers("scenario layout", scenario)))
    #expect(poses(last) == poses(try answers("scenario layout", scenario, "--layout", "large")))
    let mixed = items.filter { $0["t_ns"].integer == 10_000_000 }
    #expect(
      poses(mixed)
        == poses(
          try answers("scenario layout", scenario, "--progress", "0.25", "--mix-with", "large")))
    #expect(
      try answers("replay", path, "--items", "--at", "15ms").map { $0["frame"] }
        == mixed.map { $0["frame"] })
  }

  @Test func `another rate mixes what is driven and holds the phase`() throws {
    let frames = try answers("replay", path, "--rate", "200")
    #expect(
      frames.prefix(6).map { $0["t_ns"].integer } == [
        0, 5_000_000, 10_000_000, 15_000_000, 20_000_000, 25_000_000,
      ])
    // The recorded frames have 0, 0.25, 0.25 and 0.5, and the last one is settling.
    #expect(frames.prefix(6).map { $0["progress"].number } == [0, 0.125, 0.25, 0.25, 0.25, 0.375])
    #expect(frames[5]["phase"].text == "driving")
    let odd = try answers("replay", path, "--rate", "59.94")
    for (number, frame) in odd.enumerated() {
      #expect(frame["t_ns"].integer == Int64((Double(number) * 1e9 / 59.94).rounded()))
    }
    #expect(try answers("replay", path, "--rate", "recorded") == answers("replay", path))
    #expect(try answers("replay", path, "--rate", "100") == answers("replay", path))
    let slow = try answers("replay", path, "--rate", "0.001")
    #expect(slow.map { $0["t_ns"].integer } == [0])
    for wrong in ["0", "-5", "nan", "inf", "fast", "1e9"] {
      #expect(try kymo("replay", path, "--rate", wrong).code == 2, "\(wrong)")
    }
    let items = try answers("replay", path, "--items", "--rate", "200")
    #expect(items.filter { $0["t_ns"].integer == 5_000_000 }.count == 3)
    #expect(
      items.first { $0["t_ns"].integer == 5_000_000 }?["size"].numbers == [30, 25])
  }

  @Test func `keys are listed at the times at which they were set`() throws {
    let rows = try answers("replay", path, "--keys")
    let driven = rows.filter { $0["phase"].text == "driving" }
    #expect(driven.map { $0["key"].text } == ["progress", "k", "progress", "k"])
    #expect(driven.map { $0["value"].number } == [0.25, 8, 0.5, 4])
    #expect(
      driven.map { $0["t_ns"].integer } == [10_000_000, 10_000_000, 25_000_000, 25_000_000])
    let only = try answers("replay", path, "--keys", "--key", "k")
    #expect(Set(only.map { $0["key"].text }) == ["k"])
    #expect(try answers("replay", path, "--key", "k") == only)
    let moment = try answers("replay", path, "--keys", "--at", "17.5ms")
    #expect(moment.map { $0["value"].number } == [0.25, 8])
    #expect(try answers("replay", path, "--keys", "--at", "5ms") == [])
    let even = try answers("replay", path, "--keys", "--key", "k", "--rate", "400")
    #expect(
      even.prefix(4).map { $0["t_ns"].integer } == [
        10_000_000, 12_500_000, 15_000_000, 17_500_000,
      ])
    #expect(even.prefix(4).map { ($0["value"].number ?? 0).rounded() } == [8, 7, 7, 6])
    let unknown = try kymo("replay", path, "--keys", "--key", "kk")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("Did you mean k?"))
  }

  @Test func `steps hold at a steady rate and in curves, other values go straight`() throws {
    let workplace = try Workplace()
    let steps = workplace.path("steps.kymo")
    let lines = (0..<3).flatMap { number in
      [("page", 1.0), ("way", 1.5)].map { key, step in
        let value = Double(number) * step
        return
          #"{"t_ns": \#(number * 10_000_000), "key": "\#(key)", "value": \#(value), "unit": "1"}"#
      }
    }
    let input = (["{\"kymograph\": 1}"] + lines).joined(separator: "\n")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", steps, input: input).code == 0)
    let rows = try answers("replay", steps, "--keys", "--rate", "200")
    func values(_ key: String) -> [Double?] {
      rows.filter { $0["key"].text == key }.map { $0["value"].number }
    }
    #expect(values("page") == [0, 0, 1, 1, 2])
    #expect(values("way") == [0, 0.75, 1.5, 2.25, 3])
    let moment = try answers("replay", steps, "--keys", "--at", "15ms")
    #expect(moment.map { $0["value"].number } == [1, 1.5])
    // A step is a corner: from its foot straight up.
    let drawn = try kymo("plot", steps, "--key", "page").output
    #expect(drawn.contains("0 ┤⣀⣀⣀⣀⣀⣀⣀⣀"), "\(drawn)")
  }

  @Test func `filters narrow the rows in time, and thin them out`() throws {
    let all = try answers("replay", path)
    #expect(
      try answers("replay", path, "--from", "10ms", "--to", "0.03").map { $0["t_ns"].integer }
        == [10_000_000, 20_000_000, 30_000_000])
    #expect(
      try answers("replay", path, "--every", "25ms").prefix(3).map { $0["t_ns"].integer } == [
        0, 30_000_000, 60_000_000,
      ])
    #expect(try answers("replay", path, "--every", "1ns") == all)
    let keys = try answers("replay", path, "--keys", "--every", "20ms", "--to", "29ms")
    #expect(keys.map { $0["key"].text } == ["progress", "k"])
    #expect(try kymo("replay", path, "--from", "2", "--to", "1").code == 2)
    #expect(try kymo("replay", path, "--every", "0").code == 2)
    let item = try answers("replay", path, "--items", "--items", "s/1", "--to", "10ms")
    #expect(item.map { $0["id"].text } == ["s/1", "s/1"])
    #expect(try kymo("replay", path, "--items", "--items", "s/9").code == 2)
  }

  @Test func `listings that exclude each other are refused`() throws {
    #expect(try kymo("replay", path, "--items", "--keys").code == 2)
    #expect(try kymo("replay", path, "--at", "0", "--rate", "60").code == 2)
    let speed = try kymo("replay", path, "--at", "0", "--speed", "2")
    #expect(speed.code == 2)
    #expect(speed.errors.contains("--speed belongs to another form"))
  }

  @Test func `a plot is drawn of the progress, or of a key`() throws {
    for more in [[], ["--key", "k"]] {
      let run = try kymo(["plot", path] + more)
      #expect(run.code == 0)
      #expect(run.output.split(separator: "\n").count > 8)
    }
    #expect(try kymo("plot", path, "--key", "nothing").code == 2)
  }
}

@Suite struct FormatTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo", "--name", "a \"b\", c")
  }

  private var listings: [[String]] {
    [
      ["list sessions", path], ["list keys", path], ["list events", path], ["list touches", path],
      ["replay", path],
      ["replay", path, "--items", "--to", "20ms"], ["replay", path, "--keys"],
      ["velocity", path], ["compare", path, path], ["sql", path, "SELECT * FROM estimates"],
      ["scenario layout", fixture("scenarios/\(Scenarios.pinch)")],
      ["scenario", "check", fixture("scenarios/\(Scenarios.pinch)")],
    ]
  }

  @Test func `json is one array, and Foundation reads it too`() throws {
    for words in listings + [["show", path]] {
      let run = try kymo(words + ["--format", "json"])
      let values = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      #expect((values as? [[String: Any]])?.isEmpty == false, "\(words)")
      #expect(run.output == (try kymo(words + ["--json"])).output)
    }
  }

  @Test func `flags that a listing would ignore choose the listing or are refused`() throws {
    let path = try place.record(Scenarios.script, into: "flags.kymo")
    let keys = try answers("replay", path, "--key", "progress")
    #expect(!keys.isEmpty)
    #expect(keys.allSatisfy { $0["key"].text == "progress" })
    let items = try answers("replay", path, "--items", "apple")
    #expect(!items.isEmpty)
    #expect(items.allSatisfy { $0["id"].text == "apple" })
    #expect(try answers("replay", path, "--items=apple") == items)
    // Alone it means all; the file is no name of one.
    let all = try answers("replay", path, "--items")
    #expect(Set(all.compactMap { $0["id"].text }).count > 1)
    #expect(try answers("replay", "--items", path) == all)
    #expect(try answers("replay", path, "--items", "--from", "0") == all)
    for more in [["--key", "progress", "--items"], ["--keys", "--items", "apple"]] {
      #expect(try kymo(["replay", path] + more).code == 2, "\(more)")
    }
  }

  @Test func `ndjson has the same objects, a line each`() throws {
    for words in listings {
      let array = try rows(try kymo(words + ["--json"]).output)
      let lines = try kymo(words + ["--format", "ndjson"]).output
        .split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
      #expect(array == lines, "\(words)")
    }
  }

  @Test func `csv has the same rows under one header, every row as wide as the header`() throws {
    for words in listings {
      let array = try rows(try kymo(words + ["--json"]).output)
      let table = csv(try kymo(words + ["--format", "csv"]).output)
      #expect(table.count == array.count + 1, "\(words)")
      for row in table { #expect(row.count == table[0].count, "\(words)") }
      #expect(Set(table[0]).count == table[0].count, "\(words)")
      for row in array { #expect(row.names.isSubset(of: table[0]), "\(words)") }
    }
  }

  @Test func `the table has a row for each, under a header and a rule`() throws {
    for words in listings where words[0] != "compare" && words[0] != "velocity" {
      let array = try rows(try kymo(words + ["--json"]).output)
      let lines = try kymo(words).output.split(separator: "\n")
      #expect(lines.count == array.count + 2, "\(words)")
    }
  }

  /// The cells of comma-separated text by RFC 4180.
  private func csv(_ text: String) -> [[String]] {
    var table: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(cell)
        cell = ""
      case "\n" where !isQuoted, "\r\n" where !isQuoted:
        table.append(row + [cell])
        row = []
        cell = ""
      default: cell.append(character)
      }
    }
    #expect(cell == "")
    #expect(row.isEmpty)
    #expect(!isQuoted)
    return table
  }

  @Test func `a time at which there is nothing of the run is refused, by every command`() throws {
    let out = place.path("out")
    for words in [
      ["replay", path, "--at", "99"], ["replay", path, "--at", "-1"],
      ["replay", path, "--keys", "--at", "99"], ["replay", path, "--items", "--at", "-99"],
      ["velocity", path, "--at", "99"], ["velocity", path, "--at", "-5s"],
      ["replay", path, "--cast", out, "--pause-at", "99"],
      ["replay", path, "--cast", out, "--pause-at", "-99"],
      ["replay", path, "--cast", out, "--from", "99"], ["plot", path, "--from", "99"],
      ["plot", path, path, "--to", "-9"], ["plot --film", path, "-o", out, "--from", "99"],
      ["export", "csv", path, "--from", "99"], ["export", "svg", path, "--to", "-99"],
      ["file trim", path, "--from", "99"], ["replay", path, "--from", "99"],
      ["replay", path, "--keys", "--to", "-99"], ["list events", path, "--from", "99"],
      ["list touches", path, "--from", "99"],
    ] {
      let run = try kymo(words)
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.output.isEmpty, "\(words): \(run.errors)")
      #expect(run.errors.contains("is outside of"))
      #expect(run.errors.contains("from 0 s to "))
    }
    let early = try kymo("replay", path, "--at", "-1ns")
    #expect(early.code == 2)
    #expect(early.errors.contains("is before the first frame"))
    #expect(try kymo("plot --film", path, "-o", out, "--at", "99").code == 2)
    let strip = try kymo("plot --film", path, "-o", out, "--at", "0.01,99")
    #expect(strip.code == 3)
    #expect(strip.errors.contains("1 of the times of --at are before the first frame or after"))
    #expect(try place.names() == ["out", "run.kymo"])
  }

  @Test
  func `before the start there may be something, and a session that was not closed has an end`()
    throws
  {
    let lines = """
      {"kymograph": 1}
      {"t_ns": -2000000000, "key": "x", "value": 1}
      {"t_ns": 1000000000, "key": "x", "value": 2}
      """
    let early = place.path("early.kymo")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", early, input: lines).code == 0)
    #expect(try answers("replay", early, "--keys", "--at", "-1").count == 1)
    #expect(try kymo("replay", early, "--keys", "--at", "-3").code == 2)
    #expect(try kymo("velocity", early, "--at", "1").code == 0)
    let frames = try kymo("replay", early, "--at", "0.5")
    #expect(frames.code == 2, "\(frames.errors)")
    #expect(frames.errors.contains("has no frames"), "\(frames.errors)")
  }
}
