package import TimelineModel

/// When a motion is over by one definition, with the thresholds that it took.
package struct SettlingTime: ResultRow {
  /// The name of the definition, or of a motion that ends by itself.
  package let definition: String
  /// The definition in a sentence.
  package let meaning: String
  private let seconds: Double?
  private var wholeMilliseconds: Double?
  private var epsilon: Double?
  private var velocityEpsilon: Double?

  /// The time of a motion that ends by itself.
  init(_ definition: String, _ meaning: String, seconds: Double?, epsilon: Double? = nil) {
    (self.definition, self.meaning, self.seconds) = (definition, meaning, seconds)
    self.epsilon = epsilon
  }

  /// The time of a motion by a definition.
  init(
    of motion: SettleMotion, by definition: SettleDefinition, _ tolerance: SettleTolerance
  ) {
    let distance = motion.to - motion.from
    let given = definition.hasFixedThresholds ? SettleTolerance() : tolerance
    let seconds = motion.settlingTimeSeconds(by: definition, tolerance: tolerance)
    self.init(
      definition.rawValue, definition.meaning, seconds: seconds,
      epsilon: given.epsilon ?? definition.standardEpsilon(distance: distance))
    velocityEpsilon = definition.standardVelocityEpsilon(distance: distance)
      .map { given.velocityEpsilon ?? $0 }
    let isWhole = definition == .compose || definition == .libadwaita
    wholeMilliseconds = isWhole ? seconds.milliseconds?.rounded(.down) : nil
  }

  package static let fields: [ResultField<SettlingTime>] = [
    ResultField("definition", "The name of the definition of rest.", \.definition),
    ReleaseEstimate.settleTime.rowField.reading(\.seconds),
    ResultField("whole_time_ms", "Time in whole milliseconds.", \.wholeMilliseconds),
    ResultField("epsilon", "The distance that counts as rest.", \.epsilon),
    ResultField("velocity_epsilon_per_s", "The speed that counts as rest.", \.velocityEpsilon),
    ResultField("meaning", "The definition in a sentence.", inTable: false, \.meaning),
  ]
}

extension SettleMotion {
  /// The rows that `kymo curve settle --settling-times` prints: for a spring one for each definition of rest.
  ///
  /// A timing curve or a cubic has one row, because it ends after its own duration. Times are in seconds.
  ///
  /// - Parameters:
  ///   - epsilon: The distance that counts as rest, above 0, in the unit that each definition uses. `nil`: the
  ///     definition's own.
  ///   - velocityEpsilon: The speed that counts as rest, above 0, in units per second. `nil`: the definition's own.
  /// - Complexity: at most about 31,000 evaluations for each definition, usually below 100.
  package func settlingTimeRows(
    epsilon: Double? = nil, velocityEpsilon: Double? = nil
  ) -> [[EventField]] {
    settlingTimes(SettleTolerance(epsilon: epsilon, velocityEpsilon: velocityEpsilon)).rows
  }

  /// The time for each definition of a spring, or the duration of another motion.
  package func settlingTimes(_ tolerance: SettleTolerance) -> [SettlingTime] {
    func own(_ type: SettleType, _ meaning: String) -> [SettlingTime] {
      [SettlingTime(type.rawValue, meaning, seconds: settlingTimeSeconds())]
    }
    switch path {
    case .spring:
      return SettleDefinition.allCases.map { SettlingTime(of: self, by: $0, tolerance) }
    case .timing:
      return own(
        .timing, "the time of the curve: the distance left times duration / completion speed")
    case .cubic:
      return own(.cubic, "the time of the cubic, after which it stays at the target")
    }
  }
}

extension Decay {
  /// The time until the speed counts as stopped.
  ///
  /// - Parameters:
  ///   - velocity: Units per second.
  ///   - epsilon: The speed that counts as stopped, in units per second.
  package func settlingTime(velocity: Double, epsilon: Double) -> SettlingTime {
    SettlingTime(
      "decay", "the speed has fallen to epsilon, in units per second",
      seconds: secondsUntil(speed: epsilon, velocity: velocity), epsilon: epsilon)
  }
}
