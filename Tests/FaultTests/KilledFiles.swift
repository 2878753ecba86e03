import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What a recorder that was killed leaves: a finished session, and one of which some rows are in the tables and
/// some in the crash journal.
struct KilledFiles {
  let earlier = KnownSession(number: 1, steps: 5)
  let known = KnownSession(number: 2, steps: 18)
  private var files: [String: Data] = [:]

  init() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    let recorder = try Recorder(
      path: path, session: known.description, policy: .live, settings: .drivenByHand(.live))
    let handles = known.handles(of: recorder)
    for step in 0..<known.steps {
      known.record(step, into: recorder, handles)
      if step == 11 { recorder.writeBatch() }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    where !name.hasSuffix("-shm") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }
    try recorder.finish(at: known.end, outcome: .finished)
  }

  /// Puts the files into a folder, of the whole or of some endings ("", "-wal", "-crash2").
  func put(into folder: TemporaryFolder, only endings: [String]? = nil) throws -> String {
    for (name, data) in files where endings?.contains(String(name.dropFirst(8))) ?? true {
      try data.write(to: URL(fileURLWithPath: folder.path(name)))
    }
    return folder.path("run.kymo")
  }
}
