import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The log of a recorder that was killed, cut short, flipped, zeroed, gone, or with another index.
@Suite struct DamagedLogTests {
  private let earlier = KnownSession(number: 1, steps: 10)
  private let known = KnownSession(number: 2, steps: 80)

  /// Trials of each sort of damage.
  private static let trials = 60

  /// Copies of everything that lies beside a recording whose recorder is killed, taken early and late.
  private struct Remains {
    var early: [String: Data] = [:]
    var late: [String: Data] = [:]

    func data(_ suffix: String) -> Data { late["run.kymo" + suffix] ?? Data() }
  }

  private func remains() throws -> Remains {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    func copies() throws -> [String: Data] {
      var copies: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
        copies[name] = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      }
      return copies
    }
    let recorder = try Recorder(
      path: path, session: known.description, policy: .live, settings: .drivenByHand(.live))
    let handles = known.handles(of: recorder)
    var remains = Remains()
    for step in 0..<known.steps {
      known.record(step, into: recorder, handles)
      if step % 10 == 9 { recorder.writeBatch() }
      if step == 29 { remains.early = try copies() }
    }
    remains.late = try copies()
    try recorder.finish(at: known.end, outcome: .finished)
    return remains
  }

  /// Puts the files in place, and judges what a reader and then SQLite itself find.
  ///
  /// - Returns: how many rows of the session are left; nil when the file is refused.
  private func judge(_ files: [String: Data], _ comment: String) throws -> Int? {
    let folder = try TemporaryFolder()
    for (name, data) in files { try data.write(to: URL(fileURLWithPath: folder.path(name))) }
    let path = folder.path("run.kymo")
    do {
      let reader = try RecordingReader(path: path)
      let first = try FoundSession(earlier, in: reader)
      #expect(first?.isClean == true, "\(comment)")
      #expect(first?.problems == [], "\(comment)")
      let found = try FoundSession(known, in: reader)
      #expect(found?.problems ?? [] == [], "\(comment)")
      #expect(try PlainDatabase(path).findings() == [], "\(comment)")
      return found?.rows ?? 0
    } catch let error as StoreError {
      #expect(error.isAboutTheFile, "\(comment): \(error)")
      return nil
    }
  }

  private func report(_ damage: String, _ rows: [Int?]) {
    let kept = rows.compactMap { $0 }.sorted()
    let share = kept.isEmpty ? 0 : 100 * kept[kept.count / 2] / known.rowCount
    print(
      "A log \(damage): \(rows.count) trials, \(rows.count - kept.count) refused, median \(share) % "
        + "of the rows left")
  }

  private func damage(_ name: String, _ change: (inout Data, inout SplitMix) -> Void) throws {
    let remains = try remains()
    var generator = SplitMix(seed: 11)
    var rows: [Int?] = []
    for trial in 0..<DamagedLogTests.trials {
      var files = remains.late
      // The index is memory that a power cut or another machine does not have.
      files["run.kymo-shm"] = nil
      var log = remains.data("-wal")
      change(&log, &generator)
      files["run.kymo-wal"] = log
      rows.append(try judge(files, "\(name), trial \(trial)"))
    }
    report(name, rows)
    #expect(rows.contains { $0 != nil })
  }

  @Test func `a log that was cut short leaves a whole beginning`() throws {
    try damage("cut short") { log, generator in
      log = log.prefix(Int.random(in: 0...log.count, using: &generator))
    }
  }

  @Test func `a log with one bit flipped leaves a whole beginning`() throws {
    try damage("with one bit flipped") { log, generator in
      let bit = Int.random(in: 0..<log.count * 8, using: &generator)
      log[log.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test func `a log with a tail of zeros leaves a whole beginning`() throws {
    try damage("with a tail of zeros") { log, generator in
      let kept = Int.random(in: 0...log.count, using: &generator)
      log = log.prefix(kept) + Data(count: log.count - kept)
    }
  }

  @Test func `a log that is gone is missed, and the earlier session is whole`() throws {
    var files = try remains().late
    files["run.kymo-wal"] = nil
    files["run.kymo-shm"] = nil
    let rows = try judge(files, "no log")
    print("A log that is gone: \(rows.map(String.init) ?? "refused") rows left")
  }

  @Test func `an index of another time is not believed`() throws {
    let remains = try remains()
    var files = remains.late
    files["run.kymo-shm"] = remains.early["run.kymo-shm"]
    #expect(try judge(files, "an old index") == known.rowCount)
    files["run.kymo-shm"] = Data((0..<32_768).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(try judge(files, "noise for an index") == known.rowCount)
    files = remains.early
    files["run.kymo-shm"] = remains.late["run.kymo-shm"]
    #expect(try judge(files, "an index of later") == known.rows(before: 30))
  }
}
