/// The meaning of "at rest": systems differ by a factor of two for one spring, so a report names the
/// definition beside the time. The raw values are the names in reports and scenarios.
public enum SettleDefinition: String, CaseIterable, Sendable {
  /// As CASpringAnimation's `settlingDuration` counts it (found by recomputation of measured values).
  case coreAnimation = "core-animation"
  /// As SwiftUI's `Spring.settlingDuration(target:initialVelocity:epsilon:)` counts it (OpenSwiftUI,
  /// `DampedSpring+VectorArithmetic.swift`).
  case swiftUI = "swiftui"
  /// As Jetpack Compose's `estimateAnimationDurationMillis` counts it (`SpringEstimation.kt`), before it
  /// cuts the answer to whole milliseconds.
  case compose
  /// As Flutter's `SpringSimulation.isDone` decides with its `Tolerance`.
  case flutter
  /// As motion's spring generator and `calcGeneratorDuration` count it.
  case motion
  /// As Rebound's `Spring.isAtRest` decides in frames of 16 ms.
  case rebound
  /// As pop's spring solver and animation decide in frames of 1/60 s (`POPSpringSolver.h`,
  /// `POPSpringAnimationInternal.h`).
  case pop
  /// As libadwaita's `AdwSpringAnimation` counts it (`calculate_duration`), before it cuts the answer to
  /// whole milliseconds.
  case libadwaita
  /// As Wave's `Spring.settlingDuration` counts it.
  case wave
  /// As SwiftUI's `FluidSpringAnimation`, the spring of `Animation.spring`, decides in its steps of
  /// 1/300 s (OpenSwiftUI).
  case fluid

  /// The definition's settled state, in one sentence.
  package var meaning: String {
    switch self {
    case .coreAnimation:
      "an envelope of the distance left stays below epsilon of the whole, in steps of 0.1 s if not swinging"
    case .swiftUI:
      "an envelope of the distance left is at epsilon (a length), or 1 s quiet in 0.1 s steps if not swinging"
    case .compose:
      "the envelope of the offset, or if not swinging the offset itself, is at epsilon (a length)"
    case .flutter:
      "offset below epsilon (a length) and speed below velocityEpsilon from now on"
    case .motion:
      "first step of 50 ms with offset and speed at most epsilon (a length) and velocityEpsilon"
    case .rebound:
      "first frame of 16 ms with offset and speed at most epsilon (a length) and velocityEpsilon"
    case .pop:
      "first frame of 1/60 s with offset, speed and acceleration below bounds computed from epsilon (a length)"
    case .libadwaita:
      "e^(-beta t) is epsilon, whatever the distance, but Newton's steps reach epsilon (a length) if creeping"
    case .wave:
      "e^(-zeta w0 t) is 0.0001, whatever the velocity, and 1.25 times that of zeta 1 if not swinging"
    case .fluid:
      "first step of 1/300 s with speed and acceleration at most 0.06 and 1 % of the distance left"
    }
  }

  /// The threshold that the definition takes when none is given.
  ///
  /// A share of the distance (no unit) for `core-animation`, `wave` and `fluid`, a length in the value's unit
  /// for the others. `libadwaita` takes the same number as a share up to critical damping, and as a length
  /// only of what creeps.
  ///
  /// - Parameter distance: From the start to the target. Motion alone looks at it, and is finer below 5.
  package func standardEpsilon(distance: Double) -> Double {
    switch self {
    case .coreAnimation, .swiftUI, .libadwaita: settleEpsilon
    case .compose: Thresholds.composeVisibility
    case .flutter: Thresholds.flutterTolerance
    case .motion:
      abs(distance) < Thresholds.motionGranular
        ? Thresholds.motionFineDelta : Thresholds.motionDelta
    case .rebound: Thresholds.reboundRest
    case .pop: Thresholds.popThreshold
    case .wave: Thresholds.waveShare
    case .fluid: Thresholds.fluidShare
    }
  }

  /// The speed that counts as rest when none is given, in units per second. `nil` where the definition
  /// looks at no speed of its own.
  ///
  /// - Parameter distance: From the start to the target. Motion alone looks at it, and is finer below 5.
  package func standardVelocityEpsilon(distance: Double) -> Double? {
    switch self {
    case .flutter: Thresholds.flutterTolerance
    case .motion:
      abs(distance) < Thresholds.motionGranular
        ? Thresholds.motionFineSpeed : Thresholds.motionSpeed
    case .rebound: Thresholds.reboundRest
    case .fluid: Thresholds.fluidSpeed
    case .coreAnimation, .swiftUI, .compose, .pop, .libadwaita, .wave: nil
    }
  }

  /// Whether the peer lets nobody choose its thresholds. They are not replaced then.
  package var hasFixedThresholds: Bool { self == .wave || self == .fluid }
}

extension SettleDefinition: OfferedNames {
  package static let unoffered: [SettleDefinition] = [.rebound, .pop, .wave, .fluid]
}

/// The threshold of rest by default: Core Animation's share of the distance (no unit), and the
/// length in the value's unit that SwiftUI and libadwaita take.
public let settleEpsilon = 0.001

/// The default of each peer.
private enum Thresholds {
  /// Compose's `Spring.DefaultDisplacementThreshold`.
  static let composeVisibility = 0.01
  /// Flutter's `Tolerance.defaultTolerance`, for lengths and for velocities alike.
  static let flutterTolerance = 0.001
  /// motion's `springDefaults`: a distance below this is "granular".
  static let motionGranular = 5.0
  static let motionFineDelta = 0.005
  static let motionDelta = 0.5
  static let motionFineSpeed = 0.01
  static let motionSpeed = 2.0
  /// Rebound's rest speed and displacement thresholds (the original's; its JavaScript twin has 0.001).
  static let reboundRest = 0.005
  /// pop's threshold of values from 0 to 1 such as opacity. Its points have 1.
  static let popThreshold = 0.01
  /// Wave's `DefaultSettlingPercentage`.
  static let waveShare = 0.0001
  /// The share of the target that FluidSpringAnimation compares the distance left with.
  static let fluidShare = 0.01
  /// The root of the 0.0036 that FluidSpringAnimation compares squares of speed and force with.
  static let fluidSpeed = 0.06
}
