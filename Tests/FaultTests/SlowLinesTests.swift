import Foundation
import TestSupport
import Testing
import TimelineStore

@testable import KymoCommands

/// The lines of an app come slowly into `kymo record`, and the power goes.
@Suite struct SlowLinesTests {
  @Test(.timeLimit(.minutes(20)))
  func `what a reader sees of slow lines outlasts a power cut`() throws {
    let folder = try TemporaryFolder()
    let pipes = try TemporaryFolder()
    let path = folder.path("run.kymo")
    let pipe = pipes.path("lines")
    #expect(mkfifo(pipe, 0o600) == 0)
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let recording = Thread {
      _ = CommandLineRun(
        ["record", "--from-ndjson", pipe, "--into", path], on: Console(ownsProcess: false)
      ).run()
    }
    recording.start()
    // Opening waits for the other end.
    let lines = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
    func send(_ line: String) throws { try lines.write(contentsOf: Data((line + "\n").utf8)) }
    try send(#"{"kymograph": 1}"#)
    for count in 1...4 {
      try send(#"{"t_ns": \#(count), "key": "x", "value": \#(count)}"#)
      while (try? values(in: path)) != count { usleep(5_000) }
      let operations = disk.operations
      for seed in 0..<10 as Range<UInt64> {
        let cut = try TemporaryFolder()
        #expect(disk.cut(after: operations, seed: seed, into: cut.url.path) >= 0)
        #expect(try values(in: cut.path("run.kymo")) == count)
      }
    }
    try lines.close()
    while !recording.isFinished { usleep(5_000) }
    #expect(try RecordingReader(path: path).sessionRecord(1).isClean)
  }

  /// How many values of a recording are in its tables; what is in a living recorder's journal is not.
  private func values(in path: String) throws -> Int {
    try RecordingReader(path: path).samples(in: 1).rest().count
  }
}
