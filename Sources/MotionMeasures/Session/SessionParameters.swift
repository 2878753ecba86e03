import JSONText
package import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore

/// How a recorded session settled and decided, read from what the session says of itself.
package struct SessionParameters: Hashable, Sendable {
  /// Type, spring or timing, overshoot and definition. The defaults where the session says nothing.
  package var settle = SettleParameters()
  /// Estimator, window and rule. The defaults where the session says nothing.
  package var release: ReleaseParameters
  /// Whether the session says by which estimator its velocities are.
  package var namesEstimator: Bool

  /// Reads the parameters of a session.
  ///
  /// A parameter that this version does not know (a newer program's estimator, say) is left at its
  /// default, so that an old reader still answers for a newer file.
  /// - Parameter stored: The estimator of the session's own estimates, which counts if the session names none.
  package init(_ session: SessionRecord, stored: Estimator? = nil) {
    if let fields = JSONFields(recorded: session.description.settle) {
      settle = SettleParameters(fields)
    }
    release = ReleaseParameters(recorded: session.description.release, stored: stored)
    namesEstimator =
      stored != nil || JSONFields(recorded: session.description.release)?.name("estimator") != nil
  }
}

extension RecordingReader {
  /// The parameters of a session. If it names no estimator, that of its stored estimates counts, so that a question about
  /// it is answered as it was while it was recorded.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  package func parameters(of session: SessionRecord) throws -> SessionParameters {
    let stored = try firstEstimate(in: session.number)?.estimate.estimator
    return SessionParameters(
      session, stored: stored.flatMap { Estimator(rawValue: $0.description) })
  }
}

extension SettleParameters {
  /// Reads what ``MotionPhysics/SettleParameters/fields`` wrote, bit for bit. What is not there, or not
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
  /// Reads the parameters as a session keeps them. What it does not say, or what only a newer program
  /// knows, is left at its default. The estimator is then that of the stored estimates, or `lsq-span`.
  package init(recorded text: String?, stored: Estimator? = nil) {
    self.init()
    let fields = JSONFields(recorded: text)
    estimator = fields?.name("estimator").flatMap(Estimator.init(rawValue:)) ?? stored ?? .lsqSpan
    if estimator == .lsqSpan { window = EstimationPreset.android.window(for: estimator) }
    guard let fields else { return }
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
  /// The rule that a decision was made by, with its own parameters. `nil` for one that this program does not know, or
  /// whose numbers are not all in the file: nobody can decide by it again.
  package init?(of decision: ReleaseDecision) {
    guard let kind = decision.rule.kind else { return nil }
    let fields = JSONFields(recorded: decision.ruleParameters)
    var needed: [String] = []
    let usual = kind.definition.usual
    if let speed = usual.speed {
      needed = speed.unit != .perSecond ? ["velocityThreshold", "distance"] : ["velocityThreshold"]
    }
    if case .usual = usual.decelerationRate { needed.append("decelerationRate") }
    guard needed.allSatisfy({ fields?.number($0) != nil }) else { return nil }
    self.init(kind, fields, threshold: decision.threshold)
  }

  /// Makes the rule again that ``ReleaseRule/fields`` tell of.
  init(_ fields: JSONFields, else rule: ReleaseRule) {
    self = fields.name("rule").flatMap(Kind.init(rawValue:)).map { Self($0, fields) } ?? rule
  }

  private init(_ kind: Kind, _ fields: JSONFields?, threshold: Double? = nil) {
    self.init(
      kind: kind, threshold: fields?.number("threshold") ?? threshold,
      velocityThreshold: fields?.number("velocityThreshold"),
      decelerationRate: fields?.number("decelerationRate"), distance: fields?.number("distance"),
      minimumVelocity: fields?.number("minimumVelocity") ?? 0,
      maximumVelocity: fields?.number("maximumVelocity"),
      crossVelocity: fields?.number("crossVelocity") ?? 0,
      outputLength: fields?.number("outputLength"))
  }
}

extension ReleaseDecision {
  /// What a decision that cannot be made again was made by: a sentence with its rule, its threshold and its progress
  /// as recorded.
  package var asRecorded: String {
    let velocity = progressVelocity.map { ", velocity \(FieldValue.jsonNumber($0))" } ?? ""
    let isKnown = rule.kind != nil
    return "rule \(rule), threshold \(FieldValue.jsonNumber(threshold)), progress "
      + "\(FieldValue.jsonNumber(progress))\(velocity), as recorded. It cannot be decided again, because "
      + (isKnown
        ? "not all numbers of the rule are recorded." : "this program does not know the rule.")
  }

  /// The name of the key that the threshold is about: the progress, or of a rule that this program does not know the
  /// key that is named as the rule. `nil`: no key is.
  package func thresholdKey(among keys: [KeyRecord]) -> String? {
    if ReleaseRule(of: self) != nil { return keys.first { $0.role == .progress }?.name }
    let isKnown = rule.kind != nil
    return isKnown ? nil : keys.first { $0.name == rule.description }?.name
  }
}
