import MotionPhysics
import TimelineModel

/// Runs batch updates, changes of bounds, and what else is animated besides a transition's progress, one at
/// a time. It knows of a transition only the layout that is installed.
final class ChangeCoordinator {
  private let installed: InstalledLayout
  private let elements: ElementRegistry
  private let log: EventLog
  private var change: AnimatedChange? { didSet { mixes = nil } }
  private var changeCount = 0
  /// The elements of the change with their ways, at which revision and offset of the layout.
  private var mixes: (revision: Int, offset: Point2D, ways: ChangeMixes)?
  /// The batch update whose block is running.
  private var batch: Batch?

  /// The operations of a batch update while its block runs.
  struct Batch {
    var operations: [UpdateOperation] = []
    var data: CollectionData?
    var layout: (any CollectionViewLayout)?
    var completions: [(Bool) -> Void] = []
  }

  init(installed: InstalledLayout) {
    self.installed = installed
    log = installed.log
    elements = installed.elements
  }

  // MARK: Running

  /// Whether something is animated.
  var isUnderWay: Bool { change != nil }

  /// The leaving elements.
  var departures: [AnimatedChange.Departure] { change?.departures ?? [] }

  /// When a transition that takes over from another one has left it behind, as seconds from now: no settle
  /// ends before.
  var secondsOfTakingOver: Double {
    guard let change, change.cause == .retarget else { return 0 }
    return max(0, change.durationSeconds - log.clock.now.seconds(since: change.start))
  }

  /// The elements of the screen at a time, elements that are leaving included. The layout is as it is now.
  func screen(at time: Instant) -> Screen { blended(installed.screen(), at: time) }

  /// The screen after the running change.
  func blended(_ screen: Screen, at time: Instant) -> Screen {
    change?.blended(screen, over: installed.layout, at: time) ?? screen
  }

  /// The frame of a change that runs while no transition moves anything under it. `nil` otherwise. Its elements
  /// are gathered once for each preparation of the layout.
  ///
  /// - Parameters:
  ///   - frame: The frame without the change.
  ///   - elements: The elements that the layout shows.
  /// - Returns: The frame's state, and a call that records its elements.
  func frame(
    _ frame: FrameState, of elements: () -> [Screen.Element]
  ) -> (state: FrameState, record: (any TimelineSink) -> Void)? {
    guard let change, change.underlying == nil, installed.between == nil else { return nil }
    let ways: ChangeMixes
    if let mixes, mixes.revision == installed.revision, mixes.offset == installed.offset {
      ways = mixes.ways
    } else {
      ways = ChangeMixes(change, of: elements(), over: installed.layout)
      mixes = (installed.revision, installed.offset, ways)
    }
    var state = frame
    state.contentOffset = change.offset(frame.contentOffset, at: frame.time)
    state.contentSize = change.contentSize(frame.contentSize, at: frame.time)
    return (state, { sink in ways.record(change, at: frame.time, into: sink) })
  }

  /// Lets a change that runs follow the content to another offset.
  func contentMoved(to offset: Point2D) {
    change?.from.offset = offset
    change?.underlying?.offsets = (offset, offset)
  }

  /// Lets go of everything on a screen but of the leaving elements.
  func keepOnlyDepartures(of screen: Screen) {
    change?.keepOnlyDepartures(offset: screen.offset, contentSize: screen.contentSize)
  }

  /// Lets the elements leave that only a transition placed, which is over.
  func release(from transition: TransitionLayout) {
    guard let change else { return }
    var last: [ItemHandle: Pose] = [:]
    for arrival in change.arrivals where installed.layout.layoutAttributes(at: arrival.path) == nil
    {
      last[arrival.item] = transition.finitePose(at: arrival.path)
    }
    self.change?.release(last)
  }

  // MARK: Updates

  /// The data that is shown. Within the block of a batch update what it is after that.
  var data: CollectionData {
    get { batch?.data ?? elements.data }
    set { if batch == nil { replaceData(with: newValue) } else { batch?.data = newValue } }
  }

  /// Exchanges the data at once.
  func replaceData(with newData: CollectionData) {
    let interrupted = takeOut()
    elements.replaceData(with: newData)
    let invalidation = LayoutInvalidationContext()
    invalidation.invalidateEverything = true
    invalidation.invalidateDataSourceCounts = true
    log.record(.reload, ["counts": newData.itemCounts])
    installed.invalidate(with: invalidation)
    installed.settleOffset(asksLayout: false)
    interrupted?(false)
  }

  /// Whether the block of a batch update is running.
  var isCollecting: Bool { batch != nil }

  /// Runs the block of a batch update.
  ///
  /// - Returns: What it asked for. `nil` where it joined a block that runs already.
  func collect(_ updates: () -> Void, completion: @escaping (Bool) -> Void) -> Batch? {
    guard batch == nil else {
      batch?.completions.append(completion)
      updates()
      return nil
    }
    batch = Batch(completions: [completion])
    updates()
    defer { batch = nil }
    return batch
  }

