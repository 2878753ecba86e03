public import MotionPhysics
public import TimelineModel
package import TimelineSession

/// What a ``VelocityReport`` is asked: whose velocity, by which estimators and rule. What is left out is
/// the session's own.
public struct VelocityQuestion: Hashable, Sendable {
  /// Which estimators answer. Empty: the preset's own, or else the session's.
  public var estimators: [Estimator] = []
  /// Whose window is looked through. `nil`: the session's.
  public var preset: EstimationPreset?
  /// How far back the window reaches, in nanoseconds.
  public var horizonNanoseconds: Int64?
  /// The pause that forgets what was before it, in nanoseconds, between samples and before the lift.
  public var stopGapNanoseconds: Int64?
  /// What ``TimelineModel/VelocityEstimate/clampedVelocity`` is kept within.
  package var clamp: SpeedLimits?
  /// What is different about the release rule.
  public var rule = RuleChange()
  /// The direction in which a swipe's progress counts. A recorded progress has a direction of its own. If a direction is
  /// named here, rules judge the session's contacts in place of its progress.
  public var course = SwipeCourse.fingers
  /// How the rest would settle.
  public var settle: SettleParameters?
  /// Asks about this moment in place of the releases.
  public var moment: Instant?
  /// Asks about the attributes of the elements of this id as well.
  public var item: String?
  /// Whether releases are derived where no decision was recorded.
  public var derivesReleases = true
  /// Whether the answers tell their samples one by one.
  public var explains = false
  /// Asks about the keys of these names. `nil`: about all of them.
  package var keyNames: Set<String>?
  /// Asks about these contacts. `nil`: about all of them.
  package var contacts: Set<Int>?
  /// Asks about these fingers, elements and keys of the viewport as well.
  package var values: [MotionSubject] = []

  /// Whether velocities and decisions alone are asked for: not where the rest goes, nor how many samples there were.
  package var isBrief = false

  /// Asks about these values alone.
  package mutating func narrow(to subjects: [MotionSubject]) {
    (keyNames, contacts, values) = ([], [], [])
    for subject in subjects {
      if case .key(let name) = subject { keyNames?.insert(name) }
      values.append(subject)
    }
  }

  /// Whether another rule than the recorded one is asked, or the same one about something else.
  package var asksRule: Bool { !rule.isEmpty || course != .fingers }

  /// Whether an element is asked about.
  package var asksAboutItems: Bool { item != nil || values.contains(where: \.isItem) }

  /// Asks for what the session itself was judged by.
  public init() {}

  /// Who answers.
  ///
  /// - Parameter own: What answers when nobody is named.
  public func answering(own: Estimator) -> [Estimator] {
    if !estimators.isEmpty { return estimators }
    return [preset?.estimator ?? own]
  }

  /// The window that an estimator looks through: the preset's, or the session's. Where the session's is a
  /// peer's for the session's own estimator, another estimator takes that peer's window for itself.
  package func window(for estimator: Estimator, own: ReleaseParameters) -> EstimationWindow {
    let ownPreset = EstimationPreset(rawValue: own.window.name)
    let isPeers = ownPreset?.window(for: own.estimator) == own.window
    var window =
      preset?.window(for: estimator) ?? (isPeers ? ownPreset?.window(for: estimator) : nil)
      ?? own.window
    if let clamp { window.clamp = clamp }
    if let horizonNanoseconds { window.horizonNanoseconds = horizonNanoseconds }
    if let stopGapNanoseconds { window.setStopGap(nanoseconds: stopGapNanoseconds) }
    return window
  }
}

/// What is different about a release rule.
public struct RuleChange: Hashable, Sendable {
  /// Another rule, with its own defaults.
  public var kind: ReleaseRule.Kind?
  /// `ReleaseRule.threshold`.
  public var threshold: Double?
  /// `ReleaseRule.velocityThreshold`.
  public var velocityThreshold: Double?
  /// `ReleaseRule.decelerationRate`.
  public var decelerationRate: Double?
  /// `ReleaseRule.distance`.
  public var distance: Double?
  /// `ReleaseRule.minimumVelocity`.
  public var minimumVelocity: Double?
  /// `ReleaseRule.maximumVelocity`.
  public var maximumVelocity: Double?
  /// `ReleaseRule.crossVelocity`.
  public var crossVelocity: Double?
  /// `ReleaseRule.outputLength`.
  public var outputLength: Double?
  /// Whether another rule takes its peer's numbers for a touchpad. By itself that is no difference.
  package var isOfTouchpad = false

  /// Nothing is different.
  public init() {}

  /// Whether nothing is different.
  public var isEmpty: Bool {
    var nothing = RuleChange()
    nothing.isOfTouchpad = isOfTouchpad
    return self == nothing
  }

  /// The rule with the difference. Another kind takes its own defaults, but for the distance and the output's length,
  /// which are the session's. What a kind does not know is passed over.
  public func applied(to own: ReleaseRule) -> ReleaseRule {
    var rule = own
    if let kind, kind != own.kind {
      rule = isOfTouchpad ? ReleaseRule(ofTouchpad: kind) : ReleaseRule(kind: kind)
      (rule.distance, rule.outputLength) = (own.distance ?? rule.distance, own.outputLength)
    }
    rule.threshold = threshold ?? rule.threshold
    if rule.kind.definition.usual.speed != nil, let velocityThreshold {
      rule.velocityThreshold = velocityThreshold
    }
    if rule.kind.definition.usual.decelerationRate != .unused, let decelerationRate {
      rule.decelerationRate = decelerationRate
    }
    rule.distance = distance ?? rule.distance
    rule.minimumVelocity = minimumVelocity ?? rule.minimumVelocity
    rule.maximumVelocity = maximumVelocity ?? rule.maximumVelocity
    rule.crossVelocity = crossVelocity ?? rule.crossVelocity
    rule.outputLength = outputLength ?? rule.outputLength
    return rule
  }
}

extension RuleChange {
  /// What makes any rule this one.
  package init(to rule: ReleaseRule) {
    self.init()
    (kind, threshold) = (rule.kind, rule.threshold)
    (velocityThreshold, decelerationRate) = (rule.velocityThreshold, rule.decelerationRate)
    (distance, crossVelocity) = (rule.distance, rule.crossVelocity)
    outputLength = rule.outputLength
    (minimumVelocity, maximumVelocity) = (rule.minimumVelocity, rule.maximumVelocity)
  }
}
