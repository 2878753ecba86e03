import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct CalibrateTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records a spring with a frequency, each run a little apart from the others.
  @discardableResult
  private func record(_ run: Int, frequency: Double = 6, into name: String) throws -> String {
    var lines = "{\"kymograph\": 1, \"refreshRate\": 100}\n{\"t_ns\": 0, \"event\": \"start\"}\n"
    for step in 0..<100 {
      let time = Double(step) / 100
      let value = 1 - exp(-5 * time) * cos((frequency + Double(run % 3) / 50) * time)
      lines +=
        "{\"t_ns\": \(step * 10_000_000), \"key\": \"x\", \"value\": \(value), \"unit\": \"pt\"}\n"
    }
    let recorded = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path(name), input: lines)
    #expect(recorded.code == 0, "\(recorded.errors)")
    return place.path(name)
  }

  private func runs(_ count: Int) throws -> String {
    for run in 0..<count { try record(run, into: "base.kymo") }
    return place.path("base.kymo")
  }

  @Test func `runs pass their own file, and another spring fails it`() throws {
    let base = try runs(10)
    let file = place.path("tolerances.json")
    let made = try kymo("golden learn", base, "-o", file, "--json")
    #expect(made.code == 0)
    #expect(made.errors == "kymo golden learn: learned from 90 comparisons of 10 sessions\n")
    let found = try rows(made.output)
    let largest = try #require(found.first { $0["measure"].text == "max_abs" })
    #expect(largest["subject"].text == "x")
    #expect(largest["n"].integer == 90)
    #expect(largest["fail"].number.map { $0 > largest["warn"].number ?? .infinity } == true)
    for other in 2...10 {
      let compared = try kymo("compare", "\(base)#1", "\(base)#\(other)", "--tolerances", file)
      #expect(compared.code == 0, "\(compared.output)")
    }
    let changed = try record(0, frequency: 7, into: "changed.kymo")
    #expect(try kymo("compare", "\(base)#1", changed, "--tolerances", file).code == 1)
  }

  @Test func `runs that differ in a decision, and wide limits, end with 1 and without a file`()
    throws
  {
    func run(_ decision: String, to value: Double, into name: String) throws -> String {
      try place.record(
        lines: """
          {"kymograph": 1, "name": "swipe"}
          {"t_ns": 0, "key": "progress", "value": 0}
          {"t_ns": 50000000, "key": "progress", "value": 0.6}
          {"t_ns": 50000000, "decision": {"outcome": "\(decision)", "rule": "progress", "threshold": 0.5, "progress": 0.6}}
          {"t_ns": 100000000, "key": "progress", "value": \(value)}

          """, into: name)
    }
    let file = place.path("tolerances.json")
    let open = try run("finish", to: 1, into: "open.kymo")
    let flipped = try kymo(
      "golden learn", open, try run("cancel", to: 0, into: "back.kymo"), "-o", file)
    #expect(flipped.code == 1)
    #expect(
      flipped.errors.contains("differ in a decision, so they are not alike. Leave one of them out"))
    let other = try run("finish", to: 0.8, into: "other.kymo")
    let wide = try kymo("golden learn", open, other, "-o", file)
    #expect(wide.code == 1)
    #expect(wide.errors.contains("no file was written: the limit of progress"))
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try kymo("golden learn", open, other, "-o", file, "--allow-wide").code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"match\""))
  }

  @Test func `the file goes to standard output without a name`() throws {
    let run = try kymo("golden learn", try runs(3))
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("{\"version\": 1,"))
    let file = try parseJSON(Array(run.output.utf8))
    #expect(file["align"]["mode"].text == "start")
    #expect(file["align"]["limit_ms"].number == 50)
    #expect(
      run.errors.contains(
        "only 3 sessions, so the learned limits are probably too tight. Use 10 or more"))
  }

  @Test func `a file that is there is not replaced unasked`() throws {
    let base = try runs(2)
    let file = try place.file("t.json", "mine")
    let refused = try kymo("golden learn", base, "-o", file)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("--force"))
    #expect(try place.bytes("t.json") == Data("mine".utf8))
    #expect(try kymo("golden learn", base, "-o", file, "--force").code == 0)
    #expect(try place.bytes("t.json").count > 100)
  }

  @Test func `a thousand files need no thousand descriptors`() throws {
    let files = try (0..<45).map { try record($0, into: "run\($0).kymo") }
    let file = place.path("t.json")
    let made = try ProgramRun.shell(
      "ulimit -n 44; exec \"$kymo\" golden learn \"$@\" -o '\(file)'", files)
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.errors.contains("learned from 1980 comparisons of 45 sessions"))
    let checked = try ProgramRun.shell(
      "ulimit -n 44; exec \"$kymo\" check \"$@\" --tolerances '\(file)' --golden '\(files[0])'",
      files)
    #expect(checked.code <= 1, "\(checked.errors)")
    #expect(checked.output.contains("45 sessions"), "\(checked.errors)")
  }

  @Test func `a session that is given twice counts once`() throws {
    let base = try runs(2)
    let run = try kymo("golden learn", base, "\(base)#2")
    #expect(run.code == 0)
    #expect(run.errors.contains("1 session was given twice. Each counts once"))
    #expect(run.errors.contains("learned from 2 comparisons of 2 sessions"))
    let alone = try kymo("golden learn", "\(base)#1", "\(base)#1")
    #expect(alone.code == 2)
    #expect(alone.errors.contains("no two sessions have the same name"))
  }

  @Test func `nothing is learned from runs without anything in them`() throws {
    for _ in 0..<2 {
      let empty = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path("empty.kymo"),
        input: "{\"kymograph\": 1}\n")
      #expect(empty.code == 0)
    }
    let run = try kymo("golden learn", place.path("empty.kymo"))
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("nothing to learn from"))
  }

  @Test func `a call that cannot be understood ends with 2`() throws {
    let base = try runs(2)
    for (words, says) in [
      (["\(base)#1"], "no two sessions have the same name"),
      ([base, "--quantile", "0"], "--quantile must be above 0"),
      ([base, "--quantile", "1.5"], "at most 1"),
      ([base, "--safety", "0.5"], "--safety must be from 1 to 1000"),
      ([base, "--align", "middle"], "--align: unknown value"), ([base, "--json"], "--out"),
      ([base, "--lag-limit", "2min"], "--lag-limit"),
    ] as [([String], String)] {
      let run = try kymo(["golden learn"] + words)
      #expect(run.code == 2, "\(words)")
      #expect(run.output == "", "\(words)")
      #expect(run.errors.contains(says), "\(run.errors)")
    }
    #expect(try kymo("golden learn", try place.file("junk.kymo", "junk")).code == 4)
  }
}
