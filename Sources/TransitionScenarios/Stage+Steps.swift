import MotionPhysics
import TimelineModel
import TransitionEngine

extension Stage {
  /// A step that the engine refuses is an error event of the engine's. The script goes on.
  func perform(_ step: Scenario.Step) {
    do {
      try act(step.action)
    } catch {
      // Recorded by the view before it threw.
    }
  }

  private func act(_ action: Scenario.Action) throws {
    view.transforms = scenario.transition.transforms
    switch action {
    case .start(let plan):
      guard let layout = prepare(plan) else { return }
      aim(try view.startInteractiveTransition(to: layout), plan.offset)
    case .animate(let plan, let timing):
      guard let layout = prepare(plan) else { return }
      aim(
        try view.animateTransition(
          to: layout, duration: timing.duration, easing: timing.easing), plan.offset)
    case .setLayout(let plan, let timing):
      guard let layout = prepare(plan) else { return }
      try view.setCollectionViewLayout(
        layout, animated: timing != nil, duration: timing?.duration ?? 0,
        easing: timing?.easing ?? .linear)
    case .progress(let value):
      guard let layout = drivenLayout("The progress") else { return }
      layout.transitionProgress = value
      view.invalidateLayout()
    case .value(let value, let key, let finishTarget, let cancelTarget):
      guard let layout = drivenLayout("The key \(key)", orTimed: true) else { return }
      if finishTarget != nil || cancelTarget != nil {
        layout.setTargets(finish: finishTarget, cancel: cancelTarget, forAnimatedKey: key)
      }
      layout.updateValue(value, forAnimatedKey: key)
      view.invalidateLayout()
    case .invalidate:
      sink.record(TimelineEvent(time: clock.now, kind: .invalidate))
      view.invalidateLayout()
    case .finish: try view.finishInteractiveTransition()
    case .cancel: try view.cancelInteractiveTransition()
    case .cancelInPlace: view.cancelInteractiveTransitionInPlace()
    case .update(let plan, let timing): try update(plan, timing)
    case .bounds(let size, let timing):
      view.setViewport(size, duration: timing.duration, easing: timing.easing)
    case .contentInset(let insets): view.contentInset = insets
    case .push(let name, let timing):
      guard let layout = layouts[name] else { return }
      let controller = CollectionViewController(layout: layout)
      controller.useLayoutToLayoutNavigationTransitions = true
      try navigation?.pushViewController(
        controller, animated: timing != nil, duration: timing?.duration ?? 0,
        easing: timing?.easing ?? .linear)
    case .pop(let timing):
      try navigation?.popViewController(
        animated: timing != nil, duration: timing?.duration ?? 0,
        easing: timing?.easing ?? .linear)
    case .interactivePop:
      try navigation?.startInteractivePop()
    case .pinch(let first, let second):
      guard let layout = pinchLayout() else { return }
      let item = layout.resizeItem(underTouches: inContent(first), inContent(second))
      sink.record(
        TimelineEvent(
          time: clock.now, kind: .pinch, fields: ["item": item, "size": layout.pinchedSize]))
      view.invalidateLayout()
    case .endPinch(let timing):
      guard let layout = pinchLayout() else { return }
      try view.performBatchUpdates(duration: timing.duration, easing: timing.easing) {
        layout.resetPinchedItem()
      }
    case .scroll(let coordinate): view.scroll(to: coordinate)
    case .scrollToItem(let item, let position): try view.scrollToItem(at: item, position: position)
    case .mark(let text):
      sink.record(TimelineEvent(time: clock.now, kind: .mark, fields: ["text": text]))
    }
  }

  /// The layout of a transition that is about to begin.
  private func prepare(_ plan: Scenario.TransitionPlan) -> (any CollectionViewLayout)? {
    if let transforms = plan.transforms { view.transforms = transforms }
    return layouts[plan.layout]
  }

