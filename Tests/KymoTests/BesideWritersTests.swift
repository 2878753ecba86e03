import Foundation
import KymoCommands
import TestSupport
import Testing
import TimelineStore

/// Commands that read a recording while others change it.
@Suite struct BesideWritersTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }
  var golden: String { folder.path("golden.kymo") }

  init() throws {
    folder = try TemporaryFolder()
    for (number, name) in ["one", "two", "three"].enumerated() {
      try record(name, into: path, shift: number)
    }
  }

  /// A drag that is released and settles: 48 samples and 48 frames of two elements.
  private func record(_ name: String, into path: String, shift: Int) throws {
    var lines = ["{\"kymograph\": 1, \"name\": \"\(name)\", \"viewport\": [100, 100]}"]
    for frame in 0..<48 {
      let time = (frame + 1) * 16_000_000
      let y = frame < 20 ? Double(frame * 4 + shift) : 80 - 80 / Double(frame - 18)
      let items = ["a", "b"].map { "{\"id\": \"\($0)\", \"center\": [5, \(y)], \"size\": [4, 4]}" }
      lines.append(
        "{\"t_ns\": \(time), \"frame\": {\"items\": [\(items.joined(separator: ","))]}}")
      lines.append("{\"t_ns\": \(time), \"key\": \"x\", \"value\": \(y)}")
      if frame < 20 {
        let phase = frame == 0 ? "began" : frame == 19 ? "ended" : "moved"
        lines.append(
          "{\"t_ns\": \(time), \"touch\": {\"contact\": 0, \"phase\": \"\(phase)\", \"x\": 5, \"y\": \(y)}}"
        )
      }
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", path, input: lines.joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
  }

  /// A line for each command that reads, with an answer that is the same for packed and for plain rows.
  private var questions: [[String]] {
    let second = path + "#2"
    return [
      ["sql", path, "SELECT session, count(*), sum(value) FROM samples GROUP BY 1"],
      ["sql", path, "SELECT session, count(*), sum(center_y) FROM attributes GROUP BY 1"],
      ["list", "sessions", path, "--json"], ["list", "keys", second, "--json"],
      ["list", "touches", second], ["list", "events", second], ["list", "transitions", path],
      ["replay", second, "--json"], ["replay", second, "--items", "--json"],
      ["replay", second, "--keys", "--json"], ["velocity", second, "--json"],
      ["compare", second, second, "--exact"], ["compare", second, path + "#3", "--json"],
      ["export", "csv", second], ["export", "ndjson", second], ["plot", second, "--key", "x"],
      ["show", second, "--json"], ["fit", second, "--json"],
      ["rows", "--metrics", "--releases"], ["check", path, "--golden", golden, "--json"],
    ]
  }

  @Test func `beside pack and unpack every command answers as before`() async throws {
    try FileManager.default.copyItem(atPath: path, toPath: golden)
    func ask(_ question: [String]) throws -> ProgramRun {
      var run = try kymo(question, input: Data((question[0] == "rows" ? path : "").utf8))
      // Sizes and times of the file change with it.
      run.output.replace(/"bytes":\d+,"mtime_ns":\d+,"beside":"[^"]*"/, with: "")
      return run
    }
    let before = try questions.map(ask)
    #expect(before.map(\.code).allSatisfy { $0 < 2 }, "\(before.map(\.errors))")
    #expect(before[0].output.contains("48"))
    let isDone = Flag()
    let packed = path
    let packing = Thread {
      while !isDone.isSet {
        for command in ["pack", "unpack"] { _ = try? kymo("file", command, packed) }
      }
      isDone.end()
    }
    packing.start()
    for _ in 0..<(TestRounds.asked.map { max(3, $0 / 10) } ?? 3) {
      for (question, expected) in zip(questions, before) {
        let run = try ask(question)
        #expect(run.code == expected.code, "\(question): \(run.errors)")
        #expect(run.output == expected.output, "\(question)")
      }
      let examined = try kymo("file", "doctor", "--deep", path)
      #expect(examined.code == 0, "\(examined.output)\(examined.errors)")
    }
    isDone.set()
    isDone.waitForEnd()
    #expect(try kymo("file", "doctor", "--deep", path).code == 0)
  }

  @Test func `beside merge, trim and delete the doctor finds no damage`() throws {
    let other = folder.path("other.kymo")
    try record("four", into: other, shift: 4)
    let isDone = Flag()
    let changed = path
    let writing = Thread {
      while !isDone.isSet {
        _ = try? kymo("file", "merge", other, "--into", changed)
        _ = try? kymo("file", "trim", changed + "#last", "--to", "0.5")
        _ = try? kymo("file", "delete", changed + "#last")
      }
      isDone.end()
    }
    writing.start()
    for _ in 0..<(TestRounds.asked ?? 20) {
      let examined = try kymo("file", "doctor", "--deep", path)
      #expect(!examined.output.contains("damage"), "\(examined.output)")
    }
    isDone.set()
    isDone.waitForEnd()
    #expect(try kymo("file", "doctor", "--deep", path).code == 0)
  }

  @Test func `a pipe that nobody reads keeps nobody out of the recording`() throws {
    let big = folder.path("big.kymo")
    var lines = ["{\"kymograph\": 1}"]
    for time in 0..<9_000 {
      lines.append("{\"t_ns\": \(time * 1_000_000), \"key\": \"x\", \"value\": \(time % 7)}")
    }
    #expect(
      try kymo(
        "record", "--from-ndjson", "-", "--into", big, input: lines.joined(separator: "\n")
      ).code == 0)
    let whole = try kymo("replay", big, "--keys", "--json").output
    // Several times of what a pipe takes.
    #expect(whole.utf8.count > 300_000)
    let pipe = Pipe()
    let isDone = Flag()
    let listing = Thread {
      let console = Console(
        output: pipe.fileHandleForWriting.fileDescriptor, ownsProcess: false)
      _ = CommandLineRun(["replay", big, "--keys", "--json"], on: console).run()
      try? pipe.fileHandleForWriting.close()
      isDone.end()
    }
    listing.start()
    // The first byte says that the recording is open.
    var read = pipe.fileHandleForReading.readData(ofLength: 1)
    let packed = try kymo("file", "pack", big)
    #expect(packed.code == 0, "\(packed.errors)")
    read += pipe.fileHandleForReading.readDataToEndOfFile()
    isDone.waitForEnd()
    #expect(String(decoding: read, as: UTF8.self) == whole)
  }
}

/// Whether a thread is to end, and has ended.
private final class Flag: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOn = false
  private var hasEnded = false

  var isSet: Bool { condition.withLock { isOn } }

  func set() { condition.withLock { isOn = true } }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  func waitForEnd() {
    condition.withLock { while !hasEnded { condition.wait() } }
  }
}
