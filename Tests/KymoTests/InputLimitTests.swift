import Foundation
import TestSupport
import Testing

/// Inputs without end, or with very much of one thing: refused with a sentence, or answered in a time that grows
/// with them. Each test has a process of its own, which a limit on the processor's time ends.
@Suite struct InputLimitTests {
  /// Runs a command with so many seconds of the processor.
  private static func limited(
    _ words: [String], input: String? = nil, seconds: Int = 20
  ) throws -> ProgramRun {
    OwnProcess.limit(seconds: seconds)
    return try kymo(words, from: input)
  }

  @Test func `a device without end is refused by every command that reads a text as a whole`() async
  {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let recording = try place.record(Scenarios.script, into: "run.kymo")
      let zero = "/dev/zero"
      let calls: [(words: [String], limit: String)] = [
        (["record", "--scenario", zero, "--into", place.path("a.kymo")], "64 MiB"),
        (["scenario", "check", zero], "64 MiB"), (["scenario layout", zero], "64 MiB"),
        (["compare", recording, recording, "--tolerances", zero], "64 MiB"),
        (["check", recording, "--golden", recording, "--tolerances", zero], "64 MiB"),
        (["list touches", zero], "128 MiB"), (["velocity", zero], "128 MiB"),
        (
          [
            "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture", zero,
            "--into", place.path("a.kymo"),
          ], "128 MiB"
        ),
        (["record", "--from-ndjson", zero, "--into", place.path("a.kymo")], "64 MiB"),
      ]
      for (words, limit) in calls {
        let run = try InputLimitTests.limited(words)
        #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
        #expect(run.errors.contains("longer than \(limit)"), "\(words): \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(words)")
        #expect(run.output == "", "\(words)")
      }
      let query = try InputLimitTests.limited(["sql", recording, "-"], input: zero)
      #expect(query.code == 4, "\(query.errors)")
      #expect(query.errors.contains("longer than 1 MiB"), "\(query.errors)")
      #expect(try place.names() == ["run.kymo"])
    }
  }

  @Test func `a contact in every row is left out beyond 256, and the rest is estimated`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let rows = (0..<20_000).map { "\($0)000000,\($0),began,\($0),1" }.joined(separator: "\n")
      let file = try place.file("many.csv", "t_ns,id,phase,x,y\n\(rows)\n20000000000,0,ended,1,1\n")
      let velocity = try InputLimitTests.limited([
        "velocity", file, "--estimator", "lsq2",
      ])
      #expect(velocity.code == 3)
      #expect(velocity.errors.contains("ore than 256 contacts"))
      #expect(velocity.output.split(separator: "\n").count >= 512)
      let run = try InputLimitTests.limited([
        "record", "--scenario", fixture("scenarios/\(Scenarios.drag)"), "--gesture", file, "--into",
        place.path("many.kymo"),
      ])
      #expect(run.code == 3, "\(run.code) \(run.errors.suffix(300))")
      let taps = (0..<1001).map { "\($0)000000,a,down,1,1\n\($0)500000,a,up,1,1" }
      let tapped = try place.file(
        "taps.csv", "t_ns,id,phase,x,y\n\(taps.joined(separator: "\n"))\n")
      let latest = try InputLimitTests.limited(["velocity", tapped])
      #expect(latest.code == 0, "\(latest.errors)")
      #expect(latest.errors.contains("last 1000"), "\(latest.errors)")
      #expect(
        try InputLimitTests.limited(["velocity", tapped, "--key", "finger.1000.x"])
          .code
          == 0)
    }
  }

  @Test func `very many keys are listed in a time that grows with them alone`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.script, into: "keys.kymo")
      try LooseRecording.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT 40000)
        INSERT INTO key SELECT 1, i, 'k' || i, 'custom', '1' FROM n;
        INSERT INTO key_summary SELECT 1, key, 1, 0, 0, NULL, NULL, 0.5, 0.5, 0.5, 0.5 FROM key
          WHERE key >= 100;
        """, on: path)
      for words in [["show", path, "--json"], ["list keys", path]] {
        let run = try InputLimitTests.limited(words)
        #expect(run.code == 0, "\(words): \(run.code)")
        #expect(run.output.contains("k40099"), "\(words): \(run.code)")
      }
      let page = place.path("page.html")
      #expect(try InputLimitTests.limited(["report", path, "-o", page]).code == 0)
      #expect(try String(contentsOfFile: page, encoding: .utf8).contains("k40099"))
    }
  }

  @Test func `a name of five megabytes is played and listed`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.script, into: "long.kymo")
      try LooseRecording.execute(
        """
        UPDATE session SET name = replace(hex(zeroblob(2500000)), '0', 'n');
        UPDATE key SET name = name || replace(hex(zeroblob(2500000)), '0', 'k') WHERE key = 0;
        UPDATE item SET id = id || replace(hex(zeroblob(500000)), '0', 'i') WHERE item = 0;
        """, on: path)
      for words in [
        ["replay", path, "--cast", "-"], ["plot", path], ["show", path], ["list keys", path],
      ] {
        let run = try InputLimitTests.limited(words)
        #expect(run.code == 0, "\(words): \(run.code) \(run.errors.prefix(300))")
      }
    }
  }

  @Test func `frames at a rate are refused where a time lies years away`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try place.record(Scenarios.script, into: "far.kymo")
      try LooseRecording.execute(
        "UPDATE frame SET t_ns = 9007199254740992 WHERE frame = (SELECT max(frame) FROM frame)",
        on: path)
      let run = try InputLimitTests.limited(["replay", path, "--rate", "60"])
      #expect(run.code == 2, "\(run.errors)")
      #expect(run.errors.contains("ten million rows"), "\(run.errors)")
    }
  }
}
