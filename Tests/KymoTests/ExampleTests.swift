import Foundation
import TestSupport
import Testing

/// Runs each example that a command's help shows, in a folder that has the files which examples name.
@Suite struct ExampleTests {
  /// All commands, by the names that help has.
  static func commandNames() throws -> [String] {
    let overview = try kymo("help").output
    let entries = overview.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { line -> String? in
        let words = line.dropFirst(2).components(separatedBy: "  ")
        return words[0].isEmpty || words[0].hasPrefix("kymo") ? nil : words[0]
      }
    return try entries.flatMap { entry -> [String] in
      let help = try kymo(["help"] + entry.split(separator: " ").map(String.init)).output
      guard !help.contains("\nUsage: ") else { return [entry] }
      return help.split(separator: "\n").filter { $0.hasPrefix("  kymo \(entry) ") }.map {
        $0.dropFirst(7).components(separatedBy: "  ")[0]
      }
    }
  }

  @Test func `each example of each command's help runs as it stands`() throws {
    let names = try Self.commandNames()
    let files = try ExampleFolder()
    #expect(names.count > 35, "\(names)")
    for name in names {
      let help = try kymo(["help"] + name.split(separator: " ").map(String.init)).output
      let examples =
        help.components(separatedBy: "\nExamples:\n").last?
        .components(separatedBy: "\n\n").first?.split(separator: "\n").map(String.init) ?? []
      #expect(examples.count >= 2, "\(name) has \(examples.count) examples")
      if name == "watch", !BrowserOnMachine.hasShell {
        print("The examples of kymo watch are skipped: this machine has no headless shell.")
        continue
      }
      for example in examples {
        if example.contains("clip.mp4"), !DecoderOnMachine.isThere {
          print("\(example) is skipped: this machine has no ffmpeg.")
          continue
        }
        let place = try ExampleFolder(copying: files)
        let run = try shell(place.setUp + example)
        // A player begins on a terminal alone.
        let needsTerminal = run.code == 2 && run.errors.contains("needs a terminal")
        // Nobody serves a page here.
        let needsServer =
          example.contains("http://localhost") && run.errors.contains("ERR_CONNECTION_REFUSED")
        #expect(
          [0, 1, 3].contains(run.code) || needsTerminal || needsServer,
          "\(example.trimmingCharacters(in: .whitespaces)): \(run.errors)")
      }
    }
  }
}

/// A folder with the files that examples name.
///
/// `pinch.kymo` has two sessions, of which the first finishes; the other recordings are like it, and `runs.kymo` has a
/// third session with the name of the first.
struct ExampleFolder {
  private let place: Workplace

  /// Lines of shell that enter the folder, and stand in for an app.
  var setUp: String {
    """
    cd '\(place.folder.url.path)' || exit 9
    my_app() { cat lines.ndjson; }

    """
  }

  init() throws {
    place = try Workplace()
    let folder = place.folder
    for (from, to) in [
      ("scenarios/grid-to-detail.pinch.json", "grid.json"),
      ("gestures/pinch-open.evemu", "pinch.evemu"),
      ("gestures/drag-rest.evemu", "drag.evemu"),
      ("clips/card.mp4", "clip.mp4"),
    ] {
      try FileManager.default.copyItem(
        atPath: fixture(from), toPath: folder.url.appendingPathComponent(to).path)
    }
    for name in ["page", "sheet"] {
      try FileManager.default.copyItem(
        atPath: fixture("pages/watch/sheet.html"), toPath: place.path("\(name).html"))
    }
    for name in ["today", "yesterday", "public"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let pinch = place.path("pinch.kymo")
    for (gesture, name) in [("pinch-open", "pinch-open"), ("pinch-back", "pinch-back")] {
      let run = try kymo(
        "record", "--scenario", place.path("grid.json"), "--gesture",
        fixture("gestures/\(gesture).evemu"), "--into", pinch, "--name", name)
      #expect(run.code == 0, "\(run.errors)")
    }
    for copy in [
      "app", "run", "runs", "old", "new", "broken", "live", "base", "golden", "yesterday", "today",
      "today/one", "today/two", "yesterday/one", "yesterday/two",
    ] {
      try FileManager.default.copyItem(atPath: pinch, toPath: place.path("\(copy).kymo"))
    }
    if DecoderOnMachine.isThere {
      let clip = try kymo(
        "record", "--video", place.path("clip.mp4"), "--track", "card=35,580,320x120", "--into",
        place.path("clip.kymo"))
      #expect(clip.code == 0, "\(clip.errors)")
    }
    let again = try kymo(
      "record", "--scenario", place.path("grid.json"), "--gesture",
      fixture("gestures/pinch-open.evemu"), "--into", place.path("runs.kymo"), "--name",
      "pinch-open")
    #expect(again.code == 0, "\(again.errors)")
    let uuids = try answers("list sessions", pinch).compactMap { $0["uuid"].text }
    _ = try place.file("accept.txt", "\(uuids[0]) today.kymo#\(uuids[0])\n")
    _ = try place.file("labels.csv", "uuid,transition,label,note,at\n\(uuids[0]),0,finish,,\n")
    _ = try place.file(
      "limits.json", #"{"version": 1, "rules": [{"key": "progress", "max_abs": {"fail": 0.5}}]}"#)
    _ = try place.file(
      "motion.json",
      #"{"requirements": 1, "rules": [{"hitch": "frames", "max_ms_per_s": 50}]}"#)
    _ = try place.file("lines.ndjson", try kymo("export", "ndjson", pinch).output)
    _ = try place.file("watched.ndjson", Self.watched(place.path("sheet.html")))
    let watched = try kymo(
      "record", "--from-ndjson", place.path("watched.ndjson"), "--into", place.path("sheet.kymo"))
    #expect(watched.code == 0, "\(watched.errors)")
    _ = try place.file("list.txt", "pinch.kymo\nrun.kymo\n")
  }

  /// Makes a folder with the same files.
  init(copying other: ExampleFolder) throws {
    place = try Workplace()
    for name in try other.place.names() {
      try FileManager.default.copyItem(atPath: other.place.path(name), toPath: place.path(name))
    }
  }

  /// The lines of a page that was watched.
  private static func watched(_ page: String) -> String {
    """
    {"kymograph":1,"name":"Sheet"}
    {"t_ns":0,"event":"action","kind":"open","target":"file://\(page)","viewport":[390,844],\
    "pointer":"touch","dpr":1,"slowdown":1,"items":"[id]"}
    {"t_ns":1000000,"event":"action","kind":"click","target":"#go"}

    """
  }
}
