import MotionPhysics
public import TimelineModel
import TransitionEngine

/// The version of the engine's behaviour. It changes when the same scenario gives other numbers.
public let engineVersion = "2"

extension Scenario {
  /// The most frames that steps and touches of one run may span: four and a half hours at 60 Hz, far
  /// above any transition. A guard against a mistyped time, which would fill the disk.
  public static let frameLimit = 1_000_000

  /// Whether a run may go on until a moment without passing ``frameLimit``.
  package func reaches(_ time: Instant) -> Bool {
    time.seconds * refreshRate <= Double(Scenario.frameLimit)
  }

  /// The description of a recording of this scenario before its first value.
  ///
  /// - Parameters:
  ///   - software: The program that records, with its version.
  ///   - text: The scenario file's text.
  public func sessionDescription(software: String, text: String?) -> SessionDescription {
    var session = SessionDescription(software: software, clock: "virtual", name: name)
    session.refreshRate = refreshRate
    session.viewport = viewport
    session.scenario = text
    session.engineVersion = engineVersion
    session.layouts = layouts.map {
      LayoutDescription(name: $0.name, type: $0.type, parameters: $0.json)
    }
    session.transition =
      FieldValue.object(named: [
        "type": transition.type, "transforms": transition.transforms.rawValue,
        "keys": transition.followedKeys, "reentry": transition.reentry.rawValue,
      ]).json
    session.settle = FieldValue.object(settle.fields).json
    session.release = FieldValue.object(release.fields).json
    return session
  }
}
