import MotionPhysics
import TimelineModel

/// Runs one transition between two layouts: installs its layout, moves it on, lets it settle, and ends it.
final class TransitionRunner {
  var settle = SettleParameters()
  var release = ReleaseParameters()
  /// Called when a transition is over and its completion has run.
  var whenOver: () -> Void = {}
  /// Idle, driving from a start to its release, settling from there to the completion.
  private(set) var state = MotionPhase.idle
  /// How many transitions were started.
  private(set) var count = 0
  private let installed: InstalledLayout
  private let changes: ChangeCoordinator
  private let log: EventLog
  private var active: ActiveTransition?
  private var lastOutcome = SessionOutcome.none
  /// Whether a transition is being taken down just now. Its layouts' hooks may not take it down again.
  private var isEnding = false
  /// Made with the first transition, so that a session without one has no key.
  private lazy var progressKey = log.sink.keyHandle(
    for: progressKeyName, role: .progress, unit: "1")

  init(installed: InstalledLayout, changes: ChangeCoordinator) {
    self.installed = installed
    self.changes = changes
    log = installed.log
  }

  /// Whether the time alone drives the transition that is under way.
  var runsByTime: Bool { active?.driver != nil }

  /// How the session would be said to have ended now.
  var outcome: SessionOutcome { active == nil ? lastOutcome : .open }

  /// The layout that will be installed when the running transition is over and nothing else is asked for.
  var restingLayout: any CollectionViewLayout {
    guard let active else { return installed.layout }
    return active.settle?.outcome == .finish
      ? active.layout.nextLayout : active.layout.currentLayout
  }

  /// The layout that a caller drives.
  var drivenLayout: TransitionLayout? { state == .driving && !runsByTime ? active?.layout : nil }

  /// Whether a transition is installed and being driven.
  func isDriven(_ layout: TransitionLayout) -> Bool {
    active?.layout === layout && state == .driving
  }

  /// Runs something with the transition as it is at the clock's present.
  func atPresent<Result>(_ body: () -> Result) -> Result { probe.trying(log.clock.now, body) }

  /// The motion that another transition takes over from the one under way.
  var carriedMotion: CarriedMotion { probe.carriedMotion(changes) }

  /// Blends from the picture of another transition into the new one.
  func carry(_ carried: CarriedMotion, seconds: Double?) {
    changes.carry(carried, seconds: seconds, settle: settle)
  }

  private var probe: TransitionProbe {
    TransitionProbe(
      active: active, installed: installed, now: log.clock.now, release: release, settle: settle)
  }

  // MARK: Beginning

  /// Begins a transition while nothing is under way.
  func run(
    _ style: TransitionStyle, _ between: TransitionLayout,
    completion: @escaping TransitionCompletion
  ) {
    switch style {
    case .driven:
      install(between, completion: completion)
      state = .driving
    case .timed(let seconds, let easing):
      // What was set while it waited is the time's to say.
      (between.progress, between.progressHistory) = (0, [])
      install(
        between, completion: completion,
        fields: ["animated": true, TimelineEvent.duration: seconds, "easing": easing.name])
      active?.driver = TimedDriver(
        start: log.clock.now, durationSeconds: seconds, easing: easing)
      active?.layout.link?.isTimed = true
      state = .driving
    case .exchanged(let seconds, _) where seconds <= 0:
      let interrupted = changes.takeOut()
      exchange(between.nextLayout)
      log.record(.completion, ["completed": true, "finished": true])
      completion(true, true)
      interrupted?(false)
    case .exchanged(let seconds, let easing) where changes.isUnderWay:
      changes.exchange(between.nextLayout, seconds: seconds, easing: easing) {
        completion($0, true)
      }
    case .exchanged(let seconds, let easing):
      exchange(into: between, seconds: seconds, easing: easing, completion: completion)
    }
  }

  /// Installs another layout at once.
  private func exchange(_ layout: any CollectionViewLayout) {
    let current = installed.layout
    log.callPrepareForTransition(current, layout)
    layout.prepare(in: installed.context)
    let resting = layout.targetContentOffset(
      forProposedContentOffset: installed.offsetRange(of: layout).clamped(installed.offset))
    log.callFinalizeTransition(current, layout)
    installed.install(layout, offset: resting)
  }

