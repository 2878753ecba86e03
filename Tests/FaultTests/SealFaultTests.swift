import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A disk that fails, and a power that goes, while a finished session is packed into blocks or unpacked:
/// every question gets the same answers as before, whichever side of the change the file is left on.
@Suite struct SealFaultTests {
  /// A session that nothing records: the file's only session is the sealed one.
  private let nobody = KnownSession(number: 99)

  /// A little more than a second of elements that all move, so that the first second has the 1,024 rows
  /// that blocks are made of, and 100 samples in each commit, more than a segment takes at least.
  private var known: KnownSession {
    var known = KnownSession(number: 1, steps: 24)
    known.itemCount = 52
    known.keyCount = 20
    known.stepsPerMove = 1
    return known
  }

  private var sealing: RecorderSettings {
    var settings = RecorderSettings.drivenByHand(.live)
    settings.limit = RecordingLimit(sizeBytes: 1 << 30)
    settings.sampleStretchNanoseconds = 500_000_000
    return settings
  }

  /// The session in plain rows.
  private func template() throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(known, policy: .wait, at: path).isFinished)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Seals, or expands, the first session and makes one file of it again.
  private func change(_ path: String, isSealing: Bool) -> Trial {
    var trial = Trial()
    do {
      let editor = try RecordingEditor(path: path)
      let report =
        isSealing ? try editor.seal(session: 1) : try editor.expand(session: 1)
      if report.segments == 0 { Issue.record("Nothing was changed: \(report)") }
      try editor.settleIntoOneFile()
    } catch {
      trial.thrown.append(error)
    }
    return trial
  }

  private func sealed(_ file: Data) throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try file.write(to: URL(fileURLWithPath: path))
    #expect(change(path, isSealing: true).errors.isEmpty)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func walk(_ name: String, _ file: Data, isSealing: Bool) throws {
    try FaultLoop(
      name: name, kinds: [.write, .sync, .truncate, .delete],
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { change($0, isSealing: isSealing) },
      problems: { path, trial in trial.problems(at: path, earlier: known, known: nobody) },
      problemsLater: { path, _ in
        Trial.recording(KnownSession(number: 3, steps: 4), policy: .wait, at: path)
          .errors.map { "the next recording fails: \($0)" }
      }
    ).run()
  }

  @Test func `any write may fail while a session is sealed or expanded`() throws {
    let plain = try template()
    try walk("sealing", plain, isSealing: true)
    try walk("expanding", try sealed(plain), isSealing: false)
  }

  private func cut(_ name: String, _ file: Data, isSealing: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try file.write(to: URL(fileURLWithPath: path))
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    #expect(change(path, isSealing: isSealing).errors.isEmpty)
    var cuts = PowerCut(name, earlier: [known], known: nobody)
    for operations in disk.cutPoints {
      try cuts.cut(
        disk, after: operations, seed: UInt64(operations), goesOn: operations % 5 == 0)
    }
    cuts.printCounts()
  }

  @Test func `a cut at any operation while a session is sealed or expanded`() throws {
    let plain = try template()
    try cut("sealing", plain, isSealing: true)
    try cut("expanding", try sealed(plain), isSealing: false)
  }

  @Test func `a cut at any operation while a recorder seals on its way`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    #expect(
      Trial.recording(known, policy: .live, at: path, settings: sealing, marking: disk).isFinished)
    for table in ["segment", "sample_segment"] {
      #expect(try PlainDatabase(path).integer("SELECT count(*) FROM \(table)") ?? 0 > 0)
    }
    var cuts = PowerCut("recording what is sealed on the way", earlier: [], known: known)
    for operations in disk.cutPoints {
      try cuts.cut(
        disk, after: operations, seed: UInt64(operations), goesOn: operations % 5 == 0)
    }
    cuts.printCounts()
    #expect(cuts.worstSeconds <= 1)
  }

  @Test func `any write may fail while a recorder seals on its way`() throws {
    try FaultLoop(
      name: "recording what is sealed on the way", kinds: [.write, .sync],
      work: { Trial.recording(known, policy: .live, at: $0, settings: sealing) },
      problems: { path, trial in trial.problems(at: path, earlier: nil, known: known) }
    ).run()
  }
}
