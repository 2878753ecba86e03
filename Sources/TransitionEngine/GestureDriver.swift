import MotionPhysics
package import TimelineModel

/// Lets touches drive a view's transitions by a mapping: begins them, sets keys and progress with every
/// move, and releases them at the lift.
///
/// Give it every touch, grouped by instant, in points. It moves the view's clock on to each group.
package final class GestureDriver {
  package let view: CollectionView
  /// The meaning of the touches.
  package let mapping: GestureMapping
  /// Called with every transition right after its start, before its first values: the place to set a
  /// content offset.
  package var onStart: ((TransitionLayout) -> Void)?

  private let destination: any CollectionViewLayout
  private let layouts: [any CollectionViewLayout]
  private var tracker = ContactTracker()
  /// Contacts of a refused or cancelled gesture, until they lift.
  private var ignored: Set<Int> = []
  /// Whether a gesture is under way.
  package private(set) var isActive = false
  /// The layout of the gesture under way.
  private var transition: TransitionLayout?

  /// Makes a driver.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - mapping: The meaning of the touches.
  ///   - layouts: The layouts that the view changes between.
  ///   - destination: Where gestures lead to. With exactly two layouts it may be nil, and gestures lead
  ///     to whichever is not installed. A gesture that begins at the destination leads back then.
  /// - Throws: `noDestination` without a destination, unless there are exactly two layouts.
  package init(
    view: CollectionView, mapping: GestureMapping, layouts: [any CollectionViewLayout],
    destination: (any CollectionViewLayout)? = nil
  ) throws(TransitionError) {
    let other = layouts.count == 2 ? layouts.first { $0 !== view.collectionViewLayout } : nil
    guard let goal = destination ?? other else {
      throw TransitionError(
        .noDestination,
        "The gesture has no target: with \(layouts.count) layouts, say which one it leads to.")
    }
    self.view = view
    self.mapping = mapping
    self.layouts = layouts
    self.destination = goal
  }

  /// Takes in the touches of one instant, in points: first all moves and landings, then one evaluation,
  /// then the lifts. A lift at another place than the contact's last one is a move, too. The instant is the
  /// first touch's. A time that is past acts at the clock's present.
  package func handle(_ touches: [TouchSample]) {
    guard let first = touches.first else { return }
    view.clock.advance(before: first.time)

    let moved = applyMoves(touches)
    // A contact that lands and moves in one instant lands where it moved to.
    let ends = Dictionary(
      touches.lazy.filter { $0.phase == .moved }.map { ($0.contact, $0.position) }
    ) { $1 }
    for touch in touches where touch.phase == .began && !ignored.contains(touch.contact) {
      tracker.add(touch.contact, at: ends[touch.contact] ?? touch.position)
    }
    let begins =
      !isActive && tracker.count >= fewestContacts
      && touches.contains { $0.phase == .began && tracker.contains($0.contact) }
    if begins { begin() }
    if isActive, begins || moved { drive() }

    let lifts = touches.filter { $0.phase == .ended || $0.phase == .cancelled }
    if isActive,
      lifts.contains(where: { $0.phase == .cancelled && tracker.contains($0.contact) })
    {
      finishGesture(cancelled: true)
      ignoreContacts()
    }
    for touch in lifts {
      ignored.remove(touch.contact)
      tracker.remove(touch.contact)
    }
    if isActive, tracker.count < fewestContacts { finishGesture(cancelled: false) }
  }

  /// How many contacts the gesture needs: it begins with them and ends when fewer are left.
  private var fewestContacts: Int { mapping.recognizer == .pinch ? 2 : 1 }

  private func applyMoves(_ touches: [TouchSample]) -> Bool {
    var moved = false
    for touch in touches where touch.phase != .began && tracker.contains(touch.contact) {
      guard touch.reportsPosition(after: tracker.position(of: touch.contact)) else { continue }
      tracker.move(touch.contact, to: touch.position)
      moved = true
    }
    if moved { tracker.measure() }
    return moved
  }

  private func begin() {
    let goal: any CollectionViewLayout
    if view.transitions.lastLayout !== destination {
      goal = destination
    } else if layouts.count == 2, let other = layouts.first(where: { $0 !== destination }) {
      goal = other
    } else {
      _ = view.log.refused(
        .noDestination,
        "The gesture begins at the layout that it leads to, \(destination.name), and does not say "
          + "where to go from there.")
      ignoreContacts()
      return
    }
    guard view.state == .idle || view.reentry != .refuse else {
      _ = view.log.refused(
        .alreadyInTransition,
        "A \(mapping.recognizer.rawValue) began while another transition is under way "
          + "(\(view.state.rawValue)). Its contacts are ignored until they lift.")
      ignoreContacts()
      return
    }
    recordGesture(.gestureBegan)
    do {
      let layout = try view.startInteractiveTransition(to: goal)
      for key in mapping.keys {
        layout.setUnit(key.source.unit, forAnimatedKey: key.name)
        switch key.ending {
        case .freezes:
          layout.freeze(animatedKey: key.name)
        case .settles(let finish, let cancel):
          layout.setTargets(finish: finish, cancel: cancel, forAnimatedKey: key.name)
        }
      }
      onStart?(layout)
      transition = layout
      isActive = true
      tracker.begin()
    } catch {
      // The view has recorded why.
      recordGesture(.gestureCancelled)
      ignoreContacts()
    }
  }

  /// Sets the keys, then the progress, and invalidates.
  private func drive() {
    guard let transition, view.transitions.canDrive(transition) else { return }
    for key in mapping.keys {
      transition.updateValue(tracker.value(of: key.source), forAnimatedKey: key.name)
    }
    let isGoingBack = transition.nextLayout !== destination
    if let rule = isGoingBack ? mapping.progressBack ?? mapping.progress : mapping.progress {
      transition.transitionProgress = rule.progress(for: tracker.value(of: rule.source))
    }
    view.invalidateLayout()
  }

  /// Ends the gesture and, unless something else already has, the driving of its transition.
  private func finishGesture(cancelled: Bool) {
    isActive = false
    recordGesture(cancelled ? .gestureCancelled : .gestureEnded)
    defer { transition = nil }
    guard let transition else { return }
    view.transitions.release(
      transition, as: cancelled ? .cancel : nil,
      decidedBy: cancelled ? .touch : .rule)
  }

  private func ignoreContacts() {
    for number in tracker.numbers {
      ignored.insert(number)
      tracker.remove(number)
    }
  }

  private func recordGesture(_ kind: TimelineEvent.Kind) {
    view.log.record(kind, ["recognizer": mapping.recognizer.rawValue, "contacts": tracker.count])
  }
}

/// A driver changes its view in place. Use it from one thread at a time.
@available(*, unavailable)
extension GestureDriver: Sendable {}
