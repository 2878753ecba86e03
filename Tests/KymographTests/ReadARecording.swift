// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func replay(_ path: String, show: (_ id: String, _ pose: Pose, _ time: Instant) -> Void) throws {
  let reader = try RecordingReader(path: path)
  guard let session = try reader.lastSession()?.number else { return }
  for decision in try reader.decisions(in: session) {
    print(decision.time.seconds, decision.outcome, decision.progress, decision.marginProgress ?? 0)
  }
  let items = try reader.items(in: session)
  let ids = Dictionary(uniqueKeysWithValues: items.map { ($0.handle, $0.identity.id) })
  let frames = try reader.foldedFrames(in: session)
  while let frame = try frames.next() {  // each frame, with every element that was on the stage
    for element in frame.elements {
      show(ids[element.item] ?? "", element.pose, frame.frame.state.time)
    }
  }
}
// example ends
