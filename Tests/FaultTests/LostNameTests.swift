import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The power goes while names are given and taken: what was put in a place is there whole, and what was removed
/// and comes back does no harm.
@Suite struct LostNameTests {
  @Test func `a crash journal that was folded in and comes back brings no row twice`() throws {
    let killed = try KilledFiles()
    let folder = try TemporaryFolder()
    let path = try killed.put(into: folder)
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let later = KnownSession(number: 3, steps: 10)
    #expect(Trial.recording(later, policy: .wait, at: path).errors.isEmpty)
    for operations in disk.cutPoints {
      let left = try TemporaryFolder()
      #expect(disk.cut(after: operations, seed: UInt64(operations), into: left.url.path) > 0)
      let cut = try killed.put(into: left, only: ["-crash2"])
      // Twice: the name may come back again and again.
      for round in 0..<2 {
        let next = KnownSession(number: 7 + round, steps: 3)
        let trial = Trial.recording(next, policy: .live, at: cut)
        #expect(
          trial.errors.isEmpty,
          "operation \(operations): \(trial.errors)")
        #expect(
          trial.problems(at: cut, earlier: killed.earlier, known: next) == [],
          "operation \(operations): \(trial.errors)")
        let found = try FoundSession(killed.known, in: RecordingReader(path: cut))
        #expect(found?.problems == [], "operation \(operations)")
        #expect(found?.rows == killed.known.rowCount, "operation \(operations)")
        _ = try killed.put(into: left, only: ["-crash2"])
        let shown = try FoundSession(killed.known, in: RecordingReader(path: cut))
        #expect(shown?.rows == killed.known.rowCount, "operation \(operations)")
        #expect(try Trial.damage(cut) == [], "operation \(operations)")
      }
    }
  }

  @Test
  func `recover has its output on the disk when it returns, and the old one is whole until then`()
    throws
  {
    let killed = try KilledFiles()
    for (index, old) in [nil, ["", "-wal", "-crash2"], ["-wal"]].enumerated() {
      let folder = try TemporaryFolder()
      let damaged = try killed.put(into: folder)
      let place = folder.path("out.kymo")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      for name in names where old?.contains(String(name.dropFirst(8))) ?? false {
        try FileManager.default.copyItem(
          atPath: folder.path(name), toPath: place + name.dropFirst(8))
      }
      let disk = FaultDisk(folder.url.path)
      disk.beginLog()
      let report = try RecordingSalvage.recover(damaged, into: place, replacing: true)
      #expect(report.isWhole)
      for operations in disk.cutPoints {
        for seed in 0..<(operations == disk.operations ? UInt64(20) : 1) {
          let left = try TemporaryFolder()
          let why = "output \(index), operation \(operations), seed \(seed)"
          #expect(disk.cut(after: operations, seed: seed, into: left.url.path) > 0)
          let output = left.path("out.kymo")
          if old?.contains("-crash2") == true, operations < disk.operations,
            !FileManager.default.fileExists(atPath: output + "-crash2")
          {
            // Nothing but SQLite's calls and names is seen of it: the cut takes it as it was.
            _ = try? FileManager.default.copyItem(
              atPath: folder.path("run.kymo-crash2"), toPath: output + "-crash2")
          }
          guard FileManager.default.fileExists(atPath: output) else {
            #expect(old?.contains("") != true, "\(why): no output")
            #expect(operations < disk.operations, "\(why): no output")
            continue
          }
          if FileManager.default.fileExists(atPath: output + "-journal") {
            // A reader takes nothing back; the next that writes does.
            #expect(try PlainDatabase(output).findings() == [], "\(why)")
          }
          let reader = try RecordingReader(path: output)
          let found = try FoundSession(killed.known, in: reader)
          #expect(found?.problems == [], "\(why)")
          #expect(found?.rows == killed.known.rowCount, "\(why)")
          #expect(try FoundSession(killed.earlier, in: reader)?.isClean == true, "\(why)")
        }
      }
    }
  }

  @Test func `what a command has written is on the disk when it returns`() throws {
    let killed = try KilledFiles()
    let source = try TemporaryFolder()
    let other = source.path("run.kymo")
    #expect(
      Trial.recording(KnownSession(number: 5, steps: 40), policy: .wait, at: other).isFinished)
    typealias Work = @Sendable (RecordingEditor) throws(StoreError) -> Void
    let works: [(name: String, work: Work)] = [
      ("migrate", { _ throws(StoreError) in }),
      ("delete", { editor throws(StoreError) in _ = try editor.delete(1) }),
      ("seal", { editor throws(StoreError) in _ = try editor.seal(session: 1) }),
      (
        "merge",
        { editor throws(StoreError) in
          _ = try editor.copySession(1, from: RecordingReader(path: other))
        }
      ),
    ]
    for (name, work) in works {
      for compacts in [false, true] {
        let folder = try TemporaryFolder()
        let path = try killed.put(into: folder)
        let disk = FaultDisk(folder.url.path)
        disk.beginLog()
        let run = RecordingEditorRun { editor throws(StoreError) in
          try work(editor)
          try editor.settleIntoOneFile()
          if compacts { try editor.vacuum() }
        }
        #expect(run.trial(at: path).errors.isEmpty)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for seed in 0..<UInt64(24) {
          let left = try TemporaryFolder()
          #expect(disk.cut(after: disk.operations, seed: seed, into: left.url.path) > 0)
          let data = try Data(contentsOf: URL(fileURLWithPath: left.path("run.kymo")))
          #expect(data == whole, "\(name), compacts \(compacts), seed \(seed)")
          #expect(
            !FileManager.default.fileExists(atPath: left.path("run.kymo-journal")), "\(name)")
        }
      }
    }
  }

  @Test func `what is synced is on the disk, also when there is nothing more to write`() throws {
    let known = KnownSession(number: 1, steps: 30)
    let folder = try TemporaryFolder()
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let recorder = try Recorder(
      path: folder.path("run.kymo"), session: known.description, policy: .wait,
      settings: .drivenByHand(.wait))
    let handles = known.handles(of: recorder)
    for step in 0..<known.steps {
      known.record(step, into: recorder, handles)
      // Every third commit waits for the disk by itself; a reader may keep the log from being emptied.
      recorder.writeBatch()
      recorder.sync()
      let left = try TemporaryFolder()
      #expect(disk.cut(after: disk.operations, seed: UInt64(step), into: left.url.path) > 0)
      let found = try FoundSession(known, in: RecordingReader(path: left.path("run.kymo")))
      #expect(found?.problems == [], "step \(step)")
      #expect(found?.rows == known.rows(before: step + 1), "step \(step): \(found?.rows ?? -1)")
    }
    try recorder.finish(at: known.end, outcome: .finished)
  }
}
