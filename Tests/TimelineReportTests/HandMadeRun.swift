import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import TimelineReport

/// A recording made by hand, with everything that a page shows.
struct HandMadeRun {
  let folder: TemporaryFolder
  let path: String

  init(_ name: String = "run.kymo") throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
  }

  /// Records a session and closes it.
  func record(
    named name: String? = nil, outcome: SessionOutcome = .none, end: Instant? = nil,
    _ body: (Recorder) throws -> Void
  ) throws {
    var description = SessionDescription(software: "test 1", clock: "virtual", name: name)
    description.refreshRate = 120
    description.viewport = Size2D(width: 320, height: 480)
    let recorder = try Recorder(path: path, session: description, policy: .wait)
    try body(recorder)
    try recorder.finish(at: end ?? .zero, outcome: outcome)
  }

  /// Packs the last session.
  func run(byteLimit: Int = ReportRun.defaultByteLimit) throws -> ReportRun {
    let reader = try RecordingReader(path: path)
    let session = try #require(try reader.lastSessionRecord())
    return try ReportRun(session: session, in: reader, byteLimit: byteLimit)
  }

  /// Every frame as the recording has it.
  func frames() throws -> [FoldedFrame] {
    let reader = try RecordingReader(path: path)
    return try reader.foldedFrames(in: try reader.sessionRecords().last?.number ?? 0).rest()
  }
}

/// The instant of a frame at 120 Hz.
func frameTime(_ frame: Int) -> Instant {
  Instant(nanoseconds: Int64((Double(frame) * 1e9 / 120).rounded()))
}

extension Recorder {
  /// Records items that move in smooth arcs, each in its own way, for so many frames.
  func recordArcs(items: Int, frames: Int, turning: Bool = false) {
    let handles = (0..<items).map {
      itemHandle(for: ElementIdentity(category: .cell, id: "item/\($0)"))
    }
    for frame in 0..<frames {
      let time = frameTime(frame)
      beginFrame(
        FrameState(
          time: time, phase: frame % 240 < 40 ? .driving : .settling,
          progress: Double(frame % 240) / 240, contentOffset: Point2D(x: 0, y: Double(frame) / 7),
          contentSize: Size2D(width: 320, height: 4000)))
      for (number, handle) in handles.enumerated() {
        record(
          arc(of: number, at: time.seconds, turning: turning), of: handle,
          at: ItemIndexPath(section: 0, item: number))
      }
      endFrame()
    }
  }

  private func arc(of number: Int, at seconds: Double, turning: Bool) -> Pose {
    // A swing without sine or cosine: a cubic that goes to and fro once in two seconds.
    let phase = (seconds / 2 + Double(number) / 17).truncatingRemainder(dividingBy: 1)
    let swing = 20.8 * phase * (phase - 0.5) * (phase - 1)
    var pose = Pose(
      center: Point2D(x: 160 + 120 * swing, y: 24 * Double(number) - 200 * swing),
      size: Size2D(width: 80 + 30 * swing, height: 60 - 20 * swing))
    pose.alpha = 0.75 + 0.25 * swing
    pose.zIndex = number % 3
    if turning {
      pose.transform = .flat(
        Transform2D(a: 1 + 0.2 * swing, b: 0.3 * swing, c: -0.3 * swing, d: 1, tx: swing, ty: 0)
      )
    }
    return pose
  }
}
