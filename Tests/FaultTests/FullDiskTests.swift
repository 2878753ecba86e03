import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A disk that is full from some byte on, for every page of a recording: opening, inserting,
/// committing, checkpointing and closing all meet it.
@Suite struct FullDiskTests {
  private let earlier = KnownSession(number: 1, steps: 5)
  private let known = KnownSession(number: 2)
  private let later = KnownSession(number: 3, steps: 5)

  private func fill(_ policy: RecordingPolicy) throws {
    let folder = try TemporaryFolder()
    let template = folder.path("template")
    #expect(Trial.recording(earlier, policy: .wait, at: template).isFinished)
    var refused = 0
    var room: Int64 = 0
    while true {
      let trial = try TemporaryFolder()
      let path = trial.path("run.kymo")
      try FileManager.default.copyItem(atPath: template, toPath: path)
      let disk = FaultDisk(trial.url.path)
      disk.leaveFreeSpace(bytes: room)
      let outcome = Trial.recording(known, policy: policy, at: path)
      // Read while it is full, and judged again with room.
      var problems = outcome.problems(at: path, earlier: earlier, known: known)
      for error in outcome.errors where error.code != .full {
        problems.append("a full disk is called \(error.code)")
      }
      disk.heal()
      let next = Trial.recording(later, policy: policy, at: path)
      problems += next.errors.map { "the next recording fails: \($0)" }
      problems += next.problems(at: path, earlier: earlier, known: later)
      #expect(problems == [], "\(room) bytes of room")
      if outcome.errors.isEmpty { break }
      refused += 1
      room += TestRounds.isLong ? 2_048 : 6_144
    }
    print("Full disk under \(policy): \(refused) sizes refused, enough from \(room) bytes on")
    #expect(refused > 4)
  }

  @Test(arguments: [RecordingPolicy.wait, .live])
  func `a finish that failed on a full disk is asked for again, and loses nothing`(
    _ policy: RecordingPolicy
  ) throws {
    var refused = 0
    // From no room at all to room for everything but the end, and for the end but not for one file.
    for room in stride(from: Int64(0), through: 60_000, by: 6_000) {
      let folder = try TemporaryFolder()
      let path = folder.path("run.kymo")
      var settings = RecorderSettings.drivenByHand(policy)
      settings.commitNanoseconds = .max
      // A disk knows the files that are opened on it.
      let disk = FaultDisk(folder.url.path)
      let recorder = try Recorder(
        path: path, session: known.description, policy: policy, settings: settings)
      let handles = known.handles(of: recorder)
      for step in 0..<known.steps { known.record(step, into: recorder, handles) }
      disk.leaveFreeSpace(bytes: room)
      var isFinished = false
      for _ in 0..<2 where !isFinished {
        do {
          try recorder.finish(at: known.end, outcome: .finished)
          isFinished = true
        } catch {
          #expect(error.code == .full)
          refused += 1
        }
      }
      disk.heal()
      if !isFinished { try recorder.finish(at: known.end, outcome: .finished) }
      let error = #expect(throws: StoreError.self) {
        try recorder.finish(at: known.end, outcome: .finished)
      }
      #expect(error?.code == .finished)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
      let found = try FoundSession(known, in: RecordingReader(path: path))
      #expect(found?.problems == [], "\(room) bytes of room")
      #expect(found?.isClean == true, "\(room) bytes of room")
      #expect(found?.rows == known.rowCount)
    }
    #expect(refused > 0)
  }

  @Test func `a full disk is named, and everything from before is there, under wait`() throws {
    try fill(.wait)
  }

  @Test func `a full disk is named, and everything from before is there, under live`() throws {
    try fill(.live)
  }
}
