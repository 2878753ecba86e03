import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct BrokenRecordingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Every command that reads a recording, asked for this one.
  private static func calls(_ path: String) -> [[String]] {
    [
      ["show", path], ["list sessions", path], ["list keys", path], ["list events", path],
      ["replay", path],
      ["replay", path, "--items"], ["replay", path, "--keys"], ["plot", path],
      ["velocity", path], ["compare", path, path], ["sql", path, "SELECT 1"],
      ["list touches", "\(path)#last"],
    ]
  }

  private func expectRefusal(_ path: String, _ what: String, containing word: String) throws {
    for words in Self.calls(path) {
      let run = try kymo(words)
      #expect(run.code == 4, "\(what): \(words): \(run.errors)")
      #expect(run.output == "", "\(what): \(words)")
      #expect(run.errors.hasPrefix("kymo "), "\(what): \(words)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(what): \(words): \(run.errors)")
      #expect(run.errors.contains(word), "\(what): \(words): \(run.errors)")
    }
  }

  @Test func `what is no recording is refused by every command`() throws {
    try expectRefusal(place.path("none.kymo"), "missing", containing: "here is no file")
    try expectRefusal(try place.file("empty.kymo", ""), "empty", containing: "empty")
    try expectRefusal(
      try place.file("text.kymo", String(repeating: "hello, world\n", count: 500)), "text",
      containing: "is not a")
    let folder = place.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try expectRefusal(folder, "folder", containing: "folder")
    #expect(try place.names() == ["empty.kymo", "folder", "text.kymo"])
  }

  @Test func `a recording that is cut off is refused, or answered as far as it is whole`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "whole.kymo")
      let whole = try place.bytes("whole.kymo")
      for length in [16, 99, 100, 512, 4096, 5000, 8192, whole.count / 2, whole.count - 1] {
        let path = place.path("cut.kymo")
        try whole.prefix(length).write(to: URL(fileURLWithPath: path))
        for words in BrokenRecordingTests.calls(path) {
          let run = try kymo(words)
          #expect(
            run.code == 4 || (length > 4096 && [0, 1, 2].contains(run.code)),
            "\(length) bytes: \(words): \(run.code) \(run.errors)")
          if run.code == 4 { #expect(run.errors.hasPrefix("kymo "), "\(words)") }
        }
        #expect(try place.bytes("cut.kymo").count == length)
      }
    }
  }

  @Test func `flipped bytes never end in a crash or a hang`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      try place.record(Scenarios.script, into: "whole.kymo")
      let whole = try place.bytes("whole.kymo")
      // A fixed walk over the file: the multiplier is prime to every size.
      for round in 1...24 {
        var bytes = whole
        for step in 0..<40 { bytes[(round * 7919 + step * 104_729) % bytes.count] ^= 0x5A }
        try bytes.write(to: URL(fileURLWithPath: place.path("flipped.kymo")))
        let words = BrokenRecordingTests.calls(place.path("flipped.kymo"))
        let run = try kymo(words[round % words.count])
        #expect((0...4).contains(run.code), "round \(round): \(words[round % words.count])")
      }
    }
  }

  @Test func `a recording of a newer program is read with a warning, and not written`() throws {
    try place.record(Scenarios.script, into: "new.kymo")
    var bytes = try place.bytes("new.kymo")
    // The user version stands at offset 60 of the first page, big-endian (SQLite file format 1.3).
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    try bytes.write(to: URL(fileURLWithPath: place.path("new.kymo")))
    for verb in ["show", "list sessions", "replay", "velocity"] {
      let run = try kymo(verb, place.path("new.kymo"))
      #expect(run.code == 0)
      #expect(run.errors.contains("newer Kymograph (schema 99"), "\(verb)")
    }
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into",
      place.path("new.kymo"))
    #expect(run.code == 4)
    #expect(run.errors.contains("newer Kymograph"))
    #expect(try place.bytes("new.kymo") == bytes)
  }

  @Test func `another program's database is refused`() throws {
    try place.record(Scenarios.script, into: "other.kymo")
    var bytes = try place.bytes("other.kymo")
    // The application id stands at offset 68.
    bytes.replaceSubrange(68..<72, with: [0, 0, 0, 0])
    try bytes.write(to: URL(fileURLWithPath: place.path("other.kymo")))
    try expectRefusal(place.path("other.kymo"), "foreign", containing: "not a Kymograph recording")
    #expect(try place.bytes("other.kymo") == bytes)
  }

  @Test func `a recording whose recorder was killed is read, with a word about its tail`() throws {
    let script = """
      mkfifo "$1.pipe"
      "$program" record --from-ndjson "$1.pipe" --into "$1" >/dev/null &
      child=$!
      exec 3>"$1.pipe"
      echo '{"kymograph": 1, "refreshRate": 60}' >&3
      echo '{"t_ns": 0, "key": "a", "value": 1}' >&3
      echo '{"t_ns": 1000000000, "key": "a", "value": 2}' >&3
      echo '{"t_ns": 2000000000, "key": "a", "value": 3}' >&3
      tries=0
      until kymo list keys "$1" 2>/dev/null | grep -q '^a ' || [ $((tries += 1)) -gt 1000 ]; do :; done
      kill -KILL $child
      wait $child 2>/dev/null
      true
      """
    #expect(try shell(script, [place.path("open.kymo")]).code == 0)
    let run = try kymo("replay", place.path("open.kymo"), "--keys", "--json")
    #expect(run.code == 0)
    #expect(run.errors.contains("was not closed"))
    #expect(try rows(run.output).first?["value"].number == 1)
    #expect(try kymo("show", place.path("open.kymo")).output.contains("not closed"))
    // The next session goes behind it.
    try place.record(Scenarios.script, into: "open.kymo")
    let sessions = try answers("list sessions", place.path("open.kymo"))
    #expect(sessions.map { $0["clean"] } == [.bool(false), .bool(true)])
    let info = try kymo("show", place.path("open.kymo"))
    // All of it was in the tables already.
    #expect(
      info.output.contains(
        "! its recorder was ended before it could finish, and nothing that it had recorded is missing"
      ))
    #expect(!info.output.contains("not closed"))
    let rows = try answers("show", place.path("open.kymo")).map { $0["recovered"] }
    #expect(rows[0].integer == 0)
    #expect(rows[1] == .null)
  }
}
