import TimelineModel

/// Two curves of one key, compared: delay and shape told apart.
///
/// A raw distance alone calls a curve that is merely late more different than one of another shape;
/// so the lag is taken out first, and what is left is the shape.
public struct CurveComparison: Sendable, Hashable {
  /// Samples of A that lie where B has values too: the ones that were compared.
  public var matchedSampleCount: Int
  /// Samples of A outside B's time.
  public var onlyInACount: Int
  /// Samples of B outside A's time.
  public var onlyInBCount: Int
  /// Seconds of time that both have.
  public var overlapSeconds: Double
  /// The distance with the clocks as they are; nil where the curves do not overlap.
  public var aligned: CurveDifference?
  /// Seconds by which B is later than A; negative where it is earlier. 0 where it cannot be told, as
  /// for a curve that does not move.
  public var lagSeconds: Double
  /// Whether the lag is at the end of the search, so that the true one may lie beyond.
  public var lagIsAtLimit: Bool
  /// The root mean square that is left after the lag is taken out; nil where nothing overlaps.
  public var residual: Double?
  /// A's largest value minus its smallest.
  public var rangeOfA: Double

  /// Compares two curves on one clock; shift them first where they start elsewhere.
  ///
  /// - Parameters:
  ///   - a: The reference.
  ///   - b: What is held against it.
  ///   - lagLimitSeconds: How far to search for a lag, each way.
  /// - Complexity: O(n + m), with at most about a hundred walks over the samples.
  public init(_ a: Curve, _ b: Curve, lagLimitSeconds: Double = defaultLagLimitSeconds) {
    rangeOfA = CurveComparison.extent(of: a)
    matchedSampleCount = CurveComparison.count(of: a, within: b)
    onlyInACount = a.count - matchedSampleCount
    onlyInBCount = b.count - CurveComparison.count(of: b, within: a)
    lagSeconds = 0
    lagIsAtLimit = false
    overlapSeconds = 0
    guard let pair = CurvePair(a, b) else { return }
    aligned = pair.difference(shift: 0)
    residual = aligned?.rootMeanSquare
    if let overlap = pair.overlap(shift: 0) {
      overlapSeconds = overlap.upperBound - overlap.lowerBound
    }
    // A curve that does not move fits as well at any shift.
    guard rangeOfA > 0, CurveComparison.extent(of: b) > 0 else { return }
    let lag = pair.lag(limitSeconds: lagLimitSeconds, range: rangeOfA)
    lagSeconds = lag.seconds
    lagIsAtLimit = lag.isAtLimit
    residual = lag.residual ?? residual
  }

  /// The residual as a share of A's range, no unit: 0 for none at all; nil where nothing overlaps, or
  /// where A does not move and a residual is left.
  public var residualShareOfRange: Double? {
    guard let residual else { return nil }
    if residual == 0 { return 0 }
    let share = residual / rangeOfA
    return share.isFinite ? share : nil
  }

  private static func extent(of curve: Curve) -> Double {
    guard let range = curve.valueRange else { return 0 }
    return min(range.upperBound - range.lowerBound, .greatestFiniteMagnitude)
  }

  /// How many samples of one curve lie between the first and the last of the other.
  private static func count(of curve: Curve, within other: Curve) -> Int {
    guard let first = other.times.first, let last = other.times.last else { return 0 }
    return curve.times.lazy.filter { $0 >= first && $0 <= last }.count
  }
}
