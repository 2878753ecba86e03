package import TimelineModel

/// The rule that decides between finish and cancel at a lift: a kind, and the numbers that it compares with.
///
/// Progress runs from 0 (the old layout) to 1 (the new one), and velocities are progress per second, positive
/// towards the new layout. Rules that compare points per second convert with ``distance``.
public struct ReleaseRule: Sendable, Hashable {
  /// The comparison. Each kind documents its formula, its tie and its source.
  public package(set) var kind: Kind
  /// The progress that is far enough, without a unit. A projection is compared with it, too.
  public var threshold: Double
  /// The speed that decides by itself, in the unit that the kind names. Nil for a kind without such a speed.
  public var velocityThreshold: Double?
  /// The share of the speed that remains after a millisecond, above 0 and below 1. Nil for a kind that does
  /// not project. If it is nil, `omniwm` projects by 0.15 seconds.
  public var decelerationRate: Double?
  /// The distance of a progress of 1, in points. If it is nil, the rule uses that of its peer, or treats
  /// progress as points.
  public var distance: Double?
  /// A speed below this counts as 0, in progress per second, for every kind.
  public var minimumVelocity: Double
  /// A speed above this is limited to it, in progress per second, for every kind. Nil means no limit.
  public var maximumVelocity: Double?
  /// The velocity across the drag, in points per second. Only `flutter-dismissible` uses it.
  public var crossVelocity: Double
  /// The length of the output along the swipe, in points: its width or its height. Only `cosmic` uses it, and
  /// takes `defaultOutputLength` if it is nil.
  public var outputLength: Double?

  /// Makes a rule. An omitted number has the default of the rule's source, and a number that the kind does
  /// not use is nil.
  public init(
    kind: Kind = .progress, threshold: Double? = nil, velocityThreshold: Double? = nil,
    decelerationRate: Double? = nil, distance: Double? = nil, minimumVelocity: Double = 0,
    maximumVelocity: Double? = nil, crossVelocity: Double = 0, outputLength: Double? = nil
  ) {
    self.kind = kind
    let usual = kind.definition.usual
    self.threshold = threshold ?? usual.threshold
    self.velocityThreshold = usual.speed.map { velocityThreshold ?? $0.threshold }
    self.decelerationRate =
      switch usual.decelerationRate {
      case .unused: nil
      case .optional: decelerationRate
      case .usual(let rate): decelerationRate ?? rate
      }
    self.distance = distance
    self.minimumVelocity = minimumVelocity
    self.maximumVelocity = maximumVelocity
    self.crossVelocity = crossVelocity
    self.outputLength = outputLength
  }
}

extension ReleaseRule {
  /// A rule with its peer's own numbers for a touchpad, if they are others than for a finger.
  package init(ofTouchpad kind: Kind, isVertical: Bool = false) {
    self.init(kind: kind)
    guard let touchpad = kind.definition.usual.touchpad else { return }
    velocityThreshold = touchpad.speedThreshold
    decelerationRate = touchpad.decelerationRate
    distance = isVertical ? touchpad.verticalDistance : touchpad.distance
  }

  /// The rule and every parameter that it has, by their names in scenario files. The same numbers make
  /// the same rule again, bit for bit.
  package var fields: [EventField] { row }
}

extension ReleaseRule {
  /// The comparison of a rule. The raw values are the names in scenario files.
  ///
  /// In the formulas p is the progress, v its velocity per second, T ``ReleaseRule/threshold``, V
  /// ``ReleaseRule/velocityThreshold``, d ``ReleaseRule/decelerationRate`` and D
  /// ``ReleaseRule/distance``.
  public struct Kind: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// The position in ``RuleDefinition/all``.
    private let index: Int

    /// Every kind, in the order in which help and errors name them.
    public static let allCases: [Kind] = RuleDefinition.all.indices.map(Kind.init(index:))

    private init(index: Int) { self.index = index }

    /// The kind of a definition in the list.
    init(_ definition: RuleDefinition) {
      guard let kind = Kind(rawValue: definition.name) else {
        preconditionFailure("Add the rule \(definition.name) to RuleDefinition.all.")
      }
      self = kind
    }

    /// The kind of a name in scenario files. `nil` for an unknown one.
    public init?(rawValue: String) {
      guard let index = RuleDefinition.all.firstIndex(where: { $0.name == rawValue }) else {
        return nil
      }
      self.index = index
    }

    /// The name in scenario files.
    public var rawValue: String { definition.name }