  /// Lets a layout be exchanged over a time, as a transition that no caller drives.
  private func exchange(
    into between: TransitionLayout, seconds: Double, easing: Easing,
    completion: @escaping TransitionCompletion
  ) {
    install(
      between, completion: completion,
      fields: ["animated": true, TimelineEvent.duration: seconds])
    // Nobody drives the offset: it moves with the progress to where it will rest.
    if active != nil, installed.restingOffset != installed.offset {
      between.toContentOffset = installed.restingOffset
    }
    log.record(
      .settle, ["transition": count - 1, "type": easing.name, TimelineEvent.settleTime: seconds])
    beginSettling(
      Settle(
        start: log.clock.now, outcome: .finish,
        progress: .timed(from: 0, to: 1, seconds: seconds, easing: easing), keys: [],
        durationSeconds: seconds))
  }

  /// Installs a transition layout and counts the transition.
  private func install(
    _ between: TransitionLayout, completion: @escaping TransitionCompletion,
    fields: KeyValuePairs<String, any FieldConvertible> = [:]
  ) {
    installed.prepareIfNeeded()
    let (current, next, number) = (between.currentLayout, between.nextLayout, count)
    count += 1
    log.record(
      .start,
      EventField.list([
        "transition": number, "from": current.name, "to": next.name,
        "transforms": between.transforms.rawValue,
      ]) + EventField.list(fields))
    log.callPrepareForTransition(current, next)
    active = ActiveTransition(number: number, layout: between, completion: completion)
    installed.install(between, progressKey: progressKey)
  }

  // MARK: Moving on

  /// Moves on what no caller sets: keys that were taken over, progress that the time drives, and a settle.
  ///
  /// - Returns: The elements of a transition that is over with this frame.
  func advance(at time: Instant) -> EndedTransition? {
    if let layout = active?.layout {
      if layout.advanceCoasting(at: time) { installed.invalidate() }
      if state == .driving, let driver = active?.driver { advance(layout, by: driver, at: time) }
    }
    return state == .settling ? advanceSettle(at: time) : nil
  }

  /// Moves a transition on by its own driver. At the end of its time it finishes, at rest.
  private func advance(_ layout: TransitionLayout, by driver: TimedDriver, at time: Instant) {
    let fraction = driver.fraction(at: time)
    layout.link?.isAdvancing = true
    layout.setTransitionProgress(driver.easing.value(at: fraction), time: fraction)
    layout.link?.isAdvancing = false
    installed.invalidate()
    // Who hears of the progress may have begun another transition.
    guard fraction >= 1, isDriven(layout) else { return }
    release(as: .finish, decidedBy: .time)
  }

  /// Sets the settle's values for a frame: keys, then progress, then the layout is invalidated. At or
  /// after its end everything takes its exact end value and the layout that remains is installed.
  private func advanceSettle(at time: Instant) -> EndedTransition? {
    guard let layout = active?.layout, let settle = active?.settle else { return nil }
    let elapsed = time.seconds(since: settle.start)
    guard elapsed >= settle.durationSeconds else {
      layout.advance(
        keys: settle.keys.map { key in
          let value = key.motion.value(atSeconds: elapsed)
          return (key.number, value.isFinite ? value : layout.keys[key.number].value ?? 0)
        },
        progress: settle.progress.value(atSeconds: elapsed))
      installed.invalidate()
      return nil
    }
    layout.advance(
      keys: settle.keys.map { ($0.number, $0.motion.target) }, progress: settle.progress.target)
    // Who hears of the progress may have begun another transition.
    guard active?.layout === layout, state == .settling else { return nil }
    installed.invalidate()
    installed.prepareIfNeeded()
    let ended = EndedTransition(
      layout: restingLayout, progress: settle.progress.target,
      attributes: installed.transitionAttributes())
    end(settle.outcome, completed: true)
    return ended
  }

  // MARK: Releasing

