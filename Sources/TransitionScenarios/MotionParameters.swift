import GestureInput
package import JSONText
package import MotionPhysics
import TimelineModel

/// How releases are decided and how the rest settles, as the two objects `release` and `settle` of a scenario say it.
/// All that can be changed of a session that has no scenario.
package struct MotionParameters: Sendable, Hashable {
  /// Estimator, window and rule.
  package var release: ReleaseParameters
  /// How the rest runs.
  package var settle: SettleParameters

  /// Takes parameters as they are.
  package init(release: ReleaseParameters, settle: SettleParameters) {
    (self.release, self.settle) = (release, settle)
  }

  /// The two objects that say the same in a scenario file.
  package var json: JSONValue {
    var fields = release.rule.fields.filter { $0.value != .null }
    fields += EventField.list(["estimator": release.estimator.rawValue])
    if let preset = EstimationPreset(rawValue: release.window.name) {
      let peers = preset.window(for: release.estimator)
      func seconds(_ own: Int64, unless peer: Int64) -> Double? {
        guard own != peer, MotionParameters.sayable.contains(own) else { return nil }
        return Instant(nanoseconds: own).seconds
      }
      let (window, history) = (release.window, release.window.historyLimit)
      fields += EventField.known([
        "preset": preset.rawValue,
        "window": seconds(window.horizonNanoseconds, unless: peers.horizonNanoseconds),
        "stopGap": seconds(window.stopGapNanoseconds, unless: peers.stopGapNanoseconds),
        "history": history == peers.historyLimit ? nil : history,
      ])
    }
    let value = FieldValue.object(named: [
      "release": FieldValue.object(fields), "settle": FieldValue.object(settle.fields),
    ])
    return (try? parseJSON(Array(value.json.utf8))) ?? .object([:])
  }

  /// The spans of time that a scenario can say, in nanoseconds: above 0, and up to a year.
  private static let sayable: ClosedRange<Int64> = 1...86_400 * 365 * 1_000_000_000

  /// Reads the parameters from what ``json`` has become, checked as a scenario file is.
  ///
  /// - Parameters:
  ///   - value: The two objects.
  ///   - before: Where it began: of what was not changed every bit stays, also where a scenario cannot say it.
  ///   - name: The name of the value, for messages.
  package init(
    _ value: JSONValue, before: MotionParameters, name: String
  ) throws(ScenarioError) {
    do {
      let fields = try JSONReader(value).object(allowing: ["release", "settle"])
      let own = try JSONReader(before.json).object()
      self = before
      if fields["release"] != own["release"] {
        release =
          try fields["release"]?.releaseParameters(isOfTouchpad: false) ?? ReleaseParameters()
        release.rule.distance = release.rule.distance ?? before.release.rule.distance
        if release.rule.kind.definition.ownNumbers.contains(.outputLength) {
          release.rule.outputLength =
            release.rule.outputLength ?? before.release.rule.outputLength
        }
        let (now, then) = (try fields["release"]?.object(), try own["release"]?.object())
        let isSameWindow = ["estimator", "preset", "window", "stopGap", "history"].allSatisfy {
          now?[$0] == then?[$0]
        }
        if isSameWindow { release.window = before.release.window }
      }
      if fields["settle"] != own["settle"] {
        settle = try fields["settle"]?.settleParameters() ?? SettleParameters()
      }
    } catch {
      throw ScenarioError(error, file: name)
    }
  }
}
