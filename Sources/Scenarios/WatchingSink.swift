import TimelineModel

/// Hands everything on to another sink, and remembers what the engine refused.
final class WatchingSink: TimelineSink {
  private let sink: any TimelineSink
  /// The messages of error events, in order.
  private(set) var refusals: [String] = []

  init(_ sink: any TimelineSink) {
    self.sink = sink
  }

  func record(_ event: Event) {
    sink.record(event)
    guard event.kind == .error else { return }
    for field in event.fields where field.name == "message" {
      if case .text(let message) = field.value { refusals.append(message) }
    }
  }

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    sink.keyHandle(for: name, role: role, unit: unit)
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle { sink.itemHandle(for: identity) }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: Phase) {
    sink.record(value, for: key, at: time, phase: phase)
  }

  func beginFrame(_ state: FrameState) { sink.beginFrame(state) }

  func record(_ pose: Pose, of item: ItemHandle, at indexPath: IndexPath) {
    sink.record(pose, of: item, at: indexPath)
  }

  func endFrame() { sink.endFrame() }

  func record(_ touch: TouchSample) { sink.record(touch) }

  func record(_ decision: ReleaseDecision) { sink.record(decision) }

  func record(_ estimate: ReleaseEstimate) { sink.record(estimate) }
}

/// Not Sendable: it watches one run, on the thread of that run.
@available(*, unavailable)
extension WatchingSink: Sendable {}
