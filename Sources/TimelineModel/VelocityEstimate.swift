/// A velocity estimated from samples: more than a number, since "no velocity" is not 0.
public struct VelocityEstimate: Hashable, Sendable {
  /// The estimator, as scenario files and `--estimator` write it.
  public var estimator: EstimatorName
  /// Units of the key per second. nil: no velocity can be told. 0: the value had stopped.
  public var velocity: Double?
  /// Lower end of the 90 % interval, where one can be told.
  public var low: Double?
  /// Upper end of the 90 % interval, where one can be told.
  public var high: Double?
  /// Standard error of the velocity, units per second, where one can be told.
  public var standardError: Double?
  /// The smallest answer with one of the samples left out. `nil` below three samples.
  public var leaveOneOutLow: Double?
  /// The largest answer with one of the samples left out. `nil` below three samples.
  public var leaveOneOutHigh: Double?
  /// How far the samples bear the velocity out, 0 to 1, no unit. `nil` where that cannot be told.
  public var confidence: Double?
  /// The velocity within the window's clamp. `nil` where the window has none.
  public var clampedVelocity: Double?
  /// What `auto` chose, as the name of an estimator and its horizon ("lsq1 30 ms"). `nil` for the others.
  public var chosen: String?
  /// How many samples the estimate rests on.
  public var sampleCount: Int
  /// How many samples were left out, by reason.
  public var leftOut: LeftOutSamples
  /// Nanoseconds from the newest sample to the lift. `nil` without a sample.
  public var liftGapNanoseconds: Int64?
  /// Whether the velocity points against the way from the oldest to the newest sample that count.
  public var opposesDisplacement: Bool
  /// Whether the last step before the lift stands out, as a finger that rolls off the glass makes it.
  public var liftArtefactSuspected: Bool

  /// Makes an estimate.
  public init(
    estimator: EstimatorName, velocity: Double?, low: Double? = nil, high: Double? = nil,
    standardError: Double? = nil, leaveOneOutLow: Double? = nil, leaveOneOutHigh: Double? = nil,
    confidence: Double? = nil, clampedVelocity: Double? = nil, chosen: String? = nil,
    sampleCount: Int, leftOut: LeftOutSamples = LeftOutSamples(),
    liftGapNanoseconds: Int64? = nil, opposesDisplacement: Bool = false,
    liftArtefactSuspected: Bool = false
  ) {
    self.estimator = estimator
    self.velocity = velocity
    self.low = low
    self.high = high
    self.standardError = standardError
    self.leaveOneOutLow = leaveOneOutLow
    self.leaveOneOutHigh = leaveOneOutHigh
    self.confidence = confidence
    self.clampedVelocity = clampedVelocity
    self.chosen = chosen
    self.sampleCount = sampleCount
    self.leftOut = leftOut
    self.liftGapNanoseconds = liftGapNanoseconds
    self.opposesDisplacement = opposesDisplacement
    self.liftArtefactSuspected = liftArtefactSuspected
  }
}

extension VelocityEstimate: ResultRow {
  /// The time from the newest sample to the lift.
  package static let liftGap = ResultField<VelocityEstimate>(
    "lift_gap_ns", "The time from the newest sample to the lift.", \.liftGapNanoseconds)

  package static let fields: [ResultField<VelocityEstimate>] = [
    ResultField("estimator", "The estimator that computed the velocity.", \.estimator),
    ResultField("velocity", "The estimated velocity, in the row's unit.", \.velocity),
    ResultField("low", "Lower end of the velocity's 90 % interval.", \.low),
    ResultField("high", "Upper end of the velocity's 90 % interval.", \.high),
    ResultField("samples", "The number of samples that the estimate uses.", \.sampleCount), liftGap,
    ResultField("standard_error", "The standard error of the velocity.", \.standardError),
    ResultField("leave_one_out_low", "Smallest velocity without one sample.", \.leaveOneOutLow),
    ResultField("leave_one_out_high", "Largest velocity without one sample.", \.leaveOneOutHigh),
    ResultField("confidence", "Agreement of the samples with the velocity, 0 to 1.", \.confidence),
    ResultField("clamped_velocity", "The velocity within the speed limits.", \.clampedVelocity),
    ResultField("chosen", "The estimator and horizon that auto chose.", \.chosen),
    ResultField("left_out", "Unused samples, counted by reason.", LeftOutSamples.fields, \.leftOut),
    ResultField(
      "opposes_displacement", "Whether the velocity opposes displacement.", \.opposesDisplacement),
    ResultField("lift_artefact", "If the step at the lift is an outlier.", \.liftArtefactSuspected),
  ]
}
