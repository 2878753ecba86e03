import Foundation
import TimelineModel
import TimelineRecorder
import TimelineStore

extension FuzzTarget {
  /// Changes a small recording and reads everything in it.
  ///
  /// The bytes are edits of five bytes each: where, as a 32-bit number with its lowest byte first, and
  /// the new byte. A fuzzer finds its way through such edits better than through whole databases.
  func takeRecording(_ bytes: [UInt8]) {
    var file = DamagedRecording.whole
    guard !file.isEmpty else { return }
    for start in stride(from: 0, to: bytes.count - 4, by: 5) {
      let place = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
      file[place % file.count] = bytes[start + 4]
    }
    DamagedRecording.readAll(file)
  }
}

/// A small recording with a row of every sort, and the reading of whatever became of it.
enum DamagedRecording {
  /// The bytes of the file, made once.
  static let whole: [UInt8] = (try? make()) ?? []

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("kymograph-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func make() throws -> [UInt8] {
    let file = try folder().appendingPathComponent("whole.kymo")
    try? FileManager.default.removeItem(at: file)
    var description = SessionDescription(software: "fuzz", clock: "virtual")
    description.uuid = "00000000-0000-4000-8000-000000000001"
    description.wallClockStartNanoseconds = 0
    let recorder = try Recorder(path: file.path, session: description, policy: .wait)
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "apple"))
    for step in 0..<40 {
      let time = Instant(nanoseconds: Int64(step) * 50_000_000)
      recorder.record(Double(step) / 3, for: key, at: time, phase: .driving)
      recorder.record(
        TouchSample(time: time, contact: 0, phase: .moved, position: Point2D(x: 1, y: Double(step)))
      )
      recorder.beginFrame(
        FrameState(
          time: time, phase: .driving, progress: 0.5, contentOffset: .zero,
          contentSize: Size2D(width: 320, height: 480)))
      recorder.record(
        Pose(center: Point2D(x: Double(step), y: 1), size: Size2D(width: 3, height: 4)), of: item,
        at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
    }
    recorder.record(
      TimelineEvent(time: .zero, kind: .mark, fields: EventField.list(["note": "here"])))
    recorder.record(
      ReleaseDecision(
        transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: 0.5, progress: 0.75, progressVelocity: 1,
        marginProgress: 0.25))
    recorder.record(
      ReleaseEstimate(
        transition: 0, time: .zero, key: key, value: 1,
        estimate: VelocityEstimate(estimator: "lsq2", velocity: 2, sampleCount: 3), target: 4,
        remaining: 3, relativeVelocity: nil, settleTimeSeconds: nil))
    try recorder.finish(at: Instant(nanoseconds: 2_000_000_000), outcome: .finished)
    return Array(try Data(contentsOf: file))
  }

  /// Opens bytes as a recording and reads all of it; errors are good answers.
  static func readAll(_ bytes: [UInt8]) {
    guard let file = try? folder().appendingPathComponent("damaged.kymo") else { return }
    for suffix in ["-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    guard (try? Data(bytes).write(to: file)) != nil,
      let reader = try? RecordingReader(path: file.path)
    else { return }
    guard let sessions = try? reader.sessionRecords() else { return }
    for session in sessions.prefix(4) {
      let number = session.number
      _ = try? reader.layouts(in: number)
      _ = try? reader.keys(in: number)
      _ = try? reader.items(in: number)
      _ = try? reader.keySummaries(in: number)
      _ = try? reader.samples(in: number).rest()
      _ = try? reader.touches(in: number).rest()
      _ = try? reader.events(in: number).rest()
      _ = try? reader.decisions(in: number)
      _ = try? reader.estimates(in: number)
      _ = try? reader.losses(in: number)
      _ = try? reader.foldedFrames(in: number).rest()
    }
    for view in ["sessions", "keys", "samples", "frames", "attributes", "touches", "events"] {
      _ = try? reader.query("SELECT * FROM \(view)").rest()
    }
  }
}
