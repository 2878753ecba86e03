import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo file pack` and `kymo file unpack`.
@Suite struct SealTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// Two seconds of 24 items that all move in each of 60 frames a second.
  private func record() throws {
    var lines = ["{\"kymograph\": 1, \"name\": \"run\"}"]
    for frame in 0..<120 {
      let items = (0..<24).map { item in
        "{\"id\": \"i\(item)\", \"center\": [\(Double(frame * item) / 7), \(item)], \"size\": [4, 4]}"
      }
      let time = frame * 1_000_000_000 / 60
      lines.append(
        "{\"t_ns\": \(time), \"frame\": {\"progress\": 0.5, \"items\": [\(items.joined(separator: ","))]}}"
      )
      lines.append("{\"t_ns\": \(time), \"key\": \"x\", \"value\": \(frame * 3)}")
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path, "--pack", input: lines.joined(separator: "\n")
    )
    #expect(run.code == 0, "\(run.errors)")
  }

  private func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }

  /// What the reading commands say of the recording, but for sizes.
  private func everything() throws -> [String] {
    try [
      ["replay", path, "--format", "json"], ["replay", path, "--at", "1.234", "--format", "json"],
      ["list sessions", path, "--format", "json"],
      ["velocity", path, "--at", "1.5", "--format", "json"],
      ["compare", path, path, "--format", "json"],
      ["sql", path, "SELECT * FROM attributes ORDER BY frame, item", "--format", "json"],
    ].map { words in
      let run = try kymo(words)
      return "\(run.code) \(run.output) \(run.errors)"
    }
  }

  @Test func `sealed and expanded recordings answer alike, and what was done is told`() throws {
    try record()
    let sealed = try everything()
    #expect(try answers("show", path).first?["sealed_from"].integer == 1)
    #expect(try kymo("show", path).output.contains("packed from frame 1 on"))
    let expanded = try #require(try answers("file unpack", path).first)
    #expect(try answers("show", path).first?["sealed_from"] == .null)
    // Two seconds of poses in two parts each, and the samples.
    #expect(expanded["segments"].integer == 5)
    #expect(try everything() == sealed)
    let before = try size()
    let report = try #require(try answers("file pack", "\(path)#1", "--no-shrink").first)
    #expect(report["segments"].integer == 3)
    #expect(report["rows"].integer == expanded["rows"].integer)
    #expect(try everything() == sealed)
    #expect(try size() >= before)
    // What is packed already stays as it is; the unused space goes.
    #expect(try answers("file pack", path).first?["segments"].integer == 0)
    #expect(try size() < before)
    #expect(try everything() == sealed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
  }

  @Test func `a session that its recorder did not close is expanded, and not sealed`() throws {
    try record()
    try LooseRecording.execute("UPDATE session SET end_ns = NULL;", on: path)
    #expect(try answers("file unpack", path).first?["segments"].integer == 5)
    #expect(try kymo("file pack", "\(path)#1").code == 2)
  }

  @Test func `rounding is done only when it is asked for, and says what is lost`() throws {
    try record()
    let run = try kymo("file pack", path, "--precision", "1/1024")
    #expect(run.code == 0)
    #expect(run.errors.contains("rounded to 1/1024"))
    #expect(run.errors.contains("cannot be undone"))
    #expect(try kymo("file pack", path, "--precision", "1/1024").errors == "")
    #expect(try kymo("file pack", path, "--precision", "half").code == 2)
  }

  @Test func `what is no recording or no session of it is refused`() throws {
    try record()
    for verb in ["file pack", "file unpack"] {
      #expect(try kymo(verb, folder.path("absent.kymo")).code == 4)
    }
    #expect(try kymo("file pack", "\(path)#7").code == 2)
    #expect(try kymo("file unpack", "\(path)#1", "1").code == 2)
  }

  @Test func `packing loses nothing and shrinks the file, and unpacking gives every row back`()
    throws
  {
    try record()
    #expect(try kymo("file unpack", path).code == 0)
    func content() throws -> [String] {
      try ["samples", "attributes", "frames", "events"].map {
        try kymo("sql", path, "SELECT * FROM \($0) ORDER BY 1, 2, 3", "--json").output
      }
    }
    let (plain, rows) = (try size(), try content())
    let run = try kymo("file pack", path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    let packed = try size()
    #expect(packed < plain)
    #expect(run.output.contains("The file shrank from \(plain) to \(packed) bytes.\n"))
    #expect(try content() == rows)
    #expect(try kymo("file unpack", path).code == 0)
    #expect(try content() == rows)
    let kept = try size()
    let again = try kymo("file pack", path, "--no-shrink")
    #expect(again.code == 0)
    #expect(!again.output.contains("shrank"))
    #expect(try size() >= kept)
    #expect(try content() == rows)
  }
}
