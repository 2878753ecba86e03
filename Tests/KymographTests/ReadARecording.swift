// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func replay(_ path: String, show: (_ id: String, _ pose: Pose, _ time: Instant) -> Void) throws {
  let session = try RecordingReader(path: path).lastSession()
  for decision in try session.decisions {
    print(decision.time.seconds, decision.outcome, decision.progress, decision.marginProgress ?? 0)
  }
  let frames = try session.frames
  for frame in frames {  // each frame, with every element that was on the stage
    for (element, pose) in frame { show(element, pose, frame.time) }
  }
  if let damage = frames.failure { throw damage }
}
// example ends
