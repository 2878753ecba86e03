import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Copies of a recording that are made while it is being recorded.
@Suite struct CopyTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }
  private let known = KnownSession(number: 1)

  init() throws { folder = try TemporaryFolder() }

  /// Records half of the session, does something, and records the rest.
  private func halfWay(_ work: () throws -> Void) throws {
    let recorder = try Recorder(
      path: path, session: known.description, policy: .live, settings: .drivenByHand(.live))
    let handles = known.handles(of: recorder)
    for step in 0..<10 { known.record(step, into: recorder, handles) }
    recorder.writeBatch()
    try work()
    for step in 10..<known.steps { known.record(step, into: recorder, handles) }
    try recorder.finish(at: known.end, outcome: .finished)
    #expect(try FoundSession(known, in: RecordingReader(path: path))?.isClean == true)
  }

  private func expectFirstHalf(of copy: String) throws {
    let found = try FoundSession(known, in: RecordingReader(path: copy))
    #expect(found?.problems == [])
    #expect(found?.rows == known.rows(before: 10))
    #expect(found?.isClean == false)
    #expect(try PlainDatabase(copy).findings() == [])
  }

  @Test func `a backup while recording is a recording of its own`() throws {
    let copy = folder.path("backup.kymo")
    try halfWay { try PlainDatabase(path).backUp(to: copy) }
    try expectFirstHalf(of: copy)
  }

  @Test func `VACUUM INTO while recording makes a recording of its own`() throws {
    let copy = folder.path("vacuum.kymo")
    try halfWay { try PlainDatabase(path).run("VACUUM INTO '\(copy)'") }
    try expectFirstHalf(of: copy)
  }

  @Test func `a plain copy of the main file alone is known by its missing mark`() throws {
    let copy = folder.path("copy.kymo")
    try halfWay { try FileManager.default.copyItem(atPath: path, toPath: copy) }
    do {
      let reader = try RecordingReader(path: copy)
      #expect(reader.isWithoutLog)
      #expect(try reader.sessionRecords().allSatisfy { !$0.isClean })
    } catch {
      #expect(error.isAboutTheFile)
    }
  }
}
