import Foundation
import TestSupport
import Testing

@testable import KymoCommands

/// Every column of every table at every extreme: no command ends by a signal, and none sends a terminal
/// what a name says.
@Suite struct HostileValueTests {
  @Test func `every command has a call in the trials`() {
    let called = Set(HostileCalls.all(of: "a", beside: "b", folder: "c").map { $0[0] })
    let withoutRecording: Set = [
      "curve ease", "curve settle", "scenario check", "scenario layout", "scenario schema",
      "web-recorder", "mcp",
    ]
    #expect(called.union(withoutRecording) == Set(Command.all.map(\.name) + [Completion.verb]))
  }

  /// In a process of its own, which a call may end.
  @Test func `any value in any column ends every command with a code and one sentence`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      do {
        OwnProcess.limit(memory: 3 << 30)
        var trials = try HostileValueTrials()
        try trials.run()
        for problem in trials.report { print(problem) }
        print("Hostile values: \(trials.count) calls, \(trials.report.count) problems")
      } catch {
        print("\(error)")
      }
    }
    let latest = HostileValueTrials.latestCall(of: getpid())
    let call = (try? String(contentsOf: latest, encoding: .utf8)) ?? ""
    let report = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(report.hasSuffix(" calls, 0 problems\n"), "\(report) \(call)")
    print(report, terminator: "")
    try? FileManager.default.removeItem(at: latest)
  }
}

/// Single values that once ended a command by a signal: each test has a process of its own.
@Suite struct HostileNumberTests {
  private static func recording(
    _ changes: String, isSealed: Bool = false, in place: Workplace
  ) throws -> String {
    let path: String
    if isSealed {
      path = try place.sealed("damaged.kymo")
    } else {
      try? FileManager.default.removeItem(atPath: place.path("damaged.kymo"))
      path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "damaged.kymo")
    }
    try LooseRecording.execute("PRAGMA ignore_check_constraints = ON; " + changes, on: path)
    return path
  }

  private static func expectDamage(_ words: [String], containing text: String) throws {
    let run = try kymo(words)
    #expect(run.code == 4, "\(words): \(run.code) \(run.output.prefix(100))")
    #expect(run.output == "", "\(words): \(run.code) \(run.output.prefix(100))")
    #expect(run.errors.hasPrefix("kymo "), "\(words): \(run.errors)")
    #expect(run.errors.contains(text), "\(words): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(words): \(run.errors)")
  }

  @Test
  func `a page of values at both ends of time is refused where its key knows nothing of them`()
    async
  {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try HostileNumberTests.recording(
        """
        UPDATE plain_sample SET t_ns = -9223372036854775808 WHERE t_ns = (SELECT min(t_ns) FROM plain_sample);
        UPDATE plain_sample SET t_ns = 9223372036854775807 WHERE t_ns = (SELECT max(t_ns) FROM plain_sample);
        """, in: place)
      try HostileNumberTests.expectDamage(
        ["report", path, "-o", place.path("page.html")],
        containing: "outside of the range that key_summary has")
    }
  }

  @Test func `counts that no file can hold are damage`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      let path = try HostileNumberTests.recording(
        "UPDATE session SET sample_count = 9223372036854775807", in: place)
      for format in ["ndjson", "chrome"] {
        try HostileNumberTests.expectDamage(["export", format, path], containing: "sample_count")
      }
      let other = try HostileNumberTests.recording(
        "UPDATE estimate SET sample_count = 9223372036854775807", in: place)
      for words in [["rule try", other], ["velocity", other], ["compare", other, "--", other]] {
        let run = try kymo(words)
        #expect(
          (3...4).contains(run.code),
          "\(words): \(run.errors)"
        )
        #expect(
          run.errors.contains("sample_count"),
          "\(words): \(run.errors)"
        )
      }
    }
  }

  private static let contradictions = [
    "UPDATE segment SET last_frame = first_frame - 1 WHERE first_frame > 0",
    "UPDATE segment SET last_frame = last_frame + 5",
    "UPDATE segment SET row_count = 9223372036854775807",
    "UPDATE segment SET first_frame = 9223372036854775807 WHERE first_frame > 0",
    "UPDATE frame SET frame = frame - 9223372036854775807 WHERE is_key = 1 AND frame > 0",
    "UPDATE frame SET frame = 9223372036854775807 WHERE is_key = 1 AND frame > 0",
  ]

  @Test func `segments and frames that contradict each other end in a sentence`() async {
    await #expect(processExitsWith: .success) {
      let place = try Workplace()
      for change in HostileNumberTests.contradictions {
        let path = try HostileNumberTests.recording(change, isSealed: true, in: place)
        for words in [
          ["file unpack"], ["file pack", "--precision", "float32"], ["file pack"], ["file pack"],
          ["file trim", "--from", "0.2", "--to", "1.5"], ["file doctor", "--deep"],
          ["replay", "--items"],
          ["file delete", "1"],
        ] {
          let copy = place.path("copy.kymo")
          try? FileManager.default.removeItem(atPath: copy)
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          let run = try kymo([words[0], copy] + words.dropFirst())
          #expect((0...4).contains(run.code), "\(words): \(run.code) \(run.errors)")
          if run.code == 4 { #expect(run.errors.hasPrefix("kymo "), "\(words): \(run.errors)") }
        }
      }
    }
  }
}