    package var definition: RuleDefinition { RuleDefinition.all[index] }
  }

  /// An outcome with the question that gave it.
  struct Answer {
    var outcome: ReleaseOutcome
    var criterion: Decision.Criterion
    var projectedProgress: Double?

    init(_ finishes: Bool, by criterion: Decision.Criterion, projected: Double? = nil) {
      outcome = finishes ? .finish : .cancel
      self.criterion = criterion
      projectedProgress = projected
    }
  }

  /// The outcome for a velocity that is within the limits.
  func answer(progress: Double, velocity: Double) -> Answer {
    progress.isNaN
      ? Answer(false, by: .progress) : kind.definition.answer(self, progress, velocity)
  }

  /// The number that a progress is compared with if no velocity decides. Rule `compose` has a half at rest, and on the
  /// way back the rest of the distance. A size is compared on the progress's own side of 0.
  package func progressBorder(progress: Double, velocity: Double?) -> Double {
    let definition = kind.definition
    if let border = definition.progressBorder {
      return border(self, limited(velocityOrZero(velocity)))
    }
    return definition.directions == .both && progress < 0 ? 0 - threshold : threshold
  }

  /// A velocity's speed in the unit of the threshold that it is compared with.
  func speed(of velocity: Double) -> Double {
    kind.definition.usual.speed?.unit.speed(of: velocity, by: self) ?? abs(velocity)
  }

  /// The velocity of a speed in that unit.
  func velocity(ofSpeed speed: Double) -> Double {
    kind.definition.usual.speed?.unit.velocity(of: speed, by: self) ?? speed
  }

  /// Whether a velocity is so fast that it decides by itself.
  func isFast(_ velocity: Double) -> Bool {
    guard let speed = kind.definition.usual.speed else { return false }
    return speed.isFast(self, velocity, speed.unit.speed(of: velocity, by: self))
  }

  /// The threshold of the speed, in the kind's unit.
  var speedThreshold: Double { velocityThreshold ?? kind.definition.usual.speed?.threshold ?? 0 }

  /// The points of a progress of 1. If ``distance`` is nil or makes no sense, they are the kind's own, or else 1.
  package var points: Double { knownPoints ?? 1 }

  /// ``points``. `nil` if nobody knows them.
  package var knownPoints: Double? {
    guard let distance, distance.isFinite, distance > 0 else {
      return kind.definition.usual.distance
    }
    return distance
  }
}

extension ReleaseRule: ResultRow {
  package static let fields: [ResultField<ReleaseRule>] = [
    ResultField("rule", "The rule's name.", \.kind),
    ResultField("threshold", "The progress from which it finishes.", \.threshold),
    ResultField("velocityThreshold", "The speed from which it decides.", \.velocityThreshold)
      .when { $0.kind.definition.usual.speed != nil },
    ResultField("decelerationRate", "The share of a speed left after 1 ms.", \.decelerationRate)
      .when { $0.kind.definition.usual.decelerationRate != .unused },
    ResultField("distance", "The distance of a progress of 1, in points.", \.distance),
    ResultField("minimumVelocity", "A slower speed counts as 0.", \.minimumVelocity),
    ResultField("maximumVelocity", "A faster speed counts as this.", \.maximumVelocity),
    ResultField("crossVelocity", "The velocity across the drag.", \.crossVelocity)
      .when { $0.kind.definition.ownNumbers.contains(.crossVelocity) },
    ResultField("outputLength", "The output's length along the swipe.", \.outputLength)
      .when { $0.kind.definition.ownNumbers.contains(.outputLength) },
  ]
}

// Compositors do not ask about the progress and the velocity that anybody else tells, but keep account of a swipe's
// reports themselves: what they drop, what they cut off, and where their workspaces are then.

extension ReleaseRule {
  /// What the rule is asked about samples by themselves, at a lift with a last value. They are progresses, or places of
  /// a swipe in points: then ``distance`` of them make a progress of 1, counted from the first one, and the estimate's
  /// velocity is in points per second.
  package func question(
    about samples: [Sample], areProgress: Bool, resampled: [Bool], at lift: Instant, value: Double,
    estimate: VelocityEstimate
  ) -> (progress: Double, velocity: Double?, standardError: Double?) {
    let (start, unit) = areProgress ? (0, 1) : (samples.first?.value ?? 0, points)
    let shares = samples.map { Sample(time: $0.time, value: ($0.value - start) / unit) }
    return (
      progress(of: shares, resampled: resampled, at: lift) ?? (value - start) / unit,
      estimate.velocity.map { $0 / unit }, estimate.standardError.map { $0 / unit }
    )
  }

  /// What the rule is asked about at a lift: progress and velocity as its peer has them of the same reports.
  ///
  /// Of a compositor's rule, the progress is the one that the compositor would have, from the steps between the
  /// samples, each ``distance`` points long for a step of 1: `niri` and `cosmic` leave out reports that come too early,
  /// `hyprland` and `wayfire` keep an account of their own (`SwipeReports.swift`). And a rule whose thresholds an
  /// estimator's velocities cannot be held against (``RuleDefinition/accepts(_:)``) gets its own measure's, or none. Of the other
  /// rules both stay as they are.
  ///
  /// - Parameters:
  ///   - samples: The progress's samples in recording order. Those after the lift are passed over.
  ///   - resampled: Which of them the system computed. Those are left out.
  ///   - lift: The instant of the lift.
  ///   - progress: The progress that is known.
  ///   - estimate: What is known of its velocity.
  package func question(
    about samples: [Sample], resampled: [Bool] = [], at lift: Instant, progress: Double,
    estimate: VelocityEstimate
  ) -> (progress: Double, estimate: VelocityEstimate) {
    (
      self.progress(of: samples, resampled: resampled, at: lift) ?? progress,
      self.estimate(
        of: samples, resampled: resampled, at: lift, by: estimate)
    )
  }

