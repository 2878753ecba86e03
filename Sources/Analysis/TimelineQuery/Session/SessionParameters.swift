package import JSONText
package import MotionPhysics
package import TimelineModel
package import TimelineStore

/// How a recorded session settled and decided, read from what the session says of itself.
package struct SessionParameters: Hashable, Sendable {
  /// Type, spring or timing, overshoot and definition; the defaults where the session says nothing.
  package var settle = SettleParameters()
  /// Estimator, window and rule; the defaults where the session says nothing.
  package var release = ReleaseParameters()

  /// Reads the parameters of a session.
  ///
  /// A parameter that this version does not know (a newer program's estimator, say) is left at its
  /// default, so that an old reader still answers for a newer file.
  package init(_ session: SessionRecord) {
    if let fields = JSONFields(recorded: session.description.settle) {
      settle = SettleParameters(fields)
    }
    release = ReleaseParameters(recorded: session.description.release)
  }
}

extension SettleParameters {
  /// Reads what ``MotionPhysics/SettleParameters/fields`` wrote, bit for bit; what is not there, or not
  /// understood, is left at its default.
  init(_ fields: JSONFields) {
    self.init()
    type = fields.name("type").flatMap(SettleType.init(rawValue:)) ?? type
    let mass = fields.number("mass") ?? spring.mass
    let stiffness = fields.number("stiffness") ?? spring.stiffness
    let damping = fields.number("damping") ?? spring.damping
    spring = (try? DampedSpring(mass: mass, stiffness: stiffness, damping: damping)) ?? spring
    durationSeconds =
      fields.number("duration").flatMap { $0 >= 0 ? $0 : nil } ?? durationSeconds
    completionSpeed =
      fields.number("completionSpeed").flatMap { $0 > 0 ? $0 : nil } ?? completionSpeed
    easing = fields.name("easing").flatMap { Easing(named: $0) } ?? easing
    overshoot = fields.flag("overshoot") ?? overshoot
    definition = fields.name("definition").flatMap(SettleDefinition.init(rawValue:)) ?? definition
  }
}

extension ReleaseParameters {
  /// Reads the parameters as a session keeps them; what it does not say, or what only a newer program
  /// knows, is left at its default.
  package init(recorded text: String?) {
    self.init()
    guard let fields = JSONFields(recorded: text) else { return }
    estimator = fields.name("estimator").flatMap(Estimator.init(rawValue:)) ?? estimator
    rule = ReleaseRule(fields, else: rule)
    window = EstimationWindow(fields, else: window)
  }
}

extension EstimationWindow {
  /// Makes the window again that ``ReleaseParameters/fields`` tell of.
  init(_ fields: JSONFields, else window: EstimationWindow) {
    self = window
    name = fields.name("window") ?? name
    horizonNanoseconds = fields.integer("horizon_ns") ?? horizonNanoseconds
    horizonIncludesItsEnd = fields.flag("horizonIncludesItsEnd") ?? horizonIncludesItsEnd
    ageOrigin = fields.name("ageOrigin").flatMap(AgeOrigin.init(rawValue:)) ?? ageOrigin
    ageMeasure = fields.name("ageMeasure").flatMap(AgeMeasure.init(rawValue:)) ?? ageMeasure
    stopGapNanoseconds = fields.integer("stopGap_ns") ?? stopGapNanoseconds
    stopGapIncludesItsEnd = fields.flag("stopGapIncludesItsEnd") ?? stopGapIncludesItsEnd
    liftGapNanoseconds = fields.integer("liftGap_ns") ?? liftGapNanoseconds
    idleDecayPerMillisecond = fields.number("idleDecayPerMillisecond") ?? idleDecayPerMillisecond
    historyLimit = fields.integer("history").map(Int.init(clamping:)) ?? historyLimit
    minimumSamples = fields.integer("minimumSamples").map(Int.init(clamping:)) ?? minimumSamples
    answerForTooFew =
      fields.name("answerForTooFew").flatMap(AnswerForTooFew.init(rawValue:)) ?? answerForTooFew
    duplicates =
      fields.name("duplicates").flatMap {
        DuplicateRule(named: $0, mergeNanoseconds: fields.integer("mergeSpan_ns"))
      } ?? duplicates
    backward = fields.name("backward").flatMap(BackwardRule.init(rawValue:)) ?? backward
    filterStepNanoseconds = fields.integer("filterStep_ns") ?? filterStepNanoseconds
    if let minimum = fields.number("clampMinimum") {
      // A limit that is not finite has no number in JSON.
      clamp = SpeedLimits(minimum: minimum, maximum: fields.number("clampMaximum") ?? .infinity)
    }
  }
}

extension ReleaseRule {
  /// The rule that a decision was made by, with its own parameters.
  ///
  /// - Parameters:
  ///   - decision: The decision; one of schema version 1 has only a name and a threshold.
  ///   - rule: The rule for a decision by one that this program does not know.
  package init(of decision: ReleaseDecision, else rule: ReleaseRule) {
    if let fields = JSONFields(recorded: decision.ruleParameters) {
      self.init(fields, else: rule)
    } else if let kind = Kind(rawValue: decision.rule) {
      self.init(kind: kind, threshold: decision.threshold)
    } else {
      self = rule
    }
  }

  /// Makes the rule again that ``ReleaseRule/fields`` tell of.
  init(_ fields: JSONFields, else rule: ReleaseRule) {
    guard let kind = fields.name("rule").flatMap(Kind.init(rawValue:)) else {
      self = rule
      return
    }
    self.init(
      kind: kind, threshold: fields.number("threshold"),
      velocityThreshold: fields.number("velocityThreshold"),
      decelerationRate: fields.number("decelerationRate"), distance: fields.number("distance"),
      minimumVelocity: fields.number("minimumVelocity") ?? 0,
      maximumVelocity: fields.number("maximumVelocity"),
      crossVelocity: fields.number("crossVelocity") ?? 0,
      outputLength: fields.number("outputLength"))
  }
}

/// The fields of a JSON object that a recording keeps, read leniently: a field that is missing or of
/// another type is nil.
extension JSONFields {
  /// nil for a text that is no JSON object.
  package init?(recorded text: String?) {
    guard let text, let value = try? parseJSON(Array(text.utf8)),
      let fields = try? JSONReader(value).object()
    else { return nil }
    self = fields
  }

  /// A text.
  func name(_ field: String) -> String? { self[field].flatMap { try? $0.string() } }

  /// A number, bit for bit as it was written.
  func number(_ field: String) -> Double? { self[field].flatMap { try? $0.number() } }

  /// Yes or no.
  func flag(_ field: String) -> Bool? { self[field].flatMap { try? $0.bool() } }

  /// A whole number of 0 or more.
  func integer(_ field: String) -> Int64? {
    self[field].flatMap { try? $0.integer(in: 0...Int64.max) }
  }
}
