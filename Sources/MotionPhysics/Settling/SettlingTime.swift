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
  package init(_ definition: String, _ meaning: String, seconds: Double?, epsilon: Double? = nil) {
    (self.definition, self.meaning, self.seconds) = (definition, meaning, seconds)
    self.epsilon = epsilon
  }

  /// The time of a motion by a definition.
  package init(
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
    ResultField("definition", "What counts as settled.", \.definition),
    ReleaseEstimate.settleTime.rowField.reading(\.seconds),
    ResultField("whole_time_ms", unit: "ms", "As its peer cuts it.", \.wholeMilliseconds),
    ResultField("epsilon", "The distance that counts as none.", \.epsilon),
    ResultField("velocity_epsilon_per_s", "The speed that counts as rest.", \.velocityEpsilon),
    ResultField("meaning", "The definition in a sentence.", inTable: false, \.meaning),
  ]
}