  /// The estimate that the rule takes: the given one, its own measure's, or no velocity.
  private func estimate(
    of samples: [Sample], resampled: [Bool], at lift: Instant, by estimate: VelocityEstimate
  ) -> VelocityEstimate {
    let definition = kind.definition
    guard let estimator = estimate.estimator.estimator, !definition.accepts(estimator) else {
      return estimate
    }
    guard let preset = definition.preset, estimate.velocity != nil || estimate.sampleCount > 0
    else {
      return VelocityEstimate(estimator: EstimatorName(estimator), velocity: nil, sampleCount: 0)
    }
    let window = preset.window(for: preset.estimator).measuring(pointsPerUnit: points)
    return preset.estimator.estimate(samples, resampled: resampled, lift: lift, window: window)
  }

  /// The progress as the rule's compositor has it at a lift. `nil` for the other rules, and without a sample.
  package func progress(of samples: [Sample], resampled: [Bool] = [], at lift: Instant) -> Double? {
    guard let account = kind.definition.account, let preset = kind.definition.preset else {
      return nil
    }
    var acceptance = SampleAcceptance(preset.window(for: preset.estimator))
    var counted: [Sample] = []
    for (index, sample) in samples.enumerated() where sample.time <= lift {
      let isResampled = index < resampled.count && resampled[index]
      if case .accepted = acceptance.take(sample, isResampled: isResampled) {
        counted.append(acceptance.counted(sample))
      }
    }
    guard !counted.isEmpty else { return nil }
    return counted.withUnsafeBufferPointer { account($0, points) }
  }
}

// A rule's outcome as a function of its thresholds: with everything else as it is, the threshold of the speed
// parts the fast answer from the slow one, and each of these changes at most at one value of `threshold`. So a
// search over thresholds needs to look only between those values.

extension ReleaseRule {
  /// How the outcome of one gesture changes with `threshold`.
  package struct ThresholdStep: Hashable, Sendable {
    /// The threshold at which the outcome changes, no unit. `nil`: it does not.
    package var border: Double?
    /// Whether the gesture finishes at a threshold below the border, or at any where there is none.
    package var finishesBelow: Bool
    /// Whether it finishes at a threshold on the border.
    package var finishesAtBorder: Bool
    /// Whether it finishes at a threshold above the border.
    package var finishesAbove: Bool
  }

  /// How the outcome changes with ``threshold``, by what the rule itself says on both sides of the border.
  ///
  /// - Parameters:
  ///   - progress: The progress at the lift, no unit.
  ///   - velocity: Its velocity per second. `nil` counts as 0.
  ///   - isFast: Whether the speed counts as above or below ``velocityThreshold``, whatever that is. `nil`: as it
  ///     is. A gesture that ``speedBorder(velocity:)`` calls never fast is slow anyway.
  package func thresholdStep(
    progress: Double, velocity: Double?, isFast: Bool? = nil
  ) -> ThresholdStep {
    var rule = self
    if let isFast, let speed = kind.definition.usual.speed {
      rule.velocityThreshold = isFast ? speed.least : .infinity
    }
    let counted = limited(velocityOrZero(velocity))
    let answer = rule.answer(progress: progress, velocity: counted)
    var step = ThresholdStep(
      border: nil, finishesBelow: answer.outcome == .finish,
      finishesAtBorder: answer.outcome == .finish, finishesAbove: answer.outcome == .finish)
    let border = kind.definition.thresholdBorder(
      rule, progress, counted, answer.projectedProgress)
    guard border.isFinite else { return step }
    func finishes(at threshold: Double) -> Bool {
      rule.threshold = threshold
      return rule.answer(progress: progress, velocity: counted).outcome == .finish
    }
    let (below, above) = (finishes(at: border.nextDown), finishes(at: border.nextUp))
    guard below != above else { return step }
    step.border = border
    (step.finishesBelow, step.finishesAbove) = (below, above)
    step.finishesAtBorder = finishes(at: border)
    return step
  }

  /// The speed, in the unit of ``velocityThreshold``, up to which a threshold of the speed lets this velocity
  /// decide by itself, and whether one of that very value does. `nil` where none of 0 or more does.
  package func speedBorder(velocity: Double?) -> (speed: Double, isFastAtBorder: Bool)? {
    let counted = limited(velocityOrZero(velocity))
    var rule = self
    rule.velocityThreshold = kind.definition.usual.speed?.least ?? 0
    guard rule.isFast(counted) else { return nil }
    let speed = speed(of: counted)
    rule.velocityThreshold = speed
    return (speed, rule.isFast(counted))
  }
}
