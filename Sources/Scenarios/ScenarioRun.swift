import MotionPhysics
public import TimelineModel
import TransitionEngine

/// One run of a scenario: steps and touches in the order of their times, and every frame to a sink.
public struct ScenarioRun: Sendable {
  /// The session's last instant.
  public var end: Instant
  /// How the last transition ended.
  public var outcome: SessionOutcome
  /// What the engine refused on the way, in order; each is an error event in the recording too.
  public var refusals: [String]

  /// Runs a scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to run.
  ///   - touches: Recorded touches in the order of the recording, in the device's units; times count
  ///     from the first of them.
  ///   - sink: Where everything goes.
  public init(_ scenario: Scenario, touches: [TouchSample] = [], sink: any TimelineSink) {
    let watch = WatchingSink(sink)
    let stage = Stage(scenario, sink: watch)
    stage.perform(touches: touches)
    end = stage.end
    outcome = stage.outcome
    refusals = watch.refusals
  }
}

/// The collection view of a run with its clock, its layouts and its gesture.
private final class Stage: CollectionViewDelegate {
  private let scenario: Scenario
  private let sink: any TimelineSink
  private let clock: DisplayClock
  private let view: CollectionView
  private let layouts: [String: any CollectionViewLayout]
  private(set) var end = Instant.zero
  /// How the last transition ended.
  var outcome: SessionOutcome { view.sessionOutcome }

  init(_ scenario: Scenario, sink: any TimelineSink) {
    self.scenario = scenario
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
    view.settle = scenario.settle
    view.release = scenario.release
    view.delegate = self
  }

  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? {
    scenario.transition.followedKeys.map {
      FollowTransitionLayout(currentLayout: current, nextLayout: next, following: $0)
    }
  }

  /// Runs everything: at equal times the script comes before the touches, and a frame shows all that
  /// happened at or before its instant.
  func perform(touches: [TouchSample]) {
    let driver = makeDriver()
    var steps = scenario.script[...]
    var groups = TouchGroups(touches)
    while let time = [steps.first?.time, groups.nextTime].compactMap(\.self).min() {
      clock.advance(before: time)
      if steps.first?.time == time, let step = steps.popFirst() {
        perform(step)
      } else {
        perform(groups.takeNext(), driver)
      }
      end = time
    }
    // The last step or touch is shown, and a settle runs to its end.
    clock.advance(before: end)
    repeat {
      guard clock.advanceToNextFrame() != nil else { break }
    } while view.state == .settling
    end = max(end, clock.now)
  }

  private func makeDriver() -> GestureDriver? {
    guard let plan = scenario.gesture else { return nil }
    do {
      return try GestureDriver(
        view: view, mapping: plan.mapping,
        layouts: scenario.layouts.compactMap { layouts[$0.name] },
        destination: plan.to.flatMap { layouts[$0] })
    } catch {
      refuse(error)
      return nil
    }
  }

  private func perform(_ touches: ArraySlice<TouchSample>, _ driver: GestureDriver?) {
    for touch in touches { sink.record(touch) }
    guard let plan = scenario.gesture else { return }
    driver?.handle(
      touches.map { touch in
        var mapped = touch
        mapped.position.x = touch.position.x * plan.scale.x + plan.offset.x
        mapped.position.y = touch.position.y * plan.scale.y + plan.offset.y
        return mapped
      })
  }

  /// A step that the engine refuses is an error event of the engine's; the script goes on.
  private func perform(_ step: Scenario.Step) {
    do {
      try act(step.action)
    } catch {
      // Recorded by the view before it threw.
    }
  }

  private func act(_ action: Scenario.Action) throws(TransitionError) {
    switch action {
    case .start(let name, let offset):
      guard let layout = layouts[name] else { return }
      let transition = try view.startInteractiveTransition(to: layout)
      if let offset {
        transition.toContentOffset = view.toContentOffset(
          for: transition, items: offset.items, placement: offset.placement,
          options: offset.options)
      }
    case .progress(let value):
      guard let layout = drivenLayout("The progress") else { return }
      layout.transitionProgress = value
      view.invalidateLayout()
    case .value(let value, let key, let finishTarget, let cancelTarget):
      guard let layout = drivenLayout("The key \(key)") else { return }
      if finishTarget != nil || cancelTarget != nil {
        layout.setTargets(
          finish: finishTarget ?? 0, cancel: cancelTarget ?? 0, forAnimatedKey: key)
      }
      layout.updateValue(value, forAnimatedKey: key)
      view.invalidateLayout()
    case .invalidate:
      sink.record(Event(time: clock.now, kind: .invalidate))
      view.invalidateLayout()
    case .finish: try view.finishInteractiveTransition()
    case .cancel: try view.cancelInteractiveTransition()
    case .setLayout(let name, let animated, let duration):
      guard let layout = layouts[name] else { return }
      try view.setCollectionViewLayout(layout, animated: animated, duration: duration)
    case .scroll(let place): view.scroll(to: place)
    case .scrollToItem(let item, let position): try view.scrollToItem(at: item, position: position)
    case .mark(let text):
      sink.record(Event(time: clock.now, kind: .mark, fields: [Field("text", .text(text))]))
    }
  }

  /// The transition layout while it is driven; otherwise an error event.
  private func drivenLayout(_ what: String) -> TransitionLayout? {
    if view.state == .driving, let layout = view.transitionLayout { return layout }
    refuse(
      TransitionError(
        .notInTransition,
        "\(what) was set, but no transition is being driven (\(view.state.rawValue)); start one "
          + "first."))
    return nil
  }

  private func refuse(_ error: TransitionError) {
    sink.record(
      Event(
        time: clock.now, kind: .error,
        fields: [
          Field("code", .text(error.code.rawValue)), Field("message", .text(error.message)),
        ]))
  }
}
