// More than 400 lines: one test an example of the gallery, with its numbers.
import JSONText
import TestSupport
import Testing

/// The numbers of each example, worked out by hand from the tables' rows.
@Suite struct GalleryNumberTests {
  private let upright: [Double] = [1, 0, 0, 1, 0, 0]

  /// Compares numbers up to the rounding of a few operations.
  private func expect(
    _ value: JSONValue, _ expected: [Double], within tolerance: Double = 1e-9,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let numbers = value.numbers ?? value.number.map { [$0] } ?? []
    #expect(numbers.count == expected.count, sourceLocation: sourceLocation)
    for (number, wanted) in zip(numbers, expected) {
      #expect(
        abs(number - wanted) <= tolerance * max(1, abs(wanted)), "\(numbers), not \(expected)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `a new item flies up from the lower edge, turning, and nobody else does`()
    throws
  {
    let exhibit = try Exhibit("insert.fly-in")
    let start = try exhibit.item("new", at: "0.1")
    expect(start["frame"], [155, 875, 10, 10])
    expect(start["transform"], [-0.2, 0, 0, -0.2, 0, 0])
    // Scale 0.2 to 1 and 180 degrees to none: a quarter of the way 0.4 and 135, half of it 0.6 and 90.
    let side = 0.4 * 0.5.squareRoot()
    expect(try exhibit.item("new", at: "0.25")["transform"], [-side, side, -side, -side, 0, 0])
    let half = try exhibit.item("new", at: "0.4")
    expect(half["transform"], [0, 0.6, -0.6, 0, 0, 0])
    expect(half["frame"], [77.5, 677.5, 30, 30])
    expect(try exhibit.item("new", at: "0.7")["frame"], [0, 480, 50, 50])
    for row in try answers("replay", exhibit.path, "--items") {
      #expect(row["alpha"].number == 1)
      if row["id"].text != "new" { expect(row["transform"], upright) }
    }
    // Five a row of 320, 67.5 apart: one place to the right, or to the left of the next row.
    expect(try exhibit.item("photos/40", at: "0.4")["frame"], [33.75, 480, 50, 50])
    expect(try exhibit.item("photos/44", at: "0.4")["frame"], [135, 510, 50, 50])
    #expect(try exhibit.events() == ["update", "animation", "animationCompletion"])
  }

  @Test func `a deleted item comes nearer until it looks forty times as large`() throws {
    let exhibit = try Exhibit("delete.fly-out")
    // The last one is a frame before the end, at 683333333 ns.
    for (time, progress) in [
      ("0.1", 0.0), ("0.25", 0.25), ("0.4", 0.5), ("0.55", 0.75), ("0.69", 0.583333333 / 0.6),
    ] {
      let row = try exhibit.item("photos/42", at: time)
      let width = 50 / (1 - 0.975 * progress)
      let middle = 505 + 135 * progress
      expect(row["frame"], [160 - width / 2, middle - width / 2, width, width])
      expect(row["alpha"], [1 - 0.8 * progress])
      #expect(row["z_index"].number == 1)
    }
    expect(try exhibit.item("photos/43", at: "0.4")["frame"], [168.75, 480, 50, 50])
    #expect(try exhibit.items(at: "0.7").allSatisfy { $0["id"].text != "photos/42" })
    #expect(try exhibit.item("photos/43", at: "0.7")["index_path"].numbers == [0, 42])
  }

  @Test func `in a rotation done right every item moves straight to its new place`() throws {
    let exhibit = try Exhibit("rotation.right")
    // Five a row of 320 become eight a row of 480, 50 + 80 / 7 apart.
    let step = 50 + 80.0 / 7
    expect(try exhibit.item("photos/5", at: "0")["frame"], [0, 60, 50, 50])
    expect(
      try exhibit.item("photos/5", at: "0.3")["frame"], [153.571429, 30, 50, 50], within: 1e-8)
    expect(try exhibit.item("photos/5", at: "0.5")["frame"], [5 * step, 0, 50, 50])
    for row in try answers("replay", exhibit.path, "--items") {
      expect(row["transform"], upright)
      #expect(row["alpha"].number == 1)
    }
    let bounds = try #require(try exhibit.events("bounds").first)
    #expect(bounds["from"].numbers == [320, 480])
    #expect(bounds["to"].numbers == [480, 320])
  }

  @Test func `done wrong, every item jumps to the lower edge and flies in`() throws {
    let exhibit = try Exhibit("rotation.wrong")
    let start = try exhibit.items(at: "0.1")
    #expect(start.count == 40)
    for row in start { expect(row["frame"], [235, 315, 10, 10]) }
    let half = try exhibit.item("photos/5", at: "0.3")
    expect(half["center"], [(240 + 2325.0 / 7) / 2, 172.5])
    expect(half["transform"], [0, 0.6, -0.6, 0, 0, 0])
    let right = try Exhibit("rotation.right")
    #expect(
      try exhibit.items(at: "0.5").map { $0["frame"] }
        == right.items(at: "0.5").map { $0["frame"] })
  }

  @Test(arguments: ["pinch-item", "pinch-item.touches"])
  func `an item is as wide as two fingers are apart, and goes back`(example: String)
    throws
  {
    let exhibit = try Exhibit(example)
    for (time, side) in [
      ("0", 100.0), ("0.1", 300), ("0.2", 500), ("0.3", 500), ("0.4", 400), ("0.5", 300),
      ("0.7", 100),
    ] {
      let row = try exhibit.item("photos/17", at: time)
      expect(row["size"], [side, side])
      expect(row["center"], [250, 410])
      #expect(row["z_index"].number == 100)
    }
    for row in try answers("replay", exhibit.path, "--items", "photos/16") {
      expect(row["frame"], [100, 360, 100, 100])
      #expect(row["alpha"].number == 1)
      #expect(row["z_index"].number == 0)
    }
    #expect(try exhibit.events("update").map { $0["operations"] } == [.array([])])
  }

  @Test func `a push changes the layout of one view, and a pop changes it back`() throws {
    let exhibit = try Exhibit("push-pop")
    let grid = [135.0, 60, 50, 50]
    let detail = [0.0, 1470, 320, 200]
    for (time, frame) in [
      ("0.1", grid), ("0.3", [67.5, 765, 185, 125]), ("0.5", detail), ("0.7", detail),
      ("0.9", [67.5, 765, 185, 125]), ("1.1", grid),
    ] { expect(try exhibit.item("photos/7", at: time)["frame"], frame) }
    // In the middle: 1570 - 480 / 2.
    #expect(try exhibit.frame(at: "0.55")["content_offset"].numbers == [0, 1330])
    #expect(try exhibit.frame(at: "1.1")["content_offset"].numbers == [0, 0])
    #expect(
      try exhibit.items(at: "1.1").map { $0["frame"] } == exhibit.items(at: "0").map { $0["frame"] }
    )
    #expect(
      try exhibit.events().filter { ["push", "pop", "didShow"].contains($0) } == [
        "push", "didShow", "pop", "didShow",
      ])
  }

  @Test func `a line of items becomes a grid, and the inset that bent it goes`() throws {
    let exhibit = try Exhibit("line-to-grid")
    for (number, row) in try exhibit.items(at: "0").enumerated() {
      expect(row["frame"], [10 + 190 * Double(number), 10, 180, 180])
    }
    expect(try exhibit.item("photos/3", at: "0.1")["frame"], [580, 10, 180, 180])
    expect(try exhibit.item("photos/3", at: "0.4")["frame"], [295, 105, 180, 180])
    expect(try exhibit.item("photos/3", at: "0.7")["frame"], [10, 200, 180, 180])
    // Not visible at the start, and on its way all the same.
    expect(try exhibit.item("photos/7", at: "0.4")["frame"], [817, 200, 180, 180])
    #expect(
      try exhibit.events() == ["update", "install", "animation", "animationCompletion", "inset"])
    #expect(try exhibit.events("inset")[0]["contentInset"].numbers == [0, 0, 0, 0])
    #expect(try exhibit.frame(at: "1")["content_size"].numbers == [768, 770])
  }

  @Test func `only what is visible at the start travels, the rest is there at the end`() throws {
    let exhibit = try Exhibit("snapshot")
    let visible = ["photos/0", "photos/1", "photos/2", "photos/3"]
    for time in ["0", "0.1", "0.3", "0.48"] {
      #expect(try exhibit.items(at: time).map { $0["id"].text } == visible, "\(time)")
    }
    expect(try exhibit.item("photos/3", at: "0.3")["frame"], [130.5, 55, 93.5, 60])
    #expect(try exhibit.items(at: "0.5").count == 40)
  }

  @Test func `the other sections go while the selected one changes its layout`() throws {
    let exhibit = try Exhibit("drill-down")
    let update = try #require(try exhibit.events("update").first)
    #expect(update["before"].numbers == [2, 3, 2])
    #expect(update["after"].numbers == [3])
    expect(try exhibit.item("hazel", at: "0.3")["frame"], [0, 25, 185, 75])
    expect(try exhibit.item("walnut", at: "0.3")["frame"], [33.75, 80, 185, 75])
    for id in ["apple", "pear", "carrot", "beet"] {
      expect(try exhibit.item(id, at: "0.3")["alpha"], [0.5])
      expect(try exhibit.item(id, at: "0.3")["size"], [50, 50])
    }
    let end = try exhibit.items(at: "0.5")
    #expect(end.map { $0["id"].text } == ["hazel", "walnut", "almond"])
    for (number, row) in end.enumerated() {
      expect(row["frame"], [0, 110 * Double(number), 320, 100])
    }
  }

  @Test func `cells grow along the quartic curve, the tapped one to the middle`()
    throws
  {
    let exhibit = try Exhibit("resize")
    // 8 t^4 up to the half. The cell stands in row 10 of five a row, later in row 25 of two a row.
    for (time, progress) in [("0", 0.0), ("0.1875", 0.03125), ("0.375", 0.5), ("0.75", 1)] {
      let row = try exhibit.item("cells/50", at: time)
      let width = 128 + 208 * progress
      let y = 60 + 1380 * (1 - progress) + 8650 * progress
      expect(row["frame"], [10, y, width, width])
      expect(row["content_offset"], [-10, 1000 + 7366 * progress])
    }
    #expect(try exhibit.item("cells/50", at: "0.375")["size"].numbers == [232, 232])
    // In the middle: 8710 + 168 - 512.
    #expect(try exhibit.frame(at: "1")["content_offset"].numbers == [-10, 8366])
    #expect(
      try exhibit.events() == ["start", "finish", "decision", "settle", "install", "completion"])
  }

  @Test func `Resize, the switch off: the offset stays, and the tapped cell ends off the screen`()
    throws
  {
    let exhibit = try Exhibit("resize.off")
    for (time, progress) in [("0", 0.0), ("0.1875", 0.03125), ("0.375", 0.5), ("0.75", 1)] {
      let row = try exhibit.item("cells/50", at: time)
      let width = 128 + 208 * progress
      expect(row["frame"], [10, 1440 * (1 - progress) + 8710 * progress, width, width])
      #expect(row["content_offset"].numbers == [-10, 1000])
    }
    // The screen ends at 1000 + 1024, the cell begins at 8710.
    #expect(8710 - 2024 == 6686)
    #expect(try exhibit.events() == ["start", "settle", "install", "completion"])
  }

  @Test
  func `Resize: the comparison of both ways says first that the tapped cell ends off the screen`()
    throws
  {
    let (on, off) = (try Exhibit("resize"), try Exhibit("resize.off"))
    let there = try kymo("compare", on.path, off.path)
    #expect(there.code == 1)
    let words = there.output.prefix { $0 != "\n" }
    #expect(words.hasPrefix("Different: "))
    #expect(words.contains(", cells/50 ends off the screen in B and on it in A (so do 5 more), "))
    let back = try kymo("compare", off.path, on.path)
    #expect(
      back.output.prefix { $0 != "\n" }.contains("cells/50 ends off the screen in A and on it in B")
    )
    #expect(try kymo("compare", off.path, off.path).output.hasPrefix("The same: "))
  }

  @Test func `a target offset that is given is gone to straight, and beyond`() throws {
    let exhibit = try Exhibit("offset-target")
    for (time, offset) in [
      ("0", 1000.0), ("0.1", 2829), ("0.2", 4658), ("0.3", 8681.8), ("0.4", 268.4),
    ] { expect(try exhibit.frame(at: time)["content_offset"], [0, offset]) }
    #expect(try exhibit.frame(at: "2")["content_offset"].numbers == [0, 8316])
    // The middle of cells/50, 8660 + 168, in the middle of the screen.
    #expect(try exhibit.item("cells/50", at: "2")["center"].numbers?[1] == 8316 + 512)
  }

  @Test func `a quarter of the time is a sixteenth of the way on the cubic curve`() throws {
    let exhibit = try Exhibit("easing")
    let row = try exhibit.item("cells/7", at: "0.1875")
    #expect(row["progress"].number == 0.0625)
    expect(row["frame"], [326.375, 204.25, 141, 141])
    expect(try exhibit.frame(at: "0.1875")["content_size"], [768, 5530 + 29080 * 0.0625])
    #expect(try exhibit.item("cells/7", at: "0.75")["frame"].numbers == [422, 1048, 336, 336])
  }

  @Test func `a pinch to scale 1.75 goes back, one to 1.76 goes on`() throws {
    let exhibit = try Exhibit("pinch")
    let decisions = try exhibit.events("decision")
    #expect(decisions.map { $0["outcome"].text } == ["cancel", "finish"])
    #expect(decisions.map { $0["progress"].number } == [0.5, 0.76 / 1.5])
    expect(try exhibit.item("cells/7", at: "0.2")["frame"], [371, 598, 232, 232])
    // Half a second after the lift the spring has 0.5 (1 + 5) e^-5 left.
    expect(try exhibit.frame(at: "0.85")["progress"], [0.02021384], within: 1e-8)
    #expect(
      try exhibit.items(at: "1.9").map { $0["frame"] } == exhibit.items(at: "0").map { $0["frame"] }
    )
    #expect(try exhibit.item("cells/7", at: "9")["frame"].numbers == [422, 1048, 336, 336])
  }

  @Test func `a pinch together shrinks, and its progress stops at 1`() throws {
    let exhibit = try Exhibit("pinch.shrink")
    expect(try exhibit.frame(at: "0.1")["progress"], [0.4 / 0.6])
    expect(try exhibit.item("cells/7", at: "0.1")["frame"], [354, 448, 592.0 / 3, 592.0 / 3])
    expect(try exhibit.frame(at: "0.2")["progress"], [1])
    #expect(try exhibit.events("decision").map { $0["outcome"].text } == ["finish"])
    #expect(try exhibit.item("cells/7", at: "9")["frame"].numbers == [320, 148, 128, 128])
  }

  @Test func `cancelled in place everything stays, and the next transition begins there`()
    throws
  {
    let exhibit = try Exhibit("cancel-in-place")
    func poses(_ time: String) throws -> [[JSONValue]] {
      try exhibit.items(at: time).map { [$0["id"], $0["frame"], $0["alpha"], $0["transform"]] }
    }
    #expect(try poses("0.15") == poses("0.3") && poses("0.15") == poses("0.4"))
    expect(try exhibit.item("photos/header", at: "0.3")["frame"], [0, 0, 320, 36])
    expect(try exhibit.item("photos/header", at: "0.5")["frame"], [0, 0, 320, 28])
    expect(try exhibit.item("photos/7", at: "0.3")["frame"], [81, 660, 158, 110])
    expect(try exhibit.item("photos/7", at: "0.5")["frame"], [108, 370, 104, 80])
    let flags = try exhibit.events("completion").map { [$0["completed"], $0["finished"]] }
    #expect(flags == [[.bool(false), .bool(false)], [.bool(true), .bool(true)]])
  }

  @Test func `items follow PositionX and PositionY, which settle to 0`() throws {
    let exhibit = try Exhibit("follow-finger")
    let driven = try exhibit.item("photos/7", at: "0.1")
    expect(driven["center"], [180, 85 + 0.25 * 1485 - 10])
    expect(driven["size"], [117.5, 87.5])
    expect(driven["content_offset"], [0, 332.5])
    // A tenth of a second after the lift the spring has 2 / e of the way left.
    let left = 0.7357588823428847
    expect(try exhibit.frame(at: "0.3")["progress"], [1 - 0.5 * left])
    expect(
      try exhibit.item("photos/7", at: "0.3")["center"],
      [160 + 40 * left, 85 + 1485 * (1 - 0.5 * left) - 20 * left])
    let end = try exhibit.item("photos/7", at: "9")
    #expect(end["frame"].numbers == [0, 1470, 320, 200])
    #expect(end["content_offset"].numbers == [0, 1330])
    #expect(try answers("list keys", exhibit.path).map { $0["last"].number } == [1, 0, 0])
  }

  @Test func `a value goes on with its velocity, beyond where the finger left it`() throws {
    let exhibit = try Exhibit("values.carry")
    // (50 + (1000 + 10 · 50) t) e^(-10 t), t since the lift.
    for (time, value) in [
      ("0.1", 50.0), ("0.2", 73.57588823428847), ("0.3", 47.367349132814446),
    ] { expect(try exhibit.item("photos/7", at: time)["center"], try middle(exhibit, time, value)) }
    let rows = try answers("velocity", exhibit.path)
    #expect(rows.map { $0["key"].text } == ["progress", "PositionX"])
    #expect(rows[0]["velocity"] == .null)
    expect(rows[1]["velocity"], [1000])
    // It was set to 0 at 0.05 s and to 10 at 0.06 s: nothing between them was ever a value.
    let keys = try answers("replay", exhibit.path, "--keys", "--key", "PositionX", "--at", "55ms")
    #expect(keys.map { $0["value"].number } == [0])
    expect(rows[1]["settle_time_s"], [1.1])
  }

  /// Where photos/7 stands by the progress alone, and so far to the right of it.
  private func middle(_ exhibit: Exhibit, _ time: String, _ shift: Double) throws -> [Double] {
    let progress = try #require(try exhibit.frame(at: time)["progress"].number)
    return [160 + shift, 85 + 1485 * progress]
  }

  @Test func `where all is at its end, a value's velocity alone makes the rest`() throws {
    let exhibit = try Exhibit("values.alone")
    // 500 t e^(-10 t): it has its turn at 0.1 s.
    for (time, value) in [
      ("0.1", 0.0), ("0.2", 50 / 2.718281828459045), ("0.3", 13.53352832366127),
    ] {
      expect(try exhibit.item("photos/7", at: time)["center"], [160 + value, 1570])
    }
    let rows = try answers("velocity", exhibit.path)
    #expect(rows[0]["settle_time_s"].number == 0)
    #expect(rows[0]["remaining"].number == 0)
    expect(rows[1]["settle_time_s"], [1])
    #expect(try exhibit.events("completion").map { $0["t_ns"].integer } == [1_100_000_000])
  }

  @Test func `Velocity: twice as far and no further, the speed finishes and the rest cancels`()
    throws
  {
    let exhibit = try Exhibit("values.decide")
    let decisions = try exhibit.events("decision")
    #expect(decisions.map { $0["outcome"].text } == ["finish", "cancel"])
    #expect(decisions.map { $0["progress"].number } == [0.25, 0.25])
    expect(decisions[0]["progressVelocity"], [2.5])
    #expect(decisions[1]["progressVelocity"].number == 0)
    // 1 + (-0.75 + (2.5 - 7.5) t) e^(-10 t) and (80 + (800 + 800) t) e^(-10 t), a tenth after the lift.
    let keys = try answers("replay", exhibit.path, "--keys", "--at", "0.2")
    expect(keys[0]["value"], [1 - 1.25 / 2.718281828459045])
    expect(keys[1]["value"], [240 / 2.718281828459045])
    #expect(try exhibit.item("photos/7", at: "9")["frame"].numbers == [0, 1470, 320, 200])
  }

  @Test func `an attribute of the app's own is a key of its item, and settles with it`() throws {
    let exhibit = try Exhibit("own-attribute")
    let key = "item.photos/7.cornerRadius"
    // 5 + 10 · 2 / e, a tenth of a second after the lift.
    for (time, value) in [
      ("0", 25.0), ("0.1", 15), ("0.3", 5 + 10 * 0.7357588823428847), ("1.2", 5),
    ] {
      let row = try #require(
        try answers("replay", exhibit.path, "--keys", "--key", key, "--at", time).last)
      expect(row["value"], [value])
    }
    expect(try exhibit.frame(at: "0.3")["progress"], [1 - 0.5 * 0.7357588823428847])
  }

  @Test func `Swipes: a tuned rule decides them as they were meant, and the requirement says so`()
    throws
  {
    let place = try Workplace()
    let (path, tuned) = (place.path("swipes.kymo"), place.path("tuned.kymo"))
    let labels = fixture("labels/forty-swipes.csv")
    let uuid = "5c0ffee5-4040-4040-8040-404040404040"
    #expect(
      try kymo(Gallery.words("swipes", into: path) + ["--uuid", uuid]).code == 0)
    #expect(try kymo("label", path, "--import", labels).code == 0)
    func wrong(_ path: String) throws -> [Int64?] {
      try answers("list labels", path).filter { $0["wrong"] == .bool(true) }
        .map { $0["transition"].integer }
    }
    #expect(try wrong(path).count == 16)
    let release = try kymo(
      "rule tune", path, "--set", "release.rule=progress,velocity", "--set",
      "release.threshold=0.1:0.9", "--set", "release.velocityThreshold=0.2:3", "--emit", "scenario")
    let patch = try place.file("release.json", release.output)
    let rerun = try kymo("rerun", path, "--patch", patch, "--into", tuned)
    #expect(rerun.code == 0, "\(rerun.errors)")
    #expect(rerun.errors == "", "\(rerun.errors)")
    #expect(rerun.output.hasSuffix("decided wrongly: 16 as recorded, 1 again.\n"))
    #expect(try wrong(tuned) == [23])
    let rules = fixture("requirements/forty-swipes.json")
    #expect(try kymo("check", path, "--requirements", rules).code == 1)
    #expect(try kymo("check", tuned, "--requirements", rules).code == 0)
  }

  @Test func `Circle: one item flies out of the middle, one into it`() throws {
    let exhibit = try Exhibit("circle")
    #expect(
      try exhibit.items(at: "0").map { $0["center"].numbers } == [
        [270, 200], [150, 320], [30, 200], [150, 80],
      ])
    for (time, id, x, alpha) in [
      ("0.1", "e", 150.0, 0.0), ("0.3", "e", 90, 0.5), ("0.5", "e", 30, 1), ("0.1", "c", 30, 1),
      ("0.3", "c", 90, 0.5),
    ] {
      let row = try exhibit.item(id, at: time)
      expect(row["center"], [x, 200])
      expect(row["alpha"], [alpha])
    }
    let end = try exhibit.items(at: "0.5")
    #expect(end.count == 4)
    #expect(end.first { $0["id"].text == "e" }?["index_path"].numbers == [0, 2])
  }

  @Test func `Retarget: a grabbed item keeps its place and speed, and a finish becomes a cancel`()
    throws
  {
    let exhibit = try Exhibit("retarget")
    // The spring at 0.1 s from 0.6 without velocity, by engine.md's table of settles.
    expect(
      try exhibit.item("photos/7", at: "0.25")["size"],
      [50 + 270 * 0.705696, 50 + 150 * 0.705696], within: 1e-6)
    let heights = try answers(
      "replay", exhibit.path, "--items", "photos/7", "--from", "0.23", "--to", "0.27"
    ).compactMap { $0["size"].numbers?[1] }
    let steps = zip(heights.dropFirst(), heights).map { $0 - $1 }
    #expect(steps.count == 4)
    for (step, next) in zip(steps, steps.dropFirst()) { #expect(abs(next / step - 1) < 0.05) }
    let turned = try #require(try exhibit.events("retarget").first)
    #expect(turned["outcome"].text == "cancel")
    expect(turned["progress"], [0.6321205588285577])
    #expect(try exhibit.item("photos/7", at: "9")["frame"].numbers == [0, 1470, 320, 200])
  }

  @Test func `Queue: the second transition starts when the first has ended`() throws {
    let exhibit = try Exhibit("queue")
    for (time, frame) in [
      ("0.2", [67.5, 765, 185, 125]), ("0.4", [0, 1470, 320, 200]), ("0.6", [0, 910, 320, 120]),
      ("0.8", [0, 350, 320, 40]),
    ] as [(String, [Double])] { expect(try exhibit.item("photos/7", at: time)["frame"], frame) }
    #expect(try exhibit.events("queued").map { $0["t_ns"].integer } == [200_000_000])
    #expect(try exhibit.events("start").map { $0["t_ns"].integer } == [0, 400_000_000])
  }
}
