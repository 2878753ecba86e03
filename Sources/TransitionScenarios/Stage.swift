import TimelineModel
import TransitionEngine

/// The collection view of a run with its clock, its layouts and its gesture.
final class Stage: CollectionViewDelegate {
  let scenario: Scenario
  let sink: any TimelineSink
  let clock: DisplayClock
  let view: CollectionView
  let layouts: [String: any CollectionViewLayout]
  private(set) var end = Instant.zero
  /// The stack that pushes and pops act on. Made with the first of them.
  private(set) lazy var navigation = makeNavigation()
  /// The number of the next id that is made up for an inserted item.
  var nextMadeUpNumber: Int
  /// How the last transition ended.
  var outcome: SessionOutcome { view.sessionOutcome }

  init(_ scenario: Scenario, sink: any TimelineSink) {
    self.scenario = scenario
    nextMadeUpNumber = scenario.firstMadeUpNumber
    self.sink = sink
    do {
      clock = try DisplayClock(refreshRate: scenario.refreshRate)
    } catch {
      preconditionFailure("The reader lets only usable refresh rates through: \(error).")
    }
    var layouts: [String: any CollectionViewLayout] = [:]
    for named in scenario.layouts { layouts[named.name] = scenario.makeLayout(named.name) }
    guard let initial = layouts[scenario.initialLayout] else {
      preconditionFailure("The reader lets only known layouts through.")
    }
    self.layouts = layouts
    view = CollectionView(
      viewport: scenario.viewport, contentInset: scenario.contentInset,
      contentOffset: scenario.contentOffset, data: scenario.data, layout: initial, clock: clock,
      sink: sink)
    view.transforms = scenario.transition.transforms
    view.tracesLayoutCalls = scenario.traceLayoutCalls
    view.reentry = scenario.transition.reentry
    view.settle = scenario.settle
    view.release = scenario.release
    view.delegate = self
  }

  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? {
    switch scenario.transition.kind {
    case .linear: nil
    case .follow(let keys):
      FollowTransitionLayout(currentLayout: current, nextLayout: next, following: keys)
    case .snapshot(let includesArriving):
      SnapshotTransitionLayout(
        currentLayout: current, nextLayout: next, includesArriving: includesArriving)
    }
  }

  /// Runs everything: at equal times the script comes before the touches, and a frame shows all that
  /// happened at or before its instant.
  func perform(touches: [TouchSample]) {
    let handle = makeTouchHandler()
    var steps = scenario.script[...]
    var groups = TouchGroups(touches)
    while let time = [steps.first?.time, groups.nextTime].compactMap(\.self).min() {
      clock.advance(before: time)
      if steps.first?.time == time, let step = steps.popFirst() {
        perform(step)
      } else {
        perform(groups.takeNext(), handle)
      }
      end = time
    }
    // The last step or touch is shown, and everything that moves by itself runs to its end.
    clock.advance(before: end)
    repeat {
      guard clock.advanceToNextFrame() != nil else { break }
    } while view.isMovingByItself
    end = max(end, clock.now)
  }

  private func makeNavigation() -> NavigationController? {
    do {
      return try NavigationController(root: CollectionViewController(collectionView: view))
    } catch {
      refuse(error)
      return nil
    }
  }

  /// The area for the touches, in points. `nil` where the scenario has no gesture.
  private func makeTouchHandler() -> (([TouchSample]) -> Void)? {
    guard let plan = scenario.gesture else { return nil }
    if let duration = plan.pinchesItem {
      return ItemPincher(view: view, resetDurationSeconds: duration).handle
    }
    do {
      let driver = try GestureDriver(
        view: view, mapping: plan.mapping,
        layouts: scenario.layouts.compactMap { layouts[$0.name] },
        destination: plan.to.flatMap { layouts[$0] })
      driver.onStart = { [unowned self] transition in aim(transition, plan.contentOffset) }
      return driver.handle
    } catch {
      refuse(error)
      return nil
    }
  }

  private func perform(_ touches: ArraySlice<TouchSample>, _ handle: (([TouchSample]) -> Void)?) {
    for touch in touches { sink.record(touch) }
    guard let plan = scenario.gesture else { return }
    view.transforms = scenario.transition.transforms
    handle?(
      touches.map { touch in
        var mapped = touch
        mapped.position.x = touch.position.x * plan.scale.x + plan.offset.x
        mapped.position.y = touch.position.y * plan.scale.y + plan.offset.y
        return mapped
      })
  }

  /// Records a step that was refused before it came to the view.
  func refuse(_ error: TransitionError) {
    sink.record(
      TimelineEvent(
        time: clock.now, kind: .error,
        fields: ["code": error.code.rawValue, "message": error.message]))
  }
}

/// Touches in the order of the recording, cut where the time changes.
///
/// A time that runs backwards acts at the latest time before it, so that the engine's clock never goes
/// back. The sample itself keeps its time.
struct TouchGroups {
  private let touches: [TouchSample]
  private var start = 0
  private var latest = Instant(nanoseconds: .min)

  init(_ touches: [TouchSample]) {
    self.touches = touches
  }

  /// When the next group acts. `nil` when there is none.
  var nextTime: Instant? {
    start < touches.count ? max(latest, touches[start].time) : nil
  }

  /// The next group, which is not empty.
  mutating func takeNext() -> ArraySlice<TouchSample> {
    guard let time = nextTime else { return [] }
    let rest = touches[start...]
    let count = rest.prefix { $0.time == rest[start].time }.count
    latest = time
    start += count
    return rest.prefix(count)
  }
}
