import MotionPhysics
import Testing
import TimelineModel
import TransitionScenarios

/// The field `release` of scenario files, and what a recording says of it.
@Suite struct ScenarioReleaseTests {
  private func release(_ text: String, gesture: String? = nil) throws -> ReleaseParameters {
    try scenario(text, gesture: gesture).release
  }

  private func scenario(_ text: String, gesture: String? = nil) throws -> Scenario {
    let gesture =
      gesture.map { "\"gesture\": {\"recognizer\": \"pan\", \"progress\": \($0)}," } ?? ""
    let text = """
      { "scenario": 1, "viewport": [100, 200], "sections": [{ "id": "s", "items": 3 }],
        "layouts": { "small": { "type": "flow" }, "large": { "type": "flow" } },
        "initialLayout": "small", \(gesture) "release": \(text) }
      """
    return try Scenario.read(Array(text.utf8), name: "test")
  }

  @Test func `nothing said means lsq2 in Android's window, and half way`() throws {
    var expected = ReleaseParameters()
    expected.rule.distance = 100
    #expect(try release("{}") == expected)
    #expect(try release("{\"estimator\": \"lsq2\", \"preset\": \"android\"}") == expected)
  }

  @Test func `a preset brings its estimator and its window, and each can be another`() throws {
    for preset in EstimationPreset.allCases {
      let own = try release("{\"preset\": \"\(preset.rawValue)\"}")
      #expect(own.estimator == preset.estimator)
      #expect(own.window == preset.window(for: preset.estimator))
      let other = try release("{\"preset\": \"\(preset.rawValue)\", \"estimator\": \"impulse\"}")
      #expect(other.estimator == .impulse)
      #expect(other.window == preset.window(for: .impulse))
    }
    let changed = try release(
      "{\"preset\": \"flutter\", \"window\": 0.06, \"stopGap\": 0.08, \"history\": 7}"
    ).window
    #expect(changed.horizonNanoseconds == 60_000_000)
    #expect(changed.stopGapNanoseconds == 80_000_000)
    #expect(changed.historyLimit == 7)
    #expect(changed.answerForTooFew == .zero)
    #expect(try release("{\"estimator\": \"legacy\"}").window.horizonNanoseconds == 200_000_000)
  }

  @Test func `every rule is read with its peer's numbers, and with others`() throws {
    for kind in ReleaseRule.Kind.allCases {
      let own = try release("{\"rule\": \"\(kind.rawValue)\"}").rule
      #expect(
        own
          == ReleaseRule(
            kind: kind, distance: kind.definition.usual.distance ?? 100,
            outputLength: kind == .cosmic ? 100 : nil))
    }
    #expect(
      try release(
        """
        {"rule": "flutter-dismissible", "threshold": 0.3, "velocityThreshold": 500, "distance": 44,
         "minimumVelocity": 0.1, "maximumVelocity": 9, "crossVelocity": -20}
        """
      ).rule
        == ReleaseRule(
          kind: .flutterDismissible, threshold: 0.3, velocityThreshold: 500, distance: 44,
          minimumVelocity: 0.1, maximumVelocity: 9, crossVelocity: -20))
    #expect(
      try release("{\"rule\": \"omniwm\", \"decelerationRate\": 0.99}").rule.decelerationRate
        == 0.99)
  }

  @Test func `a compositor's rule brings its own measure where none is named`() throws {
    for kind in ReleaseRule.Kind.allCases {
      let own = try release("{\"rule\": \"\(kind.rawValue)\"}")
      #expect(own.estimator == (kind.definition.preset?.estimator ?? .lsq2))
      #expect(own.window.name == (kind.definition.preset?.rawValue ?? "android"))
    }
    let named = try release("{\"rule\": \"niri\", \"estimator\": \"lsq1\"}")
    #expect(named.estimator == .lsq1)
    #expect(named.window.name == "android")
    let preset = try release("{\"rule\": \"hyprland\", \"preset\": \"gnome\"}")
    #expect(preset.estimator == .mean)
    #expect(preset.rule.kind == .hyprland)
    let down = "{\"of\": \"translation.y\", \"from\": 0, \"to\": 150}"
    #expect(try release("{\"rule\": \"cosmic\"}", gesture: down).rule.outputLength == 200)
    #expect(try release("{\"rule\": \"cosmic\"}").rule.outputLength == 100)
    #expect(try release("{\"rule\": \"cosmic\", \"outputLength\": 7}").rule.outputLength == 7)
  }

  @Test func `progress 1 stands for the gesture's way where that is a length`() throws {
    let way = "{\"of\": \"translation.y\", \"from\": 20, \"to\": -230}"
    #expect(try release("{}", gesture: way).rule.distance == 250)
    #expect(try release("{\"distance\": 7}", gesture: way).rule.distance == 7)
    let scale = "{\"of\": \"scale\", \"from\": 1, \"to\": 2}"
    #expect(try release("{}", gesture: scale).rule.distance == 100)
  }

  @Test func `a session keeps every parameter by name`() throws {
    let session = try scenario(
      "{\"preset\": \"firefox\", \"rule\": \"gnome\", \"maximumVelocity\": 3}"
    ).sessionDescription(software: "tests", text: nil)
    let text = try #require(session.release)
    for part in [
      "\"estimator\":\"mean5\"", "\"window\":\"firefox\"", "\"horizon_ns\":100000000",
      "\"stopGap_ns\":9223372036854775807", "\"history\":6", "\"horizonIncludesItsEnd\":false",
      "\"ageOrigin\":\"lift\"", "\"duplicates\":\"merge\"", "\"mergeSpan_ns\":5000000",
      "\"rule\":\"gnome\"", "\"threshold\":0.5", "\"velocityThreshold\":0.3",
      "\"decelerationRate\":0.998", "\"distance\":100", "\"minimumVelocity\":0",
      "\"maximumVelocity\":3", "\"clampMinimum\":null", "\"liftGap_ns\":null",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }
}
