package import MotionPhysics
package import TimelineModel

/// The calls of a user interface while something moves, in whatever order it calls, as a timeline.
///
/// Times are instants of the session. A host that counts seconds calls the same functions with these
/// (`HostTimeline+Seconds.swift`). No call throws or ends the program: a wrong call becomes an event `error` or `warning`
/// with a code and a sentence.
///
/// | code | kind | what happened |
/// |---|---|---|
/// | not-in-transition | error | finish or cancel was asked for, and nothing was started |
/// | released-twice | error | finish or cancel was asked for a second time |
/// | start-during-transition | warning | a transition began before the last one was over, which is closed |
/// | completed-twice | warning | a completion ran outside of its transition |
/// | not-released | warning | a transition ended, and neither finish nor cancel came through this recording |
/// | detached | warning | a progress was set outside of a transition |
/// | not-invalidated | warning | a progress was set, and for two frames no layout was prepared with it |
///
/// It is used from one thread: that of the interface. A call takes constant time, but for a frame, which is
/// linear in its elements, and a release, which is linear in the values of the last minute.
package final class HostTimeline {
  /// Where everything goes.
  let sink: any TimelineSink
  /// How a host's seconds become session times.
  let clock: HostClock
  /// How velocities at a release are estimated: as a reader of the recording estimates them.
  let parameters: ReleaseParameters
  /// How many points progress 1 stands for where the rule does not say. `nil`: not known.
  let distance: Double?

  /// The rule that the app decides by. Releases have a decision row as long as there is one, and are derived by
  /// whoever reads the recording otherwise.
  package var rule: ReleaseRule?
  package private(set) var phase = MotionPhase.idle
  /// How the session stands.
  package private(set) var outcome = SessionOutcome.none
  /// The latest instant of any call.
  package internal(set) var end = Instant.zero

  /// The number of the transition under way, or of the last one. -1 before the first.
  private var transition = -1
  /// When the transition began.
  private var start = Instant.zero
  private var progress: Double?
  /// The phase that the last frame was shown in.
  private var shownPhase = MotionPhase.idle
  /// Whether somebody says when the transition is released. A plain animation is not.
  private var expectsRelease = true
  var keys = TrackedKeys()
  var contacts = ContactLog()
  var screen = ScreenLog()
  /// The release without a date.
  var pending: PendingRelease?
  /// When a host that decides by itself was let go, and the progress then, until it says how it decided.
  private var undecided: (time: Instant, progress: Double?)?
  /// The latest release, which the samples of the next one come after.
  var released = Instant(nanoseconds: .min)

  /// Makes a timeline with nothing under way.
  ///
  /// - Parameters:
  ///   - sink: Where everything goes.
  ///   - clock: How a host's seconds become session times. Unused if it calls with instants.
  ///   - parameters: Estimator and window. A reader takes the defaults for a session that names none.
  ///   - distance: How many points progress 1 stands for where a rule does not say.
  package init(
    sink: any TimelineSink, clock: HostClock = HostClock(origin: 0),
    parameters: ReleaseParameters = ReleaseParameters(),
    distance: Double? = nil
  ) {
    (self.sink, self.clock) = (sink, clock)
    (self.parameters, self.distance) = (parameters, distance)
  }
}

/// Belongs to the thread that the interface runs on.
@available(*, unavailable)
extension HostTimeline: Sendable {}

extension HostTimeline {
  // MARK: Transitions

  /// A transition begins. One that is still under way is closed first, with a warning.
  ///
  /// - Parameters:
  ///   - from: The name of its start.
  ///   - to: The name of its destination.
  ///   - time: When.
  ///   - expectsRelease: Whether ``release(finish:at:)`` is called before it completes.
  /// - Returns: Its number, for its completion.
  @discardableResult package func start(
    from: String, to: String, at time: Instant, expectsRelease: Bool = true
  ) -> Int {
    if phase != .idle {
      warn(
        "start-during-transition", "A transition began before the last one was over.", at: time)
      complete(completed: false, finished: false, at: time)
    }
    resolve(isLast: true)
    transition += 1
    start = time
    (phase, outcome, progress) = (.driving, .open, nil)
    self.expectsRelease = expectsRelease
    keys.settledFrom = nil
    contacts.forget(before: start)
    screen.begin()
    note(.start, ["transition": transition, "from": from, "to": to], at: time)
    return transition
  }

  /// The progress was set, or read back. Kept where its bits differ from those before.
  package func setProgress(_ value: Double, at time: Instant) {
    guard phase != .idle else {
      return warn("detached", "A progress was set outside of a transition.", at: time)
    }
    guard progress?.bitPattern != value.bitPattern else { return }
    progress = value
    keep(
      value,
      keys.progress {
        sink.keyHandle(for: progressKeyName, role: .progress, unit: "1")
      }, at: time)
  }