extension Workplace {
  /// Two seconds of 24 items that all move, sealed.
  func sealed(_ name: String) throws -> String {
    var lines = ["{\"kymograph\": 1, \"name\": \"run\"}"]
    for frame in 0..<120 {
      let items = (0..<24).map { item in
        "{\"id\": \"i\(item)\", \"center\": [\(frame * item), \(item)], \"size\": [4, 4]}"
      }
      lines.append(
        "{\"t_ns\": \(frame * 16_666_667), \"frame\": {\"items\": [\(items.joined(separator: ","))]}}"
      )
    }
    try? FileManager.default.removeItem(atPath: path(name))
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path(name), input: lines.joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
    let sealed = try kymo("file pack", path(name))
    #expect(sealed.code == 0, "\(sealed.errors)")
    return path(name)
  }
}

/// What is asked of a recording: every command that opens one, in its ways of reading it.
enum HostileCalls {
  /// The calls.
  ///
  /// - Parameters:
  ///   - path: The recording.
  ///   - whole: A sound one.
  ///   - folder: Where outputs go.
  static func all(of path: String, beside whole: String, folder: String) -> [[String]] {
    let output = folder + "/out"
    return reading(path) + working(path, beside: whole, output) + [
      ["compare", path, path], ["compare", path, whole, "--all"],
      ["compare", whole, path, "--json"],
      ["compare", path, whole, "--exact"], ["compare", path, whole, "--align", "release"],
      ["compare", path, whole, "--align", "xcorr"],
      ["compare", whole, path, "--align", "progress"],
      ["plot", path, whole], ["report", path, "-o", output], ["report", path, whole, "-o", output],
      ["replay", path, whole, "--cast", "-", "--speed", "100"],
      ["compare", path, whole, "--", whole, path],
      ["compare", path, "--", path, "--json", "--all-metrics"],
      ["golden learn", path, whole, "-o", output], ["check", path, "--golden", whole],
      ["check", path, whole, "--golden", path, "--junit", output],
      ["check", path, "--page", output],
      ["check", path, whole, "--golden", whole, "--review", output],
      ["check", whole, "--golden", path, "--review", output],
      ["file merge", path, whole, "--into", output],
      ["file merge", whole, path, "--into", output, "--hash-items"],
      ["file recover", path, "-o", output], ["file migrate", path], ["file pack", path],
      ["file pack", path, "--precision", "float32"], ["file unpack", path], ["file pack", path],
      ["rerun", path, "--into", output],
      ["rerun", path, "--set", "release.threshold=0.2:0.6:0.4", "--page", output],
      ["file trim", path, "--from", "0.02", "--to", "0.2"], ["file trim", path, "--from", "0.1"],
      ["file delete", "\(path)#1"],
      ["watch", "--again", path, "--browser", "/none"],
      ["watch", fixture("pages/watch/next.html"), "--gesture", path, "--browser", "/none"],
      ["record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into", path],
      [
        "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into", path,
        "--max-size", "100kB", "--max-age", "1s",
      ],
    ]
  }

