import Foundation
import JSONText
import TestSupport
import Testing

/// `info`, `sessions`, `keys`, `events` and `touches`.
@Suite struct ListingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// An app's run of ten frames at 100 Hz, in which one is missing, with a key at every frame.
  private func appRun() throws -> String {
    var lines = "{\"kymograph\": 1, \"name\": \"app\", \"refreshRate\": 100}\n"
    for number in 0..<10 where number != 5 {
      let time = number * 10_000_000
      lines += "{\"t_ns\": \(time), \"key\": \"x\", \"value\": \(number), \"unit\": \"pt\"}\n"
      lines +=
        "{\"t_ns\": \(time), \"frame\": {\"items\": [{\"id\": \"a\", \"frame\": [0, 0, 1, 1]}]}}\n"
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("app.kymo"), input: lines)
    #expect(run.code == 0)
    return place.path("app.kymo")
  }

  @Test func `info tells sizes, keys, gaps and whether a session was closed`() throws {
    let path = try appRun()
    let session = try #require(try answers("show", path).first)
    #expect(session["bytes"].integer == Int64(try place.bytes("app.kymo").count))
    #expect(session["log_bytes"].integer == 0)
    #expect(session["schema"].integer == 4)
    #expect(session["clean"] == .bool(true))
    #expect(session["gaps"].integer == 1)
    #expect(session["items"].integer == 1)
    #expect(session["frames"].integer == 9)
    #expect(session["outcome"].text == "none")
    guard case .array(let keys) = session["keys"] else {
      Issue.record("The keys are missing.")
      return
    }
    #expect(keys == (try answers("list keys", path)))
    let text = try kymo("show", path).output
    #expect(text.contains("! 1 gap between frames, from 0.04 s to 0.06 s"))
  }

  @Test func `keys tell counts, rates, ranges and the last value`() throws {
    let key = try #require(try answers("list keys", try appRun()).first)
    #expect(key["key"].text == "x")
    #expect(key["unit"].text == "pt")
    #expect(key["role"].text == "custom")
    #expect(key["samples"].integer == 9)
    #expect(key["first_ns"].integer == 0)
    #expect(key["last_ns"].integer == 90_000_000)
    // Eight intervals in 90 ms; the shortest is 10 ms, the longest 20.
    #expect(key["rate_hz"].number.map { abs($0 - 8 / 0.09) < 1e-9 } == true)
    #expect(key["max_rate_hz"].number == 100)
    #expect(key["min_rate_hz"].number == 50)
    #expect(key["min"].number == 0)
    #expect(key["max"].number == 9)
    #expect(key["last"].number == 9)
    let unknown = try kymo("list keys", place.path("app.kymo"), "--key", "y")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("no key y"))
  }

  @Test func `events are chosen by name and by time`() throws {
    let path = try place.record(Scenarios.script, into: "script.kymo")
    #expect(
      try answers("list events", path).compactMap { $0["event"].text } == [
        "mark", "start", "finish", "decision", "settle", "install", "completion",
      ])
    let decision = try #require(try answers("list events", path, "--event", "decision").first)
    #expect(decision["t_ns"].integer == 66_000_000)
    #expect(decision["outcome"].text == "finish")
    #expect(
      try answers("list events", path, "--from", "1ms", "--to", "66ms").compactMap {
        $0["event"].text
      } == ["finish", "decision", "settle"])
    let former = try kymo("list events", path, "--since", "1ms", "--until", "66ms", "--json")
    #expect(
      former.output
        == (try kymo("list events", path, "--from", "1ms", "--to", "66ms", "--json")).output)
    #expect(
      former.errors.contains("--since is --from now")
        && former.errors.contains("--until is --to now"))
    #expect(try kymo("list events", path, "--since", "1ms", "--from", "1ms").code == 2)
    let none = try kymo("list events", path, "--event", "nothing", "--json")
    #expect(none.code == 0)
    #expect(none.output == "[]\n")
    #expect(none.errors.contains("no event nothing; it has completion, decision"))
  }

  @Test func `an event's late field has a column in csv`() throws {
    var lines = "{\"kymograph\": 1}\n"
    for number in 0..<500 { lines += "{\"t_ns\": \(number), \"event\": \"tick\", \"n\": 1}\n" }
    lines += "{\"t_ns\": 500, \"event\": \"end\", \"reason\": \"late\"}\n"
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("late.kymo"), input: lines)
    #expect(run.code == 0)
    let csv = try kymo("list events", place.path("late.kymo"), "--format", "csv").output
      .split(separator: "\n")
    #expect(csv.first == "t_ns,event,n,reason")
    #expect(csv.last == "500,end,,late")
  }

  @Test func `touches of a recording and of its gesture file are the same`() throws {
    let path = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let gesture = fixture("gestures/pinch-open.evemu")
    let touches = try answers("list touches", path)
    #expect(touches == (try answers("list touches", gesture)))
    #expect(Set(touches.map { $0["contact"].integer }) == [0, 1])
    #expect(touches[0]["t_ns"].integer == 0)
    #expect(touches.filter { $0["phase"].text == "began" }.count == 2)
    #expect(touches.filter { $0["phase"].text == "ended" }.count == 2)
    let late = try answers("list touches", path, "--from", "0.3")
    #expect(late == touches.filter { ($0["t_ns"].integer ?? 0) >= 300_000_000 })
    let thin = try answers("list touches", path, "--every", "1s")
    #expect(thin.map { $0["contact"].integer } == [0, 1])
    // What is printed as CSV is a gesture file again.
    let csv = try place.file(
      "again.csv", try kymo("list touches", path, "--format", "csv").output)
    let again = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "b.kymo")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture", csv, "--into",
      place.path("c.kymo"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try answers("replay", place.path("c.kymo")) == answers("replay", again))
    let selected = try kymo("list touches", gesture, "last")
    #expect(selected.code == 2)
  }
}
