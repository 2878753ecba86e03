public import TimelineModel

/// One run of a scenario: steps and touches in the order of their times, and every frame to a sink.
public struct ScenarioRun: Sendable {
  /// The session's last instant.
  public var end: Instant
  /// How the last transition ended.
  public var outcome: SessionOutcome
  /// The refusals of the engine during the run, in order. Each is an error event in the recording too.
  public var refusals: [String]

  /// Runs a scenario on the engine, and records everything that happens.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - touches: Recorded touches in the order of the recording, in the device's units. Times count
  ///     from the first of them.
  ///   - sink: Records every event, frame and sample of the run.
  /// - Returns: The end of the run and its result.
  public static func perform(
    _ scenario: Scenario, touches: [TouchSample] = [], into sink: any TimelineSink
  ) -> ScenarioRun {
    let watch = WatchingSink(sink)
    let stage = Stage(scenario, sink: watch)
    stage.perform(touches: touches)
    return ScenarioRun(end: stage.end, outcome: stage.outcome, refusals: watch.refusals)
  }
}

/// Hands everything on to another sink, and remembers the refusals of the engine.
final class WatchingSink: TimelineSink {
  private let sink: any TimelineSink
  /// The messages of error events, in order.
  private(set) var refusals: [String] = []

  init(_ sink: any TimelineSink) {
    self.sink = sink
  }

  func record(_ event: TimelineEvent) {
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

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    sink.record(value, for: key, at: time, phase: phase)
  }

  func beginFrame(_ state: FrameState) { sink.beginFrame(state) }

  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
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
