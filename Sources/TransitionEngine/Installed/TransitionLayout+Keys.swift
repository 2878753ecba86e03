public import TimelineModel

extension TransitionLayout {
  /// The keys that have a value, in the order in which they were first named.
  public final var animatedKeys: [String] { keys.filter { $0.value != nil }.map(\.name) }

  /// Whether a key was ever set.
  public final func hasValue(forAnimatedKey key: String) -> Bool {
    keyNumbers[key].map { keys[$0].value != nil } ?? false
  }

  /// Every value that was set for a key, in the order of the calls. The settle's values are not among them.
  public final func history(forAnimatedKey key: String) -> [Sample] {
    keyNumbers[key].map { keys[$0].history } ?? []
  }

  /// Sets the values at which a key settles, in its unit. Without a call both targets are 0, and nil leaves a
  /// target as it is. You may call it before the key has a value. It takes back ``freeze(animatedKey:)``. A
  /// target that is not finite is refused with a warning.
  public final func setTargets(
    finish: Double? = nil, cancel: Double? = nil, forAnimatedKey key: String
  ) {
    guard finish?.isFinite ?? true, cancel?.isFinite ?? true else {
      link?.log.warn("non-finite", "A target of key \(key) is not finite. The old targets stay.")
      return
    }
    let number = number(ofKey: key)
    keys[number].finishTarget = finish ?? keys[number].finishTarget
    keys[number].cancelTarget = cancel ?? keys[number].cancelTarget
    keys[number].isFrozen = false
  }

  /// Lets a key keep its last value when the transition is released, instead of settling.
  public final func freeze(animatedKey key: String) {
    keys[number(ofKey: key)].isFrozen = true
  }

  /// Sets a key's unit for the recording: "pt", or "1" for none. Call it before the key's first value.
  public final func setUnit(_ unit: String, forAnimatedKey key: String) {
    keys[number(ofKey: key)].unit = unit
  }

  /// The effect of a new value on ``transitionProgress``.
  final func setProgress(_ value: Double) {
    guard accepts(value, what: "A progress") else { return }
    if let link, !link.isAdvancing, link.isTimed {
      link.log.warn(
        "timed", "A progress was set while the transition runs by its time. Nothing moved.")
      return
    }
    let old = progress
    progress = value
    time = nil
    if link?.isTrying == true { return }
    defer { progressWasSet(from: old) }
    guard let link else {
      progressHistory = [Sample(time: .zero, value: value)]
      return
    }
    if link.phase == .driving {
      progressHistory.append(Sample(time: link.now, value: value))
    }
    link.log.sink.record(value, for: link.progressKey, at: link.now, phase: link.phase)
  }

  /// Tells of a progress that differs from the one before. A value that is set by an observer is not the
  /// view's own doing.
  private func progressWasSet(from old: Double) {
    guard progress != old else { return }
    previousProgress = old
    let isAdvancing = link?.isAdvancing ?? false
    link?.isAdvancing = false
    progressChanged?(progress)
    link?.isAdvancing = isAdvancing
  }

  /// The effect of ``updateValue(_:forAnimatedKey:)``.
  final func setValue(_ value: Double, forAnimatedKey key: String) {
    guard accepts(value, what: "A value of key \(key)") else { return }
    let number = number(ofKey: key)
    keys[number].value = value
    keys[number].coast = nil
    if link?.phase != .settling {
      keys[number].history.append(Sample(time: link?.now ?? .zero, value: value))
    }
    record(number)
  }

  /// Sets the values of one settle frame: the keys first, then the progress.
  final func advance(keys values: [(number: Int, value: Double)], progress: Double) {
    link?.isAdvancing = true
    for (number, value) in values {
      keys[number].value = value
      record(number)
    }
    transitionProgress = progress
    link?.isAdvancing = false
  }