  /// Begins the settle of the transition that is driven, at the clock's `now`.
  ///
  /// - Parameters:
  ///   - outcome: The requested outcome. `nil` asks the rule.
  ///   - decidedBy: Who asked, for the record.
  /// - Returns: Where it leads. `nil` when no transition is driven.
  @discardableResult
  func release(as outcome: ReleaseOutcome?, decidedBy: DecisionSource) -> ReleaseOutcome? {
    guard state == .driving, let releasing else { return nil }
    let settle = releasing.settle(as: outcome, decidedBy: decidedBy)
    beginSettling(settle)
    return settle.outcome
  }

  private var releasing: TransitionRelease? {
    active.map {
      TransitionRelease(
        number: $0.number, layout: $0.layout, settle: settle, release: release,
        distance: installed.viewport.width, fewestSeconds: changes.secondsOfTakingOver,
        progressKey: progressKey, log: log)
    }
  }

  /// Turns a settle to the other end.
  func turn(to outcome: ReleaseOutcome) {
    guard let settle = active?.settle, settle.outcome != outcome, let releasing else { return }
    beginSettling(releasing.turned(settle, to: outcome))
  }

  private func beginSettling(_ settle: Settle) {
    active?.driver = nil
    active?.settle = settle
    active?.layout.link?.phase = .settling
    state = .settling
  }

  // MARK: Ending

  /// Ends a transition where it is, without its rest.
  func interrupt() {
    guard let active else { return }
    end(active.settle?.outcome ?? .cancel, completed: false)
  }

  /// Cancels a transition that is being driven and leaves the picture on the screen where it is.
  func cancelInPlace(completion: @escaping () -> Void) {
    guard state == .driving, let layout = active?.layout else {
      _ = notInTransition("Cancel in place")
      if active == nil { completion() } else { active?.afterCompletion.append(completion) }
      return
    }
    let screen = changes.screen(at: log.clock.now)
    let frozen = FixedLayout(
      name: "\(installed.layout.name), frozen", contentSize: screen.contentSize,
      elements: screen.elements.filter(\.isPlaced).map {
        LayoutAttributes(path: $0.path, pose: $0.pose)
      })
    log.record(
      .cancel, ["transition": active?.number ?? 0, "progress": layout.progress, "inPlace": true])
    frozen.isFrozen = true
    active?.frozen = (frozen, screen.offset)
    changes.keepOnlyDepartures(of: screen)
    active?.afterCompletion.append(completion)
    end(.cancel, completed: false)
  }

  /// Takes the transition down and installs the layout that remains.
  ///
  /// Both layouts hear `finalizeLayoutTransition` first. The completion runs last, when everything is
  /// in place, so that it may start the next transition.
  private func end(_ outcome: ReleaseOutcome, completed: Bool) {
    guard var ended = active, !isEnding else { return }
    isEnding = true
    let layout = ended.layout
    let restingOffset = installed.restingOffset
    log.callFinalizeTransition(layout.currentLayout, layout.nextLayout)
    log.recordCall("transitionDidEnd", of: layout)
    layout.transitionDidEnd(completed: completed, finished: outcome == .finish)
    log.warnOnce(layout.keyWarnings)
    layout.link?.isDetached = true
    // A hook may have added to it.
    ended.afterCompletion = active?.afterCompletion ?? []
    active = nil
    isEnding = false
    lastOutcome = outcome == .finish ? .finished : .cancelled
    state = .idle
    switch outcome {
    case .finish:
      installed.install(layout.nextLayout, offset: layout.toContentOffset ?? restingOffset)
    case .cancel:
      installed.install(layout.currentLayout, offset: layout.fromContentOffset)
    }
    changes.release(from: layout)
    log.record(
      .completion,
      ["transition": ended.number, "completed": completed, "finished": outcome == .finish])
    ended.completion(completed, outcome == .finish)
    if let frozen = ended.frozen, state == .idle {
      installed.install(frozen.layout, offset: frozen.offset)
    }
    for action in ended.afterCompletion { action() }
    whenOver()
  }

  /// Runs the completions that a gone view leaves.
  func abandon() {
    active?.completion(false, active?.settle?.outcome == .finish)
    for action in active?.afterCompletion ?? [] { action() }
  }

  func notInTransition(_ what: String) -> TransitionError {
    log.refused(
      .notInTransition,
      "\(what) was asked for, but no transition is being driven (\(state.rawValue)). Start one first."
    )
  }
}
