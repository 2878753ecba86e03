import GestureInput
import JSONText
import MotionPhysics
import TimelineModel
import TransitionEngine

extension JSONReader {
  /// How velocities are estimated at a release, and by which rule it ends.
  ///
  /// - Parameter isOfTouchpad: Whether a touchpad's distances are released: where the file names no preset, that is
  ///   `gnome`, else `android`, and the rule's numbers are its peer's for touchpads.
  func releaseParameters(isOfTouchpad: Bool) throws(JSONError) -> ReleaseParameters {
    let fields = try object(allowing: [
      "estimator", "preset", "window", "stopGap", "history", "rule", "threshold",
      "velocityThreshold", "decelerationRate", "distance", "minimumVelocity", "maximumVelocity",
      "crossVelocity", "outputLength",
    ])
    let rule = try JSONReader.releaseRule(fields, isOfTouchpad: isOfTouchpad)
    // A compositor's rule brings the compositor's own measure.
    let peers = fields["estimator"] == nil ? rule.kind.definition.preset : nil
    let preset =
      try fields["preset"]?.choice(EstimationPreset.self) ?? peers
      ?? (isOfTouchpad ? .gnome : .android)
    var release = ReleaseParameters(preset)
    if let estimator = fields["estimator"] {
      if estimator.value == .string("all") {
        throw estimator.failure(
          "A release must have one estimator, not 'all'.")
      }
      release.estimator = try estimator.choice(Estimator.self, offering: Estimator.offered)
    }
    guard rule.kind.definition.preset != nil || rule.kind.definition.accepts(release.estimator)
    else {
      throw (fields["estimator"] ?? self).failure(
        "The estimator '\(release.estimator.rawValue)' gives distances per report, and the rule "
          + "'\(rule.kind.rawValue)' compares velocities per second.")
    }
    release.window = preset.window(for: release.estimator)
    release.window.horizonNanoseconds =
      try fields["window"]?.durationNanoseconds() ?? release.window.horizonNanoseconds
    if let stopGap = try fields["stopGap"]?.durationNanoseconds() {
      release.window.setStopGap(nanoseconds: stopGap)
    }
    if let history = fields["history"] {
      release.window.historyLimit = Int(try history.integer(in: 1...Int64(Int32.max)))
    }
    release.rule = rule
    return release
  }

  /// The rule and its numbers. A number that the kind does not know is refused.
  private static func releaseRule(
    _ fields: JSONFields, isOfTouchpad: Bool
  ) throws(JSONError) -> ReleaseRule {
    let kind = try fields["rule"]?.choice(ReleaseRule.Kind.self) ?? .progress
    let own = isOfTouchpad ? ReleaseRule(ofTouchpad: kind) : ReleaseRule(kind: kind)
    for name in fields.names where isField(name, of: kind) == false {
      let reader = try fields.required(name)
      throw reader.failure("Unknown field '\(name)' of the rule '\(kind.rawValue)'.")
    }
    let rule = ReleaseRule(
      kind: kind, threshold: try fields["threshold"]?.number(),
      velocityThreshold: try fields["velocityThreshold"]?.nonNegativeNumber()
        ?? own.velocityThreshold,
      decelerationRate: try fields["decelerationRate"]?.decelerationRate() ?? own.decelerationRate,
      distance: try fields["distance"]?.positiveNumber(),
      minimumVelocity: try fields["minimumVelocity"]?.nonNegativeNumber() ?? 0,
      maximumVelocity: try fields["maximumVelocity"]?.nonNegativeNumber(),
      crossVelocity: try fields["crossVelocity"]?.number() ?? 0,
      outputLength: try fields["outputLength"]?.positiveNumber())
    if let maximum = rule.maximumVelocity, maximum < rule.minimumVelocity,
      let reader = fields["maximumVelocity"]
    {
      throw reader.failure(
        "The maximum velocity \(FieldValue.jsonNumber(maximum)) is below the minimum velocity "
          + "\(FieldValue.jsonNumber(rule.minimumVelocity)).")
    }
    return rule
  }

  /// Whether a rule has a field. `nil` for a field that every rule or none has.
  static func isField(_ name: String, of kind: ReleaseRule.Kind) -> Bool? {
    switch name {
    case "velocityThreshold": kind.definition.usual.speed != nil
    case "decelerationRate": kind.definition.usual.decelerationRate != .unused
    case "crossVelocity": kind.definition.ownNumbers.contains(.crossVelocity)
    case "outputLength": kind.definition.ownNumbers.contains(.outputLength)
    default: nil
    }
  }

  /// The rest of a speed after a millisecond.
  private func decelerationRate() throws(JSONError) -> Double {
    let rate = try number()
    guard rate > 0, rate < 1 else {
      throw failure(
        "Must be a deceleration rate above 0 and below 1 (got \(FieldValue.jsonNumber(rate))).")
    }
    return rate
  }

  /// A span of time in seconds, above 0 and up to a year.
  private func durationNanoseconds() throws(JSONError) -> Int64 {
    let nanoseconds = try instant().nanoseconds
    guard nanoseconds > 0 else { throw failure("Must be a time above 0 seconds.") }
    return nanoseconds
  }
}

extension Scenario {
  /// How many points progress 1 stands for: the distance of the gesture's progress, where that is a
  /// length, else what the rule's compositor takes, or the viewport's width.
  var progressDistance: Double {
    guard let progress = gesture?.mapping.progress, progress.source.unit == "pt" else {
      return release.rule.kind.definition.usual.distance ?? viewport.width
    }
    return abs(progress.to - progress.from)
  }

  /// How long the viewport is along the gesture: its height where a vertical translation drives it, else its width.
  var outputLength: Double {
    gesture?.mapping.progress?.source == .translationY ? viewport.height : viewport.width
  }
}
