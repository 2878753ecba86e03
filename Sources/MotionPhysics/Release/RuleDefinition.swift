package import TimelineModel

/// All that is particular to a release rule. The list ``all`` is the only one: names in files, flags, errors and the C
/// library, searches and decisions follow it.
///
/// In the formulas p is the progress, v its velocity per second, T ``ReleaseRule/threshold``, V
/// ``ReleaseRule/velocityThreshold``, d ``ReleaseRule/decelerationRate`` and D ``ReleaseRule/distance``. A velocity that a
/// closure gets is finite and within the rule's limits.
package struct RuleDefinition: Sendable {
  /// The name in files and flags.
  package let name: String
  /// The numbers of the rule's source.
  package let usual: Numbers
  /// The use that the rule makes of a velocity.
  package let velocity: VelocityUse
  /// The numbers that no other rule reads.
  package let ownNumbers: OwnNumbers
  /// The signs of a progress that may finish.
  package var directions = Directions.forwards
  /// The peer's estimator and window, by which its thresholds are meant. `nil`: those of the app.
  package var preset: EstimationPreset?
  /// The progress that the peer sums up from a swipe's reports. `nil`: the last position.
  package var account: SwipeAccount?
  /// The number that the progress is compared with if no velocity decides. `nil`: the threshold, with the progress's sign.
  var progressBorder: (@Sendable (ReleaseRule, _ velocity: Double) -> Double)?
  /// The lines of a Swift function of `progress` and of a velocity of this name. `nil` if the rule needs constants of its
  /// peer.
  package var swift: (@Sendable (ReleaseRule, _ velocity: String) -> [String])?
  /// The outcome.
  let answer: @Sendable (ReleaseRule, _ progress: Double, _ velocity: Double) -> ReleaseRule.Answer
  /// The progresses at which the outcome may change. Between two of them it does not.
  let progressBorders: @Sendable (ReleaseRule, _ velocity: Double) -> [Double]
  /// The velocities, before any limit, at which the outcome may change.
  let velocityBorders: @Sendable (ReleaseRule, _ progress: Double) -> [Double]
  /// The threshold at which the outcome may change. The last number is the projected progress, if there is one.
  let thresholdBorder:
    @Sendable (ReleaseRule, _ progress: Double, _ velocity: Double, Double?) -> Double

  /// Every rule, in the order in which help and errors name them.
  package static let all: [RuleDefinition] = [
    .progress, .velocity, .projection, .projectionDiscrete, .gnome, .compose, .flutterCupertino,
    .flutterDismissible, .omniwm, .niri, .cosmic, .hyprland, .kwin, .kwinOverview, .wayfire,
  ]
}

extension RuleDefinition {
  /// A progress from a swipe's reports. Their values are progresses, and the number is the points of a progress of 1.
  package typealias SwipeAccount =
    @Sendable (_ reports: UnsafeBufferPointer<Sample>, _ points: Double) -> Double

  /// The numbers of a rule's source.
  package struct Numbers: Sendable {
    /// The progress that is far enough.
    package var threshold: Double
    /// The speed that decides by itself. `nil`: none does.
    package var speed: Speed?
    /// The share of a speed that remains after a millisecond.
    package var decelerationRate = Deceleration.unused
    /// The points of a progress of 1. `nil`: the app's.
    package var distance: Double?
    /// The numbers for a touchpad, if they are others.
    var touchpad: Touchpad?
  }

  /// A threshold of the speed.
  package struct Speed: Sendable {
    package let threshold: Double
    package let unit: SpeedUnit
    /// Whether a threshold of 0 lets no speed decide, and not every one.
    package var isOffAtZero = false
    /// Whether a velocity, which has a speed in ``unit``, is so fast that it decides by itself.
    let isFast: @Sendable (ReleaseRule, _ velocity: Double, _ speed: Double) -> Bool

    /// Fast from the threshold on.
    static let reached: @Sendable (ReleaseRule, Double, Double) -> Bool = { rule, _, speed in
      speed >= rule.speedThreshold
    }

    /// The least threshold, which whatever passes any threshold passes.
    package var least: Double { isOffAtZero ? .leastNonzeroMagnitude : 0 }
  }

  /// The unit of a threshold of the speed. The raw values stand in files and rows.
  package enum SpeedUnit: String, Sendable {
    case perSecond = "1/s"
    case pointsPerSecond = "pt/s"
    case pointsPerMillisecond = "pt/ms"
    case pointsPerReport = "pt/report"
    case pointsPerTwoReports = "pt/2 reports"
    /// Lengths of the output per second.
    case outputsPerSecond = "outputs/s"

    func speed(of velocity: Double, by rule: ReleaseRule) -> Double {
      switch self {
      case .perSecond: abs(velocity)
      case .pointsPerSecond, .pointsPerReport, .pointsPerTwoReports: abs(velocity) * rule.points
      case .pointsPerMillisecond: abs(velocity) * rule.points / 1000
      case .outputsPerSecond: abs(velocity) * rule.outputs
      }
    }

    func velocity(of speed: Double, by rule: ReleaseRule) -> Double {
      switch self {
      case .perSecond: speed
      case .pointsPerSecond, .pointsPerReport, .pointsPerTwoReports: speed / rule.points
      case .pointsPerMillisecond: speed * 1000 / rule.points
      case .outputsPerSecond: speed / rule.outputs
      }
    }
  }

  /// The use of a deceleration rate.
  package enum Deceleration: Hashable, Sendable {
    case unused
    /// The rule has a number of its own in its place.
    case optional
    case usual(Double)
  }

  struct Touchpad: Sendable {
    let speedThreshold: Double
    let decelerationRate: Double
    let distance: Double
    let verticalDistance: Double
  }

  /// What a rule compares of a velocity.
  package enum VelocityUse: Sendable {
    case unused
    /// A velocity over time, by any estimator.
    case overTime
    /// Only the measure of the rule's preset, and no rule but this one compares it.
    case ofReports
  }

  package struct OwnNumbers: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// ``ReleaseRule/crossVelocity``.
    package static let crossVelocity = OwnNumbers(rawValue: 1)
    /// ``ReleaseRule/outputLength``.
    package static let outputLength = OwnNumbers(rawValue: 2)
  }

  package enum Directions: Sendable {
    case forwards
    /// The rule takes the progress's size.
    case both
  }

  /// Whether the rule's thresholds can be compared with an estimator's velocities.
  package func accepts(_ estimator: Estimator) -> Bool {
    switch velocity {
    case .unused: true
    case .overTime: !estimator.definition.measure.isByReports
    case .ofReports: estimator == preset?.estimator
    }
  }

  /// The unit of velocities of a progress as the rule compares them: "/s", or by reports.
  package var velocityUnit: String {
    (preset?.estimator ?? .lsq2).definition.measure.unit(of: "")
  }
}

/// Speeds as velocities in both directions.
func bothWays(_ speeds: Double...) -> [Double] { speeds + speeds.map { 0 - $0 } }