  /// Their list names the recording.
  private static func working(_ path: String, beside whole: String, _ output: String) -> [[String]]
  {
    [
      ["rows", "--metrics", "--releases", "--try", "--rule velocity"],
      ["rows", "--values", "progress", "--skip", path],
      ["rows", "--requirements", fixture("requirements/any.json")],
      ["rows", "--export", "ndjson", "--export-dir", output],
      ["golden accept", "-", "--golden", path],
      ["golden accept", "-", "--golden", path, "--dry-run"],
      ["label", path, "cancel", "--note", "n"], ["label", path, "unsure", "--csv", output],
      ["list labels", path], ["label", path, "none", "--transition", "0"],
    ]
  }

  private static func reading(_ path: String) -> [[String]] {
    [
      [Completion.verb, "show", path + "#"], [Completion.verb, "replay", path, "--items", ""],
      [Completion.verb, "replay", path, "--key", ""],
      [Completion.verb, "replay", path, "--key", "item."],
      [Completion.verb, "replay", path, "--key", "finger."],
      ["show", path], ["show", path, "--json"], ["list sessions", path],
      ["list sessions", path, "--json"],
      ["list keys", path], ["list events", path], ["list events", path, "--json"],
      ["list touches", path], ["list transitions", path], ["list decisions", path, "--json"],
      ["list estimates", path], ["list losses", path], ["list losses", "\(path)#1"],
      ["replay", path], ["replay", path, "--items"], ["replay", path, "--items", "--json"],
      ["replay", path, "--at", "0.2", "--items"], ["replay", path, "--rate", "20"],
      ["replay", path, "--rate", "20", "--items"], ["replay", path, "--keys"],
      ["replay", path, "--keys", "--at", "0.2"], ["replay", path, "--keys", "--rate", "20"],
      ["replay", path, "--cast", "-", "--speed", "100"],
      ["plot", path], ["plot", path, "-o", "-"], ["plot", path, "--film", "-o", "-"],
      ["plot", path, "--film", "-o", "-", "--at", "0.1,0.3"], ["velocity", path],
      ["velocity", path, "--json", "--explain"], ["velocity", path, "--at", "0.2"],
      ["velocity", path, "--estimator", "all", "--json"],
      ["velocity", path, "--key", "item.apple", "--at", "0.3"], ["rule try", path],
      ["rule try", path, "--json"], ["rule try", path, "--set", "release.threshold=0.1:0.9:0.1"],
      ["rule tune", path],
      ["rule tune", path, "--json", "--set", "release.estimator=lsq2,impulse"],
      ["fit", path], ["fit", path, "--key", "item.apple", "--json"],
      ["fit", path, "--from", "0.1", "--model", "spring"],
      ["file doctor", path], ["file doctor", path, "--deep", "--json"],
      ["show", "\(path)#1"], ["show", "\(path)#1", "--json"],
      ["check", path, "--requirements", fixture("requirements/any.json"), "--all"],
      ["check", path, "--requirements", fixture("requirements/any.json"), "--json"],
      ["export", "csv", path, "--wide"], ["export", "ndjson", path], ["export", "chrome", path],
      ["export", "chrome", path, "--items", "apple"], ["export", "lottie", path],
      ["export", "waapi", path], ["export", "svg", path], ["export", "cdp", path],
      ["export", "evemu", path],
    ]
      + ["samples", "frames", "attributes", "events", "touches", "decisions"].map {
        ["export", "csv", path, "--table", $0]
      }
      + ["sessions", "keys", "items", "attributes", "samples", "estimates", "losses"].map {
        ["sql", path, "SELECT * FROM \($0)"]
      }
  }
}
