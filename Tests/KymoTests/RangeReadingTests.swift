import Foundation
import TestSupport
import Testing

/// Commands that show a part of a session read that part: the rest of it may be unreadable.
@Suite struct RangeReadingTests {
  let place: Workplace
  let path: String

  /// A minute of a key that moves, one that is set once, and a switch, sealed in parts, with a release each ten seconds.
  init() throws {
    place = try Workplace()
    path = place.path("minute.kymo")
    var lines = ["{\"kymograph\": 1, \"name\": \"minute\"}"]
    for step in 0..<3_000 {
      let time = step * 20_000_000
      let phase = step % 500 < 50 ? "driving" : "idle"
      lines.append(
        "{\"t_ns\": \(time), \"key\": \"x\", \"value\": \(step * step % 701), \"phase\": \"\(phase)\"}"
      )
      if step == 20 { lines.append("{\"t_ns\": \(time), \"key\": \"once\", \"value\": 42.5}") }
      if step % 100 == 3 {
        lines.append("{\"t_ns\": \(time), \"key\": \"page\", \"value\": \(step / 100 % 3)}")
      }
      // Only here is it no whole number.
      if step == 2_999 { lines.append("{\"t_ns\": \(time), \"key\": \"ramp\", \"value\": 0.5}") }
      if step % 200 == 7 {
        lines.append("{\"t_ns\": \(time), \"key\": \"ramp\", \"value\": \(step / 200 % 2)}")
      }
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path, "--pack", input: lines.joined(separator: "\n")
    )
    #expect(run.code == 0, "\(run.errors)")
  }

  /// Makes what is sealed from an instant on unreadable.
  private func damage(from seconds: Int) throws {
    try LooseRecording.execute(
      "UPDATE sample_segment SET data = zeroblob(length(data)) WHERE first_ns >= \(seconds)000000000",
      on: path)
  }

  private let second = ["--from", "5.005", "--to", "6.005"]

  @Test func `a second is played without the rest of the session`() throws {
    let cast = ["replay", path, "--cast", "-", "--size", "100x20"]
    let all = try kymo(cast + second)
    #expect(all.code == 0, "\(all.errors)")
    // What was set before stays until it is set again.
    #expect(all.output.contains("once 42.5"))
    #expect(all.output.contains("page 2"))
    let words = cast + ["--key", "x,once"] + second
    let whole = try kymo(words)
    #expect(whole.output.contains("once 42.5"))
    try damage(from: 20)
    #expect(try kymo(cast).code == 4)
    let part = try kymo(words)
    #expect(part.code == 0, "\(part.errors)")
    #expect(part.output == whole.output, "\(part.errors)")
  }

  @Test func `values of a range at a rate are those of the whole session there`() throws {
    let words = ["replay", path, "--keys", "--rate", "60", "--format", "csv"]
    let all = try kymo(words).output.split(separator: "\n")
    for (from, to) in [("5.005", "6.005"), ("0.3", "0.41"), ("59.5", "60")] {
      let range = try Double(#require(Double(from)))...Double(#require(Double(to)))
      let expected = all.dropFirst().filter {
        $0.split(separator: ",").first.flatMap { Int64($0) }.map {
          range.contains(Double($0) / 1e9)
        }
          ?? false
      }
      let rows = try kymo(words + ["--from", from, "--to", to]).output.split(separator: "\n")
      #expect(rows.first == all.first)
      #expect(!expected.isEmpty)
      #expect(Array(rows.dropFirst()) == Array(expected))
    }
    #expect(all.contains { $0.contains("ramp,0.") }, "a ramp goes from value to value")
  }

  @Test func `the key that is asked for at a rate is read in its range alone`() throws {
    let words = ["replay", path, "--key", "x", "--rate", "60", "--format", "csv"] + second
    let whole = try kymo(words)
    #expect(whole.code == 0)
    #expect(whole.output.split(separator: "\n").count > 60)
    try damage(from: 20)
    #expect(try kymo(words).output == whole.output)
    #expect(try kymo("replay", path, "--key", "x", "--rate", "60").code == 4)
    let plot = ["plot", path, "--key", "x"] + second
    #expect(try kymo(plot).code == 0)
  }
}
