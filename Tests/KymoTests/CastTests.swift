import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct CastTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = try place.record(text: ReplayTests.scenario, into: "run.kymo", "--name", "sm\u{1b}all")
  }

  private func lines(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
  }

  private func event(_ line: JSONValue) -> (seconds: Double, code: String, data: String)? {
    guard case .array(let parts) = line, parts.count == 3, let seconds = parts[0].number,
      let code = parts[1].text, let data = parts[2].text
    else { return nil }
    return (seconds, code, data)
  }

  @Test func `a cast is a header and events, the same bytes each time`() throws {
    let run = try kymo("replay", path, "--cast", "-", "--size", "50x14")
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(run.output == (try kymo("replay", path, "--cast", "-", "--size", "50x14")).output)
    let lines = try lines(run.output)
    #expect(lines[0]["version"].integer == 3)
    #expect(lines[0]["term"]["cols"].integer == 50)
    #expect(lines[0]["term"]["rows"].integer == 14)
    #expect(lines[0]["timestamp"] == .null)
    let events = lines.dropFirst().compactMap(event)
    #expect(events.count == lines.count - 1)
    #expect(Set(events.map(\.code)) == ["o", "m", "x"])
    #expect(events.allSatisfy { $0.seconds >= 0 })
    #expect(events.last?.code == "x")
    #expect(events.filter { $0.code == "m" }.map(\.data).contains { $0.hasPrefix("finish") })
    // As long as the run, up to one picture.
    let end = try #require(try answers("replay", path).last?["t_ns"].integer)
    let total = events.reduce(0) { $0 + $1.seconds }
    #expect(abs(total - Double(end) / 1e9) < 0.04)
    // Nothing of a name moves a cursor.
    #expect(!run.output.contains("sm\\u001ball"))
  }

  @Test func `speed, from and to, and idle time change how long a cast is`() throws {
    func seconds(_ words: String...) throws -> Double {
      let run = try kymo(["replay", path, "--cast", "-"] + words)
      #expect(run.code == 0, "\(run.errors)")
      return try lines(run.output).dropFirst().compactMap(event).reduce(0) { $0 + $1.seconds }
    }
    let whole = try seconds()
    #expect(abs(try seconds("--speed", "0.5") - 2 * whole) < 0.07)
    #expect(abs(try seconds("--from", "0.1", "--to", "0.3") - 0.2) < 0.04)
    #expect(abs(try seconds("--pause-at", "0.2") - (whole - 0.2)) < 0.04)
    #expect(try seconds("--idle-limit", "1ms") < whole)
  }

  @Test func `a cast is written whole, and replaces nothing unasked`() throws {
    let output = place.path("run.cast")
    #expect(try kymo("replay", path, "--cast", output).code == 0)
    let first = try place.bytes("run.cast")
    let again = try kymo("replay", path, "--cast", output, "--size", "40x10")
    #expect(again.code == 2)
    #expect(again.errors.contains("--force"))
    #expect(try place.bytes("run.cast") == first)
    #expect(try kymo("replay", path, "--cast", output, "--size", "40x10", "--force").code == 0)
    #expect(try place.bytes("run.cast") != first)
    #expect(try kymo("replay", path, "--cast", place.path("no/where.cast")).code == 4)
    #expect(try place.names() == ["run.cast", "run.kymo"])
  }

  @Test func `a run of centuries is refused at once, and a part of it is not`() throws {
    let long = place.path("long.kymo")
    let lines =
      "{\"kymograph\": 1}\n{\"t_ns\": -9000000000000000000, \"key\": \"x\", \"value\": 1}\n"
      + "{\"t_ns\": 0, \"key\": \"x\", \"value\": 2}\n"
    #expect(try kymo("record", "--from-ndjson", "-", "--into", long, input: lines).code == 0)
    let refused = try kymo("replay", long, "--cast", "-")
    #expect(refused.code == 2)
    #expect(refused.output == "")
    #expect(refused.errors.contains("--idle-limit"))
    #expect(try kymo("replay", long, "--cast", "-", "--from", "-1ms").code == 0)
    #expect(try kymo("replay", long, "--cast", "-", "--idle-limit", "0.1").code == 0)
  }

  @Test func `two runs lie on one clock, as aligned`() throws {
    let late = try place.record(
      text: ReplayTests.scenario.replacingOccurrences(of: "\"at\": 0.0", with: "\"at\": 0.1"),
      into: "late.kymo")
    func length(_ words: String...) throws -> Double {
      let run = try kymo(["replay", path, late, "--cast", "-"] + words)
      #expect(run.code == 0, "\(run.errors)")
      return try lines(run.output).dropFirst().compactMap(event).reduce(0) { $0 + $1.seconds }
    }
    // The later run's release stands 100 ms behind; aligned on it, that much is before the first run.
    let plain = try length("--align", "none")
    #expect(try length("--align", "manual=1000") > plain + 0.9)
    let released = try kymo("replay", path, late, "--cast", "-", "--align", "release")
    let marks = try lines(released.output).dropFirst().compactMap(event).filter { $0.code == "m" }
    #expect(marks.filter { $0.data.hasPrefix("finish") }.count == 2)
    let names = [
      [path, late], ["\(path)#last", late], ["\(path)#1", "\(late)#1"],
    ]
    for words in names {
      #expect(try kymo(["replay"] + words + ["--cast", "-"]).code == 0, "\(words)")
    }
    let three = try kymo("replay", path, late, path, "--cast", "-")
    #expect(three.code == 2)
    #expect(three.errors.contains("unexpected argument"))
  }
}
