import MotionPhysics
import TimelineModel

/// The questions of a collection view.
public protocol CollectionViewDelegate: AnyObject {
  /// The transition layout between two layouts, made for exactly these two. `nil` for the plain
  /// ``TransitionLayout``. Asked once per start. Of a transition that waits or takes over, the engine
  /// exchanges the current layout where another one is installed when it begins.
  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout?
}

/// The work when a transition is over, after the layout was installed: whether its rest ran to the
/// end, and whether the new layout is the one installed.
public typealias TransitionCompletion = (_ completed: Bool, _ finished: Bool) -> Void

/// Decides about a call while another transition is under way: it is refused, takes over, or waits.
final class TransitionCoordinator {
  weak var delegate: (any CollectionViewDelegate)?
  var reentry = ReentryPolicy.refuse
  private let runner: TransitionRunner
  private let installed: InstalledLayout
  private let changes: ChangeCoordinator
  private let log: EventLog
  private var queue: TransitionQueue
  /// Whether a transition is being taken down only for the next one to take over.
  private var isRetargeting = false

  init(runner: TransitionRunner, installed: InstalledLayout, changes: ChangeCoordinator) {
    self.runner = runner
    self.installed = installed
    self.changes = changes
    log = installed.log
    queue = TransitionQueue(log: log)
    runner.whenOver = { [weak self] in self?.startNext() }
  }

  /// Whether nothing is under way or waits.
  var isAtRest: Bool { runner.state == .idle && queue.isEmpty }

  /// The layout that will be installed when everything that waits is over too.
  var lastLayout: any CollectionViewLayout { queue.lastLayout ?? runner.restingLayout }

  /// The layout of the last interactive transition that waits and was not released.
  var waitingLayout: TransitionLayout? { queue.openLayout }

  /// Whether a transition is installed and being driven, or waits and was not released.
  func canDrive(_ layout: TransitionLayout) -> Bool {
    runner.isDriven(layout) || queue.isWaiting(layout)
  }

  /// Runs the completions that wait in a view that is gone.
  func abandon() { queue.abandon() }

  // MARK: Beginning

  /// Begins a transition, or lets it wait, as the policy says.
  ///
  /// - Returns: Its layout. A detached one for a layout that is exchanged at once.
  func begin(
    _ style: TransitionStyle, to layout: any CollectionViewLayout,
    completion: @escaping TransitionCompletion
  ) throws(TransitionError) -> TransitionLayout {
    if runner.state != .idle, reentry == .refuse {
      throw alreadyInTransition("A transition to \(layout.name) was asked for")
    }
    // After the waiting calls, also in the completion that lets it begin.
    let waits = reentry == .queue && (runner.state != .idle || !queue.isEmpty)
    let between = try makeTransitionLayout(from: lastLayout, to: layout, style: style)
    guard runner.state != .idle || waits else {
      runner.run(style, between, completion: completion)
      return between
    }
    if waits {
      queue.append(.init(style: style, layout: between, completion: completion))
      return between
    }
    let carried = makeWay()
    guard runner.state == .idle else {
      throw log.refused(
        .alreadyInTransition,
        "A transition to \(layout.name) was to take over, but the completion of the one before began "
          + "another one, which goes on.")
    }
    between.currentLayout = installed.layout
    between.inherit(carried.keys)
    // Its elements are part of the motion that is taken over.
    let interrupted = changes.takeOut()
    runner.run(style, between, completion: completion)
    switch style {
    case .exchanged(0, _): break
    case .exchanged(let seconds, _), .timed(let seconds, _):
      runner.carry(carried, seconds: seconds)
    case .driven: runner.carry(carried, seconds: nil)
    }
    interrupted?(false)
    return between
  }

  /// Takes the transition down that is under way, for something to take over the picture on the screen.
  func makeWay() -> CarriedMotion {
    let carried = runner.carriedMotion
    isRetargeting = true
    runner.interrupt()
    isRetargeting = false
    return carried
  }

  /// The delegate's layout between two layouts, or the plain one. An exchange always has the plain one.
  private func makeTransitionLayout(
    from current: any CollectionViewLayout, to layout: any CollectionViewLayout,
    style: TransitionStyle
  ) throws(TransitionError) -> TransitionLayout {
    var asked: TransitionLayout?
    if case .exchanged = style {
    } else {
      asked = delegate?.transitionLayout(for: current, to: layout)
    }
    let between = asked ?? TransitionLayout(currentLayout: current, nextLayout: layout)
    guard between.currentLayout === current, between.nextLayout === layout, between.link == nil,
      !queue.contains(between)
    else {
      throw log.refused(
        .wrongTransitionLayout,
        "The transition layout for \(current.name) to \(layout.name) was made for other layouts, or "
          + "is in use. Make a new one with exactly these two.")
    }
    between.transforms = installed.transforms
    return between
  }

  /// Begins the transitions that wait, until one is under way.
  private func startNext() {
    if isRetargeting { return }
    while runner.state == .idle, !queue.isEmpty {
      let next = queue.removeFirst()
      next.layout.currentLayout = installed.layout
      runner.run(next.style, next.layout, completion: next.completion)
      if let release = next.release {
        runner.release(as: release.outcome, decidedBy: release.decidedBy)
      }
    }
  }

  // MARK: Releasing

  /// Releases the transition that is driven, turns a settle round, or lets the call wait.
  ///
  /// - Parameters:
  ///   - outcome: The requested outcome. `nil` asks the rule.
  ///   - decidedBy: Who asked, for the record.
  /// - Returns: The requested outcome, or else the rule's. `nil` when that waits.
  @discardableResult
  func release(
    as outcome: ReleaseOutcome?, decidedBy: DecisionSource
  ) throws(TransitionError) -> ReleaseOutcome? {
    if runner.state == .settling || runner.runsByTime {
      if queue.release(as: outcome, decidedBy: decidedBy) { return outcome }
      if reentry == .retarget, runner.state == .settling, let outcome {
        runner.turn(to: outcome)
        return outcome
      }
    }
    guard let outcome = runner.release(as: outcome, decidedBy: decidedBy) else {
      let what = outcome?.rawValue ?? "release"
      throw runner.notInTransition(what.prefix(1).uppercased() + what.dropFirst())
    }
    return outcome
  }

  /// Releases one transition, wherever it is. One that something else has ended is left alone.
  func release(_ layout: TransitionLayout, as outcome: ReleaseOutcome?, decidedBy: DecisionSource) {
    if queue.release(layout, as: outcome, decidedBy: decidedBy) { return }
    if runner.isDriven(layout) { runner.release(as: outcome, decidedBy: decidedBy) }
  }

  func alreadyInTransition(_ what: String) -> TransitionError {
    log.refused(
      .alreadyInTransition,
      "\(what) while another transition is under way (\(runner.state.rawValue)). Wait for its completion."
    )
  }
}
