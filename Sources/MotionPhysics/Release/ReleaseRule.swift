package import TimelineModel

/// The rule that decides between finish and cancel at a lift: a kind, and the numbers that it compares with.
///
/// Progress runs from 0 (the old layout) to 1 (the new one), and velocities are progress per second, positive
/// towards the new layout. Rules that compare points per second convert with ``distance``.
public struct ReleaseRule: Sendable, Hashable {
  /// The comparison. Each case documents its formula, its tie and its source.
  public let kind: Kind
  /// The progress that is far enough, without a unit. A projection is compared with it, too.
  public var threshold: Double
  /// The speed that decides by itself, in `velocityThresholdUnit`. Nil for a kind without such a speed.
  public var velocityThreshold: Double?
  /// The share of the speed that remains after a millisecond, above 0 and below 1. Nil for a kind that does
  /// not project. If it is nil, `omniwm` projects by `omniInertiaSeconds`.
  public var decelerationRate: Double?
  /// The distance of a progress of 1, in points. If it is nil, the rule uses `defaultDistance`, or treats
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
    self.threshold = threshold ?? kind.defaultThreshold
    self.velocityThreshold = kind.defaultVelocityThreshold.map { velocityThreshold ?? $0 }
    self.decelerationRate =
      kind.takesDecelerationRate ? decelerationRate ?? kind.defaultDecelerationRate : nil
    self.distance = distance
    self.minimumVelocity = minimumVelocity
    self.maximumVelocity = maximumVelocity
    self.crossVelocity = crossVelocity
    self.outputLength = outputLength
  }
}

extension ReleaseRule {
  /// A rule with its peer's own numbers for a touchpad. GNOME's are others than for a finger, and its distance is
  /// that of the axis.
  package init(ofTouchpad kind: Kind, isVertical: Bool = false) {
    self.init(kind: kind)
    guard kind == .gnome else { return }
    (velocityThreshold, decelerationRate, distance) = (0.6, 0.997, isVertical ? 300 : 400)
  }

  /// The rule and every parameter that it has, by their names in scenario files; the same numbers make
  /// the same rule again, bit for bit.
  package var fields: [EventField] { row }
}

extension ReleaseRule: ResultRow {
  package static let fields: [ResultField<ReleaseRule>] = [
    ResultField("rule", "The rule's name.", \.kind),
    ResultField("threshold", "The progress from which it finishes.", \.threshold),
    ResultField("velocityThreshold", "The speed from which it decides.", \.velocityThreshold)
      .when { $0.kind.velocityThresholdUnit != nil },
    ResultField("decelerationRate", "The share of a speed left after 1 ms.", \.decelerationRate)
      .when(\.kind.takesDecelerationRate),
    ResultField("distance", "The distance of a progress of 1, in points.", \.distance),
    ResultField("minimumVelocity", "A slower speed counts as 0.", \.minimumVelocity),
    ResultField("maximumVelocity", "A faster speed counts as this.", \.maximumVelocity),
    ResultField("crossVelocity", "The velocity across the drag.", \.crossVelocity)
      .when { $0.kind == .flutterDismissible },
    ResultField("outputLength", "The output's length along the swipe.", \.outputLength)
      .when { $0.kind == .cosmic },
  ]
}