  /// A keyed value was set, or read back. Kept where its bits differ from those before.
  package func setValue(
    _ value: Double, forKey name: String, unit: String = "pt", at time: Instant
  ) {
    // By whatever door it comes in, a recorder takes the name for the progress.
    if name == progressKeyName { return setProgress(value, at: time) }
    let index = keys.animated(name, unit: unit) {
      sink.keyHandle(for: name, role: .animated, unit: unit)
    }
    guard keys.all[index].last?.bitPattern != value.bitPattern else { return }
    keep(value, index, at: time)
  }

  /// The keys that were set, in the order of their first setting, for reading them back while the rest runs by
  /// itself.
  package var animatedKeys: [String] { keys.animatedNames }

  /// Finish or cancel is about to be asked for. Call it before the host is: a call that it refuses may end the program.
  ///
  /// Which of several recognizers learns of a lift first is not documented, so the app may ask before the lift has
  /// come here. The release is dated when the next frame is shown.
  ///
  /// - Parameters:
  ///   - finish: nil: the host decides by itself, and its completion says how. Finish or cancel is then recorded, with
  ///     this time, when the completion comes.
  ///   - time: When.
  package func release(finish: Bool?, at time: Instant) {
    guard phase == .driving else {
      let isTwice = phase == .settling
      return note(
        .error,
        [
          "code": isTwice ? "released-twice" : "not-in-transition",
          "message": isTwice
            ? "Finish or cancel was asked for a second time."
            : "Finish or cancel was asked for without a start.",
        ], at: time)
    }
    phase = .settling
    guard let finish else {
      undecided = (time, progress)
      end = max(end, time)
      return
    }
    decide(finish: finish, at: time, progress)
  }

  /// Finish or cancel was asked for at this time and progress.
  private func decide(finish: Bool, at time: Instant, _ progress: Double?) {
    pending = PendingRelease(
      transition: transition, outcome: finish ? .finish : .cancel, asked: time,
      start: start, progress: progress, rule: rule)
    note(finish ? .finish : .cancel, ["transition": transition, "progress": progress], at: time)
    outcome = finish ? .finished : .cancelled
  }

  /// The host's completion ran. Of a transition that another one has closed it ends nothing.
  ///
  /// - Parameters:
  ///   - number: Whose completion, as ``start(from:to:at:expectsRelease:)`` returned it. `nil`: the one under way.
  ///   - completed: Whether it ran to its end.
  ///   - finished: Whether the new layout stays.
  ///   - time: When.
  /// - Returns: Whether a transition ended.
  @discardableResult package func complete(
    _ number: Int? = nil, completed: Bool, finished: Bool, at time: Instant
  ) -> Bool {
    guard phase != .idle, number ?? transition == transition else {
      warn("completed-twice", "A completion ran outside of its transition.", at: time)
      return false
    }
    // A transition that another one closes was decided by nobody.
    if let undecided, completed {
      decide(finish: finished, at: undecided.time, undecided.progress)
    }
    undecided = nil
    resolve(isLast: true)
    if phase == .driving {
      outcome = finished ? .finished : .cancelled
      if expectsRelease, completed {
        warn(
          "not-released", "The transition ended, and neither finish nor cancel was recorded.",
          at: time)
      }
    }
    phase = .idle
    note(
      .completion, ["transition": transition, "completed": completed, "finished": finished],
      at: time)
    return true
  }

  /// Nothing more comes: all that waited for the rest of the transition is recorded.
  ///
  /// - Returns: The latest instant and how the session stands, for the recorder's end.
  package func close() -> (end: Instant, outcome: SessionOutcome) {
    resolve(isLast: true)
    return (end, outcome)
  }

  // MARK: Contacts and notes

  /// One report of a contact. None that the system computed ahead. A contact that was down before its first report
  /// begins with it.
  ///
  /// - Parameters:
  ///   - contact: Any number that stands for the contact as long as it is down.
  ///   - phase: Landed, moved, lifted or taken away.
  ///   - position: In points. A lift at a place that is not finite keeps the last place, any other report of one is
  ///     left out.
  ///   - time: When.
  package func touch(
    _ contact: Int64, _ phase: TouchPhase, _ position: Point2D, at time: Instant
  ) {
    for sample in contacts.take(contact, phase, position, time) { sink.record(sample) }
    // A lifted contact matters to a release alone.
    if self.phase == .idle, pending == nil { contacts.forget(before: time) }
    end = max(end, time)
  }

  /// An event of the host's or the app's.
  package func note(_ kind: TimelineEvent.Kind, _ fields: [EventField], at time: Instant) {
    end = max(end, time)
    sink.record(TimelineEvent(time: time, kind: kind, fields: fields))
  }

  /// An event of named values.
  private func note(
    _ kind: TimelineEvent.Kind, _ fields: KeyValuePairs<String, any FieldConvertible>,
    at time: Instant
  ) {
    note(kind, EventField.list(fields), at: time)
  }

  // MARK: Frames