  /// Adds operations to the block that runs. False where none does.
  func join(_ operations: [UpdateOperation]) -> Bool {
    batch?.operations += operations
    return isCollecting
  }

  /// Exchanges the layout with the block that runs.
  func join(_ layout: any CollectionViewLayout, completion: @escaping (Bool) -> Void = { _ in }) {
    batch?.layout = layout
    batch?.completions.append(completion)
  }

  /// Checks a batch against the data, and records it or its refusal.
  func plan(_ batch: Batch) throws(UpdateError) -> UpdatePlan {
    let (before, after) = (elements.data.itemCounts, (batch.data ?? elements.data).itemCounts)
    let plan: UpdatePlan
    do {
      plan = try UpdatePlan(batch.operations, before: before, after: after)
    } catch {
      log.recordRefusal(error)
      throw error
    }
    let operations = batch.operations
    log.record(.update) {
      EventField.list([
        "operations": FieldValue.list(operations.map(\.field)), "before": before, "after": after,
      ])
    }
    return plan
  }

  /// Changes data and layout as a batch says.
  ///
  /// - Parameter taken: The motion that is taken over from an interrupted transition.
  /// - Returns: The animation. Nothing has begun yet.
  func change(
    _ batch: Batch, by plan: UpdatePlan, cause: AnimatedChange.Cause = .update, seconds: Double,
    easing: Easing, taking taken: CarriedMotion?
  ) -> AnimatedChange {
    let (before, underlying) = taken.map { ($0.screen, nil) } ?? present()
    let pairs = take(batch, by: plan, from: before, leaving: taken?.leaving ?? departures)
    var change = AnimatedChange(
      number: changeCount, cause: cause, start: log.clock.now, durationSeconds: seconds,
      course: taken == nil ? .eased(easing) : .cubic(seconds: seconds), elements: pairs,
      from: before, underlying: underlying, transforms: installed.transforms
    ) { completed in
      for completion in batch.completions { completion(completed) }
    }
    if let taken { (change.velocity, change.velocities) = (taken.velocity, taken.velocities) }
    return change
  }

  /// Exchanges data and layout, and finds the starts and ends of the animated elements.
  private func take(
    _ batch: Batch, by plan: UpdatePlan, from before: Screen, leaving: [AnimatedChange.Departure]
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    let old = (layout: installed.layout, context: installed.context)
    let newLayout = batch.layout.flatMap { $0 === old.layout ? nil : $0 }
    elements.replaceData(with: batch.data ?? elements.data, by: plan)
    if let newLayout {
      log.callPrepareForTransition(old.layout, newLayout)
      installed.replace(with: newLayout)
    }
    (installed.layout as? any ItemFollowing)?.follow(plan)
    installed.between?.follow(plan)
    let invalidation = LayoutInvalidationContext()
    invalidation.invalidateDataSourceCounts = !plan.isEmpty
    installed.invalidate(with: invalidation)
    installed.settleOffset(asksLayout: true)
    let pairs = installed.pairs(before: before, leaving: leaving, plan: plan, old: old) { layout in
      log.recordCall("prepare(forCollectionViewUpdates:)", of: layout)
      layout.prepare(forCollectionViewUpdates: plan.items)
    }
    log.recordCall("finalizeCollectionViewUpdates", of: installed.layout)
    installed.layout.finalizeCollectionViewUpdates()
    if let newLayout {
      log.callFinalizeTransition(old.layout, newLayout)
      log.record(.install, ["layout": newLayout.name])
    }
    return pairs
  }

  // MARK: Other changes

  /// Changes the extent of the viewport.
  ///
  /// - Returns: The animation. `nil` without a duration.
  func changeViewport(
    to size: Size2D, seconds: Double, easing: Easing, completion: @escaping (Bool) -> Void
  ) -> AnimatedChange? {
    let (before, underlying) = present()
    let leaving = departures
    let old = (layout: installed.layout, context: installed.context)
    installed.viewport = size
    installed.invalidateForBoundsChange()
    installed.settleOffset(asksLayout: seconds > 0)
    guard seconds > 0 else { return nil }
    let pairs = installed.pairs(
      before: before, leaving: leaving, plan: nil, old: (installed.layout, old.context)
    ) { layout in
      log.recordCall("prepare(forAnimatedBoundsChange:)", of: layout)
      layout.prepare(forAnimatedBoundsChange: old.context.bounds)
    }
    log.recordCall("finalizeAnimatedBoundsChange", of: installed.layout)
    installed.layout.finalizeAnimatedBoundsChange()
    return AnimatedChange(
      number: changeCount, cause: .bounds, start: log.clock.now, durationSeconds: seconds,
      course: .eased(easing), elements: pairs, from: before, underlying: underlying,
      transforms: installed.transforms, completion: completion)
  }

