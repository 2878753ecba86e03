import Foundation
import TestSupport
import Testing

@Suite struct DoctorTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// A recording whose recorder was killed in the middle.
  private func killed(_ name: String) throws -> String {
    let script = """
      "$crash" endless "$1" "$1.shared" &
      child=$!
      tries=0
      until kymo list keys "$1" 2>/dev/null | grep -q '^thread 3 ' || [ $((tries += 1)) -gt 1000 ]; do :; done
      kill -KILL $child
      tries=0
      until kymo file doctor "$1" --json | grep -q journalWaiting || [ $((tries += 1)) -gt 1000 ]; do :; done
      rm "$1.shared"
      """
    let path = place.path(name)
    let run = try shell(script, [path])
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  @Test func `a sound recording is healthy, and comes out of recover as it was`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "sound.kymo")
    #expect(try answers("file doctor", path, "--deep").isEmpty)
    #expect(try kymo("file doctor", path).output == "\(path): healthy\n")
    let output = place.path("recovered.kymo")
    let run = try kymo("file recover", path, "-o", output, "--json")
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(try rows(run.output).first?["lost"].names == [])
    for view in ["samples", "frames", "attributes", "touches", "events", "decisions", "estimates"] {
      let question = "SELECT * FROM \(view)"
      #expect(
        try kymo("sql", path, question, "--json").output
          == kymo("sql", output, question, "--json").output, "\(view)")
    }
    let again = try kymo("file recover", path, "--out", output)
    #expect(again.code == 2)
    #expect(again.errors.contains("--force"))
    #expect(try kymo("file recover", path, "--out", output, "--force").code == 0)
  }

  @Test func `what is no recording is unreadable, and the others are still examined`() throws {
    let sound = try place.record(Scenarios.script, into: "sound.kymo")
    let text = try place.file("text.kymo", String(repeating: "hello\n", count: 900))
    let empty = try place.file("empty.kymo", "")
    let folder = place.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [text, empty, place.path("none.kymo"), folder] {
      let run = try kymo("file doctor", sound, path, sound)
      #expect(run.code == 3, "\(path)")
      let alone = try kymo("file doctor", path)
      #expect(alone.code == 4, "\(path): \(alone.output)")
      #expect(alone.output == "", "\(path): \(alone.output)")
      #expect(run.errors.contains(path))
      #expect(try kymo("file recover", path, "-o", place.path("out.kymo")).code == 4, "\(path)")
    }
    #expect(!FileManager.default.fileExists(atPath: place.path("out.kymo")))
  }

  @Test func `a display that changes its rate has no gap, and a frame that it misses is one`()
    throws
  {
    func found(_ name: String, _ times: [Int]) throws -> [String] {
      let lines = times.map {
        #"{"t_ns": \#($0 * 1_000_000), "frame": {"progress": 0.5, "items": []}}"#
      }
      let header = #"{"kymograph": 1, "name": "rates", "refreshRate": 100}"#
      let file = try place.file(
        name + ".ndjson", ([header] + lines).joined(separator: "\n") + "\n")
      let path = place.path(name + ".kymo")
      #expect(try kymo("record", "--from-ndjson", file, "--into", path).code == 0)
      return try answers("file doctor", path).compactMap {
        $0["what"].text == "gap" ? $0["where"].text : nil
      }
    }
    let times = (0...20).map { $0 * 10 } + (11...30).map { $0 * 20 }
    #expect(try found("changed", times) == [])
    #expect(try found("missed", times + [640]) == ["1 gap between frames, from 0.6 s to 0.64 s"])
  }

  @Test func `damage is found and named, and recover says what it cost`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "whole.kymo")
    let whole = try place.bytes("whole.kymo")
    let path = place.path("damaged.kymo")
    var found = 0
    var lost = 0
    for page in stride(from: 1, to: whole.count / 4_096, by: 5) {
      var bytes = whole
      for index in page * 4_096..<(page + 1) * 4_096 { bytes[index] = UInt8(index % 251) }
      try bytes.write(to: URL(fileURLWithPath: path))
      let doctor = try kymo("file doctor", path, "--deep", "--json")
      #expect([0, 1].contains(doctor.code), "page \(page): \(doctor.errors)")
      if doctor.code == 1 { found += 1 }
      let recover = try kymo(
        "file recover", path, "-o", place.path("out.kymo"), "--force", "--json")
      #expect([0, 3].contains(recover.code), "page \(page): \(recover.errors)")
      // Whatever costs a row is damage that the doctor finds.
      if recover.code == 3 {
        lost += 1
        #expect(doctor.code == 1, "page \(page)")
      }
      #expect(try place.bytes("damaged.kymo") == bytes)
    }
    #expect(found >= lost)
    #expect(lost > 3)
  }

  @Test func `reading what a killed recorder left changes no byte`() throws {
    let path = try killed("killed.kymo")
    func files() throws -> [String: Data] {
      var files: [String: Data] = [:]
      for name in try place.names() where !name.hasSuffix("-shm") {
        files[name] = try place.bytes(name)
      }
      return files
    }
    let before = try files()
    #expect(before.keys.contains("killed.kymo-wal"))
    let folder = place.folder.url.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    for words in [
      ["show", path], ["list sessions", path], ["list keys", path], ["list events", path],
      ["list touches", path],
      ["replay", path], ["replay", path, "--keys"], ["velocity", path], ["compare", path, path],
      ["file doctor", path, "--deep"], ["sql", path, "SELECT count(*) FROM samples"],
      ["rule try", path],
    ] {
      let run = try kymo(words)
      #expect((0...3).contains(run.code), "\(words): \(run.code) \(run.errors)")
      #expect(try files() == before, "\(words)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    let count = try answers("sql", path, "SELECT count(*) AS n FROM samples")[0]["n"].integer
    // The next recorder folds the journal in; nothing is shown anew, and nothing less.
    try place.record(Scenarios.script, into: "killed.kymo")
    let after = try answers(
      "sql", path,
      "SELECT count(*) AS n FROM samples JOIN sessions USING (session) WHERE clock = 'virtual' "
        + "AND software = 'kymo-crash'")[0]["n"].integer
    #expect(count == after)
    #expect(try place.names().filter { $0.contains("-crash") }.isEmpty)
  }

  @Test(arguments: ["recording", "checkpoint", "suspending", "sealing"])
  func `recorders and recoveries that are killed lose nothing`(kind: String) throws {
    let run = try ProgramRun.run(["8", "5", kind], program: "kymo-crash")
    print(run.output, terminator: "")
    #expect(run.code == 0, "\(run.output) \(run.errors)")
  }
}
