public import TimelineModel

/// How finish or cancel is decided at a lift: a kind, and the numbers that it compares with.
///
/// Progress runs from 0 (the old layout) to 1 (the new one), and velocities are progress per second,
/// positive towards the new layout. Rules that compare points per second turn them with ``distance``.
public struct ReleaseRule: Sendable, Hashable {
  /// What the rule compares. The cases say formula, tie and source.
  public let kind: Kind
  /// The progress that is far enough, no unit; what a projection is compared with, too.
  public var threshold: Double
  /// The speed that decides by itself, in ``Kind/velocityThresholdUnit``; nil for a kind without one.
  public var velocityThreshold: Double?
  /// What is left of the speed after a millisecond, above 0 and below 1; nil for a kind that does not
  /// project, and for `omniwm`, which then projects by ``omniInertiaSeconds``.
  public var decelerationRate: Double?
  /// How many points progress 1 stands for; nil where nobody knows, and then it is ``Kind/defaultDistance``, or
  /// progress is taken for points.
  public var distance: Double?
  /// A speed below this counts as 0; progress per second, any kind.
  public var minimumVelocity: Double
  /// A speed above this is cut to it; progress per second, any kind; nil for no limit.
  public var maximumVelocity: Double?
  /// The velocity across the drag, in points per second; only `flutter-dismissible` asks for it.
  public var crossVelocity: Double
  /// How long the output is along the swipe, in points: its width or its height; only `cosmic` asks for it, and takes
  /// ``defaultOutputLength`` where it is nil.
  public var outputLength: Double?

  /// Makes a rule; what is left out takes its peer's default, and what the kind does not know is nil.
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
  public var fields: [EventField] { row }
}

extension ReleaseRule: ResultRow {
  package static let fields: [ResultField<ReleaseRule>] = [
    ResultField("rule", "What is compared.", \.kind),
    ResultField("threshold", "The progress that is far enough.", \.threshold),
    ResultField("velocityThreshold", "The speed that decides.", \.velocityThreshold)
      .when { $0.kind.velocityThresholdUnit != nil },
    ResultField("decelerationRate", "What is left of a speed after 1 ms.", \.decelerationRate)
      .when(\.kind.takesDecelerationRate),
    ResultField("distance", "Points of a progress of 1.", \.distance),
    ResultField("minimumVelocity", "A slower speed counts as 0.", \.minimumVelocity),
    ResultField("maximumVelocity", "A faster speed counts as this.", \.maximumVelocity),
    ResultField("crossVelocity", "The velocity across the drag.", \.crossVelocity)
      .when { $0.kind == .flutterDismissible },
    ResultField("outputLength", "Points of the output along the swipe.", \.outputLength)
      .when { $0.kind == .cosmic },
  ]
}
