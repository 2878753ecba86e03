public import TimelineModel

/// One run of a scenario: steps and touches in the order of their times, and every frame to a sink.
public struct ScenarioRun: Sendable {
  /// The session's last instant.
  public var end: Instant
  /// How the last transition ended.
  public var outcome: SessionOutcome
  /// What the engine refused on the way, in order; each is an error event in the recording too.
  public var refusals: [String]

  /// Runs a scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to run.
  ///   - touches: Recorded touches in the order of the recording, in the device's units; times count
  ///     from the first of them.
  ///   - sink: Where everything goes.
  public init(_ scenario: Scenario, touches: [TouchSample] = [], sink: any TimelineSink) {
    let watch = WatchingSink(sink)
    let stage = Stage(scenario, sink: watch)
    stage.perform(touches: touches)
    end = stage.end
    outcome = stage.outcome
    refusals = watch.refusals
  }
}