  /// Lets a transition drive the content offset.
  func aim(_ transition: TransitionLayout, _ offset: Scenario.OffsetPlan?) {
    guard let offset else { return }
    transition.toContentOffset =
      offset.target
      ?? view.toContentOffset(
        for: transition, items: offset.items ?? view.itemsVisible(atStartOf: transition),
        placement: offset.placement, options: offset.options)
  }

  private func update(_ plan: Scenario.UpdatePlan, _ timing: Scenario.Timing) throws {
    if plan.layout != nil, view.state != .idle, view.reentry != .retarget {
      refuse(
        TransitionError(
          .alreadyInTransition,
          "An update with a layout was asked for while a transition is under way "
            + "(\(view.state.rawValue)). Wait for its completion."))
      return
    }
    let data: CollectionData
    do {
      data = try view.data.applying(plan.changes.map(dataChange))
    } catch {
      view.recordRefusal(error)
      throw error
    }
    try view.performBatchUpdates(duration: timing.duration, easing: timing.easing) {
      view.data = data.reporting(plan.reportedCounts)
      // Neither can fail: the block only collects.
      try? view.update(plan.changes.map(\.operation))
      if let name = plan.layout, let layout = layouts[name] {
        try? view.setCollectionViewLayout(layout, animated: false)
      }
    }
  }

  private func dataChange(_ change: Scenario.UpdatePlan.Change) -> DataChange {
    switch change.operation {
    case .deleteItem(let path): .deleteItem(path)
    case .insertItem(let path): .insertItem(path, id: change.id ?? newID())
    case .moveItem(let path, let target): .moveItem(from: path, to: target)
    case .reloadItem(let path): .reloadItem(path)
    case .deleteSection(let number): .deleteSection(number)
    case .insertSection(let number):
      .insertSection(number, change.section ?? CollectionData.Section(id: newID(), count: 0))
    case .moveSection(let number, let target): .moveSection(from: number, to: target)
    case .reloadSection(let number): .reloadSection(number)
    }
  }

  /// An id that nothing has.
  private func newID() -> String {
    defer { nextMadeUpNumber += 1 }
    return Scenario.madeUpPrefix + String(nextMadeUpNumber)
  }

  private func inContent(_ point: Point2D) -> Point2D {
    Point2D(x: point.x + view.contentOffset.x, y: point.y + view.contentOffset.y)
  }

  /// The installed layout if it can be pinched. Otherwise an error event.
  private func pinchLayout() -> PinchFlowLayout? {
    if let layout = view.collectionViewLayout as? PinchFlowLayout { return layout }
    refuse(
      TransitionError(
        .unsuitableLayout,
        "An item was pinched in layout \(view.collectionViewLayout.name), which is not a pinch layout."
      ))
    return nil
  }

  /// The transition layout while it is driven, or the last one that waits. Otherwise an error event.
  ///
  /// - Parameter orTimed: Whether a transition that runs by its time will do: its progress is not the
  ///   script's to set, its keys are.
  private func drivenLayout(_ what: String, orTimed: Bool = false) -> TransitionLayout? {
    if let layout = view.drivenTransitionLayout { return layout }
    if view.state == .driving {
      if orTimed { return view.transitionLayout }
      refuse(
        TransitionError(
          .notInTransition,
          "\(what) was set, but the transition under way runs by its time. Wait for its completion."
        ))
      return nil
    }
    if view.state == .idle, view.transitionCount > 0 {
      refuse(
        TransitionError(
          .detached, "\(what) was set, but the transition is over. Start another one first."))
      return nil
    }
    refuse(
      TransitionError(
        .notInTransition,
        "\(what) was set, but no transition is being driven (\(view.state.rawValue)). Start one "
          + "first."))
    return nil
  }
}

extension CollectionData {
  /// The data with other item counts, as a data source that reports something else than was done.
  fileprivate func reporting(_ counts: [Int]?) -> CollectionData {
    guard let counts, counts != itemCounts else { return self }
    return CollectionData(
      sections: counts.enumerated().map { number, count in
        Section(
          id: number < sections.count ? sections[number].id : "section/\(number)", count: count)
      })
  }
}
