import Foundation
import TestSupport
import Testing
import TimelineRecorder
import TimelineStore

@testable import KymoCommands

/// The power goes, or the disk fills, while `kymo file merge` makes a recording.
@Suite struct MergeFaultTests {
  @Test func `a merge that finds no room leaves nothing behind`() throws {
    let sources = try TemporaryFolder()
    let path = sources.path("1.kymo")
    #expect(
      Trial.recording(KnownSession(number: 1, steps: 5), policy: .wait, at: path).isFinished)
    var refused = 0
    for room in stride(from: Int64(0), through: 400_000, by: 20_000) {
      let folder = try TemporaryFolder()
      let disk = FaultDisk(folder.url.path)
      disk.leaveFreeSpace(bytes: room)
      let merge = CommandLineRun(
        ["file", "merge", path, "--into", folder.path("run.kymo")], on: Console(ownsProcess: false))
      let code = merge.run()
      disk.heal()
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(left == (code == .yes ? ["run.kymo"] : []), "\(room) bytes of room")
      if code != .yes {
        #expect(code == .unreadable)
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test func `a cut while a new recording is merged leaves none, or the whole`() throws {
    let sources = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let sessions = [KnownSession(number: 1, steps: 5), KnownSession(number: 2, steps: 5)]
    let paths = sessions.map { sources.path("\($0.number).kymo") }
    for (session, path) in zip(sessions, paths) {
      #expect(Trial.recording(session, policy: .wait, at: path).isFinished)
    }
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let merge = CommandLineRun(
      ["file", "merge"] + paths + ["--into", folder.path("run.kymo")],
      on: Console(ownsProcess: false))
    #expect(merge.run() == .yes)
    for operations in disk.firstOperation...disk.operations {
      let cut = try TemporaryFolder()
      #expect(disk.cut(after: operations, seed: UInt64(operations), into: cut.url.path) >= 0)
      let path = cut.path("run.kymo")
      guard FileManager.default.fileExists(atPath: path) else {
        #expect(operations < disk.operations, "what ended with 0 is on the disk")
        continue
      }
      let reader = try RecordingReader(path: path)
      for session in sessions {
        let found = try FoundSession(session, in: reader)
        #expect(found?.rows == session.rowCount, "cut \(operations)")
        #expect(found?.isClean == true, "cut \(operations)")
      }
    }
  }
}
