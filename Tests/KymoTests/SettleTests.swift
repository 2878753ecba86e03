import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct SettleTests {
  private func numbers(_ words: String...) throws -> [[String: Double]] {
    try answers(["curve settle"] + words).map { row in
      var numbers: [String: Double] = [:]
      for name in row.names { numbers[name] = row[name].number }
      return numbers
    }
  }

  private func answers(_ words: [String]) throws -> [JSONValue] {
    let run = try kymo(words + ["--json"])
    #expect(run.code == 0, "\(run.errors)")
    guard case .array(let rows) = try parseJSON(Array(run.output.utf8)) else { return [] }
    return rows
  }

  private func times(_ words: String...) throws -> [String: JSONValue] {
    var times: [String: JSONValue] = [:]
    for row in try answers(["curve settle", "--settling-times"] + words) {
      times[row["definition"].text ?? "?"] = row
    }
    return times
  }

  @Test func `the standard spring is sampled at the times that were asked for, in their order`()
    throws
  {
    let rows = try numbers("--start", "0.6", "--velocity", "2", "--at", "0.5, 100ms,0,200000us,0s")
    #expect(rows.map { $0["t_s"] } == [0.5, 0.1, 0, 0.2, 0])
    for (row, value) in zip(rows, [0.990567, 0.779272, 0.6, 0.891732, 0.6]) {
      #expect(abs((row["value"] ?? 0) - value) < 5.1e-7)
    }
    #expect(rows[2]["velocity"] == 2)
  }

  @Test func `without times there is a table of 21 until it is settled`() throws {
    let rows = try numbers("--damping", "10")
    #expect(rows.count == 21)
    #expect(rows[0]["t_s"] == 0)
    #expect(rows[0]["value"] == 0)
    #expect(rows[20]["t_s"] == 1.4727003346780927)
    let wave = try numbers("--damping", "10", "--definition", "wave")
    #expect(abs((wave[20]["t_s"] ?? 0) - 1.84206807) < 1e-7)
    // What swings for ever is shown for the longest time that a settle may take.
    #expect(try numbers("--damping", "0")[20]["t_s"] == 102.4)
  }

  @Test func `frames are told at their rate until it is settled`() throws {
    let rows = try numbers("--damping", "10", "--rate", "60")
    #expect(rows.count == 90)
    #expect(rows[1]["t_s"] == 1.0 / 60)
    #expect(rows[89]["t_s"] == 89.0 / 60)
  }

  @Test func `springs are told in five ways, and a relative velocity is one of distances`() throws {
    let plain = try numbers(
      "--mass", "2", "--stiffness", "50", "--damping", "4", "--at", "0.3", "--velocity", "-6",
      "--start", "2", "--target", "8")
    #expect(
      try numbers(
        "--mass", "2", "--stiffness", "50", "--damping-ratio", "0.2", "--at", "0.3",
        "--relative-velocity", "-1", "--start", "2", "--target", "8") == plain)
    let response = try numbers(
      "--response", "0.5", "--damping-ratio", "0.7", "--at", "0.1,0.6")
    #expect(try numbers("--duration", "0.5", "--bounce", "0.3", "--at", "0.1,0.6") == response)
    let settling = try times("--settling-duration", "0.5", "--damping-ratio", "0.3")
    #expect(settling["swiftui"]?["settle_time_s"].number.map { abs($0 - 0.5) < 1e-12 } == true)
  }

  @Test func `every definition tells its time with its thresholds and its meaning`() throws {
    let found = try times("--duration", "0.5", "--bounce", "0.3", "--epsilon", "0.001")
    for (name, seconds) in [
      ("libadwaita", 0.785), ("compose", 0.824), ("core-animation", 0.863), ("swiftui", 1.045),
      ("wave", 1.047),
    ] {
      let time = try #require(found[name]?["settle_time_s"].number)
      #expect(abs(time - seconds) < 5.1e-4, "\(name)")
    }
    #expect(found.count == 10)
    #expect(found["compose"]?["whole_time_ms"].number == 823)
    #expect(found["wave"]?["epsilon"].number == 0.0001)
    #expect(found["flutter"]?["velocity_epsilon_per_s"].number == 0.001)
    #expect(found.values.allSatisfy { $0["meaning"].text?.isEmpty == false })
    let thrown = try times("--damping", "10", "--relative-velocity", "5")
    #expect(
      thrown["core-animation"]?["settle_time_s"].number.map { abs($0 - 1.382) < 5e-4 } == true)
    #expect(try times("--damping", "0")["swiftui"]?["settle_time_s"] == .null)
  }

  @Test func `a longer way takes longer where epsilon is a length`() throws {
    let near = try times("--duration", "0.5", "--bounce", "0.2")
    let far = try times("--duration", "0.5", "--bounce", "0.2", "--target", "100")
    // ln((beta + 1) / 0.001) / beta and ln((100 beta + 100) / 0.001) / beta, beta = 3.2 pi.
    for (found, seconds) in [(near, 0.9261291683659721), (far, 1.3842139176656145)] {
      let time = try #require(found["swiftui"]?["settle_time_s"].number)
      #expect(abs(time - seconds) < 1e-12)
    }
    for name in ["core-animation", "libadwaita", "wave"] {
      #expect(near[name]?["settle_time_s"] == far[name]?["settle_time_s"], "\(name)")
    }
    let creeping = try times("--damping", "40", "--target", "100")
    #expect(
      try times("--damping", "40")["libadwaita"]?["settle_time_s"]
        != creeping["libadwaita"]?["settle_time_s"])
  }

  @Test func `the table of settling times tells each definition whole below it`() throws {
    let table = try kymo("curve settle", "--settling-times", "--format", "table")
    #expect(table.code == 0)
    #expect(!table.output.contains("…"))
    let lines = table.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first?.contains("meaning") == false)
    let words = table.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let rows = try times()
    #expect(rows.count == 10)
    for (name, row) in rows {
      let meaning = try #require(row["meaning"].text)
      #expect(words.contains("\(name) \(meaning)"))
    }
    let csv = try kymo("curve settle", "--settling-times", "--format", "csv")
    #expect(
      csv.output.hasPrefix(
        "definition,settle_time_s,whole_time_ms,epsilon,velocity_epsilon_per_s,mea"))
    #expect(csv.output.split(separator: "\n").count == 11)
  }

  @Test func `a decay rests where its velocity takes it`() throws {
    let rows = try numbers("--decay", "0.998", "--velocity", "500", "--discrete", "--at", "0,100")
    #expect(rows[0]["value"] == 0)
    #expect(abs((rows[1]["value"] ?? 0) - 249.5) < 1e-9)
    #expect(rows[0]["velocity"] == 500)
    let smooth = try numbers("--decay", "0.998", "--velocity", "500", "--at", "100")
    #expect(abs((smooth[0]["value"] ?? 0) - 249.74992) < 1e-5)
    let end = try times("--decay", "0.998", "--velocity", "1000", "--epsilon", "1")
    #expect(end["decay"]?["settle_time_s"].number.map { abs($0 - 3.4504226) < 1e-7 } == true)
    let run = try kymo(
      "curve settle", "--decay", "0.998", "--velocity", "5", "--target", "9", "--at", "1")
    #expect(run.code == 0)
    #expect(run.errors == "kymo curve settle: --target is ignored, because a decay has no target\n")
  }

  @Test func `a timing curve lasts as long as what is left of the way`() throws {
    let finish = try times("--timing", "ease-in-out", "--duration", "0.75", "--start", "0.6")
    #expect(finish["timing"]?["settle_time_s"].number.map { abs($0 - 0.3) < 1e-12 } == true)
    let cancel = try numbers(
      "--timing", "linear", "--duration", "0.75", "--start", "0.6", "--target", "0",
      "--completion-speed", "2", "--at", "0.1125,1")
    #expect(abs((cancel[0]["value"] ?? 0) - 0.3) < 1e-12)
    #expect(cancel[1]["value"] == 0)
    #expect(cancel[0]["velocity"].map { abs($0 + 0.6 / 0.225) < 1e-12 } == true)
  }

  @Test func `a cubic keeps the velocity and rests in time, sooner where it must not overshoot`()
    throws
  {
    let rows = try numbers(
      "--cubic", "--duration", "0.5", "--start", "0.2", "--velocity", "8", "--at", "0,0.5")
    #expect(rows[0]["velocity"] == 8)
    #expect(rows[1]["value"] == 1)
    #expect(rows[1]["velocity"] == 0)
    let held = try times(
      "--cubic", "--duration", "0.5", "--start", "0.2", "--velocity", "8", "--no-overshoot")
    #expect(held["cubic"]?["settle_time_s"].number.map { abs($0 - 0.3) < 1e-12 } == true)
  }

  @Test func `a spring without overshoot stays on its side`() throws {
    let rows = try numbers(
      "--stiffness", "100", "--damping", "2", "--no-overshoot", "--velocity", "30", "--rate", "500")
    #expect(rows.allSatisfy { ($0["value"] ?? 9) <= 1 })
    #expect(rows.count > 20)
  }

  @Test func `overdamping may be taken away, as Core Animation and SwiftUI do`() throws {
    let words = ["--stiffness", "100", "--at", "0.2", "--damping"]
    let held = try answers(["curve settle", "--no-overdamping"] + words + ["60"])
    #expect(try held == answers(["curve settle"] + words + ["20"]))
    #expect(
      try answers(["curve settle", "--no-overdamping"] + words + ["5"])
        == answers(["curve settle"] + words + ["5"]))
    let times = try times("--damping", "60", "--no-overdamping")
    #expect(times["core-animation"]?["settle_time_s"].number.map { abs($0 - 1) < 1e-9 } == true)
  }

  @Test func `no settling time ends while a creeping spring is far from its target`() throws {
    let creeping = try times("--damping", "60")
    let time = try #require(creeping["core-animation"]?["settle_time_s"].number)
    #expect(abs(time - 4.1) < 1e-9)
    let rows = try numbers("--damping", "60", "--at", "1,4,4.1")
    let left = rows.compactMap { $0["value"] }.map { 1 - $0 }
    #expect(left[0] > 0.18)
    #expect(left[1] > 0.001)
    #expect(left[2] < 0.001)
    #expect((creeping["compose"]?["settle_time_s"].number ?? 0) > 2)
  }

  @Test func `every format tells the same rows`() throws {
    let words = [
      "curve settle", "--timing", "linear", "--duration", "1", "--at", "0.25,1", "--format",
    ]
    #expect(
      try kymo(words + ["csv"]).output
        == "t_s,value,velocity\n0.25,0.25,1\n1,1,0\n")
    #expect(
      try kymo(words + ["ndjson"]).output
        == "{\"t_s\":0.25,\"value\":0.25,\"velocity\":1}\n{\"t_s\":1,\"value\":1,\"velocity\":0}\n")
    #expect(try kymo(words + ["table"]).output.split(separator: "\n").count == 4)
  }

  static let wrong: [(words: String, sentence: String)] = [
    ("--mass 0", "mass must be a number above 0 (got 0.0)"),
    ("--damping -1", "damping must be a number of 0 or more (got -1.0)"),
    ("--stiffness nan", "--stiffness must be a number"),
    ("--start inf", "--start must be a number"),
    ("--response 0.5", "missing --damping-ratio Z, which --response needs"),
    ("--response 0 --damping-ratio 1", "response must be seconds above 0 (got 0.0)"),
    ("--bounce 0.3", "missing --duration S, which --bounce needs"),
    ("--duration 1", "missing --bounce B, which --duration needs"),
    ("--duration 1 --bounce -1", "bounce must be a number above -1"),
    ("--settling-duration 1", "missing --damping-ratio Z, which --settling-duration needs"),
    ("--settling-duration 1 --damping-ratio 0", "never comes to rest"),
    ("--damping 1 --damping-ratio 1", "--damping and --damping-ratio cannot be combined"),
    (
      "--response 1 --damping-ratio 1 --stiffness 2",
      "--stiffness and --response cannot be combined"
    ),
    ("--duration 1 --bounce 0 --mass 2", "--mass and --duration cannot be combined"),
    ("--velocity 1 --relative-velocity 1", "cannot be combined"),
    ("--decay 0.998", "missing --velocity V, which --decay needs"),
    ("--decay 1 --velocity 5", "must be a number above 0 and below 1 (got 1.0)"),
    ("--decay 0.9 --relative-velocity 5", "a decay has no target"),
    ("--decay 0.9 --velocity 5 --mass 1", "--mass and --decay cannot be combined"),
    ("--decay 0.9 --velocity 5 --cubic", "--decay and --cubic cannot be combined"),
    ("--discrete", "can only be used with --decay"),
    ("--completion-speed 2", "can only be used with --timing"),
    ("--timing linear", "missing --duration S, which --timing needs"),
    ("--cubic", "missing --duration S, which --cubic needs"),
    ("--timing wobble --duration 1", "nknown easing curve 'wobble'"),
    ("--timing linear --duration 1 --velocity 2", "--velocity and --timing cannot be combined"),
    ("--timing linear --duration 1 --completion-speed 0", "must be a number above 0 (got 0.0)"),
    ("--timing linear --duration -1", "must be seconds, 0 or more (got -1.0)"),
    ("--cubic --duration 1 --no-overdamping", "--no-overdamping and --cubic cannot be combined"),
    ("--cubic --duration 1 --damping 2", "--damping and --cubic cannot be combined"),
    ("--epsilon 0", "--epsilon must be a number above 0 (got 0)"),
    (
      "--settling-times --velocity-epsilon -1",
      "--velocity-epsilon must be a number above 0 (got -1)"
    ),
    ("--at 1 --rate 60", "--at and --rate cannot be combined"),
    ("--at 1,soon", "--at must be times"),
    ("--at -1", "--at must be times"), ("--rate 0", "above 0"),
    ("--rate 1e9 --damping 0", "more than a million frames"),
    ("--settling-times --at 1", "--settling-times and --at cannot be combined"),
    ("--definition never", "core-animation"),
  ]

  @Test(arguments: wrong)
  func `what is no settle is refused in one sentence`(words: String, sentence: String) throws {
    let run = try kymo(["curve settle"] + words.split(separator: " ").map(String.init))
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
