// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func recordPinch(into path: String) throws {
  var session = SessionDescription(name: "pinch")
  (session.viewport, session.refreshRate) = (Size2D(width: 360, height: 800), 60)
  let recorder = try Recorder(path: path, session: session)
  let progress = recorder.key("progress", role: .progress)
  let width = recorder.key("photoWidth", role: .animated, unit: "pt")
  let photo = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "photos/7"))

  func instant(_ frame: Int) -> Instant { Instant(nanoseconds: Int64(frame) * 16_666_667) }
  func touch(_ phase: TouchPhase, in frame: Int, apart distance: Double) {
    for (contact, side) in [-0.5, 0.5].enumerated() {
      let position = Point2D(x: 180 + side * distance, y: 400)
      recorder.record(
        TouchSample(time: instant(frame), contact: contact, phase: phase, position: position))
    }
  }
  func show(_ share: Double, in frame: Int, _ phase: MotionPhase) {
    let (time, side) = (instant(frame), 80 + 240 * share)
    progress.record(share, at: time, phase: phase)
    width.record(side, at: time, phase: phase)
    recorder.beginFrame(
      FrameState(
        time: time, phase: phase, progress: share, contentOffset: .zero,
        contentSize: Size2D(width: 360, height: 800)))
    let pose = Pose(center: Point2D(x: 180, y: 400), size: Size2D(width: side, height: side))
    recorder.record(pose, of: photo, at: ItemIndexPath(section: 0, item: 7))
    recorder.endFrame()
  }

  touch(.began, in: 0, apart: 100)
  recorder.record(TimelineEvent(time: instant(0), kind: .start))
  var (distance, share) = (100.0, 0.0)
  for frame in 1...12 {  // the fingers move apart, and a distance of 400 points is progress 1
    distance += 17
    share = (distance - 100) / 300
    touch(.moved, in: frame, apart: distance)
    show(share, in: frame, .driving)
  }
  touch(.ended, in: 13, apart: distance)

  let threshold = 0.5
  let outcome: ReleaseOutcome = share > threshold ? .finish : .cancel
  recorder.record(
    ReleaseDecision(
      transition: 0, time: instant(13), outcome: outcome, decidedBy: "rule", rule: "progress",
      ruleOutcome: outcome, threshold: threshold, progress: share, progressVelocity: nil,
      marginProgress: abs(share - threshold)))
  recorder.record(
    TimelineEvent(time: instant(13), kind: outcome == .finish ? .finish : .cancel))
  for frame in 14...40 {
    share += ((outcome == .finish ? 1 : 0) - share) / 4
    show(share, in: frame, .settling)
  }
  recorder.record(TimelineEvent(time: instant(40), kind: .completion))
  try recorder.finish()
}
// example ends
