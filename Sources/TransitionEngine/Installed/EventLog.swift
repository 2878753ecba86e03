import TimelineModel

/// Records the acts of a view and its parts, at the clock's present: events, warnings, refusals, calls of hooks.
final class EventLog {
  let clock: DisplayClock
  let sink: any TimelineSink
  /// Whether every call of a layout's hooks is an event.
  var tracesLayoutCalls = false
  /// The warnings that a session gets only once.
  private var warned: Set<LayoutWarning> = []

  init(clock: DisplayClock, sink: any TimelineSink) {
    self.clock = clock
    self.sink = sink
  }

  func record(_ kind: TimelineEvent.Kind, _ fields: [EventField]) {
    sink.record(TimelineEvent(time: clock.now, kind: kind, fields: fields))
  }

  func record(_ kind: TimelineEvent.Kind, _ fields: KeyValuePairs<String, any FieldConvertible>) {
    record(kind, EventField.list(fields))
  }

  /// Records an event of many fields, which are made when the sink reads them.
  func record(_ kind: TimelineEvent.Kind, _ fields: @escaping @Sendable () -> [EventField]) {
    sink.record(TimelineEvent(time: clock.now, kind: kind, fields: fields))
  }

  func warn(_ code: String, _ message: String) {
    record(.warning, ["code": code, "message": message])
  }

  /// Records the doubts of a layout, each once in a session.
  func warnOnce(_ warnings: [LayoutWarning]) {
    for warning in warnings where warned.insert(warning).inserted {
      warn(warning.code, warning.message)
    }
  }

  /// Records an error event. Returns the error for the caller to throw.
  func refused(_ code: TransitionError.Code, _ message: String) -> TransitionError {
    record(.error, ["code": code.rawValue, "message": message])
    return TransitionError(code, message)
  }

  func recordRefusal(_ error: UpdateError) {
    record(
      .error,
      [
        "code": error.code.rawValue, "message": error.message, "indexPaths": error.indexPaths,
        "sections": error.sections,
      ])
  }
}

/// The calls of a layout's hooks, each with an event before it where they are traced.
extension EventLog {
  func callPrepareForTransition(_ old: any CollectionViewLayout, _ next: any CollectionViewLayout) {
    recordCall("prepareForTransition(to:)", of: old)
    old.prepareForTransition(to: next)
    recordCall("prepareForTransition(from:)", of: next)
    next.prepareForTransition(from: old)
  }

  func callFinalizeTransition(_ old: any CollectionViewLayout, _ next: any CollectionViewLayout) {
    for layout in [old, next] {
      recordCall("finalizeLayoutTransition", of: layout)
      layout.finalizeLayoutTransition()
    }
  }

  func recordCall(
    _ call: String, of layout: any CollectionViewLayout, at path: ElementPath? = nil
  ) {
    guard tracesLayoutCalls else { return }
    record(
      .layoutCall,
      EventField.list(["call": call, "layout": layout.name])
        + (path.map {
          EventField.list(["kind": $0.category.rawValue, "indexPath": $0.indexPath])
        } ?? []))
  }
}
