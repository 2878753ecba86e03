package import MotionPhysics
package import TimelineModel

/// Lets pictures of the elements of one view travel to where another view has them, whatever the two
/// layouts are (the general design of objc.io issue 12).
///
/// The pictures are taken when the animator is made: everything on the screen of the source, at its pose
/// there. The ends are the poses in the destination's layout. Both are turned into the coordinates of what
/// holds the two views. An element of both views is found by its identity in the data, so that the two may have
/// different data. A picture without a place in the destination fades out. What is on the
/// destination's screen only is left out, unless ``Options/includesArriving`` asks for it.
///
/// Every frame of the source's clock goes to the animator's own sink until ``end()``, or the end of
/// ``animate(to:duration:easing:completion:)``. Keep the animator alive for as long.
package final class SnapshotAnimator {
  /// Where the views lie and which elements take part.
  package struct Options: Hashable, Sendable {
    /// The corner of the source view in the common container, in points.
    package var sourceOrigin = Point2D.zero
    /// The corner of the destination view in the common container, in points.
    package var destinationOrigin = Point2D.zero
    /// Whether elements take part that are on the screen at the end only: they fade in at their places.
    package var includesArriving = false
    /// How transforms are mixed.
    package var transforms = TransformMixing.decomposed

    /// Makes options for two views at one place, without arriving elements.
    package init() {}
  }

  /// One element and its way.
  package struct Participant: Hashable, Sendable {
    package var identity: ElementIdentity
    /// Its place in the numbering of the view that shows it first.
    package var indexPath: ItemIndexPath
    /// Whether it goes from the source to the destination, or is in one of them only.
    package var presence: Presence
    /// Its pose at progress 0, in the coordinates of the common container.
    package var from: Pose
    /// Its pose at progress 1, in the same coordinates.
    package var to: Pose
  }

  /// Which of the two views have an element. The raw values are those of the recording.
  package enum Presence: String, CaseIterable, Sendable {
    /// Both.
    case surviving
    /// The source only.
    case disappearing
    /// The destination's screen only.
    case appearing
  }

  /// The elements that take part: the source's elements in their order, then those that arrive.
  package let participants: [Participant]
  /// How far it is: 0 the source, 1 the destination. No unit. Kept as given.
  package private(set) var progress = 0.0
  /// Whether no more frames come.
  package private(set) var isOver = false
  /// The number of what the clock calls.
  private var listener = 0

  let log: EventLog
  /// The rectangle that holds both views.
  let stage: Rect2D
  let progressKey: KeyHandle
  var items: [ItemHandle] = []
  var ways = PoseMixes()
  var run: Run?

  /// The motion by time.
  struct Run {
    var driver: TimedDriver
    var from: Double
    var to: Double
    var completion: (Bool) -> Void
  }

  /// Takes the pictures, and records frames at progress 0 from now on.
  ///
  /// - Parameters:
  ///   - source: The view that is left, as it is on the screen now.
  ///   - destination: The view that comes, laid out.
  ///   - options: Where they lie and which elements take part.
  ///   - sink: Where the frames go. One of its own, when the views record theirs.
  /// - Complexity: O(number of elements on the screen) times finding an item by its id in the destination,
  ///   where the two data differ.
  package init(
    from source: CollectionView, to destination: CollectionView, options: Options = .init(),
    sink: any TimelineSink
  ) {
    var options = options
    options.sourceOrigin = options.sourceOrigin.asLengths
    options.destinationOrigin = options.destinationOrigin.asLengths
    participants = SnapshotAnimator.participants(from: source, to: destination, options)
    log = EventLog(clock: source.clock, sink: sink)
    stage = Rect2D(origin: options.sourceOrigin, size: source.viewport).union(
      Rect2D(origin: options.destinationOrigin, size: destination.viewport))
    progressKey = sink.keyHandle(for: progressKeyName, role: .progress, unit: "1")
    for participant in participants {
      items.append(sink.itemHandle(for: participant.identity))
      ways.append(
        PoseMix(from: participant.from, to: participant.to, transforms: options.transforms))
    }
    recordStart(
      from: source.collectionViewLayout.name, to: destination.collectionViewLayout.name)
    listener = log.clock.onFrame { [weak self] time in self?.showFrame(at: time) }
  }

  deinit {
    log.clock.removeListener(listener)
    run?.completion(false)
  }

  /// Sets the progress. The next frame shows it. Stops what ``animate(to:duration:easing:completion:)``
  /// began.
  ///
  /// A number that is not finite is refused with a warning event ("non-finite"), and so is any once it is
  /// over ("detached").
  package func setProgress(_ value: Double) {
    guard value.isFinite else {
      log.warn("non-finite", "A progress that is not finite was set. The old one stays.")
      return
    }
    guard !isOver else {
      log.warn("detached", "A progress was set after the end. It moves nothing.")
      return
    }
    stop()
    keep(value, phase: .driving)
  }

  /// Goes on by itself from the present progress. With the frame that arrives it is over.
  ///
  /// - Parameters:
  ///   - target: The progress at the end: 1 the destination, 0 back to the source.
  ///   - duration: How long it takes, in seconds, above 0.
  ///   - easing: The curve that maps elapsed time to progress.
  ///   - completion: Runs exactly once. False when something stopped it before.
  /// - Throws: `badValue` for a target that is not finite or a duration that is not above 0;
  ///   `notInTransition` once it is over. Nothing has changed then.
  package func animate(
    to target: Double = 1, duration: Double, easing: Easing = .linear,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(TransitionError) {
    let seconds = duration.asAnimationSeconds
    guard target.isFinite, seconds > 0 else {
      throw log.refused(
        .badValue,
        "Snapshots were to go to progress \(target) in \(duration) s. Give a finite progress and a "
          + "duration above 0.")
    }
    guard !isOver else {
      throw log.refused(
        .notInTransition, "Snapshots were to move after their end. Make a new animator.")
    }
    recordRun(to: target, seconds: seconds, easing: easing)
    let stopped = run
    run = Run(
      driver: TimedDriver(start: log.clock.now, durationSeconds: seconds, easing: easing),
      from: progress, to: target, completion: completion)
    stopped?.completion(false)
  }

  /// Takes the pictures away: no more frames come. Everything that time drives is stopped.
  package func end() {
    guard !isOver else { return }
    isOver = true
    recordEnd(completed: false)
    stop()
  }

  private func stop(completed: Bool = false) {
    let stopped = run
    run = nil
    stopped?.completion(completed)
  }

  func keep(_ value: Double, phase: MotionPhase) {
    guard value != progress else { return }
    progress = value
    log.sink.record(value, for: progressKey, at: log.clock.now, phase: phase)
  }

  /// Marks it as over, with everything arrived.
  func arrive() {
    isOver = true
    recordEnd(completed: true)
    stop(completed: true)
  }
}

/// Pictures are moved in place. Use them, and the clock, from one thread at a time.
@available(*, unavailable)
extension SnapshotAnimator: Sendable {}

extension SnapshotAnimator {
  /// Shows one frame: moves on everything that time drives, and records all poses.
  func showFrame(at time: Instant) {
    guard !isOver else { return }
    let isTimed = run != nil
    var hasArrived = false
    if let run {
      let fraction = run.driver.fraction(at: time)
      hasArrived = fraction >= 1
      keep(
        hasArrived ? run.to : lerp(run.from, run.to, run.driver.easing.value(at: fraction)),
        phase: .settling)
    }
    log.sink.beginFrame(
      FrameState(
        time: time, phase: isTimed ? .settling : .driving, progress: progress,
        contentOffset: stage.origin, contentSize: stage.size))
    for (number, participant) in participants.enumerated() {
      log.sink.record(
        ways.pose(of: number, at: progress), of: items[number], at: participant.indexPath)
    }
    log.sink.endFrame()
    if hasArrived { arrive() }
  }

  func recordStart(from: String, to: String) {
    log.record(
      .animation,
      [
        "animation": 0, "cause": "snapshot", "from": from, "to": to,
        "elements": FieldValue.list(
          participants.map { participant in
            .object(named: [
              "id": participant.identity.id, "kind": participant.identity.category.rawValue,
              "reason": participant.presence.rawValue,
            ])
          }),
      ])
  }

  func recordRun(to target: Double, seconds: Double, easing: Easing) {
    log.record(
      .settle,
      ["animation": 0, "to": target, "type": easing.name, TimelineEvent.settleTime: seconds])
  }

  func recordEnd(completed: Bool) {
    log.record(.animationCompletion, ["animation": 0, "completed": completed])
  }
}

extension SnapshotAnimator {
  /// The pictures of what is on the source's screen, each with its end, then those of what arrives.
  static func participants(
    from source: CollectionView, to destination: CollectionView, _ options: Options
  ) -> [Participant] {
    let screen = source.screen()
    let sourceShift = options.sourceOrigin - screen.offset
    let destinationShift = options.destinationOrigin - destination.contentOffset
    var known: Set<ElementIdentity> = []
    var result: [Participant] = []
    for element in screen.elements {
      guard let identity = source.identity(of: element) else { continue }
      known.insert(identity)
      let start = element.pose.moved(by: sourceShift)
      let end = destination.placement(of: identity, like: element.path, in: source.elements.data)?
        .moved(by: destinationShift)
      result.append(
        Participant(
          identity: identity, indexPath: element.path.indexPath,
          presence: end == nil ? .disappearing : .surviving, from: start, to: end ?? start.faded))
    }
    guard options.includesArriving else { return result }
    for element in destination.screen().elements where element.isPlaced {
      guard let identity = destination.identity(of: element), !known.contains(identity) else {
        continue
      }
      let end = element.pose.moved(by: destinationShift)
      result.append(
        Participant(
          identity: identity, indexPath: element.path.indexPath, presence: .appearing,
          from: end.faded, to: end))
    }
    return result
  }
}

extension CollectionView {
  fileprivate func identity(of element: Screen.Element) -> ElementIdentity? {
    element.isPlaced
      ? elements.data.identity(of: element.path) : elements.identity(of: element.item)
  }

  /// Where the layout puts an element that another view shows at a path. `nil` where the data or the layout
  /// does not have it.
  fileprivate func placement(
    of identity: ElementIdentity, like path: ElementPath, in data: CollectionData
  ) -> Pose? {
    var path = path
    if elements.data.identity(of: path) != identity {
      if path.category == .cell {
        guard let found = elements.data.indexPath(ofItem: identity.id) else { return nil }
        path.indexPath = found
      } else {
        guard data.sections.indices.contains(path.indexPath.section) else { return nil }
        let id = data.sections[path.indexPath.section].id
        guard let section = elements.data.sections.firstIndex(where: { $0.id == id }) else {
          return nil
        }
        path.indexPath.section = section
      }
    }
    layoutIfNeeded()
    return collectionViewLayout.finitePose(at: path)
  }
}

extension Pose {
  fileprivate func moved(by shift: Point2D) -> Pose {
    var moved = self
    moved.center.x += shift.x
    moved.center.y += shift.y
    return moved
  }
}

extension Point2D {
  fileprivate static func - (left: Point2D, right: Point2D) -> Point2D {
    Point2D(x: left.x - right.x, y: left.y - right.y)
  }
}