  /// Moves the keys on that go on by themselves. Nobody drives them, so their values are a settle's: they
  /// have no say in a velocity, neither now nor when it is computed again from the recording.
  final func advanceCoasting(at time: Instant) -> Bool {
    var moved = false
    for number in keys.indices {
      guard let coast = keys[number].coast else { continue }
      let value = coast.value(at: time)
      if value == keys[number].value { continue }
      keys[number].value = value
      record(number, phase: .settling)
      moved = true
    }
    return moved
  }

  /// Takes keys over from the transition before, but for those that have a value here already.
  final func inherit(_ carried: [AnimatedKey]) {
    for key in carried where !hasValue(forAnimatedKey: key.name) {
      keys[number(ofKey: key.name)] = key
    }
  }

  /// The sign of a misspelt key in a layout that reads keys: one that was set and never read, or read
  /// and never set. A layout that reads none only records them.
  final var keyWarnings: [LayoutWarning] {
    guard !readKeys.isEmpty else { return [] }
    let unread = keys.filter { $0.value != nil && !readKeys.contains($0.name) }.map {
      LayoutWarning(
        code: "key-never-read",
        message: "Key \($0.name) was set, but \(name) never read it. Is the name right?")
    }
    let unset = readKeys.filter { !hasValue(forAnimatedKey: $0) }.map {
      LayoutWarning(
        code: "key-never-set",
        message: "Key \($0) was read by \(name), but never set. It counted as 0.")
    }
    return unread + unset
  }

  /// Lets its layouts bring the paths of items up to date that they keep.
  final func follow(_ plan: UpdatePlan) {
    (currentLayout as? any ItemFollowing)?.follow(plan)
    (nextLayout as? any ItemFollowing)?.follow(plan)
  }

  /// Ties the layout to a view. Values that were set before are as if set now.
  final func attach(_ link: TransitionLink) {
    self.link = link
    let now = link.now
    for number in keys.indices {
      guard let value = keys[number].value else { continue }
      keys[number].history = [Sample(time: now, value: value)]
      record(number)
    }
    guard !progressHistory.isEmpty else { return }
    progressHistory = [Sample(time: now, value: progress)]
    link.log.sink.record(progress, for: link.progressKey, at: now, phase: link.phase)
  }

  private func record(_ number: Int, phase: MotionPhase? = nil) {
    guard let link, !link.isTrying, let value = keys[number].value else { return }
    let handle =
      keys[number].handle
      ?? link.log.sink.keyHandle(for: keys[number].name, role: .animated, unit: keys[number].unit)
    keys[number].handle = handle
    link.log.sink.record(value, for: handle, at: link.now, phase: phase ?? link.phase)
  }

  private func number(ofKey key: String) -> Int {
    if let number = keyNumbers[key] { return number }
    keyNumbers[key] = keys.count
    keys.append(AnimatedKey(name: key))
    return keys.count - 1
  }

  private func accepts(_ value: Double, what: String) -> Bool {
    if link?.isDetached == true {
      link?.log.warn("detached", "\(what) was set after the transition was over. Nothing moved.")
      return false
    }
    if let link, link.phase == .settling, !link.isAdvancing {
      link.log.warn(
        "settling", "\(what) was set while the transition settles by itself. Nothing moved.")
      return false
    }
    guard value.isFinite else {
      link?.log.warn("non-finite", "\(what) that is not finite was set. The old one stays.")
      return false
    }
    return true
  }
}

/// Ties a transition layout to the view that it is installed in, and says which values may be set on it.
final class TransitionLink {
  let log: EventLog
  let progressKey: KeyHandle
  weak var installed: InstalledLayout?
  var phase = MotionPhase.driving
  /// Whether the time alone drives it.
  var isTimed = false
  /// Whether the view itself is setting the settle's values just now.
  var isAdvancing = false
  /// Whether values are set only to look at the poses that they make, and are not recorded.
  var isTrying = false
  /// Whether the transition is over and the layout no longer installed.
  var isDetached = false

  init(installed: InstalledLayout, log: EventLog, progressKey: KeyHandle) {
    self.installed = installed
    self.log = log
    self.progressKey = progressKey
  }

  var now: Instant { log.clock.now }
}
