import Foundation
import JSONText
import TestSupport
import Testing

/// A file of another kind in the place of a recording: its kind is named, and the command that makes a recording of it.
@Suite struct StrangerFileTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Commands that read texts in the place of recordings, and such as do not.
  private static let readers = [
    ["show"], ["fit"], ["rule", "try", "--rule", "niri"], ["report", "-o", "page.html"],
  ]
  private static let others = [["list", "decisions"], ["file", "pack"]]

  private func refused(_ path: String, _ sentence: String, by commands: [[String]]) throws {
    for words in commands {
      let run = try kymo(words + [path], in: place.folder.url.path)
      #expect(run.code == 4, "\(words): \(run.errors)")
      #expect(run.output == "", "\(words): \(run.errors)")
      #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
      #expect(!run.errors.contains("recover"), "\(words): \(run.errors)")
    }
  }

  @Test func `a gesture file becomes a recording of its touches`() throws {
    let path = fixture("gestures/pinch-open.evemu")
    try refused(
      path,
      "\(path) is a gesture file (evemu), not a recording. Make a recording with: kymo export ndjson \(path) | "
        + "kymo record --from-ndjson - --into pinch-open.kymo", by: Self.others)
    for file in ["two-fingers.evdev64", "touchpad-swipe.libinput-events.txt", "drag-short.csv"] {
      let run = try kymo("list", "decisions", fixture("gestures/\(file)"))
      #expect(run.errors.contains("is a gesture file ("), "\(file): \(run.errors)")
    }
    let made = try shell(
      "cd \"$1\" && kymo export ndjson \"$2\" | kymo record --from-ndjson - --into pinch-open.kymo",
      [place.folder.url.path, path])
    #expect(made.code == 0, "\(made.errors)")
    #expect(
      try kymo("list", "touches", place.path("pinch-open.kymo")).output
        == kymo("list", "touches", path).output)
  }

  @Test func `the lines of an app and a scenario are recorded by the command that is named`() throws
  {
    let lines = try place.file(
      "lines.ndjson", #"{"kymograph": 1}"# + "\n" + #"{"t_ns": 0, "key": "a", "value": 1}"# + "\n")
    try refused(
      lines,
      "is the lines of an app, not a recording. Make a recording with: kymo record --from-ndjson \(lines) "
        + "--into lines.kymo", by: Self.others)
    let scenario = fixture("scenarios/\(Scenarios.script)")
    try refused(
      scenario,
      "is a scenario, not a recording. Make a recording with: kymo record --scenario \(scenario) --into ",
      by: Self.readers + Self.others)
    let page = try place.file("page.html", "<!doctype html>")
    try refused(
      page, "is a page, not a recording. Make a recording with: kymo watch \(page) --into",
      by: Self.readers + Self.others)
  }

  @Test(arguments: [
    ("a.mp4", "\0\0\0 ftypisom\0\0"), ("a.gif", "GIF89a"), ("a.avi", "RIFF\0\0\0\0AVI LIST"),
  ])
  func `a clip names the command that marks an element in it`(name: String, start: String) throws {
    let path = try place.file(name, start)
    try refused(
      path,
      "is a clip, not a recording. Mark an element in it with: kymo record --video \(path) --candidates a.png",
      by: Self.readers + Self.others)
  }

  @Test(arguments: [
    ("value.csv", "t_ns,value\r\n0,1.5\r\n8000000,-2e-3\r\n", ["value"]),
    ("x y's.csv", "t_ns,near,far\n0,1,2\n8000000,3,4.25\n", ["near", "far"]),
  ])
  func `the command about a table makes a recording with its values`(
    name: String, text: String, keys: [String]
  ) throws {
    let path = try place.file(name, text)
    let run = try kymo("list", "decisions", path)
    let command = try #require(run.errors.split(separator: "Make a recording with: ").last)
    let made = try shell("cd \"$1\" && " + String(command), [place.folder.url.path])
    #expect(made.code == 0, "\(made.errors)")
    let recording = place.path(String(name.dropLast(4)) + ".kymo")
    for (index, key) in keys.enumerated() {
      let values = try answers("replay", recording, "--keys", "--key", key)
      let rows = text.split(whereSeparator: \.isNewline).dropFirst().map {
        $0.split(separator: ",")
      }
      #expect(values.map { $0["t_ns"].integer } == rows.map { Int64($0[0]) })
      #expect(values.map { $0["value"].number } == rows.map { Double($0[index + 1]) })
    }
  }

  @Test func `another file is told what could be read, and only a damaged recording is recovered`()
    throws
  {
    let sentence =
      "is not a recording, a gesture file, a table of times and numbers or an app's lines"
    for (name, bytes) in [
      ("letter.kymo", Data("Dear reader\n".utf8)),
      ("noise.kymo", Data((0..<9000).map { UInt8($0 % 251) })),
      ("zeros.bin", Data(count: 8192)), ("list.json", Data("[1, 2]".utf8)),
    ] {
      let path = place.path(name)
      try bytes.write(to: URL(fileURLWithPath: path))
      try refused(path, sentence, by: Self.readers + Self.others)
      let compared = try kymo("compare", path, path)
      #expect(compared.code == 4, "\(name): \(compared.errors)")
      #expect(compared.errors.contains(sentence), "\(name): \(compared.errors)")
    }
    let path = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "damaged.kymo")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(0..<1024, with: Data(count: 1024))
    try bytes.write(to: URL(fileURLWithPath: path))
    let run = try kymo("show", path)
    #expect(
      run.code == 4,
      "\(run.errors)")
    #expect(
      run.errors.contains("Save what is left with kymo file recover \(path) -o recovered.kymo"),
      "\(run.errors)")
    #expect(
      [0, 1, 3].contains(try kymo("file recover", path, "-o", place.path("saved.kymo")).code))
  }
}
