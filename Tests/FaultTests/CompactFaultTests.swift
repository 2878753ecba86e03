import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A disk that fails, and a power that goes, while a recording is written anew without its unused room: the
/// old file is left whole, or the new one is.
@Suite struct CompactFaultTests {
  /// A session that nothing records: the file's only session is the compacted one.
  private let nobody = KnownSession(number: 99)

  /// Elements that all move for a little more than a second, so that there is something to seal.
  private var known: KnownSession {
    var known = KnownSession(number: 1, steps: 24)
    known.itemCount = 52
    known.stepsPerMove = 1
    return known
  }

  /// The session in plain rows, with room that nothing uses.
  private func template() throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(known, policy: .wait, at: path).isFinished)
    let plain = RecordingEditorRun { (editor: RecordingEditor) throws(StoreError) in
      _ = try editor.expand(session: 1)
    }
    #expect(plain.trial(at: path).errors.isEmpty)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// What `kymo file pack` does.
  private let compacting = RecordingEditorRun { (editor: RecordingEditor) throws(StoreError) in
    _ = try editor.seal(session: 1)
    try editor.settleIntoOneFile()
    try editor.vacuum()
  }

  @Test func `any call may fail while a recording is compacted`() throws {
    let file = try template()
    try FaultLoop(
      name: "compacting",
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { compacting.trial(at: $0) },
      problems: { path, trial in
        trial.problems(at: path, earlier: known, known: nobody)
      },
      problemsLater: { path, _ in
        compacting.trial(at: path).errors.map { "the next compacting fails: \($0)" }
          + Trial().problems(at: path, earlier: known, known: nobody)
          + (isSmaller(path, than: file) ? [] : ["no room was given back"])
      }
    ).run()
  }

  private func isSmaller(_ path: String, than file: Data) -> Bool {
    guard let compacted = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return false }
    return compacted.count < file.count
  }

  @Test func `a disk that is full while a recording is compacted leaves the old file whole`()
    throws
  {
    let file = try template()
    var refused = 0
    var room: Int64 = 0
    while true {
      let folder = try TemporaryFolder()
      let path = folder.path("run.kymo")
      try file.write(to: URL(fileURLWithPath: path))
      let disk = FaultDisk(folder.url.path)
      disk.leaveFreeSpace(bytes: room)
      let trial = compacting.trial(at: path)
      var problems = trial.problems(at: path, earlier: known, known: nobody)
      for error in trial.errors where error.code != .full {
        problems.append("a full disk is called \(error.code)")
      }
      disk.heal()
      #expect(problems == [], "\(room) bytes of room")
      if trial.errors.isEmpty { break }
      refused += 1
      room += 8_192
    }
    print("Full disk while compacting: \(refused) sizes refused, enough from \(room) bytes on")
    #expect(refused > 4)
  }

  @Test func `a cut at any operation while a recording is compacted`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try template().write(to: URL(fileURLWithPath: path))
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    #expect(compacting.trial(at: path).errors.isEmpty)
    var cuts = PowerCut("compacting", earlier: [known], known: nobody)
    for operations in disk.cutPoints {
      try cuts.cut(
        disk, after: operations, seed: UInt64(operations), goesOn: operations % 10 == 0)
    }
    cuts.printCounts()
    // The room that was given back is given back on the disk.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).count
    for seed in 0..<20 as Range<UInt64> {
      let cut = try TemporaryFolder()
      #expect(disk.cut(after: disk.operations, seed: seed, into: cut.url.path) >= 0)
      let left = try Data(contentsOf: URL(fileURLWithPath: cut.path("run.kymo")))
      #expect(left.count == bytes)
    }
  }
}