  /// Exchanges the layout in one animation with the change that runs.
  func exchange(
    _ layout: any CollectionViewLayout, seconds: Double, easing: Easing,
    completion: @escaping (Bool) -> Void
  ) {
    let counts = elements.data.itemCounts
    guard let plan = try? UpdatePlan([], before: counts, after: counts) else {
      preconditionFailure("A batch without operations and with the same data cannot fail.")
    }
    let batch = Batch(layout: layout, completions: [completion])
    begin(
      change(batch, by: plan, cause: .layout, seconds: seconds, easing: easing, taking: nil),
      easing: easing)
  }

  /// Blends from the picture of an interrupted transition, with its velocity, into the installed layout.
  func carry(_ carried: CarriedMotion, seconds: Double?, settle: SettleParameters) {
    installed.prepareIfNeeded()
    begin(
      carried.change(
        changeCount, into: installed, at: log.clock.now, seconds: seconds, settle: settle,
        transforms: installed.transforms))
  }

  /// The screen at the clock's present, and where a transition alone moves it, what it is mixed from: then
  /// that goes on under a change that begins now.
  private func present() -> (screen: Screen, underlying: Underlying?) {
    var screen = screen(at: log.clock.now)
    guard change == nil, let between = installed.between else { return (screen, nil) }
    for number in screen.elements.indices {
      screen.elements[number].ends = between.ends(at: screen.elements[number].path)
        .map { MixedEnds(from: $0.from, to: $0.to) }
    }
    return (screen, Underlying(between, offset: installed.offset))
  }

  // MARK: Beginning and ending

  /// Begins a change in place of the running one, whose completion runs last, when all is in place.
  func begin(_ change: AnimatedChange, easing: Easing? = nil) {
    let interrupted = self.change
    if let interrupted { recordCompletion(of: interrupted, completed: false) }
    let fields =
      EventField.list([
        "animation": change.number, "cause": change.cause.rawValue,
        TimelineEvent.duration: change.durationSeconds,
      ]) + (easing.map { EventField.list(["easing": $0.name]) } ?? [])
    let described = change.described(by: elements)
    log.record(.animation) { fields + [EventField("elements", described())] }
    changeCount = change.number + 1
    installed.forgetFrame()
    self.change = change
    interrupted?.completion(false)
    if self.change?.number == change.number { endIfOver(at: change.start) }
  }

  /// Ends the change that runs, if its time is over. Everything stands where the layout says.
  func endIfOver(at time: Instant) {
    guard let ended = change, ended.isOver(at: time) else { return }
    takeOut(completed: true)?(true)
  }

  /// Takes the change that runs away for something else.
  ///
  /// - Returns: Its completion, to be run with `false` when that is in place: it may begin anything. nil
  ///   when nothing was animated.
  @discardableResult
  func takeOut(completed: Bool = false) -> ((Bool) -> Void)? {
    guard let change else { return nil }
    self.change = nil
    installed.forgetFrame()
    recordCompletion(of: change, completed: completed)
    return change.completion
  }

  /// Runs the completions that a gone view leaves.
  func abandon() { change?.completion(false) }

  private func recordCompletion(of change: AnimatedChange, completed: Bool) {
    log.record(.animationCompletion, ["animation": change.number, "completed": completed])
  }
}

/// The elements of an animated change with the motion of each, ready for one frame after the other: nothing is asked
/// or looked up any more.
struct ChangeMixes {
  /// Which elements, in the order in which they are recorded.
  private var elements: ContiguousArray<(item: ItemHandle, indexPath: ItemIndexPath)> = []
  private var poses = PoseMixes()
  /// The motion that each of them keeps, by its place in ``elements``. Empty if none carries anything.
  private var velocities: ContiguousArray<PoseVelocity?> = []
  /// How many of them the layout places. The others come last and are gone at the end.
  private var placedCount = 0

  /// Gathers the elements of a change that stand still in the layout.
  init(
    _ change: AnimatedChange, of shown: [Screen.Element], over layout: any CollectionViewLayout
  ) {
    let isCarrying = !change.velocities.isEmpty
    change.forEachWay(of: shown, over: layout) { way in
      elements.append((way.item, way.path.indexPath))
      poses.append(PoseMix(from: way.start, to: way.end, transforms: change.transforms))
      if isCarrying { velocities.append(way.velocity) }
      if way.isPlaced { placedCount += 1 }
    }
  }

  /// Records the elements as they stand at a time of the change.
  ///
  /// - Complexity: O(number of elements), without allocating for flat transforms.
  func record(_ change: AnimatedChange, at time: Instant, into sink: any TimelineSink) {
    let (fraction, thrown) = (change.fraction(at: time), change.throwLength(at: time))
    let count = change.isOver(at: time) ? placedCount : elements.count
    for number in 0..<count {
      let (item, indexPath) = elements[number]
      if thrown != 0, !velocities.isEmpty, let velocity = velocities[number] {
        let pose = velocity.carrying(poses.pose(of: number, at: fraction), for: thrown)
        sink.record(pose, of: item, at: indexPath)
      } else {
        sink.record(poses.pose(of: number, at: fraction), of: item, at: indexPath)
      }
    }
  }
}
