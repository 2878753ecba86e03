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

  /// The rule and every parameter that it has, by their names in scenario files; the same numbers make
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

    /// The kind of a name in scenario files; nil for an unknown one.
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

  /// ``points``; nil if nobody knows them.
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
