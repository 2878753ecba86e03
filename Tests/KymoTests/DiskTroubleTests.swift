import Foundation
import TestSupport
import Testing

/// Writes that fail, files that are cut short, and recorders that ended before they began.
@Suite struct DiskTroubleTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test
  func `beyond a limit on the size of files a sentence says so, and no signal ends the program`()
    throws
  {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    let output = place.path("out")
    for (words, isFile) in [
      ("record --scenario \"$2\" --into \"$1\"", false), ("file merge \"$3\" --into \"$1\"", true),
      ("file recover \"$3\" -o \"$1\"", true), ("report \"$3\" -o \"$1\"", true),
      ("export ndjson \"$3\" -o \"$1\"", true), ("export ndjson \"$3\" > \"$1\"", false),
    ] {
      let run = try ProgramRun.shell(
        "ulimit -f 8; \"$kymo\" " + words, [output, fixture("scenarios/\(Scenarios.script)"), path])
      #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
      #expect(run.errors.hasPrefix("kymo"), "\(words): \(run.errors)")
      #expect(
        ["File too large", "disk I/O error"].contains { run.errors.contains($0) }, "\(run.errors)")
      // Nothing half done is there, of no bytes for one.
      #expect(try place.names() == (isFile ? ["run.kymo"] : ["out", "run.kymo"]), "\(words)")
      try? FileManager.default.removeItem(atPath: output)
    }
  }

  /// `kymo record` that gets its lines through a pipe.
  private final class Recording {
    let process = Process()
    private let lines = Pipe()
    private let errors = Pipe()
    private let output = Pipe()

    init(into path: String, fileLimit: Int? = nil) throws {
      // Or what another test starts meanwhile would keep them open.
      for pipe in [lines, errors, output] {
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
          _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
      }
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        (fileLimit.map { ["prlimit", "--fsize=\($0):unlimited"] } ?? [])
        + [
          builtProgram("kymo").path, "record", "--from-ndjson", "-", "--into", path, "--json",
        ]
      process.standardInput = lines
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    func give(_ line: String) throws {
      try lines.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// What it says next, as soon as it says something.
    func said() -> String {
      String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    }

    func end() throws -> (code: Int32, errors: String, output: String) {
      try? lines.fileHandleForWriting.close()
      let rest = errors.fileHandleForReading.readDataToEndOfFile()
      let answer = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let code = process.terminationStatus
      return (
        process.terminationReason == .uncaughtSignal ? -code : code,
        String(decoding: rest, as: UTF8.self), String(decoding: answer, as: UTF8.self)
      )
    }
  }

  @Test func `a write that failed and was made good is told, and ends with 3`() throws {
    let path = place.path("run.kymo")
    // The crash journal takes 4 MiB; the log and the database come to more in a while.
    let recording = try Recording(into: path, fileLimit: 4_400_000)
    try recording.give("{\"kymograph\": 1}")
    let text = String(repeating: "x", count: 40_000)
    for turn in 0..<240 {
      try recording.give(
        "{\"t_ns\": \(turn * 300_000_000), \"event\": \"mark\", \"text\": \"\(text)\"}")
    }
    let said = recording.said()
    #expect(said.hasPrefix("kymo "), "\(said)")
    #expect(said.contains("disk I/O error"), "\(said)")
    let freed = try ProgramRun.shell(
      "prlimit --pid \"$1\" --fsize=unlimited", ["\(recording.process.processIdentifier)"])
    #expect(freed.code == 0, "\(freed.errors)")
    let end = try recording.end()
    #expect(end.code == 3, "\(end)")
    #expect(try rows(end.output).first?["lost"].integer == 0)
    #expect(try answers("list events", path, "--event", "mark").count == 240)
  }

  @Test func `a crash journal that is cut short under its recorder ends it with a sentence`() throws
  {
    let path = place.path("run.kymo")
    let recording = try Recording(into: path)
    try recording.give("{\"kymograph\": 1}")
    try recording.give("{\"t_ns\": 0, \"key\": \"x\", \"value\": 1}")
    // The line is in the tables as soon as the program waits for the next.
    while try kymo("list keys", path, "--json").output.contains("\"x\"") == false {
      guard recording.process.isRunning else { break }
    }
    let journal = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-crash1"))
    try journal.truncate(atOffset: 0)
    try? recording.give("{\"t_ns\": 1, \"key\": \"x\", \"value\": 2}")
    let end = try recording.end()
    #expect(end.code == 4, "\(end)")
    #expect(end.errors.contains("another program cut a file beside the recording short"), "\(end)")
    let keys = try kymo("list keys", path, "--json")
    #expect(try rows(keys.output).map { $0["samples"].integer } == [1])
  }

  @Test
  func `what a recorder leaves that is killed before it began is a recording without sessions`()
    throws
  {
    for verb in ["file pack", "file pack", "file unpack", "file migrate"] {
      let path = try place.file("\(verb).kymo", "")
      for reading in ["show", "list sessions", "file doctor"] {
        let run = try kymo(reading, path)
        #expect(run.code == 4, "\(run.errors)")
        #expect(run.errors.contains("kymo file migrate \(path)"), "\(run.errors)")
      }
      let run = try kymo(verb, path)
      #expect(run.code == 0, "\(verb): \(run.errors)")
      #expect(run.errors.contains("was empty, as if its recorder was killed at its start"))
      #expect(try answers("list sessions", path).isEmpty)
      #expect(try answers("file doctor", path, "--deep").isEmpty)
      #expect(try kymo(verb, path).errors == "")
    }
    let folder = place.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for verb in ["file pack", "file pack", "file unpack", "file migrate"] {
      #expect(try kymo(verb, folder).code == 4)
      #expect(try kymo(verb, place.path("none.kymo")).code == 4)
      #expect(try kymo(verb, place.file("letter.kymo", "Dear reader")).code == 4)
    }
  }
}
