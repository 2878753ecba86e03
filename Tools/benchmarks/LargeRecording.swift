import TimelineModel
import TimelineRecorder
import TimelineStore

/// A recording of many sessions. Each is about a megabyte: twenty keys at 120 Hz for fifteen seconds,
/// driven all the time and released once, and at the end half a second of twenty elements that move.
final class LargeRecording {
  static let keyCount = 20
  /// The release, and the first frame with elements, in nanoseconds.
  static let releaseNanoseconds = Int64(sampleCount - 1) * frameNanoseconds

  var path: String { folder.recording }
  private let folder: TemporaryFolder
  private let sessions: Int

  private static let sampleCount = 1_800
  private static let itemCount = 20
  private static let itemFrames = 60
  private static let frameNanoseconds: Int64 = 8_333_333

  /// The recording with so many sessions that somebody holds, or a new one: cases that take turns share
  /// it.
  static func shared(sessions: Int) throws -> LargeRecording {
    if let kept, kept.sessions == sessions { return kept }
    let new = try LargeRecording(sessions: sessions)
    kept = new
    return new
  }

  // The program has one thread that measures.
  private nonisolated(unsafe) static weak var kept: LargeRecording?

  private init(sessions: Int) throws {
    folder = try TemporaryFolder()
    self.sessions = sessions
    for number in 0..<sessions { try record(session: number) }
  }

  private func record(session number: Int) throws {
    var session = SessionDescription(
      software: "kymograph-benchmarks", clock: "virtual", name: "session \(number)")
    session.engineVersion = "1"
    let recorder = try folder.recorder(.wait, session, RecorderSettings())
    let keys = (0..<Self.keyCount).map {
      recorder.keyHandle(
        for: $0 == 0 ? progressKeyName : "key \($0)", role: $0 == 0 ? .progress : .animated,
        unit: "1")
    }
    for sample in 0..<Self.sampleCount {
      let time = Instant(nanoseconds: Int64(sample) * Self.frameNanoseconds)
      for (index, key) in keys.enumerated() {
        // Not a straight line, so that no number is cheaper than another.
        let value = Double(sample * sample % 997) / 997 + Double(index)
        recorder.record(value, for: key, at: time, phase: .driving)
      }
    }
    let release = Instant(nanoseconds: Self.releaseNanoseconds)
    recorder.record(
      ReleaseDecision(
        transition: 0, time: release, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: 0.5, progress: 1, progressVelocity: nil,
        marginProgress: 0.5))
    try recorder.finish(at: recordItems(into: recorder, from: release), outcome: .finished)
  }

  /// - Returns: the instant of the last frame.
  private func recordItems(into recorder: Recorder, from release: Instant) -> Instant {
    let items = (0..<Self.itemCount).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    var time = release
    for frame in 0..<Self.itemFrames {
      time = release.advanced(byNanoseconds: Int64(frame) * Self.frameNanoseconds)
      recorder.beginFrame(
        FrameState(
          time: time, phase: .settling, progress: 1, contentOffset: .zero,
          contentSize: Size2D(width: 1_000, height: 1_000)))
      for (index, item) in items.enumerated() {
        let x = Double(index * 50) + Double(frame * frame) / 7
        recorder.record(
          Pose(center: Point2D(x: x, y: 25), size: Size2D(width: 40, height: 40), zIndex: index),
          of: item, at: ItemIndexPath(section: 0, item: index))
      }
      recorder.endFrame()
    }
    return time
  }
}
