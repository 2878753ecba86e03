import TimelineModel

/// Records what a view and its parts do, at the clock's present: events, warnings, refusals, calls of hooks.
final class EventLog {
  let clock: DisplayClock
  let sink: any TimelineSink
  /// Whether every call of a layout's hooks is an event.
  var tracesLayoutCalls = false
  /// What was warned of that is said once in a session.
  private var warned: Set<LayoutWarning> = []

  init(clock: DisplayClock, sink: any TimelineSink) {
    self.clock = clock
    self.sink = sink
  }

  func record(_ kind: TimelineEvent.Kind, _ fields: [EventField]) {
    sink.record(TimelineEvent(time: clock.now, kind: kind, fields: fields))
  }

  func warn(_ code: String, _ message: String) {
    record(.warning, [EventField("code", .text(code)), EventField("message", .text(message))])
  }

  /// Records what a layout found doubtful, each thing once in a session.
  func warnOnce(_ warnings: [LayoutWarning]) {
    for warning in warnings where warned.insert(warning).inserted {
      warn(warning.code, warning.message)
    }
  }

  /// Records an error event; returns the error for the caller to throw.
  func refused(_ code: TransitionError.Code, _ message: String) -> TransitionError {
    record(
      .error, [EventField("code", .text(code.rawValue)), EventField("message", .text(message))])
    return TransitionError(code, message)
  }

  /// Records that an update was refused.
  func recordRefusal(_ error: UpdateError) {
    record(
      .error,
      [
        EventField("code", .text(error.code.rawValue)), EventField("message", .text(error.message)),
        EventField("indexPaths", .list(error.indexPaths.map { FieldValue($0) })),
        EventField("sections", .list(error.sections.map { .integer(Int64($0)) })),
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
    var fields = [EventField("call", .text(call)), EventField("layout", .text(layout.name))]
    if let path {
      fields.append(EventField("kind", .text(path.category.rawValue)))
      fields.append(EventField("indexPath", FieldValue(path.indexPath)))
    }
    record(.layoutCall, fields)
  }
}
