package import TimelineModel

/// The kinds of a settle. The raw values are the names in scenarios and recordings.
public enum SettleType: String, CaseIterable, Sendable {
  /// A mass on a spring. Value and velocity are continuous at the release.
  case spring
  /// A timing curve over the time that is left, as UIPercentDrivenInteractiveTransition runs it. Only the
  /// value is continuous at the release: the velocity jumps to the curve's own.
  case timing
  /// The cubic that begins with the value and the velocity of the release and rests at the target after
  /// a stated time (Hermite).
  case cubic
}

/// How the rest of a transition runs. A field that a type does not use is left alone.
public struct SettleParameters: Sendable, Hashable {
  /// Which kind of settle.
  public var type: SettleType
  /// The spring that pulls to the target, for `spring`.
  public var spring: DampedSpring
  /// Seconds, for `timing` the time of the whole way and for `cubic` of the rest, not negative.
  public var durationSeconds: Double
  /// How much faster than the duration the rest runs, for `timing`. Above 0, no unit.
  public var completionSpeed: Double
  /// The curve that the rest follows, for `timing`.
  public var easing: Easing
  /// Whether a value may pass its target and come back, for `spring` and `cubic`.
  public var overshoot: Bool
  /// The definition of rest, for `spring`.
  public var definition: SettleDefinition

  /// Makes the parameters of a spring. The defaults are the standard spring, free to overshoot.
  public init(
    spring: DampedSpring = .standard, overshoot: Bool = true,
    definition: SettleDefinition = .coreAnimation
  ) {
    type = .spring
    self.spring = spring
    durationSeconds = SettleParameters.standardDurationSeconds
    completionSpeed = 1
    easing = SettleParameters.standardEasing
    self.overshoot = overshoot
    self.definition = definition
  }

  /// Makes the parameters of a timing curve, as UIPercentDrivenInteractiveTransition has them: a finish
  /// at progress p lasts (1 - p) duration / speed, a cancel p duration / speed.
  ///
  /// - Parameters:
  ///   - seconds: The time of the whole way, `duration`. 0 or more.
  ///   - completionSpeed: Above 0, no unit.
  ///   - easing: `completionCurve`. Starts and ends slowly by default.
  /// - Throws: a negative duration, a speed that is not positive, or a number that is not finite.
  public init(
    timing seconds: Double, completionSpeed: Double = 1,
    easing: Easing = SettleParameters.standardEasing
  ) throws(PhysicsError) {
    try SettleParameters.check(seconds: seconds)
    guard completionSpeed > 0, completionSpeed.isFinite else {
      throw PhysicsError(
        code: .badSpeed,
        message: "The completion speed must be a number above 0 (got \(completionSpeed)).")
    }
    self.init()
    type = .timing
    durationSeconds = seconds
    self.completionSpeed = completionSpeed
    self.easing = easing
  }

  /// Makes the parameters of a velocity-matched cubic that rests after a stated time.
  ///
  /// - Parameters:
  ///   - seconds: The time of the rest. 0 or more. At 0 the value jumps to its target.
  ///   - overshoot: Whether the value may pass its target. Where not, a fast value rests sooner: after at
  ///     most 3 times remaining / velocity, the longest time for which the cubic does not pass it.
  /// - Throws: a duration that is negative or not finite.
  public init(cubic seconds: Double, overshoot: Bool = true) throws(PhysicsError) {
    try SettleParameters.check(seconds: seconds)
    self.init(overshoot: overshoot)
    type = .cubic
    durationSeconds = seconds
  }

  /// The source of the time to rest: the name of the definition for a spring, else that of the type, which
  /// ends after its own duration.
  package var definitionName: String { type == .spring ? definition.rawValue : type.rawValue }

  /// The parameters for the rest of a distance: a timing curve's duration becomes that of the rest,
  /// duration times share / speed at speed 1. Every key runs with the same time then, by the share that
  /// the progress has left. Springs and cubics stay as they are.
  ///
  /// - Parameter share: The part of the distance that is left, 0 to 1. Held in that range, no unit.
  package func forRest(_ share: Double) -> SettleParameters {
    guard type == .timing else { return self }
    var rest = self
    let speed = completionSpeed > 0 ? completionSpeed : 1
    rest.durationSeconds = clampedToFinite(clampedToUnit(share) * durationSeconds / speed)
    rest.completionSpeed = 1
    return rest
  }

  /// The parameters for the rest of a transition that is released at a progress: the share is the
  /// distance to the end that was decided for, as UIPercentDrivenInteractiveTransition has it.
  package func forRest(progress: Double, outcome: ReleaseOutcome) -> SettleParameters {
    forRest(abs((outcome == .finish ? 1 : 0) - progress))
  }

  /// A quarter of a second, the duration of Core Animation's implicit animations.
  static let standardDurationSeconds = 0.25

  /// Starts and ends slowly: the default `completionCurve` of UIPercentDrivenInteractiveTransition.
  public static let standardEasing = Easing(named: "ease-in-out") ?? .linear

  private static func check(seconds: Double) throws(PhysicsError) {
    guard seconds >= 0, seconds.isFinite else {
      throw PhysicsError(
        code: .badTime, message: "The duration must be seconds, 0 or more (got \(seconds)).")
    }
  }
}

extension SettleParameters {
  /// These parameters in a recording, by the names of scenario files: the type, then what that
  /// type uses. Numbers are written so that reading gives the same bits.
  ///
  /// - spring: `mass`, `stiffness`, `damping`, `overshoot`, `definition`.
  /// - timing: `duration` (seconds of the whole way), `completionSpeed`, `easing`.
  /// - cubic: `duration` (seconds), `overshoot`.
  package var fields: [EventField] { row }
}

extension SettleParameters: ResultRow {
  package static let fields: [ResultField<SettleParameters>] = [
    ResultField("type", "The kind of settle.", \.type),
    ResultField("mass", "The spring's mass.", \.spring.mass).when { $0.type == .spring },
    ResultField("stiffness", "Its stiffness.", \.spring.stiffness).when { $0.type == .spring },
    ResultField("damping", "Its damping.", \.spring.damping).when { $0.type == .spring },
    ResultField("duration", "Seconds.", \.durationSeconds).when { $0.type != .spring },
    ResultField("completionSpeed", "How much faster the settle runs.", \.completionSpeed)
      .when { $0.type == .timing },
    ResultField("easing", "The curve.", \.easing.name).when { $0.type == .timing },
    ResultField("overshoot", "Whether it may pass its target.", \.overshoot)
      .when { $0.type != .timing },
    ResultField("definition", "What counts as rest.", \.definition)
      .when { $0.type == .spring },
  ]
}
