package import TimelineModel

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