  /// The layout that was made is on the screen at this time. Without a layout pass since the frame before, the
  /// elements stay where they were.
  ///
  /// - Parameters:
  ///   - time: When it is shown.
  ///   - next: When the next one is expected. `nil`: not known. The distance is kept as the key `display.interval` where it differs by
  ///     more than a sixteenth: a display that changes its rate misses no frame.
  ///   - offset: The content's offset, in points.
  ///   - size: The content's size, in points.
  package func showFrame(
    at time: Instant, next: Instant?, offset: Point2D = .zero, size: Size2D = .zero
  ) {
    showFrame(at: time, interval: next?.seconds(since: time), offset: offset, size: size)
  }

  /// The same with the distance to the next frame in seconds.
  func showFrame(at time: Instant, interval: Double?, offset: Point2D, size: Size2D) {
    resolve(isLast: false)
    if let interval, let interval = screen.newInterval(interval) {
      record(
        interval, for: sink.keyHandle(for: "display.interval", role: .custom, unit: "s"), at: time)
    }
    if phase == .driving, screen.isStale(progress) {
      warn(
        "not-invalidated", "The progress was set, and the layout was not invalidated.", at: time)
    }
    sink.beginFrame(
      FrameState(
        time: time, phase: phase, progress: phase == .idle ? nil : screen.progress ?? progress,
        contentOffset: offset, contentSize: size))
    let sink = sink
    screen.layout.forEach(numbering: sink.itemHandle) { sink.record($1.pose, of: $0, at: $1.path) }
    screen.views.forEach(numbering: sink.itemHandle) { sink.record($1.pose, of: $0, at: $1.path) }
    sink.endFrame()
    shownPhase = phase
    end = max(end, time)
  }

  /// Whether a frame is to be shown: something is under way, or no frame has shown yet that it is over. Without that
  /// one the time until the next transition would look like a frame that was missed.
  package var needsFrame: Bool { phase != .idle || shownPhase != .idle }

  /// The layout was prepared again with this progress: the layout before does not count any more.
  package func prepared(progress: Double?) { screen.prepare(progress: progress) }

  /// The layout placed an element. Asked again without a prepare in between, elements add up.
  package func place(_ identity: ElementIdentity, at path: ItemIndexPath, _ pose: Pose) {
    screen.layout.set(identity, (path, pose))
  }

  /// A view that is watched was seen there. `nil`: it is nowhere.
  package func see(_ identity: ElementIdentity, _ pose: Pose?) {
    screen.views.set(identity, pose.map { (ItemIndexPath(section: 0, item: 0), $0) })
  }

  // MARK: Together

  private func warn(_ code: String, _ message: String, at time: Instant) {
    note(.warning, ["code": code, "message": message], at: time)
  }

  private func keep(_ value: Double, _ index: Int, at time: Instant) {
    let isReleased = pending != nil || undecided != nil
    keys.take(Sample(time: time, value: value), index, phase, prunes: !isReleased)
    record(value, for: keys.all[index].handle, at: time)
  }

  private func record(_ value: Double, for key: KeyHandle, at time: Instant) {
    end = max(end, time)
    sink.record(value, for: key, at: time, phase: phase)
  }
}

// The calls of a host that counts seconds since its start-up, as display links and touches have them. A time that is
// not finite counts as the latest instant so far.

extension HostTimeline {
  /// A transition begins.
  @discardableResult package func start(
    from: String, to: String, at seconds: Double, expectsRelease: Bool = true
  ) -> Int {
    start(from: from, to: to, at: instant(seconds), expectsRelease: expectsRelease)
  }

  /// The progress was set, or read back.
  package func setProgress(_ value: Double, at seconds: Double) {
    setProgress(value, at: instant(seconds))
  }

  /// A keyed value was set, or read back.
  package func setValue(
    _ value: Double, forKey name: String, unit: String = "pt", at seconds: Double
  ) {
    setValue(value, forKey: name, unit: unit, at: instant(seconds))
  }

  /// Finish or cancel is about to be asked for. `nil`: the host decides by itself.
  package func release(finish: Bool?, at seconds: Double) {
    release(finish: finish, at: instant(seconds))
  }

  /// The host's completion ran.
  @discardableResult package func complete(
    _ number: Int? = nil, completed: Bool, finished: Bool, at seconds: Double
  ) -> Bool {
    complete(number, completed: completed, finished: finished, at: instant(seconds))
  }

  /// One report of the contact that an object stands for as long as it is down.
  package func touch(
    _ object: ObjectIdentifier, _ phase: TouchPhase, _ position: Point2D, at seconds: Double
  ) {
    touch(Int64(Int(bitPattern: object)), phase, position, at: instant(seconds))
  }

  /// An event of the host's or the app's.
  package func note(_ kind: TimelineEvent.Kind, _ fields: [EventField], at seconds: Double) {
    note(kind, fields, at: instant(seconds))
  }

  /// The layout that was made is on the screen. A frame at a time that is not finite is left out.
  package func showFrame(
    at seconds: Double, next: Double, offset: Point2D = .zero, size: Size2D = .zero
  ) {
    guard let time = clock.instant(seconds) else { return }
    showFrame(at: time, interval: next - seconds, offset: offset, size: size)
  }

  private func instant(_ seconds: Double) -> Instant { clock.instant(seconds) ?? end }
}
