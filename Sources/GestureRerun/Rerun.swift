import MotionPhysics
package import TimelineModel
import TimelineStore
import TransitionScenarios

/// A session that is run again, with changes or without.
package struct Rerun {
  /// How a run went.
  package struct Result: Sendable, Hashable {
    /// The session's last instant.
    package var end: Instant
    /// What the engine refused, in order.
    package var refusals: [String] = []
    /// What was left out, a sentence each.
    package var leftOut: [String] = []
  }

  enum Plan {
    case scenario(Scenario, text: String)
    case releases(ReleaseRerun, MotionParameters)
  }

  let source: RerunSource
  let plan: Plan
  let origin: SessionOrigin

  /// What a recording of it says of itself before its first value. Without uuid and start.
  ///
  /// - Parameter software: The program that records, with its version.
  package func description(software: String) -> SessionDescription {
    let recorded = source.session.description
    var description: SessionDescription
    switch plan {
    case .scenario(let scenario, let text):
      description = scenario.sessionDescription(software: software, text: text)
      description.name = recorded.name
      description.gestureSource = recorded.gestureSource
      description.device = recorded.device
    case .releases(_, let parameters):
      description = recorded
      (description.uuid, description.wallClockStartNanoseconds) = (nil, nil)
      description.software = software
      // It says how the touches were mapped, but no longer how all of this came about.
      if origin.changes.isEmpty == false { description.scenario = nil }
      if recorded.settle != nil || parameters.settle != source.parameters.settle {
        description.settle = FieldValue.object(parameters.settle.fields).json
      }
      if recorded.release != nil || parameters.release != source.parameters.release {
        description.release = FieldValue.object(parameters.release.fields).json
      }
    }
    description.redaction = recorded.redaction
    description.origin = origin
    return description
  }

  /// Runs it.
  ///
  /// - Parameter sink: Where everything goes. A recorder of a session that ``description(software:)`` describes.
  /// - Throws: `StoreError` when the recording cannot be read.
  package func run(into sink: any TimelineSink) throws -> Result {
    switch plan {
    case .scenario(let scenario, _):
      // What was wrong with the file of touches stands before the run.
      let events = try source.reader.events(in: source.session.number)
      while let event = try events.next() {
        guard event.time == .zero, event.kind == .warning,
          event.fields["code"] == .text("gestureLoss")
        else { break }
        sink.record(event.event)
      }
      let run = ScenarioRun.perform(scenario, touches: source.touches, into: sink)
      return Result(end: run.end, refusals: run.refusals, leftOut: decidedByScript(scenario))
    case .releases(let rerun, _): return try rerun.run(into: sink)
    }
  }
}

extension Rerun {
  /// The sentence about steps that decide a release, if a rule was named: no rule is asked there.
  private func decidedByScript(_ scenario: Scenario) -> [String] {
    let isDecided = scenario.script.contains {
      switch $0.action {
      case .finish, .cancel: true
      default: false
      }
    }
    guard isDecided, origin.changes.contains(where: { $0.hasPrefix("release.rule=") }) else {
      return []
    }
    return [
      "its script finishes or cancels by a step, which stays. A rule decides only at the lift of a gesture"
    ]
  }
}

/// Not Sendable: its recording's connection belongs to one thread at a time.
@available(*, unavailable)
extension Rerun: Sendable {}

/// Why a session cannot be run again: one sentence.
package struct RerunError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

extension EventRecord {
  /// The event as it was given.
  var event: TimelineEvent { TimelineEvent(time: time, kind: kind, fields: fieldList) }

  /// A field's value, by its name.
  var fields: [String: FieldValue] {
    Dictionary(fieldList.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private var fieldList: [EventField] {
    if case .object(let fields)? = FieldValue(json: fieldsJSON.utf8) { return fields }
    return []
  }
}
