import CSQLite
import KymographEngine
import Scenarios
import Statistics

/// A view whose transition is driven by hand, and a layout of the app's own.
public func drive(into path: String) throws {
  let recorder = try Recorder(path: path)
  let clock = try DisplayClock(refreshRate: 120)
  let view = CollectionView(
    viewport: Size2D(width: 320, height: 480),
    data: CollectionData(sections: [.init(id: "fruit", items: ["apple", "pear"])]),
    layout: FlowLayout(name: "grid"), clock: clock, sink: recorder)
  let transition = try view.startInteractiveTransition(to: FlowLayout(name: "detail"))
  transition.transitionProgress = 0.5
  transition.updateValue(2, forAnimatedKey: "scale")
  view.invalidateLayout()
  try view.releaseInteractiveTransition()
  while view.isMovingByItself { clock.advanceToNextFrame() }
  try recorder.finish(at: clock.now)
}
