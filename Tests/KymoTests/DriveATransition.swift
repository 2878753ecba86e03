// The manual's example, word for word between the two marks; a test compares them.
// example begins
import KymographEngine

func recordTransition(into path: String) throws {
  let session = SessionDescription(clock: "virtual", name: "grid to detail")
  let recorder = try Recorder(path: path, session: session, policy: .wait)
  let (grid, detail) = (FlowLayout(name: "grid"), FlowLayout(name: "detail"))
  detail.parameters.itemSize = Size2D(width: 300, height: 200)
  let clock = try DisplayClock(refreshRate: 120)
  let view = CollectionView(
    viewport: Size2D(width: 320, height: 480),
    data: CollectionData(sections: [.init(id: "fruit", items: ["apple", "pear", "plum"])]),
    layout: grid, clock: clock, sink: recorder)
  let transition = try view.startInteractiveTransition(to: detail)
  for step in 1...12 {  // a finger that moves for a tenth of a second
    clock.advance(before: Instant(nanoseconds: Int64(step) * 8_333_333))
    transition.updateValue(Double(step) * 15, forAnimatedKey: "PositionX")
    transition.transitionProgress = Double(step) / 20
    view.invalidateLayout()
  }
  try view.releaseInteractiveTransition()  // finish or cancel, and how fast: the rule decides
  while view.isMovingByItself { clock.advanceToNextFrame() }
  try recorder.finish(at: clock.now)
}

func recordAndPrint(in folder: String) throws {
  try recordTransition(into: folder + "/fruit.kymo")
  let recording = try RecordingReader(path: folder + "/fruit.kymo")
  for sample in try recording.session(named: "grid to detail").samples(of: "PositionX") {
    print(sample.time.seconds, sample.value)  // each value of the key
  }
}
// example ends
